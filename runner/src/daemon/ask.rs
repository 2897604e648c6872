//! Questions of the policy, put to the client whose call raised them.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::rpc;
use crate::approvals::{Answer, Ask};
use crate::plan::ExecPlan;
use execgate_host::Prompt;

tokio::task_local! {
    /// The client that waits for the call of this task, if it can be asked.
    static CLIENT: mpsc::Sender<Value>;
}

/// Questions that wait for an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions(Arc<Pending>);

#[derive(Debug, Default)]
struct Pending {
    last: AtomicU64,
    waiting: Mutex<HashMap<u64, Waiting>>,
}

/// Who was asked, and who waits for the answer.
#[derive(Debug)]
struct Waiting {
    client: mpsc::Sender<Value>,
    answer: oneshot::Sender<Answer>,
}

impl Questions {
    /// Runs a call whose questions go to a client.
    pub(super) async fn asking<T>(client: mpsc::Sender<Value>, call: impl Future<Output = T>) -> T {
        CLIENT.scope(client, call).await
    }

    /// Takes an answer, from the client that was asked and from no other.
    pub(super) fn answer(&self, client: &mpsc::Sender<Value>, id: u64, answer: Answer) -> bool {
        let mut waiting = self
            .0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_theirs = waiting
            .get(&id)
            .is_some_and(|one| one.client.same_channel(client));
        let Some(question) = is_theirs.then(|| waiting.remove(&id)).flatten() else {
            return false;
        };
        question.answer.send(answer).is_ok()
    }

    async fn put(&self, prompt: &Prompt) -> Answer {
        let Ok(client) = CLIENT.try_with(Clone::clone) else {
            return Answer::Unreachable;
        };
        let id = self.0.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (answer, answered) = oneshot::channel();
        let question = Waiting {
            client: client.clone(),
            answer,
        };
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, question);
        let _forget = Forget(self, id);
        let asked = rpc::notification(
            "approval-requested",
            &json!({"approvalId": id, "title": prompt.title, "facts": prompt.facts}),
        );
        if client.send(asked).await.is_err() {
            return Answer::Unreachable;
        }
        tokio::select! {
            answer = answered => answer.unwrap_or(Answer::Unreachable),
            // Whoever was asked has gone.
            () = client.closed() => Answer::Unreachable,
        }
    }
}

/// Forgets a question when its call is given up.
struct Forget<'a>(&'a Questions, u64);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        let Self(questions, id) = self;
        questions
            .0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
    }
}

impl Ask for Questions {
    fn ask<'a>(
        &'a self,
        prompt: &'a Prompt,
        _plan: &'a ExecPlan,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(self.put(prompt))
    }
}
