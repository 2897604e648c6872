use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

use execgate::keeper::{Exit, Launch, Running, Status, Streams};
use portable_pty::{MasterPty, PtySize, native_pty_system};
use pretty_assertions::assert_eq;

use super::support::{Bench, DEADLINE, is_alive, read_pid, wait_gone};

/// The master's side of a pair whose slave a process has.
struct Terminal {
    name: String,
    master: Box<dyn MasterPty + Send>,
    write: Box<dyn Write + Send>,
}

async fn start(bench: &Bench, text: &str) -> (Running, Terminal) {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let name = pair.master.tty_name().unwrap();
    let mut slave = OpenOptions::new();
    let slave = slave
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOCTTY)
        .open(&name)
        .unwrap();
    let launch = Launch {
        streams: Streams::Terminal(OwnedFd::from(slave)),
        ..bench.bash(text)
    };
    let running = bench.keeper.spawn(launch).await.unwrap();
    let (name, write) = (
        name.to_str().unwrap().to_owned(),
        pair.master.take_writer().unwrap(),
    );
    (
        running,
        Terminal {
            name,
            master: pair.master,
            write,
        },
    )
}

impl Terminal {
    /// Reads until this text has come.
    async fn read_to(&self, end: &'static str) -> String {
        let mut reader = self.master.try_clone_reader().unwrap();
        let read = tokio::task::spawn_blocking(move || {
            let (mut text, mut byte) = (String::new(), [0]);
            while !text.ends_with(end) && reader.read(&mut byte).is_ok_and(|count| count == 1) {
                text.push(char::from(byte[0]));
            }
            text
        });
        tokio::time::timeout(DEADLINE, read).await.unwrap().unwrap()
    }
}

async fn status(running: &mut Running) -> Status {
    match running.exit.wait().await {
        Exit::Ended { status, .. } => status,
        Exit::Lost => panic!("the keeper is lost"),
    }
}

#[tokio::test]
async fn the_terminal_is_the_controlling_one_of_all_three_streams() {
    let bench = Bench::new().await;
    let text = "tty; tty <&1; tty <&2; tty < /dev/tty; ls /proc/self/fd | tr '\\n' ' '; echo end";
    let (mut running, terminal) = start(&bench, text).await;
    let name = &terminal.name;
    let expected = format!("{name}\r\n{name}\r\n{name}\r\n/dev/tty\r\n0 1 2 3 end");
    assert_eq!(terminal.read_to("end").await, expected);
    assert_eq!(status(&mut running).await, Status::Exited(0));
}

#[tokio::test]
async fn control_c_interrupts_and_nothing_is_left() {
    let bench = Bench::new().await;
    let text = "setsid sh -c 'echo $$ > far; exec sleep 1000' & until [ -s far ]; do :; done; echo up; exec sleep 1000";
    let (mut running, mut terminal) = start(&bench, text).await;
    assert_eq!(terminal.read_to("up").await, "up");
    terminal.write.write_all(&[3]).unwrap();
    let interrupted = Status::Signaled {
        signal: libc::SIGINT,
        core: false,
    };
    assert_eq!(status(&mut running).await, interrupted);
    let far = read_pid(&bench.path("far")).await;
    assert!(
        is_alive(far),
        "a session of its own does not hear the terminal"
    );
    let killed = bench
        .keeper
        .kill_tree(&running.session, Duration::ZERO)
        .await
        .unwrap();
    assert_eq!((killed.left, is_alive(far)), (0, false));
}

#[tokio::test]
async fn closing_the_terminal_hangs_up() {
    let bench = Bench::new().await;
    let (mut running, terminal) = start(&bench, "echo up; exec sleep 1000").await;
    terminal.read_to("up").await;
    let root = running.pid;
    drop(terminal);
    let hung_up = Status::Signaled {
        signal: libc::SIGHUP,
        core: false,
    };
    assert_eq!(status(&mut running).await, hung_up);
    wait_gone(root).await;
}
