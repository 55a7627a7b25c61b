//! A source file in UTF-16 or UTF-32.
//!
//! ## Why on AMD
//! nvcc gives a source to the host's compiler, and Visual C++ reads UTF-16. AMD's compiler is clang, which reads UTF-8 only: "source
//! file appears to be encoded as UTF-16 … but only UTF-8 is supported", and of UTF-32 likewise. The file is copied as it is and not
//! translated.
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
use crate::text::from_utf16;

/// Reports files in UTF-16 or UTF-32 with CUDA in them. There are no tokens in them.
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
        None => "UTF-32",
    };
    let first = TextRange::new(0, 2.min(source.bytes.len() as u32));
    let message =
        format!("the file is {encoding}, which clang does not read: it is not translated");
    Some(RULE.finding(first, message).help(format!(
        "save it as UTF-8, from the editor or with `iconv -f {encoding} -t UTF-8`, and run again"
    )))
}
