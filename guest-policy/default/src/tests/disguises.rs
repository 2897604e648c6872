//! What must not change a verdict: a dangerous command stays one however it is written, and is none where it is only a text.

use execgate_guest::{Configure, Decision};
use execgate_shell::{Relation, Source, analyze};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use super::commands::judge;
use crate::DefaultPolicy;

/// Programs that run the command after them and change nothing about what it does.
const WRAPPERS: &[&str] = &[
    "command",
    "env",
    "env -u EDITOR A=1",
    "exec",
    "nice -n 5",
    "nohup",
    "setsid -w",
    "stdbuf -oL",
    "sudo",
    "sudo -u root -E",
    "time",
    "timeout 5",
    "timeout -s KILL 5m",
    "xargs -r",
    "busybox",
    "flock /tmp/lock",
    "find . -exec",
];

/// Texts around a command, which stands in place of `@`, in lines of its own.
const SURROUNDINGS: &[&str] = &[
    "ls -la\n@",
    "@\nls",
    "true && @",
    "(@\n)",
    "{ @\n}",
    "if true; then @\nfi",
    "if ls; then :; else @\nfi",
    "for i in 1 2; do @\ndone",
    "while read -r line; do @\ndone < list.txt",
    "case a in *) @\n;; esac",
    "f() { @\n}; f",
    "f() { @\n}",
    "echo \"$(@\n)\"",
    "cat <(@\n)",
    "@ &",
    "! @",
    "git status | (@\n)",
];

/// Texts around a command that is quoted, which stands in place of `@`.
const SCRIPTS: &[&str] = &[
    "bash -c @",
    "sh -c @",
    "bash -euo pipefail -c @",
    "bash -c \"$(printf %s @)\"",
    "bash -c \\\n@",
    "eval 'ls;' @",
    "eval @",
    "eval -- @",
    "env bash -c @",
    "timeout 9 sh -c @",
    "trap @ EXIT",
    "bash <<< @",
    "printf '%s\\n' @ | bash",
    "echo @ | sh -s",
    "x=@; eval \"$x\"",
    "find . -name '*.rs' -exec sh -c @ \\;",
    "ls | xargs -I{} bash -c @",
    ". <(echo @)",
];

/// Texts in which a quoted command is only mentioned, in place of `@`.
const MENTIONS: &[&str] = &[
    "echo @",
    "printf '%s\\n' @",
    "grep -F -e @ README.md",
    "grep -n @ notes.md | head -5",
    "git commit -m @",
    "git commit -am @",
    "git log --oneline --grep=@",
    "test -n @ && echo yes",
    "for x in @; do echo \"$x\"; done",
    "case @ in a) ls;; esac",
    "[[ @ == a* ]]",
    "message=@; echo \"$message\"",
];

/// A row of the case table for bash that may be looked at: one in five is held back, so that it only counts.
fn rows(label: &str) -> Vec<String> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cases/commands.jsonl"
    );
    let table = std::fs::read_to_string(path).expect("the case table is there");
    let rows = table
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("each line is an object"));
    let text = |row: &Value, name: &str| row[name].as_str().expect("the row has it").to_owned();
    let held_back = |id: &str| {
        let digits = id.rsplit('-').next().unwrap_or(id);
        u64::from_str_radix(digits, 16).map_or(true, |number| number % 5 == 0)
    };
    rows.filter(|row| text(row, "label") == label && text(row, "shell") == "bash")
        .filter(|row| !held_back(&text(row, "id")))
        .map(|row| text(&row, "command"))
        .collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn decide(text: &str) -> Decision {
    let policy = DefaultPolicy::configure("{}").expect("no settings are needed");
    judge(&policy, text, "bash").decision
}

/// Byte ranges of words that are written without any quoting, the first words of commands marked.
fn plain_words(text: &str) -> Vec<(usize, usize, bool)> {
    let line = analyze(&Source {
        text,
        ..Source::default()
    });
    let top = line
        .segments
        .iter()
        .filter(|segment| segment.relation == Relation::Top);
    let words = top.flat_map(|segment| {
        segment
            .words
            .iter()
            .enumerate()
            .map(|(place, word)| (word, place == 0))
    });
    words
        .filter_map(|(word, first)| {
            let (start, end) = (word.span.start as usize, word.span.end as usize);
            let written = text.get(start..end)?;
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
            let same = word.value.as_deref() == Some(written) && written.len() > 1;
            (same && written.chars().all(plain)).then_some((start, end, first))
        })
        .collect()
}

/// Where the first command names a program that other programs can run.
fn program(text: &str) -> Option<(usize, usize)> {
    const BUILTINS: &[&str] = &[
        ".",
        "alias",
        "bind",
        "builtin",
        "cd",
        "command",
        "compgen",
        "complete",
        "declare",
        "enable",
        "eval",
        "exec",
        "exit",
        "export",
        "fc",
        "hash",
        "history",
        "kill",
        "let",
        "local",
        "mapfile",
        "popd",
        "printf",
        "pushd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shopt",
        "source",
        "test",
        "trap",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unset",
        "wait",
        "echo",
        "coproc",
        "disown",
        "jobs",
        "suspend",
        "caller",
        "times",
        "getopts",
    ];
    let (start, end, first) = plain_words(text).into_iter().next()?;
    let name = &text[start..end];
    (first && start == 0 && !BUILTINS.contains(&name) && !name.contains('/'))
        .then_some((start, end))
}

fn replaced(text: &str, start: usize, end: usize, with: &str) -> String {
    [&text[..start], with, &text[end..]].concat()
}

/// One way to write a command differently.
#[derive(Clone, Debug)]
enum Disguise {
    Quoted(Index),
    Escaped(Index, Index),
    Halved(Index, Index),
    Ansi(Index),
    /// In a variable that is set before.
    Stored(Index),
    Absolute,
    Wrapped(&'static str),
    Surrounded(&'static str),
    Script(&'static str),
}

impl Disguise {
    /// The other text; `None` where the command cannot be written so.
    fn apply(&self, text: &str) -> Option<String> {
        let word = |index: &Index| {
            let words = plain_words(text);
            (!words.is_empty()).then(|| *index.get(&words))
        };
        match self {
            Self::Quoted(index) => {
                let (start, end, _) = word(index)?;
                Some(replaced(text, start, end, &quoted(&text[start..end])))
            }
            Self::Ansi(index) => {
                let (start, end, _) = word(index)?;
                let codes: String = text[start..end]
                    .bytes()
                    .map(|byte| format!("\\x{byte:02x}"))
                    .collect();
                Some(replaced(text, start, end, &format!("$'{codes}'")))
            }
            Self::Stored(index) => {
                let (start, end, _) = word(index)?;
                let value = &text[start..end];
                // A name of its own: the same way may be used more than once.
                let name = format!("stored{}", text.len());
                let rest = replaced(text, start, end, &format!("${{{name}}}"));
                Some(format!("{name}={value}\n{rest}"))
            }
            Self::Escaped(index, place) => {
                let (start, end, _) = word(index)?;
                let at = start + place.index(end - start);
                Some(replaced(text, at, at, "\\"))
            }
            Self::Halved(index, place) => {
                let (start, end, _) = word(index)?;
                let at = start + place.index(end - start);
                Some(replaced(text, at, at, "\"\""))
            }
            Self::Absolute => {
                let (start, _) = program(text)?;
                Some(replaced(text, start, start, "/usr/bin/"))
            }
            Self::Wrapped(wrapper) => program(text).map(|_| format!("{wrapper} {text}")),
            Self::Surrounded(around) => Some(around.replace('@', text)),
            Self::Script(around) => Some(around.replace('@', &quoted(text))),
        }
    }
}

fn disguise() -> impl Strategy<Value = Disguise> {
    let index = any::<Index>;
    prop_oneof![
        index().prop_map(Disguise::Quoted),
        index().prop_map(Disguise::Ansi),
        index().prop_map(Disguise::Stored),
        (index(), index()).prop_map(|(word, place)| Disguise::Escaped(word, place)),
        (index(), index()).prop_map(|(word, place)| Disguise::Halved(word, place)),
        Just(Disguise::Absolute),
        select(WRAPPERS).prop_map(Disguise::Wrapped),
        select(SURROUNDINGS).prop_map(Disguise::Surrounded),
        select(SCRIPTS).prop_map(Disguise::Script),
    ]
}

#[test]
fn a_command_that_is_only_mentioned_is_a_text() {
    for row in rows("dangerous") {
        // A subscript in a value is run wherever arithmetic meets it.
        let subscript = row.contains("[$(");
        for mention in MENTIONS
            .iter()
            .filter(|mention| !subscript || !evaluates(mention))
        {
            let text = mention.replace('@', &quoted(&row));
            assert_eq!(decide(&text), Decision::Allow, "{text}");
        }
    }
}

/// Whether a text may evaluate the subscripts in a value.
fn evaluates(mention: &str) -> bool {
    mention.starts_with("[[") || mention.starts_with("message=")
}

#[test]
fn a_dangerous_command_stays_one_in_every_surrounding() {
    let surroundings = SURROUNDINGS.iter().copied().map(Disguise::Surrounded);
    let all: Vec<Disguise> = surroundings
        .chain(SCRIPTS.iter().copied().map(Disguise::Script))
        .chain(WRAPPERS.iter().copied().map(Disguise::Wrapped))
        .chain([Disguise::Absolute])
        .collect();
    for row in rows("dangerous") {
        for disguise in &all {
            if let Some(text) = disguise.apply(&row) {
                assert_ne!(decide(&text), Decision::Allow, "{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_dangerous_command_stays_one_however_it_is_written(
        row in select(rows("dangerous")),
        disguises in proptest::collection::vec(disguise(), 1..4),
    ) {
        let mut text = row;
        for disguise in disguises {
            text = disguise.apply(&text).unwrap_or(text);
        }
        prop_assert_ne!(decide(&text), Decision::Allow, "{}", text);
    }
}
