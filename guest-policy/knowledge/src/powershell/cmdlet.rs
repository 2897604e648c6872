//! What a row of the table says.

/// What a cmdlet does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No more than its parameters say.
    Plain,
    /// Deletes items.
    Deletes,
    /// Empties files.
    Empties,
    /// Writes properties of items, or the items of a provider.
    Properties,
    /// Reads from the network.
    Fetches,
    /// Runs a text.
    Runs,
    /// Starts a program.
    Starts,
    /// Opens files with the programs that are registered for them.
    Opens,
    /// Loads a module, which is code.
    Imports,
    /// Changes which scripts may run.
    Policy,
    /// Something that a person should see first: rule, and what it does.
    Ask(&'static str, &'static str),
    /// Something that should not be done at all: rule, and what it does.
    Deny(&'static str, &'static str),
}

/// One cmdlet, or several that are alike.
#[derive(Clone, Copy, Debug)]
pub struct Cmdlet {
    /// What it does.
    pub effect: Effect,
    /// Its parameters, separated by spaces: a switch, or `Name:kind`, where `*` stands for any other name.
    ///
    /// Kinds: `t` text, `s` text or script blocks, `b` a script block, `m` a script block or the name of a member,
    /// `r` a path that is read, `w` one that is written, `o` one that is moved away, `d` one that is deleted,
    /// `c` one that is run, `n` a name in the directory of another path, `u` an address, `g` an HTTP method,
    /// `h` HTTP headers, `x` something that does more than is known to be harmless.
    pub parameters: &'static str,
    /// Parameters that arguments without a name are for, in order; one with `*` takes all that follow.
    pub positions: &'static str,
}

/// Parameters that every cmdlet has (`about_CommonParameters`), in the form of [`Cmdlet::parameters`].
pub const COMMON_PARAMETERS: &str = "Verbose VB Debug DB ErrorAction:t EA:t WarningAction:t WA:t InformationAction:t \
    INFA:t ProgressAction:t PROGA:t ErrorVariable:t EV:t WarningVariable:t WV:t InformationVariable:t IV:t \
    OutVariable:t OV:t OutBuffer:t OB:t PipelineVariable:t PV:t WhatIf WI Confirm CF";
