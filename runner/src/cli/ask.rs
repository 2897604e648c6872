//! Puts questions to the person at the terminal.

use std::future::Future;
use std::io::{BufRead as _, IsTerminal as _};
use std::pin::Pin;

use execgate::{Answer, Ask, ExecPlan, Prompt};

use super::output::{escaped, note};

/// The person at the terminal.
#[derive(Debug)]
pub struct Terminal;

impl Terminal {
    /// The terminal, if a person can be asked there: both input and messages are on one.
    pub fn if_present() -> Option<Box<dyn Ask>> {
        let present = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        present.then(|| Box::new(Self) as Box<dyn Ask>)
    }
}

impl Ask for Terminal {
    fn ask<'a>(
        &'a self,
        prompt: &'a Prompt,
        _plan: &'a ExecPlan,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        note(&escaped(&prompt.title));
        for (name, value) in &prompt.facts {
            note(&format!(
                "  {}: {}",
                escaped(name),
                escaped(value).replace('\n', "\n    ")
            ));
        }
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
