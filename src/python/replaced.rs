//! Words of a source that Python puts others in the place of: `source.replace("TYPE", "float")`.

use super::{Literal, Strings};

/// What the calls of a file that put text into text look for, as far as it is one word.
pub(crate) fn replaced(strings: &Strings<'_>) -> Vec<String> {
    let file = strings.file();
    let calls = ["replace", "sub"].map(|name| strings.calls(name));
    let sought = |call: &_| {
        let node = file.argument(*call, 0, "pattern")?;
        Some(Literal::new(file, node)?.text)
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = |text: &String| !text.is_empty() && text.chars().all(is_part);
    let mut words: Vec<String> = calls
        .into_iter()
        .flatten()
        .filter_map(sought)
        .filter(is_word)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::PyFile;

    #[test]
    fn words_that_are_replaced_are_found() {
        let text = b"code = code.replace('cuReal', kind)\nre.sub(r'CUDA_N', n, code)\nx.replace(', ', y)\nx.replace(a, b)\n";
        let file = PyFile::new(text);
        assert_eq!(replaced(&Strings::new(&file)), ["CUDA_N", "cuReal"]);
    }
}
