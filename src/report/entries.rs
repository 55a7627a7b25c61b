//! Lists that are written entry by entry. As a tree of JSON values 100,000 findings took 1.7 GB of memory, for 127 MB of SARIF.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

/// A list that makes each of its entries when it is written, and forgets it.
pub(super) struct Entries<F>(pub(super) F);

impl<F, I> Serialize for Entries<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Writes indented JSON with a newline at its end.
///
/// # Errors
/// Those of `out`: what is written has only string keys.
pub(super) fn write_pretty(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    struct Counting<'c>(&'c RefCell<Vec<u8>>);

    impl Write for Counting<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_entry_is_written_before_the_next_is_made() {
        let (written, made) = (RefCell::new(Vec::new()), Cell::new(0));
        let list = Entries(|| {
            (1..=4).inspect(|&number: &i32| {
                let text = String::from_utf8_lossy(&written.borrow()).into_owned();
                assert_eq!(text.lines().count(), number as usize, "{text}");
                made.set(number);
            })
        });
        write_pretty(&list, &mut Counting(&written)).expect("memory takes every byte");
        assert_eq!(made.get(), 4);
        assert_eq!(written.into_inner(), b"[\n  1,\n  2,\n  3,\n  4\n]\n");
    }

    #[test]
    fn an_empty_list_is_written_as_such() {
        let mut out = Vec::new();
        write_pretty(&Entries(std::iter::empty::<u8>), &mut out).expect("memory takes it");
        assert_eq!(out, b"[]\n");
    }
}
