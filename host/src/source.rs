//! Where a component's bytes come from.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use crate::load::LoadError;

/// The name and the bytes of a component.
///
/// The name is for people: it stands in messages, faults and records.
#[derive(Clone)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl Source {
    /// A component that is part of the program.
    #[must_use]
    pub fn embedded(name: &str, bytes: &'static [u8]) -> Self {
        Self {
            name: name.to_owned(),
            bytes: Cow::Borrowed(bytes),
        }
    }

    /// A component that was read already.
    #[must_use]
    pub fn bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            bytes: Cow::Owned(bytes),
        }
    }

    /// Reads a component from a file; its name is the file's.
    ///
    /// # Errors
    /// [`LoadError::Unreadable`] when the file cannot be read.
    pub fn file(path: &Path) -> Result<Self, LoadError> {
        let bytes = fs::read(path).map_err(|source| LoadError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self::bytes(&name.to_string_lossy(), bytes))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}
