//! Generated bindings. Authors use the enumerated re-exports of the crate root instead.
#![allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    unsafe_code,
    unused_qualifications,
    reason = "generated code"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "grants",
    generate_all,
    additional_derives: [PartialEq],
    generate_unused_types: true,
});

/// One module a role: the export macro of its world, over the types above.
macro_rules! role {
    ($module:ident, $world:literal, $macro:literal, $bindings:literal) => {
        pub mod $module {
            wit_bindgen::generate!({
                path: "../../wit",
                world: $world,
                with: {
                    "execgate:policy/command@1.0.0": crate::bindings::execgate::policy::command,
                    "execgate:policy/request@1.0.0": crate::bindings::execgate::policy::request,
                    "execgate:policy/outcome@1.0.0": crate::bindings::execgate::policy::outcome,
                    "execgate:policy/log@1.0.0": crate::bindings::execgate::policy::log,
                    "execgate:policy/patterns@1.0.0": crate::bindings::execgate::policy::patterns,
                    "execgate:policy/settings@1.0.0": crate::bindings::execgate::policy::settings,
                    "execgate:policy/verdict@1.0.0": crate::bindings::execgate::policy::verdict,
                },
                pub_export_macro: true,
                export_macro_name: $macro,
                default_bindings_module: $bindings,
                additional_derives: [PartialEq],
            });
        }
    };
}

role!(
    analyzer_module,
    "analyzer-module",
    "export_analyzer_module",
    "execgate_guest::bindings::analyzer_module"
);
role!(
    policy_module,
    "policy-module",
    "export_policy_module",
    "execgate_guest::bindings::policy_module"
);
role!(
    approver_module,
    "approver-module",
    "export_approver_module",
    "execgate_guest::bindings::approver_module"
);
role!(
    formatter_module,
    "formatter-module",
    "export_formatter_module",
    "execgate_guest::bindings::formatter_module"
);
