;; Has a problem with `/mode`.
(core module $guest
  (import "env" "memory" (memory 1))
  (import "host" "drop" (func $drop (param i32)))
  (import "host" "cwd-given" (func $cwd-given (param i32) (result i32)))
  (import "host" "log" (func $log (param i32 i32 i32)))
  (func (export "configure") (param i32 i32) (result i32) (i32.const 960))
  (data (i32.const 512) "/mode" "use `strict`")
  (data (i32.const 600) "\00\02\00\00\05\00\00\00" "\05\02\00\00\0c\00\00\00")
  (data (i32.const 960) "\01\00\00\00" "\58\02\00\00\01\00\00\00")
  (func (export "evaluate") (param i32) (result i32) (call $drop (local.get 0)) (i32.const 1024)))
