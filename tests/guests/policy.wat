;; The shell of a policy: types, imports and exports. The core module $guest takes the place of
;; the marker below. It imports its memory, `drop` (ends the borrow of the request), `cwd-given`
;; and `log`, and exports `configure` and `evaluate`. What a policy answers lies at 1024:
;;   0 decision  4 rule  12 category  20 reason  28 spans  36 risk  40 remedy  52 annotations
(component
  (import "execgate:policy/command@1.0.0" (instance $command
    (type $span' (record (field "start" u32) (field "end" u32)))
    (export "span" (type (eq $span')))))
  (alias export $command "span" (type $span))
  (import "execgate:policy/verdict@1.0.0" (instance $verdicts
    (alias outer 1 $span (type $outer))
    (export "span" (type $span' (eq $outer)))
    (type $decision' (enum "allow" "ask" "deny"))
    (export "decision" (type $decision (eq $decision')))
    (type $risk' (enum "low" "medium" "high" "critical"))
    (export "risk" (type $risk (eq $risk')))
    (type $verdict' (record
      (field "decision" $decision)
      (field "rule" string)
      (field "category" string)
      (field "reason" string)
      (field "spans" (list $span'))
      (field "risk" $risk)
      (field "remedy" (option string))
      (field "annotations" (list (tuple string string)))))
    (export "verdict" (type (eq $verdict')))))
  (alias export $verdicts "verdict" (type $verdict))
  (import "execgate:policy/settings@1.0.0" (instance $settings
    (type $problem' (record (field "path" string) (field "message" string)))
    (export "problem" (type (eq $problem')))))
  (alias export $settings "problem" (type $problem))
  (import "execgate:policy/request@1.0.0" (instance $requests
    (export "request" (type $request' (sub resource)))
    (type $self (borrow $request'))
    (export "[method]request.cwd-given" (func (param "self" $self) (result bool)))))
  (alias export $requests "request" (type $request))
  (import "execgate:policy/log@1.0.0" (instance $log
    (type $level' (enum "debug" "info" "warn" "error"))
    (export "level" (type $level (eq $level')))
    (export "write" (func (param "level" $level) (param "message" string)))))

  (core module $memory
    (memory (export "memory") 16)
    (global $next (mut i32) (i32.const 65536))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (global.get $next)
      (global.set $next (i32.and
        (i32.add (i32.add (global.get $next) (local.get 3)) (i32.const 7))
        (i32.const -8)))))
  (core instance $memory (instantiate $memory))
  (core func $drop (canon resource.drop $request))
  (core func $cwd-given (canon lower (func $requests "[method]request.cwd-given")))
  (core func $write (canon lower (func $log "write") (memory (core memory $memory "memory"))))
  ;; GUEST
  (core instance $guest (instantiate $guest
    (with "env" (instance $memory))
    (with "host" (instance
      (export "drop" (func $drop))
      (export "cwd-given" (func $cwd-given))
      (export "log" (func $write))))))
  (func $configure (param "settings" string) (result (result (error (list $problem))))
    (canon lift (core func $guest "configure")
      (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
  (type $lent (borrow $request))
  (func $evaluate (param "request" $lent) (result $verdict)
    (canon lift (core func $guest "evaluate") (memory (core memory $memory "memory"))))
  (instance $policy
    (export "configure" (func $configure))
    (export "evaluate" (func $evaluate)))
  (export "execgate:policy/policy@1.0.0" (instance $policy)))
