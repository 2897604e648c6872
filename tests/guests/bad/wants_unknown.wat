;; Imports `execgate:policy/oracle@1.3.0`.
(component
  (import "execgate:policy/oracle@1.3.0" (instance)))
