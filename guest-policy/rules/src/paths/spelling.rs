//! How paths and addresses are spelt.

/// The path of a `file:` URL.
pub fn file_url(text: &str) -> Option<&str> {
    let scheme = text.get(..5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = &text[5..];
    match rest.strip_prefix("//") {
        Some(authority) => Some(
            authority
                .find('/')
                .map_or(authority, |place| &authority[place..]),
        ),
        None => Some(rest),
    }
}

/// Whether a text begins with a scheme and `://`.
pub fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            && !scheme.eq_ignore_ascii_case("file")
    })
}

/// Whether a text is `host:path` or `user@host:path`.
pub fn is_remote(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, _)| {
        !host.is_empty()
            && host.bytes().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'@' | b'-' | b'.' | b'_' | b'[' | b']')
            })
    })
}

/// A path made absolute by its base, `.` and `..` removed by their names alone.
pub fn lexical(base: &str, path: &str) -> String {
    let mut absolute = String::with_capacity(base.len() + path.len() + 2);
    if !path.starts_with('/') {
        descend(&mut absolute, base);
    }
    descend(&mut absolute, path);
    if absolute.is_empty() {
        absolute.push('/');
    }
    absolute
}

/// Follows the names of a path from a directory that is absolute, or empty for the root.
fn descend(directory: &mut String, path: &str) {
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => directory.truncate(directory.rfind('/').unwrap_or(0)),
            name => {
                directory.push('/');
                directory.push_str(name);
            }
        }
    }
}

/// Whether a path is a directory or lies below it; both are absolute and free of `..`.
pub fn is_inside(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What follows a `~` that stands for the home directory; none where there is none, or it is another user's.
pub fn after_tilde(path: &str) -> Option<&str> {
    path.strip_prefix('~')
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a text has `..` as one of its names.
pub fn climbs(text: &str) -> bool {
    text.split(['/', '\\']).any(|name| name == "..")
}

/// What of a pattern follows the directory it is matched in.
pub fn after_directory<'a>(directory: &str, pattern: &'a str) -> &'a str {
    let rest = pattern
        .strip_prefix(directory)
        .filter(|rest| rest.starts_with('/') || directory == "/");
    rest.unwrap_or(pattern).trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_made_absolute_by_its_names() {
        for (base, path, absolute) in [
            ("/work", "a/./b//c/", "/work/a/b/c"),
            ("/work", "../../../x", "/x"),
            ("/work", "..", "/"),
            ("/work/../home", ".", "/home"),
            ("/work", "/etc/../usr", "/usr"),
            ("/", "", "/"),
            ("", "~/x", "/~/x"),
        ] {
            assert_eq!(lexical(base, path), absolute, "{base} {path}");
        }
    }
}
