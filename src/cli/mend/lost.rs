//! What a change takes away. A file without its kernels compiles too, so that a compiler is no proof of what is left of it.

use std::collections::BTreeMap;

use crate::syntax::{Document, NoMacros, inactive_ranges};
use crate::text::{RangeSet, SourceFile};

/// Calls that launch a kernel without `<<<`.
const LAUNCHES: [&str; 5] = [
    "hipLaunchKernelGGL",
    "hipLaunchKernel",
    "hipLaunchKernelExC",
    "hipLaunchCooperativeKernel",
    "hipModuleLaunchKernel",
];

/// What some files hold that a build reads: what `#if 0` and comments take away is not there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Holdings {
    /// How often a function of a name is defined, and how many words all its bodies have.
    functions: BTreeMap<String, (usize, usize)>,
    launches: usize,
    words: usize,
}

impl Holdings {
    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, text: &[u8]) {
        let source = SourceFile::new(name, text.to_vec());
        let document = Document::new(&source);
        let inactive: RangeSet = inactive_ranges(&document, &NoMacros).into_iter().collect();
        let is_on = |index: &usize| !inactive.contains(document.tokens[*index].start);
        for function in document.scopes().iter() {
            let Some(name) = function.name.filter(is_on) else {
                continue;
            };
            let name = String::from_utf8_lossy(document.bytes(name)).into_owned();
            let (count, words) = self.functions.entry(name).or_default();
            *count += 1;
            // The braces are no words of it.
            *words += function
                .body
                .clone()
                .filter(is_on)
                .count()
                .saturating_sub(2);
        }
        let launches = document.launches.iter().map(|launch| launch.open);
        let calls = LAUNCHES.iter().flat_map(|name| document.all(name));
        self.launches += launches.chain(calls).filter(is_on).count();
        self.words += (0..document.tokens.len()).filter(is_on).count();
    }

    /// What is gone in what came of it, but for functions that the compiler finds defined twice.
    pub(super) fn lost(&self, after: &Self, complaints: &[&str]) -> Option<String> {
        let left = |name: &str| after.functions.get(name).copied().unwrap_or_default();
        let functions = self.functions.iter();
        let others = functions.filter(|(name, _)| !complaints.iter().any(|it| is_double(it, name)));
        let gone = others
            .clone()
            .find(|(name, (count, _))| left(name).0 < *count);
        if let Some((name, _)) = gone {
            return Some(format!("`{name}` is no longer defined with it"));
        }
        if after.launches < self.launches {
            let (after, before) = (after.launches, self.launches);
            return Some(format!("it leaves {after} of {before} launches of kernels"));
        }
        let empty = others
            .clone()
            .find(|(name, (_, words))| *words > 0 && left(name).1 == 0);
        empty.map(|(name, _)| format!("`{name}` does nothing with it"))
    }

    /// How many words of code fewer another has.
    pub(super) fn fewer(&self, after: &Self) -> usize {
        self.words.saturating_sub(after.words)
    }
}

/// Whether a compiler says that there is more than one of a function, the project's and HIP's: that is mended by taking one away.
fn is_double(complaint: &str, name: &str) -> bool {
    let is_of_name = complaint.contains(&format!("'{name}'"));
    let words = ["redefinition", "ambiguous", "conflict", "redeclar"];
    is_of_name && words.iter().any(|word| complaint.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Holdings {
        let mut found = Holdings::default();
        found.add("a.cu", text.as_bytes());
        found
    }

    #[test]
    fn definitions_and_launches_do_not_go() {
        const BEFORE: &str =
            "__global__ void k(int *x) { x[0] = 1; }\nvoid f(int *x) { k<<<1, 1>>>(x); }\n";
        let before = of(BEFORE);
        let lost = |text: &str, complaint: &str| before.lost(&of(text), &[complaint]);
        assert_eq!(lost(&BEFORE.replace("= 1", "= 2"), ""), None);
        let off = format!("#if 0\n{BEFORE}#endif\n");
        assert!(lost(&off, "").is_some_and(|text| text.contains("is no longer defined")));
        let without = BEFORE.replace("k<<<1, 1>>>(x);", "");
        assert_eq!(
            lost(&without, ""),
            Some("it leaves 0 of 1 launches of kernels".to_owned())
        );
        assert!(before.fewer(&of(&without)) >= 10);
        let empty = BEFORE.replace("x[0] = 1;", "/* x[0] = 1; */");
        assert_eq!(
            lost(&empty, ""),
            Some("`k` does nothing with it".to_owned())
        );
        // The compiler named it.
        let renamed = BEFORE.replace("void f(", "void g(");
        assert!(lost(&renamed, "").is_some());
        assert!(lost(&renamed, "use of undeclared identifier 'f'").is_some());
        assert_eq!(lost(&renamed, "redefinition of 'f'"), None);
    }
}
