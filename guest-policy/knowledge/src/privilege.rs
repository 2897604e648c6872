//! Programs that run others with somebody else's rights.

use crate::names::Names;

/// They change who a command runs as.
pub const ELEVATORS: Names = Names::new(&[
    "sudo", "sudoedit", "doas", "su", "pkexec", "runuser", "run0", "please", "gosu", "setpriv",
    "sg", "newgrp", "gsudo", "calife", "super", "dzdo",
]);

/// They change who owns files.
pub const OWNERSHIP: &[&str] = &["chown", "chgrp"];

/// They send signals by name.
pub const KILLERS: Names = Names::new(&[
    "pkill", "killall", "killall5", "skill", "slay", "xkill", "taskkill",
]);
