//! Programs with rules of their own: interpreters, shells, wrappers, builtins, git, sed, awk, tar.

use execgate_guest::{Relation, Segment, Word};
use execgate_knowledge::shells;
use execgate_rules::paths::{Candidate, Path};
use execgate_rules::{Argument, Invocation};

use crate::access::{self, Use};
use crate::finding::Finding;
use crate::judge::{Judge, base_name, is_system_program};
use crate::place::Class;
use crate::{delete, environment, table};

/// Modules of Python that are programs for developers.
const MODULES: &[&str] = &[
    "pytest",
    "unittest",
    "build",
    "venv",
    "json.tool",
    "py_compile",
    "compileall",
    "base64",
    "mypy",
    "ruff",
    "black",
    "flake8",
    "coverage",
    "tox",
    "pip list",
    "doctest",
    "pylint",
    "isort",
    "calendar",
];

/// Options of interpreters before the script that only change how it runs.
const QUIET_OPTIONS: &[&str] = &[
    "-u",
    "-B",
    "-O",
    "-E",
    "-s",
    "-w",
    "-W",
    "--no-warnings",
    "--check",
    "--test",
    "-n",
    "-e",
    "-x",
    "-q",
    "-v",
];

/// Judges programs with rules of their own; whether it was one.
pub(crate) fn judge(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) -> bool {
    let name = base_name(invocation.written);
    let local = !is_system_program(invocation.written)
        && judge.class(invocation.written) != Some(Class::Project);
    if local {
        return false;
    }
    match name {
        "export" | "declare" | "readonly" | "local" | "typeset" => declares(invocation, findings),
        "read" | "unset" | "getopts" => names(invocation, findings),
        "set" | "shopt" => options(invocation, findings),
        "sed" | "gsed" => sed(judge, invocation, findings),
        "awk" | "gawk" | "mawk" | "nawk" => awk(judge, invocation, findings),
        "tar" => tar(judge, invocation, findings),
        "git" if configures(invocation) => findings.push(
            Finding::ask(
                "program/arguments",
                "`git -c` can set what git runs".into(),
                invocation.span(),
            )
            .high(),
        ),
        "psql" | "mysql" | "sqlite3" | "duckdb" => queries(invocation, findings),
        "aws" | "gcloud" | "az" => cloud(invocation, findings),
        "deno" | "bun" => return false,
        "printenv" if invocation.operands().next().is_none() => findings.push(Finding::ask(
            "path/secret",
            "it prints all variables".into(),
            invocation.span(),
        )),
        "java"
            if invocation.has("j", &[])
                && invocation.verb().is_some_and(|jar| jar.ends_with(".jar"))
                && invocation
                    .segment
                    .words
                    .get(1)
                    .and_then(|word| word.value.as_deref())
                    == Some("-jar") =>
        {
            access::script(
                judge,
                invocation.verb().unwrap_or_default(),
                invocation.span(),
                findings,
            );
            access::develops(judge, invocation, findings);
        }
        "grep" | "rg" | "egrep" | "ag" if seeks_secrets(invocation) => findings.push(Finding::ask(
            "path/secret",
            "it looks for secrets".into(),
            invocation.span(),
        )),
        "chmod" if !invocation.only_informs() && opens_to_all(invocation) => {
            findings.push(Finding::ask(
                "program/arguments",
                "everybody could write the file, or run it as its owner".into(),
                invocation.span(),
            ))
        }
        "convert" | "magick" | "mogrify" | "ffmpeg"
            if invocation
                .operand_texts()
                .any(|text| text.contains(':') || text.starts_with('@')) =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "its operands can name protocols and scripts".into(),
                invocation.span(),
            ));
        }
        "hostname" if invocation.operands().next().is_some() => findings.push(Finding::ask(
            "program/arguments",
            "it may change the machine's name".into(),
            invocation.span(),
        )),
        "truncate"
            if invocation.option("s", &["size"]).is_none_or(|(_, size)| {
                size.is_none_or(|size| size.starts_with(['0', '-', '<']))
            }) =>
        {
            findings.push(Finding::ask(
                "delete/tree",
                "it may empty the file".into(),
                invocation.span(),
            ));
        }
        "install"
            if invocation
                .option("m", &["mode"])
                .is_some_and(|(_, mode)| mode.is_none_or(is_open_mode)) =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "everybody could write the file, or run it as its owner".into(),
                invocation.span(),
            ))
        }
        "jq" | "yq" if reads_environment(invocation) => findings.push(Finding::ask(
            "path/secret",
            "the filter reads variables or other files".into(),
            invocation.span(),
        )),
        "docker" | "podman" | "buildah"
            if invocation
                .operand_texts()
                .any(|text| text.contains("://") || text == "-") =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "it builds what is not in the workspace".into(),
                invocation.span(),
            ))
        }
        "head" | "dd" | "truncate" | "fallocate" if is_huge(invocation) => {
            findings.push(Finding::ask(
                "program/arguments",
                "it makes very much data".into(),
                invocation.span(),
            ))
        }
        _ if shells::SHELLS.contains(&name)
            && judge.children(invocation.index).next().is_none() =>
        {
            runs_script(judge, invocation, "", findings)
        }
        _ if shells::interpreter_named(name).is_some() && invocation.name == name => {
            interprets(judge, invocation, findings)
        }
        _ => return false,
    }
    true
}

/// Looking for secrets by name in many files.
fn seeks_secrets(invocation: &Invocation<'_>) -> bool {
    const WORDS: &[&str] = &[
        "password",
        "passwd",
        "secret",
        "api_key",
        "apikey",
        "private key",
        "access_key",
        "credential",
    ];
    let many = invocation.has("rR", &["recursive", "dereference-recursive"])
        || matches!(invocation.name.as_str(), "rg" | "ag");
    let pattern = invocation
        .option("e", &["regexp"])
        .and_then(|(_, value)| value)
        .or_else(|| invocation.verb());
    many && pattern.is_some_and(|text| {
        let lower = text.to_ascii_lowercase();
        WORDS.iter().any(|word| lower.contains(word))
    })
}

/// Filters that read variables or load files.
fn reads_environment(invocation: &Invocation<'_>) -> bool {
    invocation.operand_texts().any(|text| {
        [
            "env",
            "$ENV",
            "load",
            "input_filename",
            "import",
            "include",
            "getpath($__prog",
        ]
        .iter()
        .any(|word| text.contains(word))
    }) || invocation.has("fL", &["from-file", "slurpfile", "rawfile", "library-path"])
}

/// `chmod 666`, `o+w`, `u+s`.
fn opens_to_all(invocation: &Invocation<'_>) -> bool {
    invocation.verb().is_none_or(is_open_mode)
}

fn is_open_mode(mode: &str) -> bool {
    if mode.bytes().all(|byte| byte.is_ascii_digit()) {
        let special = mode.len() > 3 && !mode.starts_with('0');
        return special
            || mode
                .bytes()
                .next_back()
                .is_some_and(|last| (last - b'0') & 2 != 0);
    }
    mode.split(',').any(|part| {
        let (who, what) = part.split_at(part.find(['+', '-', '=']).unwrap_or(part.len()));
        !what.starts_with('-')
            && (what.contains(['s', 't'])
                || (what.contains('w') && (who.is_empty() || who.contains(['o', 'a']))))
    })
}

/// Sizes in units of 2^30 and more.
fn is_huge(invocation: &Invocation<'_>) -> bool {
    invocation.segment.words[1..]
        .iter()
        .filter_map(|word| word.value.as_deref())
        .any(|text| {
            let number = text
                .rsplit('=')
                .next()
                .unwrap_or(text)
                .trim_start_matches("-c")
                .trim_start_matches("-s")
                .trim_end_matches(['B', 'b', 'i']);
            number
                .strip_suffix(['G', 'T', 'P', 'E', 'g', 't'])
                .is_some_and(|digits| {
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                })
        })
}

/// Questions to a cloud: verbs that list and describe, but for what is secret.
fn cloud(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const SECRET: &[&str] = &[
        "secretsmanager",
        "ssm",
        "kms",
        "secrets",
        "keyvault",
        "auth",
        "get-access-token",
        "iam-policy",
    ];
    let verbs: Vec<&str> = invocation.operand_texts().collect();
    let reads = |verb: &str| {
        matches!(
            verb,
            "ls" | "list"
                | "show"
                | "describe"
                | "tail"
                | "filter-log-events"
                | "get-caller-identity"
        ) || verb.starts_with("list-")
            || verb.starts_with("describe-")
    };
    let asks = verbs.iter().take(4).any(|verb| reads(verb))
        && !verbs.iter().any(|verb| SECRET.contains(verb));
    let elsewhere = invocation.has("", &["endpoint-url", "ca-bundle", "query-file"]);
    if !asks || elsewhere {
        findings.push(Finding::ask(
            "program/unknown",
            format!("`{}` may change what is in the cloud", invocation.written),
            invocation.span(),
        ));
    }
}

fn declares(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let printing = invocation.operands().next().is_none();
    if printing || invocation.has("pn", &[]) {
        findings.push(Finding::ask(
            "path/secret",
            "it prints or links variables".into(),
            invocation.span(),
        ));
    }
    for word in invocation.operands() {
        let known = word.value.as_deref().or(match word.parts.first() {
            Some(execgate_guest::Part::Literal(text)) => Some(text.as_str()),
            Some(_) | None => None,
        });
        let Some((name, value)) = known.and_then(|text| text.split_once('=')) else {
            if known.is_none_or(|text| !is_name(text)) {
                findings.push(Finding::ask(
                    "environment/variable",
                    "which variable it sets is not known".into(),
                    word.span,
                ));
            }
            continue;
        };
        let value = Word {
            value: word.value.is_some().then(|| value.to_owned()),
            ..word.clone()
        };
        findings.extend(environment::variable(
            name.trim_end_matches('+'),
            &value,
            word.span,
            true,
        ));
    }
}

fn is_name(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn names(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let plain =
        |text: &str| is_name(text) && !execgate_knowledge::environment::DANGEROUS.contains(&text);
    if !invocation
        .operands()
        .all(|word| word.value.as_deref().is_some_and(plain))
    {
        findings.push(Finding::ask(
            "environment/variable",
            "it sets a variable that is not known to be harmless".into(),
            invocation.span(),
        ));
    }
}

fn options(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let words = &invocation.segment.words[1..];
    let harmless = words.iter().all(|word| {
        word.value.as_deref().is_some_and(|text| {
            matches!(
                text,
                "pipefail"
                    | "globstar"
                    | "nullglob"
                    | "extglob"
                    | "dotglob"
                    | "failglob"
                    | "-o"
                    | "+o"
                    | "-s"
                    | "-u"
            ) || text
                .strip_prefix(['-', '+'])
                .is_some_and(|letters| letters.chars().all(|letter| "euxoEfC".contains(letter)))
        })
    });
    if !harmless || words.is_empty() {
        findings.push(Finding::ask(
            "program/arguments",
            "it changes or prints the shell's state".into(),
            invocation.span(),
        ));
    }
}

fn sed(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let scripts = invocation
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Option { name, value, .. } if name == "-e" || name == "--expression" => {
                Some(*value)
            }
            Argument::Option { .. } | Argument::Operand(_) => None,
        });
    let mut scripts: Vec<Option<&str>> = scripts.collect();
    if invocation.has("f", &["file"]) {
        scripts.push(None);
    }
    if scripts.is_empty() {
        scripts.push(
            invocation.segment.words[1..]
                .iter()
                .find(|word| {
                    !word
                        .value
                        .as_deref()
                        .is_some_and(|text| text.starts_with('-'))
                })
                .and_then(|word| word.value.as_deref()),
        );
    }
    if !scripts
        .iter()
        .all(|script| script.is_some_and(is_plain_sed))
    {
        findings.push(Finding::ask(
            "program/arguments",
            "the script could run programs or write files".into(),
            invocation.span(),
        ));
    }
    let with = if invocation.segment.words.iter().any(|word| {
        word.value.as_deref().is_some_and(|text| {
            text.starts_with("-i")
                || text.starts_with("--in-place")
                || (text.starts_with('-') && !text.starts_with("--") && text.contains('i'))
        })
    }) {
        Use::Write
    } else {
        Use::Read
    };
    files(judge, invocation, with, findings);
}

/// Whether a script is only substitutions, prints, deletions and addresses without `e`, `w`, `r` and `W`.
fn is_plain_sed(script: &str) -> bool {
    script.split([';', '\n']).all(|command| {
        let command = command.trim();
        let address = command.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, ',' | '$' | ' ' | '!' | '~' | '+')
        });
        let body = after_regular(address);
        match body.chars().next() {
            None => true,
            Some(
                'p' | 'd' | 'q' | '=' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'D' | 'P' | 'l'
                | '}' | '{' | '#',
            ) => body.len() <= 2,
            Some('s' | 'y') => is_plain_substitution(body),
            Some(_) => false,
        }
    })
}

/// What follows `/regular/` and `/a/,/b/` addresses.
fn after_regular(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('/') else {
        return text;
    };
    match rest.find('/') {
        Some(place) => {
            let rest = rest[place + 1..].trim_start_matches([',', ' ', '!']);
            if rest.starts_with('/') {
                after_regular(rest)
            } else {
                rest
            }
        }
        None => text,
    }
}

fn is_plain_substitution(body: &str) -> bool {
    let mut characters = body.chars().skip(1);
    let Some(delimiter) = characters.next() else {
        return false;
    };
    let flags = body.rsplit(delimiter).next().unwrap_or("e");
    body.matches(delimiter).count() >= 3
        && flags.chars().all(|flag| "gpiIm0123456789".contains(flag))
}

fn awk(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let script = invocation.operands().next();
    let code = script.and_then(|word| word.value.as_deref());
    let dangerous = |code: &str| {
        [
            "system", "getline", "ARGV", "|", "close(", "@load", "@include", "printf >", "ENVIRON",
            "/inet",
        ]
        .iter()
        .any(|call| code.contains(call))
            || writes_file(code)
    };
    if invocation.has("fEilD", &["file", "exec", "include", "load"]) || code.is_none_or(dangerous) {
        findings.push(Finding::ask(
            "program/arguments",
            "the script could run programs or use other files".into(),
            invocation.span(),
        ));
    }
    files(judge, invocation, Use::Read, findings);
}

/// `print > "file"`, but not `$1 > 5`.
fn writes_file(code: &str) -> bool {
    code.contains("print")
        && code.contains('>')
        && code.contains('"')
        && code
            .split('>')
            .skip(1)
            .any(|rest| rest.trim_start().starts_with(['"', '$', '(']) || rest.starts_with('>'))
}

fn files(judge: &Judge<'_>, invocation: &Invocation<'_>, with: Use, findings: &mut Vec<Finding>) {
    let only = Segment {
        assignments: Vec::new(),
        redirects: Vec::new(),
        ..invocation.segment.clone()
    };
    for candidate in execgate_rules::paths::candidates(&only, Some(invocation)) {
        findings.extend(access::file(judge, &candidate, with));
    }
}

fn tar(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const HARMLESS: &str = "cxtvfzjJpkamW";
    let words = &invocation.segment.words[1..];
    let bundled = words
        .first()
        .and_then(|word| word.value.as_deref())
        .filter(|text| !text.starts_with('-'))
        .unwrap_or("");
    let letters = table::option_names(invocation).all(|name| match name.strip_prefix("--") {
        Some(long) => matches!(
            long,
            "create"
                | "extract"
                | "list"
                | "file"
                | "verbose"
                | "gzip"
                | "exclude"
                | "strip-components"
                | "exclude-vcs"
        ),
        None => name.chars().skip(1).all(|letter| HARMLESS.contains(letter)),
    });
    if !letters || !bundled.chars().all(|letter| HARMLESS.contains(letter)) {
        findings.push(Finding::ask(
            "program/arguments",
            "these options of `tar` can run programs or write elsewhere".into(),
            invocation.span(),
        ));
    }
    if crate::flow::is_fed_by_network(judge, invocation.segment) {
        findings.push(
            Finding::ask(
                "code/written",
                "it unpacks what it has just fetched".into(),
                invocation.span(),
            )
            .high(),
        );
    }
    files(judge, invocation, Use::Write, findings);
}

/// Keys of git that only change what is shown, with the values that are known.
fn configures(invocation: &Invocation<'_>) -> bool {
    let plain = |value: &str| {
        let (key, value) = value.split_once('=').unwrap_or((value, ""));
        let key = key.to_ascii_lowercase();
        (key == "core.pager" && matches!(value, "cat" | ""))
            || [
                "core.quotepath",
                "color.ui",
                "color.",
                "advice.",
                "log.date",
            ]
            .iter()
            .any(|known| key.starts_with(known))
    };
    let operands: Vec<&str> = invocation.operand_texts().collect();
    let sets = operands.first() == Some(&"config")
        && (operands.len() > 3
            || invocation.has(
                "fe",
                &[
                    "global",
                    "system",
                    "add",
                    "unset",
                    "file",
                    "replace-all",
                    "edit",
                ],
            ));
    let helper = operands.iter().any(|text| text.contains("::"));
    let foreign =
        operands.first() == Some(&"pull") && operands.iter().any(|text| text.contains("://"));
    sets || helper
        || foreign
        || invocation.arguments.iter().any(|argument| match argument {
            Argument::Option { name, value, .. } => {
                name == "-c"
                    && value.is_none_or(|value| !plain(value))
                    && invocation.verb() != Some("switch")
            }
            Argument::Operand(_) => false,
        })
}

/// Queries that only select.
fn queries(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const VERBS: &[&str] = &[
        "select",
        "show",
        "explain",
        "describe",
        "\\d",
        "\\l",
        "\\conninfo",
        "\\dt",
    ];
    let query = invocation.segment.words[1..]
        .iter()
        .filter_map(|word| word.value.as_deref())
        .find(|text| {
            let lower = text.trim_start().to_ascii_lowercase();
            VERBS.iter().any(|verb| lower.starts_with(verb))
        });
    let commands = invocation.segment.words[1..]
        .iter()
        .filter_map(|word| word.value.as_deref())
        .any(|text| text.starts_with('.') || text.starts_with('|'));
    let plain = !commands
        && query.is_some_and(|text| {
            let lower = text.to_ascii_lowercase();
            ![
                "into",
                "outfile",
                "dumpfile",
                "copy",
                "program",
                "load_",
                "pg_",
                "lo_",
                ";",
                "\\!",
                "\\o",
                "analyze update",
                "analyze delete",
                "delete ",
                "update ",
                "insert ",
            ]
            .iter()
            .any(|word| lower.contains(word))
        });
    let options = table::option_names(invocation).all(|name| {
        matches!(
            name,
            "-c" | "-e"
                | "-d"
                | "-h"
                | "-U"
                | "-A"
                | "-t"
                | "-p"
                | "-u"
                | "-q"
                | "-X"
                | "--command"
                | "--execute"
        )
    });
    if !plain || !options {
        findings.push(Finding::ask(
            "program/arguments",
            "only plain queries are known to be harmless".into(),
            invocation.span(),
        ));
    }
}

fn interprets(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    if invocation.only_informs() {
        return;
    }
    let module = invocation.option("m", &[]).and_then(|(_, value)| value);
    if shells::unversioned(&invocation.name) == "python" && module.is_some() {
        let leading = invocation
            .segment
            .words
            .get(1)
            .and_then(|word| word.value.as_deref())
            == Some("-m");
        if !leading || !module.is_some_and(|module| MODULES.contains(&module)) {
            findings.push(Finding::ask(
                "program/unknown",
                "nothing is known of that module".into(),
                invocation.span(),
            ));
        }
        access::develops(judge, invocation, findings);
        return;
    }
    if table::look_up(base_name(invocation.written), invocation).is_some_and(|known| {
        known
            .refuses(&invocation.name, &invocation.segment.words[1..])
            .is_none()
    }) {
        access::develops(judge, invocation, findings);
        return;
    }
    runs_script(judge, invocation, "inline code", findings);
}

/// A script of the project, with harmless options before it.
fn runs_script(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    _kind: &str,
    findings: &mut Vec<Finding>,
) {
    if invocation.only_informs() {
        return;
    }
    let shell = shells::SHELLS.contains(&invocation.name.as_str());
    let words = &invocation.segment.words[1..];
    let place = words.iter().position(|word| {
        !word
            .value
            .as_deref()
            .is_some_and(|text| text.starts_with('-') && text.len() > 1)
    });
    let harmless = words[..place.unwrap_or(words.len())].iter().all(|word| {
        word.value.as_deref().is_some_and(|text| {
            QUIET_OPTIONS.contains(&text) && (shell || text != "-e" && text != "-n" && text != "-x")
        })
    });
    let script = place
        .and_then(|place| words[place].value.as_deref())
        .filter(|text| text.contains(['.', '/']) || *text == "artisan");
    match script {
        Some(path) if harmless => {
            let first = place.unwrap_or(0);
            access::script(judge, path, words[first].span, findings);
            access::develops(judge, invocation, findings);
        }
        Some(_) | None => findings.push(
            Finding::ask(
                "eval/inline-code",
                format!(
                    "`{}` runs code that is not a file of the project",
                    invocation.written
                ),
                invocation.span(),
            )
            .high(),
        ),
    }
}

/// Judges a wrapper by its own words; the inner command is judged on its own.
pub(crate) fn wraps(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    own: &[Word],
    findings: &mut Vec<Finding>,
) {
    let name = base_name(invocation.written);
    for word in own {
        if let Some((variable, value)) = word
            .value
            .as_deref()
            .and_then(|text| text.split_once('='))
            .filter(|(name, _)| is_name(name))
        {
            let value = Word {
                value: Some(value.to_owned()),
                ..word.clone()
            };
            findings.extend(environment::variable(variable, &value, word.span, true));
        } else if word.value.is_none()
            && !matches!(
                name,
                "xargs" | "find" | "exec" | "trap" | "timeout" | "bash" | "sh"
            )
        {
            findings.push(Finding::ask(
                "program/arguments",
                format!("not all arguments of `{name}` are known"),
                word.span,
            ));
        }
    }
    if name == "script" {
        files(judge, invocation, Use::Write, findings);
    }
    if matches!(name, "find") {
        find(judge, invocation, findings);
    }
    if name == "xargs" || name == "parallel" {
        feeds(judge, invocation, findings);
    }
    let runs = judge
        .children(invocation.index)
        .any(|child| matches!(child.relation, Relation::Wrapped | Relation::Script));
    let alone = match name {
        "find" | "watch" => true,
        "exec" => invocation.segment.words.len() == 1,
        "command" => invocation.has("vV", &[]),
        "trap" => own.is_empty(),
        _ => false,
    };
    if !runs && !alone {
        findings.push(Finding::ask(
            "program/arguments",
            format!("what `{name}` runs is not known"),
            invocation.span(),
        ));
    }
}

/// What `find` runs for files outside of the workspace may only read.
fn find(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let changes = judge.children(invocation.index).any(|child| {
        Invocation::read(0, child).is_none_or(|inner| {
            !matches!(
                table::look_up(base_name(inner.written), &inner).map(|known| known.effect),
                Some(table::Effect::Speaks | table::Effect::Reads)
            )
        })
    });
    let writes = judge.children(invocation.index).any(|child| {
        Invocation::read(0, child).is_some_and(|inner| {
            table::look_up(base_name(inner.written), &inner)
                .is_some_and(|known| known.effect == table::Effect::Writes)
        })
    });
    if writes {
        findings.push(Finding::ask(
            "program/arguments",
            "which files it changes is not known before it runs".into(),
            invocation.span(),
        ));
    }
    let with = if changes { Use::Write } else { Use::Read };
    for root in delete::roots(invocation) {
        let candidate = Candidate {
            path: Path::Known(root.to_owned()),
            span: invocation.span(),
        };
        findings.extend(access::file(judge, &candidate, with));
        if matches!(judge.class(root), Some(Class::Readable | Class::System)) && root.len() < 5 {
            findings.push(Finding::ask(
                "path/outside",
                format!("it walks through all of `{root}`"),
                invocation.span(),
            ));
        }
    }
}

/// What `xargs` appends must come from a list of the project's files, and go to a program that reads or checks.
fn feeds(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const LISTERS: &[&str] = &["ls", "find", "fd", "rg", "git", "seq"];
    let (start, end) = invocation.segment.fed_by.unwrap_or((0, 0));
    let listed = start < end
        && judge
            .line
            .invocations
            .iter()
            .filter(|feeder| (start as usize..end as usize).contains(&feeder.index))
            .all(|feeder| LISTERS.contains(&feeder.name.as_str()));
    let reads = judge.children(invocation.index).all(|child| {
        Invocation::read(0, child).is_some_and(|inner| {
            matches!(
                table::look_up(base_name(inner.written), &inner).map(|known| known.effect),
                Some(table::Effect::Speaks | table::Effect::Reads | table::Effect::Develops)
            ) && inner.name != "git"
                || inner.name == "bash" && inner.has("n", &[])
        })
    });
    if !listed || !reads {
        findings.push(Finding::ask(
            "program/arguments",
            "which arguments it appends is not known before it runs".into(),
            invocation.span(),
        ));
    }
}
