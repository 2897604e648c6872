//! The line that is being typed into a shell: what it will run is known only as long as nobody edits it.

/// Where a pasted text begins and ends (xterm's bracketed paste).
const PASTE: [&str; 2] = ["\x1b[200~", "\x1b[201~"];

/// Interrupt, end of file, erase the line. On an empty line they change nothing; else what is left of it depends on the shell and the terminal.
const CLEARING: [char; 3] = ['\x03', '\x04', '\x15'];

/// Keys that run the line, or may (readline's operate-and-get-next, and the prefix of edit-and-execute-command): what they run is not known.
const RUNNING: [char; 2] = ['\x0f', '\x18'];

/// What begins the sequence of a cursor or function key behind an escape. Anything else behind it is a key with Meta, which shells bind to
/// running the line too.
const SEQUENCES: [char; 2] = ['[', 'O'];

/// What has been typed since the last line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypedLine {
    text: String,
    /// Whether the shell's line may differ from `text`: after history, completion or editing.
    is_edited: bool,
    /// Whether an escape came last.
    is_escaped: bool,
}

/// What some input would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Runs {
    /// The lines, joined by line feeds.
    pub text: String,
    /// Whether the shell's own line may be another one.
    pub is_edited: bool,
}

impl TypedLine {
    /// Adds input; tells what it would run, if anything, and leaves what is typed but not yet run.
    ///
    /// `eof` ends the line as well: a shell runs what stands there.
    pub(super) fn add(&mut self, input: &str, eof: bool) -> Option<Runs> {
        let mut input = input.to_owned();
        for mark in PASTE {
            input = input.replace(mark, "");
        }
        let mut runs: Option<Runs> = None;
        for c in input.chars() {
            let was_escaped = std::mem::take(&mut self.is_escaped);
            match c {
                _ if was_escaped && !SEQUENCES.contains(&c) => self.end_line(&mut runs),
                '\x1b' => {
                    self.is_edited = true;
                    self.is_escaped = true;
                }
                _ if RUNNING.contains(&c) => {
                    self.is_edited = true;
                    self.end_line(&mut runs);
                }
                '\r' | '\n' => self.end_line(&mut runs),
                _ if CLEARING.contains(&c) => self.is_edited |= !self.text.is_empty(),
                '\t' if self.text.trim().is_empty() => self.text.push(c),
                _ if c.is_control() => self.is_edited = true,
                _ => self.text.push(c),
            }
        }
        if eof {
            self.end_line(&mut runs);
        }
        runs
    }

    fn end_line(&mut self, runs: &mut Option<Runs>) {
        let line = std::mem::take(self);
        if line.text.trim().is_empty() && !line.is_edited {
            return;
        }
        match runs {
            None => {
                *runs = Some(Runs {
                    text: line.text,
                    is_edited: line.is_edited,
                });
            }
            Some(runs) => {
                runs.text.push('\n');
                runs.text.push_str(&line.text);
                runs.is_edited |= line.is_edited;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn typed(inputs: &[&str]) -> (Vec<Option<(String, bool)>>, String) {
        let mut line = TypedLine::default();
        let runs = inputs
            .iter()
            .map(|input| {
                line.add(input, false)
                    .map(|runs| (runs.text, runs.is_edited))
            })
            .collect();
        (runs, line.text)
    }

    #[test]
    fn a_line_runs_when_it_ends() {
        let (runs, left) = typed(&["rm -r", "f x", "\r", "ls\ncat "]);
        let ran = |text: &str| Some((text.to_owned(), false));
        assert_eq!(runs, [None, None, ran("rm -rf x"), ran("ls")]);
        assert_eq!(left, "cat ");
    }

    #[test]
    fn history_completion_and_editing_make_it_unknown() {
        for keys in [
            "\x1b[A\r", "ls\x7f\r", "l\t\r", "\x12x\r", "\x1b\r", "ls\x0f", "ls\x1ba", "\x18",
        ] {
            let (runs, _) = typed(&[keys]);
            assert!(
                runs[0].as_ref().is_some_and(|(_, edited)| *edited),
                "{keys:?}"
            );
        }
    }

    #[test]
    fn control_on_an_empty_line_runs_nothing_and_else_makes_it_unknown() {
        let (runs, left) = typed(&["\x03", "\x03\x04\r\r", "ok"]);
        assert_eq!((runs, left.as_str()), (vec![None, None, None], "ok"));
        for keys in ["rm x\x03\r", "rm x\x04\r", "rm x\x15ls\r"] {
            let (runs, _) = typed(&[keys]);
            assert!(
                runs[0].as_ref().is_some_and(|(_, edited)| *edited),
                "{keys:?}"
            );
        }
    }

    #[test]
    fn a_pasted_text_counts_as_typed() {
        let (runs, _) = typed(&["\x1b[200~rm a\nrm b\x1b[201~", "\r"]);
        assert_eq!(runs[0], Some(("rm a".to_owned(), false)));
        assert_eq!(runs[1], Some(("rm b".to_owned(), false)));
    }

    #[test]
    fn the_end_of_the_input_ends_the_line() {
        let mut line = TypedLine::default();
        let runs = line.add("rm x", true).map(|runs| runs.text);
        assert_eq!(runs.as_deref(), Some("rm x"));
        assert_eq!(line.add("", true), None);
    }
}
