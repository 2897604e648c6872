//! The directory that no path of a patch leaves.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

#[cfg(test)]
mod tests;

/// Most links that one path goes through, as in Linux.
const MAX_LINKS: usize = 40;

/// A directory and its contents, seen through a handle that neither `..` nor a link can leave.
#[derive(Debug)]
pub(crate) struct Root {
    /// Real path, without links.
    pub path: PathBuf,
    /// The path that it was opened by; links to it are known as well.
    pub given: PathBuf,
    directory: Dir,
}

/// A way through directories, with all links followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// The real path of the last directory that is there, below the root.
    pub real: PathBuf,
    /// What is not there of it, in order.
    pub missing: Vec<OsString>,
    /// The links that were followed, below the root.
    pub links: Vec<PathBuf>,
}

/// Why there is no such way.
#[derive(Debug)]
pub(crate) enum Astray {
    /// A link leads out of the root.
    Escapes {
        /// The link, below the root.
        link: PathBuf,
    },
    /// A link leads to nothing, or in a circle.
    Dangling { link: PathBuf },
    /// Something on the way is no directory.
    NoDirectory { path: PathBuf },
    /// It cannot be looked at.
    Fault { path: PathBuf, error: io::Error },
}

impl Root {
    /// Opens an existing directory, an absolute path.
    pub fn open(given: &Path) -> io::Result<Self> {
        Ok(Self {
            path: given.canonicalize()?,
            given: given.to_owned(),
            directory: Dir::open_ambient_dir(given, ambient_authority())?,
        })
    }

    /// The part of an absolute path below the root, by name alone.
    pub fn below<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        let below = path.strip_prefix(&self.given);
        below.or_else(|_| path.strip_prefix(&self.path)).ok()
    }

    /// Opens a directory below the root.
    pub fn directory(&self, real: &Path) -> io::Result<Dir> {
        self.directory.open_dir(or_dot(real))
    }

    /// Whether something, even a link to nothing, has this path below the root.
    pub fn has(&self, path: &Path) -> bool {
        self.directory.symlink_metadata(path).is_ok()
    }

    /// Goes down a path below the root that has neither `.` nor `..`; links may have them.
    pub fn way(&self, path: &Path) -> Result<Way, Astray> {
        let names = path
            .components()
            .map(|name| (name.as_os_str().to_owned(), None));
        let mut walk = Walk {
            root: self,
            way: Way::default(),
            pending: names.collect(),
        };
        while let Some((name, link)) = walk.pending.pop_front() {
            if !walk.step(&name, link)? {
                let rest = walk.pending.into_iter().map(|(name, _)| name);
                walk.way.missing = [name].into_iter().chain(rest).collect();
                return Ok(walk.way);
            }
        }
        Ok(walk.way)
    }
}

/// `.` for the root itself, which an empty path does not name.
fn or_dot(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

struct Walk<'r> {
    root: &'r Root,
    way: Way,
    /// The names to go, each with the link that it comes from, if any.
    pending: VecDeque<(OsString, Option<PathBuf>)>,
}

impl Walk<'_> {
    /// Goes one name down, or replaces a link by its target. `false` where nothing is there.
    fn step(&mut self, name: &OsStr, link: Option<PathBuf>) -> Result<bool, Astray> {
        if let (Some(link), "..") = (&link, &*name.to_string_lossy()) {
            // What was walked so far has no links, so that its parent is the one before.
            let link = link.clone();
            return match self.way.real.pop() {
                true => Ok(true),
                false => Err(Astray::Escapes { link }),
            };
        }
        let path = self.way.real.join(name);
        match self.root.directory.symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => self.follow(path, link).map(|()| true),
            Ok(metadata) if metadata.is_dir() => {
                self.way.real = path;
                Ok(true)
            }
            Ok(_) => Err(Astray::NoDirectory { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match link {
                Some(link) => Err(Astray::Dangling { link }),
                None => Ok(false),
            },
            Err(error) => Err(Astray::Fault { path, error }),
        }
    }

    /// Puts the target of a link in its place. `outer` is the link that led to this one.
    fn follow(&mut self, path: PathBuf, outer: Option<PathBuf>) -> Result<(), Astray> {
        let target = self.root.directory.read_link_contents(&path);
        let target = target.map_err(|error| Astray::Fault {
            path: path.clone(),
            error,
        })?;
        self.way.links.push(path.clone());
        // The outermost link is the one whose name a person sees.
        let link = outer.unwrap_or(path);
        if self.way.links.len() > MAX_LINKS {
            return Err(Astray::Dangling { link });
        }
        let target = if target.is_absolute() {
            self.way.real = PathBuf::new();
            match self.root.below(&target) {
                Some(below) => below,
                None => return Err(Astray::Escapes { link }),
            }
        } else {
            &target
        };
        for component in target.components().rev() {
            if component != Component::CurDir {
                let name = component.as_os_str().to_owned();
                self.pending.push_front((name, Some(link.clone())));
            }
        }
        Ok(())
    }
}
