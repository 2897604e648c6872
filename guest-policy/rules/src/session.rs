//! Actions on sessions: the report a formatter gets, and the texts OpenClaw's clients know.

mod process;
mod report;

pub use process::{GUIDANCE, LOST, Words, brief, duration, process, started};
pub use report::{
    Input, Log, Match, Notice, Page, Printed, Problem, Report, Search, Session, Survivor, Usage,
    Wait,
};
