//! The parser's types in the terms of the border.

use execgate_guest as guest;
use execgate_shell as shell;

/// The whole of an analysis.
pub fn command_line(line: shell::CommandLine) -> guest::CommandLine {
    guest::CommandLine {
        segments: line.segments.into_iter().map(segment).collect(),
        opaque: line.opaque.into_iter().map(opaque).collect(),
        annotations: Vec::new(),
    }
}

/// The parser's name of a dialect.
pub fn dialect(dialect: guest::Dialect) -> shell::Dialect {
    match dialect {
        guest::Dialect::Bash => shell::Dialect::Bash,
        guest::Dialect::Posix => shell::Dialect::Posix,
        guest::Dialect::Zsh => shell::Dialect::Zsh,
        guest::Dialect::Powershell => shell::Dialect::PowerShell,
        guest::Dialect::Cmd => shell::Dialect::Cmd,
    }
}

fn segment(segment: shell::Segment) -> guest::Segment {
    guest::Segment {
        span: span(segment.span),
        words: segment.words.into_iter().map(word).collect(),
        assignments: segment.assignments.into_iter().map(assignment).collect(),
        redirects: segment.redirects.into_iter().map(redirect).collect(),
        parent: segment.parent,
        relation: relation(segment.relation),
        join: join(segment.joined),
        context: context(&segment.context),
        function: segment.context.function,
        stage: segment.pipeline.map(|stage| guest::Stage {
            pipeline: stage.pipeline,
            index: stage.index,
        }),
        fed_by: segment.fed_by,
        depth: segment.depth,
        annotations: annotations(segment.dialect, segment.canonical),
    }
}

/// Facts about segments: the language, where it is one of Windows, and what the first word means.
fn annotations(dialect: shell::Dialect, canonical: Option<&str>) -> Vec<(String, String)> {
    let name = match dialect {
        shell::Dialect::Bash | shell::Dialect::Posix | shell::Dialect::Zsh => None,
        shell::Dialect::PowerShell => Some("powershell"),
        shell::Dialect::Cmd => Some("cmd"),
    };
    let dialect = name.map(|name| ("dialect".to_owned(), name.to_owned()));
    let canonical = canonical.map(|name| ("command".to_owned(), name.to_owned()));
    dialect.into_iter().chain(canonical).collect()
}

fn span(span: shell::Span) -> guest::Span {
    guest::Span {
        start: span.start,
        end: span.end,
    }
}

fn word(word: shell::Word) -> guest::Word {
    guest::Word {
        span: span(word.span),
        value: word.value,
        parts: word.parts.into_iter().map(part).collect(),
        quoted: word.quoted,
    }
}

/// A tilde whose directory is not known crosses as a variable that is not known: no name begins with `~`.
fn part(part: shell::Part) -> guest::Part {
    match part {
        shell::Part::Literal(text) => guest::Part::Literal(text),
        shell::Part::Variable { name, .. } => guest::Part::Variable(name),
        shell::Part::Substitution { .. } => guest::Part::Substitution,
        shell::Part::ProcessSubstitution => guest::Part::ProcessSubstitution,
        shell::Part::Arithmetic => guest::Part::Arithmetic,
        shell::Part::Glob(pattern) => guest::Part::Glob(pattern),
        shell::Part::Tilde(prefix) => guest::Part::Variable(tilde(prefix)),
    }
}

fn tilde(prefix: String) -> String {
    if prefix.starts_with('~') {
        prefix
    } else {
        format!("~{prefix}")
    }
}

fn assignment(assignment: shell::Assignment) -> guest::Assignment {
    guest::Assignment {
        span: span(assignment.span),
        name: assignment.name,
        value: word(assignment.value),
        append: assignment.append,
        subscript: assignment.subscript,
    }
}

fn redirect(redirect: shell::Redirect) -> guest::Redirect {
    guest::Redirect {
        span: span(redirect.span),
        descriptor: redirect.descriptor.map(|descriptor| match descriptor {
            shell::Descriptor::Number(number) => guest::Descriptor::Number(number),
            shell::Descriptor::Variable(name) => guest::Descriptor::Variable(name),
        }),
        operator: operator(redirect.operator),
        target: word(redirect.target),
        here: redirect.here.map(|here| guest::Here {
            span: span(here.span),
            quoted: here.quoted,
            body: here.body,
        }),
    }
}

fn operator(operator: shell::RedirectOperator) -> guest::RedirectOperator {
    match operator {
        shell::RedirectOperator::Read => guest::RedirectOperator::Read,
        shell::RedirectOperator::Write => guest::RedirectOperator::Write,
        shell::RedirectOperator::Clobber => guest::RedirectOperator::Clobber,
        shell::RedirectOperator::Append => guest::RedirectOperator::Append,
        shell::RedirectOperator::ReadWrite => guest::RedirectOperator::ReadWrite,
        shell::RedirectOperator::DuplicateInput => guest::RedirectOperator::DuplicateInput,
        shell::RedirectOperator::DuplicateOutput => guest::RedirectOperator::DuplicateOutput,
        shell::RedirectOperator::WriteBoth => guest::RedirectOperator::WriteBoth,
        shell::RedirectOperator::AppendBoth => guest::RedirectOperator::AppendBoth,
        shell::RedirectOperator::HereDocument | shell::RedirectOperator::HereDocumentStripped => {
            guest::RedirectOperator::HereDocument
        }
        shell::RedirectOperator::HereString => guest::RedirectOperator::HereString,
    }
}

fn relation(relation: shell::Relation) -> guest::Relation {
    match relation {
        shell::Relation::Top => guest::Relation::Top,
        shell::Relation::Wrapped => guest::Relation::Wrapped,
        shell::Relation::Script => guest::Relation::Script,
        shell::Relation::Substitution => guest::Relation::Substitution,
        shell::Relation::ProcessSubstitution => guest::Relation::ProcessSubstitution,
    }
}

fn join(join: shell::Join) -> guest::Join {
    match join {
        shell::Join::First => guest::Join::First,
        shell::Join::Sequence => guest::Join::Sequence,
        shell::Join::And => guest::Join::AndThen,
        shell::Join::Or => guest::Join::OrElse,
        shell::Join::Background => guest::Join::Background,
        shell::Join::Pipe => guest::Join::Pipe,
        shell::Join::PipeBoth => guest::Join::PipeBoth,
    }
}

fn context(context: &shell::Context) -> guest::Context {
    let flags = [
        (context.subshell, guest::Context::SUBSHELL),
        (context.in_loop, guest::Context::IN_LOOP),
        (context.conditional, guest::Context::CONDITIONAL),
        (context.background, guest::Context::BACKGROUND),
        (context.coprocess, guest::Context::COPROCESS),
        (context.function.is_some(), guest::Context::IN_FUNCTION),
    ];
    flags
        .into_iter()
        .filter(|(set, _)| *set)
        .fold(guest::Context::empty(), |all, (_, flag)| all | flag)
}

fn opaque(opaque: shell::Opaque) -> guest::Opaque {
    guest::Opaque {
        reason: reason(opaque.reason).to_owned(),
        detail: opaque.detail,
        span: span(opaque.span),
    }
}

/// The stable names of obstacles.
fn reason(reason: shell::OpaqueReason) -> &'static str {
    match reason {
        shell::OpaqueReason::Syntax => "syntax",
        shell::OpaqueReason::TooLong => "too-long",
        shell::OpaqueReason::TooDeep => "too-deep",
        shell::OpaqueReason::TooManySegments => "too-many-segments",
        shell::OpaqueReason::TooManyFields => "too-many-fields",
        shell::OpaqueReason::NulByte => "nul-byte",
        shell::OpaqueReason::DynamicScript => "dynamic-script",
        shell::OpaqueReason::UnknownCarrier => "unknown-carrier",
        shell::OpaqueReason::Alias => "alias",
        shell::OpaqueReason::DialectDependent => "dialect-dependent",
        shell::OpaqueReason::Code => "code",
        shell::OpaqueReason::UnsupportedDialect => "unsupported-dialect",
    }
}
