//! What is found in a text: argv by argv, and what stays unclear.

use execgate_shell::{Dialect, OpaqueReason, Relation, Source, analyze};
use pretty_assertions::assert_eq;

/// Shows each segment with words as one line; unknown words are `?`.
fn shown(text: &str) -> Vec<String> {
    let source = Source {
        text,
        home: Some("/home/dev"),
        cwd: Some("/work"),
        ..Source::default()
    };
    let line = analyze(&source);
    let segments = line
        .segments
        .iter()
        .filter(|segment| !segment.words.is_empty());
    let argv = segments.map(|segment| {
        let words = segment
            .words
            .iter()
            .map(|word| word.value.as_deref().unwrap_or("?"));
        words.collect::<Vec<_>>().join("|")
    });
    argv.chain(
        line.opaque
            .iter()
            .map(|opaque| format!("{:?}", opaque.reason)),
    )
    .collect()
}

#[track_caller]
fn table(rows: &[(&str, &[&str])]) {
    let found: Vec<(&str, Vec<String>)> =
        rows.iter().map(|(text, _)| (*text, shown(text))).collect();
    let expected: Vec<(&str, Vec<String>)> = rows
        .iter()
        .map(|(text, lines)| (*text, lines.iter().map(|line| (*line).to_owned()).collect()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn known_values_are_followed() {
    table(&[
        ("x=rm; $x -rf d", &["rm|-rf|d"]),
        ("x='rm -rf'; $x d", &["rm|-rf|d"]),
        ("x='rm -rf'; \"$x\" d", &["rm -rf|d"]),
        ("rm${IFS}-rf d", &["rm|-rf|d"]),
        ("{rm,-rf,d}", &["rm|-rf|d"]),
        (
            "echo {1..3} {a..c..2} {01..3} {a,b}{c,d} {a} {,x}",
            &["echo|1|2|3|a|c|01|02|03|ac|ad|bc|bd|{a}|x"],
        ),
        (
            "echo ~ ~/a ~+ ~root 'a'~",
            &["echo|/home/dev|/home/dev/a|/work|?|a~"],
        ),
        ("a=r b=m; $a$b -rf \"$HOME\"", &["rm|-rf|/home/dev"]),
        ("x=a; echo ${x:-b} ${x:+c} \"${y:-d}\"", &["echo|a|c|?"]),
        ("IFS=:; x=rm:-rf; $x", &["rm|-rf"]),
        ("e=; $e rm", &["rm"]),
        ("x=rm; for i in a; do $x; x=ls; done; $x", &["?", "?"]),
        ("x=ls; true && x=rm; $x", &["true", "?"]),
        ("x=ls; f() { x=rm; }; f; $x; x=ls; $x", &["f", "?", "?"]),
        ("x=ls; eval 'x=rm'; $x", &["eval|x=rm", "rm"]),
        ("x=ls; read x; $x", &["read|x", "?"]),
        ("x=ls; (x=rm); $x", &["?"]),
        ("x=ls; sh -c '$x y'", &["sh|-c|$x y", "?|y"]),
        ("readonly x=rm; x=ls; $x", &["readonly|x=rm", "?"]),
        ("x=ls; declare -n y=x; y=rm; $x", &["declare|-n|y=x", "?"]),
        ("x=ls; : $((x=3)); $x", &[":|?", "?"]),
        ("echo *.c [ab] '*' a\\*", &["echo|?|?|*|a*"]),
    ]);
}

#[test]
fn carriers_are_seen_through() {
    table(&[
        ("sudo -u root -- rm d", &["sudo|-u|root|--|rm|d", "rm|d"]),
        ("sudo -uroot A=b rm d", &["sudo|-uroot|A=b|rm|d", "rm|d"]),
        ("sudo --user root rm", &["sudo|--user|root|rm", "rm"]),
        ("sudo --use=root rm", &["sudo|--use=root|rm", "rm"]),
        (
            "sudo --strange rm",
            &["sudo|--strange|rm", "UnknownCarrier"],
        ),
        (
            "/usr/bin/env -i -u X A=b ./rm d",
            &["/usr/bin/env|-i|-u|X|A=b|./rm|d", "./rm|d"],
        ),
        (
            "timeout -s KILL --kill-after=5 10 nice -n 5 rm",
            &[
                "timeout|-s|KILL|--kill-after=5|10|nice|-n|5|rm",
                "nice|-n|5|rm",
                "rm",
            ],
        ),
        ("timeout $T rm", &["timeout|?|rm", "?|rm"]),
        ("nice -10 rm", &["nice|-10|rm", "rm"]),
        ("command -v rm", &["command|-v|rm"]),
        ("exec -a x rm", &["exec|-a|x|rm", "rm"]),
        ("xargs -0 -n 1 rm -f", &["xargs|-0|-n|1|rm|-f", "rm|-f|?"]),
        ("xargs -I % mv % d", &["xargs|-I|%|mv|%|d", "mv|?|d"]),
        ("xargs env", &["xargs|env", "env|?", "?"]),
        (
            "find . -exec rm {} + -ok mv a b ';'",
            &["find|.|-exec|rm|{}|+|-ok|mv|a|b|;", "rm|?", "mv|a|b"],
        ),
        (
            "find . -exec sh -c 'rm {}' ';'",
            &["find|.|-exec|sh|-c|rm {}|;", "sh|-c|?", "DynamicScript"],
        ),
        ("su -c 'rm d' root", &["su|-c|rm d|root", "rm|d"]),
        ("su - root -c 'rm d'", &["su|-|root|-c|rm d", "rm|d"]),
        ("flock f -c 'rm d'", &["flock|f|-c|rm d", "rm|d"]),
        ("flock -n f rm d", &["flock|-n|f|rm|d", "rm|d"]),
        (
            "script -qc 'rm d' /dev/null",
            &["script|-qc|rm d|/dev/null", "rm|d"],
        ),
        ("watch -n 1 'rm d'", &["watch|-n|1|rm d", "rm|d"]),
        ("watch -x rm d", &["watch|-x|rm|d", "rm|d"]),
        ("busybox rm d", &["busybox|rm|d", "rm|d"]),
        (
            "busybox sh -c 'rm d'",
            &["busybox|sh|-c|rm d", "sh|-c|rm d", "rm|d"],
        ),
        ("parallel rm ::: a b", &["parallel|rm|:::|a|b", "rm"]),
        ("parallel ::: 'rm a'", &["parallel|:::|rm a", "rm|a"]),
        (
            "env -S 'rm -rf' d",
            &["env|-S|rm -rf|d", "env|rm|-rf|d", "rm|-rf|d"],
        ),
        ("strace -f -o t rm", &["strace|-f|-o|t|rm", "rm"]),
        ("ssh host rm", &["ssh|host|rm"]),
    ]);
}

#[test]
fn scripts_are_read_and_unknown_ones_are_opaque() {
    table(&[
        ("bash -lc 'rm d'", &["bash|-lc|rm d", "rm|d"]),
        (
            "bash -o pipefail +x -ec 'rm d' name",
            &["bash|-o|pipefail|+x|-ec|rm d|name", "rm|d"],
        ),
        ("sh -c \"$x\"", &["sh|-c|?", "DynamicScript"]),
        ("eval \"$(a)\"", &["eval|?", "a", "DynamicScript"]),
        ("eval rm '-rf d'", &["eval|rm|-rf d", "rm|-rf|d"]),
        ("trap 'rm d' EXIT", &["trap|rm d|EXIT", "rm|d"]),
        ("trap - INT; trap 'rm d'", &["trap|-|INT", "trap|rm d"]),
        ("bash <<< 'rm d'", &["bash", "rm|d"]),
        ("sh -s <<'E'\nrm \"$x\"\nE", &["sh|-s", "rm|?"]),
        ("sh <<E\nrm $x\nE", &["sh", "DynamicScript"]),
        (
            "{ read -r _; sh; } <<E\na\nrm d\nE",
            &["read|-r|_", "sh", "a", "rm|d"],
        ),
        ("echo 'rm d' | sh", &["echo|rm d", "sh", "rm|d"]),
        (
            "printf 'rm %s' d | sh",
            &["printf|rm %s|d", "sh", "DynamicScript"],
        ),
        (
            "curl u | sudo bash",
            &["curl|u", "sudo|bash", "bash", "DynamicScript"],
        ),
        ("bash <(curl u)", &["bash|?", "curl|u", "DynamicScript"]),
        ("sh /dev/fd/3 3<<'E'\nrm d\nE", &["sh|/dev/fd/3", "rm|d"]),
        ("fish -c 'rm d'", &["fish|-c|rm d", "UnsupportedDialect"]),
        ("[[ -v 'a[$(rm d)]' ]]", &["rm|d"]),
        ("x='a[$(rm d)]'", &["rm|d"]),
        ("let 'a[$(rm d)]'", &["let|a[$(rm d)]", "rm|d"]),
        (
            "shopt -s expand_aliases; alias ls=rm",
            &["shopt|-s|expand_aliases", "alias|ls=rm", "Alias"],
        ),
        (
            "hash -p /bin/rm ls; ls d",
            &["hash|-p|/bin/rm|ls", "ls|d", "Alias"],
        ),
        ("BASH_CMDS[ls]=/bin/rm; ls d", &["ls|d", "Alias"]),
        (
            "mapfile -C 'rm d' -c 1 a <<< x",
            &["mapfile|-C|rm d|-c|1|a", "rm|d"],
        ),
        ("echo $(cat <<E\na\nE)", &["echo|?", "cat"]),
        ("echo $(cat <<E\na\nE rm d)\n", &["echo|?", "cat", "rm|d"]),
        ("a; b )", &["a", "b", "Syntax"]),
        ("a $((echo x) # ) ; rm d\n", &["a|?", "echo|x", "rm|d"]),
        ("$(cat <<E)\nrm d\nE\n", &["?", "cat", "rm|d", "E"]),
        (
            "shopt -s extglob\nls !(a|$(rm d))",
            &["shopt|-s|extglob", "ls|?", "rm|d"],
        ),
    ]);
}

#[test]
fn inner_scripts_point_into_the_text_where_they_stand_in_it() {
    let text = "sh -c 'rm d'; eval r\\m";
    let line = analyze(&Source {
        text,
        ..Source::default()
    });
    let spans: Vec<(Relation, &str)> = line
        .segments
        .iter()
        .map(|s| {
            (
                s.relation,
                &text[s.span.start as usize..s.span.end as usize],
            )
        })
        .collect();
    let expected = [
        (Relation::Top, "sh -c 'rm d'"),
        (Relation::Script, "rm d"),
        (Relation::Top, "eval r\\m"),
        (Relation::Script, "r\\m"),
    ];
    assert_eq!(spans, expected);
}

#[test]
fn a_dollar_that_starts_something_is_no_name_in_braces() {
    for text in [
        "false && echo ${$${a}; rm d #}",
        "false && echo ${!$${a}; rm d #}",
        "false && echo ${#$${a}; rm d #}",
        "false && echo \"${$${a}\"; rm d #\"}\"",
        "false && echo ${$'\\''}; rm d # '}",
        "false && echo ${$[}]}; rm d # '}",
        "false && echo ${$(a # '\n)}; rm d # '}",
    ] {
        let found = shown(text);
        assert!(found.iter().any(|line| line == "rm|d"), "{text}: {found:?}");
    }
    table(&[("echo ${$} ${$:-b} ${#$}", &["echo|?|?|?"])]);
}

#[test]
fn a_plain_shell_reads_some_constructs_differently() {
    for text in ["((rm))", "[[ a && rm ]]"] {
        let line = analyze(&Source {
            text,
            dialect: Dialect::Posix,
            ..Source::default()
        });
        assert_eq!(
            line.opaque
                .into_iter()
                .map(|opaque| opaque.reason)
                .collect::<Vec<_>>(),
            [OpaqueReason::DialectDependent],
            "{text}"
        );
    }
}

/// Names of the commands that certainly call functions, in order.
fn calls(text: &str) -> Vec<String> {
    let source = Source {
        text,
        ..Source::default()
    };
    let line = analyze(&source);
    line.segments
        .iter()
        .filter(|segment| segment.canonical == Some("function"))
        .filter_map(|segment| segment.words[0].value.clone())
        .collect()
}

#[test]
fn a_name_is_a_function_only_where_it_certainly_is_one() {
    let certain = [
        "f() { :; }; f",
        "f() { :; } && f",
        "{ f() { :; }; }; f",
        "{ f() { :; }; } 2>&1; f",
        "f() { :; }; (f)",
        "f() { :; }; x=$(f)",
        "f() { :; }; f | cat",
        "f() { :; }; for i in 1; do f; done",
        "if x; then f() { :; }; f; fi",
        "eval 'f() { :; }'; f",
        "f() { :; }; eval f",
        "f() { :; }; trap f EXIT",
        "g() { f; }; d=1; f() { :; }; g",
        "f() { f; }",
        "function f { :; }; time f",
        "f() { :; }; \\f a",
        "sh -c 'f() { :; }; f'",
        "f() { :; }; f; unset -f f",
        "f() { :; }; unset -v f; f",
        "i=1; i=$((i + 1)); f() { :; }; f",
    ];
    for text in certain {
        assert!(calls(text).contains(&"f".to_owned()), "{text}");
    }
    let doubtful = [
        "f; f() { :; }",
        "f() { :; }; bash -c f",
        "f() { :; }; export -f f; bash -c f",
        "(f() { :; }); f",
        "x=$(f() { :; }); f",
        "f() { :; } | true; f",
        "f() { :; } & f",
        "true && f() { :; }; f",
        "if false; then f() { :; }; fi; f",
        "while x; do f() { :; }; done; f",
        "case x in y) f() { :; };; esac; f",
        "g() { f() { :; }; }; g; f",
        "f() { :; }; unset -f f; f",
        "f() { :; }; unset f; f",
        "f() { :; }; builtin unset $x; f",
        "f() { :; }; while x; do f; unset -f f; done",
        "g() { unset -f f; }; f() { :; }; g; f",
        "f() { :; }; command f",
        "f() { :; }; env f",
        "f() { :; }; xargs f",
        "f() { :; }; exec f",
        "{ f() { :; }; } < missing; f",
        "if f() { :; }; then :; fi > missing; f",
        "\"f\"() { :; }; f",
        "a/f() { :; }; a/f",
        "f() { :; } ; $x f; f",
        "echo $((1/0)); f() { :; }\nf",
        "echo ${!x}; f() { :; }\nf",
        ". /dev/stdin <<< 'return; f() { :; }'; f",
        "g() { f; }; g; f() { :; }",
    ];
    for text in doubtful {
        let shown = calls(text);
        assert!(!shown.iter().any(|name| name != "g"), "{text}: {shown:?}");
    }
}

#[test]
fn values_after_what_may_fail_are_not_certain() {
    for before in [
        "echo $((1/0))",
        "echo $((y))",
        "echo ${!y}",
        "echo ${x:1/0}",
        "a[-5]=1",
        "UID=1",
        "readonly z=1; z=2",
        "unset 'a[1/0]'",
        "shopt -s failglob; echo nothing*",
    ] {
        let text = format!("x=rm; {before}; x=echo\n$x d");
        let last = shown(&text).pop();
        assert_eq!(last.as_deref(), Some("?|d"), "{text}");
    }
    table(&[
        ("x=rm; { x=echo; } < missing; $x d", &["?|d"]),
        ("x=rm; { x=ls; } 2>/dev/null; $x d", &["ls|d"]),
        ("i=1; j=$((i + 2)); x=ls; $x d", &["ls|d"]),
        ("x=a.c; echo ${x%.c} ${#x}; x=ls; $x", &["echo|?|?", "ls"]),
    ]);
}

#[test]
fn values_of_loops_and_arrays_are_assignments() {
    let assigned = |text: &str| -> Vec<String> {
        let source = Source {
            text,
            ..Source::default()
        };
        let line = analyze(&source);
        let all = line
            .segments
            .iter()
            .flat_map(|segment| &segment.assignments);
        all.map(|assignment| {
            let value = assignment.value.value.as_deref().unwrap_or("?");
            format!("{}={value}", assignment.name)
        })
        .collect()
    };
    assert_eq!(
        assigned("for f in a -b {c,d} $x; do :; done"),
        ["f=a", "f=-b", "f=c", "f=d", "f=?"]
    );
    assert_eq!(assigned("a=(x 'y z')"), ["a=?", "a=x", "a=y z"]);
    table(&[("s=-x; while a; do find . $s; done", &["a", "find|.|-x"])]);
}

#[test]
fn a_word_like_an_assignment_has_tildes() {
    table(&[
        ("dd of=~/x", &["dd|of=/home/dev/x"]),
        (
            "dd of=~ 'of='~/x \"of=~/x\"",
            &["dd|of=/home/dev|of=~/x|of=~/x"],
        ),
        ("make P=a:~/x --to=~/x 1=~/x", &["make|?|--to=~/x|1=~/x"]),
        ("((PATH = 1)); ls", &["ls", "DynamicScript"]),
        (": ${PATH:=.}", &[":|?", "DynamicScript"]),
    ]);
}

/// Bash reads a subscript only where an assignment can stand: an argument of `export` ends at `;`, and what follows runs.
#[test]
fn a_bracket_in_an_argument_of_a_declaration_hides_nothing() {
    for text in [
        "export H[ ; rm d ; ]=1",
        "export H[;rm d;]=1",
        "declare -a a=1 H[;rm d;]=1",
        "readonly H[|rm d",
    ] {
        let found = shown(text);
        assert!(found.iter().any(|line| line == "rm|d"), "{text}: {found:?}");
    }
    let found = shown("export H[STFILE=/dev/null");
    assert!(!found.contains(&"Syntax".to_owned()), "{found:?}");
    table(&[("H[ 1 ]=2; rm d", &["rm|d"])]);
}

/// Bash never makes such an expansion, but it looks for its end, and takes single quotes in it for quotes. What follows runs.
#[test]
fn where_a_bad_substitution_with_quotes_ends_is_not_known() {
    for text in [
        "false && echo \"${x*'${x#'}\"; rm d #'}}\"",
        "false && echo \"${x*gofm'%n@@]P ${x#gofm'%n@@}\"",
        "false && echo ${!x*'}'; rm d #'}",
        "false && echo ${x y\"}\"; rm d #\"}",
    ] {
        let found = shown(text);
        let is_opaque = found
            .iter()
            .any(|line| line == "DialectDependent" || line == "Syntax");
        assert!(
            is_opaque || found.iter().any(|line| line == "rm|d"),
            "{text}: {found:?}"
        );
    }
    table(&[
        ("echo ${x*y}", &["echo|?"]),
        (
            "echo ${!prefix*} ${!prefix@} ${x@Q} ${x//'a'/b}",
            &["echo|?|?|?|?"],
        ),
    ]);
}

/// Bash looks for the end as if single quotes were quotes, and makes the word as if they were letters.
#[test]
fn single_quotes_within_double_quotes_and_braces_hide_nothing() {
    for text in [
        "false && echo \"${a:-'$(: '}\"; rm d #')}\"",
        "a=1; echo \"${a:-'$(: '}\"\nrm d #')}\"",
        "echo \"${a:-'`: '}\"; rm d #'`}\"",
        "echo \"${a+'${b:-'}\"; rm d #'}}\"",
        "echo \"${a-it's}\"; echo \"${b-'}\"; rm d #}\"",
    ] {
        let found = shown(text);
        let is_opaque = found
            .iter()
            .any(|line| line == "DialectDependent" || line == "Syntax");
        assert!(is_opaque, "{text}: {found:?}");
    }
    table(&[
        ("echo \"${a:-'x y'}\"", &["echo|?"]),
        ("echo \"${a:-$(echo '$b')}\"", &["echo|?", "echo|$b"]),
        ("echo \"${a#'$(: '}\"; rm d #')}\"", &["echo|?", "rm|d"]),
        ("echo ${a:-'$(: '}; rm d #')}", &["echo|?", "rm|d"]),
    ]);
}
