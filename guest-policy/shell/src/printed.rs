//! What a command that only prints known text prints.

use crate::segment::Segment;
use crate::unwrap::program;

/// What `echo`, `printf` or `cat` with a here-document prints.
pub(crate) fn printed(segment: &Segment) -> Option<String> {
    let values: Option<Vec<&str>> = segment
        .words
        .iter()
        .map(|word| word.value.as_deref())
        .collect();
    let values = values?;
    let (name, mut arguments) = values.split_first()?;
    match program(segment.words.first()?).filter(|_| !name.is_empty())? {
        "echo" => {
            let mut newline = true;
            let mut escapes = false;
            while let Some(flags) = arguments
                .first()
                .and_then(|text| text.strip_prefix('-'))
                .filter(|flags| {
                    !flags.is_empty() && flags.bytes().all(|flag| b"neE".contains(&flag))
                })
            {
                newline &= !flags.contains('n');
                escapes = flags.contains('e') || escapes && !flags.contains('E');
                arguments = &arguments[1..];
            }
            let text = arguments.join(" ");
            // Shells differ in whether a plain `echo` decodes escapes.
            if text.contains('\\') && !escapes {
                return None;
            }
            let text = if escapes {
                crate::ansi::decode(&text)
            } else {
                text
            };
            Some(if newline { text + "\n" } else { text })
        }
        "printf" => {
            let (format, rest) = arguments.split_first()?;
            match *format {
                "%s" | "%s\\n" | "%s\n" | "%b" | "%b\\n" => {
                    let end = if format.len() > 2 { "\n" } else { "" };
                    let escapes = format.starts_with("%b");
                    Some(rest.iter().map(|text| if escapes { crate::ansi::decode(text) } else { (*text).to_owned() } + end).collect())
                }
                _ if format.contains('%') || format.starts_with('-') => None,
                _ => Some(crate::ansi::decode(format)),
            }
        }
        "cat" if arguments.is_empty() || arguments == ["-"] => match segment.redirects.as_slice() {
            [redirect] if redirect.descriptor.is_none() => redirect.here.as_ref()?.body.clone(),
            _ => None,
        },
        _ => None,
    }
}
