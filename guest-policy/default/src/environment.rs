//! Variables that a command sets.

use execgate_guest::{Request, Segment, Span, Word};
use execgate_knowledge::environment::{
    DANGEROUS, DANGEROUS_PREFIXES, DANGEROUS_SUFFIXES, HARMLESS,
};

use crate::finding::Finding;

/// Options that programs read from variables, and how values begin that only set sizes.
const OPTION_VARIABLES: &[&str] = &[
    "NODE_OPTIONS",
    "JAVA_TOOL_OPTIONS",
    "JAVA_OPTS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "_JAVA_OPTIONS",
    "JVM_OPTS",
    "SBT_OPTS",
];
const SIZES: &[&str] = &["-Xmx", "-Xms", "-Xss", "--max-old-space-size="];

/// Whether all places of a search path are in the directory where the command runs, or below it.
fn leads_inside(path: &str) -> bool {
    path.split(':').all(|place| {
        let outside = place.starts_with(['/', '~']) || place.contains("..") || place.contains('$');
        !place.is_empty() && !outside
    })
}

/// Whether flags of a compiler make it load or run more than itself.
fn loads_code(flags: &str) -> bool {
    const LOADERS: &[&str] = &[
        "-B",
        "-wrapper",
        "-specs",
        "-fplugin",
        "-Xclang",
        "-load",
        "-toolexec",
        "-fuse-ld",
        "@",
        "--ld-path",
        "-C",
    ];
    flags
        .split_ascii_whitespace()
        .any(|flag| LOADERS.iter().any(|loader| flag.starts_with(loader)))
}

/// Judges the assignments of a segment.
pub(crate) fn judge(segment: &Segment, findings: &mut Vec<Finding>) {
    for assignment in &segment.assignments {
        let exported = !segment.words.is_empty();
        findings.extend(variable(
            &assignment.name,
            &assignment.value,
            assignment.span,
            exported,
        ));
    }
}

/// Judges the variables that a call brings beside its text: they are set for every part of it.
pub(crate) fn overrides(request: &dyn Request, findings: &mut Vec<Finding>) {
    // They stand nowhere in the text.
    let nowhere = Span { start: 0, end: 0 };
    for (name, value) in request.env_overrides() {
        findings.extend(set(&name, Some(&value), nowhere, true));
    }
}

/// Judges one variable by its name and value.
pub(crate) fn variable(name: &str, value: &Word, span: Span, exported: bool) -> Option<Finding> {
    set(name, value.value.as_deref(), span, exported)
}

fn set(name: &str, text: Option<&str>, span: Span, exported: bool) -> Option<Finding> {
    let harmless = HARMLESS
        .iter()
        .any(|(known, values)| *known == name && text.is_some_and(|text| values.contains(&text)));
    // Modules of the project are as trusted as its other code.
    let modules = name == "PYTHONPATH" && text.is_some_and(leads_inside);
    if harmless || modules {
        return None;
    }
    let upper = name.to_ascii_uppercase();
    let listed = DANGEROUS.contains(name)
        || DANGEROUS_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix));
    let options = OPTION_VARIABLES.contains(&name)
        || DANGEROUS_SUFFIXES
            .iter()
            .any(|suffix| upper.ends_with(suffix))
        || upper.ends_with("FLAGS") && text.is_none_or(loads_code);
    let sizes = text.is_some_and(|text| {
        text.split(' ')
            .all(|word| SIZES.iter().any(|size| word.starts_with(size)))
    });
    if listed || (options && !sizes) {
        return Some(
            Finding::ask(
                "environment/variable",
                format!("`{name}` changes what programs run or where they look"),
                span,
            )
            .high(),
        );
    }
    // What the shell itself would run in a value, its analysis follows.
    let code = exported && text.is_some_and(|text| text.contains("$(") || text.contains('`'));
    let path = exported && text.is_some_and(|text| text.starts_with('/') || text.contains("/tmp"));
    (code || path).then(|| {
        Finding::ask(
            "environment/variable",
            format!("the value of `{name}` could be run or lead elsewhere"),
            span,
        )
    })
}
