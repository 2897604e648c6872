//! Puts questions to the person at the terminal.

use std::future::Future;
use std::io::{BufRead as _, IsTerminal as _};
use std::pin::Pin;

use execgate::{Answer, Ask, ExecPlan, Prompt};
use serde_json::Value;

use super::output::{escaped, note};

/// The person at the terminal.
#[derive(Debug)]
pub struct Terminal;

impl Terminal {
    /// The terminal, if a person can be asked there: both input and messages are on one.
    pub fn if_present() -> Option<Box<dyn Ask>> {
        is_possible().then(|| Box::new(Self) as Box<dyn Ask>)
    }
}

/// Whether a person can be asked.
pub fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Puts a question of the daemon's, an object with `title` and `facts`; whether the answer is yes.
pub async fn question(question: &Value) -> bool {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let facts = question["facts"].as_array().into_iter().flatten();
    let facts: Vec<(String, String)> = facts.map(|fact| (text(&fact[0]), text(&fact[1]))).collect();
    show(&text(&question["title"]), &facts);
    tokio::task::spawn_blocking(read_answer)
        .await
        .is_ok_and(|answer| answer == Answer::AllowOnce)
}

fn show(title: &str, facts: &[(String, String)]) {
    note(&escaped(title));
    for (name, value) in facts {
        let value = escaped(value).replace('\n', "\n    ");
        note(&format!("  {}: {value}", escaped(name)));
    }
}

impl Ask for Terminal {
    fn ask<'a>(
        &'a self,
        prompt: &'a Prompt,
        _plan: &'a ExecPlan,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        show(&prompt.title, &prompt.facts);
        Box::pin(async {
            // A blocking read must not stop the tasks of this thread.
            tokio::task::spawn_blocking(read_answer)
                .await
                .unwrap_or(Answer::Unreachable)
        })
    }
}

fn read_answer() -> Answer {
    loop {
        {
            use std::io::Write as _;
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "Run it? [y/n] ").and_then(|()| stderr.flush());
        }
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return Answer::Unreachable,
            Ok(_) => {}
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Answer::AllowOnce,
            "n" | "no" => return Answer::Deny,
            _ => note("Please answer y or n."),
        }
    }
}
