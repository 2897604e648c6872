//! Programs that draw a screen, driven as an agent drives them: start, look, press keys, wait for what the screen shows, quit.

mod screens {
    use std::fs;
    use std::path::Path;

    use execgate_tests::{Answer, Caller, Scratch, text};
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    /// Commands on terminals, where everything runs as written.
    struct Desk {
        scratch: Scratch,
        caller: Caller,
    }

    impl Desk {
        fn new() -> Self {
            let scratch = Scratch::new();
            let caller = scratch.call_with(&[], &[("EXECGATE_POLICY_MODE", "full")]);
            Self { scratch, caller }
        }

        fn start(&mut self, command: &str) -> String {
            let answer = self
                .caller
                .exec(json!({"command": command, "background": true, "pty": true}));
            text(answer.details(), "sessionId").to_owned()
        }

        fn act(&mut self, session: &str, action: &str, more: Value) -> Answer {
            let mut arguments = json!({"action": action, "sessionId": session});
            let object = arguments.as_object_mut().expect("an object");
            object.extend(more.as_object().expect("an object").clone());
            let answer = self.caller.process(arguments);
            assert!(!answer.is_error(), "{action}: {answer:?}");
            answer
        }

        fn screen(&mut self, session: &str) -> Value {
            self.act(session, "screen", json!({})).details()["screen"].clone()
        }

        /// Waits until the screen shows a text.
        fn await_text(&mut self, session: &str, expected: &str) {
            let wait = json!({"text": expected, "screen": true, "timeout": 60_000});
            let answer = self.act(session, "wait", wait);
            let met = &answer.details()["wait"]["met"];
            assert_eq!(met, &json!("text"), "{expected}: {}", self.screen(session));
        }

        fn keys(&mut self, session: &str, keys: &[&str]) {
            self.act(session, "send-keys", json!({"keys": keys}));
        }

        fn write(&mut self, session: &str, data: &str) {
            self.act(session, "write", json!({"data": data}));
        }

        /// Waits for the end and gives the exit code.
        fn await_end(&mut self, session: &str) -> Value {
            let answer = self.act(session, "wait", json!({"timeout": 60_000}));
            assert_eq!(answer.details()["wait"]["met"], json!("exit"), "{answer:?}");
            answer.details()["exitCode"].clone()
        }

        fn content(&self, name: &str) -> String {
            fs::read_to_string(self.scratch.workspace().join(name)).expect("it was written")
        }
    }

    /// Whether a program is on this machine; where it is not, its test has nothing to drive.
    fn has(program: &str) -> bool {
        ["/usr/local/bin", "/usr/bin", "/bin"]
            .iter()
            .any(|directory| Path::new(directory).join(program).exists())
    }

    fn rows(screen: &Value) -> Vec<&str> {
        let rows = screen["rows"].as_array().expect("all rows");
        rows.iter()
            .map(|row| row.as_str().expect("it is text"))
            .collect()
    }

    #[test]
    fn a_screen_shows_what_was_drawn_and_what_has_changed_since() {
        let mut desk = Desk::new();
        let session = desk.start("printf 'one\\ntwo\\033]2;my title\\007'; read x; printf '\\033[1;1HONE\\033[3;4H'; read x");
        desk.await_text(&session, "two");
        let first = desk.screen(&session);
        assert_eq!(rows(&first)[..3], ["one", "two", ""]);
        assert_eq!(
            (&first["size"], &first["title"]),
            (&json!({"rows": 30, "columns": 120}), &json!("my title"))
        );
        assert_eq!(
            (&first["cursor"]["row"], &first["cursor"]["column"]),
            (&json!(1), &json!(3))
        );
        desk.write(&session, "\n");
        desk.await_text(&session, "ONE");
        let since = desk.act(
            &session,
            "screen",
            json!({"since": first["revision"], "styles": true}),
        );
        let screen = &since.details()["screen"];
        assert_eq!(
            (&screen["complete"], &screen["cursor"]["row"]),
            (&json!(false), &json!(2))
        );
        assert_eq!(
            (
                &screen["changed"][0]["index"],
                &screen["changed"][0]["text"]
            ),
            (&json!(0), &json!("ONE"))
        );
        assert!(since.text().contains("row 1: ONE"), "{}", since.text());
        let again = desk.act(&session, "screen", json!({"since": screen["revision"]}));
        assert!(
            again.text().contains("nothing has changed"),
            "{}",
            again.text()
        );
        desk.write(&session, "\n");
        desk.await_end(&session);
        assert!(
            desk.act(&session, "screen", json!({}))
                .text()
                .contains("it has ended")
        );
    }

    #[test]
    fn a_window_is_resized_and_its_program_is_told() {
        let mut desk = Desk::new();
        let session =
            desk.start("trap 'stty size; exit' WINCH; echo ready; while true; do sleep 0.05; done");
        desk.await_text(&session, "ready");
        let answer = desk.act(&session, "resize", json!({"columns": 60, "rows": 12}));
        assert_eq!(
            answer.details()["screen"]["size"],
            json!({"rows": 12, "columns": 60})
        );
        desk.await_text(&session, "12 60");
        desk.await_end(&session);
        let bad = desk
            .caller
            .process(json!({"action": "resize", "sessionId": session, "columns": 0, "rows": 9}));
        assert!(bad.text().contains("from 1 to 500"), "{}", bad.text());
    }

    #[test]
    fn without_a_terminal_there_is_no_screen() {
        let mut desk = Desk::new();
        let answer = desk
            .caller
            .exec(json!({"command": "sleep 1000", "background": true}));
        let session = text(answer.details(), "sessionId").to_owned();
        let answer = desk
            .caller
            .process(json!({"action": "screen", "sessionId": session}));
        assert!(
            answer.is_error() && answer.text().contains("pty: true"),
            "{answer:?}"
        );
    }

    #[test]
    fn secrets_are_covered_on_the_screen() {
        let mut desk = Desk::new();
        let session = desk.start(
            "printf '%110s' x; echo ghp_0123456789abcdefghijklmnopqrstuvwxyzAB; echo done; read x",
        );
        desk.await_text(&session, "done");
        let answer = desk.act(&session, "screen", json!({}));
        let shown = format!("{}{}", answer.text(), answer.details());
        assert!(
            !shown.contains("ghp_") && !shown.contains("uvwxyz"),
            "{shown}"
        );
    }

    #[test]
    fn queries_are_answered_from_the_screen() {
        let mut desk = Desk::new();
        let command = "stty raw -echo; printf 'abc\\033[6n'; head -c 6 > position; printf '\\033[c'; head -c 3 > kind; stty sane; echo over";
        let session = desk.start(command);
        desk.await_text(&session, "over");
        assert_eq!(desk.content("position"), "\u{1b}[1;4R");
        assert_eq!(desk.content("kind"), "\u{1b}[?");
    }

    #[test]
    fn pasted_text_is_marked_where_the_program_asks_for_it() {
        let mut desk = Desk::new();
        let command = "stty raw -echo; echo ready; head -c 2 > plain; printf '\\033[?2004hmarked'; head -c 14 > marked";
        let session = desk.start(command);
        desk.await_text(&session, "ready");
        desk.act(&session, "paste", json!({"text": "ab"}));
        desk.await_text(&session, "marked");
        desk.act(&session, "paste", json!({"text": "ab"}));
        desk.await_end(&session);
        assert_eq!(desk.content("plain"), "ab");
        assert_eq!(desk.content("marked"), "\u{1b}[200~ab\u{1b}[201~");
    }

    #[test]
    fn bash_with_job_control() {
        let mut desk = Desk::new();
        let session = desk.start("PS1='$ ' bash --norc -i");
        desk.await_text(&session, "$ ");
        // What is typed is echoed before it runs; what it prints comes when it is in the foreground.
        desk.write(&session, "sh -c 'echo in fr''ont; exec sleep 1000'\n");
        desk.await_text(&session, "in front");
        desk.keys(&session, &["C-z"]);
        desk.await_text(&session, "Stopped");
        desk.write(&session, "jobs; kill %1; wait %1; echo all ov''er\n");
        desk.await_text(&session, "all over");
        desk.write(&session, "exit 4\n");
        assert_eq!(desk.await_end(&session), json!(4));
    }

    #[test]
    fn less_pages_searches_and_quits() {
        if !has("less") {
            return;
        }
        let mut desk = Desk::new();
        let session = desk.start("seq 1 500 > numbers; less numbers");
        desk.await_text(&session, "29");
        assert_eq!(desk.screen(&session)["alternateScreen"], json!(true));
        desk.keys(&session, &["space"]);
        desk.await_text(&session, "58");
        desk.write(&session, "/4[0]0\n");
        desk.await_text(&session, "400");
        desk.keys(&session, &["G"]);
        desk.await_text(&session, "(END)");
        desk.write(&session, "q");
        assert_eq!(desk.await_end(&session), json!(0));
    }

    #[test]
    fn vim_edits_a_file() {
        if !has("vim") {
            return;
        }
        let mut desk = Desk::new();
        let session = desk.start("vim -u NONE -N note.txt");
        desk.await_text(&session, "note.txt");
        desk.write(&session, "ihello");
        desk.await_text(&session, "hello");
        desk.keys(&session, &["escape"]);
        desk.write(&session, ":set showmode?\n");
        desk.await_text(&session, "showmode");
        desk.keys(&session, &["home", "i"]);
        desk.write(&session, "oh, ");
        desk.await_text(&session, "oh, hello");
        desk.keys(&session, &["escape"]);
        desk.write(&session, ":wq\n");
        assert_eq!(desk.await_end(&session), json!(0));
        assert_eq!(desk.content("note.txt"), "oh, hello\n");
    }

    #[test]
    fn git_commits_with_an_editor() {
        if !has("vim") || !has("git") {
            return;
        }
        let mut desk = Desk::new();
        let setup = "git init -q . && git config user.email a@b && git config user.name a && touch a && git add a";
        let session = desk.start(&format!(
            "{setup} && GIT_EDITOR='vim -u NONE -N' git commit; git log --format=%s > subject"
        ));
        desk.await_text(&session, "COMMIT_EDITMSG");
        desk.write(&session, "ifirst words");
        desk.await_text(&session, "first words");
        desk.keys(&session, &["escape"]);
        desk.write(&session, ":wq\n");
        assert_eq!(desk.await_end(&session), json!(0));
        assert_eq!(desk.content("subject"), "first words\n");
    }

    #[test]
    fn top_draws_again_and_again_and_quits() {
        if !has("top") {
            return;
        }
        let mut desk = Desk::new();
        let session = desk.start("top -d 0.2");
        desk.await_text(&session, "PID");
        let first = desk.screen(&session)["revision"].clone();
        desk.act(&session, "wait", json!({"pattern": "PID", "screen": true}));
        desk.write(&session, "q");
        assert_eq!(desk.await_end(&session), json!(0));
        assert!(first.as_u64().is_some_and(|revision| revision > 0));
    }

    #[test]
    fn a_menu_is_driven_by_arrows() {
        let mut desk = Desk::new();
        let menu = r#"
at=0; items=(red green blue)
draw() { printf '\033[H\033[2J'; for i in 0 1 2; do [ $i = $at ] && printf '\033[7m> %s\033[0m\n' "${items[$i]}" || printf '  %s\n' "${items[$i]}"; done; }
printf '\033[?1049h\033[?1h'; draw
while IFS= read -rsn1 key; do
  case $key in
    $'\033') read -rsn2 rest; case $rest in OB) at=$(( (at + 1) % 3 ));; OA) at=$(( (at + 2) % 3 ));; esac; draw;;
    '') break;;
  esac
done
printf '\033[?1l\033[?1049l'; echo "chose ${items[$at]}"
"#;
        fs::write(desk.scratch.workspace().join("menu.sh"), menu)
            .expect("the workspace can be written");
        let session = desk.start("bash menu.sh");
        desk.await_text(&session, "> red");
        desk.keys(&session, &["down"]);
        desk.await_text(&session, "> green");
        let styled = desk.act(&session, "screen", json!({"styles": true}));
        assert!(
            styled.details()["screen"]["styles"].is_array(),
            "{styled:?}"
        );
        desk.keys(&session, &["down", "down", "up"]);
        desk.await_text(&session, "> blue");
        desk.keys(&session, &["enter"]);
        desk.await_text(&session, "chose blue");
        assert_eq!(desk.screen(&session)["alternateScreen"], json!(false));
        desk.await_end(&session);
    }

    /// What is typed at a prompt without echo is shown nowhere and kept nowhere.
    #[test]
    fn a_password_is_not_recorded() {
        let mut desk = Desk::new();
        let session = desk.start("read -rsp 'Password: ' word; echo; echo \"${#word} characters\"");
        desk.await_text(&session, "Password:");
        desk.write(&session, "hunter2hunter2\n");
        desk.await_text(&session, "14 characters");
        desk.await_end(&session);
        let log = desk.act(&session, "log", json!({}));
        let shown = format!("{}{}", log.0, desk.screen(&session));
        assert!(!shown.contains("hunter2"), "{shown}");
        let state = desk.scratch.state();
        drop(desk.caller);
        for entry in fs::read_dir(state).expect("it is there").flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let content = fs::read(entry.path()).expect("it can be read");
                assert!(
                    !String::from_utf8_lossy(&content).contains("hunter2"),
                    "{}",
                    entry.path().display()
                );
            }
        }
    }
}
