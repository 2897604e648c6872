//! The path guard: what a command names must lie in the call's directory.

use std::borrow::Cow;

use execgate_guest::{Place, Request, Span, patterns};
use execgate_knowledge::devices;
use execgate_rules::paths::{self, Candidate, Path, climbs, is_inside, lexical};
use execgate_rules::{Invocation, Line};

use crate::settings::Settings;

/// A path that leads out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Escape {
    /// How.
    pub(crate) way: Way,
    /// The path as written.
    pub(crate) path: String,
    /// Where in the text.
    pub(crate) span: Span,
}

/// How a path leads out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By `..`.
    Traversal,
    /// By its beginning, or through a link.
    Outside,
    /// Nobody can tell: its beginning is not known.
    Unknown,
}

/// Directories that `cd` may lead to, at most: each relative path is looked at from all of them.
const MAX_BASES: usize = 8;

/// The guard of one request.
pub(crate) struct Guard<'a> {
    request: &'a dyn Request,
    settings: &'a Settings,
    text: String,
    /// The call's directory, and where `cd` goes from there.
    bases: Vec<String>,
    environment: Vec<String>,
    /// Whether `cd` may lead to more directories than are looked at.
    lost: bool,
    /// Whether no word of the text leads out.
    contained: bool,
}

impl<'a> Guard<'a> {
    pub(crate) fn new(request: &'a dyn Request, settings: &'a Settings, line: &Line<'_>) -> Self {
        let mut guard = Self {
            request,
            settings,
            contained: is_contained(&request.text()),
            text: request.text(),
            bases: vec![request.cwd().path],
            environment: request.env_names(),
            lost: false,
        };
        for invocation in line
            .invocations
            .iter()
            .filter(|invocation| changes_directory(invocation))
        {
            let next: Vec<String> = invocation
                .operand_texts()
                .take(1)
                .flat_map(|text| guard.bases.iter().map(move |base| lexical(base, text)))
                .collect();
            guard
                .bases
                .extend(next.into_iter().filter(|base| !base.is_empty()));
            let mut seen = std::collections::BTreeSet::new();
            guard.bases.retain(|base| seen.insert(base.clone()));
            if guard.bases.len() > MAX_BASES {
                guard.lost = true;
                guard.bases.truncate(1);
                break;
            }
        }
        guard
    }

    /// The first path of a command line that leads out.
    pub(crate) fn first_escape(&self, line: &Line<'_>) -> Option<Escape> {
        let mut invocations = line.invocations.iter().peekable();
        for (index, segment) in line.command_line.segments.iter().enumerate() {
            let invocation = invocations.next_if(|invocation| invocation.index == index);
            let mut candidates = paths::candidates(segment, invocation);
            if let Some(invocation) = invocation {
                candidates.extend(self.goes_home(invocation));
                candidates.extend(paths::embedded(invocation));
            }
            if let Some(escape) = candidates
                .into_iter()
                .find_map(|candidate| self.escape(candidate))
            {
                return Some(escape);
            }
        }
        None
    }

    /// `cd` without an operand, and `cd -`.
    fn goes_home(&self, invocation: &Invocation<'_>) -> Option<Candidate<'static>> {
        if invocation.name != "cd" {
            return None;
        }
        let path = match invocation
            .operands()
            .next()
            .map(|word| word.value.as_deref())
        {
            None => Path::Known(self.request.home().map_or(Cow::Borrowed("/"), Cow::Owned)),
            Some(Some("-")) => Path::Unknown {
                variable: Some("OLDPWD"),
            },
            Some(_) => return None,
        };
        Some(Candidate {
            path,
            span: invocation.span(),
        })
    }

    fn escape(&self, candidate: Candidate<'_>) -> Option<Escape> {
        let span = candidate.span;
        let escape = |way, path| Some(Escape { way, path, span });
        let written = self
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("");
        if climbs_backwards(written) {
            return escape(Way::Traversal, written.to_owned());
        }
        match candidate.path {
            Path::Known(path) => {
                let way = self.way(&path)?;
                escape(way, path.into_owned())
            }
            Path::Pattern { directory, pattern } => {
                if let Some(way) = self.way(&directory) {
                    return escape(way, pattern);
                }
                let rest = paths::after_directory(&directory, &pattern);
                if climbs(rest) {
                    escape(Way::Traversal, pattern)
                } else {
                    None
                }
            }
            Path::Unknown { variable } => {
                let name = variable.unwrap_or_default();
                if self.is_bounded(name) {
                    None
                } else {
                    escape(Way::Unknown, format!("${name}"))
                }
            }
        }
    }

    /// How a path leads out, if it does.
    fn way(&self, path: &str) -> Option<Way> {
        if devices::HARMLESS.contains(path) {
            return None;
        }
        if self.lost && !path.starts_with('/') {
            return Some(Way::Unknown);
        }
        let outside = self
            .places(path)
            .any(|place| !place.in_cwd && !self.is_allowed(&place));
        outside.then(|| {
            if climbs(path) {
                Way::Traversal
            } else {
                Way::Outside
            }
        })
    }

    fn places(&self, path: &str) -> impl Iterator<Item = Place> + '_ {
        let path = path.to_owned();
        let absolute = path.starts_with('/');
        let count = if absolute { 1 } else { self.bases.len() };
        self.bases
            .iter()
            .take(count)
            .map(move |base| self.request.place(&self.followed(base, &path)))
    }

    /// A path with each `..` taken as the kernel takes it: from where a link before it leads.
    fn followed(&self, base: &str, path: &str) -> String {
        if !climbs(path) {
            return if path.starts_with('/') {
                path.to_owned()
            } else {
                format!("{base}/{path}")
            };
        }
        let mut current = if path.starts_with('/') {
            String::new()
        } else {
            base.to_owned()
        };
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    let real = self
                        .request
                        .place(if current.is_empty() { "/" } else { &current })
                        .real_path;
                    current = lexical(&real.unwrap_or(current), "..");
                }
                name => current = format!("{}/{name}", current.trim_end_matches('/')),
            }
        }
        current
    }

    /// Whether the operator's path patterns admit a place; a link inside the directory may lead to it.
    fn is_allowed(&self, place: &Place) -> bool {
        let inside = is_inside(&place.path, &self.bases[0]);
        let real = place.real_path.as_deref().filter(|_| inside);
        real.is_some_and(|real| admitted(self.request, self.settings, real))
            || is_allowed(self.request, self.settings, place)
    }

    /// Whether a variable's value can only come from words that are looked at themselves.
    fn is_bounded(&self, name: &str) -> bool {
        let number = name.len() == 1 && "?#$!-".contains(name);
        if number {
            return true;
        }
        let outside = name.is_empty()
            || name.starts_with('~')
            || self.environment.iter().any(|known| known == name);
        !outside && self.contained
    }
}

/// Whether no word of a text leads out, and no variable takes its value from elsewhere.
fn is_contained(text: &str) -> bool {
    let named = |marker: &str| text.contains(marker);
    let reads = [
        "read",
        "mapfile",
        "readarray",
        "printf -v",
        "getopts",
        "declare -n",
    ]
    .into_iter()
    .any(named);
    let leaves = text
        .split([
            ' ', '\t', '\n', '=', '"', '\'', '(', '{', ',', '<', '>', '|', ';', ':', '@', '`', '[',
        ])
        .any(|word| {
            word.starts_with(['/', '~'])
                && !devices::HARMLESS.contains(word.trim_end_matches([';', ')', '}']))
                || climbs(word)
                || (word.contains('\\') && word != "\\")
        });
    !reads && !leaves
}

fn changes_directory(invocation: &Invocation<'_>) -> bool {
    matches!(invocation.name.as_str(), "cd" | "pushd" | "chdir")
}

/// Whether the operator's path patterns admit a place: as written and as it really is.
pub(crate) fn is_allowed(request: &dyn Request, settings: &Settings, place: &Place) -> bool {
    let admits = |path: &str| admitted(request, settings, path);
    admits(&place.path) && place.real_path.as_deref().is_none_or(admits)
}

fn admitted(request: &dyn Request, settings: &Settings, path: &str) -> bool {
    settings
        .allowed_paths
        .iter()
        .any(|pattern| admits(request, pattern, path))
}

/// Whether `..\` stands in a text as a name of its own: to a shell on Windows that leads up.
fn climbs_backwards(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices("..\\").any(|(place, _)| {
        let before = place.checked_sub(1).and_then(|place| bytes.get(place));
        before.is_none_or(|byte| matches!(byte, b'/' | b'\\' | b'=' | b'"' | b'\''))
            && bytes.get(place + 3).is_some_and(|byte| *byte != b'\n')
    })
}

fn admits(request: &dyn Request, pattern: &str, path: &str) -> bool {
    if matches!(patterns::find(pattern, path), Ok(Some(_))) {
        return true;
    }
    let Some(root) = literal_root(pattern) else {
        return false;
    };
    let real = request.place(&root).real_path;
    is_inside(path, &root) || real.is_some_and(|real| is_inside(path, &real))
}

/// The directory that `^/literal` and `^/literal(?:/|$)` stand for.
fn literal_root(pattern: &str) -> Option<String> {
    let rest = pattern.strip_prefix('^')?;
    let rest = rest.strip_suffix("(?:/|$)").unwrap_or(rest);
    let mut root = String::new();
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => root.push(
                characters
                    .next()
                    .filter(|next| !next.is_ascii_alphanumeric())?,
            ),
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' => {
                return None;
            }
            other => root.push(other),
        }
    }
    (root.starts_with('/') && root.len() > 1).then(|| lexical("/", &root))
}
