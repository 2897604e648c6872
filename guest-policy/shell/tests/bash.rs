//! Bash itself as the judge, over texts that a small grammar makes from a fixed seed.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail and speak as tests do"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use execgate_shell::{OpaqueReason, Source, analyze};

/// A small generator of numbers, so that every run makes the same texts.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Makes texts whose commands are `c0`, `c1`, …, each named once.
struct Maker {
    dice: Dice,
    names: usize,
    /// Bodies of here-documents that the current line announced.
    bodies: Vec<String>,
}

impl Maker {
    fn new(seed: u64) -> Self {
        Self {
            dice: Dice(seed),
            names: 0,
            bodies: Vec::new(),
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("c{}", self.names - 1)
    }

    fn script(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.dice.below(3) {
            text += &self.list(2);
            text += "\n";
            for body in std::mem::take(&mut self.bodies) {
                text += &body;
            }
        }
        text
    }

    fn list(&mut self, depth: usize) -> String {
        let mut text = self.command(depth);
        for _ in 0..self.dice.below(3) {
            let join = self.dice.pick(&[
                "; ", " && ", " || ", " | ", ";", "|", "&&", " |& ", " || ! ", "; time ",
            ]);
            text = text + join + &self.command(depth);
        }
        text
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple(0);
        }
        let inner = depth - 1;
        match self.dice.below(24) {
            0 => format!("{{ {}; }}", self.list(inner)),
            1 => format!("( {} )", self.list(inner)),
            2 => format!("({})", self.list(inner)),
            3 => format!("( ({}) )", self.list(inner)),
            4 => format!("(({}) )", self.list(inner)),
            5 => format!(
                "if {}; then {}; else {}; fi",
                self.list(inner),
                self.list(inner),
                self.list(inner)
            ),
            6 => format!(
                "for x in a \"$({})\" {{b,c}}; do {}; break; done",
                self.list(inner),
                self.list(inner)
            ),
            7 => format!(
                "while {}; do {}; break; done",
                self.list(inner),
                self.list(inner)
            ),
            8 => format!(
                "case a in (b|{}) {};; (a) {};& (*) {}; esac",
                self.word(inner),
                self.list(inner),
                self.list(inner),
                self.list(inner)
            ),
            9 => self.function(inner, "NAME() { BODY; }; NAME"),
            10 => self.function(inner, "function NAME ( BODY ); NAME"),
            11 => format!(
                "[[ {} == *{}* || -n {} ]]",
                self.word(inner),
                self.word(inner),
                self.word(inner)
            ),
            12 => format!("[[ a =~ ({}|b) ]]", self.word(inner)),
            13 => format!("(( 1 + $({}; echo 2) ))", self.list(inner)),
            14 => format!("for (( i=0; i<1; i++ )); do {}; done", self.list(inner)),
            15 => format!("{{ {}; }} 2>&1 >/dev/null", self.list(inner)),
            _ => self.simple(depth),
        }
    }

    /// Defines and calls a function; each has its own name, so that none calls itself.
    fn function(&mut self, depth: usize, form: &str) -> String {
        let name = self.name().replace('c', "f");
        form.replace("NAME", &name)
            .replace("BODY", &self.list(depth))
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut text = String::new();
        if self.dice.below(6) == 0 {
            text += &format!("v={} ", self.word(depth));
        }
        let name = self.name();
        text += &match self.dice.below(12) {
            0 => format!("\\{name}"),
            1 => format!("'{name}'"),
            2 => format!("\"{}\"{}", &name[..1], &name[1..]),
            3 => format!("$'\\x63'{}", &name[1..]),
            4 => format!("c\\\n{}", &name[1..]),
            // More words might make a text that is refused when it runs.
            5 => return text + "eval " + &name,
            6 => return text + "eval '" + &name + " x; :'",
            7 => format!("command {name}"),
            8 => format!("{{{name},-a}}"),
            9 if self.dice.below(4) == 0 => format!("v={name}; $v"),
            _ => name,
        };
        for _ in 0..self.dice.below(3) {
            text = text + " " + &self.word(depth);
        }
        if self.dice.below(8) == 0 && depth == 2 {
            text += &self.here_document();
        } else if self.dice.below(8) == 0 {
            text += self.dice.pick(&[
                " >/dev/null",
                " 2>&1",
                " </dev/null",
                " <<<a",
                " &>/dev/null",
                " 3>&1",
            ]);
        }
        text
    }

    fn here_document(&mut self) -> String {
        let name = self.name();
        let (operator, end) = self
            .dice
            .pick(&["<<E\tE", "<<'E'\tE", "<<-E\tE", "<<\\E\tE"])
            .split_once('\t')
            .unwrap();
        let line = self.dice.pick(&[
            "$(NAME)",
            "`NAME`",
            "'$(NAME)'",
            "\"$(NAME)\"",
            "${u:-$(NAME)}",
            "\\$(NAME) $(:)",
            "$((1+$(NAME;echo 1)))",
        ]);
        self.bodies
            .push(format!("{}\n{end}\n", line.replace("NAME", &name)));
        format!(" {operator}")
    }

    fn word(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .dice
                .pick(&[
                    "a",
                    "'b c'",
                    "\"d $v\"",
                    "$v",
                    "${v:-e}",
                    "\\$",
                    "{f,g}",
                    "$((1+1))",
                    "~",
                    "$'\\n'",
                    "'a'\\''b'",
                    "h#i",
                    "\"\\\"\"",
                ])
                .to_owned();
        }
        let inner = depth - 1;
        match self.dice.below(20) {
            0 => format!("$({})", self.list(inner)),
            1 => format!("\"$({})\"", self.list(inner)),
            2 => format!("${{u:-$({})}}", self.list(inner)),
            3 => format!("\"${{u:-'$({})'}}\"", self.list(inner)),
            4 => format!("${{u:-'$({})'}}", self.name()),
            5 => format!("\"${{v#'$({})'}}\"", self.name()),
            6 => format!("'$({})'", self.name()),
            7 => format!("\"\\$({})\"", self.name()),
            8 => format!("`{}`", self.name()),
            9 => format!("\"`{} \\\"x\\\"`\"", self.name()),
            10 => format!("$(( $({}; echo 1) + 1 ))", self.list(inner)),
            11 => format!("$(({}) )", self.list(inner)),
            12 => format!("$( ({}) )", self.list(inner)),
            13 => format!("${{v/a/$({})}}", self.list(inner)),
            14 => format!("${{v:$({}; echo 0)}}", self.list(inner)),
            15 => format!("$({} # ' \" )\n)", self.name()),
            16 => format!("`echo \\`{}\\``", self.name()),
            _ => self.word(0),
        }
    }
}

fn bash() -> bool {
    let found = Command::new("bash")
        .args(["-c", "exit 0"])
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        println!("skipped: bash is not installed");
    }
    found
}

/// The commands of a text by name; `None` where the analysis says that it does not know them all.
fn named(text: &str) -> Option<BTreeSet<String>> {
    let line = analyze(&Source {
        text,
        ..Source::default()
    });
    let mut names = BTreeSet::new();
    for word in line
        .segments
        .iter()
        .filter_map(|segment| segment.words.first())
    {
        names.insert(word.value.clone()?);
    }
    line.opaque.is_empty().then_some(names)
}

/// Runs bash once over a folder and returns what it printed.
fn run(folder: &Path, driver: &str) -> String {
    let output = Command::new("bash")
        .args([
            "--norc",
            "--noprofile",
            "-c",
            &format!("PATH=/nowhere; FUNCNEST=50; ulimit -t 60; {driver}"),
        ])
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn what_bash_accepts_has_no_syntax_obstacle() {
    if !bash() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut texts = Vec::new();
    for seed in 0..3_000 {
        let mut text = Maker::new(seed).script();
        // Half of the texts are damaged by dropping or doubling one character.
        let mut dice = Dice(seed ^ 0x5eed);
        // What bash reads only when it runs it must stay whole, because `-n` does not look at it.
        let late = ["((", "<<", "`", "eval"]
            .iter()
            .any(|form| text.contains(form));
        if seed % 2 == 1 && !late {
            let at = dice.below(text.len());
            match dice.below(2) {
                0 => drop(text.remove(at)),
                _ => text.insert_str(
                    at,
                    dice.pick(&[
                        "(", ")", "\"", "'", "`", ";", "$", "{", "}", "\n", "\\", "&", "|", "<",
                        ">", "#",
                    ]),
                ),
            }
        }
        fs::write(folder.path().join(seed.to_string()), &text).unwrap();
        texts.push(text);
    }
    let driver = "for ((i=0; i<3000; i++)); do if e=$( { \"$BASH\" -n -c \"$(<$i)\"; } 2>&1 ) && [[ $e != *unexpected* && $e != *conditional* ]]; then echo \"$i\"; fi; done";
    let accepted: BTreeSet<usize> = run(folder.path(), driver)
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert!(
        accepted.len() > 1_500,
        "bash accepts most texts: {}",
        accepted.len()
    );
    let mut wrong = Vec::new();
    for (index, text) in texts
        .iter()
        .enumerate()
        .filter(|(index, _)| accepted.contains(index))
    {
        // A file's text loses its last newlines on the way to `-c`.
        let line = analyze(&Source {
            text: text.trim_end_matches('\n'),
            ..Source::default()
        });
        wrong.extend(
            line.opaque
                .into_iter()
                .filter(|opaque| opaque.reason == OpaqueReason::Syntax)
                .map(|opaque| (index, text, opaque)),
        );
    }
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        accepted.len(),
        &wrong[..wrong.len().min(4)]
    );
}

#[test]
fn every_command_that_bash_runs_is_found() {
    if !bash() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let count = 1_500;
    let texts: Vec<String> = (0..count)
        .map(|seed| Maker::new(seed + 10_000).script())
        .collect();
    for (index, text) in texts.iter().enumerate() {
        fs::write(folder.path().join(index.to_string()), text).unwrap();
    }
    let most = texts
        .iter()
        .map(|text| text.matches('c').count())
        .max()
        .unwrap_or(0);
    // Each command is a function that notes its name beside the text's number; nothing else can be run.
    let driver = format!(
        "note() {{ echo \"$T $1\" >>log; }}; for ((n=0; n<={most}; n++)); do eval \"c$n() {{ note c$n; }}\"; export -f c$n; done; export -f note; export PATH; \
         for ((T=0; T<{count}; T++)); do export T; (eval \"$(<$T)\") >/dev/null 2>&1 </dev/null; done"
    );
    run(folder.path(), &driver);
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let mut runs = 0;
    let mut missed = Vec::new();
    let found: Vec<Option<BTreeSet<String>>> = texts.iter().map(|text| named(text)).collect();
    for entry in log.lines() {
        let (index, name) = entry.split_once(' ').unwrap();
        let index: usize = index.parse().unwrap();
        runs += 1;
        if found[index]
            .as_ref()
            .is_some_and(|names| !names.contains(name))
        {
            missed.push((name.to_owned(), &texts[index]));
        }
    }
    let known = found.iter().flatten().count();
    assert!(
        known > texts.len() / 3,
        "most texts are understood: {known} of {count}"
    );
    assert!(runs > 1_000, "bash ran commands: {runs}");
    assert!(
        missed.is_empty(),
        "{} of {runs}: {:#?}",
        missed.len(),
        &missed[..missed.len().min(4)]
    );
}

/// Frames in which bash skips the first part; `A` and `B` are replaced.
const FRAMES: [&str; 12] = [
    "false && echo A; c1 #B",
    "false && echo \"A\"; c1 #B\"",
    "false && echo ${A}; c1 #B}",
    "false && echo ${$A}; c1 #B}",
    "false && echo \"${xA}\"; c1 #B\"",
    "false && echo $(A); c1 #B)",
    "false && echo $((A)); c1 #B",
    "false && [[ A ]]; c1 #B ]]",
    "false && x=(A); c1 #B)",
    "if false; then echo A; fi; c1 #B",
    "f() { echo A; }; c1 #B }",
    "case a in b) echo A ;; esac; c1 #B",
];

/// What fills them: bash finds the end of what it skips, but evaluates nothing of it.
const SCRAPS: [&str; 44] = [
    "${", "$(", "$((", "$[", "$'", "$\"", "$$", "$", "}", ")", "))", "]", "'", "\"", "`", "\\",
    "#", " #", "\n", "\\\n", " ", "x", "1", "!", "-", "[", "/", ":", "@", "*", "{", "(", "%", "^",
    ",", "~", "=", "+", "?", "${x:-", "${x/", "\"${", "${#", "${!",
];

fn scraps(dice: &mut Dice, most: usize) -> String {
    (0..dice.below(most)).map(|_| dice.pick(&SCRAPS)).collect()
}

#[test]
fn nothing_hides_behind_what_bash_skips() {
    if !bash() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let mut texts = Vec::new();
    for index in 0..4_000 {
        let frame = dice.pick(&FRAMES);
        let text = frame.replacen('A', &scraps(&mut dice, 9), 1);
        let text = text.replacen('B', &scraps(&mut dice, 5), 1);
        fs::write(folder.path().join(index.to_string()), &text).unwrap();
        texts.push(text);
    }
    let driver = "c1() { echo \"$T\" >&3; }; for ((T=0; T<4000; T++)); do (eval \"$(<$T)\") 3>&1 >/dev/null 2>&1 </dev/null; done";
    let ran: BTreeSet<usize> = run(folder.path(), driver)
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    let found = |index: &usize| named(&texts[*index]);
    let hidden: Vec<&String> = ran
        .iter()
        .filter(|index| found(index).is_some_and(|names| !names.contains("c1")))
        .map(|index| &texts[*index])
        .collect();
    let understood = ran.iter().filter_map(found).count();
    assert!(ran.len() > 500, "bash runs c1: {}", ran.len());
    assert!(understood > 250, "most are understood: {understood}");
    assert!(hidden.is_empty(), "{}: {hidden:#?}", hidden.len());
}
