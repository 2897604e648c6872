//! Which program reads what is sent to a session, and whether it runs it as commands.

use std::fs;
use std::time::Duration;

use super::Session;
use crate::keeper::Survivor;
use crate::plan::ExecPlan;

/// Programs that run their input as commands.
const SHELLS: &[&str] = &[
    "ash",
    "bash",
    "cmd",
    "csh",
    "dash",
    "elvish",
    "fish",
    "ksh",
    "ksh93",
    "mksh",
    "nu",
    "osh",
    "oksh",
    "posh",
    "powershell",
    "pwsh",
    "rbash",
    "sh",
    "tcsh",
    "xonsh",
    "yash",
    "zsh",
];

/// Programs that start a shell on their input when they are not told what else to run, and such that take commands from it.
const STARTING_SHELLS: &[&str] = &[
    "at", "batch", "chroot", "login", "nsenter", "script", "ssh", "su", "unshare",
];

/// Who reads a session's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    /// The program's name, without its path.
    pub name: String,
    /// Whether it runs what it reads.
    pub is_shell: bool,
}

/// What a terminal makes of a key instead of passing it on: interrupt, end of file, suspend, quit. The program in the foreground may end by
/// it, and what follows is read by the shell behind it.
const CONTROL: [char; 4] = ['\x03', '\x04', '\x1a', '\x1c'];

impl Session {
    /// Who would read this input.
    ///
    /// Where the text or the process tree has a shell, it is a shell: what is sent now may be read by one that starts later, or by the one
    /// behind the program in the foreground. Only a single line for a program that holds the terminal and reads it is that program's own.
    /// Where nobody can be told it is a shell as well: what is sent is judged then.
    pub(super) async fn reader(&self, input: &str) -> Reader {
        let processes = self.origin.keeper.survivors(&self.origin.mark).await;
        let processes = processes.unwrap_or_default();
        let shell = |name| Reader {
            name,
            is_shell: true,
        };
        let foreground = self.foreground(&processes);
        if let Some(reader) = foreground.filter(|_| is_one_line(input)) {
            return reader;
        }
        let running = processes.iter().map(reader).find(|one| one.is_shell);
        let known = shell_of(&self.origin.plan).map(shell).or(running);
        known
            .or_else(|| processes.last().map(reader))
            .unwrap_or_else(|| shell("unknown".to_owned()))
    }

    /// The program that holds the terminal, if it is no shell and reads.
    fn foreground(&self, processes: &[Survivor]) -> Option<Reader> {
        let group = self.origin.terminal.as_ref()?.foreground_group()?;
        let leader = processes.iter().find(|one| one.pid == group)?;
        let reader = reader(leader);
        (!reader.is_shell && reads_input(leader.pid) == Some(true)).then_some(reader)
    }
}

/// Whether input is at most one line, without a key that may end the program which reads it.
fn is_one_line(input: &str) -> bool {
    let line = input.strip_suffix(['\r', '\n']).unwrap_or(input);
    !line.contains(['\r', '\n']) && !line.contains(CONTROL)
}

/// System calls by which a program waits for its input (syscall(2) of this architecture): reads, and waits for one descriptor.
#[cfg(target_arch = "x86_64")]
const READS: (&[&str], &[&str]) = (&["0"], &["7", "23", "270", "271"]);
#[cfg(target_arch = "aarch64")]
const READS: (&[&str], &[&str]) = (&["63"], &["72", "73"]);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const READS: (&[&str], &[&str]) = (&[], &[]);

impl Session {
    /// Whether a program of it seems to wait for what is sent: it can be written to, has been silent for long, and a process of it
    /// reads. Where the system does not tell what processes do, silence alone says so.
    pub(super) async fn waits_for_input(&self, silence: Duration) -> bool {
        if !self.is_writable() || self.idle() < silence {
            return false;
        }
        let processes = self.origin.keeper.survivors(&self.origin.mark).await;
        let told: Vec<bool> = processes
            .unwrap_or_default()
            .iter()
            .filter_map(|process| reads_input(process.pid))
            .collect();
        told.is_empty() || told.contains(&true)
    }
}

/// Whether a process is in a read of its input, or waits for one descriptor alone (proc(5), `/proc/PID/syscall`).
fn reads_input(pid: u32) -> Option<bool> {
    let call = fs::read_to_string(format!("/proc/{pid}/syscall")).ok()?;
    let mut fields = call.split_ascii_whitespace();
    if call.starts_with("running") {
        return Some(false);
    }
    let (number, first, second) = (fields.next()?, fields.next()?, fields.next()?);
    let (reads, waits) = READS;
    // poll(2) has its count second, select(2) has the highest descriptor and one first.
    let one = first == "0x1" || second == "0x1";
    Some(reads.contains(&number) && first == "0x0" || waits.contains(&number) && one)
}

/// A shell that a plan's text starts, or may start, on its input.
fn shell_of(plan: &ExecPlan) -> Option<String> {
    let line = &plan.command_line;
    if !line.opaque.is_empty() {
        return Some("unknown".to_owned());
    }
    line.segments.iter().find_map(|segment| {
        let (first, arguments) = segment.words.split_first()?;
        let Some(program) = &first.value else {
            return Some("unknown".to_owned());
        };
        let name = base_name(program);
        let known = arguments.iter().map_while(|word| word.value.as_deref());
        let is_shell =
            STARTING_SHELLS.contains(&name) || SHELLS.contains(&name) && reads_commands(known);
        is_shell.then(|| name.to_owned())
    })
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn reader(process: &Survivor) -> Reader {
    let mut words = process.command.split(' ');
    let program = words.next().unwrap_or_default();
    let name = base_name(program);
    // A login shell's name begins with a hyphen.
    let name = name.strip_prefix('-').unwrap_or(name);
    let (is_shell, reads) = (SHELLS.contains(&name), reads_commands(words));
    Reader {
        is_shell: is_shell && reads,
        // A shell that runs a text or a file reads data, as any program does.
        name: if is_shell && !reads { "script" } else { name }.to_owned(),
    }
}

/// Whether a shell with these arguments reads commands: not with `-c`, and not from a file.
fn reads_commands<'a>(arguments: impl Iterator<Item = &'a str>) -> bool {
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        match argument {
            "-s" | "-i" => return true,
            "-" | "--" => return arguments.next().is_none(),
            // Options that take a value of their own.
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => drop(arguments.next()),
            _ if argument.starts_with("--") => {}
            _ if argument.starts_with(['-', '+']) => {
                if argument.contains('c') {
                    return false;
                }
                if argument.contains('s') {
                    return true;
                }
            }
            "" => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_shell(command: &str) -> bool {
        reader(&Survivor {
            pid: 1,
            command: command.to_owned(),
        })
        .is_shell
    }

    #[test]
    fn shells_that_read_their_input_are_told_from_those_that_run_a_text_or_a_file() {
        for command in [
            "bash",
            "/bin/bash -i",
            "-zsh",
            "sh -s a b",
            "bash --noprofile --norc",
            "bash -o pipefail",
            "dash -x",
            "bash -c -s",
        ] {
            let expected = command != "bash -c -s";
            assert_eq!(is_shell(command), expected, "{command}");
        }
        for command in [
            "bash -c read x",
            "/bin/bash --noprofile --norc -c sleep 9; bash",
            "sh script.sh",
            "bash -ec true",
            "python3 -i",
            "cat",
        ] {
            assert!(!is_shell(command), "{command}");
        }
    }
}
