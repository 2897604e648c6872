//! A request whose places are looked up on disk.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};

use execgate_analyzer::convert;
use execgate_guest::testing::{FakeRequest, normalize};
use execgate_guest::{Caller, CommandLine, Dialect, Executable, Kind, PathKind, Place, Request};

/// The scratch directory of the case tables.
pub(super) struct Scratch {
    pub(super) base: tempfile::TempDir,
}

impl Scratch {
    pub(super) fn new() -> Self {
        let base = tempfile::tempdir().expect("a scratch directory can be made");
        let ws = base.path().join("ws");
        let out = base.path().join("out");
        for directory in ["sub", "..foo", "skills", "a b"] {
            fs::create_dir_all(ws.join(directory)).expect("it is new");
        }
        fs::create_dir(&out).expect("it is new");
        let files = [
            ("ws/a.txt", "in ws"),
            ("ws/sub/f.txt", "in sub"),
            ("ws/..foo/x", ""),
            ("ws/skills/test.sh", ""),
            ("out/secret.txt", "top secret"),
        ];
        for (name, text) in files {
            fs::write(base.path().join(name), text).expect("it is new");
        }
        let links = [
            ("leak", out.clone()),
            ("leakfile", out.join("secret.txt")),
            ("evil.dir", out),
            ("insidelink", ws.join("sub")),
        ];
        for (name, target) in links {
            symlink(target, ws.join(name)).expect("it is new");
        }
        symlink(&ws, base.path().join("wslink")).expect("it is new");
        Self { base }
    }

    /// A text with the tables' placeholders filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        let base = self.base.path().to_str().expect("it is UTF-8");
        text.replace("{WSL}", "{BASE}/wslink")
            .replace("{WS}", "{BASE}/ws")
            .replace("{OUT}", "{BASE}/out")
            .replace("{BASE}", base)
    }

    /// A request in a directory.
    pub(super) fn request(&self, text: &str, workspace: &str, cwd: &str) -> DiskRequest {
        let text = self.fill(text);
        let home = self.fill("{BASE}/home");
        let cwd = self.fill(cwd);
        let source = execgate_shell::Source {
            text: &text,
            home: Some(&home),
            cwd: Some(&cwd),
            ..execgate_shell::Source::default()
        };
        let line = convert::command_line(execgate_shell::analyze(&source));
        let mut fake = FakeRequest::new(&text, line);
        fake.workspace = Some(self.fill(workspace));
        fake.home = Some(home.clone());
        fake.cwd = cwd;
        DiskRequest { fake }
    }
}

/// A [`FakeRequest`] with real places.
pub(super) struct DiskRequest {
    pub(super) fake: FakeRequest,
}

impl DiskRequest {
    fn look(&self, path: &str) -> Place {
        let absolute = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.fake.cwd)
        };
        let path = normalize(&absolute);
        let real = real(Path::new(&path));
        let inside =
            |root: &str| real.starts_with(fs::canonicalize(root).expect("the root exists"));
        Place {
            in_workspace: self.fake.workspace.as_deref().is_some_and(inside),
            in_cwd: inside(&self.fake.cwd),
            kind: kind(&path),
            real_path: real.to_str().map(str::to_owned),
            annotations: Vec::new(),
            path,
        }
    }
}

/// The real path; of a missing file, that of its nearest existing ancestor with the rest appended.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        (Some(_) | None, _) => path.to_owned(),
    }
}

fn kind(path: &str) -> PathKind {
    match fs::metadata(path).map(|metadata| metadata.file_type()) {
        Err(_) => PathKind::Missing,
        Ok(kind) if kind.is_file() => PathKind::File,
        Ok(kind) if kind.is_dir() => PathKind::Directory,
        Ok(kind) if kind.is_char_device() || kind.is_block_device() || kind.is_fifo() => {
            PathKind::Special
        }
        Ok(_) => PathKind::Unknown,
    }
}

impl Request for DiskRequest {
    fn kind(&self) -> Kind {
        self.fake.kind()
    }
    fn text(&self) -> String {
        self.fake.text()
    }
    fn dialect(&self) -> Dialect {
        self.fake.dialect()
    }
    fn command_line(&self) -> CommandLine {
        self.fake.command_line()
    }
    fn caller(&self) -> Caller {
        self.fake.caller()
    }
    fn cwd(&self) -> Place {
        self.look(&self.fake.cwd)
    }
    fn cwd_given(&self) -> bool {
        self.fake.cwd_given()
    }
    fn workspace(&self) -> Option<String> {
        self.fake.workspace()
    }
    fn home(&self) -> Option<String> {
        self.fake.home()
    }
    fn env_names(&self) -> Vec<String> {
        vec!["HOME".into(), "OLDPWD".into(), "PATH".into()]
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        self.fake.env_overrides()
    }
    fn target(&self) -> String {
        self.fake.target()
    }
    fn terminal(&self) -> bool {
        self.fake.terminal()
    }
    fn background(&self) -> bool {
        self.fake.background()
    }
    fn elevated(&self) -> bool {
        self.fake.elevated()
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.fake.timeout_ms()
    }
    fn executable(&self, segment: u32) -> Option<Executable> {
        self.fake.executable(segment)
    }
    fn place(&self, path: &str) -> Place {
        self.look(path)
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.fake.annotation(name)
    }
}
