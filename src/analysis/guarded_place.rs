//! The `#if` branches that hold what a new include is for: outside of them nobody may have HIP's headers.

use crate::analysis::include_place::{helper_point, is_in_braces, next_line, opens_in_statement};
use crate::cpp::conditions::cuda_macros::cuda_macro;
use crate::cpp::guarding::{branches, condition, device_compilers_branch};
use crate::mapping::ApiTable;
use crate::syntax::{Directive, Document, Vendor};
use crate::text::TextRange;

/// Branches with different conditions that get an include each; a file with more has it at its top.
const MOST: usize = 4;

/// A place for an include, and what has to stand around it.
pub(crate) struct Place {
    /// Where it goes.
    pub(crate) point: u32,
    /// The condition that it needs around it, as the file writes it.
    pub(crate) condition: Option<String>,
}

impl Place {
    /// The text to insert for some lines of includes.
    pub(crate) fn text(&self, lines: &str, newline: &str) -> String {
        match &self.condition {
            Some(condition) => format!("{condition}{newline}{lines}#endif{newline}"),
            None => lines.to_owned(),
        }
    }
}

/// Where an include goes that some places need: inside the innermost branch that holds all of them, else under the condition of each.
/// `None` where one stands under no condition, or under too many: then it goes where all see it.
pub(crate) fn guarded_places(
    document: &Document<'_>,
    table: &ApiTable,
    needed: &[u32],
) -> Option<Vec<Place>> {
    let around: Vec<Vec<TextRange>> = needed.iter().map(|&at| branches(document, at)).collect();
    let first = around.first()?;
    let holds_all = |branch: &&TextRange| around.iter().all(|all| all.contains(*branch));
    if let Some(branch) = first
        .iter()
        .filter(holds_all)
        .rfind(|it| can_hold_include(document, **it))
    {
        let point = next_line(document, branch.start);
        return Some(vec![Place {
            point,
            condition: None,
        }]);
    }
    if let Some(place) = place_for_device_compilers(document, needed) {
        return Some(vec![place]);
    }
    let mut found: Vec<(String, bool, Place)> = Vec::new();
    for branches in &around {
        let branch = *branches.first()?;
        let (text, directive) = condition(document, branch)?;
        let known = found.iter().find(|(known, ..)| *known == text);
        match known.map(|(_, is_settled, _)| *is_settled) {
            Some(true) => continue,
            Some(false) => return None,
            // Thousands of conditions are not held against each other.
            None if found.len() == MOST => return None,
            None => {}
        }
        let is_settled = is_settled(document, table, &text);
        let place = match can_hold_include(document, branch) {
            true => Place {
                point: next_line(document, branch.start),
                condition: None,
            },
            false if !is_settled => return None,
            false => Place {
                point: helper_point(document, needed.iter().copied().min().unwrap_or(u32::MAX)),
                condition: Some(directive),
            },
        };
        found.push((text, is_settled, place));
    }
    Some(found.into_iter().map(|(.., place)| place).collect())
}

/// Where an include goes that nvcc and hipcc alone need: what plain C++ reads of a header may have no ROCm. One place does for all: each
/// such branch is read by hipcc or by nobody. A `.cu` file goes to nobody else.
fn place_for_device_compilers(document: &Document<'_>, needed: &[u32]) -> Option<Place> {
    if document.source.path.ends_with(".cu") {
        return None;
    }
    let of = |&at: &u32| device_compilers_branch(document, at);
    let branches: Vec<TextRange> = needed.iter().map(of).collect::<Option<_>>()?;
    let first = branches.into_iter().min_by_key(|branch| branch.start)?;
    // A branch of `__CUDA_ARCH__` is read in one of the two passes.
    let text = condition(document, first).map(|(words, _)| words);
    let is_of_both_passes = text.is_some_and(|words| !words.contains("__CUDA_ARCH__"));
    let place = match is_of_both_passes && can_hold_include(document, first) {
        true => Place {
            point: next_line(document, first.start),
            condition: None,
        },
        false => Place {
            point: helper_point(document, first.start),
            condition: Some("#if defined(__CUDACC__) || defined(__HIPCC__)".to_owned()),
        },
    };
    Some(place)
}

/// Whether a condition says the same wherever it stands in the result: the file does not define its macros itself, and neither a rule nor
/// the tables are about them.
fn is_settled(document: &Document<'_>, table: &ApiTable, condition: &str) -> bool {
    let is_ident = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = condition
        .split(|c: char| !is_ident(c))
        .filter(|word| !word.is_empty());
    let is_changed = |word: &str| {
        let mut changed = document
            .directives
            .iter()
            .filter_map(Directive::changed_macro);
        changed.any(|at| document.bytes(at) == word.as_bytes())
    };
    words.all(|word| {
        let is_extended = word.starts_with("__")
            || word.ends_with("VERSION")
            || cuda_macro(word.as_bytes()).is_some()
            || table.get(word.as_bytes()).is_some();
        !is_extended && !is_changed(word)
    })
}

/// Whether an include can stand at the start of a branch: outside braces and statements, in code that is for nobody alone.
fn can_hold_include(document: &Document<'_>, branch: TextRange) -> bool {
    !opens_in_statement(document, branch)
        && !is_in_braces(document, branch.start)
        && document.vendor_at(branch.start) == Vendor::Any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The text with an include where it goes for all `x` of it.
    fn placed(text: &str) -> Option<String> {
        let source = SourceFile::new("a.cpp", text.as_bytes().to_vec());
        let document = Document::new(&source);
        let needed: Vec<u32> = document
            .all("x")
            .map(|at| document.tokens[at].start)
            .collect();
        let mut places = guarded_places(&document, &ApiTable::builtin(), &needed)?;
        places.sort_by_key(|place| std::cmp::Reverse(place.point));
        let mut result = text.to_owned();
        for place in places {
            result.insert_str(place.point as usize, &place.text("I\n", "\n"));
        }
        Some(result)
    }

    #[test]
    fn an_include_goes_under_the_conditions_of_what_needs_it() {
        for (text, expected) in [
            ("x;\n", None),
            ("#ifdef A\nx;\n#endif\n", Some("#ifdef A\nI\nx;\n#endif\n")),
            (
                "#ifdef A\nx;\n#ifdef B\nx;\n#endif\n#endif\n",
                Some("#ifdef A\nI\nx;\n#ifdef B\nx;\n#endif\n#endif\n"),
            ),
            (
                "#ifdef A\nx;\n#endif\n#ifdef B\nx;\n#endif\n",
                Some("#ifdef A\nI\nx;\n#endif\n#ifdef B\nI\nx;\n#endif\n"),
            ),
            (
                "void f()\n{\n#ifdef A\nx;\n#endif\n}\n",
                Some("#ifdef A\nI\n#endif\nvoid f()\n{\n#ifdef A\nx;\n#endif\n}\n"),
            ),
            ("#ifdef A\nx;\n#endif\nx;\n", None),
            // What stands in the middle of a declaration is no place for it.
            (
                "template <class T>\n#ifdef A\nx\n#endif\nvoid f();\n",
                Some("#ifdef A\nI\n#endif\ntemplate <class T>\n#ifdef A\nx\n#endif\nvoid f();\n"),
            ),
            (
                "template <class T>\n#ifdef __A\nx\n#endif\nvoid f();\n",
                None,
            ),
            // What nvcc and hipcc alone read needs it once, and plain C++ never.
            (
                "#ifdef __CUDACC__\nx;\n#else\n#endif\n#if defined(__CUDACC__)\nx;\n#endif\n",
                Some(
                    "#ifdef __CUDACC__\nI\nx;\n#else\n#endif\n#if defined(__CUDACC__)\nx;\n#endif\n",
                ),
            ),
            (
                "void f()\n{\n#ifdef __CUDACC__\nx;\n#endif\n}\n#ifdef __NVCC__\nx;\n#endif\n",
                Some(
                    "#if defined(__CUDACC__) || defined(__HIPCC__)\nI\n#endif\nvoid f()\n{\n#ifdef __CUDACC__\nx;\n#endif\n}\n#ifdef __NVCC__\nx;\n#endif\n",
                ),
            ),
            ("#ifdef __CUDACC__\nx;\n#endif\nx;\n", None),
            (
                "void f()\n{\n#if CUBLAS_VER_MAJOR > 9\nx;\n#endif\n}\n",
                None,
            ),
            // What the tables rename in a condition is renamed where it stands, not in a copy.
            ("void f()\n{\n#ifdef CUBLAS_OP_C\nx;\n#endif\n}\n", None),
            (
                "BEGIN(a)\n#ifdef A\nx;\n#endif\n",
                Some("BEGIN(a)\n#ifdef A\nI\nx;\n#endif\n"),
            ),
            // What the file defines itself says something else at its top.
            ("#define A\nvoid f()\n{\n#ifdef A\nx;\n#endif\n}\n", None),
        ] {
            assert_eq!(placed(text).as_deref(), expected, "{text}");
        }
    }
}
