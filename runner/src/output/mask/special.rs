//! Shapes that a beginning and a run do not describe.

use super::scan::{Class, LONGEST, Look, Text, begins_word, past, value_of};

/// Kinds of `sk-` keys that may have dashes and underscores in them.
const SK_KINDS: [&[u8]; 7] = [
    b"admin-",
    b"ant-",
    b"lf-",
    b"None-",
    b"or-",
    b"proj-",
    b"svcacct-",
];

/// Longest user and password of a URL, in bytes.
const LONGEST_USER: usize = 128;
const LONGEST_PASSWORD: usize = 1024;

/// OpenAI, Anthropic and those that follow them: `sk-`, a kind or none, and 16 to hundreds of characters. Class names like `sk-cube-grid` are none of them.
pub(super) fn sk(text: &mut Text<'_>, start: usize, end: usize) -> Look {
    if text.bytes[..start].ends_with(b"-") || !begins_word(text.bytes, start) {
        return Look::default();
    }
    let last = text.run(Class::Url, end);
    let kind = SK_KINDS.iter().find(|kind| text.follows(end, kind));
    let is_key = match kind {
        Some(kind) => last - end >= kind.len() + 16,
        None => text.run(Class::Alnum, end) - end >= 20,
    };
    Look {
        secret: is_key.then_some(start..last),
        open: text.at_end(last).then_some(start),
    }
}

/// A JSON web token: header and claims are objects, `{"` in base64; then a signature, unless it was cut off.
pub(super) fn jwt(text: &mut Text<'_>, start: usize, end: usize) -> Look {
    let header = text.run(Class::Url, end);
    if !text.follows(header, b".eyJ") {
        return Look::open(start, b".eyJ".starts_with(&text.bytes[header..]));
    }
    let claims = text.run(Class::UrlSecond, header + 1);
    let last = if text.follows(claims, b".") {
        text.run(Class::UrlThird, claims + 1)
    } else {
        claims
    };
    let is_token = (8..LONGEST / 2).contains(&(header - start)) && claims - header > 8;
    Look {
        secret: is_token.then_some(start..last),
        ..Look::open(start, text.at_end(last))
    }
}

/// A Telegram bot token: the number of the bot and 35 characters, of which `AA` are the first; `bot` stands
/// before it in URLs.
pub(super) fn telegram(text: &mut Text<'_>, start: usize, _end: usize) -> Look {
    let before = text.bytes[..start].iter().rev().take(11);
    let digits = before.take_while(|byte| byte.is_ascii_digit()).count();
    let number = start - digits;
    if !(8..=10).contains(&digits) {
        return Look::default();
    }
    let last = text.run(Class::Url, start + 1);
    let length = last - start - 1;
    Look {
        secret: (33..=46).contains(&length).then_some(number..last),
        open: (text.at_end(last) && length <= 46).then_some(number),
    }
}

/// A Discord bot token: the number of the bot in base64, which is public, a time and a signature.
pub(super) fn discord(text: &mut Text<'_>, start: usize, end: usize) -> Look {
    if !begins_word(text.bytes, start) {
        return Look::default();
    }
    let number = text.run(Class::Url, end);
    if !(23..=28).contains(&(number - start)) || !text.follows(number, b".") {
        return Look::default();
    }
    let time = text.run(Class::UrlSecond, number + 1);
    if time - number != 7 || !text.follows(time, b".") {
        return Look::open(start, text.at_end(time) && time - number <= 7);
    }
    let last = text.run(Class::UrlThird, time + 1);
    Look {
        secret: (last - time > 27).then_some(start..last),
        ..Look::open(start, text.at_end(last))
    }
}

/// What an `Authorization` header carries.
pub(super) fn authorization(text: &mut Text<'_>, _start: usize, end: usize) -> Look {
    let schemes: [&[u8]; 4] = [b"bearer", b"basic", b"token", b"apikey"];
    let value = value_of(text.bytes, end).unwrap_or(text.bytes.len());
    let named = |scheme: &&[u8]| {
        let word = text.bytes.get(value..value + scheme.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(scheme))
    };
    let Some(scheme) = schemes.into_iter().find(named) else {
        return Look::default();
    };
    let from = past(text.bytes, value + scheme.len(), b" \t");
    if from == value + scheme.len() {
        return Look::default();
    }
    let last = text.run(Class::Credentials, from);
    Look {
        secret: (last - from >= 8).then_some(from..last),
        open: (text.at_end(last) && last > from).then_some(from),
    }
}

/// The password of a URL, `://USER:PASSWORD@`. It may have an `@` that should have been escaped.
pub(super) fn url(text: &mut Text<'_>, _start: usize, end: usize) -> Look {
    let is_user = |byte: &&u8| **byte > b' ' && !b"\x7f/\\\"'`<>[:@?#".contains(byte);
    let user = text.bytes[end..].iter().take(LONGEST_USER);
    let user = &text.bytes[end..end + user.take_while(is_user).count()];
    let from = end + user.len() + 1;
    if text.bytes.get(from - 1) != Some(&b':') {
        return Look::default();
    }
    let last = text.run(Class::Password, from);
    let rest = &text.bytes[from..last.min(from + LONGEST_PASSWORD)];
    let password = password_length(rest).filter(|&length| !is_placeholder(&rest[..length]));
    let goes_on = text.at_end(from + rest.len()) && !rest.is_empty();
    Look {
        secret: password.map(|length| from..from + length),
        open: (goes_on && !is_port(user, rest)).then_some(from),
    }
}

/// How long the password is at the start of what follows a user: up to the last `@` of the authority.
fn password_length(rest: &[u8]) -> Option<usize> {
    let authority = rest.iter().take_while(|byte| !b"?#".contains(byte)).count();
    let last_at = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte == b'@');
    last_at(&rest[..authority])
        .or_else(|| last_at(rest))
        .filter(|&length| length > 0)
}

/// Whether this stands for a password: `$NAME`, `${NAME}`, `{name}`, `***`.
fn is_placeholder(password: &[u8]) -> bool {
    let name = |bytes: &[u8]| {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        !bytes.is_empty() && bytes.iter().all(word)
    };
    match password {
        [b'$', b'{', rest @ .., b'}'] | [b'{', rest @ .., b'}'] => name(rest),
        [b'$', rest @ ..] => name(rest),
        _ => password.iter().all(|&byte| byte == b'*'),
    }
}

/// Whether this is a port, and no password that has just begun: a server says `http://localhost:8080` and waits.
fn is_port(host: &[u8], rest: &[u8]) -> bool {
    let is_host = host == b"localhost" || host.contains(&b'.');
    is_host && rest.len() <= 5 && rest.iter().all(u8::is_ascii_digit)
}
