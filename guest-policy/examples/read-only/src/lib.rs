//! Allows commands whose every part only reads: a whole policy in one small file.

use execgate_guest::{
    Configure, Policy, Problem, RedirectOperator, Request, Segment, Verdict, allow, deny,
};

/// Programs that only read, whatever their arguments are.
const READERS: &[&str] = &[
    "cat", "cut", "echo", "grep", "head", "ls", "nl", "printf", "pwd", "stat", "tail", "true", "wc",
];

struct ReadOnly;

impl Configure for ReadOnly {
    fn configure(_settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self)
    }
}

impl Policy for ReadOnly {
    fn evaluate(&self, request: &dyn Request) -> Verdict {
        let line = request.command_line();
        if !line.opaque.is_empty() {
            return deny("read-only/opaque", "not all of the command could be read");
        }
        if line.segments.iter().all(reads) {
            return allow("read-only/reads", "every part of it only reads");
        }
        deny("read-only/other", "only commands that read are allowed")
    }
}

fn reads(segment: &Segment) -> bool {
    let writes = segment.redirects.iter().any(|redirect| {
        !matches!(
            redirect.operator,
            RedirectOperator::Read | RedirectOperator::HereDocument | RedirectOperator::HereString
        )
    });
    let program = segment.words.first().and_then(|word| word.value.as_deref());
    segment.assignments.is_empty() && !writes && program.is_some_and(|name| READERS.contains(&name))
}

execgate_guest::export_policy!(ReadOnly);

#[cfg(test)]
mod tests;
