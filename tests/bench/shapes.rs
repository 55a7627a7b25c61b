//! Shapes of input that grow by one number: what made the cost grow with the square of the input once, or could.
//!
//! The benchmark `growth` measures them, and the unit tests of the engine count the work that they take.

// The tests of the engine use the files, the benchmark all of it.
#![allow(dead_code)]

/// One file that grows.
pub(crate) struct FileShape {
    pub(crate) name: &'static str,
    /// Its path, which says what it is written in.
    pub(crate) path: &'static str,
    /// The smallest size that is looked at.
    pub(crate) start: usize,
    pub(crate) text: fn(usize) -> String,
}

/// A tree that grows.
pub(crate) struct TreeShape {
    pub(crate) name: &'static str,
    pub(crate) start: usize,
    pub(crate) files: fn(usize) -> Vec<(String, String)>,
}

const fn cuda(name: &'static str, start: usize, text: fn(usize) -> String) -> FileShape {
    FileShape {
        name,
        path: "shape.cu",
        start,
        text,
    }
}

const fn build(
    name: &'static str,
    path: &'static str,
    start: usize,
    text: fn(usize) -> String,
) -> FileShape {
    FileShape {
        name,
        path,
        start,
        text,
    }
}

/// `count` pieces, each by its number.
fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// `count` times `open`, then `middle`, then as many times `close`.
fn nested(count: usize, open: &str, middle: &str, close: &str) -> String {
    open.repeat(count) + middle + &close.repeat(count)
}

fn function(body: &str) -> String {
    format!("#include <cuda_runtime.h>\nvoid f(void *p) {{\n{body}\n}}\n")
}

fn kernel(body: &str) -> String {
    format!("#include <cuda_runtime.h>\n__global__ void k(int *p) {{\n{body}\n}}\n")
}

/// A script of Python that takes an expression for a kernel and for a condition.
fn script(expression: &str) -> String {
    format!(
        "import cupy, torch\nx = {expression}\ncupy.RawKernel(x, 'k')\nif {expression}:\n    y = CUDAExtension('z', ['a.cu'])\n"
    )
}

const GONE: &str = "cudaDeviceFlushGPUDirectRDMAWrites(a, b); ";

pub(crate) static FILES: &[FileShape] = &[
    cuda("nested launches", 200, |n| {
        function(&(nested(n, "k<<<", "1, 2", ">>>(p)") + ";"))
    }),
    cuda("unclosed launches", 2000, |n| {
        function(&"k<<<1,2 ".repeat(n))
    }),
    cuda("unclosed launches, one block each", 2000, |n| {
        "void f() { k<<<1, 2; }\n".repeat(n)
    }),
    cuda("closed launches", 2000, |n| {
        function(&"k<<<1, 2>>>(p);\n".repeat(n))
    }),
    cuda("closing brackets without a launch", 2000, |n| {
        function(&">>> k<<<".repeat(n))
    }),
    cuda("#if !!!!", 2000, |n| {
        format!(
            "int f() {{ return cudaFree(0); }}\n#if {}__CUDACC__\n#endif\n",
            "!".repeat(n)
        )
    }),
    cuda("#if (((", 2000, |n| {
        format!(
            "int f() {{ return cudaFree(0); }}\n#if {}\n#endif\n",
            nested(n, "(", "__CUDACC__", ")")
        )
    }),
    cuda("#if 1+1+", 2000, |n| {
        format!(
            "int f() {{ return cudaFree(0); }}\n#if {}CUDART_VERSION > 1\n#endif\n",
            "1+".repeat(n)
        )
    }),
    cuda("#if a || b ||", 2000, |n| {
        format!(
            "int f() {{ return cudaFree(0); }}\n#if {}1\n#endif\n",
            "defined(__CUDACC__) || ".repeat(n)
        )
    }),
    cuda("nested #if", 1000, |n| {
        nested(
            n,
            "#ifdef __CUDACC__\n",
            "int f() { return cudaFree(0); }\n",
            "#endif\n",
        )
    }),
    cuda("#if groups with a call each", 1000, |n| {
        each(n, |i| {
            format!(
                "#if CUDART_VERSION > {i}\nint f{i}() {{ return cudaFree(0); }}\n#else\nint f{i}() {{ {GONE}}}\n#endif\n"
            )
        })
    }),
    cuda("guards per function", 1000, |n| {
        each(n, |i| {
            format!("#ifdef __CUDA_ARCH__\n__device__ void f{i}() {{ __syncwarp(); }}\n#endif\n")
        })
    }),
    cuda("guards within functions", 1000, |n| {
        each(n, |i| {
            format!(
                "__host__ __device__ int f{i}(int a) {{\n#ifdef __CUDA_ARCH__\nreturn __popc(a);\n#else\nreturn a;\n#endif\n}}\n"
            )
        })
    }),
    cuda("min(min(", 500, |n| {
        kernel(&("int a = 1; float b = ".to_owned() + &nested(n, "min(", "a", ", b)") + ";"))
    }),
    cuda("nested calls", 1000, |n| {
        function(&(nested(n, "(cudaFree(", "p", "))") + ";"))
    }),
    cuda("errors on one line", 1000, |n| {
        format!("void f(int a, int b) {{ {} }}\n", GONE.repeat(n))
    }),
    cuda("errors on one line, not ASCII", 1000, |n| {
        format!(
            "void f(int a, int b) {{ {} }}\n",
            (GONE.to_owned() + "/* ü */ ").repeat(n)
        )
    }),
    cuda("calls on one line", 3000, |n| {
        format!("void f(void *p) {{ {} }}\n", "cudaFree(p); ".repeat(n))
    }),
    cuda("calls on lines that end in CR", 3000, |n| {
        format!("void f(void *p) {{\r{} }}\r", "cudaFree(p);\r".repeat(n))
    }),
    cuda("open braces", 3000, |n| {
        function(&"{ cudaFree(p);\n".repeat(n))
    }),
    cuda("open parentheses", 3000, |n| {
        function(&"( cudaFree(p);\n".repeat(n))
    }),
    cuda("closed parentheses", 3000, |n| {
        function(&") cudaFree(p);\n".repeat(n))
    }),
    cuda("closed braces", 3000, |n| {
        function(&"} cudaFree(p);\n".repeat(n))
    }),
    cuda("open template lists", 3000, |n| {
        function(&"cudaMemcpy< ".repeat(n))
    }),
    cuda("#define of many lines", 3000, |n| {
        format!(
            "#define ALL(p) \\\n{}  0\n",
            "  cudaFree(p); \\\n".repeat(n)
        )
    }),
    cuda("#define of many lines, calls of the host", 3000, |n| {
        format!(
            "#define ALL(p) \\\n{}  0\nvoid f(void *p) {{ cudaFree(p); }}\n",
            "  free(p); \\\n".repeat(n)
        )
    }),
    cuda("macros", 3000, |n| {
        each(n, |i| format!("#define FREE_{i}(p) cudaFree(p)\n"))
    }),
    cuda("shuffles with one mask", 1000, |n| {
        kernel(&format!(
            "unsigned m = __activemask(); int v = p[0];\n{}",
            "v += __shfl_down_sync(m, v, 1);\n".repeat(n)
        ))
    }),
    cuda("shuffles with masks of their own", 1000, |n| {
        kernel(&each(n, |i| {
            format!(
                "unsigned m{i} = __ballot_sync(0xffffffff, p[{i}]); p[{i}] = __shfl_sync(m{i}, p[{i}], 0);\n"
            )
        }))
    }),
    cuda("ballots that are kept", 1000, |n| {
        kernel(&each(n, |i| {
            format!("unsigned b{i} = __ballot_sync(0xffffffff, p[{i}]); p[{i}] = __popc(b{i});\n")
        }))
    }),
    cuda("kernels with __ldg and launches", 1000, |n| {
        each(n, |i| {
            format!(
                "__global__ void k{i}(const float *p, float *q) {{ q[0] = __ldg(p + {i}); }}\nvoid f{i}(float *p, float *q) {{ k{i}<<<1, 32>>>(p, q); }}\n"
            )
        })
    }),
    cuda("kernels that share names", 1000, |n| {
        each(n, |i| {
            format!(
                "__global__ void k{i}(int *p, int n) {{ int v = p[threadIdx.x]; v += __shfl_xor_sync(0xffffffff, v, 16); if (threadIdx.x < n) p[0] = atomicAdd(p, v); }}\n"
            )
        })
    }),
    cuda("suppressions, one each", 1000, |n| {
        format!(
            "void f(int a, int b) {{\n{}}}\n",
            format!("{GONE}// cass: ignore[CASS003] known\n").repeat(n)
        )
    }),
    cuda("suppressions without effect", 1000, |n| {
        function(&"int a; // cass: ignore[CASS003] known\n".repeat(n))
    }),
    cuda("suppressions, off and on", 1000, |n| {
        format!(
            "void f(int a, int b) {{\n{}}}\n",
            format!("// cass: off[CASS003] known\n{GONE}\n// cass: on[CASS003]\n").repeat(n)
        )
    }),
    cuda("suppressions, off again and again", 1000, |n| {
        format!(
            "void f(int a, int b) {{\n{}}}\n",
            format!("// cass: off[CASS003] known\n{GONE}\n").repeat(n)
        )
    }),
    cuda("one include many times", 2000, |n| {
        "#include <cuda_runtime.h>\n".repeat(n) + "int f() { return cudaFree(0); }\n"
    }),
    cuda("includes that differ", 2000, |n| {
        each(n, |i| format!("#include \"h{i}.cuh\"\n")) + "int f() { return cudaFree(0); }\n"
    }),
    cuda("includes in functions", 1000, |n| {
        each(n, |i| {
            format!("int f{i}() {{\n#include <cuda_runtime.h>\nreturn cudaFree(0); }}\n")
        })
    }),
    cuda("assembly, one string of instructions", 500, |n| {
        kernel(&format!(
            "int a = 1, b = 2;\nasm volatile(\"{{ .reg .b32 t; {}}}\" : \"+r\"(a) : \"r\"(b));",
            "add.s32 %0, %0, %1; ".repeat(n)
        ))
    }),
    cuda("assembly, registers of its own", 500, |n| {
        kernel(&format!(
            "int a = 1;\nasm volatile(\"{{ {} mov.b32 %0, t0; }}\" : \"+r\"(a));",
            each(n, |i| format!(".reg .b32 t{i}; mov.b32 t{i}, %0; "))
        ))
    }),
    cuda("assembly, operands", 300, |n| {
        kernel(&format!(
            "int a = 1;\nasm volatile(\"{}\" : \"+r\"(a) : {});",
            each(n, |i| format!("add.s32 %0, %0, %{}; ", i + 1)),
            vec!["\"r\"(a)"; n].join(", ")
        ))
    }),
    cuda("assembly statements", 1000, |n| {
        kernel(&"asm volatile(\"membar.gl;\" ::: \"memory\");\n".repeat(n))
    }),
    cuda("texture references", 500, |n| {
        each(n, |i| {
            format!(
                "texture<float, 1, cudaReadModeElementType> t{i};\n__global__ void k{i}(float *p) {{ p[0] = tex1Dfetch(t{i}, 0); }}\n"
            )
        })
    }),
    cuda("comments", 3000, |n| {
        "// cudaFree\n".repeat(n) + "int f() { return cudaFree(0); }\n"
    }),
    cuda("declarations of CUDA's types", 1000, |n| {
        each(n, |i| {
            format!(
                "cudaStream_t s{i}; cudaEvent_t e{i}; void g{i}() {{ cudaEventRecord(e{i}, s{i}); }}\n"
            )
        })
    }),
    cuda("streams of a table", 1000, |n| {
        format!(
            "cudaError_t table[] = {{ {} }};\n",
            "cudaErrorInvalidValue, cudaSuccess, ".repeat(n)
        )
    }),
    cuda("cases of a switch", 1000, |n| {
        format!(
            "int f(cudaError_t e) {{ switch (e) {{\n{}}} return 0; }}\n",
            "case cudaErrorInvalidValue: return 1;\n".repeat(n)
        )
    }),
    cuda("cooperative groups", 500, |n| {
        format!(
            "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n{}",
            each(n, |i| format!(
                "__global__ void k{i}(int *p) {{ auto b = cg::this_thread_block(); auto t = cg::tiled_partition<32>(b); p[0] = t.shfl_down(p[0], 1); t.sync(); }}\n"
            ))
        )
    }),
    cuda("names that nobody knows", 1000, |n| {
        function(&each(n, |i| format!("cudaNobodyKnows{i}(p);\n")))
    }),
    cuda("strings", 1000, |n| {
        function(&"puts(\"cudaMalloc failed\");\n".repeat(n))
    }),
    // Each of its names is looked for in a window of the file, so the first thousand cost more than their number.
    cuda("halves compared in one call", 16_000, |n| {
        format!(
            "#include <cuda_fp16.h>\n__global__ void k(__half h, int a) {{\n  f({}a);\n}}\n",
            "a < h, ".repeat(n)
        )
    }),
    cuda("wide vectors", 1000, |n| {
        kernel(&each(n, |i| {
            format!("float4 v{i} = make_float4(1, 2, 3, 4); p[{i}] = v{i}.x;\n")
        }))
    }),
    build("Makefile, one line of -gencode", "Makefile", 1000, |n| {
        format!(
            "FLAGS = {}\nall:\n\tnvcc $(FLAGS) a.cu\n",
            "-gencode arch=compute_70,code=sm_70 ".repeat(n)
        )
    }),
    build("Makefile, lines of -gencode", "Makefile", 1000, |n| {
        format!(
            "FLAGS = \\\n{}  -O2\nall:\n\tnvcc $(FLAGS) a.cu\n",
            "  -gencode arch=compute_70,code=sm_70 \\\n".repeat(n)
        )
    }),
    build("Makefile, rules", "Makefile", 1000, |n| {
        each(n, |i| {
            format!("a{i}.o: a{i}.cu\n\tnvcc -c -arch=sm_70 a{i}.cu -lcudart\n")
        })
    }),
    build("Makefile, variables", "Makefile", 1000, |n| {
        each(n, |i| {
            format!("NVCC_{i} = nvcc -O2\nb{i}:\n\t$(NVCC_{i}) a.cu\n")
        })
    }),
    build("CMake, commands", "CMakeLists.txt", 1000, |n| {
        each(n, |i| {
            format!(
                "find_package(CUDA REQUIRED)\ncuda_add_executable(a{i} a{i}.cu)\ntarget_link_libraries(a{i} cudart cublas)\n"
            )
        })
    }),
    build("CMake, variables", "CMakeLists.txt", 1000, |n| {
        each(n, |i| {
            format!(
                "set(V{i} ${{CUDA_INCLUDE_DIRS}})\nset_target_properties(a{i} PROPERTIES CUDA_ARCHITECTURES 70)\n"
            )
        })
    }),
    build("CMake, chips and searches", "CMakeLists.txt", 1000, |n| {
        each(n, |i| {
            format!(
                "target_compile_options(a{i} PRIVATE -arch=sm_70)\nset(L{i} \"libcudnn.so\")\nfind_library(F{i} NAMES ${{L{i}}})\n"
            )
        })
    }),
    build(
        "CMake, releases in variables",
        "CMakeLists.txt",
        1000,
        |n| {
            each(n, |i| {
                format!(
                    "set(R{i} ${{CMAKE_CUDA_COMPILER_VERSION}})\nif(R{i} VERSION_LESS 11.2)\nendif()\n"
                )
            })
        },
    ),
    build("script, programs that it writes", "build.sh", 1000, |n| {
        each(n, |i| {
            format!(
                "cat <<E{i} > {i}.cu\nint main() {{ std::cout << cudaFree(0); }}\nE{i}\ncat <<OPEN\necho 'int main() {{ cudaFree(0); }}\n"
            )
        })
    }),
    build("Makefile, lists for the linker", "Makefile", 1000, |n| {
        each(n, |i| {
            format!("L{i} := cudart cublas\nF{i} = $(foreach l,$(L{i}),-l$(l))\n")
        })
    }),
    build("CMake, one long list", "CMakeLists.txt", 1000, |n| {
        format!(
            "project(p LANGUAGES CXX CUDA)\nadd_executable(a {})\n",
            each(n, |i| format!("a{i}.cu "))
        )
    }),
    build("CMake, nested if", "CMakeLists.txt", 500, |n| {
        nested(n, "if(USE_CUDA)\n", "enable_language(CUDA)\n", "endif()\n")
    }),
    build("shell, commands", "build.sh", 1000, |n| {
        "nvcc -arch=sm_70 -o a a.cu -lcudart\n".repeat(n)
    }),
    build("setup.py", "setup.py", 1000, |n| {
        each(n, |i| {
            format!(
                "ext{i} = CUDAExtension('a{i}', ['a{i}.cu'], extra_compile_args={{'nvcc': ['-O2']}})\n"
            )
        })
    }),
    cuda("assembly statements with operands", 500, |n| {
        kernel(
            &("int a = 1, b = 2;\n".to_owned()
                + &each(n, |i| {
                    format!(
                        "asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(a) : \"r\"(b), \"r\"(p[{i}]));\n"
                    )
                })),
        )
    }),
    cuda("shuffles with masks by macros", 1000, |n| {
        each(n, |i| format!("#define MASK_{i} 0xffffffff\n"))
            + &kernel(&each(n, |i| {
                format!("p[{i}] = __shfl_sync(MASK_{i}, p[{i}], 0);\n")
            }))
    }),
    build("shell, commands that differ", "build.sh", 500, |n| {
        each(n, |i| {
            format!("nvcc -arch=sm_70 -o a{i} src{i}/b{i}.cu -lcudart\n")
        })
    }),
    build("Triton, kernels with options", "kernels.py", 50, |n| {
        "import triton\nimport triton.language as tl\n".to_owned()
            + &each(n, |i| {
                format!(
                    "@triton.autotune(configs=[triton.Config({{'BLOCK_M': 128, 'BLOCK_N': 64, 'BLOCK_K': 32}}, num_stages=4, num_warps=8)], key=['n'])\n@triton.jit\ndef k{i}(p, q, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):\n    for at in range(n):\n        q = tl.dot(p, q, allow_tf32=True)\n\ndef f{i}(p):\n    k{i}[(1,)](p, p, 4, num_stages=4)\n"
                )
            })
    }),
    build("CuPy, kernels", "kernels.py", 200, |n| {
        "import cupy\n".to_owned()
            + &each(n, |i| {
                format!(
                    "k{i} = cupy.RawKernel(r'extern \"C\" __global__ void k{i}(int *p) {{ p[0] = __shfl_sync(~0u, p[0], {i}); }}', 'k{i}')\n"
                )
            })
    }),
    build("CuPy, one source of many lines", "kernels.py", 500, |n| {
        format!(
            "import cupy\nsrc = 'int x;'\n{}cupy.RawKernel(src, 'k')\n",
            each(n, |i| format!("src += 'int y{i};'\n"))
        )
    }),
    build("CuPy, a sum of literals", "kernels.py", 500, |n| {
        format!(
            "import cupy\ncupy.RawKernel('int x;'{}, 'k')\n",
            each(n, |i| format!(" + 'int y{i};'"))
        )
    }),
    build("CuPy, neighbouring literals", "kernels.py", 500, |n| {
        format!(
            "import cupy\ncupy.RawKernel('int x;'{}, 'k')\n",
            each(n, |i| format!(" 'int y{i};'"))
        )
    }),
    build("Numba, kernels", "kernels.py", 100, |n| {
        "from numba import cuda\n".to_owned()
            + &each(n, |i| {
                format!(
                    "@cuda.jit\ndef k{i}(a):\n    s = cuda.shared.array(32, 'float32')\n    s[cuda.threadIdx.x] = a[0]\n    cuda.syncthreads()\n    cuda.atomic.add(a, 0, 1)\n\nk{i}[1, 32](a)\n"
                )
            })
    }),
    build("Python, a chain of attributes", "kernels.py", 1000, |n| {
        script(&format!("f{}", ".a".repeat(n)))
    }),
    build("Python, a chain of calls", "kernels.py", 1000, |n| {
        script(&format!("f{}", "(1)".repeat(n)))
    }),
    build("Python, a chain of methods", "kernels.py", 500, |n| {
        script(&format!("'b'{}", ".replace(a, b)".repeat(n)))
    }),
    build("Python, nested calls", "kernels.py", 1000, |n| {
        script(&nested(n, "f(", "'b'", ")"))
    }),
    build("Python, nested f-strings", "kernels.py", 500, |n| {
        script(&nested(n, "f\"{", "'b'", "}\""))
    }),
    build("Triton, options by one name", "kernels.py", 1000, |n| {
        "import triton\n".to_owned() + &each(n, |i| format!("k{i}[g](x, num_warps=w)\n"))
    }),
    build("Python, capabilities in records", "run.py", 300, |n| {
        "import torch\nr = {}\n".to_owned()
            + &each(n, |i| {
                format!("r['k{i}'] = list(torch.cuda.get_device_capability())\n")
            })
    }),
    build("Python, capabilities that are told", "run.py", 300, |n| {
        "import torch\ndef f():\n".to_owned()
            + &each(n, |i| {
                format!("    c{i} = torch.cuda.get_device_capability()\n    print(c{i})\n")
            })
    }),
    build("Python, what a test expects", "test_run.py", 300, |n| {
        "import os\ndef test_a():\n".to_owned()
            + &"    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n".repeat(n)
    }),
    build("Python, capabilities of methods", "run.py", 300, |n| {
        "    def a(self):\n        c = torch.cuda.get_device_capability()\n        return c[0] >= 9\n"
            .repeat(n)
            .replacen("    def", "import torch\nclass A:\n    def", 1)
    }),
    build("Python, imports that are tried", "run.py", 300, |n| {
        "def f():\n    try:\n        import tensorrt\n    except ImportError:\n        return\n    import cutlass\n"
            .repeat(n)
    }),
    build("Python, imports and formats", "kernels.py", 300, |n| {
        let imports = (0..n).map(|at| format!("import m{at}\n"));
        let kernel = "import triton\nimport triton.language as tl\n@triton.jit\ndef k(a):\n";
        imports.collect::<String>() + kernel + &"    x = a.to(tl.float8e4nv)\n".repeat(n)
    }),
    build("Python, one source often", "test_run.py", 300, |n| {
        "cupy.RawKernel(\"__global__ void k(int *p) { p[0] = 1; }\", \"k\")\n"
            .repeat(n)
            .replacen("cupy", "import cupy\ncupy", 1)
    }),
    build("Python, functions of a module", "run.py", 100, |n| {
        let function =
            |at: usize| format!("torch::Tensor f{at}(torch::Tensor x) {{ return x; }}\n");
        let code: String = (0..n).map(function).collect();
        let names: Vec<String> = (0..n).map(|at| format!("\"f{at}\"")).collect();
        let names = names.join(", ");
        format!(
            "from torch.utils.cpp_extension import load_inline\nm = load_inline(\"m\", cpp_sources=\"\", cuda_sources=\"\"\"{code}\"\"\", functions=[{names}])\n"
        )
    }),
    build("Python, questions for AMD", "setup.py", 300, |n| {
        "import torch\n".to_owned()
            + &each(n, |i| {
                format!(
                    "v{i} = torch.version.cuda\nif v{i}:\n    c{i} = torch.cuda.get_device_capability() >= (8, 0)\n"
                )
            })
    }),
    build(
        "Triton, launches by a loop of tuned kernels",
        "kernels.py",
        50,
        |n| {
            "import triton\nimport triton.language as tl\n".to_owned()
                + &each(n, |i| {
                    format!(
                        "@triton.jit\ndef k{i}(p, q, n):\n    for at in range(n):\n        q = tl.dot(p, q)\n        q = tl.dot(p, k{}(q))\n\ndef f{i}(g):\n    g[(1,)](p, num_stages=4)\n",
                        i + 1
                    )
                })
        },
    ),
    cuda("assembly, nested scopes", 500, |n| {
        kernel(&format!(
            "int a = 1;\nasm volatile(\"{}\" : \"+r\"(a));",
            nested(n, "{ ", "mov.b32 %0, 1;", " }")
        ))
    }),
    build("Python, branches", "setup.py", 300, |n| {
        "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n".to_owned()
            + &each(n, |i| {
                format!(
                    "if a == {i}:\n    ext{i} = CUDAExtension('a{i}', ['a{i}.cu'], extra_compile_args={{'nvcc': ['-O2']}})\n"
                )
            })
    }),
];

fn file(name: String, text: String) -> (String, String) {
    (name, text)
}

const CALL: &str = "inline int free_it(void *p) { return cudaFree(p); }\n";

fn chain(n: usize) -> Vec<(String, String)> {
    (0..n)
        .map(|i| {
            file(
                format!("h{i}.cuh"),
                format!("#include \"h{}.cuh\"\n#define WIDTH_{i} {i}\n{CALL}", i + 1),
            )
        })
        .collect()
}

pub(crate) static TREES: &[TreeShape] = &[
    TreeShape {
        name: "chain of headers",
        start: 100,
        files: chain,
    },
    TreeShape {
        name: "chain of headers, and as many users",
        start: 100,
        files: |n| {
            let mut files = chain(n);
            files.extend((0..n).map(|i| {
                file(
                    format!("u{i}.cu"),
                    format!("#include \"h0.cuh\"\nstd::vector<int> v; int w = WIDTH_{i};\n{CALL}"),
                )
            }));
            files
        },
    },
    TreeShape {
        name: "circle of headers",
        start: 100,
        files: |n| {
            (0..n).map(|i| file(format!("h{i}.cuh"), format!("#include \"h{}.cuh\"\n#define max(a, b) a\nstd::vector<int> v;\n{CALL}", (i + 1) % n))).collect()
        },
    },
    TreeShape {
        name: "headers that include all before them, per byte",
        start: 30,
        files: |n| {
            let includes = |i: usize| each(i, |j| format!("#include \"h{j}.cuh\"\n"));
            let mut files: Vec<_> = (0..n)
                .map(|i| file(format!("h{i}.cuh"), includes(i) + CALL))
                .collect();
            files.extend((0..n).map(|i| {
                file(
                    format!("u{i}.cu"),
                    includes(n) + "std::vector<int> v;\n" + CALL,
                )
            }));
            files
        },
    },
    TreeShape {
        name: "macros and users of one header",
        start: 100,
        files: |n| {
            let mut files = vec![file(
                "all.cuh".to_owned(),
                each(n, |i| format!("#define WIDTH_{i} {i}\n"))
                    + "#define cudaFree(p) 0\n#define cudaMalloc(p, n) 0\n",
            )];
            files.extend(
                (0..n).map(|i| file(format!("u{i}.cu"), format!("#include \"all.cuh\"\n{CALL}"))),
            );
            files
        },
    },
    TreeShape {
        name: "deep folders, per byte of path",
        start: 50,
        files: |n| {
            (0..n)
                .map(|i| {
                    file(
                        format!("{}a.cu", "d/".repeat(i)),
                        "#include \"x.cuh\"\n".to_owned() + CALL,
                    )
                })
                .collect()
        },
    },
    TreeShape {
        name: "files in one folder",
        start: 300,
        files: |n| {
            (0..n)
                .map(|i| {
                    file(
                        format!("u{i}.cu"),
                        format!("#include \"u{}.cuh\"\n{CALL}", i + 1),
                    )
                })
                .collect()
        },
    },
    TreeShape {
        name: "folders with a header of one name",
        start: 100,
        files: |n| {
            (0..n)
                .flat_map(|i| {
                    [
                        file(format!("d{i}/util.cuh"), CALL.to_owned()),
                        file(
                            format!("d{i}/a.cu"),
                            format!("#include \"util.cuh\"\n#include \"common/util.cuh\"\n{CALL}"),
                        ),
                    ]
                })
                .collect()
        },
    },
    TreeShape {
        name: "texture references in headers",
        start: 50,
        files: |n| {
            (0..n).flat_map(|i| [
            file(format!("t{i}.cuh"), format!("texture<float, 1, cudaReadModeElementType> t{i};\n")),
            file(format!("u{i}.cu"), format!("#include \"t{i}.cuh\"\n__global__ void k(float *p) {{ *p = tex1Dfetch(t{i}, 1); }}\n")),
        ]).collect()
        },
    },
];
