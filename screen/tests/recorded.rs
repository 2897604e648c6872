//! What real programs printed, and what a person saw of it: vim, less, bash and tmux in 16 rows of 60 columns.
//!
//! The rows agree with what tmux 3.3a shows of the same bytes.

use execgate_screen::{CursorKeys, Screen, Settings, Size, Snapshot, Styles};
use pretty_assertions::assert_eq;

fn shown(bytes: &[u8]) -> (Snapshot, Screen) {
    let mut screen = Screen::new(&Settings {
        size: Size::new(16, 60).expect("it is within the bounds"),
        ..Settings::default()
    });
    for chunk in bytes.chunks(7) {
        let _ = screen.push(chunk);
    }
    (screen.snapshot(Styles::Omitted), screen)
}

fn text(snapshot: &Snapshot) -> String {
    snapshot.rows.join("\n") + "\n"
}

#[test]
fn vim_shows_two_windows_of_one_file() {
    let (seen, screen) = shown(include_bytes!("recorded/vim.bytes"));
    assert_eq!(text(&seen), include_str!("recorded/vim.rows"));
    assert!(seen.alternate_screen);
    assert_eq!(screen.modes().cursor_keys, CursorKeys::Application);
}

#[test]
fn less_shows_the_page_before_the_match() {
    let (seen, screen) = shown(include_bytes!("recorded/less.bytes"));
    assert_eq!(text(&seen), include_str!("recorded/less.rows"));
    assert!(seen.alternate_screen);
    assert_eq!(screen.modes().cursor_keys, CursorKeys::Application);
}

#[test]
fn bash_shows_an_edited_line_that_wraps() {
    let (seen, screen) = shown(include_bytes!("recorded/bash.bytes"));
    assert_eq!(text(&seen), include_str!("recorded/bash.rows"));
    assert!(!seen.alternate_screen);
    assert!(screen.modes().bracketed_paste);
}

#[test]
fn tmux_shows_three_panes() {
    let (seen, _) = shown(include_bytes!("recorded/tmux.bytes"));
    assert_eq!(text(&seen), include_str!("recorded/tmux.rows"));
    assert!(seen.alternate_screen);
}
