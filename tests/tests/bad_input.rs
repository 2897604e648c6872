//! Whatever comes in: one clear error that names the thing and the remedy, nothing runs, the program lives on.

mod bad_input {
    mod arguments;
    mod disk;
    mod lines;
    mod places;
    mod settings;
    mod unprivileged;

    use execgate_tests::{Caller, Finished, Scratch};

    /// The stream still answers.
    fn assert_alive(caller: &mut Caller) {
        let answer = caller.run("echo alive");
        assert_eq!((answer.text(), answer.is_error()), ("alive", false));
    }

    /// The program refused to start: one error with all these parts, nothing on standard output, nothing ran.
    fn assert_refused(scratch: &Scratch, finished: &Finished, code: i32, parts: &[&str]) {
        assert_eq!(
            (finished.code, finished.stdout.as_str()),
            (code, ""),
            "{finished:?}"
        );
        assert_eq!(
            finished.stderr.matches("error: ").count(),
            1,
            "{finished:?}"
        );
        for part in parts {
            assert!(finished.stderr.contains(part), "`{part}` in {finished:?}");
        }
        assert!(!scratch.has("ran"), "{finished:?}");
    }

    /// Neither `run` nor `call` starts; the call on standard input is not answered.
    fn assert_nothing_starts(scratch: &Scratch, arguments: &[&str], parts: &[&str]) {
        let run = ["run"].iter().chain(arguments).chain(&["--", "touch ran"]);
        assert_refused(scratch, &scratch.run(run), 125, parts);
        let call = ["call"].iter().chain(arguments);
        let line =
            r#"{"id": 1, "tool": "exec", "args": {"action": "run", "command": "touch ran"}}"#;
        assert_refused(scratch, &scratch.run_with_input(call, line), 2, parts);
    }
}
