#!/usr/bin/env python3
"""cudacheck: do the GPU units of a PyTorch extension pass clang's syntax check for CUDA, as PyTorch for CUDA would give them to nvcc?

  cudacheck.py TREE [--setup setup.py]... [--out result.json]      before and after a port the same units should pass

Set CASS_TORCH (tests/torch/setup.sh), CASS_CUDA12 (tests/torch/cuda12.sh) and CASS_CUDA_INCLUDE (tests/cuda/setup.sh).
Sources and defines come from running setup.py as torchcheck.py does, under PyTorch for CUDA. Of the options for nvcc only defines, include
folders and the standard count. One pass per unit, for an sm_80: clang checks the host code in it as well.
"""
import argparse, hashlib, json, os, re, sys, sysconfig
import torchcheck as t

DEFINES = ['-D__CUDA_NO_HALF_OPERATORS__', '-D__CUDA_NO_HALF_CONVERSIONS__', '-D__CUDA_NO_BFLOAT16_CONVERSIONS__', '-D__CUDA_NO_HALF2_OPERATORS__']     # torch/utils/cpp_extension.py
DEFINES += ['-DcudaEmulationStrategy_t=int']        # a type that cuSOLVER's header of CUDA 13 names and CUDA 12 lacks
COMMON = '#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n'


def folder(variable, script):
    return os.path.abspath(os.environ.get(variable) or sys.exit(f'set {variable} to the folder that {script} filled'))


class Clang:
    """The command that checks a unit, and the headers of PyTorch that most units begin with, compiled once."""

    def __init__(self):
        torch, cuda = folder('CASS_TORCH', 'tests/torch/setup.sh'), folder('CASS_CUDA12', 'tests/torch/cuda12.sh')
        inside = 'torch/csrc/api/include'
        self.includes = [f'{torch}/cuda', f'{torch}/cuda/{inside}', f'{torch}/include', f'{torch}/include/{inside}', f'{cuda}/include', folder('CASS_CUDA_INCLUDE', 'tests/cuda/setup.sh'), sysconfig.get_path('include')]
        self.base = [t.CXX, '-w', '-ferror-limit=60', '-x', 'cuda', f'--cuda-path={cuda}', '--cuda-device-only', '--cuda-gpu-arch=sm_80', '-fsyntax-only', *DEFINES]
        self.base += [x for i in self.includes for x in ('-isystem', i)]
        # Compiled headers hold the folders that they were read from: those of others are not ours.
        key = hashlib.sha1(' '.join(self.base).encode()).hexdigest()[:12]
        self.headers = os.path.join(torch, 'pch', f'cuda-{key}.pch')
        if not os.path.exists(self.headers):
            os.makedirs(os.path.dirname(self.headers), exist_ok=True)
            source = self.headers[:-3] + 'cu'
            open(source, 'w').write(COMMON)
            failed, out = t.cc(self.base + ['-std=c++17', '-Xclang', '-emit-pch', '-Xclang', '-o', '-Xclang', self.headers, source])
            if failed:
                sys.exit('cudacheck.py: the headers of PyTorch do not compile:\n' + out[-2000:])

    def errors(self, unit, options, standard, cwd, precompiled):
        # What an extension takes back, `-U__CUDA_NO_HALF_OPERATORS__`, the precompiled headers have read already.
        gone = {f'-D{option[2:]}' for option in options if option.startswith('-U')}
        with_headers = ['-include-pch', self.headers] if precompiled and standard == 17 and not gone & set(DEFINES) else []
        failed, out = t.cc([option for option in self.base if option not in gone] + [f'-std=c++{standard}', *with_headers, *options, unit], cwd)
        return t.errors(out) or [dict(file='', line=0, msg=out[-200:], cls='other', detail='')] if failed else []


def options(extension, cwd):
    """What of an extension's options for nvcc clang needs, and the standard; PyTorch's headers want C++17 at least."""
    kept, standard = [f'-D{n}' if v is None else f'-D{n}={v}' for n, v in extension['defines']], 17
    for group in t.groups(extension['nvcc']):
        named = re.match(r'--?std[= ](?:c|gnu)\+\+(\d+)', ' '.join(group))
        if named:
            standard = max(standard, int(named.group(1)))
        elif re.match(r'-[DUI]|-include|-isystem', group[0]):
            kept += group
    kept += [f'-U{u}' for u in extension['undefs']]
    for path in extension['include_dirs']:
        kept += ['-I', os.path.join(cwd, path)]
    return kept + ['-DTORCH_EXTENSION_NAME=' + extension['name'].split('.')[-1], '-DTORCH_API_INCLUDE_EXTENSION_H'], standard


def units(tree, recorded, sample):
    """The GPU units of the extensions, each once; at most `sample`, those that torchcheck.py would take."""
    every = [(e, s) for e, s in t.units_of(recorded) if s.endswith(t.GPU_EXT) and os.path.isfile(s)]
    names = sorted({s for _, s in every}, key=lambda s: hashlib.sha1(os.path.relpath(s, tree).encode()).hexdigest())[:sample]
    seen = set()
    for extension, source in every:
        if source in names and source not in seen:
            seen.add(source)
            yield extension, source


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument('tree')
    ask.add_argument('--setup', action='append')
    ask.add_argument('--argv', default='build_ext')
    ask.add_argument('--env', action='append', default=[])
    ask.add_argument('--out')
    ask.add_argument('--cache')
    ask.add_argument('--sample', type=int)
    ask.add_argument('--only', nargs='*', help='these units alone, relative to TREE')
    a = ask.parse_args()
    clang, tree, memo, cache, result = Clang(), os.path.abspath(a.tree), {}, t.Cache(a.cache), []
    for script in a.setup or ['setup.py']:
        recorded = t.ask('cuda', tree, script, a.argv.split(), dict(x.split('=', 1) for x in a.env))
        for extension, source in units(tree, recorded, a.sample):
            if a.only is not None and os.path.relpath(source, tree) not in a.only:
                continue
            flags, standard = options(extension, recorded['cwd'])
            of_torch, _, digest = t.wants(source, [os.path.join(recorded['cwd'], d) for d in extension['include_dirs']], memo)
            key = 'cuda ' + hashlib.sha1(repr((clang.base, [f.replace(tree, '') for f in flags], standard, digest)).encode()).hexdigest()
            if key not in cache:
                cache[key] = clang.errors(source, flags, standard, recorded['cwd'], of_torch)
            result.append(dict(source=os.path.relpath(source, tree), ok=not cache[key], errors=cache[key]))
            print('FAIL' if cache[key] else 'ok  ', result[-1]['source'], *(f"{e['file']}:{e['line']} {e['msg'][:110]}" for e in cache[key][:1]), flush=True)
    if a.out:
        json.dump(dict(units=result, ok=sum(u['ok'] for u in result)), open(a.out, 'w'), indent=1)
    print(f"{sum(u['ok'] for u in result)} of {len(result)} units pass for CUDA")


if __name__ == '__main__':
    main()
