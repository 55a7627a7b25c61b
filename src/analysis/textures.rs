//! Whether a program needs textures for its texture references, or fetches from linear memory alone.

use crate::analysis::unit::Unit;
use crate::cpp::texture_uses::{LINEAR, means_another, named, texture_argument};
use crate::edit::Applicability;
use crate::mapping::chip;
use crate::options::CompatMode;
use crate::project::textures::{Name, TextureNames};
use crate::syntax::{TokenIndex, flags};

/// Whether a chip without image instructions is among those that are converted for.
pub(crate) fn includes_imageless(cx: &Unit<'_, '_>) -> bool {
    let targets = &cx.options().targets;
    let is_imageless = |target: &String| chip::is_one_of(target, chip::without_images());
    targets.is_empty() || targets.iter().any(is_imageless)
}

/// Whether references that need linear memory alone are rewritten in this run.
pub(crate) fn are_rewritten(cx: &Unit<'_, '_>) -> bool {
    cx.options().compat != CompatMode::None
        && cx.options().fix_level <= Applicability::Review
        && includes_imageless(cx)
        // A project's own template of that name means what the project likes.
        && !cx.is_own(b"texture")
        && !cx.leaves_textures
}

/// Whether the texture of the call at `name` is a reference that needs linear memory alone. In a macro, which may be given the
/// reference or put its name together, whether all references in sight are such.
pub(crate) fn is_on_linear(cx: &Unit<'_, '_>, name: TokenIndex) -> bool {
    let doc = cx.doc;
    let Some(argument) = texture_argument(doc, name, LINEAR) else {
        return false;
    };
    let texture = named(doc, &argument).filter(|&at| !means_another(doc, at));
    match texture {
        Some(texture) => is_linear(cx, doc.bytes(texture)),
        // An object comes with the type of its elements.
        None => {
            let in_macro = doc.tokens[name].has(flags::MACRO_BODY);
            in_macro && !doc.next_is(name, "<") && are_all_linear(cx)
        }
    }
}

/// Whether a name is that of a texture reference that needs linear memory alone.
pub(crate) fn is_linear(cx: &Unit<'_, '_>, name: &[u8]) -> bool {
    if let Some(&known) = cx.textures.linear.borrow().get(name) {
        return known;
    }
    let files = cx.project.files.values();
    let mut files = files.map(|file| &file.textures).chain([of_this_file(cx)]);
    let linear = is_linear_in_family(cx, name) && !files.any(|file| file.asks_for(name));
    cx.textures.linear.borrow_mut().insert(name.into(), linear);
    linear
}

fn is_linear_in_family(cx: &Unit<'_, '_>, name: &[u8]) -> bool {
    let project = &cx.project;
    let family = project.family(&cx.doc.source.path);
    let declarations = family.iter().flat_map(|&file| {
        let names = names_of(cx, file).into_iter();
        let of_name = names.flat_map(|names| names.declared_with(name));
        of_name.map(move |names| (file, names))
    });
    // One statement is one edit: its names stand or fall together, whoever uses them.
    let needs_texture = |file: &str, names: &[Name]| {
        let family = project.family(file);
        let mut files = family.iter().filter_map(|file| names_of(cx, file));
        files.any(|file| names.iter().any(|name| file.needs_texture_reference(name)))
    };
    let mut declarations = declarations.peekable();
    declarations.peek().is_some() && declarations.all(|(file, names)| !needs_texture(file, names))
}

fn are_all_linear(cx: &Unit<'_, '_>) -> bool {
    let family = cx.project.family(&cx.doc.source.path);
    let files = family.iter().filter_map(|file| names_of(cx, file));
    let mut names = files
        .flat_map(|file| file.declared.iter().flatten())
        .peekable();
    names.peek().is_some() && names.all(|name| is_linear(cx, name))
}

fn of_this_file<'c>(cx: &'c Unit<'_, '_>) -> &'c TextureNames {
    cx.textures
        .own
        .get_or_init(|| TextureNames::new(cx.doc, &|at| cx.switches.leaves_textures(at)))
}

fn names_of<'c>(cx: &'c Unit<'_, '_>, file: &str) -> Option<&'c TextureNames> {
    if file == cx.doc.source.path {
        return Some(of_this_file(cx));
    }
    let index = cx.project.files.get(file);
    index.map(|index| &index.textures)
}

#[cfg(test)]
mod tests {
    use crate::engine::Session;
    use crate::engine::translate;
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::project::ProjectIndex;
    use crate::syntax::Document;
    use crate::text::SourceFile;

    const HEADER: (&str, &str) = ("t.cuh", "texture<float, 1, cudaReadModeElementType> t;\n");
    const USER: (&str, &str) = (
        "a.cu",
        "#include \"t.cuh\"\n__global__ void k(float* p) { *p = tex1Dfetch(t, 1); }\nvoid f(float* p) { cudaBindTexture(0, t, p); }\n",
    );

    /// The outputs of the files of a tree, and the codes of findings above info.
    fn run(files: &[(&str, &str)]) -> Vec<(String, Vec<&'static str>)> {
        let source = |&(path, text): &(&str, &str)| SourceFile::new(path, text.as_bytes().to_vec());
        let table = ApiTable::builtin();
        let indices = files.iter().map(|file| {
            let source = source(file);
            let index = crate::engine::file_index(&Document::new(&source), &table);
            (source.path.clone(), index)
        });
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let project = ProjectIndex::new(indices, paths);
        let mut session = Session::new(Options::default(), ApiTable::builtin());
        session.project = project.into();
        let outcome = |file: &(&str, &str)| {
            let outcome = translate(&source(file), &session);
            let loud = outcome
                .visible()
                .filter(|finding| !finding.help().is_empty());
            let codes = loud.map(|finding| finding.code()).collect();
            let output = outcome.output.unwrap_or_default();
            (String::from_utf8(output).unwrap(), codes)
        };
        files.iter().map(outcome).collect()
    }

    #[test]
    fn a_reference_of_a_header_becomes_a_pointer_for_all_its_users() {
        let outcomes = run(&[HEADER, USER]);
        assert!(
            outcomes[0]
                .0
                .contains("static __constant__ cass_texture<float, 1, hipReadModeElementType> t;")
        );
        assert_eq!(outcomes[0].1, ["CASS410"]);
        assert!(outcomes[1].0.contains("hipBindTexture(0, t, p)"));
        assert_eq!(outcomes[1].1, [""; 0]);
    }

    #[test]
    fn one_user_of_the_hardware_keeps_it_for_all() {
        let other = "#include \"t.cuh\"\nvoid g(cudaArray_t a) { cudaBindTextureToArray(t, a); }\n";
        let outcomes = run(&[HEADER, USER, ("b.cu", other)]);
        assert!(!outcomes[0].0.contains("cass_texture"));
        assert_eq!(outcomes[0].1, ["CASS002"]);
        assert_eq!(outcomes[1].1, ["CASS401", "CASS002"]);
    }

    #[test]
    fn a_module_is_asked_for_textures_by_anybody() {
        let asks = |name: &str| {
            format!("void g(CUtexref* r, CUmodule m) {{ cuModuleGetTexRef(r, m, {name}); }}\n")
        };
        for (name, code) in [
            ("\"t\"", "CASS002"),
            ("name", "CASS002"),
            ("\"u\"", "CASS410"),
        ] {
            let outcomes = run(&[HEADER, USER, ("b.cpp", &asks(name))]);
            assert_eq!(outcomes[0].1, [code], "{name}");
        }
    }

    #[test]
    fn a_program_beside_it_has_its_own_names() {
        let other =
            "texture<float, 2> t;\nvoid g(cudaArray_t a) { cudaBindTextureToArray(t, a); }\n";
        let outcomes = run(&[HEADER, USER, ("b.cu", other)]);
        assert_eq!(outcomes[0].1, ["CASS410"]);
        assert_eq!(outcomes[2].1, ["CASS002", "CASS002"]);
    }
}
