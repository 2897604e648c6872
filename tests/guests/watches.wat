;; Traps as long as the workspace holds a file `broken`.
(core module $guest
  (import "env" "memory" (memory 1))
  (import "host" "drop" (func $drop (param i32)))
  (import "host" "exists" (func $exists (param i32 i32) (result i32)))
  (data (i32.const 512) "broken")
  (func (export "configure") (param i32 i32) (result i32) (i32.const 960))
  (func (export "evaluate") (param i32) (result i32)
    (if (call $exists (i32.const 512) (i32.const 6)) (then (unreachable)))
    (call $drop (local.get 0))
    (i32.const 1024)))
