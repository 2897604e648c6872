//! `execgate policy explain`: how a verdict came about.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use execgate::check::{Checker, Row};
use execgate::exit_code;
use execgate::explain::{CommandView, Consideration, Explanation, WordView};

use super::output::{escaped, line, styled};
use super::{Setup, block_on};

/// Show how a verdict comes about: commands, wrappers, values, flows and the rules considered; nothing runs
#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    setup: Setup,
    /// Component to ask in place of the profile's policy; may be repeated, the strictest answer wins
    #[arg(long = "policy", value_name = "FILE.wasm")]
    policies: Vec<PathBuf>,
    /// Language of the text: bash, sh, zsh, powershell or cmd
    #[arg(long, value_name = "SHELL")]
    shell: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Command to explain
    #[arg(value_name = "COMMAND")]
    command: String,
}

impl Explain {
    /// Judges and prints.
    pub fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let text = self.command.clone();
        let row = Row {
            command: self.command,
            shell: self.shell,
            ..Row::default()
        };
        let explanation = block_on(async {
            let mut checker = Checker::new(&config, &self.policies).await?;
            anyhow::Ok(checker.explain(row).await?)
        })?;
        if self.json {
            line(&serde_json::to_string(&explanation)?);
        } else {
            styled(&shown(&text, &explanation));
        }
        Ok(exit_code::SUCCESS)
    }
}

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The explanation as text with styles.
fn shown(text: &str, explanation: &Explanation) -> String {
    let report = &explanation.report;
    let style = style_of(report.verdict);
    let mut out = format!(
        "{style}{}{style:#}  {BOLD}{}{BOLD:#}\n  {}\n",
        report.verdict,
        escaped(&report.rule),
        escaped(&report.reason)
    );
    if let Some(remedy) = &report.remedy {
        out.push_str(&format!("  {}\n", escaped(remedy)));
    }
    out.push('\n');
    out.push_str(&quoted(text, &explanation.spans, style));
    out.push_str("\ncommands\n");
    for command in &explanation.commands {
        out.push_str(&shown_command(command, &explanation.commands));
    }
    for obstacle in &explanation.obstacles {
        let [start, end] = obstacle.span;
        out.push_str(&format!(
            "  not understood at {start}-{end}: {} ({})\n",
            escaped(&obstacle.detail),
            escaped(&obstacle.reason)
        ));
    }
    out.push_str(&section("values", values(explanation)));
    out.push_str(&section("flows", flows(explanation)));
    out.push_str(&section(
        "considered",
        explanation.considered.iter().map(shown_consideration),
    ));
    out
}

fn section(title: &str, lines: impl IntoIterator<Item = String>) -> String {
    let lines: String = lines
        .into_iter()
        .map(|line| format!("  {line}\n"))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    format!("{title}\n{lines}")
}

fn style_of(decision: &str) -> Style {
    let color = match decision {
        "allow" => AnsiColor::Green,
        "ask" => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    color.on_default().bold()
}

/// The text line by line, with what the spans cover marked below. Only on plain lines can columns be told.
fn quoted(text: &str, spans: &[[u32; 2]], style: Style) -> String {
    let mut out = String::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let content = whole.trim_end_matches('\n');
        let shown = escaped(content);
        out.push_str(&format!("  {shown}\n"));
        let is_covered = |at: usize| {
            let at = u32::try_from(start + at).unwrap_or(u32::MAX);
            spans.iter().any(|[from, to]| (*from..*to).contains(&at))
        };
        let marks: String = content
            .char_indices()
            .map(|(at, _)| if is_covered(at) { '^' } else { ' ' })
            .collect();
        if shown == content && marks.contains('^') {
            out.push_str(&format!("  {style}{}{style:#}\n", marks.trim_end()));
        }
        start += whole.len();
    }
    out
}

fn shown_command(command: &CommandView, all: &[CommandView]) -> String {
    let indent = "  ".repeat(depth(command, all));
    let words: Vec<String> = command.words.iter().map(shown_word).collect();
    let mut notes = Vec::new();
    if let Some(parent) = command.parent {
        let how = match command.relation {
            "wrapped" => "run by",
            "script" => "in a script of",
            "substitution" => "substituted into",
            _ => "a process substitution of",
        };
        notes.push(format!("{how} {}", parent.saturating_add(1)));
    }
    notes.extend(
        command
            .context
            .iter()
            .map(|context| format!("in a {context}")),
    );
    match (&command.executable, command.found) {
        (Some(path), _) => notes.push(escaped(path)),
        (None, Some(found)) => notes.push(found.replace('-', " ")),
        (None, None) => {}
    }
    let [start, end] = command.span;
    let join = if command.join.is_empty() {
        String::new()
    } else {
        format!("{} ", command.join)
    };
    let words = if words.is_empty() {
        "(no command)".to_owned()
    } else {
        words.join(" ")
    };
    format!(
        "  {FAINT}{:>2}  {start:>3}-{end:<4}{FAINT:#} {indent}{join}{words}  {FAINT}{}{FAINT:#}\n",
        command.index + 1,
        notes.join(", ")
    )
}

/// How many commands one stands in. A parent stands before what is in it, so that this ends.
fn depth(command: &CommandView, all: &[CommandView]) -> usize {
    let parent = |command: &CommandView| {
        let parent = usize::try_from(command.parent?).ok()?;
        all.get(parent).filter(|_| parent < command.index)
    };
    std::iter::successors(parent(command), |command| parent(command)).count()
}

fn shown_word(word: &WordView) -> String {
    let needs_quotes = |text: &str| {
        text.is_empty()
            || text.contains(|character: char| {
                character.is_whitespace() || "'\"$`\\|&;()<>*?".contains(character)
            })
    };
    match &word.value {
        Some(text) if needs_quotes(text) => format!("'{}'", escaped(&text.replace('\'', "'\\''"))),
        Some(text) => escaped(text),
        None if word.made_of.is_empty() => "(unknown)".to_owned(),
        None => format!("(unknown: {})", escaped(&word.made_of)),
    }
}

/// The variables that the text sets.
fn values(explanation: &Explanation) -> Vec<String> {
    let assignments = explanation
        .commands
        .iter()
        .flat_map(|command| &command.assignments);
    assignments
        .map(|(name, value)| format!("{} = {}", escaped(name), shown_word(value)))
        .collect()
}

/// What feeds what.
fn flows(explanation: &Explanation) -> Vec<String> {
    let mut flows = Vec::new();
    for command in &explanation.commands {
        let index = command.index + 1;
        if let Some([start, end]) = command.fed_by {
            let feeders: Vec<String> = (start..end)
                .map(|feeder| (feeder + 1).to_string())
                .collect();
            flows.push(format!("{} -> {index}", feeders.join(", ")));
        }
        for redirect in &command.redirects {
            flows.push(format!("{index}: {}", escaped(redirect)));
        }
    }
    flows
}

fn shown_consideration(consideration: &Consideration) -> String {
    let style = style_of(&consideration.decision);
    let [start, end] = consideration.span;
    let lifted = if consideration.lifted {
        " (allowed by the operator's rules)"
    } else {
        ""
    };
    format!(
        "{style}{}{style:#}  {}  {start}-{end}  {}{lifted}",
        escaped(&consideration.decision),
        escaped(&consideration.rule),
        escaped(&consideration.reason)
    )
}
