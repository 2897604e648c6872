//! Device files.

use crate::names::Names;

/// Path prefixes of block devices: the kernel's names of disks, and where udev links them.
pub const BLOCK: &[&str] = &[
    "/dev/sd",
    "/dev/hd",
    "/dev/vd",
    "/dev/xvd",
    "/dev/nvme",
    "/dev/mmcblk",
    "/dev/loop",
    "/dev/dm-",
    "/dev/md",
    "/dev/sr",
    "/dev/nbd",
    "/dev/disk/",
    "/dev/mapper/",
    "/dev/zd",
    "/dev/ram",
    "/dev/rdisk",
    "/dev/disk",
];

/// Devices that anybody may read and write without harm.
pub const HARMLESS: Names = Names::new(&[
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
]);

/// Programs whose file operands are written, so that a device among them is overwritten.
pub const WRITERS: Names = Names::new(&[
    "tee",
    "cp",
    "mv",
    "install",
    "shred",
    "truncate",
    "rsync",
    "pv",
    "qemu-img",
    "sponge",
    "ddrescue",
    "dcfldd",
    "dc3dd",
    "badblocks",
    "hdparm",
    "blkdiscard",
    "dd",
    "ln",
    "unzip",
    "curl",
    "wget",
]);

/// Whether a path names a block device.
pub fn is_block(path: &str) -> bool {
    BLOCK.iter().any(|prefix| path.starts_with(prefix))
}
