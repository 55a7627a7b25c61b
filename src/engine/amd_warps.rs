//! Warp functions in code that a build for AMD compiles as it stands: what is guarded for AMD, which rules leave alone, and in a project
//! that serves AMD itself what no condition takes out.

use std::collections::BTreeMap;

use crate::diagnostic::Finding;
use crate::engine::amd_branches::is_for_amd;
use crate::engine::kept::covers;
use crate::engine::session::FileSession;
use crate::mapping::Version;
use crate::options::Dialect;
use crate::project::owner::Owner;
use crate::project::standing::Standing;
use crate::project::support::Support;
use crate::project::visible::OwnNames;
use crate::rules::{Event, WarpLack, notice};
use crate::syntax::{Document, TokenIndex};

/// What says to ROCm before 7.0 that the functions with a mask are wanted.
const SWITCH: &str = "HIP_ENABLE_WARP_SYNC_BUILTINS";

/// The release that has them without it.
const WITHOUT_SWITCH: Version = Version::new(7, 0);

/// The functions that it switches on.
#[rustfmt::skip]
const SWITCHED: &[&str] = &[
    "__activemask", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync",
    "__match_any_sync", "__match_all_sync",
];

/// The functions that come with that release, switch or not.
const NEWER: &[&str] = &["__syncwarp"];

/// The shuffles whose last argument is a width.
const SHUFFLES: &[&str] = &["__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"];

/// One finding for each function, at its first place.
pub(super) fn findings(
    document: &Document<'_>,
    session: &FileSession<'_>,
    support: &Support,
    own: &OwnNames<'_>,
) -> Vec<Finding> {
    if session.options.reverse {
        return Vec::new();
    }
    let path = &document.source.path;
    let scope = support.scope(path);
    let is_answered = |name: &str| {
        let name = name.as_bytes();
        own.contains(name) || scope.is_some_and(|scope| covers(scope, session, name))
    };
    let is_kept = matches!(support.owner(path), Owner::Shared | Owner::Amd)
        && session.dialect != Dialect::Torch;
    let is_compiled = |at: TokenIndex| {
        let start = document.tokens[at].start;
        is_for_amd(document, start) || is_kept && document.is_sure_on_hip(start)
    };
    let first = |name: &str, fits: &dyn Fn(TokenIndex) -> bool| {
        let mut places = document.all(name);
        places.find(|&at| is_compiled(at) && fits(at))
    };
    let is_call = |at: TokenIndex| document.next_is(at, "(");
    let has_no_width = |at: TokenIndex| {
        let call = document.call(at);
        call.is_some_and(|call| call.arguments.len() == 2)
    };
    let mut found = BTreeMap::<TokenIndex, (&str, WarpLack)>::new();
    let mut look = |names: &[&'static str], lack: WarpLack, fits: &dyn Fn(TokenIndex) -> bool| {
        for name in names.iter().filter(|name| !is_answered(name)) {
            found.extend(first(name, fits).map(|at| (at, (*name, lack))));
        }
    };
    if session.options.rocm < WITHOUT_SWITCH {
        look(NEWER, WarpLack::Release, &is_call);
    }
    if !is_switched(document, session) {
        look(SWITCHED, WarpLack::Switch, &is_call);
    }
    if counts_in_32_lanes(document) {
        look(SHUFFLES, WarpLack::Width, &has_no_width);
    }
    let notices = found.into_iter().map(|(at, (name, lack))| {
        let range = document.tokens[at].range();
        notice(&Event::WarpForAmd { range, name, lack })
    });
    notices.collect()
}

/// Whether the functions with a mask are there: by the release, or because the file or its build asks for them.
fn is_switched(document: &Document<'_>, session: &FileSession<'_>) -> bool {
    let standing = session.project.standing(&document.source.path);
    document.source.mentions(SWITCH)
        || matches!(standing, Standing::Compiled(macros) if macros.get(SWITCH).is_some())
        || session.options.rocm >= WITHOUT_SWITCH
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
        assert_eq!(of("void f() { __syncwarp(); }", ""), 1);
        assert_eq!(of("#define S(v, l) __shfl(v, l)", warps), 1);
        assert_eq!(of("#define S(v, l) __shfl(v, l, 32)", warps), 0);
        assert_eq!(of("#define S(v, l) __shfl(v, l)", ""), 0);
    }
}
