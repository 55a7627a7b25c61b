//! The standards of C++ as options and build files name them.

/// The year of a standard by its number or the name of its draft, two digits: 14 of `14` and `1y`; 98 of C++98 counts as 3, as C++03 does, so
/// that older standards are less. `None` of what is no number of a standard.
pub(crate) fn year(number: &str) -> Option<u8> {
    match number {
        "98" | "03" => Some(3),
        "11" | "0x" => Some(11),
        "14" | "1y" => Some(14),
        "17" | "1z" => Some(17),
        "20" | "2a" => Some(20),
        "23" | "2b" => Some(23),
        _ => None,
    }
}

/// The dialect that an option names, `c++` or `gnu++`, and the year of its standard: `gnu++` and 11 of `gnu++0x`.
pub(crate) fn dialect(name: &str) -> Option<(&'static str, u8)> {
    let of = |dialect: &'static str| Some((dialect, year(name.strip_prefix(dialect)?)?));
    ["c++", "gnu++"].into_iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_are_told_by_their_names() {
        for (name, expected) in [
            ("c++98", Some(("c++", 3))),
            ("gnu++0x", Some(("gnu++", 11))),
            ("c++17", Some(("c++", 17))),
            ("c++", None),
            ("c11", None),
            ("c++%", None),
        ] {
            assert_eq!(dialect(name), expected, "{name}");
        }
    }
}
