//! A row's place: a scratch directory and PicoClaw's own settings document.

use execgate_tests::{Caller, Scratch};
use serde_json::{Value, json};

/// A scratch directory with the settings of a row in it.
pub struct Place {
    pub scratch: Scratch,
}

/// What a row says of PicoClaw's settings.
#[derive(Default)]
pub struct Settings<'a> {
    /// `tools.exec`.
    pub exec: Option<&'a Value>,
    pub restrict: bool,
    pub allow_read_paths: Option<&'a Value>,
    pub max_inline_result_chars: Option<&'a Value>,
}

impl Place {
    pub fn new(settings: &Settings) -> Self {
        let scratch = Scratch::new();
        let mut tools = json!({"exec": settings.exec.cloned().unwrap_or_else(|| json!({}))});
        let more = [
            ("allow_read_paths", settings.allow_read_paths),
            ("max_inline_result_chars", settings.max_inline_result_chars),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                tools[name] = value.clone();
            }
        }
        let document = json!({
            "tools": tools,
            "agents": {"defaults": {"restrict_to_workspace": settings.restrict}},
        });
        scratch.write("picoclaw.json", scratch.fill(&document.to_string()));
        Self { scratch }
    }

    /// The arguments that choose profile, settings and workspace.
    pub fn arguments(&self) -> Vec<String> {
        let text = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
        let config = text(self.scratch.root().join("picoclaw.json"));
        let workspace = text(self.scratch.workspace());
        [
            "--profile",
            "picoclaw",
            "--config",
            &config,
            "--workspace",
            &workspace,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    pub fn call(&self) -> Caller {
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.scratch.call(&arguments)
    }
}
