//! Which names hold objects of textures and which of surfaces, by the calls that make them: `cudaCreateTextureObject(&octave->plane.tex, …)`.

use rustc_hash::FxHashSet;

use crate::syntax::Document;

/// What an object is for. Both are a number in CUDA, and pointers to two classes in HIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Texture,
    Surface,
}

/// Functions that make an object in their first argument.
const MAKERS: &[(&str, Object)] = &[
    ("cudaCreateTextureObject", Object::Texture),
    ("cuTexObjectCreate", Object::Texture),
    ("cudaCreateSurfaceObject", Object::Surface),
    ("cuSurfObjectCreate", Object::Surface),
];

/// The names in which some files make objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectNames {
    textures: FxHashSet<Box<[u8]>>,
    surfaces: FxHashSet<Box<[u8]>>,
}

impl ObjectNames {
    /// Those of a file. A member stands for itself, whatever it is a member of.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut found = Self::default();
        for (maker, object) in MAKERS {
            let calls = doc.all(maker).filter_map(|at| doc.call(at));
            let arguments = calls.filter_map(|call| call.arguments.first().cloned());
            let last = arguments.filter_map(|it| it.end.checked_sub(1));
            let names = last
                .filter(|&at| doc.is_ident(at))
                .map(|at| doc.bytes(at).into());
            match object {
                Object::Texture => found.textures.extend(names),
                Object::Surface => found.surfaces.extend(names),
            }
        }
        found
    }

    /// Adds those of another file.
    pub(crate) fn add(&mut self, other: &Self) {
        self.textures.extend(other.textures.iter().cloned());
        self.surfaces.extend(other.surfaces.iter().cloned());
    }

    /// What is made in a name, where that is always the same.
    pub(crate) fn made_in(&self, name: &[u8]) -> Option<Object> {
        match (self.textures.contains(name), self.surfaces.contains(name)) {
            (true, false) => Some(Object::Texture),
            (false, true) => Some(Object::Surface),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::probe::at_first_x;

    #[test]
    fn names_are_known_by_what_is_made_in_them() {
        let text = "void f() { cudaCreateTextureObject(&all[x]->plane.tex, &a, &b, 0); cudaCreateSurfaceObject(&surface, &a);\
             cudaCreateTextureObject(&both, &a, &b, 0); cudaCreateSurfaceObject(&both, &a); cudaCreateSurfaceObject(at + 1, &a); }\n";
        let mut names = ObjectNames::default();
        at_first_x(text, |doc, _| names.add(&ObjectNames::new(doc)));
        for (name, expected) in [
            ("tex", Some(Object::Texture)),
            ("surface", Some(Object::Surface)),
            ("both", None),
            ("plane", None),
        ] {
            assert_eq!(names.made_in(name.as_bytes()), expected, "{name}");
        }
    }
}
