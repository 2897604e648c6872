//! A patch against the files on the disk: everything is read and every hunk is placed, and nothing is written.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use crate::edit::edit;
use crate::error::{PatchError, Problem, Site};
use crate::ground::{Ground, Place};
use crate::overlay::{Entry, Held, Overlay};
use crate::source::{has_too_many_lines, is_same_text};
use crate::state::Attributes;
use crate::summary::{Change, FileRecord, Summary};
use crate::{Action, Hunk, Patch, Section};

/// What a patch would do.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The paths that change, in the order in which the patch names them.
    pub changes: Vec<(PathBuf, Entry)>,
    /// Directories to be made, below the root, outermost first.
    pub directories: Vec<PathBuf>,
    pub summary: Summary,
    /// Files whose hunks change nothing.
    pub unchanged: Vec<String>,
}

impl Plan {
    /// Reads and places everything.
    pub fn new(ground: &Ground, patch: &Patch) -> Result<Self, PatchError> {
        let mut planner = Planner {
            ground,
            overlay: Overlay::new(ground),
            added: Names::default(),
            modified: Names::default(),
            deleted: Names::default(),
            unchanged: Names::default(),
        };
        for (index, section) in patch.sections.iter().enumerate() {
            let done = planner.section(section);
            done.map_err(|trouble| trouble.into_error(section, index + 1))?;
        }
        Ok(planner.finish())
    }

    /// What the tool answers.
    pub fn text(&self) -> String {
        self.summary.text(&self.unchanged)
    }

    /// What is recorded of each file.
    pub fn records(&self) -> Vec<FileRecord> {
        let record = |(_, entry): &(PathBuf, Entry)| FileRecord {
            path: entry.display.clone(),
            change: match (&entry.before, &entry.now) {
                (Held::Absent, _) => Change::Added,
                (_, Held::Absent) => Change::Deleted,
                _ => Change::Modified,
            },
            before: entry.before.state().digest().map(str::to_owned),
            after: entry.now.state().digest().map(str::to_owned),
        };
        self.changes.iter().map(record).collect()
    }
}

/// A problem and the hunk it is about, if it is about one.
struct Trouble {
    problem: Problem,
    /// Number from 0, and line in the patch.
    hunk: Option<(usize, usize)>,
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            hunk: None,
        }
    }
}

impl Trouble {
    fn into_error(self, section: &Section, number: usize) -> PatchError {
        PatchError::from(self.problem).at(Site {
            path: section.path.clone(),
            section: number,
            hunk: self.hunk.map(|(index, _)| index + 1),
            line: self.hunk.map_or(section.line, |(_, line)| line),
        })
    }
}

struct Planner<'g> {
    ground: &'g Ground,
    overlay: Overlay<'g>,
    added: Names,
    modified: Names,
    deleted: Names,
    unchanged: Names,
}

impl Planner<'_> {
    fn section(&mut self, section: &Section) -> Result<(), Trouble> {
        let place = self.ground.place(&section.path)?;
        match &section.action {
            Action::Add { content } => self.add(&place, content)?,
            Action::Delete => self.delete(&place)?,
            Action::Update { move_to, hunks } => {
                let target = move_to.as_deref().map(|path| self.ground.place(path));
                self.update(&place, target.transpose()?, hunks)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, place: &Place, content: &str) -> Result<(), Problem> {
        let remedy = format!(
            "Use \"*** Update File: {}\" to change it, or delete it earlier in the same patch.",
            place.display
        );
        self.create(place, content.as_bytes().to_vec(), None, remedy)?;
        self.added.add(&place.display);
        Ok(())
    }

    fn create(
        &mut self,
        place: &Place,
        content: Vec<u8>,
        attributes: Option<Attributes>,
        remedy: String,
    ) -> Result<(), Problem> {
        if self.overlay.is_there(place)? {
            let path = place.display.clone();
            let escape = self.ground.final_link(place);
            return Err(escape.unwrap_or(Problem::Exists { path, remedy }));
        }
        if self.overlay.has_below(&place.key) {
            return Err(Problem::Creation {
                path: place.display.clone(),
                reason: "the patch puts files below it, as into a directory; choose another path"
                    .to_owned(),
            });
        }
        self.overlay.charge(content.len())?;
        let entry = self.overlay.entry(place)?;
        if matches!(entry.before, Held::Directory { .. }) {
            return Err(Problem::Creation {
                path: place.display.clone(),
                reason: "the patch removes a directory of that name; make it two patches"
                    .to_owned(),
            });
        }
        entry.now = Held::File {
            content: Rc::new(content),
            attributes,
        };
        // It is a new file, whatever was there before.
        entry.is_shared = false;
        entry.is_writable = true;
        Ok(())
    }

    fn delete(&mut self, place: &Place) -> Result<(), Problem> {
        let refused = |reason: &str| Problem::Deletion {
            path: place.display.clone(),
            reason: reason.to_owned(),
        };
        let entry = self.overlay.entry(place).map_err(|problem| match problem {
            Problem::Unreadable { reason, .. } => refused(&reason),
            other => other,
        })?;
        let is_directory = match entry.now {
            Held::Absent => return Err(refused("the file was not found.")),
            Held::Directory { .. } => true,
            Held::File { .. } | Held::Link { .. } => false,
        };
        if is_directory && !self.overlay.is_empty(place)? {
            return Err(Problem::DirectoryNotEmpty);
        }
        self.overlay.entry(place)?.now = Held::Absent;
        self.deleted.add(&place.display);
        Ok(())
    }

    fn update(
        &mut self,
        place: &Place,
        target: Option<Place>,
        hunks: &[Hunk],
    ) -> Result<(), Trouble> {
        let (content, attributes) = self.readable(place)?;
        let changed = edit(&content, hunks).map_err(|misfit| Trouble {
            hunk: Some((misfit.hunk, hunks[misfit.hunk].line)),
            problem: Problem::misfit(misfit, place.absolute.display().to_string()),
        })?;
        self.overlay.charge(content.len() + changed.len())?;
        if let Some(target) = target.filter(|target| target.key != place.key) {
            let remedy = "Delete it earlier in the same patch to replace it.".to_owned();
            self.create(&target, changed, attributes, remedy)?;
            self.overlay.entry(place)?.now = Held::Absent;
            self.modified.add(&target.display);
        } else if is_same_text(&content, &changed) {
            self.unchanged.add(&place.display);
        } else {
            self.overlay.entry(place)?.now = Held::File {
                content: Rc::new(changed),
                attributes,
            };
            self.modified.add(&place.display);
        }
        Ok(())
    }

    /// The content of a file that may be changed.
    fn readable(&mut self, place: &Place) -> Result<(Rc<Vec<u8>>, Option<Attributes>), Problem> {
        let entry = self.overlay.entry(place)?;
        let reason = match &entry.now {
            Held::File { content, .. } if has_too_many_lines(content) => {
                "it has more than 1,000,000 lines; change it with a command"
            }
            Held::File { .. } if entry.is_shared => {
                "unsafe path: the file has other names (hard links), which would not change with it"
            }
            Held::File { .. } if !entry.is_writable => "permission denied: it is not writable",
            Held::File {
                content,
                attributes,
            } => return Ok((content.clone(), *attributes)),
            Held::Absent => "file not found",
            Held::Link { .. } => "unsafe path: it is a symbolic link; name the file itself",
            Held::Directory { .. } => "it is a directory",
        };
        let is_link = matches!(entry.now, Held::Link { .. });
        let escape = is_link.then(|| self.ground.final_link(place)).flatten();
        Err(escape.unwrap_or_else(|| Problem::Unreadable {
            path: place.absolute.display().to_string(),
            reason: reason.to_owned(),
        }))
    }

    fn finish(self) -> Plan {
        let entries = self.overlay.into_entries().into_iter();
        let changes: Vec<(PathBuf, Entry)> = entries
            .filter(|(_, entry)| entry.before != entry.now)
            .collect();
        let directories: BTreeSet<&PathBuf> = changes
            .iter()
            .flat_map(|(_, entry)| &entry.missing)
            .collect();
        Plan {
            directories: directories.into_iter().cloned().collect(),
            changes,
            summary: Summary {
                added: self.added.list,
                modified: self.modified.list,
                deleted: self.deleted.list,
            },
            unchanged: self.unchanged.list,
        }
    }
}

/// Paths in the order in which they come, each once.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    seen: BTreeSet<String>,
}

impl Names {
    fn add(&mut self, path: &str) {
        if self.seen.insert(path.to_owned()) {
            self.list.push(path.to_owned());
        }
    }
}
