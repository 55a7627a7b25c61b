/// A place for people: line and column, both counted from 1; the column counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineCol {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
}

/// The offsets at which lines start; built once per file and only when a person will read a position.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes `bytes`; a line ends with `\n` (so `\r\n` counts once).
    pub fn new(bytes: &[u8]) -> Self {
        let starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1))
            .collect();
        Self { starts }
    }

    /// Line and column of a byte offset.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let line = self.starts.partition_point(|&start| start <= offset);
        LineCol {
            line: line as u32,
            column: offset - self.starts[line - 1] + 1,
        }
    }

    /// Offset at which a 1-based line starts; `None` past the end.
    pub(crate) fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get(line.checked_sub(1)? as usize).copied()
    }

    /// Number of lines; a file that ends with a newline has an empty last line.
    pub(crate) fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one_and_crlf_is_one_line_end() {
        let index = LineIndex::new(b"ab\r\nc\n");
        assert_eq!(index.line_col(0), LineCol { line: 1, column: 1 });
        assert_eq!(index.line_col(4), LineCol { line: 2, column: 1 });
        assert_eq!(index.line_col(6), LineCol { line: 3, column: 1 });
        assert_eq!(index.line_start(2), Some(4));
        assert_eq!(index.line_start(4), None);
    }
}
