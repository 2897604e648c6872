//! The request as a guest sees it.

use crate::bindings::execgate::policy::request as host;
use crate::types::{Caller, CommandLine, Dialect, Executable, Kind, Place};

/// What somebody asks execgate to do.
///
/// In a component this is the resource that the host lends for one call; in
/// native tests it is a [`crate::testing::FakeRequest`]. No getter blocks, and
/// each answers the same during one call.
pub trait Request {
    /// What is asked for.
    fn kind(&self) -> Kind;
    /// The exact text that would run.
    fn text(&self) -> String;
    /// The language the text was read as.
    fn dialect(&self) -> Dialect;
    /// The one analysis of the text that everybody sees. It is copied on every
    /// call: keep it.
    fn command_line(&self) -> CommandLine;
    /// Who asks.
    fn caller(&self) -> Caller;
    /// The directory the command would run in.
    fn cwd(&self) -> Place;
    /// Whether the caller named the directory.
    fn cwd_given(&self) -> bool;
    /// The workspace's absolute path, if there is one.
    fn workspace(&self) -> Option<String>;
    /// The home directory.
    fn home(&self) -> Option<String>;
    /// Names of all variables the command would see, sorted.
    fn env_names(&self) -> Vec<String>;
    /// Variables that the caller set for this call.
    fn env_overrides(&self) -> Vec<(String, String)>;
    /// Where it would run: `host`, or the name of a sandbox or node.
    fn target(&self) -> String;
    /// Whether it asks for a terminal.
    fn terminal(&self) -> bool;
    /// Whether it starts in the background.
    fn background(&self) -> bool;
    /// Whether it asks to leave its confinement.
    fn elevated(&self) -> bool;
    /// The limit asked for, in milliseconds.
    fn timeout_ms(&self) -> Option<u64>;
    /// The program of a segment, by the segment's index.
    fn executable(&self, segment: u32) -> Option<Executable>;
    /// Where a path as written leads, seen from the call's directory. Paths over
    /// the host's limit of 4,096 a call have [`crate::PathKind::Unknown`].
    fn place(&self, path: &str) -> Place;
    /// The value of a fact that later versions add.
    fn annotation(&self, name: &str) -> Option<String>;
}

impl Request for host::Request {
    fn kind(&self) -> Kind {
        self.kind()
    }
    fn text(&self) -> String {
        self.text()
    }
    fn dialect(&self) -> Dialect {
        self.dialect()
    }
    fn command_line(&self) -> CommandLine {
        self.command_line()
    }
    fn caller(&self) -> Caller {
        self.caller()
    }
    fn cwd(&self) -> Place {
        self.cwd()
    }
    fn cwd_given(&self) -> bool {
        self.cwd_given()
    }
    fn workspace(&self) -> Option<String> {
        self.workspace()
    }
    fn home(&self) -> Option<String> {
        self.home()
    }
    fn env_names(&self) -> Vec<String> {
        self.env_names()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        self.env_overrides()
    }
    fn target(&self) -> String {
        self.target()
    }
    fn terminal(&self) -> bool {
        self.terminal()
    }
    fn background(&self) -> bool {
        self.background()
    }
    fn elevated(&self) -> bool {
        self.elevated()
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms()
    }
    fn executable(&self, segment: u32) -> Option<Executable> {
        self.executable(segment)
    }
    fn place(&self, path: &str) -> Place {
        self.place(path)
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.annotation(name)
    }
}
