//! Generated bindings of the package `execgate:policy`, and what derives cannot add to them.
#![allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    unsafe_code,
    unused_qualifications,
    reason = "generated code"
)]

use serde::ser::{Serialize, SerializeSeq, Serializer};

wasmtime::component::bindgen!({
    path: "../wit",
    world: "all",
    imports: {
        "execgate:policy/workspace": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "execgate:policy/request.request": crate::state::LentRequest,
        "execgate:policy/outcome.completion": crate::state::LentCompletion,
        "execgate:policy/outcome.output": crate::state::LentOutput,
    },
    additional_derives: [PartialEq, serde::Serialize],
});

use execgate::policy::command::Context;

/// The names of the flags that are set, as in WIT.
impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = [
            (Self::SUBSHELL, "subshell"),
            (Self::IN_LOOP, "in-loop"),
            (Self::CONDITIONAL, "conditional"),
            (Self::BACKGROUND, "background"),
            (Self::COPROCESS, "coprocess"),
            (Self::IN_FUNCTION, "in-function"),
        ];
        let mut list = serializer.serialize_seq(None)?;
        for (flag, name) in names {
            if self.contains(flag) {
                list.serialize_element(name)?;
            }
        }
        list.end()
    }
}
