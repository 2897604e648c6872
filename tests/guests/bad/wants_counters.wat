;; Imports `execgate:policy/counters@1.0.0`.
(component
  (import "execgate:policy/counters@1.0.0" (instance)))
