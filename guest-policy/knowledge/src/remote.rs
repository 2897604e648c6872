//! Programs that open sessions on other hosts, or copy to and from them.

use crate::names::Names;

/// Sessions.
pub const SESSIONS: Names = Names::new(&[
    "ssh", "slogin", "autossh", "mosh", "sftp", "sshfs", "rsh", "rlogin", "pssh", "pdsh", "sshpass",
]);

/// Copies, when an operand is `host:path`.
pub const COPIES: &[&str] = &["scp", "rsync"];

/// Programs that read from the network.
pub const FETCHERS: Names = Names::new(&[
    "curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "links", "fetch", "nc", "ncat",
    "netcat", "socat", "telnet", "ftp", "lftp", "openssl", "gh", "aws", "gsutil", "rclone", "ssh",
    "scp", "sftp", "rsync",
]);
