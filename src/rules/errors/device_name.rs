//! A string that is compared with the name of an NVIDIA product.
//!
//! ## Why on AMD
//! `prop.name` of an AMD GPU reads "AMD Instinct MI250X" or the like; a search for "Tesla" or "NVIDIA" never succeeds and whatever
//! hangs on it is skipped in silence. The architecture is in `prop.gcnArchName`, as `gfx90a:sramecc+:xnack-`.
//!
//! ## Example
//! ```cuda
//! if (strstr(prop.name, "Tesla")) block = 256;
//! ```
//! might become
//! ```hip
//! if (strncmp(prop.gcnArchName, "gfx90a", 6) == 0) block = 256;
//! ```
//!
//! ## When to ignore
//! When the text is about something else than the device.
//!
//! ## Source
//! HIP runtime API, `hipDeviceProp_t`.

use crate::rules::prelude::*;

/// Reports searches and comparisons.
pub static RULE: Rule = Rule {
    code: "CASS604",
    severity: Severity::Warning,
    fix: None,
    priority: 50,
    facts: &[],
    checks: &[Check::Idents(
        &[
            "strstr",
            "strcmp",
            "strncmp",
            "strcasecmp",
            "find",
            "compare",
            "starts_with",
            "rfind",
        ],
        check,
    )],
};

const PRODUCTS: &[&str] = &[
    "NVIDIA", "Tesla", "GeForce", "Quadro", "TITAN", "RTX", "GTX", "A100", "V100", "H100", "P100",
    "K80",
];

fn check(index: TokenIndex, cx: &mut Context<'_, '_>) {
    let Some(call) = cx.doc.call(index) else {
        return;
    };
    let literal = (call.open..call.close).find(|&index| {
        cx.doc.tokens[index].kind == TokenKind::Str
            && PRODUCTS
                .iter()
                .any(|product| cx.text(index).trim_matches('"').starts_with(product))
    });
    if let Some(literal) = literal {
        let message = format!("no AMD GPU has a name with {}", cx.text(literal));
        let finding = RULE
            .finding(cx.range(literal), message)
            .help("decide by `gcnArchName` (compare its beginning, as `gfx90a`) or by the property that the code needs");
        cx.report(finding);
    }
}
