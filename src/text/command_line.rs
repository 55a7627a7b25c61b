//! Command lines as text: in response files, in compilation databases.

/// Response files that may name each other.
const DEEPEST: usize = 16;

/// The words of a command line: blanks and line ends part them, quotes hold them together, a backslash takes the next byte as it is.
pub(crate) fn split_command(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', quote) if quote != Some('\'') => {
                let next = characters.next();
                if !matches!(next, Some('\n') | None) {
                    word.get_or_insert_default().extend(next);
                }
            }
            (character, Some(open)) if character == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (character, None) if character.is_whitespace() => words.extend(word.take()),
            (character, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The arguments with those of response files in place: `@file`, `--options-file file,file`, `-optf=file`. `read` gives the text of a
/// file; where `@file` cannot be read the word stays.
///
/// # Errors
/// When a file cannot be read that an option names, and when files name each other without end; the message says which.
pub(crate) fn expanded(
    arguments: Vec<String>,
    read: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    expanded_to(arguments, read, 0)
}

fn expanded_to(
    arguments: Vec<String>,
    read: &dyn Fn(&str) -> Result<String, String>,
    depth: usize,
) -> Result<Vec<String>, String> {
    if depth > DEEPEST {
        return Err("options files name each other without end".to_owned());
    }
    let mut all = Vec::new();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let bare = argument.trim_start_matches('-');
        let named = ["options-file", "optf"]
            .into_iter()
            .find_map(|name| bare.strip_prefix(name))
            .filter(|_| argument.starts_with('-'));
        let files = match named {
            Some("") => rest
                .next()
                .ok_or_else(|| format!("argument expected after '{argument}'"))?,
            Some(value) if value.starts_with('=') => value[1..].to_owned(),
            _ => {
                match argument.strip_prefix('@').map(read) {
                    Some(Ok(text)) => {
                        all.extend(expanded_to(split_command(&text), read, depth + 1)?);
                    }
                    _ => all.push(argument),
                }
                continue;
            }
        };
        for file in files.split(',').filter(|file| !file.is_empty()) {
            let words = split_command(&read(file)?);
            all.extend(expanded_to(words, read, depth + 1)?);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_hold_words_together() {
        let words = split_command("cc -D'A B' -D\"C=\\\"x\\\"\" a\\ b.c\\\n \t-O2 ''");
        assert_eq!(words, ["cc", "-DA B", "-DC=\"x\"", "a b.c", "-O2", ""]);
    }

    #[test]
    fn response_files_stand_for_their_words() {
        let read = |file: &str| match file {
            "a.rsp" => Ok("-I/x @b.rsp".to_owned()),
            "b.rsp" => Ok("-DB".to_owned()),
            "c.rsp" => Ok("@c.rsp".to_owned()),
            _ => Err(format!("no {file}")),
        };
        let of = |line: &str| expanded(split_command(line), &read);
        let words = of("--options-file a.rsp,b.rsp -optf=b.rsp @gone").unwrap();
        assert_eq!(words, ["-I/x", "-DB", "-DB", "-DB", "@gone"]);
        assert!(of("--options-file gone").is_err() && of("@c.rsp").is_err());
    }
}
