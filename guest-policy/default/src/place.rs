//! What kind of place a path is, by its name and by where it really leads.

use std::cell::RefCell;
use std::collections::BTreeMap;

use execgate_knowledge::{devices, sensitive};
use execgate_rules::paths::{is_inside, lexical};

use crate::facts::Facts;
use crate::windows;

/// Kinds of places, from harmless to dangerous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// `/dev/null` and the like.
    Harmless,
    /// In the workspace.
    Project,
    /// In the workspace, and run or read by tools on their own.
    ProjectStartup,
    /// A directory for files that do not last.
    Temporary,
    /// A part of the system that anybody may read.
    Readable,
    /// In the workspace, and by its name a secret.
    ProjectSecret,
    /// Anywhere else.
    Elsewhere,
    /// The rest of the system.
    System,
    /// Run by itself at the next login or start.
    Startup,
    /// By its name a secret.
    Secret,
    /// A disk.
    Device,
}

/// The places of one request.
pub(crate) struct Places<'a> {
    facts: &'a Facts<'a>,
    /// Those that were looked at, by their absolute names.
    seen: RefCell<BTreeMap<String, Class>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(facts: &'a Facts<'a>) -> Self {
        Self {
            facts,
            seen: RefCell::default(),
        }
    }

    /// The worse of the kinds that a path has as named and as resolved.
    pub(crate) fn class(&self, base: &str, path: &str) -> Class {
        let absolute = lexical(base, path);
        if let Some(class) = self.seen.borrow().get(&absolute) {
            return *class;
        }
        let class = self.look(&absolute);
        self.seen.borrow_mut().insert(absolute, class);
        class
    }

    fn look(&self, absolute: &str) -> Class {
        let drive = on_drive(absolute);
        let place = if drive {
            self.facts.place(&absolute[1..].replace('/', "\\"))
        } else {
            self.facts.place(absolute)
        };
        let named = self.named(absolute);
        match place.real_path {
            Some(real) if real != absolute && !(place.in_workspace && named <= Class::Project) => {
                named.max(self.named(&windows::root(&real)))
            }
            Some(_) => named,
            None if drive => named,
            None if named <= Class::ProjectStartup
                && !place.in_workspace
                && named != Class::Harmless =>
            {
                Class::Elsewhere
            }
            None => named,
        }
    }

    /// Whether a path is the workspace, the home directory, or holds one of them.
    pub(crate) fn holds_everything(&self, base: &str, path: &str) -> bool {
        let absolute = lexical(base, path);
        let holds = |inner: Option<&str>| {
            inner.is_some_and(|inner| is_inside(&windows::root(inner), &absolute))
        };
        holds(self.facts.workspace()) || holds(self.facts.home())
    }

    fn named(&self, path: &str) -> Class {
        let below = |root: &&str| is_inside(path, root);
        // Only then are the workspace and the home directory asked for.
        if on_drive(path)
            && let Some(class) = windows::class(path, self.facts.workspace(), self.facts.home())
        {
            return class;
        }
        if path.starts_with("/dev/")
            && (devices::HARMLESS.contains(path) || is_inside(path, "/dev/fd"))
        {
            return Class::Harmless;
        }
        if let Some(rest) = self
            .facts
            .workspace()
            .and_then(|root| path.strip_prefix(root))
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            return project(rest);
        }
        if let Some(rest) = self
            .facts
            .home()
            .and_then(|home| path.strip_prefix(home))
            .and_then(|rest| rest.strip_prefix('/'))
        {
            return in_home(rest);
        }
        if sensitive::TEMPORARY.iter().any(below) {
            return Class::Temporary;
        }
        if devices::is_block(path) {
            return Class::Device;
        }
        if sensitive::SYSTEM_SECRETS.iter().any(below) || path.ends_with("/environ") {
            return Class::Secret;
        }
        if sensitive::READABLE.iter().any(below) {
            return Class::Readable;
        }
        if is_inside(path, "/home")
            || is_inside(path, "/Users")
            || is_inside(path, "/mnt")
            || is_inside(path, "/media")
            || is_inside(path, "/srv")
        {
            return Class::Elsewhere;
        }
        Class::System
    }
}

/// Whether an absolute path is one of Windows: `/c:/…`.
fn on_drive(path: &str) -> bool {
    path.as_bytes().get(1..).is_some_and(windows::is_drive)
}

#[inline]
pub(crate) fn in_home(rest: &str) -> Class {
    let below = |name: &&str| is_inside(rest, name);
    if sensitive::HOME_SECRETS.iter().any(below) {
        Class::Secret
    } else if sensitive::HOME_STARTUP.iter().any(below) {
        Class::Startup
    } else {
        Class::Elsewhere
    }
}

#[inline]
pub(crate) fn project(rest: &str) -> Class {
    let names = rest.split('/').filter(|name| !name.is_empty());
    let mut class = Class::Project;
    for name in names {
        if is_secret_name(name) {
            return Class::ProjectSecret;
        }
        if sensitive::PROJECT_STARTUP.contains(&name) {
            class = Class::ProjectStartup;
        }
    }
    class
}

/// Whether a file is by its name a secret: `.env.local` is, `.env.example` is not.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let stem = |secret: &&str| {
        name.split_at_checked(secret.len())
            .is_some_and(|(start, rest)| {
                start.eq_ignore_ascii_case(secret) && (rest.is_empty() || rest.starts_with('.'))
            })
    };
    let ends = |ending: &&str| {
        let start = name.len().checked_sub(ending.len());
        let end = start.and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    let secret = sensitive::PROJECT_SECRETS.iter().any(stem)
        || sensitive::PROJECT_SECRET_ENDINGS.iter().any(ends);
    secret && !is_sample(name)
}

fn is_sample(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    sensitive::SAMPLES
        .iter()
        .any(|sample| lower.contains(sample))
}
