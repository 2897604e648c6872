//! Operands that are texts, not paths.

use crate::names::Names;

/// Programs whose operands are all texts.
pub const SPEAKERS: Names = Names::new(&[
    "echo",
    "printf",
    "print",
    "say",
    "notify-send",
    "logger",
    "expr",
    "basename",
    "dirname",
    "man",
    "whatis",
    "apropos",
    "which",
    "type",
    "exit",
    "return",
    "true",
    "false",
    ":",
    "tr",
    "seq",
    "figlet",
    "cowsay",
    "banner",
    "yes",
    "let",
    "bc",
    "dc",
    "kill",
    "shift",
    "hash",
    "whereis",
    "[[",
    "alias",
]);

/// Programs whose first operand is a script or pattern, unless one of the options gives it.
///
/// Name, option letters that take a script, option letters and words that take another value.
const SCRIPTED: &[Scripted] = &[
    Scripted {
        name: "sed",
        script_letters: "e",
        script_words: &["expression"],
        file_letters: "f",
        valued_letters: "lE",
    },
    Scripted {
        name: "gsed",
        script_letters: "e",
        script_words: &["expression"],
        file_letters: "f",
        valued_letters: "l",
    },
    Scripted {
        name: "awk",
        script_letters: "",
        script_words: &[],
        file_letters: "f",
        valued_letters: "Fv",
    },
    Scripted {
        name: "gawk",
        script_letters: "e",
        script_words: &["source"],
        file_letters: "f",
        valued_letters: "Fv",
    },
    Scripted {
        name: "mawk",
        script_letters: "",
        script_words: &[],
        file_letters: "f",
        valued_letters: "Fv",
    },
    Scripted {
        name: "grep",
        script_letters: "e",
        script_words: &["regexp"],
        file_letters: "f",
        valued_letters: "ABCmdD",
    },
    Scripted {
        name: "egrep",
        script_letters: "e",
        script_words: &["regexp"],
        file_letters: "f",
        valued_letters: "ABCmdD",
    },
    Scripted {
        name: "fgrep",
        script_letters: "e",
        script_words: &["regexp"],
        file_letters: "f",
        valued_letters: "ABCmdD",
    },
    Scripted {
        name: "zgrep",
        script_letters: "e",
        script_words: &["regexp"],
        file_letters: "f",
        valued_letters: "ABCmdD",
    },
    Scripted {
        name: "rg",
        script_letters: "e",
        script_words: &["regexp"],
        file_letters: "f",
        valued_letters: "ABCmgtTjMrE",
    },
    Scripted {
        name: "ag",
        script_letters: "",
        script_words: &[],
        file_letters: "",
        valued_letters: "ABCmG",
    },
    Scripted {
        name: "ack",
        script_letters: "",
        script_words: &[],
        file_letters: "",
        valued_letters: "ABCm",
    },
    Scripted {
        name: "jq",
        script_letters: "",
        script_words: &[],
        file_letters: "f",
        valued_letters: "",
    },
    Scripted {
        name: "yq",
        script_letters: "",
        script_words: &[],
        file_letters: "f",
        valued_letters: "",
    },
    Scripted {
        name: "perl",
        script_letters: "eE",
        script_words: &[],
        file_letters: "",
        valued_letters: "",
    },
];

/// What is known of such a program.
pub fn scripted(name: &str) -> Option<&'static Scripted> {
    SCRIPTED.iter().find(|known| known.name == name)
}

/// One such program.
#[derive(Debug)]
pub struct Scripted {
    /// Program name.
    pub name: &'static str,
    /// Option letters whose value is a script.
    pub script_letters: &'static str,
    /// Long options whose value is a script.
    pub script_words: &'static [&'static str],
    /// Option letters whose value is a file that holds the script.
    pub file_letters: &'static str,
    /// Other option letters that take a value that is no path.
    pub valued_letters: &'static str,
}

/// Options whose values are texts, by program.
const TEXT_OPTIONS: &[(&str, &[&str])] = &[
    ("tar", &["--exclude"]),
    ("rsync", &["--exclude", "--include"]),
    ("grep", &["--include", "--exclude", "--exclude-dir"]),
    (
        "git",
        &[
            "-m",
            "--message",
            "-am",
            "--grep",
            "--author",
            "--format",
            "--pretty",
        ],
    ),
    ("gh", &["--title", "--body", "-t", "-b"]),
    ("curl", &["-H", "--header", "-A", "--user-agent", "-X"]),
    (
        "find",
        &["-name", "-path", "-ipath", "-iname", "-regex", "-wholename"],
    ),
    ("date", &["-d"]),
    ("python", &["-c"]),
    ("python3", &["-c"]),
    ("node", &["-e"]),
    ("ruby", &["-e"]),
    ("php", &["-r"]),
    ("read", &["-p"]),
    ("cut", &["-d"]),
    ("sort", &["-t"]),
    ("jq", &["--arg"]),
    ("psql", &["-c"]),
    ("mysql", &["-e"]),
    ("docker", &["--format"]),
];

/// Options of a program whose values are texts.
pub fn text_options(name: &str) -> &'static [&'static str] {
    TEXT_OPTIONS
        .iter()
        .find(|(program, _)| *program == name)
        .map_or(&[], |(_, options)| options)
}

/// Attached options whose values are search directories of compilers, by program: reading there is what they are for.
const SEARCH_OPTIONS: &[(&str, &[&str])] = &[
    ("gcc", &["-I", "-L", "-isystem"]),
    ("g++", &["-I", "-L"]),
    ("cc", &["-I", "-L"]),
    ("c++", &["-I", "-L"]),
    ("clang", &["-I", "-L", "-isystem"]),
    ("clang++", &["-I", "-L"]),
    ("rustc", &["-L"]),
    ("ld", &["-L"]),
];

/// Whether a word is such an option with its value.
pub fn is_search_option(name: &str, word: &str) -> bool {
    SEARCH_OPTIONS
        .iter()
        .find(|(program, _)| *program == name)
        .is_some_and(|(_, options)| options.iter().any(|option| word.starts_with(option)))
}

/// Directories that hold the system's programs.
pub const PROGRAM_DIRECTORIES: &[&str] = &[
    "/bin/",
    "/sbin/",
    "/usr/bin/",
    "/usr/sbin/",
    "/usr/local/bin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
    "/snap/bin/",
];
