//! Paths of a patch to places on the disk.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use crate::error::Problem;
use crate::root::{Astray, Root, Way};

/// Longest path in bytes, as in Linux.
const MAX_PATH_BYTES: usize = 4096;

/// Where paths lead: the workspace, how far beyond it they may, and what else is known of them.
#[derive(Debug)]
pub(crate) struct Ground {
    /// What no path leaves: the workspace, or the whole file system.
    pub root: Root,
    /// Where relative paths begin; absolute, as it was given.
    pub workspace: PathBuf,
    /// The same without links.
    pub real_workspace: PathBuf,
    /// What `~` stands for.
    pub home: Option<PathBuf>,
    /// The real path of a directory that no patch may touch.
    pub state: PathBuf,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its real path below the root: all links on the way are followed, the last name is not looked at.
    pub key: PathBuf,
    /// As it is shown: relative to the workspace where it is inside.
    pub display: String,
    /// Absolute, without `.` and `..`, links as they are.
    pub absolute: PathBuf,
    /// The directories above it that are not there, real paths below the root, outermost first.
    pub missing: Vec<PathBuf>,
    /// The links on the way, below the root.
    pub links: Vec<PathBuf>,
}

impl Ground {
    /// Finds where a path leads.
    pub fn place(&self, path: &str) -> Result<Place, Problem> {
        let absolute = self.absolute(path)?;
        let Some(below) = self.root.below(&absolute) else {
            return Err(Problem::PathEscapes {
                root: self.workspace.display().to_string(),
                path: path.to_owned(),
            });
        };
        let (Some(parent), Some(name)) = (below.parent(), below.file_name()) else {
            return Err(unusable(path, "it is a directory; name a file in it"));
        };
        let way = self
            .root
            .way(parent)
            .map_err(|astray| self.astray(astray))?;
        let place = place(way, name, self.shown(&absolute), absolute.clone());
        if self.root.path.join(&place.key).starts_with(&self.state) {
            return Err(unusable(path, "what is kept to undo patches is there"));
        }
        Ok(place)
    }

    /// The path without `~`, `.` and `..`.
    fn absolute(&self, path: &str) -> Result<PathBuf, Problem> {
        if path.len() > MAX_PATH_BYTES {
            let reason = format!("it is longer than {MAX_PATH_BYTES} bytes");
            return Err(unusable(&crate::text::shown(path), &reason));
        }
        if path.contains('\0') {
            return Err(unusable(path, "it has a NUL character"));
        }
        let path = self.without_at(path);
        let home = match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                let home = self.home.as_ref();
                let home = home
                    .ok_or_else(|| unusable(path, "`~` is not known here; write the whole path"))?;
                Some(home.join(rest.trim_start_matches('/')))
            }
            _ => None,
        };
        let joined = self
            .workspace
            .join(home.unwrap_or_else(|| PathBuf::from(path)));
        Ok(normal(&joined))
    }

    /// Drops the `@` with which people mention files to a model, unless a file is called so.
    fn without_at<'p>(&self, path: &'p str) -> &'p str {
        let Some(rest) = path.strip_prefix('@') else {
            return path;
        };
        let first = Path::new(path).components().next();
        let literal = first.map(|first| self.workspace.join(first));
        let is_there = literal.is_some_and(|literal| {
            let below = self.root.below(&literal);
            below.is_some_and(|below| self.root.has(below))
        });
        if is_there { path } else { rest }
    }

    /// A path as it is shown: relative to the workspace where it is inside.
    pub fn shown(&self, absolute: &Path) -> String {
        let given = absolute.strip_prefix(&self.workspace);
        let inside = given.or_else(|_| absolute.strip_prefix(&self.real_workspace));
        inside.unwrap_or(absolute).display().to_string()
    }

    fn astray(&self, astray: Astray) -> Problem {
        let shown = |below: &Path| self.root.given.join(below).display().to_string();
        match astray {
            Astray::Escapes { link } => Problem::LinkEscapes {
                root: self.workspace.display().to_string(),
                link: shown(&link),
            },
            Astray::Dangling { link } => unusable(
                &shown(&link),
                "it is a link to nothing; name the directory itself",
            ),
            Astray::NoDirectory { path } => unusable(&shown(&path), "it is no directory"),
            Astray::Fault { path, error } => Problem::Fault {
                action: "look at",
                path: shown(&path),
                error,
            },
        }
    }

    /// The problem of a final link: that it leads out, or that it is one.
    pub fn final_link(&self, place: &Place) -> Option<Problem> {
        match self.root.way(&place.key) {
            Err(astray @ Astray::Escapes { .. }) => Some(self.astray(astray)),
            _ => None,
        }
    }
}

fn unusable(path: &str, reason: &str) -> Problem {
    Problem::Path {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

fn place(way: Way, name: &OsStr, display: String, absolute: PathBuf) -> Place {
    let mut directory = way.real;
    let mut missing = Vec::new();
    for name in &way.missing {
        directory.push(name);
        missing.push(directory.clone());
    }
    Place {
        key: directory.join(name),
        display,
        absolute,
        missing,
        links: way.links,
    }
}

/// Resolves `.` and `..` by name alone, as the tool always did: `link/..` is the directory that the link is in.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::Normal(name) => normal.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    normal
}

/// Splits a path below a root into its directory and its last name.
pub(crate) fn split(key: &Path) -> (PathBuf, OsString) {
    let parent = key.parent().unwrap_or(Path::new("")).to_owned();
    let name = key.file_name().unwrap_or_default().to_owned();
    (parent, name)
}
