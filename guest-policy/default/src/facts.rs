//! What a request says, asked of the host once and only where it matters: each question costs a crossing.

use std::cell::OnceCell;

use execgate_guest::{Executable, Place, Request};

/// The facts of one request.
pub(crate) struct Facts<'a> {
    request: &'a dyn Request,
    text: OnceCell<String>,
    workspace: OnceCell<Option<String>>,
    home: OnceCell<Option<String>>,
    variables: OnceCell<Vec<String>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(request: &'a dyn Request) -> Self {
        Self {
            request,
            text: OnceCell::new(),
            workspace: OnceCell::new(),
            home: OnceCell::new(),
            variables: OnceCell::new(),
        }
    }

    /// The exact text.
    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| self.request.text())
    }

    pub(crate) fn workspace(&self) -> Option<&str> {
        let workspace = self.workspace.get_or_init(|| self.request.workspace());
        workspace.as_deref()
    }

    pub(crate) fn home(&self) -> Option<&str> {
        self.home.get_or_init(|| self.request.home()).as_deref()
    }

    /// Whether the command would see a variable of a name.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        let variables = self.variables.get_or_init(|| self.request.env_names());
        variables.iter().any(|known| known == name)
    }

    /// Whether the call sets a variable of a name. Not kept.
    pub(crate) fn overrides(&self, name: &str) -> bool {
        let overrides = self.request.env_overrides();
        overrides.iter().any(|(known, _)| known == name)
    }

    /// The directory the command would run in. Not kept.
    pub(crate) fn cwd(&self) -> String {
        self.request.cwd().path
    }

    /// The program of a segment. Not kept.
    pub(crate) fn executable(&self, segment: usize) -> Option<Executable> {
        self.request.executable(u32::try_from(segment).ok()?)
    }

    /// Where a path leads. Not kept.
    pub(crate) fn place(&self, path: &str) -> Place {
        self.request.place(path)
    }
}
