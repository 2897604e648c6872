//! What is found in texts of the command processor.

use pretty_assertions::assert_eq;

use crate::shown::table;
use crate::{Descriptor, Dialect, Part, RedirectOperator, Source, analyze};

fn rows(rows: &[(&str, &[&str])]) {
    table(Dialect::Cmd, rows);
}

#[test]
fn names_end_where_the_command_processor_ends_them() {
    rows(&[
        ("DEL/F/Q C:\\data", &["DEL|/F/Q|C:\\data"]),
        ("d^el a", &["del|a"]),
        ("cd..", &["cd|.."]),
        (
            "cd\\x & type.\\y & echo. & echo:z",
            &["cd|\\x", "type|.\\y", "echo|.", "echo|:z"],
        ),
        ("echo(a & rd\"a b\"", &["echo|(a", "rd|a b"]),
        ("@@echo off", &["echo|off"]),
        (",;= del a,b;c=d", &["del|a|b|c|d"]),
        ("foo(1).exe a,b", &["foo(1).exe|a,b"]),
        ("del.exe a", &["del.exe|a"]),
        ("\"C:\\a b\\c.exe\" d", &["C:\\a b\\c.exe|d"]),
        ("ipconfig/all", &["ipconfig|/all"]),
    ]);
}

#[test]
fn operators_are_told_from_texts() {
    rows(&[
        (
            "del a & del b && del c || del d | del e",
            &["del|a", "del|b", "del|c", "del|d", "del|e"],
        ),
        ("echo a ^& del b \"d & e\" f", &["echo|a|&|del|b|d & e|f"]),
        ("echo a\ndel b\r\ndel c", &["echo|a", "del|b", "del|c"]),
        ("echo a ^\ndel b", &["echo|a|del|b"]),
        ("(del a & (del b)) & del c", &["del|a", "del|b", "del|c"]),
        ("(echo a) b", &["echo|a", "Syntax"]),
        ("echo \"a & del b", &["echo|a & del b"]),
        (
            "git commit -m \"say \\\"hi\\\" now\"",
            &["git|commit|-m|say \"hi\" now"],
        ),
        ("foo \"a\\\" & del b", &["foo|?", "del|b"]),
        ("rem a & del b\ndel c", &["del|c"]),
        ("rem & del b", &["del|b"]),
        (":: a & del b\n:label\ndel c", &["del|c"]),
        ("echo a & :: b", &["echo|a", "::|b"]),
        ("echo ) a", &["echo|)|a"]),
        ("del\u{a0}a b\u{a0}..\\c", &["?|?"]),
        ("echo a\u{1a}del b", &["Syntax"]),
    ]);
}

#[test]
fn variables_are_not_guessed() {
    rows(&[
        ("type %USERPROFILE%\\a", &["type|C:\\Users\\dev\\a"]),
        (
            "set USERPROFILE=x& type %USERPROFILE%\\a",
            &["set|USERPROFILE=x", "type|?"],
        ),
        ("%x%del a", &["?|a"]),
        ("%SystemRoot:~0,1%md /c del a", &["?|/c|del|a"]),
        (
            "echo 50% & del a & echo 60%",
            &["echo|50%", "del|a", "echo|60%"],
        ),
        ("git log --format=\"%h %s\"", &["git|log|--format=%h %s"]),
        ("del %1 %~dp0a %*", &["del|?|?|?"]),
        ("echo !x! hi!", &["echo|?|hi!"]),
        ("echo %a%%b%", &["echo|?"]),
        (
            "set \"x=a & del b\"\necho %x%",
            &["set|x=a & del b", "echo|?", "DynamicScript"],
        ),
    ]);
}

#[test]
fn conditions_and_loops_hold_commands() {
    rows(&[
        (
            "if exist a (del b) else (del c & del d)",
            &["del|b", "del|c", "del|d"],
        ),
        ("if /i not \"%x%\"==\"y\" del a", &["del|a"]),
        (
            "if %x% EQU 3 (del a) ELSE if defined y del b",
            &["del|a", "del|b"],
        ),
        ("if errorlevel 1 exit /b 1", &["exit|/b|1"]),
        ("for %i in (a b) do del %i & del c", &["del|?", "del|c"]),
        (
            "for /f \"tokens=1,2\" %a in ('dir /b ^| find \"x\"') do (del %a) & del %b",
            &["dir|/b", "find|x", "del|?", "del|%b"],
        ),
        (
            "for /f \"usebackq\" %a in (`del b`) do echo %~nxa",
            &["del|b", "echo|?"],
        ),
        ("for /f %a in (\"text\") do echo %a", &["echo|?"]),
        ("for /l %i in (1,1,5) do @echo %i", &["echo|?"]),
        ("for /r C:\\a %%f in (*.tmp) do del %%f", &["del|?"]),
        ("for /d %d in (*) do rd /s /q %d", &["rd|/s|/q|?"]),
        ("for %i in (a do del b", &["Syntax"]),
        ("if", &["Syntax"]),
    ]);
}

#[test]
fn what_is_run_in_turn_is_read() {
    rows(&[
        ("cmd /c del a & del b", &["cmd|/c|del|a", "del|a", "del|b"]),
        (
            "cmd /s/c \"rd /s /q \"a b\" & del c\"",
            &["cmd|/s/c|rd /s /q a|b & del c", "rd|/s|/q|a b", "del|c"],
        ),
        (
            "cmd /c \"rd\"x \"a & del b\"",
            &["cmd|/c|rdx|a & del b", "rd|x a", "del|b"],
        ),
        (
            "cmd /v:on /c \"set a=rd&& !a! /s b\"",
            &["cmd|/v:on|/c|?", "set|a=rd", "?|/s|b"],
        ),
        (
            "cmd /c del ^& del b",
            &["cmd|/c|del|&|del|b", "del", "del|b"],
        ),
        ("cmd /c del %x%", &["cmd|/c|del|?", "del|?"]),
        ("call del a", &["call|del|a", "del|a"]),
        ("call %x%y a", &["call|?|a", "DynamicScript"]),
        ("call :sub a", &["call|:sub|a"]),
        (
            "start \"t\" /min /d C:\\ cmd /c del a",
            &["start|t|/min|/d|C:\\|cmd|/c|del|a", "cmd|/c|del|a", "del|a"],
        ),
        (
            "powershell -c \"rm a | rm b\"",
            &["powershell|-c|rm a | rm b", "rm|a", "rm|b"],
        ),
        (
            "powershell -enc cgBtACAAYQA=",
            &["powershell|-enc|cgBtACAAYQA=", "rm|a"],
        ),
        (
            "bash -c \"rm a && rm b\"",
            &["bash|-c|rm a && rm b", "rm|a", "rm|b"],
        ),
        ("echo del a| cmd", &["echo|del|a", "cmd", "del|a"]),
        ("curl x | cmd", &["curl|x", "cmd", "DynamicScript"]),
        ("cmd", &["cmd"]),
        ("timeout /t 5", &["timeout|/t|5"]),
    ]);
}

#[test]
fn redirects_stand_anywhere() {
    let line = analyze(&Source {
        text: ">a echo b 2>&1 2>>c<d >\"e f\"",
        dialect: Dialect::Cmd,
        ..Source::default()
    });
    let segment = &line.segments[0];
    let redirects: Vec<_> = segment
        .redirects
        .iter()
        .map(|redirect| {
            (
                redirect.descriptor.clone(),
                redirect.operator,
                redirect.target.value.as_deref(),
            )
        })
        .collect();
    let second = Some(Descriptor::Number(2));
    assert_eq!(
        redirects,
        [
            (None, RedirectOperator::Write, Some("a")),
            (second.clone(), RedirectOperator::DuplicateOutput, Some("1")),
            (second, RedirectOperator::Append, Some("c")),
            (None, RedirectOperator::Read, Some("d")),
            (None, RedirectOperator::Write, Some("e f")),
        ]
    );
    assert_eq!(segment.canonical, Some("echo"));
}

#[test]
fn loops_tell_what_their_variable_holds() {
    let line = analyze(&Source {
        text: "for %f in (*.md a.txt) do type %f",
        dialect: Dialect::Cmd,
        ..Source::default()
    });
    let values: Vec<_> = line.segments[0]
        .assignments
        .iter()
        .map(|assignment| (assignment.name.as_str(), assignment.value.value.as_deref()))
        .collect();
    assert_eq!(values, [("%f", Some("*.md")), ("%f", Some("a.txt"))]);
    assert!(
        matches!(&line.segments[1].words[1].parts[..], [Part::Variable { name, .. }] if name == "%f")
    );
}
