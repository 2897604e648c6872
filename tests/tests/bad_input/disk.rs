//! A disk that is full while output is saved.

use std::path::{Path, PathBuf};
use std::process::Command;

use execgate_tests::Scratch;
use pretty_assertions::assert_eq;

/// Size of the disk, in KiB, and of the output, in bytes.
const DISK: usize = 256;
const OUTPUT: usize = 2_000_000;

/// A tiny disk; it is unmounted on drop.
struct Disk {
    path: PathBuf,
}

impl Disk {
    /// Mounts one, where this process may do so.
    fn mount(path: &Path) -> Option<Self> {
        let size = format!("size={DISK}k");
        let arguments = ["-t", "tmpfs", "-o", &size, "tmpfs"];
        let mounted = Command::new("mount").args(arguments).arg(path).output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then(|| Self {
                path: path.to_owned(),
            })
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a program of a failed test may still be in it.
        let _ = Command::new("umount").arg("-l").arg(&self.path).output();
    }
}

#[test]
fn output_is_shown_and_the_loss_of_the_rest_is_told() {
    let scratch = Scratch::new();
    let path = scratch.root().join("disk");
    std::fs::create_dir(&path).expect("the test's own directory can be written");
    let Some(_disk) = Disk::mount(&path) else {
        println!("left out: mounting a small disk takes rights that this process has not");
        return;
    };
    let config = scratch.write("settings.toml", "[exec]\nmax-output-chars = 1000\n");
    let (config, workspace) = (config.to_string_lossy(), path.to_string_lossy());
    let mut caller = scratch.call(&["--config", &config, "--workspace", &workspace]);
    for _ in 0..2 {
        let answer = caller.run(&format!("head -c {OUTPUT} /dev/zero | tr '\\0' x"));
        let details = answer.details();
        assert_eq!(
            (details["exitCode"].as_i64(), answer.is_error()),
            (Some(0), false)
        );
        assert_eq!(details["totalBytes"], OUTPUT);
        assert_eq!(details["artifact"]["complete"], false, "{answer:?}");
        assert!(details["artifact"]["problem"].is_string(), "{answer:?}");
        assert!(answer.text().contains(&"x".repeat(400)), "{answer:?}");
    }
    super::assert_alive(&mut caller);
}
