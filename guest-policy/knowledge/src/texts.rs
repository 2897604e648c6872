//! Operands that are texts, not paths.

/// Programs whose operands are all texts.
pub const SPEAKERS: &[&str] = &[
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
];

/// Programs whose first operand is a script or pattern, unless one of the options gives it.
///
/// Name, option letters that take a script, option letters and words that take another value.
pub const SCRIPTED: &[Scripted] = &[
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

/// Options whose values are texts: program and option.
pub const TEXT_OPTIONS: &[(&str, &str)] = &[
    ("tar", "--exclude"),
    ("rsync", "--exclude"),
    ("rsync", "--include"),
    ("grep", "--include"),
    ("grep", "--exclude"),
    ("grep", "--exclude-dir"),
    ("git", "-m"),
    ("git", "--message"),
    ("git", "-am"),
    ("git", "--grep"),
    ("git", "--author"),
    ("git", "--format"),
    ("git", "--pretty"),
    ("gh", "--title"),
    ("gh", "--body"),
    ("gh", "-t"),
    ("gh", "-b"),
    ("curl", "-H"),
    ("curl", "--header"),
    ("curl", "-A"),
    ("curl", "--user-agent"),
    ("curl", "-X"),
    ("find", "-name"),
    ("find", "-path"),
    ("find", "-ipath"),
    ("find", "-iname"),
    ("find", "-regex"),
    ("find", "-wholename"),
    ("date", "-d"),
    ("python", "-c"),
    ("python3", "-c"),
    ("node", "-e"),
    ("ruby", "-e"),
    ("php", "-r"),
    ("read", "-p"),
    ("cut", "-d"),
    ("sort", "-t"),
    ("jq", "--arg"),
    ("psql", "-c"),
    ("mysql", "-e"),
    ("docker", "--format"),
];

/// Attached options whose values are search directories of compilers: reading there is what they are for.
pub const SEARCH_OPTIONS: &[(&str, &str)] = &[
    ("gcc", "-I"),
    ("g++", "-I"),
    ("cc", "-I"),
    ("c++", "-I"),
    ("clang", "-I"),
    ("clang++", "-I"),
    ("gcc", "-L"),
    ("g++", "-L"),
    ("cc", "-L"),
    ("c++", "-L"),
    ("clang", "-L"),
    ("clang++", "-L"),
    ("gcc", "-isystem"),
    ("clang", "-isystem"),
    ("rustc", "-L"),
    ("ld", "-L"),
];

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
