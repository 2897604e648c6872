//! The daemon and the commands that use it, over its socket.

mod daemon {
    use std::fs;
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::process::Stdio;

    use execgate_tests::{Finished, Running, Scratch, comes_true, program, text};
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    /// A place whose daemon is ended with it.
    struct Place(Scratch);

    impl Place {
        fn new() -> Self {
            Self(Scratch::new())
        }

        fn run(&self, arguments: &[&str]) -> Finished {
            self.0.run(arguments)
        }

        /// Starts a command in the background and gives its session's id.
        fn start(&self, options: &[&str], command: &str) -> String {
            let arguments = [&["run", "--background"], options, &["--", command]].concat();
            let finished = self.run(&arguments);
            assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
            finished.stdout.trim().to_owned()
        }

        fn sessions(&self) -> Vec<Value> {
            let listed = self.run(&["ps", "--json"]).json();
            listed.as_array().expect("a list").clone()
        }

        fn socket(&self) -> PathBuf {
            let entries = fs::read_dir(self.0.state().join("sockets")).expect("a daemon runs");
            let mut paths = entries.map(|entry| entry.expect("it can be read").path());
            let is_socket = |path: &PathBuf| {
                path.extension()
                    .is_some_and(|extension| extension == "sock")
            };
            paths.find(is_socket).expect("it has a socket")
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            self.run(&["stop", "--force"]);
        }
    }

    #[test]
    fn a_command_in_the_background_is_listed_followed_fed_and_waited_for() {
        let place = Place::new();
        let id = place.start(&[], "echo ready; read x; echo got $x; exit 3");
        let sessions = place.sessions();
        assert_eq!(
            (&sessions[0]["sessionId"], &sessions[0]["status"]),
            (&json!(id), &json!("running"))
        );
        let follower = Running::start(place.0.command(["logs", "-f", &id]));
        assert_eq!(place.run(&["send", &id, "hello", "--enter"]).code, 0);
        let waited = place.run(&["wait", &id]);
        assert_eq!(waited.code, 3, "{waited:?}");
        let followed = follower.finish();
        assert_eq!(
            (followed.code, followed.stdout.as_str()),
            (0, "ready\ngot hello\n")
        );
        assert_eq!(place.run(&["logs", "-n", "1", &id]).stdout, "got hello\n");
        let table = place.run(&["ps"]).stdout;
        assert!(
            table.starts_with("ID") && table.contains("completed 3"),
            "{table}"
        );
    }

    #[test]
    fn the_beginning_of_an_id_is_enough_and_an_unknown_one_is_named() {
        let place = Place::new();
        let id = place.start(&[], "exec sleep 1000");
        assert_eq!(place.run(&["kill", &id[..4]]).code, 0);
        assert_ne!(place.run(&["wait", &id, "--timeout", "60"]).code, 124);
        let unknown = place.run(&["logs", "nobody"]);
        assert_eq!(unknown.code, 2);
        assert!(
            unknown.stderr.contains("`nobody`") && unknown.stderr.contains("execgate ps"),
            "{}",
            unknown.stderr
        );
    }

    #[test]
    fn without_a_daemon_nothing_is_started_to_say_so() {
        let place = Place::new();
        assert_eq!(place.run(&["ps", "--json"]).json(), json!([]));
        let finished = place.run(&["logs", "x"]);
        assert_eq!(finished.code, 2);
        assert!(
            finished.stderr.contains("no daemon runs"),
            "{}",
            finished.stderr
        );
        assert!(!place.0.state().join("sockets").exists());
    }

    #[test]
    fn what_the_policy_refuses_does_not_run_there_either() {
        let place = Place::new();
        let finished = place.run(&["run", "--background", "--", "reboot"]);
        assert_eq!((finished.code, finished.stdout.as_str()), (126, ""));
        assert!(
            finished.stderr.contains("power/stop"),
            "{}",
            finished.stderr
        );
        assert_eq!(place.sessions(), Vec::<Value>::new());
    }

    #[test]
    fn live_sessions_keep_the_daemon_and_are_named() {
        let place = Place::new();
        let id = place.start(&[], "trap '' TERM; echo $$ > pid; exec sleep 1000");
        assert!(comes_true(|| place.0.has("pid")));
        let refused = place.run(&["stop"]);
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains(&id), "{}", refused.stderr);
        let ended = place.run(&["stop", "--force"]);
        assert_eq!(
            (ended.code, ended.stdout.trim()),
            (0, format!("ended {id}").as_str())
        );
        let pid = fs::read_to_string(place.0.workspace().join("pid")).expect("it was written");
        assert!(
            !std::path::Path::new("/proc").join(pid.trim()).exists(),
            "it has ended with the daemon"
        );
        assert!(place.run(&["ps", "--all", "--json"]).json() == json!([]));
    }

    #[test]
    fn the_socket_is_its_users_alone() {
        let place = Place::new();
        place.start(&[], "true");
        let socket = place.socket();
        let metadata = fs::metadata(&socket).expect("it is there");
        assert!(metadata.file_type().is_socket());
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
        let directory =
            fs::metadata(socket.parent().expect("it is in a directory")).expect("it is there");
        assert_eq!(directory.permissions().mode() & 0o777, 0o700);
    }

    /// An agent must not turn its own controls, from however deep it asks.
    #[test]
    fn a_session_cannot_control_its_daemon() {
        let place = Place::new();
        let sleeper = place.start(&[], "exec sleep 1000");
        let binary = program().display().to_string();
        let state = place.0.state().display().to_string();
        // The default policy denies this by name; here the daemon itself is asked.
        let command = format!(
            "setsid {binary} kill --state-dir {state} {sleeper} > out 2>&1; echo $? > code"
        );
        fs::write(place.0.workspace().join("script.sh"), command)
            .expect("the workspace can be written");
        let id = place.start(&[], "sh script.sh");
        place.run(&["wait", &id]);
        let said = fs::read_to_string(place.0.workspace().join("out")).expect("it said something");
        assert!(said.contains("cannot control it"), "{said}");
        let running = place.sessions().iter().any(|session| {
            session["sessionId"] == json!(sleeper) && session["status"] == json!("running")
        });
        assert!(running);
    }

    fn ask(stream: &mut UnixStream, line: &str) -> Value {
        stream.write_all(line.as_bytes()).expect("the daemon reads");
        stream.write_all(b"\n").expect("the daemon reads");
        let mut answer = Vec::new();
        let mut byte = [0];
        while stream.read(&mut byte).expect("the daemon answers") == 1 && byte[0] != b'\n' {
            answer.push(byte[0]);
        }
        serde_json::from_slice(&answer).expect("it answers JSON")
    }

    #[test]
    fn bad_requests_are_answered_one_by_one() {
        let place = Place::new();
        place.start(&[], "true");
        let mut stream = UnixStream::connect(place.socket()).expect("the daemon listens");
        let rows = [
            ("{", -32700),
            ("[1]", -32600),
            (r#"{"id": 1, "method": "dance"}"#, -32601),
            (r#"{"id": 2, "method": "attach", "params": {}}"#, -32602),
            (
                r#"{"id": 3, "method": "attach", "params": {"sessionId": "nobody"}}"#,
                -32000,
            ),
            (
                r#"{"id": 4, "method": "swap", "params": {"slot": "policy"}}"#,
                -32602,
            ),
            (
                r#"{"id": 5, "method": "resize", "params": {"sessionId": "x", "columns": 0, "rows": 1}}"#,
                -32602,
            ),
            (
                r#"{"id": 6, "method": "answer", "params": {"approvalId": 1, "decision": "deny"}}"#,
                -32000,
            ),
        ];
        for (line, code) in rows {
            assert_eq!(
                ask(&mut stream, line)["error"]["code"],
                json!(code),
                "{line}"
            );
        }
        let status = ask(
            &mut stream,
            r#"{"jsonrpc": "2.0", "id": 9, "method": "status"}"#,
        );
        assert_eq!(status["result"]["profile"], json!("default"));
    }

    /// The client that waits for a call is asked; nobody else can answer.
    #[test]
    fn a_question_goes_to_the_client_whose_call_raised_it() {
        let place = Place::new();
        place.start(&[], "true");
        let mut caller = UnixStream::connect(place.socket()).expect("the daemon listens");
        let mut other = UnixStream::connect(place.socket()).expect("the daemon listens");
        let call = json!({"id": 1, "method": "call", "params": {
            "tool": "exec", "args": {"command": "frobnicate || echo ran"}, "interactive": true,
        }});
        let asked = ask(&mut caller, &call.to_string());
        assert_eq!(asked["method"], json!("approval-requested"));
        let answer = |decision: &str| {
            let id = &asked["params"]["approvalId"];
            json!({"id": 2, "method": "answer", "params": {"approvalId": id, "decision": decision}})
                .to_string()
        };
        assert_eq!(
            ask(&mut other, &answer("allow-once"))["error"]["code"],
            json!(-32000)
        );
        let mut answers = vec![ask(&mut caller, &answer("allow-once"))];
        let mut rest = String::new();
        caller
            .shutdown(std::net::Shutdown::Write)
            .expect("it is open");
        caller
            .read_to_string(&mut rest)
            .expect("the daemon answers");
        answers.extend(
            rest.lines()
                .map(|line| serde_json::from_str(line).expect("it is JSON")),
        );
        assert!(
            answers
                .iter()
                .any(|one| one["id"] == json!(2) && one["result"] == json!({})),
            "{answers:?}"
        );
    }

    #[test]
    fn a_policy_is_swapped_and_rolled_back_while_sessions_live() {
        let place = Place::new();
        let id = place.start(&[], "exec sleep 1000");
        let policy = execgate_tests::read_only_policy();
        let policy = policy.to_string_lossy();
        assert_eq!(place.run(&["policy", "swap", "policy", &policy]).code, 0);
        assert_eq!(
            place.run(&["run", "--background", "--", "touch made"]).code,
            126
        );
        let listed = place.run(&["policy", "list", "--json"]).json();
        assert_eq!(listed[1]["live"]["generation"], json!(2), "{listed}");
        assert_eq!(place.run(&["policy", "rollback", "policy"]).code, 0);
        let touched = place.start(&[], "touch made");
        place.run(&["wait", &touched]);
        assert!(place.0.has("made"));
        assert_eq!(text(&place.sessions()[1], "sessionId"), id);
        assert_eq!(
            place
                .run(&["policy", "swap", "policy", "/nowhere.wasm"])
                .code,
            2
        );
    }

    #[test]
    fn somebody_attaches_types_and_leaves_with_the_detach_key() {
        let place = Place::new();
        let id = place.start(
            &["--pty"],
            "stty -echo; echo ready; while read x; do echo \"<$x>\"; done",
        );
        let mut command = place.0.command(["attach", &id]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut keyboard = child.stdin.take().expect("it is a pipe");
        let mut shown = child.stdout.take().expect("it is a pipe");
        let mut until = |mark: &str| {
            let (mut seen, mut byte) = (Vec::new(), [0]);
            while !String::from_utf8_lossy(&seen).contains(mark) {
                assert_eq!(
                    shown.read(&mut byte).expect("it can be read"),
                    1,
                    "{seen:?}"
                );
                seen.push(byte[0]);
            }
        };
        until("ready");
        keyboard.write_all(b"one\n").expect("it reads");
        until("<one>");
        keyboard.write_all(b"two\n\x1c").expect("it reads");
        let ended = child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0));
        assert_eq!(place.sessions()[0]["status"], json!("running"));
        assert!(comes_true(|| place
            .run(&["logs", &id])
            .stdout
            .contains("<two>")));
        let other = place.run(&["attach", "--detach-key", "x", &id]);
        assert_eq!(other.code, 2);
    }

    #[test]
    fn an_attached_session_that_ends_gives_its_own_code() {
        let place = Place::new();
        let id = place.start(&["--pty"], "read x; exit 7");
        let finished = place.0.run_with_input(["attach", &id], "go\n");
        assert_eq!(finished.code, 7, "{finished:?}");
        assert!(
            finished.stderr.contains("exit code 7"),
            "{}",
            finished.stderr
        );
    }

    #[test]
    fn secrets_are_covered_in_logs() {
        let place = Place::new();
        let id = place.start(&[], "echo ghp_0123456789abcdefghijklmnopqrstuvwxyzAB");
        place.run(&["wait", &id]);
        let logs = place.run(&["logs", &id]).stdout;
        assert!(logs.starts_with("****") && !logs.contains("ghp_"), "{logs}");
    }
}
