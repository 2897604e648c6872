//! Programs that format, partition or wipe disks.

use crate::names::Names;

/// Programs that do nothing else.
pub const FORMATTERS: Names = Names::new(&[
    "mkfs",
    "mke2fs",
    "mkswap",
    "mkdosfs",
    "mkntfs",
    "fdisk",
    "sfdisk",
    "cfdisk",
    "gdisk",
    "sgdisk",
    "wipefs",
    "blkdiscard",
    "badblocks",
    "diskpart",
    "format",
    "tune2fs",
    "pvremove",
    "vgremove",
    "lvremove",
    "zpool-destroy",
    "cryptsetup",
    "mdadm",
]);

/// `mkfs.ext4`, `mkfs.xfs`, … and `newfs_hfs`, ….
pub const FORMATTER_PREFIXES: &[&str] = &["mkfs.", "newfs"];
