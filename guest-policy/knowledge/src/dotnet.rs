//! What PowerShell texts call in .NET without harm: conversions, texts, numbers, dates and names of paths.
//!
//! All names are in lower case; types stand without `System.`.

/// Types that a value is converted to without running anything that could do harm.
const PLAIN_TYPES: &[&str] = &[
    "array",
    "bigint",
    "bool",
    "boolean",
    "byte",
    "char",
    "cmdletbinding",
    "collections.arraylist",
    "collections.hashtable",
    "datetime",
    "datetimeoffset",
    "decimal",
    "double",
    "float",
    "guid",
    "hashtable",
    "int",
    "int16",
    "int32",
    "int64",
    "long",
    "nullable",
    "numerics.biginteger",
    "object",
    "ordered",
    "outputtype",
    "parameter",
    "pscustomobject",
    "psobject",
    "regex",
    "sbyte",
    "semver",
    "short",
    "single",
    "string",
    "switch",
    "switchparameter",
    "text.regularexpressions.regex",
    "timespan",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "ulong",
    "uri",
    "ushort",
    "validatenotnull",
    "validatenotnullorempty",
    "version",
    "void",
    "xml",
    "xml.xmldocument",
];

/// Members of types, called or read; `*` stands for all of a type's.
const STATIC_MEMBERS: &[(&str, &[&str])] = &[
    ("array", &["indexof", "reverse", "sort"]),
    ("bitconverter", &["*"]),
    ("bool", &["parse", "truestring", "falsestring"]),
    (
        "char",
        &[
            "isdigit",
            "isletter",
            "isletterordigit",
            "isupper",
            "islower",
            "iswhitespace",
            "toupper",
            "tolower",
        ],
    ),
    (
        "console",
        &[
            "outputencoding",
            "inputencoding",
            "writeline",
            "write",
            "windowwidth",
            "windowheight",
            "foregroundcolor",
            "backgroundcolor",
        ],
    ),
    ("convert", &["*"]),
    ("datetime", &["*"]),
    ("datetimeoffset", &["*"]),
    ("decimal", &["*"]),
    ("double", &["*"]),
    (
        "environment",
        &[
            "osversion",
            "machinename",
            "username",
            "newline",
            "processorcount",
            "is64bitoperatingsystem",
            "is64bitprocess",
            "version",
            "tickcount",
            "systempagesize",
        ],
    ),
    ("float", &["*"]),
    (
        "globalization.cultureinfo",
        &["currentculture", "invariantculture", "currentuiculture"],
    ),
    ("guid", &["*"]),
    ("int", &["*"]),
    ("int16", &["*"]),
    ("int32", &["*"]),
    ("int64", &["*"]),
    (
        "io.path",
        &[
            "combine",
            "join",
            "getfilename",
            "getfilenamewithoutextension",
            "getextension",
            "getdirectoryname",
            "changeextension",
            "directoryseparatorchar",
            "pathseparator",
            "hasextension",
            "ispathrooted",
            "getpathroot",
        ],
    ),
    ("long", &["*"]),
    ("math", &["*"]),
    (
        "regex",
        &[
            "escape", "unescape", "match", "matches", "replace", "split", "ismatch",
        ],
    ),
    ("runtime.interopservices.runtimeinformation", &["*"]),
    (
        "string",
        &[
            "join",
            "isnullorempty",
            "isnullorwhitespace",
            "format",
            "concat",
            "empty",
            "compare",
            "equals",
        ],
    ),
    ("stringcomparison", &["*"]),
    (
        "text.encoding",
        &[
            "utf8",
            "unicode",
            "ascii",
            "default",
            "utf32",
            "bigendianunicode",
        ],
    ),
    (
        "text.regularexpressions.regex",
        &[
            "escape", "unescape", "match", "matches", "replace", "split", "ismatch",
        ],
    ),
    ("text.regularexpressions.regexoptions", &["*"]),
    ("timespan", &["*"]),
    ("timezoneinfo", &["local", "utc"]),
    ("uint32", &["*"]),
    ("uint64", &["*"]),
    (
        "uri",
        &["escapedatastring", "unescapedatastring", "escapeuristring"],
    ),
    ("version", &["*"]),
];

/// Static members that may be set.
pub const SETTABLE: &[&str] = &[
    "console::outputencoding",
    "console::inputencoding",
    "console::foregroundcolor",
    "console::backgroundcolor",
];

/// Methods that do no harm on any value that a harmless command makes.
const METHODS: &[&str] = &[
    "add",
    "adddays",
    "addhours",
    "addminutes",
    "addmonths",
    "addrange",
    "addseconds",
    "addyears",
    "compareto",
    "contains",
    "containskey",
    "containsvalue",
    "endswith",
    "equals",
    "getbytes",
    "getenumerator",
    "gethashcode",
    "getstring",
    "gettype",
    "indexof",
    "insert",
    "lastindexof",
    "padleft",
    "padright",
    "peek",
    "pop",
    "push",
    "reverse",
    "split",
    "startswith",
    "substring",
    "subtract",
    "toarray",
    "tochararray",
    "tolocaltime",
    "tolower",
    "tolowerinvariant",
    "toshortdatestring",
    "tostring",
    "tounixtimeseconds",
    "touniversaltime",
    "toupper",
    "toupperinvariant",
    "trim",
    "trimend",
    "trimstart",
];

/// Methods that do no harm on texts and numbers, though files have others of that name.
const TEXT_METHODS: &[&str] = &["normalize", "remove", "replace"];

/// Methods that run a script block on each element; given a name, they call that method.
const BLOCK_METHODS: &[&str] = &["foreach", "where"];

/// Members whose value is a text.
const TEXT_MEMBERS: &[&str] = &[
    "basename",
    "definition",
    "extension",
    "filename",
    "fullname",
    "line",
    "message",
    "name",
    "path",
    "replace",
    "substring",
    "tolower",
    "tolowerinvariant",
    "tostring",
    "toupper",
    "toupperinvariant",
    "trim",
    "trimend",
    "trimstart",
    "value",
];

/// What a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A text or a number.
    Text,
    /// Something else.
    Unknown,
}

/// Whether converting to a type, or an attribute of that name, runs nothing that could do harm.
pub fn is_plain_type(name: &str) -> bool {
    // An attribute's arguments stand in the name as `(`.
    let plain = name.split('(').next().unwrap_or(name);
    let inner = plain
        .strip_prefix("nullable[")
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(plain);
    PLAIN_TYPES.contains(&inner.trim_end_matches("[]"))
}

/// Whether a static member of a type does no harm.
pub fn is_harmless_static(of: &str, member: &str) -> bool {
    STATIC_MEMBERS
        .iter()
        .any(|(name, members)| *name == of && (members.contains(&"*") || members.contains(&member)))
}

/// Whether a method does no harm; `block` says that its first argument is a script block.
pub fn is_harmless_method(name: &str, of: Of, block: bool) -> bool {
    METHODS.contains(&name)
        || of == Of::Text && TEXT_METHODS.contains(&name)
        || block && BLOCK_METHODS.contains(&name)
}

/// Whether a member is a text on every value that has one.
pub fn is_text_member(name: &str) -> bool {
    TEXT_MEMBERS.contains(&name)
}
