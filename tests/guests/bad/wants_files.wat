;; Imports `wasi:filesystem/types@0.2.6`.
(component
  (import "wasi:filesystem/types@0.2.6" (instance)))
