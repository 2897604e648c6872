//! Texts made to hurt a parser: all end, without a panic, in steps that grow with the text alone.

use crate::analyze::counted;
use crate::{MAX_TEXT_BYTES, OpaqueReason, Source};

/// Parser steps allowed for each byte of text, and of the inner scripts that a text may run.
const STEPS_A_BYTE: u64 = 128;

fn fill(unit: &str) -> String {
    unit.repeat(MAX_TEXT_BYTES / unit.len())
}

fn nest(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

fn texts() -> Vec<String> {
    let units = [
        "`",
        "'",
        "\"",
        "<<",
        "|",
        ";",
        "\\",
        "a|",
        "a;",
        "a&&",
        "a&",
        "$",
        "${",
        "$(",
        "$((",
        "<(",
        "\"$(",
        "\"${x:-\"",
        "a=(",
        "a[",
        "#",
        "\n",
        "\\\n",
        "~ ",
        "a=",
        "*?[",
        "x=1 ",
        "((a);",
        "$((a) ",
        "$(('",
        "[[ ",
        "[[ a =~ (",
        "case x in a) ",
        "if ",
        "while ",
        "f(){ ",
        "cat <<E\n$(a)\nE\n",
        "cat <<E\n",
        "{a,b}",
        "{a,",
        "{",
        "}",
        "eval ",
        "sudo ",
        "env a=b ",
        "for i in a;do x=1;b;done;",
        "x=$x$x;",
        "$'\\x41'",
        "{x}>a ",
        "1>a ",
        "!",
        "time ",
    ];
    let mut texts: Vec<String> = units.into_iter().map(fill).collect();
    for times in [50, 99, 200, 10_000] {
        texts.extend([
            nest("{ ", "a", "; }", times),
            nest("(", "a", ")", times),
            nest("( ", "a", " )", times),
            nest("$(", "a", ")", times),
            nest("$((", "1", "))", times),
            nest("$((", "a", ") )", times),
            nest("((((a) ) ) )", "", "", times),
            nest("${a[", "x", "]}", times),
            nest("\"${a:-", "x", "}\"", times),
            nest("{a,", "b", "}", times),
            nest("case x in a) ", "b", ";; esac", times),
            nest("while a;do ", "b", ";done", times),
            nest("f(){ ", "a", ";}", times),
            nest("[[ ( ", "a", " ) ]]", times),
            nest("<(", "a", ")", times),
        ]);
    }
    texts.push("(".repeat(60_000));
    texts.push(format!("echo {}", "{a,b}".repeat(40)));
    texts.push(format!("echo {}", "{1..4000} ".repeat(10_000)));
    texts.push("echo {1..99999999999999999999} {-9223372036854775808..9223372036854775807..9223372036854775807}".to_owned());
    texts.push(format!(
        "{}{}",
        (0..5000).map(|n| format!("<<E{n} ")).collect::<String>(),
        (0..5000).map(|n| format!("\nx\nE{n}")).collect::<String>()
    ));
    texts.push(format!(
        "x=\"{}\"; {}",
        "a ".repeat(30_000),
        "b $x;".repeat(3_000)
    ));
    texts.push(format!(
        "x='{}'; {}",
        "a;".repeat(10),
        "eval \"$x\";".repeat(10_000)
    ));
    texts.push(
        "x='eval \"$x\" \"$x\"'; eval \"$x\"; x='y=\"$y$y\"; eval \"$x\"'; eval \"$x\"".to_owned(),
    );
    texts.push((0..6000).map(|n| format!("f{n}(){{ x{n}=1;}};")).collect());
    texts.push(format!("`{}`", "\\`".repeat(1000)));
    texts.push(format!("find {}", "-exec b \\; ".repeat(9_000)));
    texts
}

#[test]
fn hostile_texts_end_in_linear_steps() {
    for text in texts() {
        let bytes = text.len().min(MAX_TEXT_BYTES) as u64;
        let (line, steps) = counted(&Source {
            text: &text,
            ..Source::default()
        });
        let shown: String = text.chars().take(40).collect();
        // Inner scripts are bounded apart: all of them together have at most 4 MiB.
        let inner = if text.contains("eval") || text.contains("<<") || text.contains('`') {
            4 << 20
        } else {
            0
        };
        assert!(
            steps <= STEPS_A_BYTE * (bytes + inner) + 10_000,
            "{steps} steps for {bytes} bytes of {shown}"
        );
        assert!(line.segments.len() <= crate::MAX_SEGMENTS, "{shown}");
    }
}

#[test]
fn the_deepest_nesting_fits_a_small_stack() {
    // A WebAssembly guest has 1 MiB; half of it must do.
    let walk = || {
        for text in texts().iter().filter(|text| text.len() < 10_000) {
            counted(&Source {
                text,
                ..Source::default()
            });
        }
    };
    let thread = std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(walk);
    thread.unwrap().join().unwrap();
}

#[test]
fn doubling_a_nested_text_at_most_doubles_the_steps() {
    for (open, close) in [
        ("$((", ") )"),
        ("${a[", "]}"),
        ("\"${a:-", "}\""),
        ("(((", ") ) )"),
        ("$(", ")"),
        ("\"$((", "))\""),
    ] {
        let steps = |times| {
            counted(&Source {
                text: &nest(open, "a", close, times),
                ..Source::default()
            })
            .1
        };
        let (small, large) = (steps(12), steps(24));
        assert!(large <= small * 3, "{open}: {small} steps, then {large}");
    }
}

#[test]
fn limits_are_reported() {
    let reasons = |text: &str| -> Vec<OpaqueReason> {
        let (line, _) = counted(&Source {
            text,
            ..Source::default()
        });
        line.opaque
            .into_iter()
            .map(|opaque| opaque.reason)
            .collect()
    };
    assert_eq!(
        reasons(&"a".repeat(MAX_TEXT_BYTES + 1)),
        [OpaqueReason::TooLong]
    );
    assert_eq!(reasons("a\0b"), [OpaqueReason::NulByte]);
    assert_eq!(
        reasons(&nest("{ ", "a", "; }", 101)),
        [OpaqueReason::TooDeep]
    );
    assert_eq!(reasons(&nest("{ ", "a", "; }", 99)), []);
    assert_eq!(
        reasons(&"a;".repeat(10_001)),
        [OpaqueReason::TooManySegments]
    );
    assert_eq!(reasons(&"a;".repeat(10_000)), []);
    assert_eq!(
        reasons(&format!("echo {}", "{a,b}".repeat(40))),
        [OpaqueReason::TooManyFields]
    );
    assert_eq!(reasons("eval eval eval eval eval eval eval eval a"), []);
    assert_eq!(
        reasons("eval eval eval eval eval eval eval eval eval a"),
        [OpaqueReason::TooDeep]
    );
}
