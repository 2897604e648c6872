;; Exports nothing that a slot could use.
(component
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func (export "greet") (canon lift (core func $i "f"))))
