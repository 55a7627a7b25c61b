//! Whole modules of PTX, what `nvcc -ptx` writes, as HIP C++: each kernel and device function one of C++, each variable one of its kind.

mod body;
mod parse;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use self::body::Body;
use self::parse::{Head, blanked, parse};
use self::variables::{is_kept, of_parameter};
use super::memory::ANY;
use super::request::{ModuleOptions, Obstacle};
use super::symbol::{Space, Symbol, Symbols};

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `.entry`: hipModuleGetFunction finds it.
    pub is_kernel: bool,
    /// Where it stands in the module.
    pub at: usize,
    /// What stands in the way, each with its place; empty where it is written.
    pub obstacles: Vec<(usize, Obstacle)>,
}

/// How a module is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// `.version`.
    pub version: String,
    /// `.target`.
    pub target: String,
    /// Its functions, without those that are declared alone.
    pub functions: Vec<Function>,
    /// What is not translated outside of functions, each with its place.
    pub obstacles: Vec<(usize, Obstacle)>,
    /// What a person must look at, once each.
    pub reviews: BTreeSet<String>,
}

/// A module in C++.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// What was read of it.
    pub reading: Reading,
    /// The C++, without the includes that it needs.
    pub text: String,
}

/// Whether a text is a module of PTX: it begins with its version.
pub(crate) fn is_module(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let head = blanked(&String::from_utf8_lossy(head));
    let mut words = head.split_whitespace();
    words.next() == Some(".version") && words.next().is_some()
}

/// Translates a module. What cannot be is left out, and named.
pub(crate) fn translate_module(text: &str, options: ModuleOptions) -> Translated {
    let text = blanked(text);
    let parsed = parse(&text);
    let mut module = Module::default();
    for (at, variable) in &parsed.variables {
        module.variable(*at, variable);
    }
    for (at, word) in &parsed.unknown {
        let advice = "This directive has no counterpart in HIP.".to_owned();
        module
            .reading
            .obstacles
            .push((*at, Obstacle::new(word, advice)));
    }
    for head in &parsed.functions {
        let symbol = Symbol {
            name: variables::plain_name(head.name),
            space: Space::Generic,
            scalar: None,
            is_address: true,
        };
        module.symbols.insert(head.name.to_owned(), symbol);
    }
    let defined = parsed.functions.iter().filter(|head| head.body.is_some());
    let mut bodies: Vec<Written<'_>> = defined
        .map(|head| written(head, &text, &module.symbols, options))
        .collect();
    leave_out_callers(&mut bodies);
    module.reading.version = parsed.version.to_owned();
    module.reading.target = parsed.target.to_owned();
    let text = module.text(&parsed.functions, &bodies);
    for body in bodies {
        module.reading.reviews.extend(body.body.reviews);
        module.reading.functions.push(Function {
            name: body.head.name.to_owned(),
            is_kernel: body.head.is_kernel,
            at: body.head.at,
            obstacles: body.body.obstacles,
        });
    }
    Translated {
        reading: module.reading,
        text,
    }
}

/// A function with its body in C++.
struct Written<'t> {
    head: &'t Head<'t>,
    body: Body,
}

fn written<'t>(
    head: &'t Head<'t>,
    text: &str,
    symbols: &Symbols,
    options: ModuleOptions,
) -> Written<'t> {
    let source = head.body.unwrap_or_default();
    // The body is a part of the text.
    let offset = source.as_ptr() as usize - text.as_ptr() as usize;
    let mut body = Body::of(head, source, symbols, options);
    for (at, _) in &mut body.obstacles {
        *at += offset;
    }
    if let Some(word) = head.unknown {
        let advice = "This directive has no counterpart in HIP.".to_owned();
        let obstacle = Obstacle::new(&format!(".{word}"), advice);
        body.obstacles.push((head.at, obstacle));
    }
    let of_types = head.parameters.iter().chain(&head.result);
    if of_types
        .into_iter()
        .any(|it| of_parameter(it, true).is_none())
    {
        let advice = "A parameter has a type that HIP lacks.".to_owned();
        body.obstacles
            .push((head.at, Obstacle::new(".param", advice)));
    }
    Written { head, body }
}

/// Leaves out what calls a function that is left out, directly or not.
fn leave_out_callers(bodies: &mut [Written<'_>]) {
    let mut callers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (position, it) in bodies.iter().enumerate() {
        for called in &it.body.calls {
            callers.entry(called.clone()).or_default().push(position);
        }
    }
    let is_out = |it: &Written<'_>| !it.body.obstacles.is_empty();
    let mut open: Vec<usize> = (0..bodies.len())
        .filter(|&at| is_out(&bodies[at]))
        .collect();
    while let Some(position) = open.pop() {
        let name = bodies[position].head.name.to_owned();
        for caller in callers.remove(&name).unwrap_or_default() {
            if !is_out(&bodies[caller]) {
                open.push(caller);
            }
            let advice = format!("The function {name} is left out, and with it what calls it.");
            let at = bodies[caller].head.at;
            bodies[caller]
                .body
                .obstacles
                .push((at, Obstacle::new("call", advice)));
        }
    }
}

/// What is known of a module while it is written.
#[derive(Default)]
struct Module {
    symbols: Symbols,
    declarations: Vec<String>,
    definitions: Vec<String>,
    shared: Vec<String>,
    reading: Reading,
}

impl Module {
    fn variable(&mut self, at: usize, variable: &parse::Variable<'_>) {
        let symbol = variables::symbol(variable);
        let written = match (&symbol, variable.space) {
            (Some(symbol), "shared") => variables::shared(variable, symbol).map(|text| {
                self.shared.push(text);
            }),
            (Some(symbol), _) => {
                variables::global(variable, symbol, &self.symbols).map(|(declared, defined)| {
                    self.declarations.push(declared);
                    self.definitions.extend(defined);
                })
            }
            (None, _) => None,
        };
        match (symbol, written) {
            (Some(symbol), Some(())) => {
                self.symbols.insert(variable.name.to_owned(), symbol);
            }
            _ => {
                let what = variable.unknown.unwrap_or(variable.name);
                let advice = format!("The variable {} has no counterpart in HIP.", variable.name);
                let obstacle = Obstacle::new(what, advice);
                self.reading.obstacles.push((at, obstacle));
            }
        }
    }

    fn text(&self, heads: &[Head<'_>], bodies: &[Written<'_>]) -> String {
        let mut functions = String::new();
        let mut prototypes = String::new();
        for it in bodies {
            let head = it.head;
            if let Some((_, obstacle)) = it.body.obstacles.first() {
                let what = if head.is_kernel { "kernel" } else { "function" };
                // Names come from the module: none ends the comment.
                writeln!(
                    functions,
                    "\n// The {what} {} is left out: {}.",
                    head.name,
                    one_line(&obstacle.instruction)
                )
                .expect("strings take text");
                continue;
            }
            let signature = signature(head);
            if !head.is_kernel {
                writeln!(prototypes, "{signature};").expect("strings take text");
            }
            write!(functions, "\n{signature}\n{{\n{}}}\n", it.body.text)
                .expect("strings take text");
        }
        let defined: BTreeSet<&str> = bodies.iter().map(|it| it.head.name).collect();
        for head in heads.iter().filter(|head| head.body.is_none()) {
            if !defined.contains(head.name) && !is_kept(head.name) && !head.is_kernel {
                writeln!(prototypes, "{};", signature(head)).expect("strings take text");
            }
        }
        let mut text = String::new();
        let whole = [functions.as_str(), &self.shared.concat(), &prototypes].concat();
        for (any, ty) in ANY.iter().filter(|(any, _)| whole.contains(any)) {
            writeln!(text, "typedef {ty} {any} __attribute__((may_alias));")
                .expect("strings take text");
        }
        if whole.contains("ptx_bytes<") {
            text.push_str("template <unsigned alignment, unsigned size> struct __attribute__((aligned(alignment))) ptx_bytes { unsigned char bytes[size]; };\n");
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str("extern \"C\" {\n\n");
        for line in self
            .declarations
            .iter()
            .chain(&self.definitions)
            .chain(&self.shared)
        {
            text.push_str(line);
        }
        text.push_str(&prototypes);
        text.push_str(&functions);
        text.push_str("\n} // extern \"C\"\n");
        text
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The head of a function in C++.
fn signature(head: &Head<'_>) -> String {
    let parameters = head.parameters.iter().map(|it| {
        let ty = of_parameter(it, head.is_kernel).unwrap_or_default();
        format!("{ty} {}", variables::plain_name(it.name))
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let name = variables::plain_name(head.name);
    if head.is_kernel {
        let bounds = head.threads.filter(|threads| (1..=1024).contains(threads));
        let bounds = bounds.map_or_else(String::new, |it| format!("__launch_bounds__({it}) "));
        return format!("__global__ void {bounds}{name}({parameters})");
    }
    let result = head.result.as_ref();
    let result = result.and_then(|it| of_parameter(it, false));
    let result = result.unwrap_or_else(|| "void".to_owned());
    // Others may define the same function weakly.
    let weak = match head.linkage {
        Some("weak") => "__attribute__((weak)) ",
        _ => "",
    };
    format!("__device__ {weak}{result} {name}({parameters})")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 8.4\n.target sm_80\n.address_size 64\n";

    fn made(text: &str) -> Translated {
        let options = ModuleOptions {
            native: false,
            helpers: true,
        };
        translate_module(&format!("{HEAD}{text}"), options)
    }

    /// The statements of the only kernel, without declarations.
    fn statements(body: &str) -> Vec<String> {
        let text = made(&format!(".visible .entry k(.param .u64 p) {{ {body} }}")).text;
        let inner = text.split("\n{\n").nth(1).unwrap_or_default();
        let is_code =
            |line: &&str| !line.is_empty() && !line.starts_with('}') && !line.contains(" = 0;");
        let lines = inner.lines().map(str::trim).filter(is_code);
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn jumps_are_gotos_and_guards_are_conditions() {
        let lines = statements(
            ".reg .pred %p<2>; .reg .b32 %r<3>; ld.param.u32 %r1, [p]; setp.eq.s32 %p1, %r1, 0; @!%p1 bra $L__BB0_1; exit; $L__BB0_1: @%p1 mov.u32 %r2, 1; ret;",
        );
        assert_eq!(
            lines,
            [
                "r1 = *(const any_u32*)&p;",
                "p1 = static_cast<int>(r1) == 0;",
                "if (!p1) goto BB0_1;",
                "return;",
                "BB0_1:;",
                "if (p1) r2 = 1u;",
                "return;",
            ]
        );
    }

    #[test]
    fn a_jump_through_a_list_is_a_switch() {
        let lines = statements(
            ".reg .b32 %r<2>; $a: ret; $b: ret; x: .branchtargets $a, $b; brx.idx %r1, x;",
        );
        assert!(
            lines.iter().any(|line| line == "switch (r1) { case 0: goto a; case 1: goto b; default: __builtin_unreachable(); }"),
            "{lines:?}"
        );
    }

    #[test]
    fn a_clamp_is_what_the_last_move_in_front_of_it_put_there_or_worked_out_as_it_runs() {
        let shuffle = "shfl.sync.up.b32 %r2|%p1, %r1, 1, %r3, -1;";
        let with = |between: &str| {
            let text = format!(
                ".entry k() {{ .reg .pred %p<2>; .reg .b32 %r<4>; mov.u32 %r3, 0; {between} {shuffle} mov.u32 %r3, %r2; ret; }}"
            );
            !made(&text).text.contains("cass_shfl_up_lane(")
        };
        assert!(with(""));
        // Jumps may bring another value.
        assert!(!with("$a:") && !with("@%p1 mov.u32 %r3, 1;") && !with("add.u32 %r3, %r3, 1;"));
    }

    #[test]
    fn registers_belong_to_their_block() {
        let lines = statements(
            ".reg .b32 %x; mov.u32 %x, 1; { .reg .b32 %x; mov.u32 %x, 2; } { .reg .b32 %x; mov.u32 %x, 3; }",
        );
        let moves: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|it| it.contains('='))
            .collect();
        assert_eq!(moves, ["x = 1u;", "x_1 = 2u;", "x_2 = 3u;"]);
    }

    #[test]
    fn an_address_is_read_before_its_register_is_written() {
        let lines = statements(".reg .b64 %rd<3>; ld.global.v2.u64 {%rd1, %rd2}, [%rd1+16];");
        assert_eq!(
            lines[1..4],
            [
                "const auto place = (const any_u64*)__builtin_assume_aligned((const any_u64*)((const char*)rd1 + 16), 16);",
                "rd1 = place[0];",
                "rd2 = place[1];",
            ]
        );
    }

    #[test]
    fn calls_pass_bits_and_variables_keep_their_bytes() {
        let text = made(
            ".const .align 4 .b8 t[4] = {1, 255, -1, 0x10};\n.visible .global .align 8 .u64 at[1] = {generic(t)+4};\n.extern .shared .align 16 .b8 dyn[];\n.func (.param .f32 out) f(.param .align 8 .b8 s[16]);\n.visible .entry k() { .reg .f32 %f<2>; { .param .align 8 .b8 param0[16]; st.param.b64 [param0+8], 1; .param .b32 retval0; call (retval0), f, (param0); ld.param.f32 %f1, [retval0+0]; } }",
        )
        .text;
        for expected in [
            "__constant__ __attribute__((aligned(4))) unsigned char t[4] = {1, 255, 255, 16};",
            "__device__ unsigned long long at[1] = {reinterpret_cast<unsigned long long>(t) + 4};",
            "extern __shared__ __attribute__((aligned(16))) unsigned char dyn[];",
            "__device__ unsigned f(ptx_bytes<8, 16> s);",
            "ptx_bytes<8, 16> param0;",
            "*(any_u64*)((const char*)&param0 + 8) = 1ull;",
            "retval0 = f(param0);",
            "f1 = __uint_as_float(retval0);",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn what_is_left_out_takes_its_callers_along() {
        let reading = made(
            ".func f() { .reg .b32 %r<2>; mbarrier.init.shared.b64 [%r1], 1; }\n.func g() { call f; }\n.entry k() { call g; ret; }\n.entry l() { ret; }",
        )
        .reading;
        let out: Vec<bool> = reading
            .functions
            .iter()
            .map(|it| !it.obstacles.is_empty())
            .collect();
        assert_eq!(out, [true, true, true, false]);
    }

    #[test]
    fn a_count_of_registers_costs_nothing() {
        let text = made(".entry k() { .reg .b32 %r<4000000000>; mov.u32 %r3999999999, 1; }").text;
        assert!(
            text.contains("r3999999999 = 1u;") && text.len() < 1000,
            "{text}"
        );
    }

    /// Twice as many functions, variables, registers and blocks make twice the text, name by name.
    #[test]
    fn text_grows_with_the_module() {
        let module = |count: usize| {
            let mut text = String::new();
            for at in 0..count {
                write!(text, ".global .u32 v{at};\n.func f{at}() {{ .reg .b32 %r<9>; {{ .reg .pred p; setp.eq.s32 p, %r1, 1; @p mov.u32 %r1, v{at}; }} ret; }}\n").unwrap();
            }
            made(&text).text.len()
        };
        let (one, two) = (module(200), module(400));
        assert!(two < one * 21 / 10, "{one} {two}");
    }
}
