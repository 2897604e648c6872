;; Answers one verdict: rule `test/fixed`, reason `fixed`. Tests change the decision and the reason.
(core module $guest
  (import "env" "memory" (memory 1))
  (import "host" "drop" (func $drop (param i32)))
  (data (i32.const 512) "test/fixed")
  (data (i32.const 1024)
    "\00\00\00\00" "\00\02\00\00\0a\00\00\00" "\00\02\00\00\04\00\00\00" "\05\02\00\00\05\00\00\00"
    "\00\00\00\00\00\00\00\00" "\00\00\00\00" "\00\00\00\00\00\00\00\00\00\00\00\00" "\00\00\00\00\00\00\00\00")
  (func (export "configure") (param i32 i32) (result i32) (i32.const 960))
  (func (export "evaluate") (param i32) (result i32)
    (call $drop (local.get 0))
    (i32.const 1024)))
