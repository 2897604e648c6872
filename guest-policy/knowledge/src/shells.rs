//! Shells and interpreters.

use crate::names::Names;

/// Shells, and what reads shell text on its input.
pub const SHELLS: Names = Names::new(&[
    "sh",
    "bash",
    "dash",
    "ash",
    "zsh",
    "ksh",
    "ksh93",
    "mksh",
    "rbash",
    "fish",
    "csh",
    "tcsh",
    "pwsh",
    "powershell",
    "cmd",
    "elvish",
    "nu",
    "xonsh",
]);

/// One interpreter.
#[derive(Debug)]
pub struct Interpreter {
    /// Program name without a version.
    pub name: &'static str,
    /// Option letters whose value is a program text.
    pub inline_letters: &'static str,
    /// Long options whose value is a program text.
    pub inline_words: &'static [&'static str],
}

const fn interpreter(
    name: &'static str,
    inline_letters: &'static str,
    inline_words: &'static [&'static str],
) -> Interpreter {
    Interpreter {
        name,
        inline_letters,
        inline_words,
    }
}

/// Interpreters of general languages.
pub const INTERPRETERS: &[Interpreter] = &[
    interpreter("python", "c", &[]),
    interpreter("pypy", "c", &[]),
    interpreter("perl", "eE", &[]),
    interpreter("ruby", "e", &[]),
    interpreter("node", "ep", &["eval", "print"]),
    interpreter("nodejs", "ep", &["eval", "print"]),
    interpreter("deno", "", &[]),
    interpreter("bun", "ep", &["eval", "print"]),
    interpreter("php", "rBER", &["run"]),
    interpreter("lua", "e", &[]),
    interpreter("luajit", "e", &[]),
    interpreter("tclsh", "", &[]),
    interpreter("rscript", "e", &[]),
    interpreter("julia", "eE", &["eval", "print"]),
    interpreter("osascript", "e", &[]),
    interpreter("elixir", "e", &["eval"]),
    interpreter("ghc", "e", &[]),
    interpreter("guile", "c", &[]),
    interpreter("ocaml", "e", &[]),
    interpreter("swift", "e", &[]),
];

/// Calls in program texts that start programs, delete files, signal processes, or hide what they do.
pub const DANGEROUS_CALLS: &[&str] = &[
    "rmtree",
    "remove_tree",
    "rm_rf",
    "rm_r",
    "rmSync",
    "rmdirSync",
    "unlinkSync",
    "os.remove",
    "os.unlink",
    "os.rmdir",
    "os.removedirs",
    "os.system",
    "os.popen",
    "os.exec",
    "os.spawn",
    "os.fork",
    "os.kill",
    "os.killpg",
    "subprocess",
    "child_process",
    "Bun.spawn",
    "Deno.Command",
    "pty.spawn",
    "shell_exec",
    "proc_open",
    "passthru",
    "popen",
    "system(",
    "system ",
    "exec(",
    "exec ",
    "eval(",
    "spawn(",
    "spawnSync",
    "execSync",
    "os.execute",
    "__import__",
    "chr(",
    "fromCharCode",
    "base64",
    "b64decode",
    "compile(",
    "importlib",
    "process.kill",
    "kill(",
    "kill ",
    "fork",
    "unlink",
    "callCommand",
    "Sys.command",
    "Process.",
    "%x(",
    "`",
    "getattr",
];

/// The name of an interpreter without its version: `python3.11` is `python`.
pub fn unversioned(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-')
}

/// The interpreter behind a program name.
pub fn interpreter_named(name: &str) -> Option<&'static Interpreter> {
    let name = unversioned(name);
    INTERPRETERS.iter().find(|known| known.name == name)
}
