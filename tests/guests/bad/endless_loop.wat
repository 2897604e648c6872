;; Never answers.
(core module $guest
  (import "env" "memory" (memory 1))
  (import "host" "drop" (func $drop (param i32)))
  (import "host" "cwd-given" (func $cwd-given (param i32) (result i32)))
  (import "host" "log" (func $log (param i32 i32 i32)))
  (func (export "configure") (param i32 i32) (result i32) (i32.const 960))
  (func (export "evaluate") (param i32) (result i32) (loop (br 0)) (unreachable)))
