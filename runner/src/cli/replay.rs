//! `execgate replay`: plays a recording at this terminal.

use std::fs::File;
use std::io::{BufReader, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use execgate::exit_code;
use execgate_screen::cast::{Pace, Player};

/// What leaves the screen as it was: colours off, cursor shown, the main screen back, keys and pasting as ever.
const RESET: &str =
    "\x1b[0m\x1b[?25h\x1b[?1049l\x1b[?1l\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\r\n";

/// Play a recording (asciicast v2) at this terminal
#[derive(Args)]
pub struct Replay {
    /// How many times as fast as it was recorded
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Longest pause, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::run::parse_seconds)]
    idle_limit: Option<f64>,
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Replay {
    /// Plays it; Ctrl-C ends it and leaves the terminal as it was.
    pub fn execute(self) -> anyhow::Result<u8> {
        super::block_on(async {
            let playing = tokio::task::spawn_blocking(move || self.play());
            let code = tokio::select! {
                played = playing => {
                    played??;
                    exit_code::SUCCESS
                }
                _ = tokio::signal::ctrl_c() => exit_code::SIGNAL_BASE + 2,
            };
            if std::io::stdout().is_terminal() {
                super::output::out(RESET);
            }
            Ok(code)
        })
    }

    fn play(self) -> anyhow::Result<()> {
        let name = self.file.display().to_string();
        let file = File::open(&self.file).with_context(|| format!("cannot read `{name}`"))?;
        let pace = Pace {
            speed: self.speed,
            idle_limit: self.idle_limit.map(Duration::from_secs_f64),
        };
        let mut player = Player::new(BufReader::new(file), pace)
            .with_context(|| format!("cannot play `{name}`"))?;
        let mut stdout = std::io::stdout();
        player
            .play(&mut stdout, std::thread::sleep)
            .with_context(|| format!("cannot play `{name}`"))?;
        stdout.flush()?;
        Ok(())
    }
}
