//! What one file shows of support for AMD that is there already: names that it maps, macros by which it chooses.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::mapping::ApiTable;
use crate::project::macro_names::is_about_cuda;
use crate::project::open_names::{OpenName, is_foreign, names_of_hip, open_names};
use crate::syntax::{
    Directive, DirectiveKind, Document, Include, TokenIndex, Vendor, VendorMacros, is_hip_macro,
};

/// For whom a macro is defined; the bits of [`VendorFacts::defined`].
pub(super) const FOR_ANY: u8 = 1;
pub(super) const FOR_AMD: u8 = 2;
pub(super) const FOR_NVIDIA: u8 = 4;

/// What one file says of the two vendors.
#[derive(Clone, Debug, Default)]
pub(crate) struct VendorFacts {
    /// Names of CUDA that the file gives a meaning in a build for AMD, by macros.
    pub(crate) covers: FxHashSet<Box<[u8]>>,
    /// How many macros are one name of HIP under a name of CUDA.
    pub(crate) aliases: usize,
    /// Names of the project's own for both vendors, by the name of CUDA that each stands for: `#define gpuFree cudaFree` in one branch,
    /// `#define gpuFree hipFree` in the other.
    pub(crate) layer: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// A macro puts the prefix of either vendor in front of names: `cuda##name` in one branch, `hip##name` in the other.
    pub(crate) pastes: bool,
    /// Macros of a build for AMD by which it chooses.
    pub(crate) switches: BTreeSet<String>,
    /// Names or headers of HIP in code that AMD compiles.
    pub(crate) has_hip: bool,
    /// The same in code for AMD alone.
    pub(crate) has_branches: bool,
    /// Macros about CUDA that stand beside one about HIP: either builds what they hold.
    pub(crate) apart: FxHashSet<Box<[u8]>>,
    /// Macros about CUDA that hold code for AMD: both builds define them.
    pub(crate) around: FxHashSet<Box<[u8]>>,
    /// All macros about CUDA by which it chooses.
    pub(crate) asked: FxHashSet<Box<[u8]>>,
    /// Macros with parameters that are called after HIP: `CHECK_HIP(statement)`, beside one that is called after CUDA.
    pub(crate) calls: BTreeSet<String>,
    /// By object-like macro, for whom it is defined.
    pub(crate) defined: FxHashMap<Box<[u8]>, u8>,
    /// Names of CUDA in code for both vendors.
    pub(crate) open: Vec<OpenName>,
    /// How many names of HIP stand in code that AMD compiles.
    pub(crate) served: usize,
    /// Whether it hands texts to NVRTC or hiprtc.
    pub(crate) compiles_at_run_time: bool,
}

/// Whether a file hands texts to a compiler when the program runs; a port does so by hiprtc, and its texts are HIP as the rest is.
pub(super) fn compiles_at_run_time(document: &Document<'_>) -> bool {
    // The last is a helper of ours, which hands the text to hiprtc.
    const COMPILERS: [&[u8]; 3] = [b"nvrtc", b"hiprtc", b"cass_cuModuleLoadData"];
    document.has_word(|word| COMPILERS.iter().any(|start| word.starts_with(start)))
}

impl VendorFacts {
    /// Reads them out of a file.
    pub(crate) fn new(document: &Document<'_>, table: &ApiTable) -> Self {
        let mut facts = Self {
            switches: switches(document),
            has_hip: has_hip(document, table, |vendor| vendor != Vendor::NotHip),
            has_branches: has_hip(document, table, |vendor| vendor == Vendor::Hip),
            open: open_names(document, table),
            served: names_of_hip(document, table),
            compiles_at_run_time: compiles_at_run_time(document),
            ..Self::default()
        };
        for (name, define) in document.macros() {
            facts.add_define(document, table, name, define);
        }
        facts.add_conditions(document);
        facts.add_layer(document, table);
        facts.add_pasting(document);
        facts
    }

    /// Whether the file is one that maps CUDA's names to HIP's: three are no accident.
    pub(super) fn is_mapping(&self) -> bool {
        self.aliases >= 3
    }

    /// Whether it has names for both vendors; a few aliases are a help for one file, ten, or all of a prefix, are what a project is
    /// written in.
    pub(super) fn is_layer(&self) -> bool {
        self.layer.len() >= 10 || self.pastes
    }

    /// Looks for names that either branch defines as one name of its vendor.
    fn add_layer(&mut self, document: &Document<'_>, table: &ApiTable) {
        let defines = || {
            let macros = document.macros();
            macros.filter(|(_, define)| define.operands().len() == 2)
        };
        let mut of_hip = FxHashSet::default();
        for (at, define) in defines() {
            let is_hips = table.is_target(document.bytes(at + 1));
            if is_hips && document.vendor_at(define.range.start) == Vendor::Hip {
                of_hip.insert(document.bytes(at));
            }
        }
        for (at, define) in defines().filter(|_| !of_hip.is_empty()) {
            let (name, word) = (document.bytes(at), document.bytes(at + 1));
            let is_cudas = document.vendor_at(define.range.start) == Vendor::NotHip;
            if is_cudas && of_hip.contains(name) && is_foreign(table, word) {
                self.layer.insert(word.into(), name.into());
            }
        }
    }

    /// Looks for a macro with a parameter that one branch pastes to HIP's prefix and another to CUDA's.
    fn add_pasting(&mut self, document: &Document<'_>) {
        let mut pasted = [FxHashSet::default(), FxHashSet::default()];
        for (prefix, names) in ["hip", "cuda"].iter().zip(&mut pasted) {
            let places = document.all(prefix);
            let pasting = places.filter(|&at| document.next_is(at, "##"));
            for at in pasting {
                let directive = document.directive_of(at).map(|it| &document.directives[it]);
                let Some((define, name)) = directive.and_then(|it| Some((it, it.defined_macro()?)))
                else {
                    continue;
                };
                let is_hip = document.vendor_at(define.range.start) == Vendor::Hip;
                if is_hip == (*prefix == "hip") {
                    names.insert(document.bytes(name));
                }
            }
        }
        let [hip, cuda] = pasted;
        self.pastes = !hip.is_disjoint(&cuda);
    }

    fn add_define(
        &mut self,
        document: &Document<'_>,
        table: &ApiTable,
        name: TokenIndex,
        define: &Directive,
    ) {
        let operands = name + 1..define.tokens.end;
        let vendor = vendor_of_define(document, name, define);
        let has_parameters = document.is(name + 1, "(")
            && document.tokens[name].end() == document.tokens[name + 1].start;
        let word = document.bytes(name);
        if !has_parameters {
            *self.defined.entry(word.into()).or_default() |= match vendor {
                Vendor::Any => FOR_ANY,
                Vendor::Hip => FOR_AMD,
                Vendor::NotHip => FOR_NVIDIA,
            };
        } else if is_hip_macro(word) {
            let word = String::from_utf8_lossy(word).into_owned();
            self.calls.insert(word);
        }
        if vendor == Vendor::NotHip || table.get_or_pattern(word).is_none() {
            return;
        }
        let is_hips = operands.len() == 1 && table.is_target(document.bytes(operands.start));
        self.aliases += usize::from(is_hips && word != document.bytes(operands.start));
        if is_hips || vendor == Vendor::Hip {
            self.covers.insert(word.into());
        }
    }

    /// Goes through the conditions with those around them.
    fn add_conditions(&mut self, document: &Document<'_>) {
        let tree = &document.branches;
        let branches = tree.branches();
        let conditions: Vec<Condition<'_>> = branches
            .iter()
            .map(|branch| Condition::new(document, &document.directives[branch.directive]))
            .collect();
        for &group in tree.whole_groups() {
            let of_group = tree.group(group).branches.iter();
            self.add_group(&of_group.map(|&it| &conditions[it]).collect::<Vec<_>>());
        }
        for (branch, condition) in branches.iter().zip(&conditions) {
            if condition.names_hip {
                let around = std::iter::successors(branch.parent, |&it| branches[it].parent);
                let holders = around.map(|it| &conditions[it]).filter(|it| !it.names_hip);
                let names = holders.flat_map(|it| &it.cuda);
                self.around.extend(names.map(|name| Box::from(*name)));
            }
        }
    }

    fn add_group(&mut self, group: &[&Condition<'_>]) {
        let asked = group.iter().flat_map(|condition| &condition.cuda);
        self.asked.extend(asked.map(|name| Box::from(*name)));
        if group.iter().any(|condition| condition.chooses_hip) {
            let cuda = group.iter().flat_map(|condition| &condition.cuda);
            self.apart.extend(cuda.map(|name| Box::from(*name)));
        }
    }
}

/// For whom a macro is defined. `#ifndef X` in front of `#define X` only lets others define it before.
fn vendor_of_define(document: &Document<'_>, name: TokenIndex, define: &Directive) -> Vendor {
    let at = document
        .directives
        .partition_point(|it| it.range.start < define.range.start);
    let before = at.checked_sub(1).map(|it| &document.directives[it]);
    let asks = |before: &&Directive| {
        let mut operands = before.operands();
        let is_same = |at: TokenIndex| document.bytes(at) == document.bytes(name);
        before.kind.is_negative() && operands.next().is_some_and(is_same)
    };
    let outer = before.filter(asks).unwrap_or(define);
    document.vendor_at(outer.range.start)
}

/// One condition, as far as it is about vendors.
struct Condition<'s> {
    names_hip: bool,
    /// It holds where a macro of HIP is defined.
    chooses_hip: bool,
    /// Macros about CUDA that it asks for.
    cuda: Vec<&'s [u8]>,
}

impl<'s> Condition<'s> {
    fn new(document: &Document<'s>, directive: &Directive) -> Self {
        let is_negated = |at: TokenIndex| {
            let before = at.saturating_sub(3)..at;
            directive.kind.is_negative() || before.clone().any(|it| document.is(it, "!"))
        };
        let names: Vec<TokenIndex> = match directive.kind {
            DirectiveKind::Else => Vec::new(),
            _ => directive
                .operands()
                .filter(|&at| document.is_ident(at))
                .collect(),
        };
        let positive = |at: &&TokenIndex| !is_negated(**at);
        let is_hip = |at: &&TokenIndex| is_hip_macro(document.bytes(**at));
        let cuda = names
            .iter()
            .filter(positive)
            .filter(|at| is_about_cuda(document.bytes(**at)));
        Self {
            names_hip: names.iter().any(|at| is_hip(&at)),
            chooses_hip: names.iter().filter(positive).any(|at| is_hip(&at)),
            cuda: cuda.map(|&at| document.bytes(at)).collect(),
        }
    }
}

/// The macros of a build for AMD by which the file chooses its code, whatever they are called; not those that hipcc, HIP's headers or
/// this tool define.
pub(crate) fn switches(document: &Document<'_>) -> BTreeSet<String> {
    const DEFINED: &[&str] = &[
        "__HIP",
        "__AMD",
        "__HCC",
        "HIP_VERSION",
        "HIPCC",
        "ROCM_VERSION",
        "HIPBLAS_V2",
        "HIP_INCLUDE_",
    ];
    let is_switch = |name: &[u8]| {
        is_hip_macro(name)
            && !DEFINED
                .iter()
                .any(|start| name.starts_with(start.as_bytes()))
    };
    let name = |at: TokenIndex| {
        document
            .source
            .text(document.tokens[at].range())
            .into_owned()
    };
    let defined: BTreeSet<String> = document.macros().map(|(at, _)| name(at)).collect();
    let directives = document.directives.iter();
    directives
        .filter(|directive| directive.kind.is_condition())
        .flat_map(|directive| directive.operands())
        .filter(|&at| is_switch(document.bytes(at)))
        .map(name)
        .filter(|name| !defined.contains(name))
        .collect()
}

/// The macro that HIP's headers set, where a condition asks for it alone and no header in front has `brought` it: hipcc passes none, so that
/// the build has to (`hipBin_amd.h` of ROCm 6.0; CMake's `hip::host` does).
pub(crate) fn platform_switch(
    document: &Document<'_>,
    brought: impl Fn(&Include) -> bool,
) -> Option<&'static str> {
    let is_platform = |at: &TokenIndex| document.bytes(*at).starts_with(b"__HIP_PLATFORM_");
    let asks = |directive: &&Directive| {
        let operands = || directive.operands().filter(|&at| document.is_ident(at));
        directive.kind.is_condition()
            && operands().any(|at| {
                document.is(at, "__HIP_PLATFORM_AMD__") || document.is(at, "__HIP_PLATFORM_HCC__")
            })
            && !operands().any(|at| is_hip_macro(document.bytes(at)) && !is_platform(&at))
    };
    let first = document.directives.iter().find(asks)?;
    let start = first.range.start;
    let mut before = document
        .includes
        .iter()
        .take_while(|it| it.directive.start < start);
    let is_read = |it: &Include| document.vendor_at(it.directive.start) != Vendor::NotHip;
    let is_set = document.macros().any(|(at, _)| is_platform(&at));
    (!is_set && !before.any(|it| is_read(it) && brought(it))).then_some("__HIP_PLATFORM_AMD__")
}

/// Whether a name or a header of HIP stands in code for somebody.
fn has_hip(document: &Document<'_>, table: &ApiTable, counts: impl Fn(Vendor) -> bool) -> bool {
    let is_meant = |at: u32| counts(document.vendor_at(at));
    let mut includes = document.includes.iter();
    includes.any(|include| {
        is_meant(include.directive.start) && table.is_target(document.source.slice(include.path))
    }) || document
        .all_that(|word| table.is_target(word))
        .into_iter()
        .any(|at| is_meant(document.tokens[at].start))
}

/// What the macros of a tree are defined for, where all files that define one agree.
pub(super) fn derived<'f>(defined: impl Iterator<Item = (&'f [u8], u8)>) -> VendorMacros {
    let mut all = FxHashMap::<&[u8], u8>::default();
    for (name, whom) in defined {
        *all.entry(name).or_default() |= whom;
    }
    let of = |wanted: u8| {
        let names = all.iter().filter(|(_, whom)| **whom == wanted);
        names.map(|(name, _)| Box::from(*name)).collect()
    };
    VendorMacros {
        nvidia: of(FOR_NVIDIA),
        amd: of(FOR_AMD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn facts(text: &str) -> VendorFacts {
        let source = SourceFile::new("a.h", text.as_bytes().to_vec());
        VendorFacts::new(&Document::new(&source), &ApiTable::builtin())
    }

    #[test]
    fn a_file_tells_for_whom_its_code_is() {
        for (text, has_hip, has_branches, aliases) in [
            ("int a = hipFree(0);", true, false, 0),
            ("#ifdef USE_HIP\nint a = hipFree(0);\n#endif", true, true, 0),
            (
                "#ifndef USE_HIP\nint a = hipFree(0);\n#endif",
                false,
                false,
                0,
            ),
            (
                "#define cudaFree hipFree\n#define cudaMalloc hipMalloc",
                true,
                false,
                2,
            ),
            ("#define cudaFree(p) free(p)", false, false, 0),
            ("int a = cudaFree(0);", false, false, 0),
        ] {
            let facts = facts(text);
            let found = (facts.has_hip, facts.has_branches, facts.aliases);
            assert_eq!(found, (has_hip, has_branches, aliases), "{text}");
        }
    }

    #[test]
    fn switches_are_the_macros_that_a_build_defines() {
        for (text, expected) in [
            ("#ifdef USE_HIP\n#endif", "USE_HIP"),
            ("#if defined(__HIPCC__) || HIP_VERSION > 5\n#endif", ""),
            ("#define USE_ROCM 1\n#ifdef USE_ROCM\n#endif", ""),
            (
                "#if defined(A_HIP) && defined(B_ROCM)\n#endif",
                "A_HIP B_ROCM",
            ),
        ] {
            let found: Vec<String> = facts(text).switches.into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn macros_of_one_vendor_are_those_that_all_agree_on() {
        let defined: [(&[u8], u8); 4] = [
            (b"A", FOR_NVIDIA),
            (b"A", FOR_NVIDIA),
            (b"B", FOR_NVIDIA),
            (b"B", FOR_ANY),
        ];
        let macros = derived(defined.into_iter());
        assert!(macros.nvidia.contains(&b"A"[..]) && !macros.nvidia.contains(&b"B"[..]));
    }
}
