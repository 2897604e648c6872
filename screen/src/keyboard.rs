//! Flags of kitty's keyboard protocol, which programs push and pop.

/// Most flags that are kept; the oldest is forgotten, as the protocol says.
const MOST: usize = 16;

/// All flags there are.
const ALL: u8 = 0b1_1111;

/// The flags of one screen, the last of them in force.
#[derive(Debug, Default)]
pub(crate) struct Keyboard {
    stack: Vec<u8>,
}

impl Keyboard {
    pub fn flags(&self) -> u8 {
        self.stack.last().copied().unwrap_or(0)
    }

    /// `CSI > flags u`
    pub fn push(&mut self, flags: u16) {
        if self.stack.len() == MOST {
            self.stack.remove(0);
        }
        self.stack.push(known(flags));
    }

    /// `CSI < count u`
    pub fn pop(&mut self, count: u16) {
        let left = self.stack.len().saturating_sub(usize::from(count));
        self.stack.truncate(left);
    }

    /// `CSI = flags ; how u`: replaces the flags, or sets (2) or clears (3) some.
    pub fn set(&mut self, flags: u16, how: u16) {
        let (before, flags) = (self.flags(), known(flags));
        self.stack.pop();
        self.stack.push(match how {
            2 => before | flags,
            3 => before & !flags,
            _ => flags,
        });
    }
}

fn known(flags: u16) -> u8 {
    u8::try_from(flags & u16::from(ALL)).unwrap_or(ALL)
}
