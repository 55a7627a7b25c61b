#!/usr/bin/env python3
"""forms.py BIN: CUDA in the strings of Python, one program for each way in which people hand it over.

Each is translated: the CUDA has changed, what is Python still parses, and where one shuffle is all that changes every other byte stays:
prefixes, escapes, indentation, line ends, JSON of notebooks. What cannot be resolved is a finding and no edit. A line for each; exit
code 1 if one fails. Two seconds.
"""
import ast, json, pathlib, subprocess, sys, tempfile

OLD, NEW = "__shfl_sync(0xffffffff, x[0], 1)", "__shfl(x[0], 1, 32)"
KERNEL = 'extern "C" __global__ void k(float *x) { x[0] = %s; }' % OLD
HOST = KERNEL + "\nvoid run(torch::Tensor x) { k<<<1, 32>>>(x.data_ptr<float>()); }"
CUPY, TORCH = "import cupy\n", "from torch.utils.cpp_extension import load, load_inline\n"
BODY = KERNEL.replace("{ ", "{{ ").replace(" }", " }}")

# Programs in which the shuffle is all that changes.
EXACT = {
    "RawKernel": f"{CUPY}k = cupy.RawKernel('''{KERNEL}''', 'k')\n",
    "RawModule": f"{CUPY}k = cupy.RawModule(code=r'''{KERNEL}''')\n",
    "another name of the module": f"import cupy as cp\nk = cp.RawKernel('''{KERNEL}''', 'k')\n",
    "a name of the module's": f"from cupy import RawKernel\nk = RawKernel('''{KERNEL}''', 'k')\n",
    "ElementwiseKernel": f"{CUPY}k = cupy.ElementwiseKernel('raw T x', 'T y', 'y = {OLD}', 'k')\n",
    "ReductionKernel": f"{CUPY}k = cupy.ReductionKernel('raw T x', 'T y', '{OLD}', 'a + b', 'y = a', '0', 'k')\n",
    "SourceModule": f"from pycuda.compiler import SourceModule\nm = SourceModule('''{KERNEL}''')\n",
    "cuda.bindings": f"from cuda.bindings import nvrtc\ntext = b'''{KERNEL}'''\nerror, p = nvrtc.nvrtcCreateProgram(text, b'k.cu', 0, [], [])\n",
    "cuda.core": f"from cuda.core.experimental import Program\ntext = r'''{KERNEL}'''\np = Program(text, code_type='c++')\n",
    "a constant": f"{CUPY}TEXT = '''{KERNEL}'''\nk = cupy.RawKernel(TEXT, 'k')\n",
    "a sum": f"{CUPY}HEAD = '#define N 1\\n'\nBODY = '''{KERNEL}'''\nk = cupy.RawKernel(HEAD + BODY, 'k')\n",
    "literals side by side": f"{CUPY}k = cupy.RawKernel('extern \"C\" __global__ void k(float *x) {{'\n                   ' x[0] = {OLD}; }}', 'k')\n",
    "escapes": f"{CUPY}k = cupy.RawKernel('extern \\\"C\\\" __global__ void k(float *x) {{\\n\\tx[0] = {OLD};\\n}}\\n', 'k')\n",
    "prefix, tabs, CRLF": f"{CUPY}class A:\r\n\tdef f(self):\r\n\t\tk = cupy.RawKernel(R\"\"\"\r\n\t\t{KERNEL} // \\n\r\n\t\t\"\"\", 'k')\r\n".replace("cupy\nclass", "cupy\r\nclass"),
}
# Templates: the text around their holes, for review.
TEMPLATES = {
    "f-string": f"{CUPY}N = int(input())\nk = cupy.RawKernel(f'''{BODY.replace(', 1)', ', {N})')}''', 'k')\n",
    "%": f"{CUPY}k = cupy.RawKernel('''{KERNEL.replace(', 1)', ', %d)')}''' % 1, 'k')\n",
    "format": f"{CUPY}k = cupy.RawKernel('''{BODY.replace(', 1)', ', {n})')}'''.format(n=1), 'k')\n",
}
# PyTorch renames by itself: what it cannot do is what changes.
FOR_PYTORCH = {
    "load_inline": f"{TORCH}cuda = '''{HOST}'''\nm = load_inline(name='m', cpp_sources='void run(torch::Tensor x);', cuda_sources=cuda, functions=['run'])\n",
    "load, written at run time": f"{TORCH}text = '''{HOST}'''\nwith open('k.cu', 'w') as f:\n    f.write(text)\nm = load(name='m', sources=['k.cu'])\n",
}
FLAGS = {
    "extra_cuda_cflags": f"{TORCH}m = load(name='m', sources=['k.cu'], extra_cuda_cflags=['--use_fast_math', '-O3'])\n",
    "options of cupy": f"{CUPY}k = cupy.RawKernel('''{KERNEL}''', 'k', options=('--use_fast_math',))\n",
}
failed = 0


def said(name, holds, text):
    global failed
    failed += not holds
    print(f"{'ok    ' if holds else 'FAILED'} {name}" + ("" if holds else f"\n{text}"))


def translated(binary, files):
    """What becomes of a tree, by path, and its findings."""
    with tempfile.TemporaryDirectory() as work:
        source, out = pathlib.Path(work, "src"), pathlib.Path(work, "out")
        source.mkdir()
        for name, text in files.items():
            (source / name).write_bytes(text.encode())
        subprocess.run([binary, "-q", source, out], stdout=subprocess.DEVNULL, check=False)
        check = subprocess.run([binary, "check", source, "--exit-zero", "--show", "info", "--output-format", "json-lines"], stdout=subprocess.PIPE, text=True)
        found = [json.loads(line) for line in check.stdout.splitlines()]
        made = {str(path.relative_to(out)): path.read_bytes().decode() for path in out.rglob("*.*") if path.is_file() and ".cass" not in path.parts}
        return made, found


def one(binary, text, name="a.py"):
    made, found = translated(binary, {name: text})
    ast.parse(made[name]) if name.endswith(".py") else json.loads(made[name])
    return made[name], found


def main(binary):
    for name, text in EXACT.items():
        made, found = one(binary, text)
        # An offset of a finding is one of the Python file.
        at = [text.encode()[it["range"]["start"]:it["range"]["end"]] for it in found]
        said(name, made == text.replace(OLD, NEW) and any(b"__shfl_sync" in it for it in at), made)
    for name, text in TEMPLATES.items():
        made, found = one(binary, text)
        said(name, "__shfl(" in made and "__shfl_sync" not in made and any(it["code"] == "CASS661" for it in found), made + str(found))
    for name, text in FOR_PYTORCH.items():
        made, _ = one(binary, text)
        said(name, made != text and "cudaMalloc" not in made, made)
    for name, text in FLAGS.items():
        made, _ = one(binary, text)
        for_cuda = "*([] if torch.version.hip else ['--use_fast_math'])"
        said(name, "--use_fast_math" not in made.replace(for_cuda, ""), made)
    cell = {"cell_type": "code", "source": [CUPY, f"k = cupy.RawKernel('''{KERNEL}''', 'k')"], "metadata": {}, "outputs": [], "execution_count": None}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    made, _ = one(binary, text, "a.ipynb")
    said("notebook", made == text.replace(OLD, NEW), made)
    text = f"{CUPY}def f(text):\n    return cupy.RawKernel(text, 'k')\n"
    made, found = one(binary, text)
    said("what cannot be resolved", made == text and any(it["code"].startswith("CASS66") for it in found), str(found))
    numba = "from numba import cuda\nf = cuda.declare_device('f', 'int32(int32)')\n@cuda.jit(link=['f.cu'])\ndef k(x):\n    x[0] = f(1)\n"
    device = f'extern "C" __device__ int f(int *r, int v) {{ int x[1] = {{v}}; *r = {OLD}; return 0; }}\n'
    made, _ = translated(binary, {"a.py": numba, "f.cu": device})
    linked = [path for path in made if path.startswith("f.")]
    said("link= of numba", len(linked) == 1 and f"'{linked[0]}'" in made["a.py"] and NEW in made[linked[0]], str(made))
    cpp = f'#include <nvrtc.h>\nconst char *text = R"({KERNEL})";\nvoid f(nvrtcProgram *p) {{ nvrtcCreateProgram(p, text, "k.cu", 0, nullptr, nullptr); }}\n'
    made, _ = translated(binary, {"a.cpp": cpp})
    said("NVRTC in C++", NEW in made["a.cpp"] and "hiprtcCreateProgram" in made["a.cpp"], str(made))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
