//! A source file in UTF-16 or UTF-32, or one that is no text.
//!
//! ## Why on AMD
//! nvcc gives a source to the host's compiler, and Visual C++ reads UTF-16. AMD's compiler is clang, which reads UTF-8 only: "source
//! file appears to be encoded as UTF-16 … but only UTF-8 is supported", and of UTF-32 likewise. A file with a byte of zero in it is something
//! else under the name of a source: an object, an archive, a download that broke off. The file is copied as it is and not translated.
//!
//! ## Example
//! ```cuda
//! #include <cuda_runtime.h>  // saved by Visual Studio as "Unicode"
//! ```
//! Write it as UTF-8 with `iconv -f UTF-16 -t UTF-8 a.cu > b.cu` or from the editor, and run again.
//!
//! ## When to ignore
//! When no build for AMD compiles the file.
//!
//! ## Source
//! `ContentCache::getBufferOrNone` of clang's `SourceManager.cpp`, which refuses byte order marks of other encodings than UTF-8.

use crate::rules::prelude::*;
use crate::text::{SourceFile, from_utf16, from_wide};

/// Reports files in UTF-16 or UTF-32 with CUDA in them, and those that are no text. There are no tokens in them.
pub static RULE: Rule = Rule {
    code: "CASS130",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Event(check)],
};

fn check(event: &Event<'_>) -> Option<Finding> {
    let Event::WideText(source) = event else {
        return None;
    };
    let encoding = match from_utf16(&source.bytes) {
        Some(_) => "UTF-16",
        None if from_wide(&source.bytes).is_some() => "UTF-32",
        None => return Some(of_no_text(source)),
    };
    let first = TextRange::new(0, 2.min(source.bytes.len() as u32));
    let message =
        format!("the file is {encoding}, which clang does not read: it is not translated");
    Some(RULE.finding(first, message).help(format!(
        "save it as UTF-8, from the editor or with `iconv -f {encoding} -t UTF-8`, and run again"
    )))
}

fn of_no_text(source: &SourceFile) -> Finding {
    let zero = memchr::memchr(0, &source.bytes).unwrap_or_default() as u32;
    let message = "the file holds a byte of zero, so that it is no text: it is not translated";
    let range = TextRange::new(zero, zero + 1);
    let help = "give it another name where it is no source; else remove the byte, and run again";
    RULE.finding(range, message).help(help)
}
