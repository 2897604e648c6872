//! A workspace, what is around it, and what is in them.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::steps::Steps;
use crate::{Applied, PatchError, Patcher, Settings, parse};

/// A directory with the workspace `ws`, something outside of it in `out`, and the state directory `state`.
pub struct Place {
    pub base: TempDir,
}

impl Place {
    /// Files, by their path below the base; a target after `-> ` makes a link, a path that ends with `/` a directory.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let base = tempfile::tempdir().expect("a scratch directory");
        let place = Self { base };
        fs::create_dir(place.at("ws")).expect("it is new");
        fs::create_dir(place.at("out")).expect("it is new");
        for (path, content) in files {
            place.put(path, content);
        }
        place
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    pub fn put(&self, path: &str, content: &str) {
        let at = self.at(path);
        let directory = at.parent().expect("it is in a directory");
        fs::create_dir_all(directory).expect("it can be made");
        if path.ends_with('/') {
            fs::create_dir_all(at).expect("it can be made");
        } else if let Some(target) = content.strip_prefix("-> ") {
            symlink(target, at).expect("it is new");
        } else {
            fs::write(at, content).expect("it can be written");
        }
    }

    pub fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), Permissions::from_mode(mode)).expect("it is there");
    }

    pub fn settings(&self) -> Settings {
        Settings {
            workspace: self.at("ws"),
            workspace_only: true,
            home: Some(self.at("ws/home")),
            state: self.at("state"),
            undo_quota_bytes: Settings::DEFAULT_UNDO_QUOTA_BYTES,
        }
    }

    pub fn patcher(&self) -> Patcher {
        Patcher::open(&self.settings()).expect("the workspace is there")
    }

    pub fn patcher_with(&self, steps: Steps) -> Patcher {
        Patcher {
            steps,
            ..self.patcher()
        }
    }

    pub fn apply(&self, lines: &str) -> Result<Applied, PatchError> {
        self.patcher().apply(&parse(&patch(lines))?)
    }

    /// What `apply` answers, error or not.
    pub fn answer(&self, lines: &str) -> String {
        let base = self.base.path().display().to_string();
        let answer = match self.apply(lines) {
            Ok(applied) => applied.text,
            Err(error) => error.to_string(),
        };
        answer.replace(&base, "$BASE")
    }

    /// All that is there but for the state directory: modes, and contents or targets.
    pub fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        self.list(self.base.path(), &mut tree);
        tree
    }

    fn list(&self, directory: &Path, tree: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(directory).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let name = path.strip_prefix(self.base.path()).expect("it is inside");
            if name == Path::new("state") {
                continue;
            }
            let metadata = path.symlink_metadata().expect("it is there");
            let mode = metadata.permissions().mode();
            let what = if metadata.is_symlink() {
                format!(
                    "-> {}",
                    fs::read_link(&path).expect("it is a link").display()
                )
            } else if metadata.is_file() {
                let content = fs::read(&path).expect("it is a file");
                format!("{mode:o} {}", String::from_utf8_lossy(&content))
            } else {
                format!("{mode:o}")
            };
            tree.insert(name.display().to_string(), what);
            if metadata.is_dir() {
                self.list(&path, tree);
            }
        }
    }

    /// The names of what is kept in the state directory.
    pub fn kept(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.at("state/patches")) else {
            return Vec::new();
        };
        let name =
            |entry: std::io::Result<fs::DirEntry>| entry.expect("it can be read").file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// A patch with these lines.
pub fn patch(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}\n*** End Patch")
}
