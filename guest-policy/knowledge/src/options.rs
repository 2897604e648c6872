//! Options that take a value, so that a value is not taken for an operand.

use crate::names::Digest;
use crate::shells;

/// The options of one program.
#[derive(Debug)]
pub struct Valued {
    /// Program name.
    pub name: &'static str,
    /// Letters that take a value, attached or apart.
    pub letters: &'static str,
    /// Long options, without dashes, that take a value apart.
    pub words: &'static [&'static str],
}

const fn valued(
    name: &'static str,
    letters: &'static str,
    words: &'static [&'static str],
) -> Valued {
    Valued {
        name,
        letters,
        words,
    }
}

const DOCKER: &[&str] = &[
    "context",
    "host",
    "config",
    "log-level",
    "tlscacert",
    "file",
    "project-name",
    "profile",
    "project-directory",
    "env-file",
    "url",
    "connection",
    "namespace",
    "address",
];
const PIP: &[&str] = &[
    "index-url",
    "extra-index-url",
    "requirement",
    "target",
    "prefix",
    "root",
    "log",
    "proxy",
    "retries",
    "timeout",
    "cert",
    "cache-dir",
    "find-links",
    "constraint",
    "editable",
    "python",
];
const APT: &[&str] = &["option", "config-file", "target-release", "default-release"];
const NPM: &[&str] = &[
    "prefix",
    "registry",
    "loglevel",
    "cache",
    "userconfig",
    "workspace",
    "tag",
    "dir",
    "filter",
    "cwd",
    "location",
];

/// Programs whose verbs or operands the rules look at.
pub const VALUED: &[Valued] = &[
    valued(
        "git",
        "Cc",
        &[
            "git-dir",
            "work-tree",
            "namespace",
            "super-prefix",
            "config-env",
            "attr-source",
        ],
    ),
    valued("docker", "Hlcfp", DOCKER),
    valued("podman", "Hlcfp", DOCKER),
    valued("nerdctl", "Hnafp", DOCKER),
    valued("finch", "", DOCKER),
    valued("docker-compose", "Hfp", DOCKER),
    valued("podman-compose", "fp", DOCKER),
    valued("npm", "Cw", NPM),
    valued("pnpm", "CwF", NPM),
    valued("yarn", "", NPM),
    valued("pip", "irtcfe", PIP),
    valued("pip3", "irtcfe", PIP),
    valued("apt", "oct", APT),
    valued("apt-get", "oct", APT),
    valued("aptitude", "oqtF", APT),
    valued(
        "yum",
        "cxdeR",
        &[
            "installroot",
            "releasever",
            "enablerepo",
            "disablerepo",
            "config",
            "exclude",
        ],
    ),
    valued(
        "dnf",
        "cxdeR",
        &[
            "installroot",
            "releasever",
            "enablerepo",
            "disablerepo",
            "config",
            "exclude",
        ],
    ),
    valued("zypper", "cR", &["root", "config", "plus-repo"]),
    valued("apk", "pX", &["root", "repository", "keys-dir"]),
    valued("ssh", "BbcDEeFIiJLlmOopQRSWw", &[]),
    valued("autossh", "MBbcDEeFIiJLlmOopQRSWw", &[]),
    valued("scp", "cDFiJloPSX", &[]),
    valued("sftp", "BbcDFiJloPRSs", &[]),
    valued(
        "rsync",
        "efTBM",
        &[
            "rsh",
            "exclude",
            "include",
            "filter",
            "rsync-path",
            "files-from",
            "exclude-from",
            "include-from",
            "port",
            "log-file",
            "bwlimit",
            "out-format",
            "backup-dir",
            "suffix",
        ],
    ),
    valued("chmod", "", &["reference"]),
    valued("kill", "sn", &["signal"]),
    valued(
        "systemctl",
        "HMtpnos",
        &[
            "host", "machine", "type", "property", "lines", "output", "signal", "root", "state",
        ],
    ),
    valued(
        "make",
        "CfIojlW",
        &[
            "directory",
            "file",
            "include-dir",
            "jobs",
            "eval",
            "old-file",
            "what-if",
        ],
    ),
    valued(
        "kubectl",
        "ncslof",
        &[
            "namespace",
            "context",
            "cluster",
            "kubeconfig",
            "server",
            "token",
            "user",
            "as",
            "output",
            "selector",
            "filename",
        ],
    ),
    valued(
        "tar",
        "fCTXIbgKNVHL",
        &[
            "file",
            "directory",
            "files-from",
            "exclude-from",
            "use-compress-program",
            "exclude",
            "transform",
            "format",
            "owner",
            "group",
            "mode",
        ],
    ),
    valued("find", "", &[]),
    valued("head", "nc", &["lines", "bytes"]),
    valued("tail", "ncs", &["lines", "bytes", "pid", "sleep-interval"]),
    valued(
        "sort",
        "kStTo",
        &[
            "key",
            "field-separator",
            "buffer-size",
            "temporary-directory",
            "output",
            "parallel",
        ],
    ),
    valued(
        "cut",
        "bcdf",
        &[
            "bytes",
            "characters",
            "delimiter",
            "fields",
            "output-delimiter",
        ],
    ),
    valued(
        "curl",
        "AbBCcdDeEFhHKmoPQrtTuUwxXyYzZ",
        &[
            "data",
            "data-raw",
            "data-binary",
            "data-urlencode",
            "data-ascii",
            "form",
            "header",
            "output",
            "user",
            "user-agent",
            "request",
            "max-time",
            "connect-timeout",
            "url",
            "upload-file",
            "config",
            "cookie",
            "cookie-jar",
            "proxy",
            "referer",
            "cert",
            "key",
            "cacert",
            "write-out",
            "range",
            "retry",
            "retry-delay",
            "resolve",
            "json",
            "output-dir",
            "dump-header",
        ],
    ),
    valued(
        "wget",
        "OoaiPtTUeQwARDIXlB",
        &[
            "output-document",
            "output-file",
            "append-output",
            "input-file",
            "directory-prefix",
            "tries",
            "timeout",
            "user-agent",
            "header",
            "post-data",
            "post-file",
            "user",
            "password",
        ],
    ),
    valued("truncate", "sr", &["size", "reference"]),
    valued(
        "install",
        "mogtS",
        &["mode", "owner", "group", "target-directory", "suffix"],
    ),
    valued("cp", "tS", &["target-directory", "suffix"]),
    valued("mv", "tS", &["target-directory", "suffix"]),
    valued("ln", "tS", &["target-directory", "suffix"]),
    valued("jq", "fL", &["from-file"]),
    valued("sed", "efl", &["expression", "file", "line-length"]),
    valued("gsed", "efl", &["expression", "file", "line-length"]),
    valued(
        "awk",
        "Fvfeil",
        &[
            "field-separator",
            "assign",
            "file",
            "source",
            "include",
            "load",
        ],
    ),
    valued(
        "gawk",
        "Fvfeil",
        &[
            "field-separator",
            "assign",
            "file",
            "source",
            "include",
            "load",
        ],
    ),
    valued("mawk", "FvfW", &[]),
    valued("nawk", "Fvf", &[]),
    valued(
        "grep",
        "ABCmefdD",
        &[
            "regexp",
            "file",
            "max-count",
            "include",
            "exclude",
            "exclude-dir",
        ],
    ),
    valued(
        "egrep",
        "ABCmefdD",
        &[
            "regexp",
            "file",
            "max-count",
            "include",
            "exclude",
            "exclude-dir",
        ],
    ),
    valued(
        "fgrep",
        "ABCmefdD",
        &[
            "regexp",
            "file",
            "max-count",
            "include",
            "exclude",
            "exclude-dir",
        ],
    ),
    valued(
        "rg",
        "ABCmefgtTjMrE",
        &[
            "regexp",
            "file",
            "glob",
            "type",
            "type-not",
            "max-count",
            "replace",
            "sort",
        ],
    ),
    valued(
        "aws",
        "",
        &[
            "profile",
            "region",
            "output",
            "query",
            "endpoint-url",
            "ca-bundle",
            "color",
        ],
    ),
    valued("lua", "elE", &[]),
    valued("luajit", "elj", &[]),
    valued("rscript", "e", &[]),
    valued("julia", "eELpt", &["eval", "print", "load", "project"]),
    valued("osascript", "els", &[]),
    valued("elixir", "erS", &["eval"]),
    valued("ghc", "e", &[]),
    valued("guile", "cles", &[]),
    valued("ocaml", "eI", &[]),
    valued("swift", "e", &[]),
    valued("bun", "ep", &["eval", "print", "cwd"]),
    valued("python", "cmWX", &[]),
    valued("perl", "eEIMmCDFx0li", &[]),
    valued("ruby", "eIrECFx", &[]),
    valued(
        "node",
        "erpC",
        &["eval", "require", "print", "import", "loader", "conditions"],
    ),
    valued("php", "rBREFcdzt", &["run", "define"]),
];

const DIGEST: Digest = {
    let (mut digest, mut row) = (Digest::EMPTY, 0);
    while row < VALUED.len() {
        digest = digest.with(VALUED[row].name);
        row += 1;
    }
    digest
};

/// The options of a program; a version at the end of its name is overlooked.
pub fn valued_of(name: &str) -> Option<&'static Valued> {
    named(name).or_else(|| {
        let unversioned = shells::unversioned(name);
        (unversioned != name).then(|| named(unversioned)).flatten()
    })
}

fn named(name: &str) -> Option<&'static Valued> {
    if !DIGEST.may_hold(name) {
        return None;
    }
    VALUED.iter().find(|known| known.name == name)
}
