//! Errors in one line.

use std::error::Error;

/// An error with all its causes, each said once: a message that quotes its cause has said it.
pub fn in_full(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Outer {
        #[error("cannot read `x`")]
        Silent(#[source] std::io::Error),
        #[error("cannot read `x`: {0}; make it readable")]
        Telling(#[source] std::io::Error),
    }

    #[test]
    fn each_cause_is_said_once() {
        let cause = || std::io::Error::other("no such thing");
        assert_eq!(
            in_full(&Outer::Silent(cause())),
            "cannot read `x`: no such thing"
        );
        assert_eq!(
            in_full(&Outer::Telling(cause())),
            "cannot read `x`: no such thing; make it readable"
        );
    }
}
