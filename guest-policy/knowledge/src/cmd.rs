//! The command processor of Windows: what is built into it (`help`, `help cmd`).

/// Built-in commands in lower case, with the name that each is known by here; sorted.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("assoc", "assoc"),
    ("break", "break"),
    ("call", "call"),
    ("cd", "cd"),
    ("chdir", "cd"),
    ("cls", "cls"),
    ("color", "color"),
    ("copy", "copy"),
    ("date", "date"),
    ("del", "del"),
    ("dir", "dir"),
    ("echo", "echo"),
    ("endlocal", "endlocal"),
    ("erase", "del"),
    ("exit", "exit"),
    ("for", "for"),
    ("ftype", "ftype"),
    ("goto", "goto"),
    ("if", "if"),
    ("md", "md"),
    ("mkdir", "md"),
    ("mklink", "mklink"),
    ("move", "move"),
    ("path", "path"),
    ("pause", "pause"),
    ("popd", "popd"),
    ("prompt", "prompt"),
    ("pushd", "pushd"),
    ("rd", "rd"),
    ("rem", "rem"),
    ("ren", "ren"),
    ("rename", "ren"),
    ("rmdir", "rd"),
    ("set", "set"),
    ("setlocal", "setlocal"),
    ("shift", "shift"),
    ("start", "start"),
    ("time", "time"),
    ("title", "title"),
    ("type", "type"),
    ("ver", "ver"),
    ("verify", "verify"),
    ("vol", "vol"),
];

/// Returns the name that a built-in command in any case is known by.
pub fn built_in(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let place = BUILT_IN
        .binary_search_by_key(&lower.as_str(), |(known, _)| known)
        .ok()?;
    Some(BUILT_IN[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found_in_any_case() {
        assert!(BUILT_IN.is_sorted_by(|left, right| left.0 < right.0));
        assert_eq!(built_in("RmDir"), Some("rd"));
        assert_eq!(built_in("git"), None);
    }
}
