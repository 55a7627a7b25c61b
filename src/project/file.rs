//! What one file defines and includes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::compat;
use crate::cpp::coined::{coins, is_by_form, words_by_form};
use crate::cpp::conditions::groups::{groups, not_meant};
use crate::cpp::definitions::{declares, defines};
use crate::cpp::guarding::conditions;
use crate::cpp::lanes::names_size;
use crate::mapping::{ApiTable, Hit, Kind, Support};
use crate::project::textures::TextureNames;
use crate::project::vendors::VendorFacts;
use crate::project::warps::WarpFacts;
use crate::syntax::{
    Directive, DirectiveKind, Document, Include, TokenIndex, TokenKind, Vendor, flags,
    is_only_for_nvidia_device,
};
use crate::text::number::integer;
use crate::text::{RangeSet, TextRange};

/// The header that brings the words of kernels (HIP 6.4).
pub(crate) const RUNTIME_HEADER: &str = "hip/hip_runtime.h";

/// Names and constants that one file defines, and the files it includes.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    /// Names of CUDA that the file defines itself.
    pub(crate) names: FxHashSet<Box<[u8]>>,
    /// Those of the names that are macros.
    pub(crate) macros: FxHashSet<Box<[u8]>>,
    /// Functions of CUDA's names that the file declares; the project's where the tree defines them.
    pub(crate) declared: FxHashSet<Box<[u8]>>,
    /// Names of CUDA's form that no table knows and the file defines or declares.
    pub(crate) coined: FxHashSet<Box<[u8]>>,
    /// Object-like macros and constants whose value is one number.
    pub(crate) constants: FxHashMap<Box<[u8]>, u64>,
    /// The text of other macros and constants that may be an expression of integers; empty where two definitions differ.
    pub(crate) expressions: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// Macros that stand for several arguments: a comma stands in their text, outside brackets.
    pub(crate) lists: FxHashSet<Box<[u8]>>,
    /// Include paths as written.
    pub(crate) includes: Vec<String>,
    /// Those of the includes, by position, that are headers of CUDA with a counterpart on AMD; with `true` in angle brackets.
    pub(crate) covered: FxHashMap<usize, bool>,
    /// Those of the includes that stand inside a namespace, class or function.
    pub(crate) braced: Vec<String>,
    /// Include paths that every build for AMD reads: under no condition but the file's guard and those for HIP.
    pub(crate) sure_includes: Vec<String>,
    /// Conditions, each alone, under which it includes the runtime header or what becomes it.
    pub(crate) runtime_if: BTreeSet<String>,
    /// One of those is the runtime header, or becomes it.
    pub(crate) has_runtime: bool,
    /// The same as a quoted path, which may be that of a file of the tree: `"cuda.h"`.
    pub(crate) quoted_runtime: Vec<String>,
    /// Its texture references.
    pub(crate) textures: TextureNames,
    /// How many of the includes stand in front of the first macro that is called like a function of C++'s library.
    pub(crate) includes_before_macro: Option<usize>,
    /// What its functions do with warps.
    pub(crate) warps: WarpFacts,
    /// Helpers that the file calls by the helper header, which an earlier run put in.
    pub(crate) helpers: BTreeSet<&'static str>,
    /// Size of a file without CUDA.
    pub(crate) plain_bytes: Option<u64>,
    /// Macros without a value that a file without CUDA defines.
    pub(crate) flags: FxHashSet<Box<[u8]>>,
    /// A file without CUDA names HIP.
    pub(crate) names_hip: bool,
    /// What it says of the two vendors.
    pub(crate) vendors: VendorFacts,
}

impl FileIndex {
    /// Collects what a file defines. Definitions and includes that are guarded for one vendor do not count, nor definitions in branches that
    /// were never meant for GPUs of today. `is_off` tells where a comment keeps texture references as they are.
    pub fn new(document: &Document<'_>, table: &ApiTable, is_off: &dyn Fn(u32) -> bool) -> Self {
        let mut index = Self {
            textures: TextureNames::new(document, is_off),
            warps: WarpFacts::new(document),
            helpers: called_helpers(&document.source.bytes),
            vendors: VendorFacts::new(document, table),
            ..Self::default()
        };
        let out = not_meant(document, table);
        index.add_macros(document, table, &out);
        index.add_includes(document, table);
        index.add_sure_includes(document, table);
        for (word, mut places) in document.each_word() {
            let hit = table.get_or_pattern(word);
            for at in places.clone() {
                index.add_definition(document, hit, at, &out);
            }
            if hit.is_none() && is_by_form(word) && places.any(|at| coins(document, at)) {
                index.coined.insert(word.into());
            }
        }
        index
    }

    /// Collects what a file without CUDA brings to its includers: what it includes, and macros that are numbers. Reads directives only,
    /// which is several times as fast as a document; of conditions only the depth is looked at.
    pub fn of_plain(bytes: &[u8]) -> Self {
        let mut index = Self {
            // A file that may speak of HIP is read for the figures.
            plain_bytes: (!may_speak_of_hip(bytes)).then_some(bytes.len() as u64),
            coined: words_by_form(bytes),
            helpers: called_helpers(bytes),
            names_hip: names_hip(bytes),
            ..Self::default()
        };
        let mut depth = Depth::default();
        for at in memchr::memchr_iter(b'#', bytes) {
            let starts_line = bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .all(u8::is_ascii_whitespace);
            if starts_line {
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
                let line = String::from_utf8_lossy(&bytes[at + 1..end]);
                depth.step(line.trim_start());
                index.add_plain_directive(&line, &depth);
            }
        }
        index
    }

    fn add_plain_directive(&mut self, line: &str, depth: &Depth) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("include") {
            let path = rest
                .trim_start()
                .strip_prefix(['"', '<'])
                .and_then(|path| path.split(['"', '>']).next());
            let path = path.map(|path| path.replace('\\', "/"));
            let sure = path.clone().filter(|_| depth.is_sure());
            self.has_runtime |= sure.as_deref() == Some(RUNTIME_HEADER);
            self.sure_includes.extend(sure);
            self.includes.extend(path);
        } else if let Some(rest) = line.strip_prefix("define") {
            if clashes(rest.trim_start().as_bytes()) {
                self.includes_before_macro
                    .get_or_insert(self.includes.len());
            }
            let name = rest
                .trim_start()
                .split(|c: char| !c.is_alphanumeric() && c != '_');
            if let Some(name) = name.into_iter().next()
                && text_has_comma(&rest.trim_start()[name.len()..])
            {
                self.lists.insert(name.as_bytes().into());
            }
            if !rest.trim().contains([' ', '\t', '(']) {
                self.flags.insert(rest.trim().as_bytes().into());
            }
            if let Some((name, text)) = rest.trim_start().split_once([' ', '\t']) {
                let text = text.split("//").next().unwrap_or_default();
                self.add_expression(name.as_bytes(), text.trim().as_bytes());
            }
            let mut words = rest.split_whitespace();
            if let (Some(name), Some(value)) = (words.next(), words.next())
                && let Some(value) = integer(value.trim_matches(['(', ')']).as_bytes())
            {
                let before = self.constants.insert(name.as_bytes().into(), value);
                self.warps.says_64 |= names_size(name.as_bytes())
                    && matches!((before, value), (Some(32), 64) | (Some(64), 32));
            }
        }
    }

    fn add_macros(&mut self, document: &Document<'_>, table: &ApiTable, out: &RangeSet) {
        for directive in document
            .directives
            .iter()
            .filter(|directive| directive.kind == DirectiveKind::Define)
        {
            let mut operands = directive.operands();
            let Some(name) = operands.next() else {
                continue;
            };
            if has_comma(document, operands.clone()) {
                self.lists.insert(document.bytes(name).into());
            }
            let at = directive.range.start;
            let word = document.bytes(name);
            // What AMD's branch defines is there in a build for AMD, whatever CUDA means by it.
            if document.vendor_at(at) == Vendor::Hip && table.get_or_pattern(word).is_some() {
                self.names.insert(word.into());
            }
            if document.vendor_at(at) != Vendor::Any || out.contains(at) {
                continue;
            }
            // A switch of CUDA's headers is theirs, though programs define it.
            let is_switch = word.starts_with(b"__CUDA_NO_");
            if !is_switch
                && table.get_or_pattern(word).is_some()
                && !stands_in(document, table, directive)
            {
                self.names.insert(word.into());
                self.macros.insert(word.into());
            }
            let body = operands.clone();
            let value: Vec<TokenIndex> = operands
                .filter(|&at| !matches!(document.bytes(at), b"(" | b")"))
                .collect();
            if let [value] = value[..]
                && let Some(value) = integer(document.bytes(value))
            {
                self.constants.insert(document.bytes(name).into(), value);
            } else if !body.is_empty() && !has_parameters(document, name) {
                let text = document.range(body.start, body.end - 1);
                self.add_expression(word, document.source.slice(text));
            }
        }
    }

    /// Keeps what may be a constant; what it is worth is worked out when somebody asks.
    fn add_expression(&mut self, name: &[u8], text: &[u8]) {
        // The longest constants of programs are sums of a few products.
        const LONGEST: usize = 200;
        let is_of_one =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_ ()+-*/%<>&|^~!?:='.\t".contains(byte);
        if text.is_empty() || text.len() > LONGEST || !text.iter().all(is_of_one) {
            return;
        }
        let known = self
            .expressions
            .entry(name.into())
            .or_insert_with(|| text.into());
        if **known != *text {
            *known = Box::default();
        }
    }

    fn add_includes(&mut self, document: &Document<'_>, table: &ApiTable) {
        let is_open = |directive: TextRange| document.vendor_at(directive.start) != Vendor::NotHip;
        let open = document.includes.iter();
        let open = open.filter(|include| is_open(include.directive));
        self.includes = open
            .clone()
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
        let braced = open
            .clone()
            .filter(|include| is_in_scope(document, include));
        let text = |include: &Include| document.source.text(include.path).replace('\\', "/");
        self.braced = braced.map(text).collect();
        for (at, include) in open.clone().enumerate() {
            if is_covered(&self.includes[at], table) {
                self.covered.insert(at, include.angled);
            }
        }
        let clashing = first_clashing_macro(document).filter(|macro_| is_open(*macro_));
        self.includes_before_macro = clashing.map(|macro_| {
            let before = open.filter(|include| include.directive.start < macro_.start);
            before.count()
        });
    }

    fn add_sure_includes(&mut self, document: &Document<'_>, table: &ApiTable) {
        let sure = document
            .includes
            .iter()
            .filter(|include| document.is_sure_on_hip(include.directive.start));
        self.sure_includes = sure
            .map(|include| document.source.text(include.path).replace('\\', "/"))
            .collect();
        for include in document.includes.iter() {
            let path = document.source.text(include.path).replace('\\', "/");
            let is_sure = document.is_sure_on_hip(include.directive.start);
            if !is_sure || !brings_runtime(&path, table) {
                continue;
            }
            if include.angled {
                self.has_runtime = true;
            } else {
                self.quoted_runtime.push(path);
            }
        }
        let brings = |include: &&Include| {
            becomes_runtime(&document.source.text(include.path), table)
                && document.vendor_at(include.directive.start) != Vendor::NotHip
        };
        for include in document.includes.iter().filter(brings) {
            if let [condition] = &conditions(document, include.directive.start)[..] {
                self.runtime_if.insert(condition.clone());
            }
        }
    }

    /// `constexpr int TILE = 4 * 32;` and the like.
    fn add_constant(&mut self, document: &Document<'_>, name: TokenIndex, out: &RangeSet) {
        let words = (name.saturating_sub(8)..name).rev();
        let mut words =
            words.take_while(|&at| !matches!(document.bytes(at), b";" | b"{" | b"}" | b"(" | b")"));
        let is_constant = words.any(|at| matches!(document.bytes(at), b"const" | b"constexpr"));
        let start = document.tokens[name].start;
        if !is_constant || document.vendor_at(start) != Vendor::Any || out.contains(start) {
            return;
        }
        let rest = name + 2..(name + 80).min(document.tokens.len());
        let end = rest
            .clone()
            .find(|&at| matches!(document.bytes(at), b";" | b"," | b"{"));
        if let Some(end) = end.filter(|&end| end > rest.start) {
            let text = document.range(rest.start, end - 1);
            self.add_expression(document.bytes(name), document.source.slice(text));
        }
    }

    fn add_definition(
        &mut self,
        document: &Document<'_>,
        hit: Option<Hit<'_>>,
        at: TokenIndex,
        out: &RangeSet,
    ) {
        let word = document.bytes(at);
        let in_directive = document.tokens[at].has(flags::DIRECTIVE);
        let is_assigned = !in_directive && document.is(at + 1, "=");
        if !is_assigned && hit.is_none() || document.is_before(at, "=") && at >= 2 {
            return;
        }
        if is_assigned
            && let Some(value) = document
                .tokens
                .get(at + 2)
                .and_then(|_| integer(document.bytes(at + 2)))
            && (document.is(at + 3, ";") || document.is(at + 3, ","))
        {
            self.constants.insert(word.into(), value);
        }
        if is_assigned && !self.constants.contains_key(word) {
            self.add_constant(document, at, out);
        }
        let Some(hit) = hit else {
            return;
        };
        let is_for_everybody = document.vendor_at(document.tokens[at].start) == Vendor::Any;
        if hit.entry.kind == Kind::Function && is_for_everybody && is_prototype(document, at) {
            self.declared.insert(word.into());
        }
        let is_own = match hit.entry.kind {
            // `namespace cub = hipcub;` in AMD's branch is what the name means there.
            Kind::Namespace => {
                document.is_before(at, "namespace") && document.is(at + 1, "=") && !is_for_everybody
            }
            // No parameter is called like an enumerator.
            Kind::Enumerator if document.is(at + 1, ")") || document.is(at + 1, ",") => false,
            // A pattern knows no single name: whatever is declared here is the project's, also `Scope nvtx_scope(label)`.
            Kind::Pattern => declares(document, at) || defines(document, at),
            _ => !in_directive && defines(document, at),
        };
        if is_own
            && document.vendor_at(document.tokens[at].start) != Vendor::NotHip
            && !is_only_for_nvidia_device(document, document.tokens[at].start)
            && !out.contains(document.tokens[at].start)
        {
            self.names.insert(word.into());
        }
    }
}

/// Whether an include stands in braces that are not those of `extern "C"`.
fn is_in_scope(document: &Document<'_>, include: &Include) -> bool {
    let mut open = document.braces_around(include.token);
    open.any(|open| open == 0 || document.tokens[open - 1].kind != TokenKind::Str)
}

/// `cudaError_t cudaCheckAll(int);` outside of directives.
fn is_prototype(document: &Document<'_>, at: TokenIndex) -> bool {
    let close = document.next(at).and_then(|open| document.partner(open));
    !document.tokens[at].has(flags::DIRECTIVE)
        && close.is_some_and(|close| document.next_is(close, ";"))
        && declares(document, at)
}

/// Whether bytes hold a name or header of HIP: `hipMalloc`, `hip/hip_runtime.h`.
fn names_hip(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, "hip").any(|at| {
        let rest = &bytes[at + 3..];
        let is_name = rest.first().is_some_and(u8::is_ascii_uppercase);
        let joins = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        !joins && (is_name || rest.starts_with(b"/hip"))
    })
}

/// The helpers that a file which includes the helper header names.
fn called_helpers(bytes: &[u8]) -> BTreeSet<&'static str> {
    if memchr::memmem::find(bytes, compat::HEADER_NAME.as_bytes()).is_none() {
        return BTreeSet::new();
    }
    let word = |at: usize| {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let end = at + bytes[at..].iter().take_while(is_part).count();
        std::str::from_utf8(&bytes[at..end]).ok()
    };
    memchr::memmem::find_iter(bytes, "cass_")
        .filter_map(word)
        .filter_map(compat::find)
        .map(|helper| helper.name)
        .collect()
}

/// Whether a macro takes arguments.
fn has_parameters(document: &Document<'_>, name: TokenIndex) -> bool {
    let end = document.tokens[name].end();
    let next = document.tokens.get(name + 1);
    next.is_some_and(|next| next.start == end) && document.is(name + 1, "(")
}

/// Whether a macro stands in for a function that CUDA's header declares in another branch, as `nvtxRangePop` where a build does without
/// NVTX: both get AMD's name. One that only says another name is a shim.
fn stands_in(document: &Document<'_>, table: &ApiTable, definition: &Directive) -> bool {
    let name = definition.operands().start;
    let body = definition.operands().skip(1);
    let is_alias = body.clone().count() == 1 && body.clone().all(|at| document.is_ident(at));
    let hit = table.get(document.bytes(name)).filter(|_| !is_alias);
    let at = document.tokens[name].start;
    let groups = groups(document);
    let brings_cuda = |range: TextRange| {
        document.includes.iter().any(|include| {
            range.contains(include.directive)
                && table.header(document.source.slice(include.path)).is_some()
        })
    };
    hit.is_some_and(|hit| hit.entry.kind == Kind::Function && hit.entry.hip.is_some())
        && groups
            .around(document, at)
            .next()
            .is_some_and(|(group, _)| {
                let mut others = group.branches.iter().map(|branch| branch.body);
                others.any(|body| !body.contains_offset(at) && brings_cuda(body))
            })
}

/// How many conditions are open, and whether the first of them opens the file, as its guard does.
#[derive(Default)]
struct Depth {
    open: usize,
    guards: usize,
    is_started: bool,
}

impl Depth {
    fn step(&mut self, directive: &str) {
        if directive.starts_with("if") {
            let is_guard = !self.is_started && directive.starts_with("ifndef");
            self.guards = usize::from(is_guard).max(self.guards);
            self.open += 1;
        } else if directive.starts_with("endif") {
            self.open = self.open.saturating_sub(1);
        }
        self.is_started = true;
    }

    fn is_sure(&self) -> bool {
        self.open <= self.guards
    }
}

/// Whether a file may have names of HIP.
pub(crate) fn may_speak_of_hip(bytes: &[u8]) -> bool {
    // Not all of ROCm's libraries are called hip: MIOpen and RCCL are not.
    const SIGNS: &[&[u8]] = &[b"hip", b"miopen", b"rccl"];
    SIGNS
        .iter()
        .any(|sign| memchr::memmem::find(bytes, sign).is_some())
}

/// Whether an include path is that of a header of CUDA that ROCm has a full counterpart of.
pub(crate) fn is_covered(path: &str, table: &ApiTable) -> bool {
    let hit = table.header(path.as_bytes());
    hit.is_some_and(|hit| hit.entry.hip.is_some() && hit.entry.support == Support::Full)
}

/// Whether an include is that of the runtime header, or becomes it.
pub(crate) fn becomes_runtime(path: &str, table: &ApiTable) -> bool {
    let hit = table.header(path.as_bytes());
    hit.and_then(|hit| hit.entry.hip).unwrap_or(path) == RUNTIME_HEADER
}

/// Whether an include brings the runtime header, or will: as itself or by a header of a library that includes it (ROCm 6.4; the
/// headers of hipBLAS, hipFFT and hipSPARSE bring the host's part alone).
pub(crate) fn brings_runtime(path: &str, table: &ApiTable) -> bool {
    const LIBRARIES: &[&str] = &[
        "hipcub/", "rocprim/", "thrust/", "hiprand/", "rocrand/", "rccl/",
    ];
    let hit = table.header(path.as_bytes());
    let becomes = hit.and_then(|hit| hit.entry.hip).unwrap_or(path);
    becomes == RUNTIME_HEADER || LIBRARIES.iter().any(|folder| becomes.starts_with(folder))
}

/// The directive that first defines a macro called like a function of C++'s library.
pub(crate) fn first_clashing_macro(document: &Document<'_>) -> Option<TextRange> {
    let mut defines = document.directives.iter();
    let found = defines.find(|directive| {
        let is_define = directive.kind == DirectiveKind::Define;
        let name = directive.operands().next().filter(|_| is_define);
        name.is_some_and(|name| {
            let start = document.tokens[name].start as usize;
            clashes(&document.source.bytes[start..])
        })
    });
    found.map(|directive| directive.range)
}

/// The name that a directive defines, if it is one of a parameter in HIP's headers.
pub(crate) fn parameter_macro(
    document: &Document<'_>,
    directive: &Directive,
) -> Option<TokenIndex> {
    let name = directive.operands().next()?;
    let is_parameter =
        directive.kind == DirectiveKind::Define && PARAMETERS.contains(&document.bytes(name));
    is_parameter.then_some(name)
}

/// Whether the text behind `#define` makes a macro of a function that the C++ headers behind HIP's runtime header have.
fn clashes(definition: &[u8]) -> bool {
    const FUNCTIONS: [&[u8]; 3] = [b"max(", b"min(", b"swap("];
    let word = definition
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let word = &definition[..word.count()];
    FUNCTIONS.iter().any(|name| definition.starts_with(name)) || PARAMETERS.contains(&word)
}

/// Names of parameters in `hip/hip_runtime.h` 6.4: macros called so stop its compilation for gfx90a, each tried with clang 19.
pub(crate) const PARAMETERS: &[&[u8]] = &[
    b"T", b"U", b"F", b"V", b"size", b"rank", b"width", b"x", b"y", b"z",
];

/// Whether a comma stands outside brackets in what follows a macro's name, which may be its parameters.
fn has_comma(document: &Document<'_>, mut tokens: std::ops::Range<TokenIndex>) -> bool {
    while let Some(at) = tokens.next() {
        if document.is(at, ",") {
            return true;
        }
        if let Some(close) = document.partner(at).filter(|&close| close > at) {
            tokens.start = close + 1;
        }
    }
    false
}

/// The same for text that is not read as tokens.
fn text_has_comma(text: &str) -> bool {
    let (mut depth, mut quote) = (0i32, None);
    for byte in text.bytes() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, b',') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}
