//! Texts made to hurt the readers of PowerShell and of the command processor, as in [`crate::hostile`].

use crate::analyze::counted;
use crate::{CommandLine, Dialect, MAX_TEXT_BYTES, OpaqueReason, Source};

/// Parser steps allowed for each byte of text, and of the inner scripts that a text may run.
const STEPS_A_BYTE: u64 = 128;

/// Bytes of inner scripts that one analysis works through.
const INNER: u64 = 4 << 20;

const DIALECTS: [Dialect; 2] = [Dialect::PowerShell, Dialect::Cmd];

fn fill(unit: &str) -> String {
    unit.repeat(MAX_TEXT_BYTES / unit.len())
}

fn nest(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

fn read(text: &str, dialect: Dialect) -> (CommandLine, u64) {
    counted(&Source {
        text,
        dialect,
        ..Source::default()
    })
}

const UNITS: &str = "` ^ % ! ' \" \"\" ( ) { } [ ] $ ${ $( @( @{ @'~ @\"~ <# # ~ `~ ^~ , ; | & && - -- \u{2013} \u{201c} a| a; a& a_ a, 1+ -not_ !_ \
    [int] $a= $a.b $a[0] $a.b() :: 'a'.b if(1){} if_(a)_{ else{ switch(a){b{ try{ catch{ function_f{ param($a, for(;;){ foreach($a_in_b){ @{a= a=1; \
    iex_a; iex_'a'; powershell_-c_ cmd_/c_ &_ ._ >a_ 2>&1_ %a% %%a %~a !a! for_%a_in_(a)_do_ for_/f_%a_in_(' if_a==a_ if_exist_a_ (a& rem_ :a~ \
    call_ start_ echo_a| set_a=b& set_/p_a=& a\\\" \\\" /c cd..& \"$a\" \"$(a)\" \"$(\"a\")\"";

const NESTINGS: &[(&str, &str, &str)] = &[
    ("(", "a", ")"),
    ("( ", "a", " )"),
    ("{", "a", "}"),
    ("& {", "a", "}"),
    ("$(", "a", ")"),
    ("\"$(", "a", ")\""),
    ("@(", "a", ")"),
    ("@{a=", "1", "}"),
    ("$a[", "1", "]"),
    ("$a.b(", "1", ")"),
    ("[a(", "1", ")]"),
    ("if(a){", "b", "}"),
    ("switch(a){b{", "c", "}}"),
    ("try{", "b", "}catch{}"),
    ("function f{", "b", "}"),
    ("$a=", "b", ""),
    ("[int]", "$a", ""),
    ("-not ", "$a", ""),
    ("return ", "$a", ""),
    ("a|%{", "b", "}"),
    ("if a==a (", "b", ")"),
    ("for %a in (a) do (", "b", ")"),
    ("if a==a ", "b", ""),
    ("for %a in (a) do ", "b", ""),
    ("cmd /c ", "b", ""),
    ("call ", "b", ""),
    ("cmd /c \"", "b", "\""),
];

fn texts() -> Vec<String> {
    let units = UNITS.split(' ').filter(|unit| !unit.is_empty());
    let mut texts: Vec<String> = units
        .map(|unit| fill(&unit.replace('_', " ").replace('~', "\n")))
        .collect();
    for times in [40, 90, 200, 10_000] {
        let nested = NESTINGS.iter();
        texts.extend(nested.map(|(open, inside, close)| nest(open, inside, close, times)));
    }
    for open in ["(", "{", "[", "$(", "@{", "if (", "(a & "] {
        texts.push(open.repeat(100_000 / open.len()));
    }
    texts.push(format!(
        "$x = '{}'; {}",
        "a".repeat(1000),
        "echo $x;".repeat(9_000)
    ));
    texts.push("iex 'iex ''a'';a';".repeat(5_000));
    texts.push(format!(
        "for /f %a in ('{}{}",
        " ".repeat(60_000),
        ")".repeat(60_000)
    ));
    texts.push(format!("echo {}{}", "%".repeat(60_000), "a".repeat(60_000)));
    texts.push(format!(
        "powershell -enc {}",
        "YQA7AGEAOwBhADsA".repeat(7_000)
    ));
    texts
}

#[test]
fn hostile_texts_end_in_linear_steps() {
    for text in texts() {
        for dialect in DIALECTS {
            let (line, steps) = read(&text, dialect);
            let shown: String = text.chars().take(40).collect();
            let carries = ["iex", "cmd", "powershell", "for /f", "echo a|"]
                .iter()
                .any(|name| text.contains(name));
            let bytes = text.len().min(MAX_TEXT_BYTES) as u64 + if carries { INNER } else { 0 };
            assert!(
                steps <= STEPS_A_BYTE * bytes + 10_000,
                "{steps} steps for {bytes} bytes of {shown} as {dialect:?}"
            );
            assert!(line.segments.len() <= crate::MAX_SEGMENTS, "{shown}");
            let words = line.segments.iter().flat_map(|segment| &segment.words);
            let held: usize = words
                .filter_map(|word| word.value.as_ref())
                .map(String::len)
                .sum();
            assert!(held <= 16 << 20, "{held} bytes in words of {shown}");
        }
    }
}

#[test]
fn the_deepest_nesting_fits_a_small_stack() {
    let walk = || {
        for text in texts().iter().filter(|text| text.len() < 10_000) {
            for dialect in DIALECTS {
                read(text, dialect);
            }
        }
    };
    // A WebAssembly guest has 1 MiB; half of it must do.
    let thread = std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(walk);
    thread.unwrap().join().unwrap();
}

#[test]
fn doubling_a_nested_text_at_most_doubles_the_steps() {
    for dialect in DIALECTS {
        for (open, inside, close) in NESTINGS {
            let steps = |times| read(&nest(open, inside, close, times), dialect).1;
            let (small, large) = (steps(12), steps(24));
            assert!(
                large <= small * 3,
                "{open}: {small} steps, then {large} as {dialect:?}"
            );
        }
    }
}

#[test]
fn limits_are_reported() {
    let reasons = |text: &str, dialect| -> Vec<OpaqueReason> {
        let (line, _) = read(text, dialect);
        line.opaque
            .into_iter()
            .map(|opaque| opaque.reason)
            .collect()
    };
    for dialect in DIALECTS {
        let long = "a".repeat(MAX_TEXT_BYTES + 1);
        assert_eq!(reasons(&long, dialect), [OpaqueReason::TooLong]);
        assert_eq!(reasons("a\0b", dialect), [OpaqueReason::NulByte]);
        let deep = nest("(", "a", ")", 101);
        assert_eq!(reasons(&deep, dialect), [OpaqueReason::TooDeep]);
        assert_eq!(reasons(&nest("(", "a", ")", 40), dialect), []);
        let many = "a\n".repeat(10_001);
        assert_eq!(reasons(&many, dialect), [OpaqueReason::TooManySegments]);
    }
    let scripts = |times| reasons(&nest("cmd /c ", "a", "", times), Dialect::Cmd);
    assert_eq!(scripts(8), []);
    assert_eq!(scripts(9), [OpaqueReason::TooDeep]);
}
