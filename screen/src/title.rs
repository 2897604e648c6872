//! What programs call their window.

/// Longest title in bytes; the rest is left out.
const LONGEST: usize = 1024;

/// Most titles that are saved, as in xterm.
const MOST: usize = 10;

/// The title, and those that programs saved.
#[derive(Debug, Default)]
pub(crate) struct Title {
    now: Option<String>,
    saved: Vec<Option<String>>,
}

impl Title {
    pub fn get(&self) -> Option<&str> {
        self.now.as_deref()
    }

    /// Sets the title; controls are left out, and an empty one is none.
    pub fn set(&mut self, text: &str) {
        let mut title: String = text.chars().filter(|next| !next.is_control()).collect();
        title.truncate(title.floor_char_boundary(LONGEST));
        self.now = Some(title).filter(|title| !title.is_empty());
    }

    pub fn save(&mut self) {
        if self.saved.len() == MOST {
            self.saved.remove(0);
        }
        self.saved.push(self.now.clone());
    }

    pub fn restore(&mut self) {
        if let Some(title) = self.saved.pop() {
            self.now = title;
        }
    }
}
