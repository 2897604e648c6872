//! Characters that only format the text around them.

/// The general category Cf of Unicode 16.0 (`DerivedGeneralCategory.txt`): inclusive ranges, in order.
const FORMAT: [(u32, u32); 21] = [
    (0x00AD, 0x00AD),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0001, 0xE0001),
    (0xE0020, 0xE007F),
];

/// Whether a character is of the category Cf.
pub(super) fn is_format(character: char) -> bool {
    let code = character as u32;
    let after = FORMAT.partition_point(|&(_, last)| last < code);
    FORMAT.get(after).is_some_and(|&(first, _)| first <= code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_category_that_the_regex_crate_knows() {
        let category = regex::Regex::new(r"^\p{Cf}$").unwrap();
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(
                is_format(character),
                category.is_match(&text),
                "{}",
                character.escape_unicode()
            );
        }
    }
}
