//! What is known of cmdlets and their parameters. A row is named after the first of the cmdlets that it is for.

use super::cmdlet::{Cmdlet, Effect};

pub(super) const WRITE_OUTPUT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t NoEnumerate NoNewline InputObject:t Object:t Separator:t ForegroundColor:t BackgroundColor:t Message:t MessageData:t Tags:t Category:t ErrorId:t Exception:t TargetObject:t Activity:t Status:t PercentComplete:t Id:t Completed CurrentOperation:t SecondsRemaining:t ParentId:t SourceId:t ErrorRecord:t RecommendedAction:t",
    positions: "*",
};
pub(super) const FORMAT_TABLE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Property:s AutoSize Wrap GroupBy:s HideTableHeaders RepeatHeader View:t Expand:t Force DisplayError ShowError Column:t Depth:t InputObject:t Path:r LiteralPath:r Encoding:t Count:t Offset:t",
    positions: "Property*",
};
pub(super) const SELECT_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Property:s ExcludeProperty:t ExpandProperty:t First:t Last:t Skip:t SkipLast:t SkipIndex:t Index:t Unique CaseInsensitive Wait InputObject:t",
    positions: "Property*",
};
pub(super) const SORT_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Property:s Descending Unique Top:t Bottom:t Stable CaseSensitive Culture:t NoElement AsHashTable AsString InputObject:t",
    positions: "Property*",
};
pub(super) const MEASURE_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Property:s Sum Average Minimum Maximum StandardDeviation AllStats Line Word Character IgnoreWhiteSpace InputObject:t",
    positions: "Property*",
};
pub(super) const WHERE_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "FilterScript:b Property:t Value:t EQ:t CEQ:t NE:t CNE:t GT:t CGT:t LT:t CLT:t GE:t CGE:t LE:t CLE:t Like:t CLike:t NotLike:t CNotLike:t Match:t CMatch:t NotMatch:t CNotMatch:t Contains:t CContains:t NotContains:t CNotContains:t In:t CIn:t NotIn:t CNotIn:t Is:t IsNot:t Not:t InputObject:t",
    positions: "Property Value",
};
pub(super) const FOREACH_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Process:m Begin:b End:b RemainingScripts:b Parallel:b ThrottleLimit:t TimeoutSeconds:t AsJob UseNewRunspace MemberName:m ArgumentList:x InputObject:t",
    positions: "Process RemainingScripts*",
};
pub(super) const COMPARE_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "ReferenceObject:t DifferenceObject:t Property:s IncludeEqual ExcludeDifferent PassThru CaseSensitive SyncWindow:t Culture:t",
    positions: "ReferenceObject DifferenceObject",
};
pub(super) const GET_UNIQUE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "InputObject:t AsString OnType CaseInsensitive",
    positions: "",
};
pub(super) const GET_MEMBER: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t MemberType:t Static Force View:t InputObject:t",
    positions: "Name",
};
pub(super) const OUT_STRING: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Width:t Stream NoNewline Paging InputObject:t Transcript",
    positions: "",
};
pub(super) const CLEAR_HOST: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t",
    positions: "*",
};
pub(super) const GET_PSREADLINEOPTION: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "",
    positions: "",
};
pub(super) const GET_HELP: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t Online:x Examples Detailed Full Parameter:t Category:t Component:t Functionality:t Role:t ShowWindow Noun:t Verb:t Module:t FullyQualifiedModule:t CommandType:t All Syntax ListImported ParameterName:t ParameterType:t TotalCount:t ShowCommandInfo UseFuzzyMatching UseAbbreviationExpansion Definition:t Exclude:t Scope:t ListAvailable Refresh PSEdition:t PSProvider:t LiteralName:t ValueOnly Include:t ArgumentList:t CimSession:x PSSession:x",
    positions: "Name *",
};
pub(super) const SHOW_COMMAND: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t",
    positions: "*",
};
pub(super) const GET_CONTENT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Filter:t Include:t Exclude:t ReadCount:t TotalCount:t Head:t First:t Tail:t Last:t Force Wait Raw Encoding:t Delimiter:t Stream:t AsByteStream Credential:x",
    positions: "Path*",
};
pub(super) const GET_CHILDITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Filter:t Include:t Exclude:t Recurse Depth:t Force Name Attributes:t FollowSymlink Directory File Hidden ReadOnly System CodeSigningCert Credential:x",
    positions: "Path Filter",
};
pub(super) const GET_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Filter:t Include:t Exclude:t Force Stream:t Credential:x",
    positions: "Path*",
};
pub(super) const GET_ITEMPROPERTY: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Filter:t Include:t Exclude:t Name:t Credential:x",
    positions: "Path Name",
};
pub(super) const GET_FILEHASH: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Filter:t Include:t Exclude:t Algorithm:t InputStream:x Audit AllCentralAccessPolicies Relative RelativeBasePath:r Force InputObject:x Credential:x SourcePathOrExtension:t Content:t",
    positions: "Path*",
};
pub(super) const TEST_PATH: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:t LiteralPath:t Filter:t Include:t Exclude:t PathType:t IsValid OlderThan:t NewerThan:t Credential:x",
    positions: "Path*",
};
pub(super) const SPLIT_PATH: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:t LiteralPath:t Leaf LeafBase Extension Parent NoQualifier Qualifier IsAbsolute Resolve ChildPath:t AdditionalChildPath:t Credential:x",
    positions: "Path ChildPath AdditionalChildPath*",
};
pub(super) const SELECT_STRING: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Pattern:t Path:r LiteralPath:r Include:t Exclude:t SimpleMatch CaseSensitive Quiet List NotMatch AllMatches Encoding:t Context:t Raw NoEmphasis Culture:t InputObject:t",
    positions: "Pattern Path*",
};
pub(super) const IMPORT_CSV: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Delimiter:t Header:t Encoding:t UseCulture Skip:t First:t IncludeTotalCount SkipLimitCheck",
    positions: "Path Delimiter",
};
pub(super) const SELECT_XML: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "XPath:t Path:r LiteralPath:r Content:t Xml:t Namespace:t",
    positions: "XPath Path",
};
pub(super) const CONVERTFROM_JSON: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "InputObject:t Depth:t AsHashtable NoEnumerate DateKind:t Compress EnumsAsStrings AsArray EscapeHandling:t Delimiter:t Header:t UseCulture NoTypeInformation IncludeTypeInformation QuoteFields:t UseQuotes:t NoHeader As:t Property:s Head:t Title:t Body:t Fragment CssUri:t PreContent:t PostContent:t StringData:t Path:r LiteralPath:r AsVT100EncodedString Json:t Schema:t SchemaFile:r Options:t",
    positions: "InputObject *",
};
pub(super) const GET_PROCESS: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t Id:t IncludeUserName Module FileVersionInfo InputObject:t ComputerName:x",
    positions: "Name*",
};
pub(super) const GET_SERVICE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t DisplayName:t DependentServices RequiredServices Include:t Exclude:t InputObject:t ComputerName:x",
    positions: "Name*",
};
pub(super) const GET_COMPUTERINFO: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t ComputerName:x Cn:x Credential:x CimSession:x Session:x AsJob:x Path:r LiteralPath:r EA:t ErrorAction:t Online",
    positions: "*",
};
pub(super) const TEST_CONNECTION: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t ComputerName:t TargetName:t Source:x Credential:x CimSession:x Name:t Server:x",
    positions: "*",
};
pub(super) const WAIT_PROCESS: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t Expression:b Seconds:t Milliseconds:t Duration:t InputObject:t",
    positions: "*",
};
pub(super) const RECEIVE_JOB: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t",
    positions: "*",
};
pub(super) const READ_HOST: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t",
    positions: "*",
};
pub(super) const SET_VARIABLE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t Value:t Option:t Description:t Visibility:t Scope:t Force PassThru Include:t Exclude:t",
    positions: "Name Value",
};
pub(super) const SET_STRICTMODE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t",
    positions: "*",
};
pub(super) const SET_LOCATION: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r PassThru StackName:t",
    positions: "Path",
};
pub(super) const POP_LOCATION: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "PassThru StackName:t",
    positions: "",
};
pub(super) const NEW_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "eval/inline-code",
        "makes an object of .NET or of another program",
    ),
    parameters: "",
    positions: "",
};
pub(super) const ADD_TYPE: Cmdlet = Cmdlet {
    effect: Effect::Ask("eval/inline-code", "compiles and loads code"),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_EXPRESSION: Cmdlet = Cmdlet {
    effect: Effect::Runs,
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_COMMAND: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "ScriptBlock:b NoNewScope InputObject:t ArgumentList:t FilePath:c ComputerName:x Cn:x Session:x HostName:x VMName:x VMId:x ContainerId:x SSHConnection:x ConnectionUri:x Credential:x UserName:x KeyFilePath:x AsJob:x JobName:t ThrottleLimit:t HideComputerName SessionName:x UseSSL:x Port:x Authentication:x",
    positions: "ScriptBlock",
};
pub(super) const START_JOB: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "ScriptBlock:b Name:t ArgumentList:t InputObject:t InitializationScript:b FilePath:c LiteralPath:c WorkingDirectory:r ThrottleLimit:t StreamingHost:t RunAs32 PSVersion:t Credential:x Authentication:x DefinitionName:x DefinitionPath:x Type:x",
    positions: "ScriptBlock",
};
pub(super) const START_PROCESS: Cmdlet = Cmdlet {
    effect: Effect::Starts,
    parameters: "FilePath:t ArgumentList:t WorkingDirectory:r NoNewWindow Wait PassThru WindowStyle:t LoadUserProfile UseNewEnvironment RedirectStandardOutput:w RedirectStandardError:w RedirectStandardInput:r Verb:x Credential:x Environment:x",
    positions: "FilePath ArgumentList",
};
pub(super) const TRACE_COMMAND: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t Expression:b Command:x ArgumentList:x Option:t ListenerOption:t PSHost Debugger FilePath:w Force InputObject:t",
    positions: "Name Expression",
};
pub(super) const REGISTER_OBJECTEVENT: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "eval/inline-code",
        "runs code later, when something happens",
    ),
    parameters: "",
    positions: "",
};
pub(super) const IMPORT_MODULE: Cmdlet = Cmdlet {
    effect: Effect::Imports,
    parameters: "Name:t Global Prefix:t Function:t Cmdlet:t Variable:t Alias:x Force PassThru AsCustomObject MinimumVersion:t MaximumVersion:t RequiredVersion:t ArgumentList:x DisableNameChecking NoClobber Scope:t SkipEditionCheck UseWindowsPowerShell Assembly:x ModuleInfo:x PSSession:x CimSession:x FullyQualifiedName:t",
    positions: "Name*",
};
pub(super) const REMOVE_MODULE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t Force FullyQualifiedName:t",
    positions: "Name*",
};
pub(super) const NEW_MODULE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Name:t ScriptBlock:b Function:t Cmdlet:t ReturnResult AsCustomObject ArgumentList:t",
    positions: "Name ScriptBlock",
};
pub(super) const SET_PSREADLINEOPTION: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "environment/variable",
        "changes how the session reads or remembers commands",
    ),
    parameters: "",
    positions: "",
};
pub(super) const SET_PSDEBUG: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "environment/variable",
        "changes how the session runs commands",
    ),
    parameters: "",
    positions: "",
};
pub(super) const UPDATE_FORMATDATA: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "environment/variable",
        "changes how the session shows or converts values",
    ),
    parameters: "",
    positions: "",
};
pub(super) const SET_ALIAS: Cmdlet = Cmdlet {
    effect: Effect::Ask("environment/variable", "renames commands"),
    parameters: "",
    positions: "",
};
pub(super) const EXPORT_ALIAS: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w LiteralPath:w Name:t PassThru As:t Append Force NoClobber Description:t Scope:t",
    positions: "Path Name",
};
pub(super) const GET_HISTORY: Cmdlet = Cmdlet {
    effect: Effect::Ask("path/secret", "shows earlier commands"),
    parameters: "",
    positions: "",
};
pub(super) const CLEAR_HISTORY: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "log/tamper",
        "changes what is remembered of earlier commands",
    ),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_HISTORY: Cmdlet = Cmdlet {
    effect: Effect::Ask("eval/inline-code", "runs an earlier command again"),
    parameters: "",
    positions: "",
};
pub(super) const START_TRANSCRIPT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w LiteralPath:w OutputDirectory:w Append Force NoClobber IncludeInvocationHeader UseMinimalHeader",
    positions: "Path",
};
pub(super) const STOP_TRANSCRIPT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "",
    positions: "",
};
pub(super) const SET_CONTENT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w LiteralPath:w Value:t PassThru Filter:t Include:x Exclude:x Force NoNewline Encoding:t Stream:x AsByteStream Credential:x",
    positions: "Path Value*",
};
pub(super) const OUT_FILE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "FilePath:w LiteralPath:w Encoding:t Append Force NoClobber Width:t NoNewline InputObject:t",
    positions: "FilePath Encoding",
};
pub(super) const TEE_OBJECT: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "FilePath:w LiteralPath:w Append Encoding:t Variable:t InputObject:t",
    positions: "FilePath",
};
pub(super) const EXPORT_CSV: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w LiteralPath:w InputObject:t Force NoClobber Encoding:t Append Delimiter:t UseCulture IncludeTypeInformation NoTypeInformation QuoteFields:t UseQuotes:t NoHeader Depth:t",
    positions: "Path Delimiter",
};
pub(super) const NEW_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w Name:n ItemType:t Type:t Value:t Target:r Force Credential:x Options:x",
    positions: "Path",
};
pub(super) const NEW_TEMPORARYFILE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "",
    positions: "",
};
pub(super) const COPY_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r Destination:w Container Force Filter:t Include:t Exclude:t Recurse PassThru Credential:x FromSession:x ToSession:x",
    positions: "Path Destination",
};
pub(super) const MOVE_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:o LiteralPath:o Destination:w Force Filter:t Include:t Exclude:t PassThru Credential:x",
    positions: "Path Destination",
};
pub(super) const RENAME_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:o LiteralPath:o NewName:n Force PassThru Credential:x",
    positions: "Path NewName",
};
pub(super) const CLEAR_CONTENT: Cmdlet = Cmdlet {
    effect: Effect::Empties,
    parameters: "Path:w LiteralPath:w Filter:x Include:x Exclude:x Force Stream:t Credential:x",
    positions: "Path*",
};
pub(super) const REMOVE_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Deletes,
    parameters: "Path:d LiteralPath:d Filter:t Include:t Exclude:t Recurse Force Credential:x Stream:t",
    positions: "Path*",
};
pub(super) const SET_ITEMPROPERTY: Cmdlet = Cmdlet {
    effect: Effect::Properties,
    parameters: "Path:w LiteralPath:w Name:t Value:t Type:t PropertyType:t PassThru Force Filter:t Include:x Exclude:x InputObject:t Credential:x Destination:w NewName:t",
    positions: "Path Name Value",
};
pub(super) const COMPRESS_ARCHIVE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r DestinationPath:w CompressionLevel:t Update Force PassThru",
    positions: "Path DestinationPath",
};
pub(super) const EXPAND_ARCHIVE: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r LiteralPath:r DestinationPath:w Force PassThru",
    positions: "Path DestinationPath",
};
pub(super) const SET_ACL: Cmdlet = Cmdlet {
    effect: Effect::Ask("program/arguments", "changes who may do what with files"),
    parameters: "",
    positions: "",
};
pub(super) const UNBLOCK_FILE: Cmdlet = Cmdlet {
    effect: Effect::Ask("program/arguments", "marks a downloaded file as trusted"),
    parameters: "",
    positions: "",
};
pub(super) const SET_CLIPBOARD: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Value:t Append AsOSC52 PassThru Path:r LiteralPath:r",
    positions: "Value*",
};
pub(super) const GET_CLIPBOARD: Cmdlet = Cmdlet {
    effect: Effect::Ask("path/secret", "reads what a person has copied"),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_ITEM: Cmdlet = Cmdlet {
    effect: Effect::Opens,
    parameters: "Path:c LiteralPath:c Filter:x Include:x Exclude:x Credential:x",
    positions: "Path*",
};
pub(super) const NEW_PSDRIVE: Cmdlet = Cmdlet {
    effect: Effect::Ask("program/arguments", "maps a drive"),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_WEBREQUEST: Cmdlet = Cmdlet {
    effect: Effect::Fetches,
    parameters: "Uri:u Method:g Headers:h UserAgent:t TimeoutSec:t ConnectionTimeoutSeconds:t OperationTimeoutSeconds:t MaximumRedirection:t MaximumRetryCount:t RetryIntervalSec:t UseBasicParsing OutFile:w PassThru Resume SkipHttpErrorCheck DisableKeepAlive ContentType:t TransferEncoding:t HttpVersion:t SslProtocol:t ResponseHeadersVariable:t StatusCodeVariable:t FollowRelLink MaximumFollowRelLink:t PreserveHttpMethodOnRedirect AllowInsecureRedirect SkipHeaderValidation Body:x Form:x InFile:x Credential:x UseDefaultCredentials:x Certificate:x CertificateThumbprint:x Token:x Authentication:x AllowUnencryptedAuthentication:x Proxy:x ProxyCredential:x ProxyUseDefaultCredentials:x SkipCertificateCheck:x SessionVariable:t WebSession:x CustomMethod:x NoProxy:x UnixSocket:x",
    positions: "Uri",
};
pub(super) const START_BITSTRANSFER: Cmdlet = Cmdlet {
    effect: Effect::Fetches,
    parameters: "Source:u Destination:w Description:t DisplayName:t Priority:t Asynchronous Dynamic TransferType:x Credential:x ProxyUsage:x ProxyList:x ProxyCredential:x Suspended",
    positions: "Source Destination",
};
pub(super) const SEND_MAILMESSAGE: Cmdlet = Cmdlet {
    effect: Effect::Ask("network/send", "sends mail"),
    parameters: "",
    positions: "",
};
pub(super) const NEW_WEBSERVICEPROXY: Cmdlet = Cmdlet {
    effect: Effect::Ask("network/send", "calls a service"),
    parameters: "",
    positions: "",
};
pub(super) const STOP_PROCESS: Cmdlet = Cmdlet {
    effect: Effect::Ask("kill/process", "ends processes that it did not start"),
    parameters: "",
    positions: "",
};
pub(super) const START_SERVICE: Cmdlet = Cmdlet {
    effect: Effect::Ask("service/change", "changes services of the machine"),
    parameters: "",
    positions: "",
};
pub(super) const STOP_COMPUTER: Cmdlet = Cmdlet {
    effect: Effect::Deny("power/stop", "stops, restarts or renames the machine"),
    parameters: "",
    positions: "",
};
pub(super) const FORMAT_VOLUME: Cmdlet = Cmdlet {
    effect: Effect::Deny("disk/format", "formats, partitions or wipes a disk"),
    parameters: "",
    positions: "",
};
pub(super) const INSTALL_MODULE: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "packages/system",
        "installs, removes or publishes software beyond the project",
    ),
    parameters: "",
    positions: "",
};
pub(super) const NEW_LOCALUSER: Cmdlet = Cmdlet {
    effect: Effect::Deny("account/change", "changes accounts of the machine"),
    parameters: "",
    positions: "",
};
pub(super) const SET_MPPREFERENCE: Cmdlet = Cmdlet {
    effect: Effect::Deny("protection/off", "changes what protects the machine"),
    parameters: "",
    positions: "",
};
pub(super) const SET_EXECUTIONPOLICY: Cmdlet = Cmdlet {
    effect: Effect::Policy,
    parameters: "ExecutionPolicy:t Scope:t Force",
    positions: "ExecutionPolicy Scope",
};
pub(super) const NEW_NETFIREWALLRULE: Cmdlet = Cmdlet {
    effect: Effect::Deny("protection/off", "changes what protects the machine"),
    parameters: "",
    positions: "",
};
pub(super) const DISABLE_BITLOCKER: Cmdlet = Cmdlet {
    effect: Effect::Deny("protection/off", "changes what protects the machine"),
    parameters: "",
    positions: "",
};
pub(super) const CLEAR_EVENTLOG: Cmdlet = Cmdlet {
    effect: Effect::Deny("log/tamper", "changes the logs of the machine"),
    parameters: "",
    positions: "",
};
pub(super) const REGISTER_SCHEDULEDTASK: Cmdlet = Cmdlet {
    effect: Effect::Deny(
        "persistence/task",
        "makes something run later without a prompt",
    ),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_WMIMETHOD: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "service/change",
        "changes the machine through its management interface",
    ),
    parameters: "",
    positions: "",
};
pub(super) const ENTER_PSSESSION: Cmdlet = Cmdlet {
    effect: Effect::Ask(
        "ssh/session",
        "opens a session, on this host or another, that no policy sees",
    ),
    parameters: "",
    positions: "",
};
pub(super) const NEW_NETIPADDRESS: Cmdlet = Cmdlet {
    effect: Effect::Deny("service/change", "changes settings of the machine"),
    parameters: "",
    positions: "",
};
pub(super) const GET_CREDENTIAL: Cmdlet = Cmdlet {
    effect: Effect::Ask("path/secret", "reads or stores credentials"),
    parameters: "",
    positions: "",
};
pub(super) const GET_CMSMESSAGE: Cmdlet = Cmdlet {
    effect: Effect::Ask("path/secret", "reads or stores credentials"),
    parameters: "",
    positions: "",
};
pub(super) const INVOKE_PESTER: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "*:t Path:r Script:r OutputFile:w Configuration:t",
    positions: "Path*",
};
pub(super) const INVOKE_SCRIPTANALYZER: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r ScriptDefinition:t Recurse Severity:t IncludeRule:t ExcludeRule:t Settings:r ReportSummary EnableExit CustomRulePath:x RecurseCustomRulePath:x IncludeDefaultRules SuppressedOnly IncludeSuppressed AttachAndDebug SaveDscDependency:x Fix:x",
    positions: "Path",
};
pub(super) const INVOKE_FORMATTER: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:r ScriptDefinition:t Settings:t LiteralPath:r",
    positions: "Path",
};
pub(super) const NEW_MODULEMANIFEST: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Path:w *:t",
    positions: "Path",
};
pub(super) const INVOKE_BUILD: Cmdlet = Cmdlet {
    effect: Effect::Plain,
    parameters: "Task:t File:r Result:t Safe Summary",
    positions: "Task*",
};
