//! Programs that stop or restart the machine.

use crate::names::Names;

/// Programs that do nothing else.
pub const PROGRAMS: Names = Names::new(&[
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "rtcwake",
    "systemd-halt",
]);

/// Programs that change the run level with an operand.
pub const RUN_LEVEL: &[&str] = &["init", "telinit"];

/// Run levels that stop or restart.
pub const STOPPING_LEVELS: &[&str] = &["0", "1", "6", "s", "S"];

/// Programs with verbs for it.
pub const MANAGERS: &[&str] = &["systemctl", "loginctl", "elogind"];

/// Those verbs.
pub const VERBS: Names = Names::new(&[
    "poweroff",
    "reboot",
    "halt",
    "kexec",
    "soft-reboot",
    "suspend",
    "hibernate",
    "hybrid-sleep",
    "suspend-then-hibernate",
    "rescue",
    "emergency",
    "exit",
]);
