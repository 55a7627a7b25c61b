//! What nests or goes on as deep as a file can: a function that calls itself once a level ends the whole run where the stack ends.

use crate::common::{SAFE, Tree};

/// As deep and as wide as the files go: fifteen times what ended a run. `CASS_LEVELS=60000` goes deeper, in minutes.
fn levels() -> usize {
    let asked = std::env::var("CASS_LEVELS").ok();
    asked.and_then(|it| it.parse().ok()).unwrap_or(20_000)
}

/// `open` many times, then `middle`, then `close` as often.
fn nested(open: &str, middle: &str, close: &str) -> String {
    open.repeat(levels()) + middle + &close.repeat(levels())
}

/// A script that takes an expression for a kernel and as a condition.
fn script(text: &str) -> String {
    format!(
        "import cupy, torch\nx={text}\ncupy.RawKernel(x,'k')\nif {text}:\n    y = CUDAExtension('z', ['a.cu'])\n"
    )
}

/// Files by name. A name says what is repeated in it.
fn shapes() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut add = |name: &str, text: String| files.push((format!("src/{name}"), text));
    for (name, open, middle, close) in [
        ("sum", "\"a\"+", "\"b\"", ""),
        ("product", "2*", "\"b\"", ""),
        ("parentheses", "(", "\"b\"", ")"),
        ("lists", "[", "\"b\"", "]"),
        ("dictionaries", "{1:", "\"b\"", "}"),
        ("subscripts", "f[", "\"b\"", "]"),
        ("choice", "a if b else ", "\"b\"", ""),
        ("and", "", "a", " and \"b\""),
        ("or", "a or (", "\"b\"", ")"),
        ("not", "not ", "torch.version.hip", ""),
        ("lambda", "lambda: ", "\"b\"", ""),
        ("adjacent", "\"a\" ", "\"b\"", ""),
        ("comparison", "a<", "\"b\"", ""),
        ("await", "await ", "\"b\"", ""),
        ("calls", "f(", "\"b\"", ")"),
        ("formatted", "f\"{", "\"b\"", "}\""),
    ] {
        add(&format!("{name}.py"), script(&nested(open, middle, close)));
    }
    for (name, start, link) in [
        ("replaced", "\"b\"", ".replace(a,b)"),
        ("called", "f", "(1)"),
        ("attributes", "f", ".a"),
    ] {
        let text = start.to_owned() + &link.repeat(levels());
        add(&format!("{name}.py"), script(&text));
    }
    let blocks = |head: &str| {
        // As many levels as fit into bytes that grow with the square.
        (0..1500).fold("import cupy\n".to_owned(), |text, level| {
            text + &" ".repeat(level) + head + "\n"
        }) + &" ".repeat(1500)
            + "cupy.RawKernel('__global__ void k() { x(); }', 'k')\n"
    };
    for (name, head) in [
        ("if", "if a:"),
        ("def", "def f():"),
        ("class", "class A:"),
        ("for", "for a in b:"),
        ("try", "try:"),
    ] {
        add(&format!("{name}.py"), blocks(head));
    }
    let elif = "import cupy\nif a: pass\n".to_owned()
        + &"elif torch.version.cuda: pass\n".repeat(levels());
    add("elif.py", elif);
    let code = "int f() { return cudaFree(0); }\n";
    for (name, open, middle, close) in [
        ("parentheses", "(", "cudaFree(0)", ")"),
        ("braces", "{", "cudaFree(0);", "}"),
        ("brackets", "a[", "cudaFree(0)", "]"),
        ("templates", "A<", "cudaStream_t", ">"),
        ("calls", "min(", "cudaFree(0)", ",1.f)"),
        ("launches", "k<<<", "1,2", ">>>(p)"),
        ("not", "!", "cudaFree(0)", ""),
        ("minus", "- ", "cudaFree(0)", ""),
        ("star", "*", "cudaFree", ""),
        ("sum", "1+", "cudaFree(0)", ""),
        ("choice", "a?b:", "cudaFree(0)", ""),
        ("if", "if(a)", "cudaFree(0);", ""),
        ("else", "if(a);else ", "cudaFree(0);", ""),
        ("lambda", "[]{", "cudaFree(0);", "}"),
        ("cast", "(int)", "cudaFree(0)", ""),
        ("assigned", "a=", "cudaFree(0)", ""),
    ] {
        let text = nested(open, middle, close);
        add(
            &format!("{name}.cu"),
            format!("{code}void g() {{ {text}; }}\n"),
        );
    }
    for (name, open, middle, close) in [
        ("if-not", "!", "__CUDACC__", ""),
        ("if-parentheses", "(", "__CUDACC__", ")"),
        ("if-open", "(", "", ""),
        ("if-sum", "1+", "CUDART_VERSION", ""),
        ("if-or", "defined(__CUDACC__)||", "1", ""),
        ("if-choice", "1?", "1", ":0"),
        ("if-minus", "-", "1", ""),
    ] {
        let text = nested(open, middle, close);
        add(&format!("{name}.cu"), format!("{code}#if {text}\n#endif\n"));
    }
    add("ifdef.cu", nested("#ifdef __CUDACC__\n", code, "#endif\n"));
    add(
        "elif.cu",
        format!(
            "#if A\n{}#endif\n{code}",
            "#elif CUDART_VERSION\n".repeat(levels())
        ),
    );
    add("namespaces.cu", nested("namespace a {\n", code, "}\n"));
    let macros = (0..levels()).map(|at| format!("#define M{at} M{}\n", at + 1));
    add(
        "macros.cu",
        macros.collect::<String>() + "#if M0\n#endif\n" + code,
    );
    let kernel = |text: &str| {
        format!(
            "__global__ void k(int *p) {{ int a = 1; asm volatile(\"{text}\" : \"+r\"(a)); }}\n"
        )
    };
    add(
        "ptx-scopes.cu",
        kernel(&nested("{ ", "mov.b32 %0, 1;", " }")),
    );
    add(
        "ptx-sum.cu",
        kernel(&format!("mov.b32 %0, {};", nested("1+", "1", ""))),
    );
    add(
        "ptx-parentheses.cu",
        kernel(&format!("mov.b32 %0, {};", nested("(", "1", ")"))),
    );
    add(
        "ptx-names.cu",
        kernel(&format!(
            ".reg .b32 {}; mov.b32 %0, 1;",
            nested("a,", "b", "")
        )),
    );
    for (name, text) in [
        (
            "cmake/CMakeLists.txt",
            nested("if(A)\n", "find_package(CUDA)\n", "endif()\n"),
        ),
        (
            "cmake-or/CMakeLists.txt",
            format!(
                "if({})\nfind_package(CUDA)\nendif()\n",
                nested("A OR ", "CUDA_FOUND", "")
            ),
        ),
        (
            "cmake-not/CMakeLists.txt",
            format!(
                "if({})\nfind_package(CUDA)\nendif()\n",
                nested("NOT ", "CUDA_FOUND", "")
            ),
        ),
        (
            "cmake-parentheses/CMakeLists.txt",
            format!(
                "if({})\nfind_package(CUDA)\nendif()\n",
                nested("(", "CUDA_FOUND", ")")
            ),
        ),
        (
            "cmake-variables/CMakeLists.txt",
            format!("set(A {})\nproject(a CUDA)\n", nested("${", "CUDA", "}")),
        ),
        (
            "make/Makefile",
            nested("ifdef A\n", "NVCC = nvcc\n", "endif\n"),
        ),
        (
            "make-calls/Makefile",
            format!("NVCC = {}\n", nested("$(or a,", "nvcc", ")")),
        ),
        (
            "make-else/Makefile",
            format!(
                "ifdef A\n{}endif\nNVCC = nvcc\n",
                "else ifdef B\n".repeat(levels())
            ),
        ),
        ("if.sh", nested("if a; then\n", "nvcc a.cu\n", "fi\n")),
        (
            "substitution.sh",
            format!("nvcc {}\n", nested("$(a ", "b.cu", ")")),
        ),
        ("braces.sh", nested("{ ", "nvcc a.cu", "; }")),
        ("quotes.sh", nested("\"$(", "nvcc a.cu", ")\"")),
        (
            "Dockerfile",
            format!(
                "FROM nvidia/cuda:12.0\nRUN {}\n",
                nested("a && ", "nvcc a.cu", "")
            ),
        ),
        ("from/Dockerfile", "FROM nvidia/cuda:12.0\n".repeat(3000)),
        (".github/workflows/a.yml", nested("[", "nvcc", "]")),
        (
            ".github/workflows/b.yml",
            nested("{a: ", "nvidia/cuda:12.0", "}"),
        ),
        (".github/workflows/c.yml", nested("- ", "nvcc", "") + "\n"),
        (
            "lists.ipynb",
            format!("{{\"cells\": {}}}", nested("[", "\"cudaFree\"", "]")),
        ),
        (
            "objects.ipynb",
            format!(
                "{{\"cells\": [{}]}}",
                nested("{\"source\":", "\"!nvcc a.cu\"", "}")
            ),
        ),
        (
            "CMakePresets.json",
            nested("[", "\"CMAKE_CUDA_COMPILER\"", "]"),
        ),
        ("compile_commands.json", nested("[", "", "]")),
        (
            "pyproject.toml",
            format!("a = {}\nb = 'nvidia-cuda'\n", nested("[", "", "]")),
        ),
        ("environment.yml", nested("{a: ", "cudatoolkit", "}")),
    ] {
        add(name, text);
    }
    files
}

#[test]
fn nothing_is_nested_so_deep_that_the_run_ends() {
    let shapes = shapes();
    let tree = Tree::new(&[("src/safe.cu", SAFE)]);
    for (name, text) in &shapes {
        tree.write(name, text.as_bytes());
    }
    let done = tree.run(&["src", "out", "--quiet", "--dialect", "cuda"]);
    assert!((0..=2).contains(&done.code), "{}: {}", done.code, done.err);
    assert!(tree.read("out/safe.cu").contains("hipFree"));
    for (name, _) in &shapes {
        assert!(
            tree.path(&name.replacen("src", "out", 1)).exists(),
            "{name}"
        );
    }
    assert!(!done.err.contains("panicked"), "{}", done.err);
}

#[test]
fn what_a_project_sets_is_nested_as_deep_as_it_likes() {
    for text in [nested("[", "", "]"), nested("{a=", "1", "}")] {
        let tree = Tree::new(&[("src/safe.cu", SAFE)]);
        tree.write("src/cass.toml", format!("exclude = {text}\n").as_bytes());
        let done = tree.run(&["src", "out", "--quiet"]);
        assert!((0..=2).contains(&done.code), "{}: {}", done.code, done.err);
    }
}

#[test]
fn a_kernel_of_many_literals_is_translated_and_one_that_is_too_deep_is_named() {
    let kernel = "\"extern 'C' __global__ void k(int *p) { p[0] = __shfl_sync(~0u, p[0], 0); }\"";
    let sum = format!(
        "import cupy\nx={}{kernel}\ncupy.RawKernel(x,'k')\n",
        "\"\\n\"+".repeat(20_000)
    );
    let deep = format!(
        "import cupy\nx={}\ncupy.RawKernel({},'k')\n",
        kernel,
        "(".repeat(2000) + "x" + &")".repeat(2000)
    );
    let tree = Tree::new(&[("src/sum.py", &sum), ("src/deep.py", &deep)]);
    let done = tree.run(&["src", "out", "--quiet"]);
    assert!(
        tree.read("out/sum.py").contains("__shfl(p[0], 0, 32)"),
        "{}",
        done.err
    );
    let told = tree.run(&["check", "src"]);
    let told = told.out + &told.err;
    assert!(told.contains("deep.py:3"), "{told}");
}
