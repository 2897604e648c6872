//! Programs that fetch from the network: reading a plain address is fine, sending is not.

use execgate_guest::{Part, Word};
use execgate_rules::paths::{Candidate, Path, is_url};
use execgate_rules::{Argument, Invocation};

use crate::access::{self, Use};
use crate::finding::Finding;
use crate::judge::Judge;

/// Options of curl that take no value or a harmless one.
const CURL: &[&str] = &[
    "-s",
    "-S",
    "-f",
    "-L",
    "-I",
    "-i",
    "-v",
    "-g",
    "-G",
    "-4",
    "-6",
    "-k0",
    "-m",
    "-A",
    "-o",
    "-O",
    "-w",
    "-C",
    "-r",
    "-J",
    "-N",
    "-#",
    "--silent",
    "--show-error",
    "--fail",
    "--location",
    "--head",
    "--include",
    "--verbose",
    "--get",
    "--compressed",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--user-agent",
    "--output",
    "--remote-name",
    "--write-out",
    "--range",
    "--url",
    "--fail-with-body",
    "--progress-bar",
    "--http1.1",
    "--http2",
    "--no-progress-meter",
    "--retry-connrefused",
    "--retry-all-errors",
    "--create-dirs",
    "-H",
    "--header",
    "-X",
    "--request",
    "--proto",
    "--tlsv1.2",
    "--max-redirs",
];

/// Options of wget that take no value or a harmless one.
const WGET: &[&str] = &[
    "-q",
    "-c",
    "-O",
    "-P",
    "-v",
    "-n",
    "-t",
    "-T",
    "-S",
    "--quiet",
    "--continue",
    "--spider",
    "--output-document",
    "--directory-prefix",
    "--no-verbose",
    "--tries",
    "--timeout",
    "--show-progress",
    "--max-redirect",
];

/// Where machines keep their own credentials.
const METADATA: &[&str] = &[
    "169.254.",
    "metadata.google",
    "metadata.azure",
    "100.100.100.200",
    "fd00:ec2",
    "metadata.internal",
];

/// Names of the machine itself.
const LOCAL: &[&str] = &["localhost", "127.0.0.1", "::1"];

/// Whether a program only looks which ports of the machine itself are open.
fn probes_itself(invocation: &Invocation<'_>) -> bool {
    let mut operands = invocation.operand_texts();
    let known = |letters: &str, words: &[&str]| {
        invocation.arguments.iter().all(|argument| match argument {
            Argument::Option { name, .. } => match name.strip_prefix("--") {
                Some(word) => words.contains(&word),
                None => name.chars().skip(1).all(|letter| letters.contains(letter)),
            },
            Argument::Operand(word) => word.value.is_some(),
        })
    };
    let number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b','))
    };
    match invocation.name.as_str() {
        "nc" | "ncat" | "netcat" => {
            let local = operands.next().is_some_and(|host| LOCAL.contains(&host));
            invocation.has("z", &[]) && known("nvwz46", &[]) && local && operands.all(number)
        }
        "nmap" => {
            known("FPTVnpsv", &["open"])
                && invocation.operands().next().is_some()
                && operands.all(|text| LOCAL.contains(&text) || number(text))
        }
        _ => false,
    }
}

/// Judges programs that fetch; whether it was one.
pub(crate) fn judge(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) -> bool {
    let options = match invocation.name.as_str() {
        "curl" => CURL,
        "wget" => WGET,
        _ => return probes_itself(invocation),
    };
    if invocation.only_informs() {
        return true;
    }
    for argument in &invocation.arguments {
        match argument {
            Argument::Option { name, value, word } => {
                option(judge, options, name, *value, word, findings)
            }
            Argument::Operand(word) => findings.extend(address(word)),
        }
    }
    true
}

fn option(
    judge: &Judge<'_>,
    options: &[&str],
    name: &str,
    value: Option<&str>,
    word: &Word,
    findings: &mut Vec<Finding>,
) {
    let sends = match name {
        "-H" | "--header" => value.is_none_or(|value| !is_plain_header(value)),
        "-X" | "--request" => !matches!(value, Some("GET" | "HEAD")),
        "-o" | "--output" | "-P" | "--directory-prefix" => {
            if let Some(path) = value {
                let candidate = Candidate {
                    path: Path::Known(path.into()),
                    span: word.span,
                };
                findings.extend(access::file(judge, &candidate, Use::Write));
            }
            value.is_none()
        }
        "-O" | "--output-document" if value.is_some_and(|value| value != "-") => {
            let candidate = Candidate {
                path: Path::Known(value.unwrap_or_default().into()),
                span: word.span,
            };
            findings.extend(access::file(judge, &candidate, Use::Write));
            false
        }
        "-A" | "--user-agent" | "-w" | "--write-out" => value.is_none(),
        "--url" => value.is_none_or(|url| !is_harmless_address(url)),
        known => !options.contains(&known),
    };
    if sends {
        findings.push(
            Finding::ask(
                "network/send",
                format!("`{name}` can send data or read settings"),
                word.span,
            )
            .high(),
        );
    }
}

/// Headers that say what is wanted, not who asks.
fn is_plain_header(header: &str) -> bool {
    let lower = header.to_ascii_lowercase();
    [
        "accept",
        "user-agent:",
        "cache-control:",
        "content-type:",
        "range:",
    ]
    .iter()
    .any(|name| lower.starts_with(name))
}

/// What speaks against an address.
pub(crate) fn address(word: &Word) -> Option<Finding> {
    let harmless = match word.value.as_deref() {
        Some(text) => is_harmless_address(text),
        None => false,
    };
    let prints = word
        .parts
        .iter()
        .any(|part| matches!(part, Part::Substitution));
    let reason = if prints {
        "what another command prints would be a part of the address"
    } else {
        "the address is not known to be harmless"
    };
    (!harmless).then(|| {
        Finding::ask("network/send", reason.into(), word.span)
            .high()
            .instead("fetch a plain http or https address")
    })
}

fn is_harmless_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let scheme =
        !lower.contains("://") || lower.starts_with("http://") || lower.starts_with("https://");
    let host = lower
        .split("://")
        .last()
        .unwrap_or(&lower)
        .split(['/', '?', '#'])
        .next()
        .unwrap_or("");
    let numeric = host.starts_with("0x")
        || (!host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit()))
        || host.contains('[')
        || host.contains('@');
    scheme
        && !numeric
        && !lower.starts_with("file:")
        && !lower.starts_with('-')
        && !METADATA.iter().any(|place| lower.contains(place))
        && (is_url(text) || !text.starts_with('/'))
}
