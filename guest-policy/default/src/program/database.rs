//! Questions to databases.

use execgate_guest::Word;
use execgate_rules::Invocation;
use execgate_rules::paths::{Candidate, Path};

use crate::access::{self, Use};
use crate::finding::Finding;
use crate::judge::Judge;

/// A client of a server: its options are letters, of which some take a value.
struct Client {
    name: &'static str,
    /// The letter and the word whose value is a query.
    query: (char, &'static str),
    flags: &'static str,
    valued: &'static str,
    words: &'static [&'static str],
}

/// The clients, with the options that change only what is shown, or who asks whom.
const CLIENTS: &[Client] = &[
    Client {
        name: "psql",
        query: ('c', "command"),
        flags: "AtqXxwl",
        valued: "dhpU",
        words: &[
            "csv",
            "list",
            "no-align",
            "no-psqlrc",
            "quiet",
            "tuples-only",
        ],
    },
    Client {
        name: "mysql",
        query: ('e', "execute"),
        flags: "BNtsp",
        valued: "Dhu",
        words: &["batch", "silent", "skip-column-names", "table"],
    },
];

/// Options of SQLite's shell that change only what is shown; they begin with one dash.
const LITE_OPTIONS: &[&str] = &[
    "-bail",
    "-batch",
    "-box",
    "-column",
    "-csv",
    "-header",
    "-html",
    "-json",
    "-line",
    "-list",
    "-markdown",
    "-noheader",
    "-quote",
    "-readonly",
    "-table",
    "-tabs",
];

/// Commands of SQLite's shell that look at a database.
const LITE_COMMANDS: &[&str] = &[
    ".databases",
    ".dbinfo",
    ".fullschema",
    ".indexes",
    ".indices",
    ".schema",
    ".tables",
];

/// Functions that only work with values, and words that stand before a parenthesis.
const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "and",
    "any",
    "as",
    "avg",
    "between",
    "by",
    "case",
    "cast",
    "ceil",
    "char",
    "coalesce",
    "concat",
    "count",
    "current_date",
    "date",
    "date_trunc",
    "datetime",
    "decimal",
    "dense_rank",
    "distinct",
    "else",
    "exists",
    "extract",
    "floor",
    "format",
    "from",
    "group_concat",
    "having",
    "if",
    "ifnull",
    "iif",
    "in",
    "instr",
    "interval",
    "json_agg",
    "json_array_length",
    "json_extract",
    "jsonb_array_length",
    "julianday",
    "lag",
    "lead",
    "left",
    "length",
    "like",
    "limit",
    "lower",
    "ltrim",
    "max",
    "min",
    "mod",
    "not",
    "now",
    "nullif",
    "numeric",
    "on",
    "or",
    "over",
    "partition",
    "printf",
    "rank",
    "replace",
    "right",
    "round",
    "row_number",
    "rtrim",
    "select",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "then",
    "time",
    "to_char",
    "total",
    "trim",
    "typeof",
    "union",
    "upper",
    "using",
    "values",
    "varchar",
    "version",
    "when",
    "where",
    "with",
];

/// What no query may hold: it writes, runs, reads files or goes on with another.
const MORE_THAN_QUERIES: &[&str] = &[
    "outfile",
    "dumpfile",
    "copy",
    "program",
    "load_",
    "pg_",
    "lo_",
    ";",
    "analyze update",
    "analyze delete",
    "delete ",
    "update ",
    "insert ",
    "into ",
    "drop ",
    "alter ",
    "writefile",
    "readfile",
    "edit(",
    "fsdir",
    "attach",
    "dblink",
    "xp_",
    "sys_exec",
    "\nsystem",
    "\nsource",
    "\ntee",
    "\npager",
];

/// Judges clients of databases: looking is known to be harmless.
pub(super) fn queries(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let plain = match invocation.name.as_str() {
        "sqlite3" | "duckdb" => is_plain_file_query(judge, invocation, findings),
        _ => is_plain_server_query(invocation),
    };
    if !plain && !invocation.only_informs() {
        findings.push(Finding::ask(
            "program/arguments",
            "only plain queries are known to be harmless".into(),
            invocation.span(),
        ));
    }
}

/// Whether a database in a file is only looked at.
fn is_plain_file_query(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) -> bool {
    let words = invocation.segment.words[1..].iter();
    let lite = invocation.name == "sqlite3";
    let (options, operands): (Vec<&Word>, Vec<&Word>) = words.partition(|word| {
        let text = word.value.as_deref();
        text.is_some_and(|text| text.starts_with('-'))
    });
    let known = |word: &&Word| {
        let text = word.value.as_deref();
        text.is_some_and(|text| LITE_OPTIONS.contains(&text) || !lite && text == "-c")
    };
    // DuckDB needs no file.
    let alone = !lite && operands.len() == 1;
    let (file, statements) = match operands.split_first() {
        Some((file, statements)) if !alone => (Some(file), statements),
        Some(_) => (None, &operands[..]),
        None => return false,
    };
    if let Some(file) = file
        && let Some(path) = file.value.as_deref().filter(|path| *path != ":memory:")
    {
        let candidate = Candidate {
            path: Path::Known(path.into()),
            span: file.span,
        };
        findings.extend(access::file(judge, &candidate, Use::Read));
    }
    let looks = |word: &&Word| {
        word.value.as_deref().is_some_and(|text| {
            let command = text.split(' ').next().unwrap_or(text);
            LITE_COMMANDS.contains(&command) && !text.contains(['\n', '|', ';'])
                || is_query(text) && (lite || stays_inside(text))
        })
    };
    options.iter().all(known) && !statements.is_empty() && statements.iter().all(looks)
}

/// Whether a server is only asked.
fn is_plain_server_query(invocation: &Invocation<'_>) -> bool {
    let Some(client) = CLIENTS.iter().find(|client| client.name == invocation.name) else {
        return false;
    };
    let mut words = invocation.segment.words[1..].iter();
    let mut asks = false;
    while let Some(word) = words.next() {
        // A database may be named by a variable.
        let Some(option) = word.value.as_deref().filter(|text| text.starts_with('-')) else {
            continue;
        };
        let query = match client.option(option) {
            Taken::Nothing => continue,
            Taken::List => {
                asks = true;
                continue;
            }
            Taken::Next => {
                words.next();
                continue;
            }
            Taken::Query(Some(text)) => Some(text),
            Taken::Query(None) => words.next().and_then(|word| word.value.as_deref()),
            Taken::Unknown => return false,
        };
        asks = true;
        if !query.is_some_and(|text| is_query(text) || is_description(text)) {
            return false;
        }
    }
    asks
}

/// What an option of a client takes.
enum Taken<'a> {
    Nothing,
    /// It lists the databases.
    List,
    /// The next word.
    Next,
    /// A query: attached, or the next word.
    Query(Option<&'a str>),
    Unknown,
}

impl Client {
    fn option<'a>(&self, text: &'a str) -> Taken<'a> {
        if let Some(long) = text.strip_prefix("--") {
            return match long.split_once('=') {
                Some((word, value)) if word == self.query.1 => Taken::Query(Some(value)),
                Some(("host" | "port" | "username" | "user" | "dbname" | "database", _)) => {
                    Taken::Nothing
                }
                None if long == self.query.1 => Taken::Query(None),
                None if long == "list" => Taken::List,
                None if self.words.contains(&long) => Taken::Nothing,
                Some(_) | None => Taken::Unknown,
            };
        }
        let mut taken = Taken::Nothing;
        for (place, letter) in text.char_indices().skip(1) {
            let rest = &text[place + letter.len_utf8()..];
            if letter == self.query.0 {
                return Taken::Query((!rest.is_empty()).then_some(rest));
            }
            if self.valued.contains(letter) {
                return if rest.is_empty() {
                    Taken::Next
                } else {
                    Taken::Nothing
                };
            }
            if !self.flags.contains(letter) {
                return Taken::Unknown;
            }
            if letter == 'l' {
                taken = Taken::List;
            }
            // The password follows without a blank.
            if letter == 'p' {
                break;
            }
        }
        taken
    }
}

/// Whether a text is one statement that only selects.
fn is_query(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "select ",
        "show ",
        "explain ",
        "describe ",
        "select\n",
        "values ",
    ];
    let lower = text.trim().to_ascii_lowercase();
    let lower = lower.strip_suffix(';').unwrap_or(&lower);
    // What stands in quotes is a value.
    let outside: String = lower.split('\'').step_by(2).collect();
    VERBS.iter().any(|verb| lower.starts_with(verb))
        && !lower.contains('\\')
        && lower.matches('\'').count().is_multiple_of(2)
        && calls_known(&outside)
        && !MORE_THAN_QUERIES.iter().any(|word| outside.contains(word))
}

/// Whether all functions that a query calls only work with values; others may do anything.
fn calls_known(query: &str) -> bool {
    query.match_indices('(').all(|(place, _)| {
        let before = query[..place].trim_end();
        let start = before
            .char_indices()
            .rev()
            .find(|(_, letter)| !letter.is_alphanumeric() && *letter != '_')
            .map_or(0, |(space, letter)| space + letter.len_utf8());
        let name = &before[start..];
        name.is_empty() || FUNCTIONS.contains(&name)
    })
}

/// Whether a query names no files but the project's: some databases read the files that quotes name.
fn stays_inside(text: &str) -> bool {
    let mut values = text.split('\'').skip(1).step_by(2);
    !text.contains('"')
        && values.all(|value| {
            !value.starts_with(['/', '~', '.']) && !value.contains("..") && !value.contains("://")
        })
}

/// Whether a text is a command of `psql` that describes what there is.
fn is_description(text: &str) -> bool {
    let text = text.trim();
    let command = text.split(' ').next().unwrap_or(text);
    let rest = &text[command.len()..];
    let describes = command.starts_with("\\d") || matches!(command, "\\l" | "\\conninfo" | "\\l+");
    describes && command.len() < 6 && !rest.contains(['\\', '|', '`', '\n'])
}
