//! Exit codes of the `execgate` command.

/// Every verdict was computed, or the command succeeded.
pub const SUCCESS: u8 = 0;
/// `policy lint`: something is odd about the rules. `patch`: it does not fit, or cannot be taken back.
pub const ODD: u8 = 1;
/// Bad input or arguments.
pub const USAGE: u8 = 2;
/// `policy check --strict`: the verdict was `ask`.
pub const VERDICT_ASK: u8 = 10;
/// `policy check --strict`: the verdict was `deny`.
pub const VERDICT_DENY: u8 = 11;
/// `run`: the command's time was up, as timeout(1) says it.
pub const TIMED_OUT: u8 = 124;
/// `run`: execgate itself failed; nothing is known of the command.
pub const FAILURE: u8 = 125;
/// `run`: the command was denied or refused and did not run.
pub const REFUSED: u8 = 126;
/// `run`: added to the number of the signal that ended the command, as shells do.
pub const SIGNAL_BASE: u8 = 128;
