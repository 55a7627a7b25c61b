//! The edits that an error may be mended by, the likeliest first. Each is mechanical: the compiler names it, or only one can be meant.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;

use super::diagnosis::{Diagnosis, FixIt, Span};
use super::headers::Names;
use super::text::{MendedText, Splice};

/// Edits of one file, and why they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    /// Edits of lines.
    pub(super) splices: Vec<Splice>,
    /// A header to include.
    pub(super) header: Option<&'static str>,
    /// The function that is edited, where that is not the place of the error.
    pub(super) function: Option<Function>,
    pub(super) why: String,
}

/// A function by the place of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// Its file, as the compiler says it.
    pub(super) file: PathBuf,
    line: u32,
    column: u32,
    name: String,
}

impl Function {
    /// Whether a text has the function there, with its body.
    pub(super) fn is_defined_in(&self, text: &MendedText) -> bool {
        // Longer heads than this nobody writes.
        const MOST_LINES: u32 = 12;
        let columns = self.column..self.column + self.name.len() as u32;
        let is_named = text.part(self.line, &columns) == Some(&*self.name);
        let mut skipped = columns.end as usize - 1;
        let mut opens = (self.line..self.line + MOST_LINES).filter_map(|line| {
            let bytes = text.any_line(line)?;
            let from = std::mem::take(&mut skipped).min(bytes.len());
            bytes[from..]
                .iter()
                .copied()
                .find(|it| matches!(it, b'{' | b';'))
        });
        is_named && opens.next() == Some(b'{')
    }
}

/// `of type 'float *' with an lvalue of type 'hipDeviceptr_t' (aka 'void *')`.
static INITIALIZE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^cannot initialize .+? of type '([^']+)'(?: \(aka '([^']+)'\))? with an [lrx]+value of type '([^']+)'(?: \(aka '([^']+)'\))?$",
    )
});
static ASSIGN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^assigning to '([^']+)'(?: \(aka '([^']+)'\))? from incompatible type '([^']+)'(?: \(aka '([^']+)'\))?$",
    )
});
static ARGUMENT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:no known conversion from|cannot convert argument of incomplete type) '([^']+)'(?: \(aka '([^']+)'\))? to '([^']+)'(?: \(aka '([^']+)'\))? for ",
    )
});
static OF_HOST: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:no matching function for call to|reference to __host__ function) '(\w+)(?:<.*>)?'(?: in __(?:host__ __)?device__ function)?$",
    )
});
static OVERLOAD: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(__host__|__device__|__host__ __device__) function '(\w+)' cannot overload (__host__|__device__|__host__ __device__) function '",
    )
});
static UNKNOWN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:use of undeclared identifier|unknown type name|no (?:template|type|member) named) '([^']+)'(?: in (?:namespace )?'([^']+)')?$",
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern that the tests use")
}

/// The edits that may mend an error; all are in its file, unless they name a function.
pub(super) fn proposals(error: &Diagnosis, text: &MendedText, names: &Names) -> Vec<Proposal> {
    // What clang only thinks was meant is a guess; what the tables or a header know of the name is none.
    if let Some((said, _)) = error.text.split_once("; did you mean") {
        return by_name(error, said, text, names);
    }
    let by_compiler = by_compiler(error).into_iter();
    let by_name = by_name(error, &error.text, text, names);
    let casts = [
        cast(error, text),
        byte_pointer(error, text),
        for_device(error),
        like_before(error, text),
    ];
    by_compiler
        .chain(by_name)
        .chain(casts.into_iter().flatten())
        .collect()
}

/// Keywords that C++ wants and nvcc's front end does without, and casts that keep what a list did before it was refused.
fn by_compiler(error: &Diagnosis) -> Option<Proposal> {
    let is_keyword =
        error.text.contains("'typename'") || error.text.starts_with("use 'template' keyword");
    let narrowed = error.notes.first();
    let narrowed = narrowed.filter(|note| note.text.starts_with("insert an explicit cast"));
    // Of an argument of a template clang says what lacks, and names no edit.
    if error
        .text
        .starts_with("missing 'typename' prior to dependent type name")
        && error.fixes.is_empty()
    {
        let splice = Splice {
            line: error.line,
            columns: error.column..error.column,
            text: "typename ".to_owned(),
        };
        return Some(Proposal {
            splices: vec![splice],
            header: None,
            function: None,
            why: error.text.clone(),
        });
    }
    let fixes: &[FixIt] = match narrowed {
        Some(note) => &note.fixes,
        None if is_keyword => &error.fixes,
        None => return None,
    };
    let is_here = |fix: &FixIt| fix.file == error.file;
    (!fixes.is_empty() && fixes.iter().all(is_here)).then(|| Proposal {
        splices: fixes.iter().map(of_fix).collect(),
        header: None,
        function: None,
        why: error.text.clone(),
    })
}

fn of_fix(fix: &FixIt) -> Splice {
    Splice {
        line: fix.span.line,
        columns: fix.span.from..fix.span.until,
        text: fix.text.clone(),
    }
}

/// A name of CUDA that the tables know, and a name that some header declares, by what was said of it.
fn by_name(error: &Diagnosis, said: &str, text: &MendedText, names: &Names) -> Vec<Proposal> {
    let Some(parts) = UNKNOWN.captures(said) else {
        return Vec::new();
    };
    let (name, scope) = (&parts[1], parts.get(2).map(|scope| scope.as_str()));
    let why = error.text.clone();
    let mut found = Vec::new();
    let columns = error.column..error.column + name.len() as u32;
    let is_there = text.part(error.line, &columns) == Some(name);
    let splice_columns = columns.clone();
    if let Some(hip) = names.renamed(name).filter(|_| is_there) {
        let splice = Splice {
            line: error.line,
            columns: splice_columns,
            text: hip.to_owned(),
        };
        let mut headers = vec![None];
        headers.extend(names.header(hip).filter(|_| scope.is_none()).map(Some));
        found.extend(headers.into_iter().map(|header| Proposal {
            splices: vec![splice.clone()],
            header,
            function: None,
            why: why.clone(),
        }));
    }
    let declared = match (scope, name) {
        (Some(scope @ ("std" | "cuda")), _) => names.header(&format!("{scope}::{name}")),
        (Some(_), _) => None,
        // The namespace itself is not there: a header that declares what is named of it brings it.
        (None, "cuda") => member_behind(text, error.line, columns.end)
            .and_then(|member| names.header(&format!("cuda::{member}"))),
        (None, _) => names.header(name),
    };
    found.extend(declared.filter(|_| is_there).map(|header| Proposal {
        splices: Vec::new(),
        header: Some(header),
        function: None,
        why,
    }));
    found
}

/// `atomic` of `cuda::atomic`, from the column behind `cuda`.
fn member_behind(text: &MendedText, line: u32, column: u32) -> Option<&str> {
    let behind = text.line(line)?.get(column as usize - 1..)?;
    let member = std::str::from_utf8(behind).ok()?.strip_prefix("::")?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let end = member.find(|it| !is_part(it)).unwrap_or(member.len());
    Some(&member[..end])
}

/// Words for both sides in front of a function of the project's that the device calls and that names no side: nvcc let the call pass.
fn for_device(error: &Diagnosis) -> Option<Proposal> {
    let name = OF_HOST.captures(&error.text)?.get(1)?.as_str();
    let is_it = |text: &str| {
        text.starts_with("candidate ")
            && text.ends_with(" call to __host__ function from __device__ function")
            || text == format!("'{name}' declared here")
    };
    let mut places = error.notes.iter().filter(|note| is_it(&note.text));
    let place = places.next().filter(|_| places.next().is_none())?;
    Some(Proposal {
        splices: vec![Splice {
            line: place.line,
            columns: place.column..place.column,
            text: "__host__ __device__ ".to_owned(),
        }],
        header: None,
        function: Some(Function {
            file: PathBuf::from(&place.file),
            line: place.line,
            column: place.column,
            name: name.to_owned(),
        }),
        why: error.text.clone(),
    })
}

/// The words that a declaration lacks of an earlier one of its function: nvcc takes those of both together.
fn like_before(error: &Diagnosis, text: &MendedText) -> Option<Proposal> {
    let parts = OVERLOAD.captures(&error.text)?;
    let name = &parts[2];
    let columns = error.column..error.column + name.len() as u32;
    let lacking: Vec<&str> = parts[3]
        .split(' ')
        .filter(|word| !parts[1].split(' ').any(|own| own == *word))
        .collect();
    let is_there = text.part(error.line, &columns) == Some(name);
    // A function of the host alone has no words, which says `__host__`.
    let words = match (&parts[1], lacking[..].is_empty()) {
        (_, true) => return None,
        ("__host__", false) => parts[3].to_owned(),
        _ => lacking.join(" "),
    };
    is_there.then(|| Proposal {
        splices: vec![Splice {
            line: error.line,
            columns: error.column..error.column,
            text: format!("{words} "),
        }],
        header: None,
        function: None,
        why: error.text.clone(),
    })
}

/// A cast between pointers of which one is `void *`, or between such a pointer and the integer that CUDA's driver has in its place.
fn cast(error: &Diagnosis, text: &MendedText) -> Option<Proposal> {
    let of_call = || {
        let candidates = error.notes.iter();
        let mut candidates = candidates.filter(|note| note.text.starts_with("candidate "));
        let only = candidates.next().filter(|_| candidates.next().is_none())?;
        let is_call = error.text.starts_with("no matching function for call");
        ARGUMENT.captures(&only.text).filter(|_| is_call)
    };
    let (parts, [to, to_aka, from, from_aka]) = if let Some(parts) = INITIALIZE
        .captures(&error.text)
        .or_else(|| ASSIGN.captures(&error.text))
    {
        (parts, [1, 2, 3, 4])
    } else {
        (of_call()?, [3, 4, 1, 2])
    };
    let plain = |aka: usize, name: usize| {
        parts
            .get(aka)
            .map_or(&parts[name], |it| it.as_str())
            .to_owned()
    };
    let (target, from) = (plain(to_aka, to), plain(from_aka, from));
    let kind = kind_of_cast(&from, &target)?;
    let to = parts[to].to_owned();
    around(error.span?, text, &format!("{kind}<{to}>("), error)
}

fn kind_of_cast(from: &str, to: &str) -> Option<&'static str> {
    const INTEGERS: &[&str] = &["unsigned long", "unsigned long long", "long", "long long"];
    const OF_TEXTURE: &str = "__hip_texture *";
    const OF_SURFACE: &str = "__hip_surface *";
    let (from, to) = (from.trim(), to.trim());
    let is_pointer = |it: &str| it.ends_with('*');
    let is_twice = |it: &str| it.ends_with("**");
    match (from, to) {
        // CUDA's objects are numbers, and some pass one for the other.
        (OF_TEXTURE, OF_SURFACE) | (OF_SURFACE, OF_TEXTURE) => Some("reinterpret_cast"),
        ("void *", to) if is_pointer(to) && to != "void *" => Some("static_cast"),
        (from, "void **") | ("void **", from) if is_twice(from) && from != "void **" => {
            Some("reinterpret_cast")
        }
        ("void *", integer) | (integer, "void *") if INTEGERS.contains(&integer) => {
            Some("reinterpret_cast")
        }
        _ => None,
    }
}

/// Arithmetic on what was a `CUdeviceptr`, an integer of bytes, and is `void *` on AMD.
fn byte_pointer(error: &Diagnosis, text: &MendedText) -> Option<Proposal> {
    const OPEN: &str = "static_cast<char *>(";
    let span = error
        .span
        .filter(|_| error.text == "arithmetic on a pointer to void")?;
    let line = std::str::from_utf8(text.line(span.line)?).ok()?;
    let (before, behind) = (
        line.get(..span.from as usize - 1)?.trim_end(),
        line.get(span.until as usize - 1..)?.trim(),
    );
    // `p += n` takes a value, which a cast is not; what is printed would be printed as a text.
    let takes = |sign: &str| behind.starts_with(sign);
    let is_value = !["+=", "-=", "++", "--"].into_iter().any(takes)
        && !before.ends_with("++")
        && !before.ends_with("--")
        && !line.contains("<<");
    if !is_value {
        return None;
    }
    if !line.contains("auto") {
        return around(span, text, OPEN, error);
    }
    // The type that the sum gives to others stays what it was.
    let is_whole = before.ends_with('=')
        && behind.ends_with(';')
        && behind
            .bytes()
            .filter(|byte| matches!(byte, b';' | b','))
            .count()
            == 1;
    let mut proposal =
        around(span, text, &format!("static_cast<void *>({OPEN}"), error).filter(|_| is_whole)?;
    let end = line.trim_end().len() as u32;
    proposal.splices.push(Splice {
        line: span.line,
        columns: end..end,
        text: ")".to_owned(),
    });
    Some(proposal)
}

/// The edits that put a cast around what an error is about.
fn around(span: Span, text: &MendedText, open: &str, error: &Diagnosis) -> Option<Proposal> {
    text.part(span.line, &(span.from..span.until))
        .filter(|it| !it.trim().is_empty())?;
    let at = |column: u32, text: &str| Splice {
        line: span.line,
        columns: column..column,
        text: text.to_owned(),
    };
    Some(Proposal {
        splices: vec![at(span.from, open), at(span.until, ")")],
        header: None,
        function: None,
        why: error.text.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::diagnoses;
    use super::*;

    /// What the proposals make of a line, each with its header.
    fn mended(line: &str, log: &str) -> Vec<String> {
        let text = MendedText::new(line.as_bytes(), std::iter::once(0..1));
        let names = Names::new();
        let errors = diagnoses(log);
        let made = |proposal: Proposal| {
            let mut text = text.clone();
            text.splice(&proposal.splices).expect("the edits fit");
            let text = String::from_utf8(text.bytes()).expect("it is text");
            match proposal.header {
                Some(header) => format!("<{header}> {text}"),
                None => text,
            }
        };
        proposals(&errors[0], &text, &names)
            .into_iter()
            .map(made)
            .collect()
    }

    #[test]
    fn a_function_is_edited_where_its_body_stands() {
        let text = |lines: &str| MendedText::new(lines.as_bytes(), std::iter::once(0..1));
        let function = Function {
            file: PathBuf::from("a"),
            line: 1,
            column: 5,
            name: "f".to_owned(),
        };
        for (lines, expected) in [
            ("int f(int a)\n{\n", true),
            ("int f(int a) { return a; }\n", true),
            ("int f(int a);\nint g() {\n", false),
            ("int g(int a) {\n", false),
            ("int f(int a)\n", false),
        ] {
            assert_eq!(function.is_defined_in(&text(lines)), expected, "{lines}");
        }
    }

    #[test]
    fn an_error_names_its_edit() {
        for (line, log, expected) in [
            (
                "a.get<int>()",
                "a:1:3: error: use 'template' keyword to treat 'get' as a dependent template name\nfix-it:\"a\":{1:3-1:3}:\"template \"\n",
                &["a.template get<int>()"][..],
            ),
            (
                "inline int f(int a) { return a; }",
                "a:1:12: error: __host__ function 'f' cannot overload __host__ __device__ function 'f'\na:9:30: note: previous declaration is here\n",
                &["inline int __host__ __device__ f(int a) { return a; }"],
            ),
            (
                "__device__ int f(int a) { return a; }",
                "a:1:16: error: __device__ function 'f' cannot overload __host__ __device__ function 'f'\n",
                &["__device__ int __host__ f(int a) { return a; }"],
            ),
            (
                "set<T::Index>(a);",
                "a:1:5:{1:5-1:13}: error: missing 'typename' prior to dependent type name 'T::Index'\n",
                &["set<typename T::Index>(a);"],
            ),
            (
                "load(cuda::memory_order_relaxed)",
                "a:1:6: error: use of undeclared identifier 'cuda'\n",
                &["<cuda/atomic> load(cuda::memory_order_relaxed)"],
            ),
            (
                "load(cuda::memory_order_relaxed)",
                "a:1:12: error: no member named 'memory_order_relaxed' in namespace 'cuda'; did you mean 'std::memory_order_relaxed'?\n",
                &["<cuda/atomic> load(cuda::memory_order_relaxed)"],
            ),
            (
                "api().cuMemUnmap(p, n)",
                "a:1:7: error: no member named 'cuMemUnmap' in 'Api'\n",
                &["api().hipMemUnmap(p, n)"],
            ),
            (
                "memset(a, 0, 1)",
                "a:1:1: error: use of undeclared identifier 'memset'\n",
                &["<cstring> memset(a, 0, 1)"],
            ),
            (
                "std::max(1, 2)",
                "a:1:6: error: no member named 'max' in namespace 'std'\n",
                &["<algorithm> std::max(1, 2)"],
            ),
            (
                "float *q = p;",
                "a:1:8:{1:12-1:13}: error: cannot initialize a variable of type 'float *' with an lvalue of type 'hipDeviceptr_t' (aka 'void *')\n",
                &["float *q = static_cast<float *>(p);"],
            ),
            (
                "read(c.tex);",
                "a:1:6:{1:6-1:11}: error: cannot initialize a parameter of type 'hipTextureObject_t' (aka '__hip_texture *') with an lvalue of type 'hipSurfaceObject_t' (aka '__hip_surface *')\n",
                &["read(reinterpret_cast<hipTextureObject_t>(c.tex));"],
            ),
            (
                "template <class T> T twice(T a) { return a + a; }",
                "b:1:8: error: no matching function for call to 'twice'\na:1:22: note: candidate function not viable: call to __host__ function from __device__ function\n",
                &["template <class T> T __host__ __device__ twice(T a) { return a + a; }"],
            ),
            (
                "two(1, &x)",
                "a:1:8:{1:8-1:10}: error: no matching function for call to 'two'\na:9:6: note: candidate function not viable: no known conversion from 'float **' to 'void **' for 2nd argument\n",
                &["two(1, reinterpret_cast<void **>(&x))"],
            ),
            (
                "auto p = r.ptr() + n;",
                "a:1:18:{1:10-1:17}: error: arithmetic on a pointer to void\n",
                &["auto p = static_cast<void *>(static_cast<char *>(r.ptr()) + n);"],
            ),
            (
                "use(r.ptr() + n);",
                "a:1:13:{1:5-1:12}: error: arithmetic on a pointer to void\n",
                &["use(static_cast<char *>(r.ptr()) + n);"],
            ),
            (
                "out << p + n;",
                "a:1:10:{1:8-1:9}: error: arithmetic on a pointer to void\n",
                &[],
            ),
            (
                "p += n;",
                "a:1:3:{1:1-1:2}: error: arithmetic on a pointer to void\n",
                &[],
            ),
            (
                "hipMaloc(p)",
                "a:1:1: error: use of undeclared identifier 'hipMaloc'; did you mean 'hipMalloc'?\nfix-it:\"a\":{1:1-1:9}:\"hipMalloc\"\n",
                &[],
            ),
            (
                "cudaMalloc(p)",
                "a:1:1: error: use of undeclared identifier 'cudaMalloc'; did you mean 'hipMalloc'?\nfix-it:\"a\":{1:1-1:11}:\"hipMalloc\"\n",
                &["hipMalloc(p)", "<hip/hip_runtime.h> hipMalloc(p)"],
            ),
            // Which of two types is meant nobody knows.
            (
                "float *q = p;",
                "a:1:8:{1:12-1:13}: error: cannot initialize a variable of type 'float *' with an lvalue of type 'int *'\n",
                &[],
            ),
        ] {
            assert_eq!(mended(line, log), expected, "{log}");
        }
    }
}
