//! Programs of Windows, by their names without `.exe` and the like (`help`, and each program's `/?`).

/// What a call of a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Prints something that is no file's content.
    Speaks,
    /// Reads the files that it is given.
    Reads,
    /// Reads all files that it is given but the last, which it writes.
    Copies,
    /// Builds or tests the project with the files that it is given.
    Builds,
    /// Changes who may do what with the files that it is given.
    Rights,
    /// Runs the script that it is given.
    Script,
    /// `net`: lists when nothing but the verb is given.
    NetVerb,
    /// `reg query`: reads the registry.
    RegistryQuery,
    /// Is the same program as on other systems.
    Posix,
    /// Something that a person should see first: rule, and what it does.
    Ask(&'static str, &'static str),
    /// Something that should not be done at all: rule, and what it does.
    Deny(&'static str, &'static str),
}

/// A program and its cases, of which the first that fits counts.
///
/// A case fits when all its words, separated by `&`, stand among the arguments; `|` separates alternatives, and `*`
/// at either end stands for anything. The empty case always fits.
pub type Row = (&'static str, &'static [(&'static str, Outcome)]);

use Outcome::{
    Ask, Builds, Copies, Deny, NetVerb, Posix, Reads, RegistryQuery, Rights, Script, Speaks,
};

const SETTING: Outcome = Ask(
    "service/change",
    "changes services or settings of the machine",
);
const TASK: Outcome = Deny(
    "persistence/task",
    "makes something run later without a prompt",
);
const PROTECTION: Outcome = Deny("protection/off", "changes what protects the machine");
const TRANSFER_LATER: Outcome = Ask("network/send", "moves files over the network, now or later");
const WINDOW: Outcome = Ask("program/arguments", "opens a window");
const DISGUISED: Outcome = Ask(
    "network/send",
    "downloads files in the guise of a certificate tool",
);
const CERTIFICATES: Outcome = Ask(
    "program/arguments",
    "changes certificates, or decodes files",
);
const DISK: Outcome = Deny("disk/format", "formats, partitions or wipes a disk");
const SOFTWARE: Outcome = Ask(
    "packages/system",
    "installs or removes software beyond the project",
);
const MORE: Outcome = Ask(
    "program/arguments",
    "can do more than is known to be harmless",
);
const SYSTEM_FILES: Outcome = Ask("service/change", "changes settings or files of the system");
const CREDENTIALS: Outcome = Ask("path/secret", "reads or stores credentials");
const CODE: Outcome = Ask(
    "eval/inline-code",
    "runs code that is not a file of the project",
);
const ACCOUNT: Outcome = Deny("account/change", "changes or lists accounts of the domain");
const OTHER_HOST: Outcome = Ask("ssh/session", "asks another host");
const UNPACKS: Outcome = Ask(
    "program/arguments",
    "writes files in ways that are not looked into",
);
const LOG: Outcome = Deny("log/tamper", "changes the logs of the machine");
const LOW_LEVEL: Outcome = Ask(
    "program/arguments",
    "changes files and disks at a low level",
);
const TRANSFER: Outcome = Ask("network/send", "moves files over the network");
const ELEVATED: Outcome = Deny(
    "privilege/elevate",
    "runs with somebody else's rights, or on another host",
);
const POWER: Outcome = Deny("power/stop", "stops, restarts or signs out");
const UNSEEN_CODE: Outcome = Deny("eval/inline-code", "runs code that no policy has seen");
const SESSION: Outcome = Ask("ssh/session", "opens a session on another host");
const SERVICE: Outcome = Deny(
    "service/change",
    "changes services or settings of the machine",
);
const PASSWORDS: Outcome = Ask("path/secret", "shows passwords of networks");
const REGISTRY_COPY: Outcome = Ask("path/secret", "copies a part of the registry");
const REGISTRY: Outcome = Deny("registry/change", "changes the registry");
const TREES: Outcome = Ask("delete/tree", "deletes or moves whole trees");
const ACCOUNT_VARIABLE: Outcome = Ask(
    "environment/variable",
    "sets a variable of the account for good",
);
const KILL: Outcome = Ask("kill/process", "ends processes that it did not start");
const MANAGEMENT: Outcome = Ask(
    "service/change",
    "changes the machine through its management interface",
);

/// All such programs, sorted.
pub const PROGRAMS: &[Row] = &[
    ("arp", &[("-d|-s|/d|/s", SETTING), ("", Speaks)]),
    ("at", &[("", TASK)]),
    ("attrib", &[("+*|-*", Rights), ("", Reads)]),
    ("auditpol", &[("/get|/list|/?", Speaks), ("", PROTECTION)]),
    ("bcdboot", &[("", PROTECTION)]),
    ("bcdedit", &[("/enum|/v|/?", Speaks), ("", PROTECTION)]),
    (
        "bitsadmin",
        &[("/list*|/info*|/monitor", Speaks), ("", TRANSFER_LATER)],
    ),
    ("bootrec", &[("", PROTECTION)]),
    ("bootsect", &[("", PROTECTION)]),
    (
        "cacls",
        &[
            (
                "/grant*|/deny*|/remove*|/reset|/setowner|/inheritance*|/setintegritylevel|/restore|/save|/substitute|/e|/g|/p|/r|/d|/s|/t",
                Rights,
            ),
            ("", Reads),
        ],
    ),
    ("calc", &[("", WINDOW)]),
    (
        "certutil",
        &[
            ("-hashfile|/hashfile", Reads),
            ("-dump|/dump", Reads),
            (
                "-urlcache|/urlcache|-verifyctl|/verifyctl|-url|/url",
                DISGUISED,
            ),
            ("", CERTIFICATES),
        ],
    ),
    ("charmap", &[("", WINDOW)]),
    ("chcp", &[("", Speaks)]),
    (
        "chkdsk",
        &[
            ("/f|/r|/x|/b|/spotfix|/offlinescanandfix", DISK),
            ("", Speaks),
        ],
    ),
    (
        "chkntfs",
        &[
            ("/f|/r|/x|/b|/spotfix|/offlinescanandfix", DISK),
            ("", Speaks),
        ],
    ),
    (
        "choco",
        &[
            (
                "list|search|find|info|outdated|--version|-v|config&list|source&list",
                Speaks,
            ),
            ("", SOFTWARE),
        ],
    ),
    (
        "chocolatey",
        &[
            (
                "list|search|find|info|outdated|--version|-v|config&list|source&list",
                Speaks,
            ),
            ("", SOFTWARE),
        ],
    ),
    ("choice", &[("", Speaks)]),
    ("cipher", &[("/w*", DISK), ("", MORE)]),
    ("cl", &[("", Builds)]),
    ("clang-cl", &[("", Builds)]),
    ("cleanmgr", &[("", SYSTEM_FILES)]),
    ("clip", &[("", Speaks)]),
    ("cmdkey", &[("", CREDENTIALS)]),
    ("cmstp", &[("", CODE)]),
    ("comp", &[("", Reads)]),
    ("compact", &[("", SYSTEM_FILES)]),
    ("control", &[("", CODE)]),
    ("convert", &[("", DISK)]),
    ("csc", &[("", Builds)]),
    ("cscript", &[("", Script)]),
    ("csvde", &[("", ACCOUNT)]),
    ("defrag", &[("", SYSTEM_FILES)]),
    ("devenv", &[("", Builds)]),
    ("diskpart", &[("", DISK)]),
    ("diskraid", &[("", DISK)]),
    ("diskshadow", &[("", PROTECTION)]),
    ("dism", &[("", SYSTEM_FILES)]),
    ("djoin", &[("", ACCOUNT)]),
    (
        "dotnet",
        &[
            (
                "--info|--version|--list-sdks|--list-runtimes|-h|--help",
                Speaks,
            ),
            (
                "tool&install|tool&update|workload|nuget&push|nuget&add|new&install|dev-certs|add",
                SOFTWARE,
            ),
            (
                "build|test|run|clean|restore|format|publish|pack|list|sln|watch|msbuild|vstest|new|tool&restore|tool&run|tool&list",
                Builds,
            ),
            ("", MORE),
        ],
    ),
    ("dpinst", &[("", SOFTWARE)]),
    (
        "driverquery",
        &[("/s", OTHER_HOST), ("/u", OTHER_HOST), ("", Speaks)],
    ),
    ("dsadd", &[("", ACCOUNT)]),
    ("dsmod", &[("", ACCOUNT)]),
    ("dsquery", &[("", ACCOUNT)]),
    ("dsrm", &[("", ACCOUNT)]),
    ("dumpbin", &[("", Builds)]),
    ("eventvwr", &[("", CODE)]),
    ("expand", &[("", UNPACKS)]),
    ("explorer", &[("", CODE)]),
    ("extrac32", &[("", UNPACKS)]),
    ("fc", &[("", Reads)]),
    ("find", &[("", Reads)]),
    ("findstr", &[("", Reads)]),
    ("fodhelper", &[("", CODE)]),
    ("forfiles", &[("", CODE)]),
    ("format", &[("", DISK)]),
    ("fsc", &[("", Builds)]),
    (
        "fsutil",
        &[
            (
                "fsinfo|volume&diskfree|dirty&query|file&queryfileid|behavior&query|hardlink&list",
                Speaks,
            ),
            ("usn&deletejournal", LOG),
            ("", LOW_LEVEL),
        ],
    ),
    ("ftp", &[("", TRANSFER)]),
    (
        "getmac",
        &[("/s", OTHER_HOST), ("/u", OTHER_HOST), ("", Speaks)],
    ),
    ("gpresult", &[("", Speaks)]),
    ("gpupdate", &[("", SETTING)]),
    ("gsudo", &[("", ELEVATED)]),
    ("help", &[("", Speaks)]),
    ("hh", &[("", CODE)]),
    ("hostname", &[("", Speaks)]),
    (
        "icacls",
        &[
            (
                "/grant*|/deny*|/remove*|/reset|/setowner|/inheritance*|/setintegritylevel|/restore|/save|/substitute|/e|/g|/p|/r|/d|/s|/t",
                Rights,
            ),
            ("", Reads),
        ],
    ),
    ("ieexec", &[("", CODE)]),
    ("infdefaultinstall", &[("", CODE)]),
    ("installutil", &[("", CODE)]),
    (
        "ipconfig",
        &[
            ("/all|/displaydns|/allcompartments|/showclassid*|/?", Speaks),
            ("/*", SETTING),
            ("", Speaks),
        ],
    ),
    ("label", &[("", DISK)]),
    ("ldifde", &[("", ACCOUNT)]),
    ("lib", &[("", Builds)]),
    ("link", &[("", Builds)]),
    ("lld-link", &[("", Builds)]),
    ("logoff", &[("", POWER)]),
    ("makecab", &[("", UNPACKS)]),
    ("manage-bde", &[("-status", Speaks), ("", PROTECTION)]),
    ("midl", &[("", Builds)]),
    ("ml64", &[("", Builds)]),
    ("mmc", &[("", CODE)]),
    ("mode", &[("", Speaks)]),
    ("more", &[("", Reads)]),
    ("mountvol", &[("", MORE)]),
    ("mpcmdrun", &[("", PROTECTION)]),
    ("msbuild", &[("/p:*exec*|-p:*exec*", MORE), ("", Builds)]),
    ("msdt", &[("", CODE)]),
    ("msg", &[("", SETTING)]),
    ("mshta", &[("", UNSEEN_CODE)]),
    ("msiexec", &[("", SOFTWARE)]),
    ("mspaint", &[("", WINDOW)]),
    ("mstest", &[("", Builds)]),
    ("mstsc", &[("", SESSION)]),
    ("msxsl", &[("", CODE)]),
    ("mt", &[("", Builds)]),
    ("nbtstat", &[("-r|-rr", SETTING), ("", Speaks)]),
    (
        "net",
        &[
            (
                "start|use|share|user|localgroup|group|accounts|view|time|statistics|config|session|help|helpmsg",
                NetVerb,
            ),
            ("stop|pause|continue|file|computer", SERVICE),
            ("", SETTING),
        ],
    ),
    (
        "net1",
        &[
            (
                "start|use|share|user|localgroup|group|accounts|view|time|statistics|config|session|help|helpmsg",
                NetVerb,
            ),
            ("stop|pause|continue|file|computer", SERVICE),
            ("", SETTING),
        ],
    ),
    ("netdom", &[("", ACCOUNT)]),
    (
        "netsh",
        &[
            ("key=clear", PASSWORDS),
            ("show", Speaks),
            ("dump", Speaks),
            ("", PROTECTION),
        ],
    ),
    ("netstat", &[("", Speaks)]),
    ("nmake", &[("", Builds)]),
    ("notepad", &[("", WINDOW)]),
    ("nslookup", &[("", Speaks)]),
    ("ntdsutil", &[("", ACCOUNT)]),
    (
        "nuget",
        &[
            ("restore|list|sources&list|help|locals&-list", Builds),
            ("", SOFTWARE),
        ],
    ),
    ("nunit3-console", &[("", Builds)]),
    ("odbcconf", &[("", CODE)]),
    ("paexec", &[("", ELEVATED)]),
    ("pathping", &[("", Speaks)]),
    ("pcalua", &[("", CODE)]),
    ("ping", &[("/f|-f", MORE), ("", Speaks)]),
    ("plink", &[("", SESSION)]),
    ("pnputil", &[("", SOFTWARE)]),
    (
        "powercfg",
        &[
            (
                "/list|/l|/query|/q|/a|/availablesleepstates|/requests|/getactivescheme|/devicequery|-list|-l|-query|-q|-a",
                Speaks,
            ),
            ("", SETTING),
        ],
    ),
    ("powershell_ise", &[("", WINDOW)]),
    ("presentationhost", &[("", CODE)]),
    ("pscp", &[("", SESSION)]),
    ("psexec", &[("", ELEVATED)]),
    ("psexec64", &[("", ELEVATED)]),
    ("psftp", &[("", SESSION)]),
    ("psshutdown", &[("", POWER)]),
    (
        "py",
        &[
            ("-c", CODE),
            ("-m", Posix),
            ("-0*|--list*|--version|-v", Speaks),
            ("", Posix),
        ],
    ),
    ("query", &[("", Speaks)]),
    ("quser", &[("", Speaks)]),
    ("qwinsta", &[("", Speaks)]),
    ("rasdial", &[("", CREDENTIALS)]),
    ("rc", &[("", Builds)]),
    ("reagentc", &[("", PROTECTION)]),
    (
        "reg",
        &[
            ("query|compare", RegistryQuery),
            ("export|save", REGISTRY_COPY),
            ("", REGISTRY),
        ],
    ),
    ("regasm", &[("", CODE)]),
    ("regedit", &[("", REGISTRY)]),
    ("regini", &[("", REGISTRY)]),
    ("regsvcs", &[("", CODE)]),
    ("regsvr32", &[("", UNSEEN_CODE)]),
    ("replace", &[("", UNPACKS)]),
    (
        "robocopy",
        &[
            ("/mir|/purge|/mov|/move", TREES),
            ("/job*|/save*|/log*|/unilog*", MORE),
            ("", Copies),
        ],
    ),
    ("route", &[("print", Speaks), ("", SETTING)]),
    ("runas", &[("", ELEVATED)]),
    ("rundll32", &[("", CODE)]),
    (
        "sc",
        &[
            (
                "query|queryex|qc|qdescription|qfailure|qtriggerinfo|sdshow|enumdepend|getdisplayname|getkeyname",
                Speaks,
            ),
            ("", SERVICE),
        ],
    ),
    (
        "schtasks",
        &[("/create|/delete|/change|/run|/end", TASK), ("", Speaks)],
    ),
    (
        "scoop",
        &[
            ("list|search|info|status|which|help", Speaks),
            ("", SOFTWARE),
        ],
    ),
    ("scriptrunner", &[("", CODE)]),
    ("secedit", &[("", PROTECTION)]),
    ("setup", &[("", SOFTWARE)]),
    ("setx", &[("", ACCOUNT_VARIABLE)]),
    ("sfc", &[("", SYSTEM_FILES)]),
    ("shutdown", &[("/?", Speaks), ("", POWER)]),
    ("snippingtool", &[("", WINDOW)]),
    ("sort", &[("/o*", Copies), ("", Reads)]),
    ("subst", &[("", MORE)]),
    ("syncappvpublishingserver", &[("", CODE)]),
    (
        "systeminfo",
        &[("/s", OTHER_HOST), ("/u", OTHER_HOST), ("", Speaks)],
    ),
    ("takeown", &[("", Rights)]),
    ("taskkill", &[("", KILL)]),
    (
        "tasklist",
        &[("/s", OTHER_HOST), ("/u", OTHER_HOST), ("", Speaks)],
    ),
    ("telnet", &[("", TRANSFER)]),
    ("tftp", &[("", TRANSFER)]),
    ("timeout", &[("", Speaks)]),
    ("tracert", &[("", Speaks)]),
    ("tree", &[("", Reads)]),
    ("tsdiscon", &[("", POWER)]),
    ("tskill", &[("", KILL)]),
    ("tzutil", &[("/g|/l", Speaks), ("", SERVICE)]),
    ("vaultcmd", &[("", CREDENTIALS)]),
    ("vbc", &[("", Builds)]),
    (
        "vcpkg",
        &[("list|search|version|help", Speaks), ("", SOFTWARE)],
    ),
    ("vcvars32", &[("", Builds)]),
    ("vcvars64", &[("", Builds)]),
    ("vcvarsall", &[("", Builds)]),
    ("vsdevcmd", &[("", Builds)]),
    ("vssadmin", &[("list", Speaks), ("", PROTECTION)]),
    ("vstest.console", &[("", Builds)]),
    (
        "w32tm",
        &[("/query|/stripchart|/tz", Speaks), ("", SERVICE)],
    ),
    ("wbadmin", &[("", PROTECTION)]),
    (
        "wevtutil",
        &[
            (
                "el|qe|gl|gli|gp|ep|enum-logs|query-events|get-log|get-log-info|enum-publishers|get-publisher",
                Speaks,
            ),
            ("", LOG),
        ],
    ),
    ("where", &[("", Speaks)]),
    ("whoami", &[("", Speaks)]),
    (
        "winget",
        &[
            ("list|search|show|--version|--info|source&list|-v", Speaks),
            ("", SOFTWARE),
        ],
    ),
    ("winrm", &[("", SESSION)]),
    ("winrs", &[("", SESSION)]),
    (
        "wmic",
        &[
            ("/node*", OTHER_HOST),
            ("call|create|delete|set|/format*", MANAGEMENT),
            ("", Speaks),
        ],
    ),
    ("wmiprvse", &[("", CODE)]),
    ("wordpad", &[("", WINDOW)]),
    ("write", &[("", WINDOW)]),
    ("wscript", &[("", Script)]),
    ("wusa", &[("", SOFTWARE)]),
    ("xcacls", &[("", Rights)]),
    ("xcopy", &[("", Copies)]),
    ("xunit.console", &[("", Builds)]),
];

/// Looks a program up by its name in lower case.
pub fn find(name: &str) -> Option<&'static [(&'static str, Outcome)]> {
    let place = PROGRAMS
        .binary_search_by_key(&name, |(known, _)| known)
        .ok()?;
    Some(PROGRAMS[place].1)
}

/// What the names of variables have in them that hold secrets.
pub const SECRET_WORDS: &[&str] = &[
    "apikey",
    "api_key",
    "access_key",
    "connectionstring",
    "connection_string",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "secret",
    "token",
];

/// How variables begin that steer what programs run or where they look, in lower case, beyond those of every system.
pub const STEERING: &[&str] = &[
    "__compat_layer",
    "appdata",
    "comspec",
    "cor_",
    "coreclr_",
    "localappdata",
    "pathext",
    "programfiles",
    "psexecutionpolicypreference",
    "psmodulepath",
    "systemdrive",
    "systemroot",
    "userprofile",
    "windir",
];

/// Names below a home directory that hold secrets, in lower case.
pub const HOME_SECRETS: &[&str] = &[
    "appdata/local/google/chrome",
    "appdata/local/microsoft/credentials",
    "appdata/local/microsoft/edge",
    "appdata/local/microsoft/vault",
    "appdata/local/packages",
    "appdata/roaming/gcloud",
    "appdata/roaming/github cli",
    "appdata/roaming/gnupg",
    "appdata/roaming/microsoft/credentials",
    "appdata/roaming/microsoft/crypto",
    "appdata/roaming/microsoft/protect",
    "appdata/roaming/microsoft/systemcertificates",
    "appdata/roaming/microsoft/windows/powershell/psreadline",
    "appdata/roaming/mozilla",
    "appdata/roaming/npm/.npmrc",
    "appdata/roaming/postgresql/pgpass.conf",
    "ntuser.dat",
];

/// Names below a home directory that run by themselves later, in lower case.
pub const HOME_STARTUP: &[&str] = &[
    "appdata/roaming/execgate",
    "appdata/local/execgate",
    "appdata/roaming/microsoft/windows/start menu/programs/startup",
    "documents/powershell",
    "documents/windowspowershell",
    "onedrive/documents/powershell",
    "onedrive/documents/windowspowershell",
];

/// Places of the system that hold secrets, or the like of it, in lower case.
pub const SYSTEM_SECRETS: &[&str] = &[
    "/c:/windows/ntds",
    "/c:/windows/panther",
    "/c:/windows/repair",
    "/c:/windows/system32/config",
    "/c:/windows/system32/winevt",
    "/c:/windows/sysvol",
];

/// Places of the system that anybody may read, in lower case.
pub const READABLE: &[&str] = &[
    "/c:/program files",
    "/c:/program files (x86)",
    "/c:/windows",
];

/// Places for files that do not last, in lower case.
pub const TEMPORARY: &[&str] = &["/c:/temp", "/c:/tmp", "/c:/windows/temp"];

/// Modules that come with PowerShell, or are what a project's tests and checks are made of.
pub const MODULES: &[&str] = &[
    "cimcmdlets",
    "dism",
    "dnsclient",
    "invokebuild",
    "microsoft.powershell.archive",
    "microsoft.powershell.diagnostics",
    "microsoft.powershell.host",
    "microsoft.powershell.management",
    "microsoft.powershell.security",
    "microsoft.powershell.utility",
    "nettcpip",
    "pester",
    "platyps",
    "posh-git",
    "psake",
    "psreadline",
    "psscriptanalyzer",
    "storage",
    "threadjob",
];

/// Members that `ForEach-Object` may read or call by name.
pub const MEMBERS: &[&str] = &[
    "attributes",
    "basename",
    "count",
    "creationtime",
    "definition",
    "directory",
    "directoryname",
    "displayname",
    "extension",
    "fullname",
    "handles",
    "id",
    "key",
    "keys",
    "lastwritetime",
    "length",
    "line",
    "linenumber",
    "matches",
    "message",
    "name",
    "path",
    "processname",
    "status",
    "tolower",
    "tostring",
    "toupper",
    "trim",
    "value",
    "values",
    "version",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_sorted_and_every_row_has_a_last_case() {
        assert!(PROGRAMS.is_sorted_by(|left, right| left.0 < right.0));
        assert!(
            PROGRAMS
                .iter()
                .all(|(_, cases)| cases.last().is_some_and(|(when, _)| when.is_empty()))
        );
        assert!(find("reg").is_some() && find("ls").is_none());
    }
}
