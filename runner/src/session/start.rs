//! A session takes over a process that was just started.

use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::watch;

use super::child::{Child, replies};
use super::input::Input;
use super::registry::{Registry, Scope};
use super::transcript::Transcript;
use super::typed::TypedLine;
use super::{Looks, Notice, Origin, Session, State, Tape, display, name};
use crate::completion::{Limits, Observer};
use crate::keeper::Running;
use crate::output::Capture;
use crate::output::mask::Secrets;
use crate::plan::ExecPlan;
use crate::terminal::{Terminal, WindowSize};

/// Everything a session is made of.
pub(crate) struct Adoption {
    /// The process.
    pub running: Running,
    /// Its terminal, if it runs on one; `running` holds the ends of it.
    pub terminal: Option<Terminal>,
    /// What it was started for.
    pub plan: Arc<ExecPlan>,
    /// Keeps what it prints.
    pub output: Capture,
    /// What is masked.
    pub secrets: Arc<Secrets>,
    /// How long it may take.
    pub limits: Limits,
    /// Sees every chunk as it comes.
    pub observer: Option<Box<Observer<'static>>>,
    /// What records it, if something does.
    pub tape: Option<Tape>,
    /// Whether its end is told unasked.
    pub notify: bool,
}

impl Registry {
    /// Makes a session of a process, and a task that follows it to its end.
    pub(crate) fn adopt(self: &Arc<Self>, adoption: Adoption) -> Arc<Session> {
        let Adoption {
            mut running,
            terminal,
            plan,
            output,
            secrets,
            limits,
            observer,
            tape,
            notify,
        } = adoption;
        let plan_notify = plan.request.notify;
        let input = running.stdin.take().map(Input::new);
        let screen = terminal
            .as_ref()
            .map(|_| display::new(WindowSize::default()));
        let make = |id: String| Session {
            writable: input.is_some().into(),
            origin: Origin {
                id,
                mark: running.session.clone(),
                scope: Scope::of(&plan.request.caller),
                name: name::display_name(&plan.request.command),
                pid: running.pid,
                started: (running.started, SystemTime::now()),
                keeper: running.keeper.clone(),
                plan,
                terminal,
                secrets,
            },
            state: State {
                transcript: Transcript::new(
                    self.settings().kept_chars,
                    self.settings().profile.style().controls,
                ),
                notice: Notice {
                    on: notify,
                    is_wished: plan_notify == Some(true),
                    sent: false,
                },
                typed: TypedLine::default(),
                looks: Looks::default(),
                echoes: Vec::new(),
                is_background: false,
                is_settled: false,
                is_hidden: false,
                printed: None,
                end: None,
                output,
                screen,
                tape: tape.map(Box::new),
            }
            .into(),
            changed: watch::Sender::new(0),
            stop: watch::Sender::new(None),
            turn: Default::default(),
            input: input.into(),
        };
        let session = self.insert(make);
        let child = Child {
            session: Arc::clone(&session),
            registry: Arc::downgrade(self),
            observer,
            replies: session.origin.terminal.as_ref().map(|_| replies(&session)),
        };
        self.follow(tokio::spawn(child.run(running, limits)));
        session
    }
}
