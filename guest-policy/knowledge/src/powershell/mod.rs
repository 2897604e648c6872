//! PowerShell's commands: aliases, and what is known of each cmdlet and its parameters.

mod aliases;
mod cmdlet;
mod names;
mod rows;

pub use self::aliases::ALIASES;
pub use self::cmdlet::{COMMON_PARAMETERS, Cmdlet, Effect};
pub use self::names::CMDLETS;

/// Returns the cmdlet that a name or an alias in any case stands for, in lower case.
pub fn canonical(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let plain = match lower.rsplit_once('\\') {
        Some((module, name)) if module.starts_with("microsoft.powershell.") => name,
        Some(_) | None => &lower,
    };
    match ALIASES.binary_search_by_key(&plain, |(alias, _)| alias) {
        Ok(place) => Some(ALIASES[place].1),
        Err(_) => place_of(plain).map(|place| CMDLETS[place].0),
    }
}

/// Looks a cmdlet up by its name in lower case.
pub fn find(name: &str) -> Option<&'static Cmdlet> {
    place_of(name).map(|place| CMDLETS[place].1)
}

fn place_of(name: &str) -> Option<usize> {
    CMDLETS.binary_search_by_key(&name, |(known, _)| known).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_names_are_found() {
        assert!(ALIASES.is_sorted_by(|left, right| left.0 < right.0));
        assert!(CMDLETS.is_sorted_by(|left, right| left.0 < right.0));
        let names = [
            "RM",
            "%",
            "Microsoft.PowerShell.Management\\Remove-Item",
            "iex",
        ];
        for name in names {
            assert!(
                canonical(name).is_some_and(|name| find(name).is_some()),
                "{name}"
            );
        }
        assert_eq!(canonical("git"), None);
    }
}
