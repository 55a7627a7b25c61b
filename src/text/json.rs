//! JSON read with the places of its parts, so that one string can be replaced and every other byte stays.

use super::TextRange;

/// A reader of JSON that knows where it is; every function gives `None` where the text is none.
pub struct Json<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Json<'b> {
    /// A reader at the first byte.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// All bytes.
    pub fn bytes(&self) -> &'b [u8] {
        self.bytes
    }

    /// The next byte that is no white space.
    pub fn peek(&mut self) -> Option<u8> {
        let rest = &self.bytes[self.at..];
        self.at += rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The bytes between the quotes of a string.
    pub fn string(&mut self) -> Option<TextRange> {
        self.take(b'"')?;
        let start = self.at;
        loop {
            self.at += memchr::memchr2(b'"', b'\\', &self.bytes[self.at..])?;
            match self.bytes[self.at] {
                b'"' => break,
                _ => self.at = (self.at + 2).min(self.bytes.len()),
            }
        }
        self.at += 1;
        Some(TextRange::new(start as u32, self.at as u32 - 1))
    }

    /// Calls `each` for each member of an object, in front of its value.
    pub(crate) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, &str) -> Option<()>,
    ) -> Option<()> {
        self.take(b'{')?;
        while self.peek()? != b'}' {
            let key = self.string()?;
            self.take(b':')?;
            let key = String::from_utf8_lossy(&self.bytes[key.as_usize()]).into_owned();
            each(self, &key)?;
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.take(b'}')
    }

    /// Calls `each` in front of each item of an array.
    pub fn items(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        while self.peek()? != b']' {
            each(self)?;
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.take(b']')
    }

    /// Passes over a value of any kind, however deep.
    pub fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => drop(self.string()?),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                _ => {
                    let is_word = |byte: &&u8| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+')
                    };
                    let len = self.bytes[self.at..].iter().take_while(is_word).count();
                    self.at += (len > 0).then_some(len)?;
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}
