//! The table `mappings/build.toml`: options, libraries and CMake words of build files.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::library;
use super::{Choices, LibraryVendor};
use crate::text::number::integer;

/// What build files say of CUDA, and what they say of HIP instead.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildTable {
    options: BTreeMap<String, BuildWord>,
    nvcc: BTreeMap<String, NvccOption>,
    libraries: BTreeMap<String, BuildLibrary>,
    packages: BTreeMap<String, BuildLibrary>,
    cmake: BTreeMap<String, BuildWord>,
    tools: BTreeMap<String, NvidiaTool>,
    images: Vec<ProgramImage>,
    installs: Vec<Installed>,
    image_words: Vec<ImageWord>,
    elsewhere: Vec<OtherFile>,
}

/// Images of a program that AMD publishes images with as well.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramImage {
    /// Ends of their repositories.
    of: Vec<String>,
    /// The repository of AMD's.
    amd: String,
}

/// Packages of Python that have another form on AMD.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Installed {
    /// Their names, with `-` between the words.
    of: Vec<String>,
    advice: String,
    /// Whether PyPI has them for CUDA alone.
    #[serde(default)]
    for_cuda: bool,
    /// The repositories of GitHub with their source, in small letters, where that is for CUDA alone: `nvidia/apex`.
    #[serde(default)]
    sources: Vec<String>,
    /// The first release that AMD has as well: the row is about requirements that name an older one, `2.6` and `flash-attn==2.5.9`.
    #[serde(default)]
    before: Option<String>,
}

impl Installed {
    /// Whether a row is about the release that a requirement names.
    fn is_of_release(&self, requirement: &str) -> bool {
        self.before.as_ref().is_none_or(|first| {
            let named = named_release(requirement).map(numbers_of);
            named.is_some_and(|named| !named.is_empty() && named < numbers_of(first))
        })
    }
}

/// The release that a requirement names as the one or the last to install: `2.5.9` of `flash-attn==2.5.9` and of `flash-attn<=2.5.9`.
fn named_release(requirement: &str) -> Option<&str> {
    let (name, release) = requirement.split_once('=')?;
    let is_open = name.ends_with(['>', '~', '!']);
    (!is_open).then(|| release.trim_start_matches(['=', ' ']))
}

/// The numbers that a release begins with: 2, 5 and 9 of `2.5.9.post1+cu122`.
fn numbers_of(release: &str) -> Vec<u64> {
    let parts = release.split('.').map(|part| {
        let is_digit = |it: char| it.is_ascii_digit();
        let digits = &part[..part.len() - part.trim_start_matches(is_digit).len()];
        (digits, digits.len() == part.len())
    });
    let mut numbers = Vec::new();
    for (digits, is_whole) in parts {
        // A zero in front makes no number of base eight here.
        let number = match digits.trim_start_matches('0') {
            "" if !digits.is_empty() => Some(0),
            digits => integer(digits.as_bytes()),
        };
        numbers.extend(number);
        if number.is_none() || !is_whole {
            break;
        }
    }
    numbers
}

/// Words of container files that name no image.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageWord {
    /// How they begin, or behind a `*` what they hold, in small letters.
    of: Vec<String>,
    /// What to do, `{image}` for AMD's image.
    pub(crate) advice: String,
    /// AMD's programs pass over it.
    #[serde(default)]
    pub(crate) no_effect: bool,
}

/// What is to be done about files that this program does not write.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherFile {
    /// Ends or parts of their names, of their paths where they end in `/`; of all files where it is empty.
    #[serde(default)]
    of: Vec<String>,
    advice: String,
}

/// An option of nvcc, or a word of CMake.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BuildWord {
    /// An argument follows.
    pub takes: bool,
    /// Other programs have it as well.
    pub shared: bool,
    /// What stands in its place, `{}` for the argument; `None` when there is nothing like it.
    pub becomes: Option<String>,
    /// What stands in its place in an extension of PyTorch, where it is not the same.
    pub extension: Option<String>,
    /// What a person must look at.
    pub review: String,
    /// What to do where nothing is like it.
    pub advice: String,
    /// The target that a command of FindCUDA links, behind the argument that it takes.
    pub links: String,
    /// Its value is a program, a library or a folder of CUDA: who sets it from outside of the list says nothing about HIP.
    pub of_toolkit: bool,
}

/// How nvcc reads one of its options.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NvccOption {
    /// Other names than the long one.
    pub short: Vec<String>,
    /// An argument follows, behind `=` or a blank.
    pub takes: bool,
    /// The argument may follow a short name at once: `-O3`.
    pub attached: bool,
}

/// A program of NVIDIA's toolkit or driver that people call.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NvidiaTool {
    /// The words that its command line may begin with, options aside.
    pub(crate) verbs: Vec<String>,
    /// Who does its work on AMD.
    pub(crate) advice: String,
}

/// A library to link.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BuildLibrary {
    /// Key of the table whose counterpart it is.
    library: String,
    link: Option<String>,
    /// Imported target of CMake; empty when its package has none.
    pub target: String,
    /// What `find_package` finds it by; empty when there is none.
    pub package: String,
    /// What to do where nothing is like it.
    pub advice: String,
}

impl BuildTable {
    /// The table that is compiled in.
    pub fn builtin() -> &'static Self {
        static TABLE: LazyLock<BuildTable> = LazyLock::new(|| {
            toml::from_str(include_str!("../../mappings/build.toml"))
                .expect("the compiled-in table of build files is valid, a test reads it")
        });
        &TABLE
    }

    /// The option `-name` or `--name`, and whether its argument belongs to it: it takes one, or the row is about this one.
    pub fn option(&self, option: &str, value: &str) -> Option<(&BuildWord, bool)> {
        let name = option.trim_start_matches('-');
        let dashes = option.len() - name.len();
        if dashes == 0 || dashes > 2 {
            return None;
        }
        let with_value = self.options.get(&format!("{name}={value}"));
        with_value.map(|word| (word, true)).or_else(|| {
            let named = self.options.get(name).or_else(|| self.options.get(option));
            let attached = || Some((self.with_number(option)?, false));
            named.map(|word| (word, word.takes)).or_else(attached)
        })
    }

    /// The option of a short name that a number follows at once: `-t4`.
    fn with_number(&self, option: &str) -> Option<&BuildWord> {
        let short = option.trim_end_matches(|it: char| it.is_ascii_digit());
        let is_attached = |name: &str| self.nvcc_attached().any(|(short, _)| short == name);
        let has_number =
            short.len() < option.len() && short.strip_prefix('-').is_some_and(is_attached);
        self.options.get(short).filter(|_| has_number)
    }

    /// All options, by name without dashes.
    pub fn options(&self) -> impl Iterator<Item = (&str, &BuildWord)> {
        self.options
            .iter()
            .map(|(name, word)| (name.as_str(), word))
    }

    /// The option of nvcc's command line with a name, without dashes, long or short; with its long name.
    pub fn nvcc(&self, name: &str) -> Option<(&str, &NvccOption)> {
        let long = self.nvcc.get_key_value(name);
        let is_named = |option: &NvccOption| option.short.iter().any(|short| short == name);
        let found = long.or_else(|| self.nvcc.iter().find(|(_, option)| is_named(option)));
        found.map(|(long, option)| (long.as_str(), option))
    }

    /// The options of nvcc whose argument may follow a short name at once, with that name and their long one.
    pub(crate) fn nvcc_attached(&self) -> impl Iterator<Item = (&str, &str)> {
        let attached = self.nvcc.iter().filter(|(_, option)| option.attached);
        attached.flat_map(|(long, option)| {
            let short = option.short.iter().map(String::as_str);
            let own = (long.len() == 1).then_some(long.as_str());
            short.chain(own).map(move |short| (short, long.as_str()))
        })
    }

    /// All libraries, by name.
    pub fn libraries(&self) -> impl Iterator<Item = (&str, &BuildLibrary)> {
        self.libraries
            .iter()
            .map(|(name, library)| (name.as_str(), library))
    }

    /// The library by its name, `cublas`.
    pub fn library(&self, name: &str) -> Option<&BuildLibrary> {
        self.libraries.get(name)
    }

    /// The package of CMake by its name, in whatever case: of CUDNN there are three.
    pub fn package(&self, name: &str) -> Option<&BuildLibrary> {
        let mut all = self.packages.iter();
        all.find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, package)| package)
    }

    /// The program of NVIDIA's that a command calls by its name or its path, with its name: `/usr/local/cuda/bin/nsys`.
    pub(crate) fn tool(&self, command: &str) -> Option<(&str, &NvidiaTool)> {
        let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let (name, tool) = self.tools.get_key_value(name)?;
        Some((name.as_str(), tool))
    }

    /// What is to be done about a file that this program does not write, by its path, `{image}` for AMD's image.
    pub(crate) fn advice_for(&self, path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_of = |part: &String| match part.ends_with('/') {
            true => path.contains(part),
            false => name.contains(part),
        };
        let mut rows = self.elsewhere.iter();
        let row = rows.find(|row| row.of.is_empty() || row.of.iter().any(is_of));
        row.map_or("", |row| &row.advice)
    }

    /// What is to be done about a word of a container file that names no image.
    pub(crate) fn image_word(&self, word: &str) -> Option<&ImageWord> {
        let word = word.to_ascii_lowercase();
        let fits = |of: &String| match of.strip_prefix('*') {
            Some(part) => word.contains(part),
            None => word.starts_with(of.as_str()),
        };
        let mut rows = self.image_words.iter();
        rows.find(|row| row.of.iter().any(fits))
    }

    /// What is to be done about a package of Python that a command installs, by its name, its requirement or its file, `{rocm}` for the
    /// release: `flash_attn-2.5.8+cu122-cp310.whl`.
    pub(crate) fn advice_for_package(&self, package: &str) -> Option<&str> {
        self.installed(package).map(|row| row.advice.as_str())
    }

    /// Whether what PyPI has of a package is for CUDA alone, though its name does not say so: `vllm==0.11`, `transformer_engine[pytorch]`.
    pub(crate) fn is_for_cuda_alone(&self, package: &str) -> bool {
        self.installed(package).is_some_and(|row| row.for_cuda)
    }

    /// The packages of which that is so, of some only in old releases.
    pub(crate) fn for_cuda_alone(&self) -> impl Iterator<Item = &str> {
        let rows = self.installs.iter().filter(|row| row.for_cuda);
        rows.flat_map(|row| row.of.iter().map(String::as_str))
    }

    /// Whether an address is that of a source for CUDA alone: `git+https://github.com/NVIDIA/apex.git@master`,
    /// `git@github.com:NVIDIA/apex`.
    pub(crate) fn is_source_for_cuda(&self, address: &str) -> bool {
        self.of_source(&address.to_ascii_lowercase()).is_some()
    }

    /// The repositories with such a source.
    pub(crate) fn sources_for_cuda(&self) -> impl Iterator<Item = &str> {
        self.installs
            .iter()
            .flat_map(|row| row.sources.iter().map(String::as_str))
    }

    fn of_source(&self, address: &str) -> Option<&Installed> {
        let (_, repository) = address.split_once("github.com")?;
        let repository = repository.strip_prefix(['/', ':'])?;
        let is_of = |name: &String| {
            let behind = repository.strip_prefix(name.as_str());
            let is_end =
                |letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '_';
            behind.is_some_and(|rest| rest.chars().next().is_none_or(is_end))
        };
        self.installs
            .iter()
            .find(|row| row.sources.iter().any(is_of))
    }

    fn installed(&self, package: &str) -> Option<&Installed> {
        let package = package.to_ascii_lowercase();
        if package.contains("://") || package.contains("git@") {
            return self.of_source(&package);
        }
        let package = package.replace('_', "-");
        let is_of = |name: &String| {
            let behind = package.strip_prefix(name.as_str());
            behind.is_some_and(|rest| {
                let mut rest = rest.chars();
                match rest.next() {
                    Some('-') => rest.next().is_some_and(|it| it.is_ascii_digit()),
                    next => next.is_none_or(|it| !it.is_ascii_alphanumeric() && it != '.'),
                }
            })
        };
        let mut rows = self.installs.iter();
        rows.find(|row| row.of.iter().any(is_of) && row.is_of_release(&package))
    }

    /// The repository of AMD's images with the program that an image of NVIDIA's has: `rocm/pytorch` for `nvcr.io/nvidia/pytorch`.
    pub(crate) fn image_with(&self, repository: &str) -> Option<&str> {
        let is_of = |end: &String| {
            let above = repository.strip_suffix(end.as_str());
            above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
        };
        let mut rows = self.images.iter();
        let row = rows.find(|row| row.of.iter().any(is_of));
        row.map(|row| row.amd.as_str())
    }

    /// A word of CMake, and what it becomes: a key with `*` stands for all that begins so, and keeps the rest.
    pub fn cmake(&self, word: &str) -> Option<(&BuildWord, Option<String>)> {
        if let Some(entry) = self.cmake.get(word) {
            return Some((entry, entry.becomes.clone()));
        }
        let (key, entry) = self
            .cmake
            .range(..=format!("{word}*"))
            .rfind(|(key, _)| key.ends_with('*') && word.starts_with(key.trim_end_matches('*')))?;
        let rest = &word[key.len() - 1..];
        Some((
            entry,
            entry.becomes.as_ref().map(|start| format!("{start}{rest}")),
        ))
    }

    /// The variable of the language HIP that has the same values as one of the language CUDA.
    pub(crate) fn hip_variable(&self, name: &str) -> Option<String> {
        let (word, becomes) = self.cmake(name)?;
        becomes.filter(|becomes| !word.of_toolkit && becomes.starts_with("CMAKE_HIP_"))
    }
}

impl BuildLibrary {
    /// The linker's options for it on AMD, blanks between them; `None` when there is nothing like it.
    pub fn link(&self, choices: &Choices) -> Option<String> {
        let known = library::find(&self.library).map(|library| {
            let is_roc = choices.of(library.key) == LibraryVendor::Roc;
            let flags = if is_roc && !library.roc_link.is_empty() {
                library.roc_link
            } else {
                library.link
            };
            flags.join(" ")
        });
        let named = || {
            let link = self.link.as_ref()?;
            let dash = if link.is_empty() { "" } else { "-l" };
            Some(format!("{dash}{link}"))
        };
        known.or_else(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_by_one_dash_or_two_and_by_their_value() {
        let table = BuildTable::builtin();
        let becomes = |option: &str, value: &str| {
            let (found, _) = table.option(option, value)?;
            found.becomes.clone()
        };
        assert_eq!(
            becomes("-use_fast_math", "").as_deref(),
            Some("-ffast-math")
        );
        assert_eq!(becomes("--rdc", "true").as_deref(), Some("-fgpu-rdc"));
        assert_eq!(becomes("-rdc", "false").as_deref(), Some(""));
        assert_eq!(becomes("-dc", "").as_deref(), Some("-fgpu-rdc -c"));
        assert!(table.option("dc", "").is_none() && table.option("---keep", "").is_none());
    }

    /// Options of nvcc that clang has by the same names, long or short, and with the same meaning.
    #[rustfmt::skip]
    const SAME: &[&str] = &[
        "preprocess", "compile", "define-macro", "undefine-macro", "include-path", "system-include", "library-path", "library",
        "profile", "debug", "optimize", "shared", "std", "ftemplate-backtrace-limit", "ftemplate-depth", "machine", "m32", "m64", "x", "verbose",
        "save-temps", "Werror", "Wno-deprecated-declarations", "relocatable-link", "frandom-seed", "help", "version",
        // Architectures are read by themselves, with the chips that they name.
        "gpu-architecture", "gpu-code", "generate-code",
    ];

    #[test]
    fn releases_are_compared_by_their_numbers() {
        assert_eq!(numbers_of("2.5.9.post1+cu122"), [2, 5, 9]);
        assert_eq!(numbers_of("0.08rc1"), [0, 8]);
        assert_eq!(numbers_of("2.*"), [2]);
        assert_eq!(named_release("kit==1.2"), Some("1.2"));
        assert_eq!(named_release("kit <= 1.2"), Some("1.2"));
        assert_eq!(named_release("kit>=1.2"), None);
        assert_eq!(named_release("kit"), None);
    }

    #[test]
    fn every_option_of_nvcc_has_a_row_or_is_clangs_as_well() {
        let table = BuildTable::builtin();
        let has_row = |name: &str| {
            let mut all = table.options.keys();
            all.any(|key| key.trim_start_matches('-').split('=').next() == Some(name))
        };
        let lacks =
            |(long, _): &(&String, &NvccOption)| !has_row(long) && !SAME.contains(&long.as_str());
        let without: Vec<_> = table
            .nvcc
            .iter()
            .filter(lacks)
            .map(|(long, _)| long)
            .collect();
        assert_eq!(without, [""; 0]);
        assert!(
            SAME.iter().all(|name| table.nvcc(name).is_some()),
            "each is nvcc's"
        );
        let becomes = |option: &str| table.option(option, "").map(|(word, _)| &word.becomes);
        assert_eq!(becomes("-t4"), becomes("-t"));
        assert!(becomes("-G4").is_none() && becomes("-t4x").is_none());
    }

    #[test]
    fn each_file_gets_the_advice_of_the_first_row_that_fits() {
        let table = BuildTable::builtin();
        let last = table.elsewhere.last().expect("there are rows");
        assert!(last.of.is_empty(), "no file is without advice");
        let advice = |path: &str| table.advice_for(path);
        assert_eq!(advice("BUILD.bazel"), last.advice);
        assert_eq!(advice("docker/Dockerfile.cuda"), advice("Containerfile"));
        assert!(advice(".github/workflows/a.yml").contains("{image}"));
        // A folder of that name is none of its files.
        assert_eq!(advice("meson/BUILD"), last.advice);
    }

    #[test]
    fn every_row_says_what_to_do() {
        let table = BuildTable::builtin();
        for (key, word) in table.options.iter().chain(&table.cmake) {
            assert_eq!(word.becomes.is_none(), !word.advice.is_empty(), "{key}");
        }
        for (key, library) in &table.libraries {
            let known = library.library.is_empty() || library::find(&library.library).is_some();
            assert!(known, "{key}");
            let link = library.link(&Choices::default());
            assert_eq!(link.is_none(), !library.advice.is_empty(), "{key}");
        }
        for (key, package) in &table.packages {
            assert_eq!(
                package.package.is_empty(),
                !package.advice.is_empty(),
                "{key}"
            );
            assert_eq!(
                package.package.is_empty(),
                package.target.is_empty(),
                "{key}"
            );
        }
        let (_, becomes) = table.cmake("CMAKE_CUDA_FLAGS_RELEASE").expect("a row");
        assert_eq!(becomes.as_deref(), Some("CMAKE_HIP_FLAGS_RELEASE"));
    }
}
