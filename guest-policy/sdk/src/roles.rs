//! The four things a component can be, as traits, and the macros that export them.

use crate::outcome::{Completion, Output};
use crate::request::Request;
use crate::types::{CommandLine, Consideration, Grant, Problem, Rendered, Source, Verdict};

/// What is made from settings: the state a role keeps during one instance.
pub trait Configure: Sized + 'static {
    /// Makes it from a JSON object.
    ///
    /// # Errors
    /// Every setting that cannot be used, with what would be right.
    fn configure(settings: &str) -> Result<Self, Vec<Problem>>;
}

/// Reads command texts. Export it with [`crate::export_analyzer!`].
pub trait Analyzer: Configure {
    /// Says what a text would do.
    fn analyze(&self, source: &Source) -> CommandLine;
}

/// Judges requests. Export it with [`crate::export_policy!`].
pub trait Policy: Configure {
    /// Says whether a request may go on.
    fn evaluate(&self, request: &dyn Request) -> Verdict;
}

/// Decides what is asked of people. Export it with [`crate::export_approver!`].
pub trait Approver: Configure {
    /// Considers a request that a policy wants to have asked about.
    fn consider(&self, request: &dyn Request, verdict: &Verdict, grants: &[Grant])
    -> Consideration;
}

/// Writes answers. Export it with [`crate::export_formatter!`].
pub trait Formatter: Configure {
    /// Writes the answer of a command that was started.
    fn render(
        &self,
        request: &dyn Request,
        completion: &dyn Completion,
        output: &dyn Output,
    ) -> Rendered;
    /// Writes the answer of a request that was refused.
    fn render_refusal(&self, request: &dyn Request, verdict: &Verdict) -> Rendered;
    /// Writes the answer of an action on sessions, from its report: a JSON object that docs/session-report.md describes.
    ///
    /// Without an implementation the report itself is the answer.
    fn render_session(&self, report: &str) -> Rendered {
        Rendered {
            model_text: report.to_owned(),
            user_text: String::new(),
            details: report.to_owned(),
            is_error: false,
        }
    }
}

/// Exports a type as a component's analyzer. The type implements [`Analyzer`].
#[macro_export]
macro_rules! export_analyzer {
    ($state:ty) => {
        const _: () = {
            $crate::__role! {
                Component,
                $state,
                $crate::bindings::analyzer_module::exports::execgate::policy::analyzer::Guest,
                fn analyze(source: $crate::Source) -> $crate::CommandLine {
                    $crate::Analyzer::analyze(state(), &source)
                }
            }
            $crate::bindings::analyzer_module::export_analyzer_module!(
                Component with_types_in $crate::bindings::analyzer_module
            );
        };
    };
}

/// Exports a type as a component's policy. The type implements [`Policy`].
#[macro_export]
macro_rules! export_policy {
    ($state:ty) => {
        const _: () = {
            $crate::__role! {
                Component,
                $state,
                $crate::bindings::policy_module::exports::execgate::policy::policy::Guest,
                fn evaluate(
                    request: &$crate::bindings::execgate::policy::request::Request,
                ) -> $crate::Verdict {
                    $crate::Policy::evaluate(state(), request)
                }
            }
            $crate::bindings::policy_module::export_policy_module!(
                Component with_types_in $crate::bindings::policy_module
            );
        };
    };
}

/// Exports a type as a component's approver. The type implements [`Approver`].
#[macro_export]
macro_rules! export_approver {
    ($state:ty) => {
        const _: () = {
            $crate::__role! {
                Component,
                $state,
                $crate::bindings::approver_module::exports::execgate::policy::approver::Guest,
                fn consider(
                    request: &$crate::bindings::execgate::policy::request::Request,
                    verdict: $crate::Verdict,
                    grants: Vec<$crate::Grant>,
                ) -> $crate::Consideration {
                    $crate::Approver::consider(state(), request, &verdict, &grants)
                }
            }
            $crate::bindings::approver_module::export_approver_module!(
                Component with_types_in $crate::bindings::approver_module
            );
        };
    };
}

/// Exports a type as a component's formatter. The type implements [`Formatter`].
#[macro_export]
macro_rules! export_formatter {
    ($state:ty) => {
        const _: () = {
            $crate::__role! {
                Component,
                $state,
                $crate::bindings::formatter_module::exports::execgate::policy::formatter::Guest,
                fn render(
                    request: &$crate::bindings::execgate::policy::request::Request,
                    completion: &$crate::bindings::execgate::policy::outcome::Completion,
                    output: &$crate::bindings::execgate::policy::outcome::Output,
                ) -> $crate::Rendered {
                    $crate::Formatter::render(state(), request, completion, output)
                }
                fn render_refusal(
                    request: &$crate::bindings::execgate::policy::request::Request,
                    verdict: $crate::Verdict,
                ) -> $crate::Rendered {
                    $crate::Formatter::render_refusal(state(), request, &verdict)
                }
                fn render_session(report: String) -> $crate::Rendered {
                    $crate::Formatter::render_session(state(), &report)
                }
            }
            $crate::bindings::formatter_module::export_formatter_module!(
                Component with_types_in $crate::bindings::formatter_module
            );
        };
    };
}

/// The component type of one role: `configure` fills a cell, the other exports read it.
#[doc(hidden)]
#[macro_export]
macro_rules! __role {
    ($component:ident, $state:ty, $guest:path, $($export:item)*) => {
        struct $component;
        static STATE: ::std::sync::OnceLock<$state> = ::std::sync::OnceLock::new();
        fn state() -> &'static $state {
            STATE.get().expect("the host configures an instance before it calls it")
        }
        impl $guest for $component {
            fn configure(settings: String) -> Result<(), Vec<$crate::Problem>> {
                let state = <$state as $crate::Configure>::configure(&settings)?;
                // A second call keeps what the first one set: the contract says it never comes.
                let _ = STATE.set(state);
                Ok(())
            }
            $($export)*
        }
    };
}
