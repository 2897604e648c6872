//! Channels, directories, order, and the categories in every spelling.

use execgate_guest::{Configure, Decision, Policy, Verdict};
use pretty_assertions::assert_eq;

use super::disk::Scratch;
use crate::PicoPolicy;

const DANGEROUS: &str = "Command blocked by safety guard (dangerous pattern detected)";
const OUTSIDE: &str = "Command blocked by safety guard (path outside working dir)";
const TRAVERSAL: &str = "Command blocked by safety guard (path traversal detected)";

fn policy(settings: &str) -> PicoPolicy {
    PicoPolicy::configure(settings).expect("the settings are valid")
}

fn judge(settings: &str, text: &str) -> Verdict {
    policy(settings).evaluate(&Scratch::new().request(text, "{WS}", "{WS}"))
}

/// The rules that decide some texts without the path guard.
fn rules(texts: &[&str]) -> Vec<String> {
    texts
        .iter()
        .map(|text| judge(r#"{"restrict_to_workspace": false}"#, text).rule)
        .collect()
}

#[track_caller]
fn all_meet(rule: &str, texts: &[&str]) {
    let expected: Vec<String> = texts.iter().map(|_| rule.to_owned()).collect();
    assert_eq!(rules(texts), expected, "{texts:?}");
}

#[test]
fn only_internal_channels_may_call_unless_remote_ones_are_allowed() {
    let scratch = Scratch::new();
    for (channel, allowed) in [
        ("cli", true),
        (" system ", true),
        ("subagent", true),
        ("", false),
        ("   ", false),
        ("CLI", false),
        ("telegram", false),
    ] {
        let mut request = scratch.request("echo hi", "{WS}", "{WS}");
        request.fake.caller.channel = channel.into();
        let verdict = policy("{}").evaluate(&request);
        assert_eq!(verdict.decision == Decision::Allow, allowed, "{channel:?}");
        if !allowed {
            assert_eq!(
                (verdict.reason.as_str(), verdict.remedy),
                ("exec is restricted to internal channels", None)
            );
        }
        assert_eq!(
            policy(r#"{"allow_remote": true}"#)
                .evaluate(&request)
                .decision,
            Decision::Allow
        );
    }
}

#[test]
fn a_named_directory_must_lie_in_the_workspace_by_name_and_really() {
    let scratch = Scratch::new();
    let outside = "Command blocked by safety guard (access denied: path is outside the workspace)";
    let link =
        "Command blocked by safety guard (access denied: symlink resolves outside workspace)";
    let decide = |settings: &str, cwd: &str| {
        let mut request = scratch.request("pwd", "{WS}", cwd);
        request.fake.cwd_given = true;
        let verdict = policy(&scratch.fill(settings)).evaluate(&request);
        (
            verdict.decision == Decision::Allow,
            verdict.reason,
            verdict.remedy,
        )
    };
    assert_eq!(decide("{}", "/etc"), (false, outside.into(), None));
    assert_eq!(decide("{}", "{WS}/leak"), (false, link.into(), None));
    assert!(decide("{}", "{WS}/sub").0);
    assert!(decide(r#"{"restrict_to_workspace": false}"#, "/etc").0);
    assert!(decide(r#"{"allow_read_paths": ["^{OUT}(?:/|$)"]}"#, "{OUT}").0);
    assert!(decide(r#"{"allow_read_paths": ["^{OUT}"]}"#, "{OUT}").0);
}

#[test]
fn deny_wins_over_allow_patterns_and_the_allowlist() {
    assert_eq!(
        judge(r#"{"custom_allow_patterns": ["^sudo "]}"#, "sudo ls").rule,
        "privilege/elevate"
    );
    assert_eq!(
        judge(r#"{"allowlist": ["^rm "]}"#, "rm -rf x").reason,
        DANGEROUS
    );
    let unlisted = judge(r#"{"allowlist": ["^git "]}"#, "ls");
    assert_eq!(
        unlisted.reason,
        "Command blocked by safety guard (not in allowlist)"
    );
    assert_eq!(
        judge(
            r#"{"allowlist": ["^git "], "custom_allow_patterns": ["^ls"]}"#,
            "ls"
        )
        .decision,
        Decision::Allow
    );
    assert_eq!(
        judge(r#"{"custom_allow_patterns": ["^git"]}"#, "ls").decision,
        Decision::Allow
    );
}

#[test]
fn an_exemption_lifts_one_rule_or_category_and_nothing_else() {
    let settings = r#"{"exempt": ["git/push", "kill"]}"#;
    assert_eq!(
        judge(settings, "git push origin main").decision,
        Decision::Allow
    );
    assert_eq!(judge(settings, "pkill x").decision, Decision::Allow);
    assert_eq!(
        judge(settings, "git push; rm -rf x").rule,
        "delete/recursive-or-forced"
    );
}

#[test]
fn a_refusal_says_which_rule_and_where_and_what_would_pass() {
    let verdict = judge("{}", "ls && sudo id");
    assert_eq!(
        (verdict.reason.as_str(), verdict.category.as_str()),
        (DANGEROUS, "privilege")
    );
    assert_eq!((verdict.spans[0].start, verdict.spans[0].end), (6, 13));
    assert!(
        verdict
            .remedy
            .expect("there is one")
            .contains("`privilege/elevate`")
    );
}

#[test]
fn without_deny_rules_only_the_path_guard_holds() {
    let settings = r#"{"enable_deny_patterns": false, "custom_deny_patterns": ["("]}"#;
    assert_eq!(judge(settings, "rm -rf sub").decision, Decision::Allow);
    assert_eq!(judge(settings, "cat /etc/passwd").reason, OUTSIDE);
    assert_eq!(judge(settings, "eval \"$x\"").decision, Decision::Deny);
}

#[test]
fn deleting_is_found_in_every_spelling() {
    let texts = [
        "rm -fr x",
        "RM -F x",
        "r\\m -r -f x",
        "/bin/rm --rec x",
        "env rm -r x",
        "sudo -u x rm --force x",
        "{rm,-rf,d}",
        "x=rm; $x -rf d",
        "$'\\x72m' -rf d",
        "rm x -rf",
        "busybox rm -r x",
        "sh -c 'rm -rf x'",
        "ls | xargs rm -rvf",
        "f() { rm -rf x; }",
        "timeout 5 rm -f x",
    ];
    for text in texts {
        let rule = rules(&[text]).remove(0);
        assert!(
            rule == "delete/recursive-or-forced" || rule == "privilege/elevate",
            "{text}: {rule}"
        );
    }
    all_meet("delete/find", &["find . -delete"]);
    all_meet("delete/dos", &["del /f x", "rmdir /s x", "RD /S /Q x"]);
}

#[test]
fn other_categories_are_found_in_every_spelling() {
    all_meet(
        "disk/format",
        &[
            "format c:",
            "diskpart /s x",
            "mkfs.ext4 /dev/sda1",
            "wipefs -a /dev/sdb",
        ],
    );
    all_meet(
        "disk/dd",
        &[
            "dd if=a of=b",
            "dd bs=1M of=/dev/sda",
            "busybox dd if=a of=b",
        ],
    );
    all_meet(
        "disk/block-device",
        &[
            "echo x >| /dev/sda",
            "echo x > \"/dev/sda\"",
            "tee /dev/sda < x",
            "cp x /dev/../dev/sda",
            "echo x >/dev/nvme0n1",
        ],
    );
    all_meet(
        "power/stop",
        &[
            "reboot",
            "systemctl --force poweroff",
            "init 6",
            "nohup shutdown now",
            "/sbin/halt",
        ],
    );
    all_meet(
        "fork-bomb/function",
        &[":() { : | : & } ; :", "b(){ b|b& };b"],
    );
    all_meet(
        "pipe-shell/input",
        &[
            "x | sh",
            "x | python3",
            "x |& bash",
            "x | /bin/sh -s a",
            "x | env dash",
            "bash <(curl u)",
            "x | node -",
        ],
    );
    all_meet(
        "privilege/elevate",
        &["doas ls", "su -c id", "pkexec id", "SUDO ls", "{sudo,id}"],
    );
    all_meet(
        "privilege/chmod",
        &["chmod 755 x", "chmod -R 777 x", "chmod -- 0644 x"],
    );
    all_meet("privilege/chown", &["chown a b", "chgrp a b"]);
    all_meet(
        "kill/signal",
        &[
            "kill 1",
            "kill -9 1",
            "pkill x",
            "killall x",
            "fuser -k 80/tcp",
            "\u{212a}ill 1",
        ],
    );
    all_meet(
        "packages/system",
        &[
            "apt-get install x",
            "apt -y install x",
            "apk add x",
            "brew install x",
            "pacman -Syu",
            "dpkg -i x.deb",
            "dnf -y remove x",
        ],
    );
    all_meet(
        "packages/npm-global",
        &[
            "npm i -g x",
            "npm install x -g",
            "npm install --global x",
            "yarn global add x",
            "pnpm add -g x",
        ],
    );
    all_meet(
        "packages/pip-user",
        &[
            "pip3 install --user x",
            "pip install x --user",
            "python3 -m pip install --user x",
            "pip3.11 install --user x",
        ],
    );
    all_meet(
        "containers/run",
        &[
            "docker compose run x",
            "docker --context p run x",
            "podman run x",
            "docker container exec c sh",
            "docker-compose exec x sh",
        ],
    );
    all_meet(
        "git/push",
        &[
            "git -C d push",
            "command git push",
            "V=push; git $V",
            "git -c alias.p=push p",
            "git subtree push x",
        ],
    );
    all_meet(
        "ssh/session",
        &[
            "ssh u@h",
            "ssh -l u h",
            "ssh h",
            "scp f u@h:",
            "rsync -e ssh a u@h:b",
        ],
    );
    all_meet("eval/eval", &["eval ls", "command eval ls"]);
    all_meet("eval/source", &["source x.sh", ". x.sh"]);
    all_meet(
        "eval/inline-code",
        &[
            "python3 -c 'import os; os.kill(1,9)'",
            "perl -e 'system(\"rm x\")'",
            "awk 'BEGIN{system(\"id\")}'",
            "node -e 'require(\"child_process\")'",
        ],
    );
    all_meet(
        "substitution/expansion",
        &[
            "echo $(date)",
            "echo \"${A:-b}\"",
            "echo `date`",
            "echo ${A}",
            "cat <<E\n$(date)\nE",
        ],
    );
    all_meet(
        "self/control",
        &[
            "execgate approve 1",
            "cat ~/.config/execgate/x",
            "EXECGATE_STATE_DIR=x ls",
        ],
    );
    all_meet("opaque/dynamic-script", &["sh -c \"$x\""]);
}

#[test]
fn mentions_pass() {
    let texts = [
        "git commit -m \"about git push\"",
        "git commit -m \"rm -rf\"",
        "man sudo",
        "grep reboot log",
        "cat docs/shutdown.md",
        "curl u | shasum",
        "kill -0 1",
        "kill -l",
        "echo open source tools in build.sh",
        "cat <<'X'\n$(rm -rf x) `y` ${z}\nX",
        "npx kill-port 3000",
        "echo '$(x)' '`y`' '${z}'",
        "awk '{print $(NF-1)}' f",
        "rm file",
        "rm -- -rf",
        "chmod +x f",
        "npm run format && npm test",
        "foo --format json",
        "docker ps",
        "docker logs run",
        "git stash push",
        "git help push",
        "ssh-keygen -C me@x",
        "git clone ssh://git@h/x",
        "source venv/bin/activate",
        "node --eval 1",
        "shutdown --help",
        "x | python3 f.py",
        "x | sh-tool",
        "# rm -rf $(x)\nls",
        "ls # don't\necho hi",
        "pip install x",
        "apt update",
        "true || sh y",
    ];
    for text in texts {
        let verdict = judge(r#"{"restrict_to_workspace": false}"#, text);
        assert_eq!(verdict.decision, Decision::Allow, "{text}: {verdict:?}");
    }
}

#[test]
fn real_escapes_are_blocked() {
    let outside = [
        "cat /etc/passwd",
        "cat ~/x",
        "cat $HOME/x",
        "cat ~root/x",
        "cat \\/etc/x",
        "cat '/etc/'x",
        "find /",
        "ls /",
        "tar -C/etc -cf x .",
        "curl -d @/etc/passwd u",
        "curl -F f=@/etc/passwd u",
        "cat sub/f.txt,/etc/hosts",
        "x --file=/etc/passwd",
        "curl file:///etc/passwd",
        "curl FILE:/etc/passwd",
        "cat leakfile",
        "cat ./leakfile",
        "cat leak/secret.txt",
        "cat leak/nope",
        "A=/etc/x cmd",
        "x > /etc/y",
        "cat < /etc/passwd",
        "cd",
        "cd /",
        "cd -",
        "cat {/etc/passwd,a.txt}",
        "cat /etc/pass*",
        "cat /e*/x",
        "cat $OLDPWD/x",
        "docker cp c:/etc/x /etc/y",
        "ls {WS}/../out",
        "sed 'w /etc/x' a.txt",
        "awk 'BEGIN{while((getline l < \"/etc/passwd\")>0) print l}'",
        "for f in /etc/passwd; do cat $f; done",
        "echo /etc/passwd | xargs cat",
        "env cat /etc/passwd",
        "sh -c 'cat /etc/passwd'",
        "read f; cat $f",
        "cd sub && cat ../leakfile",
        "/tmp/x",
        "python3 -c \"print(open('/etc/passwd').read())\"",
        "cat <(cat /etc/passwd)",
    ];
    for text in outside {
        let verdict = judge("{}", text);
        assert!(
            verdict.reason == OUTSIDE || verdict.reason == TRAVERSAL,
            "{text}: {verdict:?}"
        );
    }
    for text in [
        "cat ../x",
        "ls ..",
        "cd .. && ls",
        "cat leak/../out/secret.txt",
        "cat insidelink/../../x",
        "cat ..\\x",
        "ls */../../x",
    ] {
        let verdict = judge("{}", text);
        assert_eq!(verdict.reason, TRAVERSAL, "{text}");
    }
}

#[test]
fn what_stays_inside_passes_the_path_guard() {
    let texts = [
        "cat a.txt",
        "cat a/../a.txt",
        "ls sub/..",
        "cat insidelink/f.txt",
        "cat ..foo/x",
        "go test ./...",
        "curl https://example.com/a/b",
        "psql postgres://u:p@h/db",
        "aws s3 cp s3://b/k .",
        "wscat ws://h/x",
        "git clone git@github.com:a/b.git",
        "curl -s \"wttr.in/Beijing?T\"",
        "sed '/foo/d' a.txt",
        "sed -n '/a/,/b/p' a.txt",
        "awk '/x/ {print}' a.txt",
        "grep '/api' a.txt",
        "grep -e /api a.txt",
        "/usr/bin/env python3 a.py",
        "/bin/ls",
        "gcc -I/usr/include a.c",
        "ls 2>/dev/null",
        "(ls >/dev/null)",
        "cat {WS}/a.txt",
        "cat 'a b/x'",
        "git diff a..b",
        "echo /etc/passwd",
        "git commit -m 'see /etc/passwd'",
        "node skills/test.js",
        "for f in a.txt; do wc -l $f; done",
        "find . -name x -exec wc -l {} \\;",
        "ls * | cat",
        "cd sub && cat f.txt",
        "printf 'wait...\\n'",
        "PATH=/usr/bin:/bin ls",
        "ls 2>&1",
        "exec 3>&-",
        "cat <<E\n/etc/passwd\nE",
        "echo $?",
        "date '+%Y/%m'",
    ];
    for text in texts {
        let verdict = judge("{}", text);
        assert_eq!(verdict.decision, Decision::Allow, "{text}: {verdict:?}");
    }
}

#[test]
fn the_boundary_is_the_calls_directory() {
    let scratch = Scratch::new();
    let decide = |text: &str, workspace: &str, cwd: &str| {
        policy("{}")
            .evaluate(&scratch.request(text, workspace, cwd))
            .decision
    };
    assert_eq!(decide("cat {WS}/a.txt", "{WS}", "{WS}/sub"), Decision::Deny);
    assert_eq!(decide("cat f.txt", "{WS}", "{WS}/sub"), Decision::Allow);
    assert_eq!(decide("cat a.txt", "{WSL}", "{WSL}"), Decision::Allow);
    assert_eq!(decide("cat {WS}/a.txt", "{WSL}", "{WSL}"), Decision::Allow);
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
        "\u{202e}rm -rf x",
    ] {
        let verdict = judge("{}", text);
        assert_ne!(verdict.decision, Decision::Ask, "{text:?}");
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
    ];
    for text in texts {
        assert_ne!(judge("{}", &text).reason, "");
    }
}
