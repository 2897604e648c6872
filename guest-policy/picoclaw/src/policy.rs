//! The policy: channel, directory, deny rules, allowlist, path guard, in this order. It never asks.

use execgate_guest::{
    Configure, Decision, Kind, Policy, Problem, Request, Risk, Span, Verdict, allow, deny, patterns,
};
use execgate_rules::paths::is_inside;
use execgate_rules::{Line, deny as rules};

use crate::expansion;
use crate::guard::{Escape, Guard, Way, is_allowed};
use crate::settings::Settings;

/// Channels that are this machine's own.
const INTERNAL_CHANNELS: &[&str] = &["cli", "system", "subagent"];

/// The policy of the picoclaw profile.
#[derive(Debug)]
pub struct PicoPolicy {
    settings: Settings,
}

impl Configure for PicoPolicy {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Policy for PicoPolicy {
    fn evaluate(&self, request: &dyn Request) -> Verdict {
        if let Some(verdict) = self.channel(request) {
            return verdict;
        }
        match request.kind() {
            Kind::Run => self.run(request),
            Kind::Input if is_for_program(request) => {
                allow("picoclaw/input", "it is input of a program, not of a shell")
            }
            Kind::Input => self.run(request),
            Kind::Patch => allow(
                "picoclaw/patch",
                "patches are kept in the workspace by the runner",
            ),
            Kind::Session => allow(
                "picoclaw/session",
                "it looks after what was judged before it started",
            ),
        }
    }
}

/// Whether input goes to a program that the runner names and that is no shell.
fn is_for_program(request: &dyn Request) -> bool {
    request
        .annotation("foreground-program")
        .is_some_and(|program| {
            !execgate_knowledge::shells::SHELLS.contains(&execgate_rules::program_name(&program))
        })
}

impl PicoPolicy {
    fn run(&self, request: &dyn Request) -> Verdict {
        let text = request.text();
        let command_line = request.command_line();
        let line = Line::read(&command_line);
        self.directory(request)
            .or_else(|| self.denied(&text, &line))
            .or_else(|| self.unlisted(&text))
            .or_else(|| self.escaping(request, &line))
            .unwrap_or_else(|| allow("picoclaw/default", "no rule is against it"))
    }

    fn channel(&self, request: &dyn Request) -> Option<Verdict> {
        let channel = request.caller().channel;
        if self.settings.allow_remote || INTERNAL_CHANNELS.contains(&channel.trim()) {
            return None;
        }
        Some(deny(
            "channel/remote",
            "exec is restricted to internal channels",
        ))
    }

    /// A directory that the caller names must lie in the workspace, by its name and really.
    fn directory(&self, request: &dyn Request) -> Option<Verdict> {
        let workspace = request.workspace()?;
        if !self.settings.restrict || !request.cwd_given() {
            return None;
        }
        let cwd = request.cwd();
        if is_allowed(request, &self.settings, &cwd) {
            return None;
        }
        let real = request.place(&workspace).real_path;
        let named = is_inside(&cwd.path, &workspace)
            || real.is_some_and(|real| is_inside(&cwd.path, &real));
        if !named {
            return Some(blocked(
                "cwd/outside",
                "access denied: path is outside the workspace",
                Vec::new(),
                None,
            ));
        }
        let reason = "access denied: symlink resolves outside workspace";
        (!cwd.in_workspace).then(|| blocked("cwd/link", reason, Vec::new(), None))
    }

    fn denied(&self, text: &str, line: &Line<'_>) -> Option<Verdict> {
        if !self.settings.deny {
            return None;
        }
        self.custom(text)
            .or_else(|| self.categories(line))
            .or_else(|| self.expansions(text, line))
            .or_else(|| self.unknown(line))
            .or_else(|| opaque(line))
    }

    fn custom(&self, text: &str) -> Option<Verdict> {
        self.settings.custom_deny.iter().enumerate().find_map(|(index, pattern)| {
            let span = match patterns::find(pattern, text) {
                Ok(None) => return None,
                Ok(Some(span)) => vec![span],
                // A pattern that cannot be looked for must not let anything pass.
                Err(_) => Vec::new(),
            };
            let remedy = format!("custom deny pattern {index} `{pattern}` matches; a command that it does not match would pass");
            Some(dangerous("custom/deny", span, remedy))
        })
    }

    fn categories(&self, line: &Line<'_>) -> Option<Verdict> {
        let hit = rules::hits(line)
            .into_iter()
            .find(|hit| !hit.is_exempt(&self.settings.exempt))?;
        let remedy = format!("rule `{}`: it {}; {}", hit.rule, hit.effect, hit.remedy);
        Some(dangerous(hit.rule, vec![hit.span], remedy))
    }

    fn expansions(&self, text: &str, line: &Line<'_>) -> Option<Verdict> {
        if self.is_exempt("substitution/expansion") {
            return None;
        }
        let span = expansion::first(text, line.command_line)?;
        let remedy = "rule `substitution/expansion`: `$(…)`, `${…}` and backticks are not expanded here; write the value itself, or put the text in single quotes";
        Some(dangerous(
            "substitution/expansion",
            vec![span],
            remedy.into(),
        ))
    }

    fn unknown(&self, line: &Line<'_>) -> Option<Verdict> {
        if self.is_exempt("dynamic/program") {
            return None;
        }
        let (_, span) = line.unknown_programs().next()?;
        let remedy =
            "rule `dynamic/program`: the program's name is not known before it runs; write it out";
        Some(dangerous("dynamic/program", vec![span], remedy.into()))
    }

    fn is_exempt(&self, rule: &str) -> bool {
        self.settings
            .exempt
            .iter()
            .any(|name| name == rule || rule.split('/').next() == Some(name))
    }

    fn unlisted(&self, text: &str) -> Option<Verdict> {
        if self.settings.allowlist.is_empty() {
            return None;
        }
        let listed = self
            .settings
            .allowlist
            .iter()
            .chain(&self.settings.custom_allow)
            .any(|pattern| matches!(patterns::find(pattern, text), Ok(Some(_))));
        let remedy = "rule `allowlist/miss`: no allowlist pattern matches; a command that one matches would pass";
        (!listed).then(|| {
            blocked(
                "allowlist/miss",
                "not in allowlist",
                Vec::new(),
                Some(remedy.into()),
            )
        })
    }

    fn escaping(&self, request: &dyn Request, line: &Line<'_>) -> Option<Verdict> {
        if !self.settings.restrict {
            return None;
        }
        // Without a full analysis nobody knows the paths.
        if let Some(verdict) = opaque(line) {
            return Some(verdict);
        }
        Guard::new(request, &self.settings, line)
            .first_escape(line)
            .map(escaping)
    }
}

fn opaque(line: &Line<'_>) -> Option<Verdict> {
    if let Some(verdict) = foreign(line) {
        return Some(verdict);
    }
    let opaque = line.command_line.opaque.first()?;
    let rule = format!("opaque/{}", opaque.reason);
    let remedy = format!(
        "rule `{rule}`: {}; write the command so that all of it can be read",
        opaque.detail
    );
    Some(dangerous(&rule, vec![opaque.span], remedy))
}

/// Commands of PowerShell and cmd mean other things than these rules know.
fn foreign(line: &Line<'_>) -> Option<Verdict> {
    let segments = line.command_line.segments.iter();
    let spans: Vec<_> = segments
        .filter(|segment| {
            segment
                .annotations
                .iter()
                .any(|(name, _)| name == "dialect")
        })
        .map(|segment| segment.span)
        .collect();
    let rule = "opaque/unsupported-dialect";
    let remedy = format!("rule `{rule}`: write the command for a POSIX shell");
    (!spans.is_empty()).then(|| dangerous(rule, spans, remedy))
}

fn escaping(escape: Escape) -> Verdict {
    let path = &escape.path;
    let (rule, reason, remedy) = match escape.way {
        Way::Traversal => (
            "path/traversal",
            "path traversal detected",
            format!(
                "rule `path/traversal`: `{path}` leads out of the working directory; name a path inside it"
            ),
        ),
        Way::Outside => (
            "path/outside",
            "path outside working dir",
            format!(
                "rule `path/outside`: `{path}` lies outside the working directory; name a path inside it"
            ),
        ),
        Way::Unknown => (
            "path/unknown",
            "path outside working dir",
            format!(
                "rule `path/unknown`: where `{path}` leads is not known before it runs; write the path out"
            ),
        ),
    };
    blocked(rule, reason, vec![escape.span], Some(remedy))
}

fn dangerous(rule: &str, spans: Vec<Span>, remedy: String) -> Verdict {
    blocked(rule, "dangerous pattern detected", spans, Some(remedy))
}

/// The one form in which this profile's clients know a refusal.
fn blocked(rule: &str, reason: &str, spans: Vec<Span>, remedy: Option<String>) -> Verdict {
    Verdict {
        decision: Decision::Deny,
        risk: Risk::High,
        spans,
        remedy,
        ..deny(rule, &format!("Command blocked by safety guard ({reason})"))
    }
}
