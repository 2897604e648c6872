//! What is found in PowerShell texts.

use pretty_assertions::assert_eq;

use crate::shown::table;
use crate::{Context, Dialect, Join, Relation, Source, analyze};

fn rows(rows: &[(&str, &[&str])]) {
    table(Dialect::PowerShell, rows);
}

#[test]
fn quotes_and_backticks_are_removed() {
    rows(&[
        ("echo 'a ''b'' $x'", &["echo|a 'b' $x"]),
        (
            "echo \"a \"\"b\"\" `\"c`\" `$x `` d\"",
            &["echo|a \"b\" \"c\" $x ` d"],
        ),
        ("Re`move-`Item a", &["Remove-Item|a"]),
        ("g`it status", &["git|status"]),
        ("R`emove-Item a", &["?|a"]),
        ("echo a` b `\n  c", &["echo|a b|c"]),
        ("echo a'b c'd\"e f\"g", &["echo|ab cde fg"]),
        // A word that begins with a quote ends with it.
        ("echo 'a'b \"c\"'d'", &["echo|a|b|c|d"]),
        (
            "echo “a ‘b’ c” ‘d “e”’ –x —y",
            &["echo|a ‘b’ c|d “e”|-x|-y"],
        ),
        (
            "echo @'\n$a 'b'\n'@ @\"\n$(rm x)\n\"@",
            &["echo|$a 'b'|?", "rm|x"],
        ),
        (
            "echo \"$HOME\\a\" '$HOME'",
            &["echo|C:\\Users\\dev\\a|$HOME"],
        ),
        ("echo $PWD\\a", &["echo|C:\\Users\\dev\\project\\a"]),
        ("cd ..; echo $PWD", &["cd|..", "echo|?"]),
    ]);
}

#[test]
fn statements_begin_as_commands_or_as_values() {
    rows(&[
        (
            "rm a; rm b\nrm c | rm d && rm e || rm f &",
            &["rm|a", "rm|b", "rm|c", "rm|d", "rm|e", "rm|f"],
        ),
        (
            "'rm a'; 5 + (rm b); $x = rm c; -not (rm d)",
            &["rm|b", "rm|c", "rm|d"],
        ),
        ("7z x a.zip", &["7z|x|a.zip"]),
        ("1kb + 0x1F; 1..5 | % { rm $_ }", &["%|?", "rm|?"]),
        (
            "[int]$x = '5'; [Math]::Round(2.5); [string]::Join(',', @(rm a))",
            &["rm|a"],
        ),
        (
            "$a.Length; $a[0].Trim(); \"x\".Replace('a', (rm b))",
            &["rm|b"],
        ),
        (
            "echo (rm a).Count $(rm b) @(rm c) @{k = rm d; e = { rm e }}",
            &["echo|?|?|?|?", "rm|a", "rm|b", "rm|c", "rm|d", "rm|e"],
        ),
        ("echo a # rm b\n<# rm c\n rm d #> rm e", &["echo|a", "rm|e"]),
        ("echo a#b", &["echo|a#b"]),
        ("rm a `\n  -Recurse\n| rm b", &["rm|a|-Recurse", "rm|b"]),
        ("$x -split ';' -join ',' | Sort-Object", &["Sort-Object"]),
        ("$a ? (rm b) : (rm c)", &["rm|b", "rm|c"]),
        ("@args; echo @rest", &["Syntax"]),
        ("echo a >b 2>>c *>d 2>&1 3>$null", &["echo|a"]),
        ("echo a<b", &["Syntax"]),
        ("Set-Content a 'b', 'c',`\n d", &["Set-Content|a|b|c|d"]),
        (
            "ls -Path:a -Recurse:$false -Name: b",
            &["ls|-Path:a|?|-Name:|b"],
        ),
        (
            "git commit -m 'a b' --author=\"c d\" -- x",
            &["git|commit|-m|a b|--author=c d|--|x"],
        ),
    ]);
}

#[test]
fn programs_may_be_values() {
    rows(&[
        ("& 'C:\\a b\\c.exe' d", &["C:\\a b\\c.exe|d"]),
        (
            "& .\\x.ps1 a; . .\\y.ps1; .\\z.cmd",
            &[".\\x.ps1|a", ".\\y.ps1", ".\\z.cmd"],
        ),
        ("&('i'+'ex') a", &["?|a"]),
        (".(\"{0}{1}\" -f 'ie','x') a", &["?|a"]),
        (
            "& $x a; & (Get-Command rm) b",
            &["?|a", "?|b", "Get-Command|rm"],
        ),
        ("& { rm a } b; . { rm c }", &["rm|a", "rm|c"]),
        ("$x = 'rm'; & $x a", &["?|a"]),
        ("$x = 'rm'; $x = 'ls'; & $x a", &["?|a"]),
        ("if ($a) { $x = 'rm' }; & $x a", &["?|a"]),
        ("$x = 'rm'; 1..2 | % { & $x a; $x = 'ls' }", &["%|?", "?|a"]),
        ("$d = 'a'; rm \"$d\\b\" $d/c", &["rm|a\\b|a/c"]),
        (
            "$x = 'a'; Set-Variable x b; rm $x",
            &["Set-Variable|x|b", "rm|?"],
        ),
        (
            "$x = 'a'; ls -OutVariable x; rm $x",
            &["ls|-OutVariable|x", "rm|?"],
        ),
        ("foreach ($x in 'a', 'b') { rm $x }", &["rm|?"]),
        ("function f($x) { rm $x }; f a", &["rm|?", "f|a"]),
        ("$i = '1'; $i++; rm $i", &["rm|?"]),
    ]);
}

#[test]
fn commands_are_found_in_every_statement() {
    rows(&[
        (
            "if (rm a) { rm b } elseif (rm c) { rm d } else { rm e }",
            &["rm|a", "rm|b", "rm|c", "rm|d", "rm|e"],
        ),
        (
            "while (rm a) { rm b }; do { rm c } until (rm d)",
            &["rm|a", "rm|b", "rm|c", "rm|d"],
        ),
        ("for ($i = 0; $i -lt 5; rm a) { rm b }", &["rm|a", "rm|b"]),
        ("foreach ($x in rm a) { rm b }", &["rm|a", "rm|b"]),
        (
            "switch -Regex (rm a) { 'x' { rm b } { rm c } { rm d } default { rm e } }",
            &["rm|a", "rm|b", "rm|c", "rm|d", "rm|e"],
        ),
        (
            "try { rm a } catch [IO.IOException], [Exception] { rm b } finally { rm c }",
            &["rm|a", "rm|b", "rm|c"],
        ),
        ("trap { rm a }; return rm b", &["rm|a", "rm|b"]),
        (
            "function global:Get-It { param([Parameter(Mandatory = $true)][string]$x = (rm a), $y) begin { rm b } end { rm c } }",
            &["rm|a", "rm|b", "rm|c"],
        ),
        (":top while ($true) { break top }", &[]),
        (
            "ls | ? { rm a } | select @{n='x'; e={ rm b }} | foreach { rm c }",
            &["ls", "?|?", "rm|a", "select|?", "rm|b", "foreach|?", "rm|c"],
        ),
        ("\"a $(rm a; \"b $(rm b)\") $x\"", &["rm|a", "rm|b"]),
        (
            "$h['k'] = rm a; $x += rm b; $x.y = 5",
            &["rm|a", "rm|b", "Code"],
        ),
        ("IF ($a) { RM b } ELSE { Rm c }", &["RM|b", "Rm|c"]),
        ("class A { }", &["Syntax"]),
        (
            "'a'.ForEach({ rm a }); 'a'.Where({ rm b })",
            &["rm|a", "rm|b"],
        ),
    ]);
}

#[test]
fn calls_into_dotnet_are_code_unless_they_are_known() {
    rows(&[
        ("[IO.File]::Delete('a')", &["Code"]),
        (
            "[System.IO.Path]::Combine('a', 'b'); [DateTime]::Now.ToString('u')",
            &[],
        ),
        ("(Get-Item a).Delete()", &["Get-Item|a", "Code"]),
        ("(Get-Content a).Replace('a', 'b')", &["Get-Content|a"]),
        ("(Get-Item a).Replace('a', 'b')", &["Get-Item|a", "Code"]),
        (
            "$x.$name(); $x.('De' + 'lete')(); $x.'Delete'()",
            &["Code", "Code", "Code"],
        ),
        ("$x | % { $_.Kill() }", &["%|?", "Code"]),
        ("[ScriptBlock]::Create('rm a')", &["Code"]),
        ("[wmiclass]'Win32_Process'", &["Code"]),
        ("[xml](Get-Content a.xml)", &["Get-Content|a.xml"]),
        ("[Console]::OutputEncoding = [Text.Encoding]::UTF8", &[]),
        (
            "[Net.ServicePointManager]::SecurityProtocol = 3072",
            &["Code", "Code"],
        ),
        ("'a'.ForEach('Delete')", &["Code"]),
    ]);
}

#[test]
fn texts_that_are_run_are_read() {
    rows(&[
        (
            "iex 'rm a'; 'rm b' | iex; Invoke-Expression -Command \"rm c\"",
            &[
                "iex|rm a",
                "rm|a",
                "iex",
                "rm|b",
                "Invoke-Expression|-Command|rm c",
                "rm|c",
            ],
        ),
        (
            "iex $x; iex (Get-Content a); iwr a | iex",
            &[
                "iex|?",
                "iex|?",
                "Get-Content|a",
                "iwr|a",
                "iex",
                "DynamicScript",
                "DynamicScript",
                "DynamicScript",
            ],
        ),
        (
            "powershell -NoProfile -Command rm a '-Recurse'",
            &[
                "powershell|-NoProfile|-Command|rm|a|-Recurse",
                "rm|a|-Recurse",
            ],
        ),
        (
            "pwsh -c { rm a }; powershell.exe /c 'rm b'",
            &["pwsh|-c|?", "rm|a", "powershell.exe|/c|rm b", "rm|b"],
        ),
        (
            "powershell –EnC cgBtACAAYQA=",
            &["powershell|-EnC|cgBtACAAYQA=", "rm|a"],
        ),
        (
            "powershell -e $x; powershell -strange a",
            &[
                "powershell|-e|?",
                "powershell|-strange|a",
                "DynamicScript",
                "DynamicScript",
            ],
        ),
        (
            "powershell -File a.ps1; pwsh -v",
            &["powershell|-File|a.ps1", "pwsh|-v"],
        ),
        (
            "powershell 'powershell ''rm a'''",
            &["powershell|powershell 'rm a'", "powershell|rm a", "rm|a"],
        ),
        (
            "cmd /c 'rd /s a & del b'; cmd.exe /d /c del c",
            &[
                "cmd|/c|rd /s a & del b",
                "rd|/s|a",
                "del|b",
                "cmd.exe|/d|/c|del|c",
                "del|c",
            ],
        ),
        (
            "bash -c 'rm a; rm b'; wsl rm -rf c; wsl -e rm d",
            &[
                "bash|-c|rm a; rm b",
                "rm|a",
                "rm|b",
                "wsl|rm|-rf|c",
                "rm|-rf|c",
                "wsl|-e|rm|d",
                "rm|d",
            ],
        ),
        (
            "Start-Process cmd -ArgumentList '/c', 'rd /s a' -Wait",
            &[
                "Start-Process|cmd|-ArgumentList|/c|rd /s a|-Wait",
                "cmd|/c|rd|/s|a",
                "rd|/s|a",
            ],
        ),
        (
            "saps -Verb RunAs -FilePath rm \"a b\"",
            &["saps|-Verb|RunAs|-FilePath|rm|a b", "rm|a|b"],
        ),
        (
            "sudo rm a; xargs rm",
            &["sudo|rm|a", "rm|a", "xargs|rm", "rm|?"],
        ),
        ("cmd --% /c del a", &["cmd|?", "Code", "DynamicScript"]),
        ("git --% log \"a | b\" | rm c", &["git|?", "rm|c", "Code"]),
    ]);
}

#[test]
fn renamed_commands_are_not_believed() {
    rows(&[
        (
            "Set-Alias ls Remove-Item; ls a",
            &["Set-Alias|ls|Remove-Item", "ls|a", "Alias"],
        ),
        (
            "$alias:ls = 'ri'; ${function:ls} = { rm a }",
            &["rm|a", "Alias", "Alias"],
        ),
        (
            "New-Item -Path function:ls -Value { rm a }",
            &["New-Item|-Path|function:ls|-Value|?", "rm|a", "Alias"],
        ),
        (
            "$PSDefaultParameterValues['*:Force'] = $true",
            &["Alias", "Alias"],
        ),
        ("$d = $PSDefaultParameterValues", &["Alias"]),
        (
            "(gv PSDef*).Value.Add('*:Force', $true)",
            &["gv|PSDef*", "Alias"],
        ),
        ("Set-Variable $n $v", &["Set-Variable|?|?"]),
        ("Invoke-History 3", &["Invoke-History|3", "DynamicScript"]),
    ]);
}

#[test]
fn what_powershell_refuses_is_opaque() {
    for text in [
        "'a",
        "\"a",
        "(",
        "$(",
        "@{",
        "{",
        "if",
        "if (a)",
        "a |",
        "a &&",
        "echo )",
        "}",
        "@'\na",
        "<# a",
        "${a",
        "$x.(",
        "[int",
        "function",
        "foreach ($x of a) {}",
        "'a' 'b'",
        "5 6",
        "@{a}",
        "a | 'b'",
        "echo a<# b #>",
        "\"$( ')' )\"",
        "\"$(\"\"a\"\")\"",
    ] {
        let line = analyze(&Source {
            text,
            dialect: Dialect::PowerShell,
            ..Source::default()
        });
        assert!(!line.opaque.is_empty(), "{text}");
    }
}

#[test]
fn places_in_the_control_flow_are_kept() {
    let line = analyze(&Source {
        text: "rm a | rm b; if ($x) { rm c }; % { rm d }; function F { rm e }; rm f &",
        dialect: Dialect::PowerShell,
        ..Source::default()
    });
    let named = |name: &str| {
        let mut segments = line.segments.iter();
        segments.find(|segment| {
            segment
                .words
                .iter()
                .any(|word| word.value.as_deref() == Some(name))
        })
    };
    let (b, c, d, e, f) = (named("b"), named("c"), named("d"), named("e"), named("f"));
    let b = b.expect("it is found");
    assert_eq!(
        (b.joined, b.pipeline.map(|stage| stage.index), b.fed_by),
        (Join::Pipe, Some(1), Some((0, 1)))
    );
    assert_eq!(b.canonical, Some("remove-item"));
    assert!(c.is_some_and(|segment| segment.context
        == Context {
            conditional: true,
            ..Context::default()
        }));
    let d = d.expect("it is found");
    assert_eq!(
        (d.relation, d.context.in_loop, d.depth),
        (Relation::Script, true, 1)
    );
    assert!(e.is_some_and(|segment| segment.context.function.as_deref() == Some("f")));
    assert!(f.is_some_and(|segment| segment.context.background));
}

#[test]
fn functions_stand_for_themselves_only_where_they_are_certain_to_be_there() {
    let resolved = |text: &str| {
        let line = analyze(&Source {
            text,
            dialect: Dialect::PowerShell,
            ..Source::default()
        });
        let mut calls = line.segments.into_iter().rev();
        let call = calls.find(|segment| {
            segment
                .words
                .first()
                .is_some_and(|word| word.value.as_deref() == Some("rm"))
        });
        call.and_then(|call| call.canonical)
    };
    assert_eq!(resolved("function rm { 1 }; rm a"), Some("function"));
    for text in [
        "rm a; function rm { 1 }",
        "& { function rm { 1 } }; rm a",
        "if ($x) { function rm { 1 } }; rm a",
        "try { function rm { 1 } } catch { }; rm a",
        "function f { function rm { 1 } }; rm a",
        "function rm { 1 }; powershell -c 'rm a'",
    ] {
        assert_eq!(resolved(text), Some("remove-item"), "{text}");
    }
}
