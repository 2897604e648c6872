//! Signals by name and number.

/// The signals that kill(1) knows on Linux and macOS alike, by name without `SIG`.
const NAMES: &[(&str, i32)] = &[
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("BUS", libc::SIGBUS),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("USR1", libc::SIGUSR1),
    ("SEGV", libc::SIGSEGV),
    ("USR2", libc::SIGUSR2),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("CHLD", libc::SIGCHLD),
    ("CONT", libc::SIGCONT),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("URG", libc::SIGURG),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("IO", libc::SIGIO),
    ("SYS", libc::SIGSYS),
];

/// The name of a signal; `SIG` and its number where it has none.
pub fn name(number: i32) -> String {
    match NAMES.iter().find(|(_, known)| *known == number) {
        Some((name, _)) => format!("SIG{name}"),
        None => format!("SIG{number}"),
    }
}

/// The number of a signal that is named `INT`, `SIGINT`, `sigint` or `2`.
pub fn parse(text: &str) -> Option<i32> {
    let upper = text.trim().to_ascii_uppercase();
    let short = upper.strip_prefix("SIG").unwrap_or(&upper);
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == short) {
        return Some(*number);
    }
    let number = upper.parse().ok()?;
    NAMES
        .iter()
        .any(|(_, known)| *known == number)
        .then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_signal_is_read() {
        for text in ["INT", "SIGINT", "sigint", " 2 "] {
            assert_eq!(parse(text), Some(libc::SIGINT), "{text}");
        }
        for text in ["", "SIG", "0", "-9", "99", "NOPE", "9x"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(name(libc::SIGKILL), "SIGKILL");
        assert_eq!(name(64), "SIG64");
    }
}
