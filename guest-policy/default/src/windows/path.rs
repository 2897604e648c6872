//! Paths of Windows, and the items of PowerShell's drives, in the form that the other rules know.

use std::borrow::Cow;

use execgate_knowledge::windows;
use execgate_rules::paths::{after_tilde, is_inside, lexical};

use super::Shell;
use crate::place::{self, Class};

/// What a text that stands for a path is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A path: relative, `/…`, or `/c:/…` in lower case.
    Path(String),
    /// `NUL` and the like.
    Nothing,
    /// An item of a drive that holds no files: the drive and the rest in lower case.
    Item(String, String),
    /// A file of another host.
    Network,
    /// A disk.
    Device,
    /// A spelling that may stand for something else: a short name, a stream, a place on another drive.
    Unclear,
}

/// Devices that take what is written to them and keep nothing.
const DEVICES: [&str; 6] = ["aux", "con", "conin$", "conout$", "nul", "prn"];

/// An absolute directory of the machine, as the other rules know it.
pub(crate) fn root(path: &str) -> Cow<'_, str> {
    if is_drive(path.as_bytes()) {
        let plain = path.replace('\\', "/").to_lowercase();
        Cow::Owned(format!("/{}", plain.trim_end_matches('/')))
    } else {
        Cow::Borrowed(path)
    }
}

/// As [`root`], without a copy of what stays as it is.
pub(crate) fn rooted(path: String) -> String {
    if is_drive(path.as_bytes()) {
        root(&path).into_owned()
    } else {
        path
    }
}

/// An absolute directory as Windows spells it.
pub(super) fn native(path: &str) -> String {
    let drive = path.as_bytes().get(1..).is_some_and(is_drive);
    path[usize::from(drive)..].to_owned()
}

/// Whether a path begins with the letter of a drive.
#[inline]
pub(crate) fn is_drive(path: &[u8]) -> bool {
    matches!(path, [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Reads a text; `home` is what `~` stands for, `user` the directory that `C:\Users\NAME` is another name of.
pub(super) fn read(text: &str, shell: Shell, home: Option<&str>, user: Option<&str>) -> Place {
    let lower = text.to_ascii_lowercase();
    if let Some((provider, item)) = lower.split_once("::") {
        return match provider.rsplit('\\').next().unwrap_or(provider) {
            "filesystem" => read(&text[provider.len() + 2..], shell, home, user),
            name => Place::Item(name.to_owned(), item.to_owned()),
        };
    }
    let plain = text.replace('\\', "/");
    if let Some(rest) = ["//?/", "//./", "/??/"]
        .into_iter()
        .find_map(|prefix| plain.strip_prefix(prefix))
    {
        return device(rest, shell, home, user);
    }
    if plain.starts_with("//") {
        return Place::Network;
    }
    if is_drive(plain.as_bytes()) {
        return on_drive(&plain, user);
    }
    if let Some((drive, rest)) = plain.split_once(':') {
        let name = !drive.is_empty()
            && drive
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        return match shell {
            Shell::PowerShell if name => {
                Place::Item(drive.to_ascii_lowercase(), rest.to_ascii_lowercase())
            }
            Shell::PowerShell | Shell::Cmd => Place::Unclear,
        };
    }
    match (after_tilde(&plain), home) {
        (Some(rest), Some(home)) if shell == Shell::PowerShell => names(&format!("{home}{rest}")),
        (Some(_), None) if shell == Shell::PowerShell => Place::Unclear,
        _ => names(&plain),
    }
}

/// What stands after `\\?\` and `\\.\`.
fn device(rest: &str, shell: Shell, home: Option<&str>, user: Option<&str>) -> Place {
    let drive = is_drive(rest.as_bytes());
    if drive && rest.len() > 3 {
        read(rest, shell, home, user)
    } else if rest.to_ascii_lowercase().starts_with("unc/") {
        Place::Network
    } else if DEVICES.contains(&rest.to_ascii_lowercase().as_str()) {
        Place::Nothing
    } else {
        Place::Device
    }
}

fn on_drive(plain: &str, user: Option<&str>) -> Place {
    let rest = &plain[2..];
    if !rest.starts_with('/') {
        // A place on that drive which nothing here knows.
        return Place::Unclear;
    }
    let whole = lexical("/", &plain.to_lowercase());
    let own = user.and_then(|home| {
        let name = home.rsplit('/').next()?.to_lowercase();
        let inside = whole.strip_prefix(&format!("/c:/users/{name}"))?;
        let inside = (inside.is_empty() || inside.starts_with('/')).then_some(inside)?;
        // What follows keeps its case: the directory it stands for may tell cases apart.
        let clean = lexical("/", plain);
        Some(format!("{home}{}", &clean[clean.len() - inside.len()..]))
    });
    names(&own.unwrap_or(whole))
}

/// Checks each name of a path: Windows drops blanks and dots at its end, and short names stand for others.
fn names(path: &str) -> Place {
    let mut clean: Vec<&str> = Vec::new();
    for (place, name) in path.split('/').enumerate() {
        let drive = place == 1 && is_drive(name.as_bytes()) && name.len() == 2;
        if drive || matches!(name, "" | "." | "..") {
            clean.push(name);
            continue;
        }
        let trimmed = name.trim_end_matches([' ', '.']);
        let short = name.split_once('~').is_some_and(|(start, rest)| {
            !start.is_empty() && rest.starts_with(|first: char| first.is_ascii_digit())
        });
        if trimmed.is_empty() || name.contains(':') || short {
            return Place::Unclear;
        }
        clean.push(trimmed);
    }
    let last = clean.last().copied().unwrap_or("").to_ascii_lowercase();
    let stem = last.split('.').next().unwrap_or("");
    if DEVICES.contains(&stem) {
        return Place::Nothing;
    }
    Place::Path(clean.join("/"))
}

/// The kind of an absolute path of Windows, by its name; `None` for any other path.
pub(crate) fn class(path: &str, workspace: Option<&str>, home: Option<&str>) -> Option<Class> {
    if !is_drive(path.as_bytes().get(1..)?) {
        return None;
    }
    let below = |root: &&str| is_inside(path, root);
    let inside = |root: Option<&str>| {
        let root = super::root(root?);
        let rest = path.strip_prefix(root.as_ref())?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    };
    if let Some(rest) = inside(workspace) {
        return Some(place::project(rest));
    }
    let users = path
        .strip_prefix("/c:/users/")
        .and_then(|rest| rest.split_once('/'));
    let in_home = inside(home)
        .map(|rest| rest.trim_start_matches('/'))
        .or(users.map(|(_, rest)| rest));
    if let Some(rest) = in_home {
        return Some(home_class(rest));
    }
    Some(if windows::TEMPORARY.iter().any(below) {
        Class::Temporary
    } else if windows::SYSTEM_SECRETS.iter().any(below) {
        Class::Secret
    } else if windows::READABLE.iter().any(below) {
        Class::Readable
    } else if path.len() <= "/c:/".len()
        || is_inside(path, "/c:/programdata")
        || is_inside(path, "/c:/boot")
    {
        Class::System
    } else {
        Class::Elsewhere
    })
}

/// The kind of a place below a home directory.
pub(super) fn home_class(rest: &str) -> Class {
    let below = |name: &&str| is_inside(rest, name);
    if windows::HOME_SECRETS.iter().any(below) {
        Class::Secret
    } else if windows::HOME_STARTUP.iter().any(below) {
        Class::Startup
    } else if is_inside(rest, "appdata/local/temp") {
        Class::Temporary
    } else {
        place::in_home(rest)
    }
}

/// The name that a program is known by: in lower case, without its path and the endings that run by themselves.
pub(super) fn program_name(written: &str) -> String {
    let base = written.rsplit(['/', '\\']).next().unwrap_or(written);
    let lower = base.to_ascii_lowercase();
    let stem = [".exe", ".com", ".cmd", ".bat"]
        .into_iter()
        .find_map(|ending| lower.strip_suffix(ending).filter(|stem| !stem.is_empty()));
    stem.map_or_else(|| lower.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_windows_reads_them() {
        let path = |text: &str| Place::Path(text.to_owned());
        let item = |drive: &str, rest: &str| Place::Item(drive.to_owned(), rest.to_owned());
        for (text, expected) in [
            ("src\\main.rs", path("src/main.rs")),
            (".\\a\\..\\b", path("./a/../b")),
            ("C:\\Windows\\..\\Data", path("/c:/data")),
            (
                "c:/Users/Dev/Project/A.txt",
                path("/home/dev/Project/A.txt"),
            ),
            ("C:\\Users\\developer", path("/c:/users/developer")),
            ("C:x", Place::Unclear),
            ("\\\\server\\share", Place::Network),
            ("\\\\?\\C:\\x", path("/c:/x")),
            ("\\\\.\\PhysicalDrive0", Place::Device),
            ("\\\\.\\C:", Place::Device),
            ("nul", Place::Nothing),
            ("NUL.txt", Place::Nothing),
            ("a.txt:hidden", Place::Unclear),
            ("GIT~1\\config", Place::Unclear),
            ("a. \\b", path("a/b")),
            ("a\\...\\b", Place::Unclear),
            ("env:PATH", item("env", "path")),
            (
                "Registry::HKLM\\Software",
                item("registry", "hklm\\software"),
            ),
            (
                "Microsoft.PowerShell.Core\\FileSystem::C:\\x",
                path("/c:/x"),
            ),
            ("~\\.ssh", path("/home/dev/.ssh")),
        ] {
            let place = read(
                text,
                Shell::PowerShell,
                Some("/home/dev"),
                Some("/home/dev"),
            );
            assert_eq!(place, expected, "{text}");
        }
        assert_eq!(read("~", Shell::Cmd, Some("/home/dev"), None), path("~"));
    }

    #[test]
    fn places_of_windows_have_kinds() {
        let kind = |path: &str| {
            class(
                path,
                Some("C:\\Users\\dev\\project"),
                Some("C:\\Users\\dev"),
            )
        };
        for (path, expected) in [
            ("/c:/users/dev/project/src", Class::Project),
            ("/c:/users/dev/project/.env", Class::ProjectSecret),
            ("/c:/users/dev/project2", Class::Elsewhere),
            ("/c:/users/dev/.ssh/id_rsa", Class::Secret),
            ("/c:/users/other/appdata/roaming/gnupg/x", Class::Secret),
            (
                "/c:/users/dev/documents/powershell/profile.ps1",
                Class::Startup,
            ),
            ("/c:/users/dev/appdata/local/temp/x", Class::Temporary),
            ("/c:/windows/system32/config/sam", Class::Secret),
            ("/c:/windows/system32/drivers/etc/hosts", Class::Readable),
            ("/c:", Class::System),
            ("/d:/data", Class::Elsewhere),
        ] {
            assert_eq!(kind(path), Some(expected), "{path}");
        }
        assert_eq!(kind("/home/dev"), None);
    }
}
