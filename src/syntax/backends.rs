//! Macros by whose value a project chooses a backend: `#if (BACKEND == 1)` around calls of CUDA, `#elif (BACKEND == 2)` around the same
//! calls of HIP. Their names say nothing of vendors, what stands in the branches does.

use rustc_hash::FxHashMap;

use super::{Directive, DirectiveKind, Token, TokenKind};

/// Macros with a value, and whether that is the backend of AMD or the one of NVIDIA.
#[derive(Debug, Default)]
pub(super) struct Backends<'s>(FxHashMap<(&'s [u8], &'s [u8]), bool>);

/// A branch: what its condition asks, and its tokens.
struct Branch<'s> {
    asked: Option<(&'s [u8], &'s [u8])>,
    tokens: std::ops::Range<usize>,
}

/// Tokens of a branch that are looked at: what is for a vendor says so early, and branches nest.
const MOST: usize = 2_000;

impl<'s> Backends<'s> {
    pub(super) fn new(source: &'s [u8], tokens: &[Token], directives: &[Directive]) -> Self {
        let mut found = Self::default();
        let mut open: Vec<Vec<Branch<'s>>> = Vec::new();
        for directive in directives {
            let opens = matches!(
                directive.kind,
                DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef
            );
            let goes_on = matches!(directive.kind, DirectiveKind::Elif | DirectiveKind::Else);
            if opens {
                open.push(Vec::new());
            }
            let Some(group) = open
                .last_mut()
                .filter(|_| opens || goes_on || directive.kind == DirectiveKind::Endif)
            else {
                continue;
            };
            if let Some(last) = group.last_mut().filter(|_| !opens) {
                last.tokens.end = directive.tokens.start;
            }
            if opens || goes_on {
                let from = directive.tokens.end;
                group.push(Branch {
                    asked: asked(source, tokens, directive),
                    tokens: from..from,
                });
            } else if let Some(group) = open.pop() {
                found.learn(source, tokens, &group);
            }
        }
        found
    }

    /// Takes what a group shows: a branch that is HIP's alone beside one that is CUDA's alone, by values of one macro.
    fn learn(&mut self, source: &'s [u8], tokens: &[Token], group: &[Branch<'s>]) {
        let asking = group.iter().filter_map(|it| Some((it.asked?, it)));
        let asking: Vec<_> = asking.collect();
        let Some(((name, _), _)) = asking.first().filter(|_| asking.len() > 1) else {
            return;
        };
        let of_name = asking.iter().filter(|((it, _), _)| it == name);
        let sides =
            of_name.filter_map(|(asked, branch)| Some((*asked, side(source, tokens, branch)?)));
        let sides: Vec<_> = sides.collect();
        let has = |amd: bool| sides.iter().any(|(_, side)| *side == amd);
        if has(true) && has(false) {
            self.0.extend(sides);
        }
    }

    /// Whether a condition asks for the backend of AMD (`true`) or of NVIDIA (`false`).
    pub(super) fn of(&self, texts: &[&[u8]]) -> Option<bool> {
        let asked = comparison(texts).filter(|_| !self.0.is_empty())?;
        self.0.get(&asked).copied()
    }
}

fn asked<'s>(
    source: &'s [u8],
    tokens: &[Token],
    directive: &Directive,
) -> Option<(&'s [u8], &'s [u8])> {
    let is_condition = matches!(directive.kind, DirectiveKind::If | DirectiveKind::Elif);
    // `(NAME == 1)`
    if !is_condition || directive.operands().len() > 5 {
        return None;
    }
    let texts: Vec<&[u8]> = directive
        .operands()
        .map(|at| &source[tokens[at].range().as_usize()])
        .collect();
    comparison(&texts)
}

/// `NAME == 1`, in brackets or not.
fn comparison<'s>(texts: &[&'s [u8]]) -> Option<(&'s [u8], &'s [u8])> {
    match *texts {
        [name, b"==", value] | [b"(", name, b"==", value, b")"] => Some((name, value)),
        _ => None,
    }
}

/// Whose calls a branch has, where it has those of one vendor alone.
fn side(source: &[u8], tokens: &[Token], branch: &Branch<'_>) -> Option<bool> {
    let (mut hip, mut cuda) = (false, false);
    let range = branch.tokens.start..branch.tokens.end.min(branch.tokens.start + MOST);
    for token in tokens.get(range)? {
        let word = &source[token.range().as_usize()];
        let goes_on = |at: usize| word.get(at).is_some_and(u8::is_ascii_uppercase);
        match token.kind {
            TokenKind::Ident => {
                hip |= word.starts_with(b"hiprtc") || word.starts_with(b"hip") && goes_on(3);
                cuda |= word.starts_with(b"nvrtc")
                    || word.starts_with(b"cuda") && goes_on(4)
                    || word.starts_with(b"cu") && goes_on(2);
            }
            _ => {
                hip |= word.starts_with(b"<hip/");
                cuda |= word.starts_with(b"<cuda");
            }
        }
    }
    (hip != cuda).then_some(hip)
}
