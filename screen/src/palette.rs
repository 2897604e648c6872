//! The colours that programs are told of. What they set is not kept: the screen has no colours of its own.

use crate::style::Rgb;

/// What programs are told when they ask for the terminal's colours. They choose a light or a dark theme by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Of characters, and of the cursor.
    pub foreground: Rgb,
    /// Behind them.
    pub background: Rgb,
}

impl Default for Palette {
    /// Light grey on black.
    fn default() -> Self {
        Self {
            foreground: Rgb(0xE5, 0xE5, 0xE5),
            background: Rgb(0, 0, 0),
        }
    }
}

/// The first 16 colours, those of xterm.
const NAMED: [Rgb; 16] = [
    Rgb(0x00, 0x00, 0x00),
    Rgb(0xCD, 0x00, 0x00),
    Rgb(0x00, 0xCD, 0x00),
    Rgb(0xCD, 0xCD, 0x00),
    Rgb(0x00, 0x00, 0xEE),
    Rgb(0xCD, 0x00, 0xCD),
    Rgb(0x00, 0xCD, 0xCD),
    Rgb(0xE5, 0xE5, 0xE5),
    Rgb(0x7F, 0x7F, 0x7F),
    Rgb(0xFF, 0x00, 0x00),
    Rgb(0x00, 0xFF, 0x00),
    Rgb(0xFF, 0xFF, 0x00),
    Rgb(0x5C, 0x5C, 0xFF),
    Rgb(0xFF, 0x00, 0xFF),
    Rgb(0x00, 0xFF, 0xFF),
    Rgb(0xFF, 0xFF, 0xFF),
];

impl Palette {
    /// Whether the background is nearer to black than to white.
    pub(crate) fn is_dark(&self) -> bool {
        let Rgb(red, green, blue) = self.background;
        // The weights of brightness that broadcasting uses (ITU-R BT.601).
        let brightness = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
        brightness < 128_000
    }
}

/// Returns one of the 256 colours of xterm: 16 named ones, a cube of 6 × 6 × 6, and 24 greys.
pub(crate) fn indexed(index: u8) -> Rgb {
    if let Some(color) = NAMED.get(usize::from(index)) {
        return *color;
    }
    match index.checked_sub(232) {
        Some(grey) => {
            let level = 8 + 10 * grey;
            Rgb(level, level, level)
        }
        None => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            Rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
    }
}
