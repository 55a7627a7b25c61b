//! The includes that the fixes of a file need.

use std::collections::BTreeSet;

use crate::analysis::guarded_place::{Place, guarded_places};
use crate::analysis::include_place::{AFTER_RUNTIME, helper_point, include_guard_end, next_line};
use crate::compat;
use crate::cpp::guarding::is_for_host_compilers;
use crate::edit::{Edit, EditSet, Fix};
use crate::mapping::{ApiTable, TorchTable};
use crate::options::{CompatMode, Dialect};
use crate::syntax::{Document, flags};

/// What the applied fixes need of other files.
pub(crate) struct Needs<'a> {
    pub(crate) table: &'a ApiTable,
    pub(crate) mode: CompatMode,
    pub(crate) dialect: Dialect,
    /// Where the helper header lies.
    pub(crate) header: &'a str,
    /// The links by which a compiler may come to the file.
    pub(crate) links: &'a [String],
    pub(crate) helpers: BTreeSet<&'static str>,
    pub(crate) headers: BTreeSet<&'static str>,
    /// The places that need one of them.
    pub(crate) places: Vec<u32>,
    /// The first of them; a macro needs it where it is used.
    pub(crate) first: u32,
}

/// The includes that the applied fixes need, as one more fix.
pub(crate) fn includes(document: &Document<'_>, needs: &Needs<'_>, edits: &EditSet) -> Option<Fix> {
    let newline = document.newline();
    let point = helper_point(document, needs.first);
    let mut wanted: Vec<&str> = needs
        .headers
        .iter()
        .copied()
        .filter(|path| !has_include(document, path) && !is_written(document, edits, path))
        .collect();
    let is_late = wanted.iter().any(|path| AFTER_RUNTIME.contains(path));
    if is_late && !has_runtime_before(document, edits, point) {
        wanted.insert(0, "hip/hip_runtime.h");
    }
    let text = match needs.dialect {
        Dialect::Torch => for_both_vendors(document, &wanted),
        _ => wanted.iter().map(|path| include_of(path)).collect(),
    };
    let text = text.replace('\n', newline);
    let helper = helper_text(document, needs, edits);
    if text.is_empty() && helper.is_empty() {
        return None;
    }
    // Under the condition of what needs them: whoever does not meet it may have no ROCm.
    let places = guarded_places(document, needs.table, &needs.places);
    let places = places.filter(|_| needs.mode != CompatMode::Inline);
    if let Some(places) = places {
        let lines = |place: &Place| match brings_there(document, edits, place) {
            true => text.clone(),
            false => format!("{text}{helper}"),
        };
        let inserted = places.iter().map(|it| (it, lines(it)));
        let inserted = inserted.filter(|(_, lines)| !lines.is_empty());
        let inserted: Vec<Edit> = inserted
            .map(|(it, lines)| Edit::insert(it.point, it.text(&lines, newline)))
            .collect();
        return (!inserted.is_empty()).then(|| Fix::safe(inserted));
    }
    let mut text = text + &helper;
    let bytes = &document.source.bytes;
    let behind_open_line = point as usize == bytes.len() && !bytes.ends_with(b"\n") && point > 0;
    if behind_open_line {
        // The last line is an include that no line end follows.
        text = format!("{newline}{}", text.trim_end());
    }
    Some(Fix::safe(vec![Edit::insert(point, text)]))
}

fn include_of(path: &str) -> String {
    format!("#include <{path}>\n")
}

/// Includes in one source for both vendors: by CUDA's header where PyTorch's build renames it, else for AMD alone.
fn for_both_vendors(document: &Document<'_>, wanted: &[&str]) -> String {
    let (mut common, mut amd) = (String::new(), String::new());
    for path in wanted {
        let is_of_amd = ["hip", "roc", "miopen", "rccl"]
            .iter()
            .any(|stem| path.starts_with(stem));
        match TorchTable::builtin().header_for_both(path) {
            Some(cuda) if has_include(document, cuda) => {}
            Some(cuda) => common += &include_of(cuda),
            None if is_of_amd => amd += &include_of(path),
            None => common += &include_of(path),
        }
    }
    if !amd.is_empty() {
        common += &format!("#ifdef USE_ROCM\n{amd}#endif\n");
    }
    common
}

/// What brings the helpers: an include of their header, or their text. Empty where nothing is needed or they are there.
fn helper_text(document: &Document<'_>, needs: &Needs<'_>, edits: &EditSet) -> String {
    if needs.helpers.is_empty() {
        return String::new();
    }
    let newline = document.newline();
    match needs.mode {
        CompatMode::Header => {
            let path = compat::include_path(&document.source.path, needs.header);
            let is_there = has_include(document, &path) || brings_helpers(document, edits);
            match is_there {
                true => String::new(),
                false => {
                    includes_of_helpers(&path, needs.header, needs.links).replace('\n', newline)
                }
            }
        }
        CompatMode::Inline => compat::snippets(&needs.helpers).replace('\n', newline),
        CompatMode::None => String::new(),
    }
}

/// The include of the helper header. A compiler that comes to the file by a link looks for the header beside the link.
fn includes_of_helpers(path: &str, header: &str, links: &[String]) -> String {
    let by_link = |link: &String| compat::include_path(link, header);
    let mut others: Vec<String> = links.iter().map(by_link).collect();
    others.retain(|other| other != path);
    others.sort();
    others.dedup();
    let include = |path: &str| format!("#include \"{path}\"\n");
    let Some(last) = others.pop() else {
        return include(path);
    };
    let has = |path: &str| format!("if __has_include(\"{path}\")\n{}", include(path));
    let first = format!("#{}", has(path));
    let rest = others.iter().map(|other| format!("#el{}", has(other)));
    let rest: String = rest.collect();
    format!("{first}{rest}#else\n{}#endif\n", include(&last))
}

/// Whether the file has an include with this path that AMD's compiler reads.
fn has_include(document: &Document<'_>, path: &str) -> bool {
    let mut includes = document.includes.iter();
    includes.any(|include| {
        document.source.slice(include.path) == path.as_bytes()
            && !is_for_host_compilers(document, include.directive.start)
    })
}

/// Whether a header of CUDA becomes this one where everyone sees it.
fn is_written(document: &Document<'_>, edits: &EditSet, path: &str) -> bool {
    let limit = usize::from(include_guard_end(document).is_some_and(|(_, is_group)| is_group));
    let writes = |edit: &&Edit| {
        let written = edit.content.trim_matches(['<', '>', '"']);
        written == path || edit.content.contains(&format!("<{path}>"))
    };
    let mut includes = document
        .includes
        .iter()
        .filter(|include| document.branches.around(include.directive.start).count() <= limit);
    includes.any(|include| {
        let mut within = edits.iter();
        within.any(|edit| include.directive.contains(edit.range) && writes(&edit))
    })
}

/// Whether the runtime header stands in front of a place, or will.
fn has_runtime_before(document: &Document<'_>, edits: &EditSet, point: u32) -> bool {
    const STEM: &str = "hip/hip_runtime";
    let mut new = edits.iter().filter(|edit| edit.range.start <= point);
    let mut old = document
        .includes
        .iter()
        .filter(|include| include.directive.start < point);
    new.any(|edit| edit.content.contains(STEM))
        || old.any(|include| {
            document
                .source
                .slice(include.path)
                .starts_with(STEM.as_bytes())
        })
}

/// Whether an edit already puts the helper header where everyone sees it: in the place of a header that it replaces.
fn brings_helpers(document: &Document<'_>, edits: &EditSet) -> bool {
    let limit = usize::from(include_guard_end(document).is_some_and(|(_, is_group)| is_group));
    edits.iter().any(|edit| {
        edit.content.contains(compat::HEADER_NAME)
            && document.branches.around(edit.range.start).count() <= limit
    })
}

/// Whether an edit puts the helper header into the very branch that a place opens.
fn brings_there(document: &Document<'_>, edits: &EditSet, place: &Place) -> bool {
    let opens = |at: u32| {
        let branch = document.branches.around(at).last();
        branch.is_some_and(|branch| next_line(document, branch.start) == place.point)
    };
    // What stands in the place of the branch's leading lines comes before all that they are for.
    let is_first = |at: u32| {
        let tokens = document.token_at(place.point)..document.token_at(at);
        document.tokens[tokens]
            .iter()
            .all(|token| token.has(flags::DIRECTIVE))
    };
    place.condition.is_none()
        && edits.iter().any(|edit| {
            let at = edit.range.start;
            edit.content.contains(compat::HEADER_NAME)
                && at >= place.point
                && opens(at)
                && is_first(at)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, apply};
    use crate::text::SourceFile;

    /// The text with what it needs included: `cass_ballot32` at all `x`, `hip/hip_fp16.h` at all `h`.
    fn included(text: &str, mode: CompatMode, fix: Option<Fix>) -> String {
        written(text, mode, Dialect::Cuda, fix)
    }

    fn written(text: &str, mode: CompatMode, dialect: Dialect, fix: Option<Fix>) -> String {
        let source = SourceFile::new("src/a.cu", text.as_bytes().to_vec());
        let doc = Document::new(&source);
        let places =
            |word: &str| -> Vec<u32> { doc.all(word).map(|at| doc.tokens[at].start).collect() };
        let (helper, header) = (places("x"), places("h"));
        let table = ApiTable::builtin();
        let mut all = [helper.clone(), header.clone()].concat();
        all.sort_unstable();
        let needs = Needs {
            table: &table,
            mode,
            dialect,
            header: "cass_hip_compat.hpp",
            links: &[],
            helpers: helper.iter().map(|_| "cass_ballot32").collect(),
            headers: header.iter().map(|_| "hip/hip_fp16.h").collect(),
            first: all[0],
            places: all,
        };
        let resolve = |fixes: &[Option<&Fix>]| {
            let fixes: Vec<_> = fixes.iter().map(|fix| (0, *fix)).collect();
            EditSet::resolve(&fixes, Applicability::Safe).edits
        };
        let edits = resolve(&[fix.as_ref()]);
        let new = includes(&doc, &needs, &edits);
        String::from_utf8(apply(text.as_bytes(), &resolve(&[new.as_ref()]))).expect("it is text")
    }

    #[test]
    fn each_place_of_a_link_is_tried() {
        const HERE: &str =
            "#if __has_include(\"cass_hip_compat.hpp\")\n#include \"cass_hip_compat.hpp\"\n";
        let above = |start: &str, up: &str| {
            let path = format!("\"{up}cass_hip_compat.hpp\"");
            match start {
                "else" => format!("#else\n#include {path}\n#endif\n"),
                _ => format!("#{start} __has_include({path})\n#include {path}\n"),
            }
        };
        for (links, expected) in [
            (&[][..], "#include \"cass_hip_compat.hpp\"\n".to_owned()),
            (&["b.cu"], "#include \"cass_hip_compat.hpp\"\n".to_owned()),
            (
                &["x/a.cu", "y/a.cu"],
                format!("{HERE}{}", above("else", "../")),
            ),
            (
                &["x/a.cu", "y/z/a.cu"],
                format!("{HERE}{}{}", above("elif", "../../"), above("else", "../")),
            ),
        ] {
            let links: Vec<String> = links.iter().map(|link| (*link).to_owned()).collect();
            let found = includes_of_helpers("cass_hip_compat.hpp", "cass_hip_compat.hpp", &links);
            assert_eq!(found, expected, "{links:?}");
        }
    }

    #[test]
    fn what_is_needed_comes_once_behind_the_leading_includes() {
        const HELPERS: &str = "#include \"../cass_hip_compat.hpp\"\n";
        for (text, expected) in [
            (
                "#include <a.h>\nx;\n",
                format!("#include <a.h>\n{HELPERS}x;\n"),
            ),
            (
                "#include <a.h>\nh; h;\n",
                "#include <a.h>\n#include <hip/hip_fp16.h>\nh; h;\n".to_owned(),
            ),
            (
                "#include <a.h>\nh; x;\n",
                format!("#include <a.h>\n#include <hip/hip_fp16.h>\n{HELPERS}h; x;\n"),
            ),
            (
                "x;\n#include <a.h>\n",
                format!("{HELPERS}x;\n#include <a.h>\n"),
            ),
            (
                "#ifdef A\nx;\n#endif\n",
                format!("#ifdef A\n{HELPERS}x;\n#endif\n"),
            ),
            (
                "#include <a.h>\r\nh;\r\n",
                "#include <a.h>\r\n#include <hip/hip_fp16.h>\r\nh;\r\n".to_owned(),
            ),
            (
                "#include <hip/hip_fp16.h>\nh;\n",
                "#include <hip/hip_fp16.h>\nh;\n".to_owned(),
            ),
            (
                "#include \"../cass_hip_compat.hpp\"\nx;\n",
                format!("{HELPERS}x;\n"),
            ),
            // What other compilers alone read, and a comment, bring nothing.
            (
                "// #include <hip/hip_fp16.h>\n#include <a.h>\nh;\n",
                "// #include <hip/hip_fp16.h>\n#include <a.h>\n#include <hip/hip_fp16.h>\nh;\n"
                    .to_owned(),
            ),
        ] {
            assert_eq!(included(text, CompatMode::Header, None), expected, "{text}");
        }
    }

    #[test]
    fn a_source_for_both_vendors_includes_what_both_have() {
        let both = |text: &str| written(text, CompatMode::Header, Dialect::Torch, None);
        let start = "#include <a.h>\n";
        assert_eq!(
            both(&format!("{start}h;\n")),
            format!("{start}#include <cuda_fp16.h>\nh;\n")
        );
        let has = "#include <cuda_fp16.h>\nh;\n";
        assert_eq!(both(has), has);
        let source = SourceFile::new("a.cu", b"x;\n".to_vec());
        let document = Document::new(&source);
        assert_eq!(
            for_both_vendors(&document, &["algorithm", "hip/hip_math_constants.h"]),
            "#include <algorithm>\n#ifdef USE_ROCM\n#include <hip/hip_math_constants.h>\n#endif\n"
        );
    }

    #[test]
    fn a_header_that_another_fix_writes_is_not_written_again() {
        let text = "#include <cuda_fp16.h>\nh;\n";
        let rewritten = Fix::safe(vec![Edit::replace(
            crate::text::TextRange::new(9, 22),
            "<hip/hip_fp16.h>",
        )]);
        assert_eq!(included(text, CompatMode::Header, Some(rewritten)), text);
    }

    #[test]
    fn helpers_stand_in_the_file_or_nowhere_as_chosen() {
        let text = "#include <a.h>\r\nx;\r\n";
        let inline = included(text, CompatMode::Inline, None);
        assert!(inline.starts_with("#include <a.h>\r\n") && inline.ends_with("x;\r\n"));
        assert!(inline.contains("cass_ballot32(") && !inline.contains("cass_hip_compat.hpp"));
        assert!(
            !inline.replace("\r\n", "").contains('\n'),
            "line ends are the file's"
        );
        assert_eq!(included(text, CompatMode::None, None), text);
    }
}
