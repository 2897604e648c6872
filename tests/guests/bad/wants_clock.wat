;; Imports `wasi:clocks/monotonic-clock@0.2.6`.
(component
  (import "wasi:clocks/monotonic-clock@0.2.6" (instance)))
