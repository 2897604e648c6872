//! What execgate knows about programs: tables of static data, one family a file. No logic beyond look-ups.
#![forbid(unsafe_code)]

pub mod carriers;
pub mod cmd;
pub mod containers;
pub mod devices;
pub mod disks;
pub mod dotnet;
pub mod environment;
pub mod guard;
pub mod names;
pub mod options;
pub mod packages;
pub mod power;
pub mod powershell;
pub mod privilege;
pub mod programs;
pub mod remote;
pub mod sensitive;
pub mod shells;
pub mod texts;
pub mod tools;
pub mod windows;
