//! The table of operations by LLVM's mnemonic without its encoding suffix.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::device::wave::inst::{Run, Ty};

/// How the operands of an operation are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Results, then sources.
    Plain,
    /// The same; the result is the last source as well.
    Accumulate,
    /// The result may be missing (`v_cmpx` of gfx10 and later).
    Compare,
    /// None that matter.
    Bare,
    /// A word in the encoding says how far to jump.
    Branch,
    /// The operation reads its text itself.
    Text,
    /// `data, address, base`.
    Load,
    /// `address, data, base`.
    Store,
    /// `[old,] address, data, base`.
    Atomic,
    /// `data, address, descriptor, offset`.
    Buffer,
    /// `data, addresses, resource[, sampler]`.
    Image,
    /// LDS: `result, address, data…`.
    LdsResult,
    /// LDS: `address, data…`.
    Lds,
    /// `result, base, offset`.
    ScalarLoad,
}

/// What the table says of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Def {
    /// For any host.
    pub(crate) plain: Run,
    /// For hosts with the extensions of [`extensions`].
    pub(crate) fast: Run,
    /// How operands are written.
    pub(crate) form: Form,
    /// Operands that are written: 0 to 2.
    pub(crate) results: u8,
    /// Types of results and sources.
    pub(crate) types: &'static [Ty],
    /// See [`crate::device::wave::inst::Inst::param`].
    pub(crate) param: u32,
    /// See [`crate::device::wave::inst::Inst::keep_high`]; of gfx9 only, where others clear the upper half.
    pub(crate) keep_high: bool,
    /// Packed: `op_sel` and `neg` are of halves.
    pub(crate) packed: bool,
    /// `clamp` makes whole numbers saturate; others refuse it.
    pub(crate) saturates: bool,
}

impl Def {
    /// The form of it that this host runs.
    pub(crate) fn run(&self) -> Run {
        if extensions() { self.fast } else { self.plain }
    }
}

/// Whether the host has what the fast forms are compiled for.
#[cfg(target_arch = "x86_64")]
fn extensions() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    })
}

/// Whether the host has what the fast forms are compiled for.
#[cfg(not(target_arch = "x86_64"))]
fn extensions() -> bool {
    false
}

/// All operations.
pub(crate) struct Table(HashMap<String, Def>);

impl Table {
    /// Adds an operation under names that `|` separates.
    pub(crate) fn add(&mut self, names: &str, def: Def) {
        for name in names.split('|') {
            let before = self.0.insert(name.to_string(), def);
            debug_assert!(before.is_none(), "{name} stands twice in the table");
        }
    }

    /// The operation of a mnemonic, with its encoding suffix or without, or of a half of a dual issue.
    pub(crate) fn find(&self, mnemonic: &str) -> Option<&Def> {
        const SUFFIXES: [&str; 7] = [
            "_e64_dpp8",
            "_e64_dpp",
            "_e32",
            "_e64",
            "_dpp8",
            "_dpp",
            "_sdwa",
        ];
        if let Some(operation) = mnemonic.strip_prefix("v_dual_") {
            return self.0.get(&format!("v_{operation}"));
        }
        self.0.get(mnemonic).or_else(|| {
            SUFFIXES
                .iter()
                .find_map(|suffix| self.0.get(mnemonic.strip_suffix(suffix)?))
        })
    }
}

/// The table, made once.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table(HashMap::new());
        for fill in super::FILL {
            fill(&mut table);
        }
        table
    })
}

/// An operation in both forms.
pub(crate) fn def(runs: [Run; 2], form: Form, results: u8, types: &'static [Ty]) -> Def {
    Def {
        plain: runs[0],
        fast: runs[1],
        form,
        results,
        types,
        param: 0,
        keep_high: false,
        packed: false,
        saturates: false,
    }
}

/// Both forms of a function: for any host, and for hosts with wider vectors.
macro_rules! both {
    ($body:path) => {{
        fn plain(
            wave: &mut $crate::device::wave::Wave<'_>,
            inst: &$crate::device::wave::inst::Inst,
        ) {
            $body(wave, inst)
        }
        #[cfg_attr(
            target_arch = "x86_64",
            target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")
        )]
        fn fast(
            wave: &mut $crate::device::wave::Wave<'_>,
            inst: &$crate::device::wave::inst::Inst,
        ) {
            $body(wave, inst)
        }
        [
            plain as $crate::device::wave::inst::Run,
            fast as $crate::device::wave::inst::Run,
        ]
    }};
}

/// A function that gains nothing from wider vectors, in both forms.
macro_rules! same {
    ($body:path) => {
        [
            $body as $crate::device::wave::inst::Run,
            $body as $crate::device::wave::inst::Run,
        ]
    };
}

/// A vector operation with one source: `v1!(table, "name|name", Result = Source, |a| …)`.
macro_rules! v1 {
    ($t:expr, $names:expr, $r:ident = $a:ident, |$x:ident| $e:expr) => {{
        #[inline(always)]
        fn body(
            wave: &mut $crate::device::wave::Wave<'_>,
            inst: &$crate::device::wave::inst::Inst,
        ) {
            $crate::device::lanes::map1::<$r, $a>(wave, inst, |$x| $e)
        }
        $t.add($names, def(both!(body), Form::Plain, 1, &[$r::TY, $a::TY]));
    }};
}

/// A vector operation with two sources.
macro_rules! v2 {
    ($t:expr, $names:expr, $r:ident = $a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {
        v2!(@ $t, $names, false, $r = $a, $b, |$x, $y| $e)
    };
    (keep $t:expr, $names:expr, $r:ident = $a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {
        v2!(@ $t, $names, true, $r = $a, $b, |$x, $y| $e)
    };
    (@ $t:expr, $names:expr, $keep:expr, $r:ident = $a:ident, $b:ident, |$x:ident, $y:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut $crate::device::wave::Wave<'_>, inst: &$crate::device::wave::inst::Inst) {
            $crate::device::lanes::map2::<$r, $a, $b>(wave, inst, |$x, $y| $e)
        }
        $t.add($names, Def { keep_high: $keep, ..def(both!(body), Form::Plain, 1, &[$r::TY, $a::TY, $b::TY]) });
    }};
}

/// A vector operation with three sources; `keep` where gfx9 leaves the upper half of the result, `accumulate` where the result is the
/// third source.
macro_rules! v3 {
    ($t:expr, $names:expr, $r:ident = $a:ident, $b:ident, $c:ident, |$x:ident, $y:ident, $z:ident| $e:expr) => {
        v3!(@ $t, $names, Form::Plain, false, $r = $a, $b, $c, |$x, $y, $z| $e)
    };
    (keep $t:expr, $names:expr, $r:ident = $a:ident, $b:ident, $c:ident, |$x:ident, $y:ident, $z:ident| $e:expr) => {
        v3!(@ $t, $names, Form::Plain, true, $r = $a, $b, $c, |$x, $y, $z| $e)
    };
    (accumulate $t:expr, $names:expr, $r:ident = $a:ident, $b:ident, $c:ident, |$x:ident, $y:ident, $z:ident| $e:expr) => {
        v3!(@ $t, $names, Form::Accumulate, false, $r = $a, $b, $c, |$x, $y, $z| $e)
    };
    (@ $t:expr, $names:expr, $form:expr, $keep:expr, $r:ident = $a:ident, $b:ident, $c:ident, |$x:ident, $y:ident, $z:ident| $e:expr) => {{
        #[inline(always)]
        fn body(wave: &mut $crate::device::wave::Wave<'_>, inst: &$crate::device::wave::inst::Inst) {
            $crate::device::lanes::map3::<$r, $a, $b, $c>(wave, inst, |$x, $y, $z| $e)
        }
        let def = def(both!(body), $form, 1, &[$r::TY, $a::TY, $b::TY, $c::TY]);
        $t.add($names, Def { keep_high: $keep, ..def });
    }};
}

/// A scalar operation that is a function of the wave and the instruction: `scalar!(table, "name", results, types, |wave, inst| …)`.
macro_rules! scalar {
    ($t:expr, $names:expr, $results:expr, $types:expr, |$w:ident, $i:ident| $e:expr) => {{
        fn body($w: &mut $crate::device::wave::Wave<'_>, $i: &$crate::device::wave::inst::Inst) {
            $e
        }
        $t.add($names, def(same!(body), Form::Plain, $results, $types));
    }};
}

/// A scalar operation with one source of 32 bits.
macro_rules! s1 {
    ($t:expr, $names:expr, |$w:ident, $a:ident| $e:expr) => {
        scalar!($t, $names, 1, &[Ty::I32, Ty::I32], |wave, inst| {
            let ($a, $w) = (wave.scalar(inst.src[0]), &mut *wave);
            let _ = &$w;
            let result: u32 = $e;
            wave.set_scalar(inst.dst, result);
        })
    };
}

/// A scalar operation with one source of 64 bits and a result of 64.
macro_rules! s1_64 {
    ($t:expr, $names:expr, |$w:ident, $a:ident| $e:expr) => {
        scalar!($t, $names, 1, &[Ty::I64, Ty::I64], |wave, inst| {
            let ($a, $w) = (wave.scalar64(inst.src[0]), &mut *wave);
            let _ = &$w;
            let result: u64 = $e;
            wave.set_scalar64(inst.dst, result);
        })
    };
}

/// A scalar operation with one source of 64 bits and a result of 32.
macro_rules! s1_narrow {
    ($t:expr, $names:expr, |$w:ident, $a:ident| $e:expr) => {
        scalar!($t, $names, 1, &[Ty::I32, Ty::I64], |wave, inst| {
            let ($a, $w) = (wave.scalar64(inst.src[0]), &mut *wave);
            let _ = &$w;
            let result: u32 = $e;
            wave.set_scalar(inst.dst, result);
        })
    };
}

/// A scalar operation with two sources of 32 bits.
macro_rules! s2 {
    ($t:expr, $names:expr, |$w:ident, $a:ident, $b:ident| $e:expr) => {
        scalar!($t, $names, 1, &[Ty::I32, Ty::I32, Ty::I32], |wave, inst| {
            let ($a, $b, $w) = (
                wave.scalar(inst.src[0]),
                wave.scalar(inst.src[1]),
                &mut *wave,
            );
            let _ = &$w;
            let result: u32 = $e;
            wave.set_scalar(inst.dst, result);
        })
    };
}

/// A scalar operation with a source of 64 bits, one of `$second`, and a result of 64.
macro_rules! s2_64 {
    ($t:expr, $names:expr, $second:ident, |$w:ident, $a:ident, $b:ident| $e:expr) => {
        scalar!(
            $t,
            $names,
            1,
            &[Ty::I64, Ty::I64, Ty::$second],
            |wave, inst| {
                let ($a, $b, $w) = (
                    wave.scalar64(inst.src[0]),
                    wave.scalar64(inst.src[1]),
                    &mut *wave,
                );
                let _ = &$w;
                let result: u64 = $e;
                wave.set_scalar64(inst.dst, result);
            }
        )
    };
}
