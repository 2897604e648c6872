//! Recordings of what commands print, and their replay; completions and manual pages.

mod recordings {
    use std::fs;

    use execgate_tests::{Scratch, comes_true};
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    fn lines(scratch: &Scratch, name: &str) -> Vec<Value> {
        let content = fs::read_to_string(scratch.workspace().join(name)).expect("it was recorded");
        content
            .lines()
            .map(|line| serde_json::from_str(line).expect("it is JSON"))
            .collect()
    }

    /// The text of all output events.
    fn printed(lines: &[Value]) -> String {
        let outputs = lines[1..].iter().filter(|event| event[1] == json!("o"));
        outputs
            .map(|event| event[2].as_str().expect("it is text"))
            .collect()
    }

    #[test]
    fn a_command_is_recorded_with_its_secrets_covered_and_played() {
        let scratch = Scratch::new();
        let command = "echo one; echo ghp_0123456789abcdefghijklmnopqrstuvwxyzAB; echo two";
        let finished = scratch.run(["run", "--pty", "--record", "a.cast", "--", command]);
        assert_eq!(finished.code, 0, "{finished:?}");
        let recorded = lines(&scratch, "a.cast");
        assert_eq!(
            (
                &recorded[0]["version"],
                &recorded[0]["width"],
                &recorded[0]["height"]
            ),
            (&json!(2), &json!(120), &json!(30))
        );
        let text = printed(&recorded);
        assert!(
            text.starts_with("one\r\n****") && text.ends_with("****\r\ntwo\r\n"),
            "{text}"
        );
        assert!(!recorded[0].to_string().contains("ghp_"), "{}", recorded[0]);
        let played = scratch.run(["replay", "--speed", "1000", "a.cast"]);
        assert_eq!((played.code, played.stdout), (0, text));
        let again = scratch.run(["run", "--record", "a.cast", "--", "echo x"]);
        assert_ne!(again.code, 0);
        assert!(again.stderr.contains("a.cast"), "{}", again.stderr);
    }

    #[test]
    fn a_session_of_the_daemon_is_recorded_to_its_end() {
        let scratch = Scratch::new();
        let started = scratch.run([
            "run",
            "--background",
            "--pty",
            "--record",
            "b.cast",
            "--",
            "echo ready; read x; echo over",
        ]);
        assert_eq!(started.code, 0, "{started:?}");
        let id = started.stdout.trim();
        assert_eq!(scratch.run(["send", id, "typed words", "--enter"]).code, 0);
        scratch.run(["wait", id]);
        assert!(comes_true(
            || printed(&lines(&scratch, "b.cast")).contains("over")
        ));
        let recorded = lines(&scratch, "b.cast");
        assert!(
            recorded[1..].iter().all(|event| event[1] != json!("i")),
            "input is not recorded"
        );
        assert_eq!(scratch.run(["stop", "--force"]).code, 0);
    }

    #[test]
    fn what_is_no_recording_is_named() {
        let scratch = Scratch::new();
        for (content, said) in [
            ("", "header"),
            ("{\"version\": 3}", "3"),
            (
                "{\"version\": 2, \"width\": 80, \"height\": 24}\n[1",
                "line 2",
            ),
        ] {
            let file = scratch.write("bad.cast", content);
            let finished = scratch.run(["replay", &file.to_string_lossy()]);
            assert_eq!(finished.code, 2, "{content}");
            assert!(
                finished.stderr.contains("bad.cast") && finished.stderr.contains(said),
                "{content}: {}",
                finished.stderr
            );
        }
    }

    #[test]
    fn shells_and_man_get_their_files() {
        let scratch = Scratch::new();
        for (shell, mark) in [
            ("bash", "complete -F"),
            ("zsh", "#compdef execgate"),
            ("fish", "complete -c execgate"),
        ] {
            let finished = scratch.run(["completion", shell]);
            assert!(
                finished.code == 0 && finished.stdout.contains(mark),
                "{shell}"
            );
        }
        assert!(scratch.run(["man"]).stdout.contains(".TH execgate"));
        let directory = scratch.workspace().join("pages");
        fs::create_dir(&directory).expect("it is new");
        assert_eq!(scratch.run(["man", "pages"]).code, 0);
        assert!(directory.join("execgate-attach.1").exists());
    }
}
