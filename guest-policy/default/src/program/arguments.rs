//! Arguments by which a harmless program does more.

use execgate_rules::Invocation;

/// Looking for secrets by name in many files.
pub(super) fn seeks_secrets(invocation: &Invocation<'_>) -> bool {
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

/// `sysctl` that shows values of the kernel and sets none.
pub(super) fn shows_kernel(invocation: &Invocation<'_>) -> bool {
    invocation.segment.words[1..].iter().all(|word| {
        word.value
            .as_deref()
            .is_some_and(|text| match text.strip_prefix('-') {
                Some(letters) => letters.bytes().all(|letter| b"aAbeNnXr".contains(&letter)),
                None => !text.contains('='),
            })
    })
}

/// Filters that read variables or load files.
pub(super) fn reads_environment(invocation: &Invocation<'_>) -> bool {
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
pub(super) fn opens_to_all(invocation: &Invocation<'_>) -> bool {
    invocation.verb().is_none_or(is_open_mode)
}

pub(super) fn is_open_mode(mode: &str) -> bool {
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

/// Whether `ip` only shows; it takes abbreviations of its verbs, so that what it may do is listed.
pub(super) fn shows_network(invocation: &Invocation<'_>) -> bool {
    const OBJECTS: &[&str] = &[
        "a", "addr", "address", "l", "link", "maddr", "n", "neigh", "r", "route", "rule",
    ];
    const OPTIONS: &[&str] = &[
        "-4", "-6", "-br", "-brief", "-c", "-color", "-d", "-details", "-h", "-j", "-json", "-o",
        "-oneline", "-p", "-pretty", "-s", "-stats",
    ];
    let words = invocation.segment.words[1..].iter();
    let words: Option<Vec<&str>> = words.map(|word| word.value.as_deref()).collect();
    let Some(words) = words else { return false };
    let mut rest = words.iter().skip_while(|word| OPTIONS.contains(word));
    rest.next().is_some_and(|object| OBJECTS.contains(object))
        && rest
            .next()
            .is_none_or(|verb| matches!(*verb, "show" | "list" | "ls" | "get"))
}

/// Whether an operand of a program for pictures or films names a protocol or a list of files.
pub(super) fn names_protocol(text: &str) -> bool {
    let scheme = text.split_once(':').is_some_and(|(scheme, _)| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.,_".contains(&byte);
        // A size or a stream begins with digits.
        scheme.bytes().all(plain) && scheme.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    scheme || text.starts_with('@') || text.contains("movie=") || text.contains("://")
}

/// Sizes in units of 2^30 and more.
pub(super) fn is_huge(invocation: &Invocation<'_>) -> bool {
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
