//! Programs that run another program or a text, and how to find what they run.
//!
//! Option letters are those of the GNU, util-linux and busybox versions. A carrier that is called with an option
//! that its row does not list counts as not understood.

use crate::names::Digest;

/// What a carrier runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// The rest of the argv, after the operands.
    Argv,
    /// A text given to the script option, else the rest of the argv.
    ScriptOption,
    /// The rest of the argv after `NAME=value` words.
    Assignments,
    /// The rest of the argv joined to a text for `sh -c`, unless the direct option is given.
    Text,
    /// Each remaining word is a text for `sh -c`.
    Texts,
    /// A user's shell: the text given to the script option, else standard input.
    UserShell,
    /// As `UserShell`, but with the direct option the rest of the argv.
    UserCommand,
    /// The words between an option such as `-exec` and `;` or `+`; the options are `long_with_argument`.
    Between,
    /// The rest of the argv, with words read from standard input put in or after it.
    Appended,
    /// Standard input, as a script.
    Input,
    /// GNU parallel: a text built from the words before `:::` and the words after it.
    Parallel,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// Base names of the program.
    pub names: &'static [&'static str],
    /// What it runs.
    pub inner: Inner,
    /// Operands before the inner command.
    pub operands: usize,
    /// Letters of options that take no argument.
    pub short_flags: &'static str,
    /// Letters of options whose argument is attached or the next word.
    pub short_with_argument: &'static str,
    /// Letters of options whose argument is attached or absent.
    pub short_with_attached: &'static str,
    /// Long options without an argument, or with one only after `=`.
    pub long_flags: &'static [&'static str],
    /// Long options whose argument is the next word, or after `=`.
    pub long_with_argument: &'static [&'static str],
    /// Letter of the option whose argument is a text for a shell.
    pub script_short: Option<char>,
    /// Long names of that option.
    pub script_long: &'static [&'static str],
    /// Letters of options that make the rest an argv.
    pub direct_short: &'static str,
    /// Long names of those options.
    pub direct_long: &'static [&'static str],
    /// Letters of options with which nothing is run.
    pub inert_short: &'static str,
    /// Whether `-5` is an option.
    pub digits: bool,
    /// Whether `-` is an option.
    pub login_dash: bool,
    /// Whether options may start with `+`.
    pub plus_options: bool,
    /// Whether options may follow operands.
    pub permutes: bool,
    /// Whether a shell that reads standard input is run when no command is given.
    pub default_shell: bool,
}

/// A row that takes no options and runs the rest of its argv.
const PLAIN: Carrier = Carrier {
    names: &[],
    inner: Inner::Argv,
    operands: 0,
    short_flags: "",
    short_with_argument: "",
    short_with_attached: "",
    long_flags: &[],
    long_with_argument: &[],
    script_short: None,
    script_long: &[],
    direct_short: "",
    direct_long: &[],
    inert_short: "",
    digits: false,
    login_dash: false,
    plus_options: false,
    permutes: false,
    default_shell: false,
};

/// The table, by topic.
pub const CARRIERS: &[Carrier] = &[
    // Other users.
    Carrier {
        names: &["sudo", "sudoedit"],
        default_shell: true,
        inner: Inner::Assignments,
        short_flags: "ABbEeHiKknNPSs",
        short_with_argument: "CDghpRrTtUu",
        inert_short: "VvlK",
        long_flags: &[
            "askpass",
            "background",
            "bell",
            "edit",
            "list",
            "login",
            "no-update",
            "non-interactive",
            "preserve-env",
            "preserve-groups",
            "remove-timestamp",
            "reset-timestamp",
            "set-home",
            "shell",
            "stdin",
            "validate",
        ],
        long_with_argument: &[
            "chdir",
            "chroot",
            "close-from",
            "command-timeout",
            "group",
            "host",
            "other-user",
            "prompt",
            "role",
            "type",
            "user",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["doas"],
        default_shell: true,
        short_flags: "Lns",
        short_with_argument: "aCu",
        ..PLAIN
    },
    Carrier {
        names: &["pkexec"],
        long_flags: &["disable-internal-agent", "keep-cwd"],
        long_with_argument: &["user"],
        ..PLAIN
    },
    Carrier {
        names: &["su"],
        default_shell: true,
        inner: Inner::UserShell,
        short_flags: "flmpP",
        short_with_argument: "gGsw",
        script_short: Some('c'),
        script_long: &["command", "session-command"],
        long_flags: &["fast", "login", "preserve-environment", "pty"],
        long_with_argument: &["group", "shell", "supp-group", "whitelist-environment"],
        login_dash: true,
        permutes: true,
        ..PLAIN
    },
    Carrier {
        names: &["runuser"],
        default_shell: true,
        inner: Inner::UserCommand,
        short_flags: "flmpP",
        short_with_argument: "gGsuw",
        script_short: Some('c'),
        script_long: &["command", "session-command"],
        direct_short: "u",
        direct_long: &["user"],
        long_flags: &["fast", "login", "preserve-environment", "pty"],
        long_with_argument: &["group", "shell", "supp-group", "whitelist-environment"],
        login_dash: true,
        ..PLAIN
    },
    Carrier {
        names: &["setpriv"],
        short_flags: "d",
        long_flags: &[
            "clear-groups",
            "init-groups",
            "keep-groups",
            "nnp",
            "no-new-privs",
            "reset-env",
        ],
        long_with_argument: &[
            "ambient-caps",
            "apparmor-profile",
            "bounding-set",
            "egid",
            "euid",
            "groups",
            "inh-caps",
            "pdeathsig",
            "regid",
            "reuid",
            "rgid",
            "ruid",
            "securebits",
            "selinux-label",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["gosu", "su-exec", "chpst"],
        operands: 1,
        ..PLAIN
    },
    // The environment and limits.
    Carrier {
        names: &["env"],
        inner: Inner::Assignments,
        short_flags: "0iv",
        short_with_argument: "CPu",
        script_short: Some('S'),
        script_long: &["split-string"],
        long_flags: &[
            "block-signal",
            "debug",
            "default-signal",
            "ignore-environment",
            "ignore-signal",
            "list-signal-handling",
            "null",
        ],
        long_with_argument: &["argv0", "chdir", "unset"],
        login_dash: true,
        ..PLAIN
    },
    Carrier {
        names: &["timeout", "gtimeout"],
        operands: 1,
        short_flags: "fpv",
        short_with_argument: "ks",
        long_flags: &["foreground", "preserve-status", "verbose"],
        long_with_argument: &["kill-after", "signal"],
        ..PLAIN
    },
    Carrier {
        names: &["nice"],
        short_with_argument: "n",
        long_with_argument: &["adjustment"],
        digits: true,
        ..PLAIN
    },
    Carrier {
        names: &["ionice"],
        short_flags: "t",
        short_with_argument: "cn",
        inert_short: "pPu",
        long_flags: &["ignore"],
        long_with_argument: &["class", "classdata"],
        ..PLAIN
    },
    Carrier {
        names: &["chrt"],
        operands: 1,
        short_flags: "abdfimoRrv",
        short_with_argument: "DPT",
        inert_short: "p",
        long_flags: &[
            "all-tasks",
            "batch",
            "deadline",
            "fifo",
            "idle",
            "other",
            "reset-on-fork",
            "rr",
            "verbose",
        ],
        long_with_argument: &["sched-deadline", "sched-period", "sched-runtime"],
        ..PLAIN
    },
    Carrier {
        names: &["taskset"],
        operands: 1,
        short_flags: "ac",
        inert_short: "p",
        long_flags: &["all-tasks", "cpu-list"],
        ..PLAIN
    },
    Carrier {
        names: &["numactl"],
        short_flags: "al",
        short_with_argument: "CNimp",
        inert_short: "Hs",
        long_flags: &["all", "localalloc", "balancing"],
        long_with_argument: &[
            "cpunodebind",
            "interleave",
            "membind",
            "physcpubind",
            "preferred",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["prlimit"],
        short_with_attached: "cdefilmnqrstuvxy",
        inert_short: "p",
        long_flags: &[
            "as",
            "core",
            "cpu",
            "data",
            "fsize",
            "locks",
            "memlock",
            "msgqueue",
            "nice",
            "nofile",
            "nproc",
            "noheadings",
            "raw",
            "rss",
            "rtprio",
            "rttime",
            "sigpending",
            "stack",
            "verbose",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["cpulimit"],
        short_flags: "fivzkmq",
        short_with_argument: "clt",
        inert_short: "ePp",
        ..PLAIN
    },
    Carrier {
        names: &["stdbuf"],
        short_with_argument: "eio",
        long_with_argument: &["error", "input", "output"],
        ..PLAIN
    },
    Carrier {
        names: &["setarch", "linux32", "linux64", "i386", "x86_64"],
        default_shell: true,
        short_flags: "3BFILRSTXZv",
        long_flags: &[
            "32bit",
            "3gb",
            "addr-compat-layout",
            "addr-no-randomize",
            "uname-2.6",
            "verbose",
        ],
        ..PLAIN
    },
    // Sessions and signals.
    Carrier {
        names: &[
            "nohup",
            "fakeroot",
            "dbus-run-session",
            "unbuffer",
            "catchsegv",
            "torsocks",
            "torify",
            "tini",
            "dumb-init",
            "linkerd-await",
            "noglob",
            "nocorrect",
            "vglrun",
            "primusrun",
            "optirun",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["proxychains", "proxychains4"],
        short_flags: "q",
        short_with_argument: "f",
        ..PLAIN
    },
    Carrier {
        names: &["setsid"],
        short_flags: "cfw",
        long_flags: &["ctty", "fork", "wait"],
        ..PLAIN
    },
    Carrier {
        names: &["caffeinate"],
        short_flags: "dimsu",
        short_with_argument: "tw",
        ..PLAIN
    },
    Carrier {
        names: &["xvfb-run"],
        short_flags: "al",
        short_with_argument: "efnpsw",
        long_flags: &["auto-display", "auto-servernum", "listen-tcp"],
        long_with_argument: &[
            "auth-file",
            "error-file",
            "server-args",
            "server-num",
            "wait",
            "xauth-protocol",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["systemd-run"],
        short_flags: "dGPqrSt",
        short_with_argument: "CEHMpu",
        long_flags: &[
            "collect",
            "expand-environment",
            "ignore-failure",
            "no-ask-password",
            "no-block",
            "pipe",
            "pty",
            "quiet",
            "remain-after-exit",
            "same-dir",
            "scope",
            "send-sighup",
            "shell",
            "slice-inherit",
            "system",
            "timer-property",
            "user",
            "wait",
        ],
        long_with_argument: &[
            "capsule",
            "description",
            "gid",
            "host",
            "machine",
            "nice",
            "on-active",
            "on-boot",
            "on-calendar",
            "on-startup",
            "on-unit-active",
            "on-unit-inactive",
            "path-property",
            "property",
            "service-type",
            "setenv",
            "slice",
            "socket-property",
            "uid",
            "unit",
            "working-directory",
        ],
        ..PLAIN
    },
    // Namespaces and roots.
    Carrier {
        names: &["chroot"],
        default_shell: true,
        operands: 1,
        long_flags: &["skip-chdir"],
        long_with_argument: &["groups", "userspec"],
        ..PLAIN
    },
    Carrier {
        names: &["unshare"],
        default_shell: true,
        short_flags: "cCfimnprTuU",
        short_with_argument: "GlRSw",
        long_flags: &[
            "cgroup",
            "fork",
            "ipc",
            "keep-caps",
            "kill-child",
            "map-auto",
            "map-current-user",
            "map-root-user",
            "mount",
            "mount-binfmt",
            "mount-proc",
            "net",
            "pid",
            "time",
            "user",
            "uts",
        ],
        long_with_argument: &[
            "boottime",
            "load-interp",
            "map-group",
            "map-groups",
            "map-user",
            "map-users",
            "monotonic",
            "propagation",
            "root",
            "setgid",
            "setgroups",
            "setuid",
            "wd",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["nsenter"],
        default_shell: true,
        short_flags: "aceFZ",
        short_with_argument: "GStW",
        short_with_attached: "CimnpruTUw",
        long_flags: &[
            "all",
            "cgroup",
            "env",
            "follow-context",
            "ipc",
            "join-cgroup",
            "keep-caps",
            "mount",
            "net",
            "no-fork",
            "pid",
            "preserve-credentials",
            "root",
            "time",
            "user",
            "user-parent",
            "uts",
            "wd",
        ],
        long_with_argument: &["setgid", "setuid", "target", "wdns"],
        ..PLAIN
    },
    // The shell's own.
    Carrier {
        names: &["command"],
        short_flags: "p",
        inert_short: "vV",
        ..PLAIN
    },
    Carrier {
        names: &["builtin"],
        ..PLAIN
    },
    Carrier {
        names: &["exec"],
        short_flags: "cl",
        short_with_argument: "a",
        ..PLAIN
    },
    Carrier {
        names: &["time", "gtime"],
        short_flags: "apqv",
        short_with_argument: "fo",
        inert_short: "V",
        long_flags: &["append", "portability", "quiet", "verbose"],
        long_with_argument: &["format", "output"],
        ..PLAIN
    },
    Carrier {
        names: &["mapfile", "readarray"],
        inner: Inner::UserShell,
        short_flags: "t",
        short_with_argument: "cdnOsu",
        script_short: Some('C'),
        ..PLAIN
    },
    Carrier {
        names: &["compgen", "complete"],
        inner: Inner::UserShell,
        short_flags: "abcdefgjksuvDEIpr",
        short_with_argument: "AFGoPSVWX",
        script_short: Some('C'),
        ..PLAIN
    },
    Carrier {
        names: &["busybox", "toybox"],
        long_flags: &["install", "list", "list-full"],
        ..PLAIN
    },
    // Many runs.
    Carrier {
        names: &["xargs", "gxargs"],
        inner: Inner::Appended,
        short_flags: "0oprtx",
        short_with_argument: "adEILnPsJRS",
        short_with_attached: "eil",
        long_flags: &[
            "eof",
            "exit",
            "interactive",
            "max-lines",
            "no-run-if-empty",
            "null",
            "open-tty",
            "replace",
            "show-limits",
            "verbose",
        ],
        long_with_argument: &[
            "arg-file",
            "delimiter",
            "max-args",
            "max-chars",
            "max-procs",
            "process-slot-var",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["find", "gfind", "bfs"],
        inner: Inner::Between,
        long_with_argument: &["-exec", "-execdir", "-ok", "-okdir"],
        ..PLAIN
    },
    Carrier {
        names: &["fd", "fdfind"],
        inner: Inner::Between,
        long_with_argument: &["--exec", "--exec-batch", "-X", "-x"],
        ..PLAIN
    },
    Carrier {
        names: &["parallel", "sem"],
        inner: Inner::Parallel,
        short_flags: "0kmqrtuvXx",
        short_with_argument: "aCdEIjJLnNPsSW",
        short_with_attached: "eil",
        long_flags: &[
            "bar",
            "bg",
            "colsep-none",
            "compress",
            "dry-run",
            "eta",
            "fg",
            "group",
            "keep-order",
            "line-buffer",
            "link",
            "lb",
            "no-notice",
            "no-run-if-empty",
            "null",
            "pipe",
            "plus",
            "progress",
            "quote",
            "resume",
            "resume-failed",
            "shuf",
            "silent",
            "tag",
            "tty",
            "ungroup",
            "verbose",
            "wait",
            "will-cite",
            "xargs",
        ],
        long_with_argument: &[
            "arg-file",
            "arg-sep",
            "block",
            "colsep",
            "delay",
            "halt",
            "jobs",
            "joblog",
            "load",
            "max-args",
            "max-chars",
            "max-lines",
            "max-procs",
            "max-replace-args",
            "memfree",
            "nice",
            "results",
            "retries",
            "rpl",
            "shellquote",
            "sshlogin",
            "tagstring",
            "timeout",
            "tmpdir",
            "wd",
            "workdir",
            "id",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["watch"],
        inner: Inner::Text,
        short_flags: "bcdegprtwC",
        short_with_argument: "nqs",
        direct_short: "x",
        direct_long: &["exec"],
        long_flags: &[
            "beep",
            "chgexit",
            "color",
            "differences",
            "equexit",
            "errexit",
            "no-color",
            "no-linewrap",
            "no-rerun",
            "no-title",
            "no-wrap",
            "precise",
        ],
        long_with_argument: &["interval", "shotsdir"],
        ..PLAIN
    },
    Carrier {
        names: &["hyperfine"],
        inner: Inner::Texts,
        short_flags: "iN",
        short_with_argument: "CDLPScmMnprsuw",
        long_flags: &["ignore-failure", "show-output"],
        long_with_argument: &[
            "export-asciidoc",
            "export-csv",
            "export-json",
            "export-markdown",
            "export-orgmode",
            "max-runs",
            "min-runs",
            "output",
            "parameter-list",
            "parameter-scan",
            "runs",
            "shell",
            "style",
            "time-unit",
            "warmup",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["entr"],
        short_flags: "acdnprsz",
        ..PLAIN
    },
    Carrier {
        names: &["at", "batch"],
        inner: Inner::Input,
        short_flags: "bkmMv",
        short_with_argument: "qt",
        inert_short: "cdflrV",
        ..PLAIN
    },
    // Locks, recordings, traces.
    Carrier {
        names: &["flock"],
        inner: Inner::ScriptOption,
        operands: 1,
        short_flags: "enosuFvx",
        short_with_argument: "Ew",
        script_short: Some('c'),
        script_long: &["command"],
        long_flags: &[
            "close",
            "exclusive",
            "nb",
            "no-fork",
            "nonblock",
            "shared",
            "unlock",
            "verbose",
        ],
        long_with_argument: &["conflict-exit-code", "timeout"],
        ..PLAIN
    },
    Carrier {
        names: &["script"],
        default_shell: true,
        inner: Inner::UserShell,
        short_flags: "aefqr",
        short_with_argument: "BEImOoT",
        short_with_attached: "t",
        script_short: Some('c'),
        script_long: &["command"],
        long_flags: &["append", "flush", "force", "quiet", "return", "timing"],
        long_with_argument: &[
            "echo",
            "log-in",
            "log-io",
            "log-out",
            "log-timing",
            "logging-format",
            "output-limit",
        ],
        permutes: true,
        ..PLAIN
    },
    Carrier {
        names: &["strace"],
        short_flags: "AcCdDfFhiknNqrtTvwxyYzZ",
        short_with_argument: "abeEIoOPsSuUX",
        inert_short: "pV",
        long_flags: &[
            "absolute-timestamps",
            "daemonize",
            "decode-fds",
            "follow-forks",
            "output-append-mode",
            "output-separately",
            "quiet",
            "relative-timestamps",
            "seccomp-bpf",
            "stack-traces",
            "summary",
            "summary-only",
            "syscall-times",
            "tips",
        ],
        long_with_argument: &[
            "argv0",
            "columns",
            "const-print-style",
            "detach-on",
            "env",
            "inject",
            "interruptible",
            "output",
            "signal",
            "status",
            "string-limit",
            "summary-columns",
            "summary-sort-by",
            "summary-syscall-overhead",
            "trace",
            "trace-path",
            "user",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["ltrace"],
        short_flags: "bcCfhiLrStTV",
        short_with_argument: "aADeFlnosuwx",
        inert_short: "p",
        long_flags: &["demangle", "no-signals"],
        long_with_argument: &[
            "align", "config", "debug", "indent", "library", "output", "where",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["valgrind"],
        short_flags: "dqv",
        long_flags: &[
            "quiet",
            "verbose",
            "child-silent-after-fork",
            "error-exitcode",
            "leak-check",
            "log-file",
            "num-callers",
            "show-leak-kinds",
            "suppressions",
            "tool",
            "track-fds",
            "track-origins",
            "trace-children",
        ],
        ..PLAIN
    },
    Carrier {
        names: &["rlwrap"],
        short_flags: "acEhiImMnoprRsvUW",
        short_with_argument: "AbBCDefFHlOPqStwz",
        ..PLAIN
    },
];

const DIGEST: Digest = {
    let (mut digest, mut row) = (Digest::EMPTY, 0);
    while row < CARRIERS.len() {
        let names = CARRIERS[row].names;
        let mut name = 0;
        while name < names.len() {
            digest = digest.with(names[name]);
            name += 1;
        }
        row += 1;
    }
    digest
};

/// Returns the row of a program by its base name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Carrier> {
    if !DIGEST.may_hold(name) {
        return None;
    }
    CARRIERS
        .iter()
        .find(|carrier| carrier.names.contains(&name))
}
