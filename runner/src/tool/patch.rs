//! OpenClaw's `apply_patch`, which the default profile takes over and adds to.

use super::{Argument, Arguments, Call, Shape, Surface, argument, boolean, check, text};
use crate::patch::PatchRequest;
use crate::profile::Profile;
use crate::request::{BadArguments, Caller};

/// What the tool is for, as a model reads it.
pub(super) const DESCRIPTION: &str = "Add, change, move and delete files of the workspace with one patch: all of it is applied, or nothing. The text begins with `*** Begin Patch` and ends with `*** End Patch`.";

const ARGUMENTS: &[Argument] = &[
    argument(
        "input",
        Shape::Text,
        "The patch: `*** Add File: PATH`, `*** Delete File: PATH` and `*** Update File: PATH` sections",
    ),
    argument(
        "dryRun",
        Shape::Boolean,
        "Show the changes as a unified diff and change nothing",
    ),
];

/// The arguments of a profile's surface.
pub(super) fn arguments(profile: Profile) -> Vec<Argument> {
    let own = |argument: &&Argument| argument.name != "dryRun" || profile == Profile::Default;
    ARGUMENTS.iter().filter(own).copied().collect()
}

/// Reads a call.
pub(super) fn read(
    surface: &Surface,
    arguments: &Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    let input = text(arguments, "input").unwrap_or_default();
    if input.trim().is_empty() {
        return Err(BadArguments("Provide a patch input.".to_owned()));
    }
    if surface.profile == Profile::Default {
        check(&self::arguments(surface.profile), arguments).map_err(BadArguments)?;
    }
    Ok(Call::Patch(Box::new(PatchRequest {
        input: input.to_owned(),
        dry_run: surface.profile == Profile::Default && boolean(arguments, "dryRun"),
        caller,
    })))
}
