;; No component.
(module (func (export "evaluate")))
