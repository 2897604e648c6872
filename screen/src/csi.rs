//! One control sequence (`ESC [ …`), taken apart.

/// Parameters, intermediates and final character of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Csi<'a> {
    /// One of `<`, `=`, `>` and `?` before the parameters.
    pub prefix: Option<char>,
    parameters: &'a str,
    /// What stands between the parameters and the final character.
    pub intermediates: &'a str,
    /// The final character.
    pub last: char,
}

impl<'a> Csi<'a> {
    /// Takes apart what follows `ESC [`; nothing if no terminal understands it.
    pub fn parse(body: &'a str) -> Option<Self> {
        let last = body.chars().next_back()?;
        let rest = &body[..body.len() - last.len_utf8()];
        let prefix = rest.chars().next().filter(|next| matches!(next, '<'..='?'));
        let rest = &rest[prefix.map_or(0, char::len_utf8)..];
        let end = rest.find(|character| matches!(character, ' '..='/'));
        let (parameters, intermediates) = rest.split_at(end.unwrap_or(rest.len()));
        let is_sound = parameters.chars().all(|next| matches!(next, '0'..=';'))
            && intermediates.chars().all(|next| matches!(next, ' '..='/'));
        is_sound.then_some(Self {
            prefix,
            parameters,
            intermediates,
            last,
        })
    }

    /// Returns all parameters; 0 where nothing is given, 65,535 where more is. What follows a colon is left out.
    pub fn parameters(&self) -> impl Iterator<Item = u16> + 'a {
        self.parameters.split(';').map(|parameter| {
            let number = parameter.split(':').next().unwrap_or_default();
            match number.parse() {
                Ok(number) => number,
                Err(_) if number.is_empty() => 0,
                Err(_) => u16::MAX,
            }
        })
    }

    /// Returns a parameter by its index, 0 if it is not given.
    pub fn parameter(&self, index: usize) -> u16 {
        self.parameters().nth(index).unwrap_or(0)
    }

    /// Returns a parameter that counts something: 1 if it is not given or 0.
    pub fn count(&self, index: usize) -> u16 {
        self.parameter(index).max(1)
    }

    /// Returns what tells one function from another.
    pub fn function(&self) -> (Option<char>, &'a str, char) {
        (self.prefix, self.intermediates, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_taken_apart() {
        let csi = Csi::parse("?1;;99999;4:3$p").unwrap();
        assert_eq!(csi.function(), (Some('?'), "$", 'p'));
        let parameters: Vec<u16> = csi.parameters().collect();
        assert_eq!(parameters, [1, 0, 65_535, 4]);
        assert_eq!(csi.parameter(9), 0);
        assert_eq!(csi.count(1), 1);
    }

    #[test]
    fn bodies_in_disorder_are_none() {
        for body in ["", "1?h", "1 2q", "$1p", "<<m"] {
            assert_eq!(Csi::parse(body), None, "{body:?}");
        }
    }
}
