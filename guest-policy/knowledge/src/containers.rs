//! Container engines.

/// Engines that take docker's verbs.
pub const ENGINES: &[&str] = &["docker", "podman", "nerdctl", "lima", "finch"];

/// Programs that take the verbs of `docker compose`.
pub const COMPOSERS: &[&str] = &["docker-compose", "podman-compose"];

/// Verbs that start or enter a container.
pub const VERBS: &[&str] = &["run", "exec", "attach", "start", "create"];

/// Verbs that run a command in a container.
pub const RUNNING_VERBS: &[&str] = &["run", "exec"];
