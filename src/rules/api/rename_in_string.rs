//! A name of CUDA in a string literal.
//!
//! ## Why on AMD
//! Messages such as `"cudaMalloc failed"` name a function that the program no longer calls. They mean nothing to the compiler, so
//! they stay as they are unless `--strings` asks for them.
//!
//! ## Example
//! ```cuda
//! if (cudaMalloc(&p, n) != cudaSuccess) perror("cudaMalloc failed");
//! ```
//! becomes with `--strings`
//! ```hip
//! if (hipMalloc(&p, n) != hipSuccess) perror("hipMalloc failed");
//! ```
//!
//! ## When to ignore
//! When the text is compared with something outside of the program, such as a log or the name of a symbol.
//!
//! ## Source
//! The tables in `mappings/`.

use crate::rules::prelude::*;

/// Renames whole words in string literals.
pub static RULE: Rule = Rule {
    code: "CASS013",
    severity: Severity::Info,
    fix: Some(Applicability::Safe),
    priority: 60,
    facts: &[Fact::DoneByTorch],
    checks: &[Check::Source(check)],
};

fn check(cx: &mut Context<'_, '_>) {
    if !cx.options().strings {
        return;
    }
    for index in 0..cx.doc.tokens.len() {
        let is_text = matches!(
            cx.doc.tokens[index].kind,
            TokenKind::Str | TokenKind::RawStr
        );
        let in_include = cx.doc.includes.iter().any(|include| include.token == index);
        if is_text && !in_include {
            words(cx, cx.range(index));
        }
    }
}

/// Renames the words of one literal that the tables know under a name of their own.
fn words(cx: &mut Context<'_, '_>, literal: TextRange) {
    let bytes = cx.doc.source.slice(literal);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|&&b| is_word(b)).count();
        if len > 0 {
            let start = literal.start + at as u32;
            word(cx, TextRange::new(start, start + len as u32));
        }
        // The letter of an escape is no part of the word behind it: `"\tcudaMalloc"`.
        let escape = usize::from(len == 0 && bytes[at] == b'\\');
        at += len.max(1) + escape;
    }
}

fn word(cx: &mut Context<'_, '_>, range: TextRange) {
    let name = cx.doc.source.slice(range);
    let Some(hit) = cx.table().get(name).filter(|hit| !hit.entry.context) else {
        return;
    };
    let options = cx.options();
    let Some(target) = hit.entry.target(&options.choices, options.rocm, None) else {
        return;
    };
    if hit.entry.kind == Kind::Namespace || cx.is_own(name) || target.name.as_bytes() == name {
        return;
    }
    let message = format!(
        "`{}` in a string literal becomes `{}`",
        hit.entry.cuda, target.name
    );
    let fix = Fix::safe(vec![Edit::replace(range, target.name)]);
    cx.report(RULE.finding(range, message).fix(fix));
}
