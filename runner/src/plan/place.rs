//! Where paths really lead, seen from the call's directory; each is looked up once.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use execgate_host::{PathKind, Place};

/// Looks up paths, and remembers what it saw.
#[derive(Debug)]
pub struct Places {
    cwd: PathBuf,
    real_cwd: Option<PathBuf>,
    real_workspace: Option<PathBuf>,
    seen: Mutex<BTreeMap<String, Place>>,
}

impl Places {
    /// For a directory and workspace, both absolute.
    pub fn new(cwd: &Path, workspace: &Path) -> Self {
        Self {
            cwd: cwd.to_owned(),
            real_cwd: resolve(cwd).ok(),
            real_workspace: resolve(workspace).ok(),
            seen: Mutex::default(),
        }
    }

    /// Where a path as written leads. `~` and variables mean nothing here.
    pub fn look_up(&self, path: &str) -> Place {
        let mut seen = self.seen.lock().expect("no holder of the lock panics");
        seen.entry(path.to_owned())
            .or_insert_with(|| self.examine(path))
            .clone()
    }

    /// Looks whether every path still leads where it led.
    ///
    /// # Errors
    /// The first that does not.
    pub fn recheck(&self) -> Result<(), String> {
        let seen = self.seen.lock().expect("no holder of the lock panics");
        match seen
            .iter()
            .find(|(path, place)| self.examine(path).real_path != place.real_path)
        {
            Some((path, _)) => Err(format!(
                "path `{}` now leads elsewhere",
                path.escape_debug()
            )),
            None => Ok(()),
        }
    }

    fn examine(&self, written: &str) -> Place {
        let joined = self.cwd.join(written);
        let resolved = resolve(&joined);
        let kind = match &resolved {
            Ok(real) => kind_of(real),
            Err(_) => PathKind::Unknown,
        };
        let real = resolved.ok();
        // Without a real path the names alone must decide, and they decide strictly.
        let path = normalize(&joined);
        let inside = |root: &Option<PathBuf>| match (&real, root) {
            (Some(real), Some(root)) => real.starts_with(root),
            (None, _) | (_, None) => false,
        };
        Place {
            in_workspace: inside(&self.real_workspace),
            in_cwd: inside(&self.real_cwd),
            path: path.to_string_lossy().into_owned(),
            real_path: real
                .as_ref()
                .map(|real| real.to_string_lossy().into_owned()),
            kind,
            annotations: Vec::new(),
        }
    }
}

fn kind_of(real: &Path) -> PathKind {
    match real.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => PathKind::File,
        Ok(metadata) if metadata.is_dir() => PathKind::Directory,
        Ok(metadata)
            if metadata.file_type().is_char_device() || metadata.file_type().is_block_device() =>
        {
            PathKind::Special
        }
        Ok(_) => PathKind::Special,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            PathKind::Missing
        }
        Err(_) => PathKind::Unknown,
    }
}

/// Removes `.` and `..` by their names alone.
pub fn normalize(path: &Path) -> PathBuf {
    let mut clean = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            Component::Normal(name) => clean.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    clean
}

/// Follows links as far as the path exists and appends what does not.
///
/// `..` after a missing name is taken by names alone, as the file would be
/// looked for there once the name exists; a link that leads nowhere is
/// followed to where it would create the file.
fn resolve(path: &Path) -> std::io::Result<PathBuf> {
    let mut links = 0;
    resolve_counted(path, &mut links)
}

/// As many as Linux follows (path_resolution(7)).
const MAX_LINKS: usize = 40;

fn resolve_counted(path: &Path, links: &mut usize) -> std::io::Result<PathBuf> {
    match path.canonicalize() {
        Ok(real) => return Ok(real),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        Err(error) => return Err(error),
    }
    let (Some(parent), Some(last)) = (path.parent(), path.components().next_back()) else {
        return Ok(normalize(path));
    };
    let parent = resolve_counted(parent, links)?;
    let name = match last {
        Component::ParentDir => return Ok(parent.parent().unwrap_or(&parent).to_owned()),
        Component::Normal(name) => name,
        Component::CurDir | Component::RootDir | Component::Prefix(_) => return Ok(parent),
    };
    match parent.join(name).read_link() {
        Ok(target) if *links < MAX_LINKS => {
            *links += 1;
            resolve_counted(&parent.join(target), links)
        }
        Ok(_) => Err(std::io::Error::other("too many links")),
        Err(_) => Ok(parent.join(name)),
    }
}
