//! A thousand sessions at random: not a byte lost or doubled, and nothing left behind.

mod stress {
    mod leftovers;
    mod random;
    mod sessions;
}
