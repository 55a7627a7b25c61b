use std::ops::Index;

/// The lines of a text, line ends included. Lines end with `\n` alone: `patch` does not take a lone carriage return for the end of one.
pub(super) struct Lines<'b> {
    bytes: &'b [u8],
    starts: Vec<u32>,
}

impl<'b> Lines<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let behind = memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1);
        let mut starts: Vec<u32> = std::iter::once(0).chain(behind).collect();
        // Behind the last line end there is no line more.
        starts.pop_if(|start| *start as usize == bytes.len());
        Self { bytes, starts }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line that a byte is in; behind the last line end, that of a line which would come.
    pub(super) fn line_at(&self, offset: u32) -> usize {
        if offset as usize == self.bytes.len() && self.starts_line(offset) {
            return self.count();
        }
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Whether a line starts at an offset, or would.
    pub(super) fn starts_line(&self, offset: u32) -> bool {
        offset == 0 || self.bytes[offset as usize - 1] == b'\n'
    }

    pub(super) fn get(&self, line: usize) -> &'b [u8] {
        let end = self.starts.get(line + 1);
        &self.bytes[self.starts[line] as usize..end.map_or(self.bytes.len(), |end| *end as usize)]
    }
}

impl Index<usize> for Lines<'_> {
    type Output = [u8];

    fn index(&self, line: usize) -> &[u8] {
        self.get(line)
    }
}
