//! Patch text to [`Patch`]: pure, and linear in the length of the text.

use thiserror::Error;

use crate::text::{shown, trim};
use crate::{Action, Hunk, HunkLine, MAX_HUNKS, MAX_PATCH_BYTES, Patch, Section};

#[cfg(test)]
mod tests;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// First lines of a here-document that a patch may come wrapped in.
const WRAPPERS: [&str; 3] = ["<<EOF", "<<'EOF'", "<<\"EOF\""];

/// Why a text is no patch. The messages are those that models know from OpenClaw, letter for letter.
///
/// Lines are counted from `*** Begin Patch`, which is line 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// There is nothing but white space.
    #[error("Invalid patch: input is empty.")]
    Empty,
    /// There is nothing between begin and end.
    #[error("No files were modified.")]
    NoSections,
    /// The text is longer than [`MAX_PATCH_BYTES`].
    #[error(
        "Invalid patch: it has {bytes} bytes, at most {MAX_PATCH_BYTES} are read. Split it into several patches."
    )]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// There are more than [`MAX_HUNKS`] sections and hunks.
    #[error(
        "Invalid patch hunk at line {line}: more than {MAX_HUNKS} hunks. Split the patch into several."
    )]
    TooManyHunks {
        /// Where the first one too many begins.
        line: usize,
    },
    /// The first line is another one.
    #[error("The first line of the patch must be '*** Begin Patch'")]
    Begin {
        /// What it is.
        found: String,
    },
    /// The last line is another one.
    #[error("The last line of the patch must be '*** End Patch'")]
    End {
        /// Which it is.
        line: usize,
        /// What it is.
        found: String,
    },
    /// A line stands where a section has to begin.
    #[error(
        "Invalid patch hunk at line {line}: '{found}' is not a valid hunk header. Valid hunk headers: '*** Add File: {{path}}', '*** Delete File: {{path}}', '*** Update File: {{path}}'"
    )]
    Header {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// An update changes nothing.
    #[error("Invalid patch hunk at line {line}: Update file hunk for path '{path}' is empty")]
    EmptyUpdate {
        /// Its header.
        line: usize,
        /// Its path.
        path: String,
    },
    /// A hunk after the first one begins without `@@`.
    #[error(
        "Invalid patch hunk at line {line}: Expected update hunk to start with a @@ context marker, got: '{found}'"
    )]
    Marker {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A hunk ends where its first line should be.
    #[error("Invalid patch hunk at line {line}: Update hunk does not contain any lines")]
    EmptyHunk {
        /// Where the line should be.
        line: usize,
    },
    /// The first line of a hunk is none of the three kinds.
    #[error(
        "Invalid patch hunk at line {line}: Unexpected line found in update hunk: '{found}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"
    )]
    Line {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
}

impl ParseError {
    /// The line of the patch it is about, if it is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Empty | Self::NoSections | Self::TooLong { .. } => None,
            Self::Begin { .. } => Some(1),
            Self::TooManyHunks { line }
            | Self::End { line, .. }
            | Self::Header { line, .. }
            | Self::EmptyUpdate { line, .. }
            | Self::Marker { line, .. }
            | Self::EmptyHunk { line }
            | Self::Line { line, .. } => Some(*line),
        }
    }

    /// What is expected there.
    pub fn expected(&self) -> &'static str {
        match self {
            Self::Empty | Self::Begin { .. } => "`*** Begin Patch`",
            Self::NoSections | Self::Header { .. } => {
                "`*** Add File: `, `*** Delete File: ` or `*** Update File: ` and a path"
            }
            Self::TooLong { .. } | Self::TooManyHunks { .. } => "a smaller patch",
            Self::End { .. } => "`*** End Patch`",
            Self::EmptyUpdate { .. } => "a hunk of lines that begin with ` `, `+` or `-`",
            Self::Marker { .. } => "`@@`, or the header of the next section",
            Self::EmptyHunk { .. } | Self::Line { .. } => "a line that begins with ` `, `+` or `-`",
        }
    }
}

/// Reads a patch. No file is looked at.
///
/// # Errors
/// The text is no patch: the first line that is wrong, what it is and what was expected.
///
/// # Examples
/// ```
/// let text = "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch";
/// assert_eq!(execgate_patch::parse(text)?.sections[0].path, "old.txt");
/// # Ok::<(), execgate_patch::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Patch, ParseError> {
    if text.len() > MAX_PATCH_BYTES {
        return Err(ParseError::TooLong { bytes: text.len() });
    }
    let text = trim(text);
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let mut reader = Reader {
        lines: inner(&lines)?,
        next: 0,
        hunks: 0,
    };
    let mut sections = Vec::new();
    while let Some(line) = reader.peek() {
        sections.push(reader.section(line)?);
    }
    if sections.is_empty() {
        return Err(ParseError::NoSections);
    }
    Ok(Patch { sections })
}

/// The lines between begin and end, without a here-document around them.
fn inner<'t>(lines: &'t [&'t str]) -> Result<&'t [&'t str], ParseError> {
    let error = match bounded(lines) {
        Ok(inner) => return Ok(inner),
        Err(error) => error,
    };
    match lines {
        [first, wrapped @ .., last]
            if wrapped.len() >= 2 && WRAPPERS.contains(first) && last.ends_with("EOF") =>
        {
            bounded(wrapped)
        }
        _ => Err(error),
    }
}

fn bounded<'t>(lines: &'t [&'t str]) -> Result<&'t [&'t str], ParseError> {
    let first = lines.first().copied().unwrap_or_default();
    if trim(first) != BEGIN {
        return Err(ParseError::Begin {
            found: shown(first),
        });
    }
    match lines {
        [_, inner @ .., last] if trim(last) == END => Ok(inner),
        _ => Err(ParseError::End {
            line: lines.len(),
            found: shown(lines.last().copied().unwrap_or_default()),
        }),
    }
}

/// Goes down the lines, each looked at a fixed number of times.
struct Reader<'t> {
    lines: &'t [&'t str],
    next: usize,
    /// Sections and hunks so far.
    hunks: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.lines.get(self.next).copied()
    }

    /// Number of the line that comes next: the first one after `*** Begin Patch` is line 2.
    fn number(&self) -> usize {
        self.next + 2
    }

    fn count(&mut self) -> Result<(), ParseError> {
        self.hunks += 1;
        if self.hunks > MAX_HUNKS {
            return Err(ParseError::TooManyHunks {
                line: self.number(),
            });
        }
        Ok(())
    }

    fn section(&mut self, header: &str) -> Result<Section, ParseError> {
        self.count()?;
        let line = self.number();
        self.next += 1;
        let trimmed = trim(header);
        let (path, action) = if let Some(path) = trimmed.strip_prefix(ADD) {
            (path, self.add())
        } else if let Some(path) = trimmed.strip_prefix(DELETE) {
            (path, Action::Delete)
        } else if let Some(path) = trimmed.strip_prefix(UPDATE) {
            (path, self.update(line, path)?)
        } else {
            return Err(ParseError::Header {
                line,
                found: shown(header),
            });
        };
        Ok(Section {
            line,
            path: path.to_owned(),
            action,
        })
    }

    fn add(&mut self) -> Action {
        let mut content = String::new();
        while let Some(line) = self.peek().and_then(|line| line.strip_prefix('+')) {
            content.push_str(line);
            content.push('\n');
            self.next += 1;
        }
        Action::Add { content }
    }

    fn update(&mut self, line: usize, path: &str) -> Result<Action, ParseError> {
        let move_to = self
            .peek()
            .and_then(|next| trim(next).strip_prefix(MOVE))
            .map(str::to_owned);
        self.next += usize::from(move_to.is_some());
        let mut hunks = Vec::new();
        while let Some(next) = self.peek() {
            if trim(next).is_empty() {
                self.next += 1;
            } else if next.starts_with("***") {
                break;
            } else {
                hunks.push(self.hunk(next, hunks.is_empty())?);
            }
        }
        if hunks.is_empty() {
            let path = shown(path);
            return Err(ParseError::EmptyUpdate { line, path });
        }
        Ok(Action::Update { move_to, hunks })
    }

    fn hunk(&mut self, first: &str, is_first: bool) -> Result<Hunk, ParseError> {
        self.count()?;
        let line = self.number();
        let marker = match first.strip_prefix("@@") {
            Some("") => Some(None),
            Some(rest) => rest.strip_prefix(' ').map(Some),
            None => None,
        };
        if marker.is_none() && !is_first {
            let found = shown(first);
            return Err(ParseError::Marker { line, found });
        }
        self.next += usize::from(marker.is_some());
        let context = marker.flatten().filter(|text| !text.is_empty());
        let lines = self.hunk_lines(line + 1)?;
        let end_of_file = self.peek() == Some(END_OF_FILE);
        self.next += usize::from(end_of_file);
        Ok(Hunk {
            line,
            context: context.map(str::to_owned),
            lines,
            end_of_file,
        })
    }

    /// The lines of a hunk. A first one that is wrong is told as `line`, the one after the marker, also where the marker was left out:
    /// that is how the tool has always counted.
    fn hunk_lines(&mut self, line: usize) -> Result<Vec<HunkLine>, ParseError> {
        let mut lines = Vec::new();
        while let Some(next) = self.peek() {
            let Some(parsed) = hunk_line(next) else { break };
            lines.push(parsed);
            self.next += 1;
        }
        if !lines.is_empty() {
            return Ok(lines);
        }
        Err(match self.peek() {
            None | Some(END_OF_FILE) => ParseError::EmptyHunk { line },
            Some(found) => {
                let found = shown(found);
                ParseError::Line { line, found }
            }
        })
    }
}

/// `None` of a line that belongs to no hunk.
fn hunk_line(line: &str) -> Option<HunkLine> {
    if line.is_empty() {
        // Editors and models drop the blank of an empty context line.
        return Some(HunkLine::Context(String::new()));
    }
    let (mark, text) = line.split_at_checked(1)?;
    match mark {
        " " => Some(HunkLine::Context(text.to_owned())),
        "-" => Some(HunkLine::Remove(text.to_owned())),
        "+" => Some(HunkLine::Insert(text.to_owned())),
        _ => None,
    }
}
