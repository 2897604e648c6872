//! Secrets that are known by their shape.

use std::sync::LazyLock;

use super::scan::{Class, LONGEST, Look, Text, begins_word, value_of};
use super::starts::Starts;
use super::{pem, special};

/// What is found by a fixed beginning.
pub(super) struct Shape {
    pub(super) start: &'static str,
    rule: Rule,
}

enum Rule {
    /// The beginning and the token after it.
    Token(Left, Run),
    /// Only the token after the beginning.
    After(Run),
    /// Only the token that the beginning names (see [`value_of`]).
    Named(Run),
    /// What a function says of this place and the end of the beginning.
    Special(fn(&mut Text<'_>, usize, usize) -> Look),
}

/// Characters of one class, and how many.
#[derive(Clone, Copy)]
struct Run {
    class: Class,
    least: usize,
    most: usize,
}

/// What may stand before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Anything: its beginning is like nothing else.
    Any,
    /// No part of a word (see [`begins_word`]).
    Word,
}

const fn token(start: &'static str, class: Class, least: usize) -> Shape {
    let run = at_least(class, least);
    let rule = Rule::Token(Left::Any, run);
    Shape { start, rule }
}

const fn word(start: &'static str, class: Class, least: usize) -> Shape {
    let run = at_least(class, least);
    let rule = Rule::Token(Left::Word, run);
    Shape { start, rule }
}

const fn exact(start: &'static str, class: Class, length: usize) -> Shape {
    let (least, most) = (length, length);
    let rule = Rule::Token(Left::Word, Run { class, least, most });
    Shape { start, rule }
}

const fn after(start: &'static str, class: Class, least: usize) -> Shape {
    let rule = Rule::After(at_least(class, least));
    Shape { start, rule }
}

const fn named(start: &'static str, class: Class, least: usize) -> Shape {
    let rule = Rule::Named(at_least(class, least));
    Shape { start, rule }
}

const fn special(start: &'static str, look: fn(&mut Text<'_>, usize, usize) -> Look) -> Shape {
    let rule = Rule::Special(look);
    Shape { start, rule }
}

const fn at_least(class: Class, least: usize) -> Run {
    let most = usize::MAX;
    Run { class, least, most }
}

/// The shapes: where a token begins, its characters, and how many it has at least. As their issuers describe them; where they say nothing of the length,
/// after the rules of gitleaks (`config/gitleaks.toml`). No beginning is a part of another.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // GitHub: personal, OAuth, user, installation and refresh tokens; installation tokens may be JWTs within.
    token("ghp_", Class::Alnum, 36),
    token("gho_", Class::Alnum, 36),
    token("ghu_", Class::Alnum, 36),
    word("ghs_", Class::Dotted, 36),
    token("ghr_", Class::Alnum, 36),
    token("github_pat_", Class::Word, 36),
    // GitLab: personal, deploy, runner, trigger, feed, agent, job tokens and OAuth secrets.
    token("glpat-", Class::Dotted, 20),
    token("gldt-", Class::Url, 20),
    token("glrt-", Class::Dotted, 20),
    token("glptt-", Class::Url, 20),
    token("glft-", Class::Url, 20),
    token("glagent-", Class::Url, 20),
    token("glcbt-", Class::Url, 20),
    token("gloas-", Class::Url, 20),
    // Keys of model providers.
    special("sk-", special::sk),
    word("AIza", Class::Url, 35),
    word("gsk_", Class::Alnum, 40),
    word("xai-", Class::Alnum, 60),
    word("pplx-", Class::Alnum, 40),
    word("hf_", Class::Alnum, 30),
    word("r8_", Class::Alnum, 37),
    // AWS.
    exact("AKIA", Class::Upper, 16),
    exact("ASIA", Class::Upper, 16),
    named("secret_access_key", Class::Base64, 16),
    named("SECRET_ACCESS_KEY", Class::Base64, 16),
    named("ecretAccessKey", Class::Base64, 16),
    named("aws_session_token", Class::Base64, 40),
    named("AWS_SESSION_TOKEN", Class::Base64, 40),
    named("essionToken", Class::Base64, 80),
    // Google: access tokens and OAuth secrets. Azure: storage and service bus keys.
    token("ya29.", Class::Dotted, 20),
    token("GOCSPX-", Class::Url, 20),
    after("AccountKey=", Class::Base64, 40),
    after("SharedAccessKey=", Class::Base64, 40),
    // Slack.
    token("xoxa-", Class::Url, 20),
    token("xoxb-", Class::Url, 20),
    token("xoxc-", Class::Url, 20),
    token("xoxd-", Class::Url, 20),
    token("xoxe-", Class::Url, 20),
    token("xoxp-", Class::Url, 20),
    token("xoxr-", Class::Url, 20),
    token("xoxs-", Class::Url, 20),
    token("xapp-", Class::Url, 40),
    after("hooks.slack.com/services/", Class::Path, 30),
    // Stripe.
    word("sk_live_", Class::Alnum, 16),
    word("rk_live_", Class::Alnum, 16),
    word("sk_test_", Class::Alnum, 16),
    word("rk_test_", Class::Alnum, 16),
    word("whsec_", Class::Base64, 24),
    // Package registries.
    word("npm_", Class::Alnum, 36),
    token("pypi-AgE", Class::Url, 50),
    word("rubygems_", Class::Alnum, 48),
    token("dckr_pat_", Class::Url, 20),
    // Chat and mail.
    special(":AA", special::telegram),
    // A bot's number begins with a digit or two: `1` to `9` in base64.
    special("MT", special::discord),
    special("Mj", special::discord),
    special("Mz", special::discord),
    special("ND", special::discord),
    special("NT", special::discord),
    special("Nj", special::discord),
    special("Nz", special::discord),
    special("OD", special::discord),
    special("OT", special::discord),
    after("discord.com/api/webhooks/", Class::Path, 60),
    after("discordapp.com/api/webhooks/", Class::Path, 60),
    word("SG.", Class::Dotted, 60),
    // Hosting and tools.
    token("dop_v1_", Class::Alnum, 64),
    token("doo_v1_", Class::Alnum, 64),
    token("shpat_", Class::Alnum, 32),
    token("lin_api_", Class::Alnum, 32),
    token("glsa_", Class::Word, 32),
    token("tskey-", Class::Url, 20),
    word("hvs.", Class::Url, 24),
    token("AGE-SECRET-KEY-1", Class::Upper, 50),
    // Any issuer.
    special("eyJ", special::jwt),
    special("uthorization", special::authorization),
    special("UTHORIZATION", special::authorization),
    special("://", special::url),
    special("-----BEGIN ", pem::block),
];

static STARTS: LazyLock<Starts> =
    LazyLock::new(|| Starts::new(SHAPES.iter().map(|shape| shape.start.as_bytes())));

/// The next beginning of a shape from `from` on: where it is, and whose. At one place there is at most one, as none is a part of another.
fn next(bytes: &[u8], mut from: usize) -> Option<(usize, &'static Shape)> {
    loop {
        let (at, group) = STARTS.next(bytes, from)?;
        let rest = &bytes[at..];
        let mut shapes = group.iter().map(|&shape| &SHAPES[shape]);
        if let Some(shape) = shapes.find(|shape| rest.starts_with(shape.start.as_bytes())) {
            return Some((at, shape));
        }
        from = at + 1;
    }
}

/// Looks at every place where a shape begins, from left to right.
pub(super) fn look(bytes: &[u8], mut see: impl FnMut(Look)) {
    let mut text = Text::new(bytes);
    let mut from = 0;
    while let Some((start, shape)) = next(bytes, from) {
        from = start + shape.start.len();
        let mut look = shape.look(&mut text, start, from);
        if let Some(secret) = &mut look.secret {
            secret.end = secret.end.min(secret.start + LONGEST);
        }
        see(look);
    }
}

impl Shape {
    fn look(&self, text: &mut Text<'_>, start: usize, end: usize) -> Look {
        match self.rule {
            Rule::Token(Left::Word, _) if !begins_word(text.bytes, start) => Look::default(),
            Rule::Token(_, run) => run.look(text, start, end),
            Rule::After(run) => run.look_after(text, end),
            Rule::Named(run) => match value_of(text.bytes, end) {
                Some(value) => run.look_after(text, value),
                None => Look::default(),
            },
            Rule::Special(look) => look(text, start, end),
        }
    }
}

impl Run {
    /// Looks at a secret that begins at `start` and whose run begins at `from`.
    fn look(self, text: &mut Text<'_>, start: usize, from: usize) -> Look {
        let end = text.run(self.class, from);
        let last = token_end(text, self.class, from, end);
        let length = last - from;
        let fits = (self.least..=self.most).contains(&length);
        // A token of fixed length that goes on as a word is another word.
        let whole = self.most == usize::MAX || !goes_on(text.bytes, end);
        Look {
            secret: (fits && whole).then_some(start..last),
            open: (text.at_end(end) && length <= self.most).then_some(start),
        }
    }

    /// Looks at a secret after its name, which says nothing before it has begun.
    fn look_after(self, text: &mut Text<'_>, from: usize) -> Look {
        let look = self.look(text, from, from);
        Look {
            open: look.open.filter(|_| !text.at_end(from)),
            ..look
        }
    }
}

/// Where a token ends whose run ends at `end`: before the dots that end a sentence.
fn token_end(text: &Text<'_>, class: Class, from: usize, end: usize) -> usize {
    if class != Class::Dotted {
        return end;
    }
    let dots = text.bytes[from..end].iter().rev();
    end - dots.take_while(|byte| **byte == b'.').count()
}

fn goes_on(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at);
    next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// What a look at a text shows: the secrets, and whether the end is open.
    fn look_at(text: &str) -> (Vec<&str>, bool) {
        let (mut secrets, mut open) = (Vec::new(), false);
        look(text.as_bytes(), |look| {
            secrets.extend(look.secret.map(|secret| &text[secret]));
            open |= look.open.is_some();
        });
        (secrets, open)
    }

    #[test]
    fn every_token_is_found_from_its_least_length_on() {
        for shape in SHAPES {
            let (between, run, all) = match shape.rule {
                Rule::Token(_, run) => ("", run, true),
                Rule::After(run) => ("", run, false),
                Rule::Named(run) => (" = '", run, false),
                Rule::Special(_) => continue,
            };
            let start = format!("{}{between}", shape.start);
            let token = "A1".repeat(run.least)[..run.least].to_owned();
            let secret = if all {
                start.clone() + &token
            } else {
                token.clone()
            };
            let whole = format!("{start}{token}");
            assert_eq!(look_at(&whole), (vec![secret.as_str()], true));
            assert_eq!(
                look_at(&format!("{whole} ")),
                (vec![secret.as_str()], false)
            );
            let short = &whole[..whole.len() - 1];
            assert_eq!(look_at(short), (vec![], true));
            assert_eq!(look_at(&format!("{short} ")), (vec![], false));
        }
    }

    #[test]
    fn no_beginning_is_a_part_of_another() {
        for shape in SHAPES {
            let others = SHAPES
                .iter()
                .filter(|other| other.start.contains(shape.start));
            assert_eq!(others.count(), 1, "{}", shape.start);
        }
    }
}
