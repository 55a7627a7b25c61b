//! One home for each thing, and what stands nowhere.

use crate::{code_lines, sources};

/// What only some places may do, and where: folders or files below `src/`.
const RESERVED: &[(&str, &[&str])] = &[
    // Pack and manifest of an output are made side by side at the end of a run.
    (
        "rayon::",
        &[
            "pipeline/",
            "cli/input.rs",
            "port/memory.rs",
            "bench/course.rs",
            "bench/translator.rs",
            "trial/run.rs",
        ],
    ),
    // A command that runs is looked at from time to time.
    ("std::thread", &["pipeline/", "cli/", "verify/execute.rs"]),
    // Facts about chips are rows of mappings/chips.toml; one chip may be a default.
    (
        "\"gfx",
        &[
            "mapping/chip.rs",
            "mapping/chip_table.rs",
            "cli/args/bench.rs",
            "cli/args/pairs.rs",
            "cli/args/trial.rs",
            // How their names begin, not what they are.
            "python/guard.rs",
            "verify/",
        ],
    ),
    // Literals of C++ have one reader; PTX, hashes, escapes and addresses have others.
    (
        "from_str_radix",
        &["text/number.rs", "ptx/", "lsp/", "pairs/", "port/"],
    ),
    // Where a line starts and ends, and whether a range has lines of its own: text/whole_lines.rs. The others read lines one by one.
    (
        "rchr(b'\\n'",
        &[
            "text/",
            "engine/changed_lines.rs",
            "pairs/dedup.rs",
            "syntax/tree.rs",
        ],
    ),
    (
        "::memchr(b'\\n'",
        &[
            "text/",
            "engine/changed_lines.rs",
            "pairs/dedup.rs",
            "project/file/plain.rs",
            "rules/context.rs",
            "syntax/word_lexer.rs",
        ],
    ),
    // Numbers of C++ are read by text/number.rs; these are of TOML and of CMake.
    (
        ".parse::<u",
        &[
            "text/number.rs",
            "mapping/chip_table.rs",
            "build/cmake_release.rs",
        ],
    ),
    // Which branches there are, and who compiles them, is asked of `Document::branches` and `Guards`, and of a directive what it does
    // by `DirectiveKind`'s questions. This looks for one form of directive.
    (
        "DirectiveKind::If",
        &[
            "syntax/",
            "cpp/nvcc_pragmas.rs",
            "rules/dialect/standard_header.rs",
        ],
    ),
    // Which macros are defined, and what keeps a header from being read twice: syntax/macros.rs.
    (
        "DirectiveKind::Define",
        &["syntax/", "rules/dialect/standard_header.rs"],
    ),
    (
        "DirectiveKind::Endif",
        &[
            "syntax/",
            "analysis/include_place.rs",
            "cpp/nvcc_pragmas.rs",
        ],
    ),
    ("fn include_guard(", &["syntax/macros.rs"]),
    // The call or parentheses around a place: cpp/calls.rs; the others ask for a scope and for a call of some names.
    (
        "fn enclosing",
        &[
            "cpp/calls.rs",
            "syntax/scope.rs",
            "rules/cooperative_groups/cg_collective.rs",
        ],
    ),
    ("fn template_arguments", &["cpp/calls.rs"]),
    ("fn trusted_call", &["cpp/calls.rs"]),
    // What becomes of a word is asked in one place: of the tables by `is_left_to_tables`, which knows what rules edit.
    (".rules.edits(", &["analysis/rename/text.rs"]),
    ("println!(", &[]),
    ("process::exit", &["cli/"]),
    ("std::env::", &["cli/", "main.rs"]),
    ("fs::write(", &["emit/"]),
    ("File::create(", &["emit/"]),
    ("use clap::{Args", &["cli/"]),
    ("clap::Parser", &["cli/"]),
    (
        "anyhow",
        &[
            "cli/",
            "config/",
            "emit/",
            "pipeline/walk.rs",
            "pipeline/changed.rs",
            "pipeline/git.rs",
            "port/memory.rs",
            "port/noted.rs",
            "mapping/overlay.rs",
            "nvcc/cache.rs",
            "nvcc/toolkit.rs",
            "lsp/",
            "pairs/compile.rs",
            "verify/",
        ],
    ),
];

#[test]
fn some_things_are_done_in_one_place() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (what, places) in RESERVED {
            let is_there = code_lines(&text).any(|line| line.contains(what));
            if is_there && !places.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!(
                    "src/{path} has `{what}`, which belongs to {places:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_unwrapped_or_left_undone() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for what in [".unwrap()", "todo!(", "unimplemented!(", "dbg!("] {
            if code_lines(&text).any(|line| line.contains(what)) {
                wrong.push(format!("src/{path} has `{what}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Keywords of C++ that lists are made of. Names of built-in types are left out: tables of types stand with what they tell of them.
const KEYWORDS: &[&str] = &[
    "case",
    "catch",
    "class",
    "concept",
    "const",
    "constexpr",
    "continue",
    "delete",
    "do",
    "else",
    "enum",
    "explicit",
    "extern",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "throw",
    "typedef",
    "typename",
    "union",
    "using",
    "virtual",
    "volatile",
    "while",
];

/// Files with lists of words that are keywords of another language.
const OTHER_LANGUAGES: &[&str] = &[
    // CMake.
    "build/dual.rs",
    "build/cmake.rs",
    // Directives.
    "syntax/directive.rs",
    // Shells: what stands in front of a command.
    "rules/build_files/nvidia_tool.rs",
];

/// The longest run of keywords among string literals that only `|`, commas and blanks part.
fn keywords_in_a_row(text: &str) -> usize {
    let code: String = code_lines(text).collect::<Vec<_>>().join("\n");
    let (mut longest, mut run) = (0, 0);
    for (position, part) in code.split('"').enumerate() {
        if position % 2 == 1 {
            run += usize::from(KEYWORDS.contains(&part));
        } else if !part.chars().all(|sign| " \n|,b&".contains(sign)) {
            run = 0;
        }
        longest = longest.max(run);
    }
    longest
}

#[test]
fn lists_of_keywords_stand_in_one_place() {
    let home = "text/keywords.rs";
    let lists: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| path != home && !OTHER_LANGUAGES.contains(&&**path))
        .filter(|(path, _)| !path.starts_with("python/") && !path.starts_with("rules/python/"))
        .filter(|(_, text)| keywords_in_a_row(text) > 2)
        .map(|(path, _)| path)
        .collect();
    assert!(lists.is_empty(), "ask {home} instead: {lists:?}");
}

#[test]
fn a_list_of_keywords_is_seen() {
    for (text, expected) in [
        (
            "matches!(word, b\"const\" | b\"static\"\n    | b\"x\" | b\"volatile\")",
            3,
        ),
        ("const A: &[&str] = &[\"return\", \"else\"];", 2),
        ("doc.is(at, \"const\") || doc.is(at, \"static\")", 1),
        ("// \"const\" | \"static\"", 0),
    ] {
        assert_eq!(keywords_in_a_row(text), expected, "{text}");
    }
}

/// What a run left behind is no part of the project. Files with a dot belong to tools, `target` to cargo.
#[test]
fn the_top_level_holds_what_it_should() {
    const TOP: &[&str] = &[
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "docs",
        "editors",
        "emulator",
        "fixtures",
        "mappings",
        "playground",
        "pyproject.toml",
        "src",
        "target",
        "tests",
        "xtask",
    ];
    let entries = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("it is there");
    let names = entries.map(|it| it.expect("readable").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let is_other = |name: &String| !name.starts_with('.') && !TOP.contains(&name.as_str());
    let others: Vec<String> = names.filter(is_other).collect();
    assert!(others.is_empty(), "to be deleted or named here: {others:?}");
}
