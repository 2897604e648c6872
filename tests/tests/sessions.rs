//! Commands in the background, seen from outside: what they print, what is sent to them, how they end, and what is told of it.

mod sessions {
    mod ceilings;
    mod ends;
    mod errors;
    mod input;
    mod judged;
    mod notices;
    mod picoclaw;
    mod place;
    mod reads;
    mod record;
    mod stream;
    mod terminal;
    mod waits;
}
