use execgate::completion::Outcome;
use pretty_assertions::assert_eq;

use super::support::Bench;

/// A text of exactly this many bytes that prints its own length in the variable `word`.
fn text(length: usize, end: &str) -> String {
    let frame = format!("word=\n{end}").len();
    format!("word={}\n{end}", "x".repeat(length - frame))
}

#[tokio::test]
async fn text_of_any_length_runs_byte_for_byte() {
    let bench = Bench::new().await;
    let end = "echo ${#word}; cat; ls /proc/self/fd | tr '\\n' ' '; exit 7";
    for length in [1000, 131_071, 131_072, 131_073, 200_000, 3_000_000] {
        let (completion, printed) = bench.run(&text(length, end)).await;
        let word = length - "word=\n".len() - end.len();
        assert_eq!(printed, format!("{word}\n0 1 2 3 "), "{length} bytes");
        assert_eq!(completion.outcome, Outcome::Exited(7));
    }
}

#[tokio::test]
async fn long_text_runs_in_a_plain_shell_too() {
    let bench = Bench::new().await;
    let mut launch = bench.bash(&text(
        200_000,
        "echo ${#word}; [ -e /proc/self/fd/3 ] && echo open",
    ));
    launch.program = "/bin/sh".into();
    let (_, printed) = bench.run_with(launch, Default::default()).await;
    assert_eq!(printed.lines().count(), 1, "{printed}");
}
