//! Warp functions in code that is guarded for AMD: rules leave such code alone, and a build for AMD compiles it.

use crate::diagnostic::Finding;
use crate::engine::amd_branches::is_for_amd;
use crate::engine::session::FileSession;
use crate::mapping::Version;
use crate::project::standing::Standing;
use crate::project::visible::OwnNames;
use crate::rules::{Event, notice};
use crate::syntax::{Document, TokenIndex};

/// What says to ROCm before 7.0 that the functions with a mask are wanted.
const SWITCH: &str = "HIP_ENABLE_WARP_SYNC_BUILTINS";

/// The functions that it switches on.
#[rustfmt::skip]
const SWITCHED: &[&str] = &[
    "__activemask", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync",
    "__match_any_sync", "__match_all_sync",
];

/// The shuffles whose last argument is a width.
const SHUFFLES: &[&str] = &["__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"];

/// One finding for each function, at its first place.
pub(super) fn findings(
    document: &Document<'_>,
    session: &FileSession<'_>,
    own: &OwnNames<'_>,
) -> Vec<Finding> {
    if session.options.reverse {
        return Vec::new();
    }
    let is_open = |name: &&str| !own.contains(name.as_bytes());
    let mut found = Vec::new();
    if !is_switched_on(document, session) {
        let names = SWITCHED.iter().copied().filter(is_open);
        let is_called = |at: TokenIndex| document.next_is(at, "(");
        found.extend(names.filter_map(|name| first_for_amd(document, name, false, is_called)));
    }
    if has_shuffle_for_amd(document) && counts_in_32_lanes(document) {
        let names = SHUFFLES.iter().copied().filter(is_open);
        let has_no_width = |at: TokenIndex| {
            let call = document.call(at);
            call.is_some_and(|call| call.arguments.len() == 2)
        };
        found.extend(names.filter_map(|name| first_for_amd(document, name, true, has_no_width)));
    }
    found.sort_by_key(|finding| finding.range.start);
    found
}

/// Whether ROCm has the functions with a mask, by its release or by the switch in the source or its command.
fn is_switched_on(document: &Document<'_>, session: &FileSession<'_>) -> bool {
    let path = &document.source.path;
    document.source.mentions(SWITCH)
        || matches!(session.project.standing(path), Standing::Compiled(macros) if macros.get(SWITCH).is_some())
        || session.options.rocm >= Version::new(7, 0)
}

fn has_shuffle_for_amd(document: &Document<'_>) -> bool {
    let mut names = SHUFFLES.iter();
    names.any(|name| first_for_amd(document, name, true, |_| true).is_some())
}

/// What is said of the first place for AMD with a name that fits; `is_there` says that the release has the function.
fn first_for_amd(
    document: &Document<'_>,
    name: &'static str,
    is_there: bool,
    fits: impl Fn(TokenIndex) -> bool,
) -> Option<Finding> {
    let mut places = document.all(name);
    let at = places.find(|&at| is_for_amd(document, document.tokens[at].start) && fits(at))?;
    Some(notice(&Event::WarpForAmd {
        range: document.tokens[at].range(),
        name,
        is_there,
    }))
}

/// Whether code takes a thread's number apart into warps of 32: `threadIdx.x >> 5`, `tid & 31`, `thread / 32`.
fn counts_in_32_lanes(document: &Document<'_>) -> bool {
    (1..document.tokens.len()).any(|at| match document.bytes(at) {
        b"5" => document.is_before(at, ">>") || document.is_before(at, ">"),
        b"31" | b"0x1f" | b"0x1F" => document.is_before(at, "&"),
        b"32" => document.is_before(at, "/") || document.is_before(at, "%"),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::{Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::text::SourceFile;

    fn found(text: &str) -> usize {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let outcome = translate(&source, &session);
        outcome
            .findings
            .iter()
            .filter(|it| it.code() == "CASS214")
            .count()
    }

    #[test]
    fn warp_functions_in_code_for_amd_are_looked_at() {
        let of =
            |amd: &str, both: &str| found(&format!("#ifdef USE_ROCM\n{amd}\n#endif\n{both}\n"));
        let warps = "int warp() { return threadIdx.x >> 5; }";
        assert_eq!(of("int f() { return __activemask(); }", ""), 1);
        assert_eq!(
            of(
                "#define HIP_ENABLE_WARP_SYNC_BUILTINS\nint f() { return __activemask(); }",
                ""
            ),
            0
        );
        assert_eq!(of("#define S(v, l) __shfl(v, l)", warps), 1);
        assert_eq!(of("#define S(v, l) __shfl(v, l, 32)", warps), 0);
        assert_eq!(of("#define S(v, l) __shfl(v, l)", ""), 0);
    }
}
