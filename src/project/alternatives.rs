//! What the conditions of a build list say of the vendors: a branch for CUDA beside one for HIP, and the sources that stand in the first.

use std::collections::BTreeSet;

/// The choice that a list makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alternatives {
    /// A condition has a branch for each vendor.
    pub(crate) are_chosen: bool,
    /// The `.cu` files that only branches for CUDA name, where AMD has a branch of its own beside; as they are written.
    pub(crate) of_nvidia: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Cuda,
    Hip,
}

/// One `if` with its branches.
#[derive(Debug, Default)]
struct Group {
    current: Option<Side>,
    has_cuda: bool,
    has_hip: bool,
    /// What the branches for CUDA name.
    sources: Vec<String>,
}

impl Group {
    fn enter(&mut self, side: Option<Side>) {
        self.current = side;
        self.has_cuda |= side == Some(Side::Cuda);
        self.has_hip |= side == Some(Side::Hip);
    }
}

impl Alternatives {
    /// Reads a list of CMake or a Makefile, line by line.
    pub(crate) fn of(text: &str) -> Self {
        let (mut found, mut groups) = (Self::default(), Vec::<Group>::new());
        let mut elsewhere = BTreeSet::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let lower = line.to_ascii_lowercase();
            let begins = |words: &[&str]| words.iter().any(|word| begins_with(&lower, word));
            if begins(&["endif"]) {
                let closed = groups.pop();
                found.add(closed.filter(|it| it.has_cuda && it.has_hip));
            } else if begins(&["elseif", "else if", "else ifeq", "else ifdef"]) {
                if let Some(group) = groups.last_mut() {
                    group.enter(side_of(&lower));
                }
            } else if begins(&["else"]) {
                if let Some(group) = groups.last_mut() {
                    group.current = None;
                }
            } else if begins(&["if", "ifeq", "ifdef"]) {
                let mut group = Group::default();
                group.enter(side_of(&lower));
                groups.push(group);
            } else if begins(&["ifneq", "ifndef"]) {
                groups.push(Group::default());
            } else {
                let sources = sources(line).map(str::to_owned);
                let around = groups
                    .iter_mut()
                    .rev()
                    .find(|it| it.current == Some(Side::Cuda));
                match around {
                    Some(group) => group.sources.extend(sources),
                    None => elsewhere.extend(sources),
                }
            }
        }
        found.of_nvidia.retain(|name| !elsewhere.contains(name));
        found
    }

    fn add(&mut self, group: Option<Group>) {
        if let Some(group) = group {
            self.are_chosen = true;
            self.of_nvidia.extend(group.sources);
        }
    }
}

/// Whether a line begins with a word of its own.
fn begins_with(line: &str, word: &str) -> bool {
    let rest = line.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whom a condition is about; nobody where it names both, or asks for one not to be there.
fn side_of(condition: &str) -> Option<Side> {
    let words = || condition.split(|c: char| !c.is_alphanumeric());
    let names = |names: &[&str]| words().any(|word| names.contains(&word));
    match (
        names(&["cuda", "nvidia", "nvcc"]),
        names(&["hip", "rocm", "amd", "amdgpu"]),
    ) {
        _ if names(&["not"]) => None,
        (true, false) => Some(Side::Cuda),
        (false, true) => Some(Side::Hip),
        _ => None,
    }
}

/// The `.cu` files that a line names.
fn sources(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| c.is_whitespace() || "()\"';".contains(c));
    words.filter(|word| word.ends_with(".cu"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_a_branch_for_cuda_are_nvidias_where_amd_has_one() {
        let cases = [
            (
                "if(USE_CUDA)\n  add_library(a k.cu)\nelseif(USE_HIP)\n  add_library(a k.hip)\nendif()\n",
                true,
                "k.cu",
            ),
            (
                "if(USE_HIP)\n  set(S k.hip)\nelseif(USE_CUDA)\n  if(A)\n    set(S \"src/k.cu;b.cu\")\n  endif()\nendif()\n",
                true,
                "b.cu src/k.cu",
            ),
            (
                "ifeq ($(GPU),cuda)\nS = k.cu\nelse ifeq ($(GPU),hip)\nS = k.hip\nendif\n",
                true,
                "k.cu",
            ),
            // Both take it, so that it is no one's own.
            (
                "if(USE_CUDA)\n  set(S k.cu)\nelseif(USE_HIP)\n  set(S k.cu)\nendif()\n",
                true,
                "",
            ),
            (
                "if(USE_CUDA)\n  set(S k.cu)\nelse()\n  set(S k.cpp)\nendif()\n",
                false,
                "",
            ),
            (
                "if(NOT USE_CUDA)\n  set(S k.cu)\nelseif(USE_HIP)\nendif()\n",
                false,
                "",
            ),
            (
                "if(USE_CUDA OR USE_HIP)\n  set(S k.cu)\nendif()\n",
                false,
                "",
            ),
        ];
        for (text, are_chosen, sources) in cases {
            let found = Alternatives::of(text);
            let names: Vec<String> = found.of_nvidia.into_iter().collect();
            assert_eq!(
                (found.are_chosen, names.join(" ").as_str()),
                (are_chosen, sources),
                "{text}"
            );
        }
    }
}
