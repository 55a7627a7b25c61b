#!/usr/bin/env python3
"""inline.py FILE.py... DIR: writes what `load_inline` of PyTorch 2.11 hands to the compilers, for the calls in these files.

Each call becomes DIR/NAME-N/{main.cpp,cuda.cu,setup.py}: the sources with the lines that load_inline puts in front of them and the
bindings that it writes, and a setup.py with the flags, so that torchcheck.py compiles them.  Nothing of the files is run: arguments
are literals or names that are bound to one.
"""
import ast, os, sys

HOLE = '16'                                       # what fills a hole of an f-string; the product of five still is an int
HEAD_CPP = '#include <torch/extension.h>\n'
HEAD_CUDA = '#include <torch/types.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n'


def value(node, names):
    """What an expression is, as far as it is constant."""
    if isinstance(node, ast.Name):
        return value(names[node.id], names) if node.id in names else ''
    if isinstance(node, ast.Attribute):
        return value(names[node.attr], names) if node.attr in names else ''
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value(it, names) for it in node.elts if not isinstance(it, ast.Starred)]
    if isinstance(node, ast.Dict):
        return {value(key, names): value(it, names) for key, it in zip(node.keys, node.values)}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return value(node.left, names) + value(node.right, names)
    if isinstance(node, ast.IfExp):                    # `a if torch.version.hip else b`, as this tool writes it
        return value(node.body, names)
    if isinstance(node, ast.JoinedStr):
        return ''.join(it.value if isinstance(it, ast.Constant) else HOLE for it in node.values)
    return ''


def calls_at(text):
    """Each call with its line."""
    tree = ast.parse(text)
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                name = getattr(target, 'id', getattr(target, 'attr', None))
                names[name] = node.value
    for node in ast.walk(tree):
        name = getattr(getattr(node, 'func', None), 'attr', getattr(getattr(node, 'func', None), 'id', None))
        if isinstance(node, ast.Call) and name == 'load_inline':
            places = ('name', 'cpp_sources', 'cuda_sources', 'functions')
            given = dict(zip(places, node.args)) | {it.arg: it.value for it in node.keywords}
            yield node.lineno, {key: value(it, names) for key, it in given.items()}


def calls(text):
    return (call for _, call in calls_at(text))


def text_of(sources):
    return '\n'.join(sources if isinstance(sources, list) else [sources or ''])


def write(folder, call):
    os.makedirs(folder)
    functions = call.get('functions') or []
    functions = [functions] if isinstance(functions, str) else functions
    binding = ''.join(f'm.def("{it}", torch::wrap_pybind_function({it}), "{it}");\n' for it in functions)
    binding = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n' + binding + '}\n' if functions else ''
    open(folder + '/main.cpp', 'w').write(HEAD_CPP + text_of(call.get('cpp_sources')) + '\n' + binding)
    open(folder + '/cuda.cu', 'w').write(HEAD_CUDA + text_of(call.get('cuda_sources')))
    flags = [it for it in call.get('extra_cuda_cflags') or [] if it]
    open(folder + '/setup.py', 'w').write(
        'from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n'
        f'setup(ext_modules=[CUDAExtension("inline", ["main.cpp", "cuda.cu"], extra_compile_args={{"cxx": [], "nvcc": {flags!r}}})])\n')


if __name__ == '__main__':
    *files, out = sys.argv[1:]
    for path in files:
        for number, call in enumerate(calls(open(path).read())):
            write(f'{out}/{os.path.basename(path)[:-3]}-{number}', call)
