//! From a command line to options with their arguments, as nvcc reads it: response files, `--name value`, `-name=value`, `-O3`.

use crate::mapping::BuildTable;
use crate::text::expanded;

/// One word of the command line, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// An option of nvcc's, by its long name.
    Option {
        /// The long name.
        name: String,
        /// As it was written, without its argument.
        spelling: String,
        /// Its argument; empty where it takes none, unless one stood behind a `=`.
        value: String,
    },
    /// An option that nvcc does not have.
    Unknown(String),
    /// A file.
    File(String),
}

/// Reads a command line.
///
/// # Errors
/// When a response file cannot be read or an argument is missing; the message says which.
pub(super) fn words(arguments: Vec<String>) -> Result<Vec<Word>, String> {
    let mut rest = expanded(arguments, &of_file)?.into_iter().peekable();
    let mut found = Vec::new();
    while let Some(argument) = rest.next() {
        let Some((name, value, takes)) = option(&argument) else {
            let is_option = argument.starts_with('-') && argument.len() > 1;
            found.push(match is_option {
                true => Word::Unknown(argument),
                false => Word::File(argument),
            });
            continue;
        };
        let spelling = argument.split('=').next().unwrap_or_default().to_owned();
        let value = match value {
            Some(value) => value,
            // `-Werror` without kinds is other compilers'; the next word is an option of its own.
            None if takes
                && name == "Werror"
                && rest.peek().is_none_or(|next| next.starts_with('-')) =>
            {
                String::new()
            }
            None if takes => rest
                .next()
                .ok_or_else(|| format!("argument expected after '{argument}'"))?,
            None => String::new(),
        };
        found.push(Word::Option {
            name,
            spelling,
            value,
        });
    }
    Ok(found)
}

/// The long name of an option, the argument that is written into it, and whether it takes one.
fn option(argument: &str) -> Option<(String, Option<String>, bool)> {
    let table = BuildTable::builtin();
    let body = argument.strip_prefix('-')?;
    let is_long = body.starts_with('-');
    let body = body.strip_prefix('-').unwrap_or(body);
    let (key, value) = body
        .split_once('=')
        .map_or((body, None), |(key, value)| (key, Some(value.to_owned())));
    if let Some((name, option)) = table.nvcc(key).filter(|_| !key.is_empty()) {
        return Some((name.to_owned(), value, option.takes));
    }
    if is_long {
        return None;
    }
    let attached = |(short, long): (&str, &str)| {
        let value = body.strip_prefix(short)?;
        let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
        let is_level = is_number || matches!(value, "s" | "z" | "fast" | "g");
        let fits = match long {
            "threads" | "machine" => is_number,
            "optimize" => is_level,
            "x" => matches!(value, "cu" | "c" | "c++"),
            _ => true,
        };
        (fits && !value.is_empty()).then(|| (long.to_owned(), Some(value.to_owned()), true))
    };
    // `-isystem/usr/include` before `-i…`: the longest name counts.
    let mut shorts: Vec<(&str, &str)> = table.nvcc_attached().collect();
    shorts.sort_by_key(|(short, _)| std::cmp::Reverse(short.len()));
    shorts.into_iter().find_map(attached)
}

/// The text of an options file.
fn of_file(file: &str) -> Result<String, String> {
    let bytes = std::fs::read(file)
        .map_err(|error| format!("cannot read options file '{file}': {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The items of a list as nvcc takes it: commas part them, quotes and backslashes hold them together and go.
pub(super) fn list(value: &str, parts_at_blanks: bool) -> Vec<String> {
    let (mut items, mut item, mut quote) = (Vec::new(), String::new(), None);
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => item.extend(characters.next()),
            (character, Some(open)) if character == open => quote = None,
            ('"' | '\'', None) => quote = Some(character),
            (',', None) => items.push(std::mem::take(&mut item)),
            (character, None) if parts_at_blanks && character.is_whitespace() => {
                items.push(std::mem::take(&mut item));
            }
            (character, _) => item.push(character),
        }
    }
    items.push(item);
    items.retain(|item| !item.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<Word> {
        words(line.split(' ').map(str::to_owned).collect()).unwrap()
    }

    fn option(name: &str, spelling: &str, value: &str) -> Word {
        Word::Option {
            name: name.into(),
            spelling: spelling.into(),
            value: value.into(),
        }
    }

    #[test]
    fn one_dash_or_two_and_every_way_of_giving_an_argument() {
        assert_eq!(
            read(
                "-O3 --std c++17 -gencode=arch=compute_80,code=sm_80 -Iinc -DX=1 -lcublas -t8 main.cu -o x"
            ),
            [
                option("optimize", "-O3", "3"),
                option("std", "--std", "c++17"),
                option("generate-code", "-gencode", "arch=compute_80,code=sm_80"),
                option("include-path", "-Iinc", "inc"),
                option("define-macro", "-DX", "X=1"),
                option("library", "-lcublas", "cublas"),
                option("threads", "-t8", "8"),
                Word::File("main.cu".into()),
                option("output-file", "-o", "x"),
            ]
        );
    }

    #[test]
    fn options_of_other_compilers_are_told_apart() {
        assert_eq!(
            read("-Wall -fPIC -Ofast -march=native -Werror -c"),
            [
                Word::Unknown("-Wall".into()),
                Word::Unknown("-fPIC".into()),
                option("optimize", "-Ofast", "fast"),
                Word::Unknown("-march=native".into()),
                option("Werror", "-Werror", ""),
                option("compile", "-c", ""),
            ]
        );
        assert!(words(vec!["-o".into()]).is_err());
    }

    #[test]
    fn lists_and_response_files_keep_what_quotes_hold() {
        assert_eq!(
            list("-Wall,\"-DA=1,2\" -g", true),
            ["-Wall", "-DA=1,2", "-g"]
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r");
        std::fs::write(&file, "-O2 --options-file NAME").unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("NAME", &file.to_string_lossy())).unwrap();
        let endless = words(vec![format!("@{}", file.display())]);
        assert!(endless.is_err_and(|message| message.contains("without end")));
    }
}
