//! Matching brackets, kept for brackets alone: three tokens of four are none.

use super::{Directive, DirectiveKind, Token, TokenIndex, TokenKind};

/// The other bracket of each pair.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// For 64 tokens each: which of them are brackets, and how many brackets come before them.
    words: Vec<(u64, u32)>,
    /// By bracket.
    brackets: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Brackets {
    /// Matches brackets. Each branch of an `#if` starts with the brackets that were open before it; directives are matched on their
    /// own.
    pub(super) fn new(source: &[u8], tokens: &[Token], directives: &[Directive]) -> Self {
        use DirectiveKind::{Elif, Else, Endif, If, Ifdef, Ifndef};
        let mut matcher = Matcher {
            source,
            tokens,
            found: Self {
                words: vec![(0, 0); tokens.len().div_ceil(64)],
                brackets: Vec::new(),
            },
        };
        let (mut stack, mut saved, mut at) = (Vec::new(), Vec::<Vec<Open>>::new(), 0);
        for directive in directives {
            matcher.walk(at..directive.tokens.start, &mut stack);
            matcher.walk(directive.tokens.clone(), &mut Vec::new());
            at = directive.tokens.end;
            match directive.kind {
                If | Ifdef | Ifndef => saved.push(stack.clone()),
                Elif | Else => stack.clone_from(saved.last().unwrap_or(&Vec::new())),
                Endif => drop(saved.pop()),
                _ => {}
            }
        }
        matcher.walk(at..tokens.len(), &mut stack);
        matcher.found.counted()
    }

    /// The other bracket of the pair of `index`, if it is one and has one.
    pub(super) fn get(&self, index: TokenIndex) -> Option<TokenIndex> {
        let (bits, before) = *self.words.get(index / 64)?;
        let bit = 1 << (index % 64);
        if bits & bit == 0 {
            return None;
        }
        let rank = before + (bits & (bit - 1)).count_ones();
        let other = self.brackets[rank as usize];
        (other != NONE).then_some(other as TokenIndex)
    }

    /// All brackets, in order.
    pub(super) fn brackets(&self) -> impl Iterator<Item = TokenIndex> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(word, &(bits, _))| {
            let rest = |bits: &u64| Some(bits & bits.wrapping_sub(1));
            let bits = std::iter::successors(Some(bits), rest).take_while(|bits| *bits != 0);
            bits.map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    fn counted(mut self) -> Self {
        let mut count = 0;
        for (bits, before) in &mut self.words {
            *before = count;
            count += bits.count_ones();
        }
        self
    }
}

/// An opener whose closer has not come yet.
#[derive(Clone, Copy)]
struct Open {
    byte: u8,
    token: u32,
    /// Its place among the brackets.
    rank: u32,
}

struct Matcher<'d> {
    source: &'d [u8],
    tokens: &'d [Token],
    found: Brackets,
}

impl Matcher<'_> {
    /// Matches the brackets of a range; ranges come in order and leave no token out.
    fn walk(&mut self, range: std::ops::Range<TokenIndex>, stack: &mut Vec<Open>) {
        let first = range.start;
        for (at, token) in self.tokens[range].iter().enumerate() {
            if token.kind != TokenKind::Punct {
                continue;
            }
            let byte = self.source[token.start as usize];
            if matches!(byte, b'(' | b'[' | b'{' | b')' | b']' | b'}') {
                self.bracket(first + at, byte, stack);
            }
        }
    }

    fn bracket(&mut self, index: TokenIndex, byte: u8, stack: &mut Vec<Open>) {
        let Brackets { words, brackets } = &mut self.found;
        words[index / 64].0 |= 1 << (index % 64);
        let (token, rank) = (index as u32, brackets.len() as u32);
        brackets.push(NONE);
        let opener = match byte {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => return stack.push(Open { byte, token, rank }),
        };
        // A stray closer (half a statement in another #if branch) is passed over rather than emptying the stack.
        if let Some(depth) = stack.iter().rposition(|open| open.byte == opener) {
            let open = stack[depth];
            stack.truncate(depth);
            brackets[open.rank as usize] = token;
            brackets[rank as usize] = open.token;
        }
    }
}
