//! The words of C++ by what they do in a declaration or a statement. Every list of keywords stands here: what a word may be is one answer
//! for all who ask.
//!
//! From the C++20 standard, `[lex.key]`, `[lex.name]` for `override` and `final`, `[lex.digraph]` for `and` and the like; the reserved
//! form is that of `[reserved.names]`, which compilers and CUDA use for words of their own.

/// Whether a word has the form `__name__` that compilers and CUDA keep for themselves: `__restrict__`, `__device__`.
pub(crate) fn is_reserved_form(word: &[u8]) -> bool {
    word.starts_with(b"__") && word.ends_with(b"__")
}

/// Whether a word can be nobody's name: a keyword of C++ or another spelling of an operator.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    is_builtin_type(word)
        || is_cv(word)
        || is_type_key(word)
        || is_access(word)
        || is_specifier(word)
        || takes_operand(word)
        || takes_condition(word)
        || is_jump(word)
        || is_alternative_operator(word)
        || matches!(
            word,
            b"alignas"
                | b"alignof"
                | b"asm"
                | b"concept"
                | b"const_cast"
                | b"decltype"
                | b"default"
                | b"dynamic_cast"
                | b"export"
                | b"false"
                | b"namespace"
                | b"noexcept"
                | b"nullptr"
                | b"operator"
                | b"reinterpret_cast"
                | b"requires"
                | b"static_assert"
                | b"static_cast"
                | b"template"
                | b"this"
                | b"true"
                | b"try"
                | b"typeid"
                | b"typename"
                | b"using"
        )
}

/// Whether a word is a keyword or of the reserved form, so that it names nothing of a program: it qualifies nothing in front of `::`.
pub(crate) fn is_no_name(word: &[u8]) -> bool {
    is_reserved_form(word) || is_keyword(word)
}

/// Whether a word can stand for a whole type or a part of it: a name, or a keyword that only types have.
pub(crate) fn may_name_type(word: &[u8]) -> bool {
    is_builtin_type(word) || !is_no_name(word)
}

/// Whether a keyword names a type of the language or a part of one: `unsigned`, `long`, `auto`.
pub(crate) fn is_builtin_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"auto"
            | b"bool"
            | b"char"
            | b"char16_t"
            | b"char32_t"
            | b"char8_t"
            | b"double"
            | b"float"
            | b"int"
            | b"long"
            | b"short"
            | b"signed"
            | b"unsigned"
            | b"void"
            | b"wchar_t"
    )
}

/// Whether a word is `const` or `volatile`.
pub(crate) fn is_cv(word: &[u8]) -> bool {
    matches!(word, b"const" | b"volatile")
}

/// Whether a word is one of the spellings of C's `restrict`.
pub(crate) fn is_restrict(word: &[u8]) -> bool {
    matches!(word, b"restrict" | b"__restrict" | b"__restrict__")
}

/// Whether a word in front of a type says how a variable is kept, and nothing about the device.
pub(crate) fn is_storage(word: &[u8]) -> bool {
    matches!(word, b"static" | b"const" | b"mutable")
}

/// Whether a keyword opens a class: `[class.pre]`.
pub(crate) fn is_class_key(word: &[u8]) -> bool {
    matches!(word, b"class" | b"struct" | b"union")
}

/// The keywords that stand in front of the name of a class or an enumeration, but for `union`.
pub(crate) fn type_keys() -> &'static [&'static str] {
    &["class", "enum", "struct"]
}

/// Whether a keyword stands in front of the name of a class or an enumeration.
pub(crate) fn is_type_key(word: &[u8]) -> bool {
    is_class_key(word) || word == b"enum"
}

/// Whether a word introduces the name behind it, which is then nobody else's: `struct x`, `namespace x`, `using x`.
pub(crate) fn introduces_name(word: &[u8]) -> bool {
    is_type_key(word) || matches!(word, b"concept" | b"namespace" | b"typename" | b"using")
}

/// Whether a keyword says who may use a member.
pub(crate) fn is_access(word: &[u8]) -> bool {
    matches!(word, b"private" | b"protected" | b"public")
}

/// Whether a keyword says how something is declared and is no part of its type: `static`, `constexpr`, `friend`.
pub(crate) fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"consteval"
            | b"constexpr"
            | b"constinit"
            | b"explicit"
            | b"extern"
            | b"friend"
            | b"inline"
            | b"mutable"
            | b"register"
            | b"static"
            | b"thread_local"
            | b"typedef"
            | b"virtual"
    )
}

/// Whether a word beside a type leaves the type what it is: `const`, `static`, `__restrict__`, `__shared__`.
pub(crate) fn is_qualifier(word: &[u8]) -> bool {
    is_cv(word) || is_restrict(word) || is_specifier(word) || is_reserved_form(word)
}

/// Whether an operand or a statement stands behind a keyword, so that what follows declares nothing: `return x`, `new T`, `else f()`.
pub(crate) fn takes_operand(word: &[u8]) -> bool {
    matches!(
        word,
        b"case"
            | b"co_await"
            | b"co_return"
            | b"co_yield"
            | b"delete"
            | b"do"
            | b"else"
            | b"goto"
            | b"new"
            | b"return"
            | b"sizeof"
            | b"throw"
    )
}

/// Whether a word in front of a name is neither its type nor a part of it, as `return` and `typename` are.
pub(crate) fn is_no_part_of_type(word: &[u8]) -> bool {
    takes_operand(word) || matches!(word, b"namespace" | b"operator" | b"typename" | b"using")
}

/// Whether what a word begins declares no variable or type of its own: `return x`, `using std::x`, `template <class x>`.
pub(crate) fn declares_no_object(word: &[u8]) -> bool {
    takes_operand(word) || matches!(word, b"friend" | b"namespace" | b"template" | b"using")
}

/// Whether parentheses that are no parameters and a statement stand behind a keyword: `if (…)`.
pub(crate) fn takes_condition(word: &[u8]) -> bool {
    is_loop_with_condition(word) || matches!(word, b"catch" | b"if" | b"switch")
}

/// Whether a keyword starts a loop.
pub(crate) fn starts_loop(word: &[u8]) -> bool {
    is_loop_with_condition(word) || word == b"do"
}

fn is_loop_with_condition(word: &[u8]) -> bool {
    matches!(word, b"for" | b"while")
}

/// Whether what stands behind a statement with this keyword is not run next.
pub(crate) fn is_jump(word: &[u8]) -> bool {
    matches!(
        word,
        b"break" | b"co_return" | b"continue" | b"goto" | b"return" | b"throw"
    )
}

/// Whether a word may stand between the parameters of a function and its body or result.
pub(crate) fn is_behind_parameters(word: &[u8]) -> bool {
    is_cv(word)
        || is_reserved_form(word)
        || matches!(
            word,
            b"constexpr" | b"final" | b"mutable" | b"noexcept" | b"override"
        )
}

/// Whether a word says of what a class declares that it is no member of its objects with a value: `static`, `using`, `operator`.
pub(crate) fn is_of_no_object(word: &[u8]) -> bool {
    matches!(
        word,
        b"constexpr"
            | b"enum"
            | b"friend"
            | b"operator"
            | b"static"
            | b"template"
            | b"typedef"
            | b"using"
    )
}

/// Whether the parentheses behind a word of a declaration belong to the word: they hold no parameters, and it is no call.
pub(crate) fn is_attribute(word: &[u8]) -> bool {
    matches!(
        word,
        b"__align__"
            | b"__attribute__"
            | b"__cluster_dims__"
            | b"__declspec"
            | b"__launch_bounds__"
            | b"alignas"
            | b"decltype"
            | b"noexcept"
            | b"requires"
    )
}

/// Whether a word may stand between `asm` and its parentheses.
pub(crate) fn is_asm_qualifier(word: &[u8]) -> bool {
    let is_compilers = matches!(word, b"__inline__" | b"__volatile" | b"__volatile__");
    is_compilers || is_cv(word) || matches!(word, b"goto" | b"inline")
}

fn is_alternative_operator(word: &[u8]) -> bool {
    matches!(
        word,
        b"and"
            | b"and_eq"
            | b"bitand"
            | b"bitor"
            | b"compl"
            | b"not"
            | b"not_eq"
            | b"or"
            | b"or_eq"
            | b"xor"
            | b"xor_eq"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[lex.key]` and `[lex.digraph]` of C++20, in the standard's order.
    const ALL: &str = "alignas alignof asm auto bool break case catch char char8_t char16_t char32_t class concept const consteval \
        constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum \
        explicit export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private \
        protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch \
        template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while \
        and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq";

    #[test]
    fn every_keyword_of_the_language_is_one() {
        assert_eq!(ALL.split_whitespace().count(), 92);
        for word in ALL.split_whitespace() {
            assert!(is_keyword(word.as_bytes()), "{word}");
        }
        for word in [
            "x",
            "override",
            "final",
            "cudaMalloc",
            "__device__",
            "int32_t",
            "asm_",
            "",
        ] {
            assert!(!is_keyword(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn words_are_told_apart_by_what_they_do() {
        type Question = fn(&[u8]) -> bool;
        let questions: &[(Question, &str, &str)] = &[
            (
                is_reserved_form,
                "__device__ __restrict__",
                "__restrict device__",
            ),
            (is_no_name, "return __host__ this", "cub x"),
            (
                may_name_type,
                "T unsigned auto cudaError_t",
                "return const __device__ static",
            ),
            (
                is_qualifier,
                "const static __shared__ __restrict mutable",
                "int std T",
            ),
            (introduces_name, "struct namespace using", "const typedef"),
            (takes_operand, "return new sizeof else", "if int break"),
            (
                is_no_part_of_type,
                "return typename operator",
                "const static int",
            ),
            (takes_condition, "if while catch", "do return"),
            (starts_loop, "for while do", "if switch"),
            (is_jump, "return goto continue", "else __trap"),
            (
                is_behind_parameters,
                "const noexcept override __host__",
                "static try",
            ),
            (
                is_attribute,
                "alignas __launch_bounds__ noexcept",
                "__device__ f",
            ),
        ];
        for (question, yes, no) in questions {
            let holds = |words: &str, wanted: bool| {
                words
                    .split(' ')
                    .all(|word| question(word.as_bytes()) == wanted)
            };
            assert!(holds(yes, true), "{yes}");
            assert!(holds(no, false), "{no}");
        }
    }
}
