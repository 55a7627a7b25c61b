#!/usr/bin/env python3
"""corpus.py BIN CORPUS WORK [NAME...] [--sample N]: public extensions of PyTorch, compiled for gfx90a before and after BIN has ported them in place.

CORPUS has a checkout of each extension of corpus.toml that is to be measured; what lacks there is named and left out.
One line per extension: of the GPU units those that compile, and in brackets those that also build, since hipcc takes every option; of the
units for the host those that compile; with CASS_CUDA12 (tests/torch/cuda12.sh) of the ported GPU units those that pass clang's check for CUDA, and of the
others how many did not pass it before.
Below it stands what fails after the port, by what it needs: `lacks` is what AMD has nothing like.
WORK gets per extension both trees' results (NAME.before.json, NAME.after.json, NAME.cuda.json) and the log and patch of the port; the
trees go. Compilations are kept in WORK/cache.jsonl, so that a call that was ended goes on where it stood.
Needs CASS_ROCM and CASS_TORCH (tests/torch/setup.sh).
"""
import argparse, collections, json, os, re, shutil, subprocess, sys, tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SIDES = ('before', 'after')
HELPER = 'cass_hip_compat.hpp'

# What AMD has nothing like, by the error or by the source where it stands.
LACKS = [('CUTLASS', r"'(?:cutlass|cute)/|\bcutlass::|\bcute::"), ('cuDNN frontend', r'cudnn_frontend|cudnn-frontend'), ('NVSHMEM', r'nvshmem'),
         ('instructions of Hopper and later', r'wgmma|tcgen05|cp\.async\.bulk|mbarrier\.|CUtensorMap|setmaxnreg'),
         ('tensor core instructions', r'\bmma\.sync|ldmatrix|stmatrix|mma\.sp'), ('domains of NVTX', r'nvtxDomain|nvtxString')]


def arguments(doc, where):
    """The arguments of corpus.py and maintainers.py: a program, where the sources are, a folder for results, names of extensions."""
    ask = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument('program')
    ask.add_argument(where)
    ask.add_argument('work')
    ask.add_argument('names', nargs='*')
    ask.add_argument('--sample', help='at most that many GPU units of each script, and a quarter as many others')
    return ask


def parsed(ask, where):
    """What was asked, with absolute paths; the folder for results is there."""
    a = ask.parse_intermixed_args()
    a.program, a.work = os.path.abspath(a.program), os.path.abspath(a.work)
    setattr(a, where, os.path.abspath(getattr(a, where)))
    a.options = ['--cache', os.path.join(a.work, 'cache.jsonl')] + (['--sample', a.sample] if a.sample else [])
    os.makedirs(a.work, exist_ok=True)
    return a


def chosen(file, names):
    """The extensions of a list, those alone that are named if any is."""
    every = tomllib.load(open(os.path.join(HERE, file), 'rb'))
    return {name: project for name, project in every.items() if not names or name in names}


def run(command, log=None, cwd=None):
    with open(log or os.devnull, 'w') as out:
        return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=cwd).returncode


def copy(source, target, left_out):
    shutil.rmtree(target, ignore_errors=True)
    left_out = {'.git', '.torchcheck', *left_out}

    def ignored(folder, names):
        return [name for name in names if {name, os.path.relpath(os.path.join(folder, name), source)} & left_out]

    shutil.copytree(source, target, symlinks=True, ignore=ignored)


def port(program, tree, stem):
    """Ports `tree` in place and leaves the patch beside; the exit code."""
    git = ['git', '-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'core.autocrlf=false']
    run(git + ['init', '-q', '.'], cwd=tree)
    run(git + ['add', '-Af'], cwd=tree)
    run(git + ['commit', '-qm', 'before'], cwd=tree)
    code = run([program, '--in-place', tree], stem + '.log')
    for folder, _, files in os.walk(tree):
        for name in files:
            if name.endswith('.cuda-orig'):
                os.remove(os.path.join(folder, name))
    run(git + ['add', '-Af'], cwd=tree)
    run(git + ['diff', '--cached'], stem + '.patch', cwd=tree)
    shutil.rmtree(os.path.join(tree, '.git'), ignore_errors=True)
    return code


def count(patch):
    """Lines that a patch adds or takes: of sources, of build scripts, of the helper header."""
    lines, kind = dict(source=0, build=0, helper=0), 'source'
    for line in patch.splitlines():
        if line.startswith('+++ ') or line.startswith('--- '):
            name = line[4:]
            kind = 'helper' if name.endswith(HELPER) else 'build' if name.endswith(('.py', '.txt', '.toml')) else 'source'
        elif line[:1] in '+-' and line:
            lines[kind] += 1
    return lines


def shown(lines):
    return ' '.join(f'{kind} {number}' for kind, number in lines.items() if number) or 'nothing'


def check(tree, project, out, options, tool='torchcheck.py'):
    """The result of torchcheck.py or cudacheck.py over the scripts of a project."""
    command = [sys.executable, os.path.join(HERE, tool), tree, '--out', out, '--argv', project.get('argv', 'build_ext')]
    for script in project['setup']:
        command += ['--setup', script]
    for pair in project.get('env', []):
        command += ['--env', pair]
    run(command + options, out[:-5] + '.txt')
    return json.load(open(out)) if os.path.exists(out) else None


def cause(tree, error):
    """What a unit fails for: what AMD has nothing like, else the class of its first error."""
    try:
        lines = open(os.path.join(tree, error['file']), errors='replace').read().splitlines()
    except OSError:
        lines = []
    text = '\n'.join([error['msg'], *lines[max(0, error['line'] - 12):error['line'] + 8]])
    lacks = next((name for name, pattern in LACKS if re.search(pattern, text)), None)
    return f'lacks {lacks}' if lacks else f"{error['cls']} {error['detail']}".strip()


def summed(result, tree):
    """What the line of an extension needs of a result of torchcheck.py; kept in the file, since the tree goes."""
    units = [unit for one in result['setups'] for unit in one['units']]
    sound = lambda unit: unit['ok'] and not any(why.startswith('refused') for _, why in unit['bad_flags'])
    gpu, host = [u for u in units if u['gpu']], [u for u in units if not u['gpu']]
    failed = [next(e for p in u['passes'].values() for e in p['errors']) for u in units if any(p['errors'] for p in u['passes'].values())]
    return dict(gpu=len(gpu), compile=sum(u['ok'] for u in gpu), build=sum(map(sound, gpu)), host=len(host), host_ok=sum(u['ok'] for u in host),
                refuses=sum(one['rocm_setup'] != 'ok' for one in result['setups']), scripts=len(result['setups']),
                causes=dict(collections.Counter(cause(tree, e) for e in failed).most_common()))


def measure(a, name, project, side):
    """Compiles one side of an extension; its results stay in WORK."""
    stem = os.path.join(a.work, name)
    copy(os.path.join(a.corpus, name), stem, project.get('without', []))
    if side == 'after':
        port(a.program, stem, stem)
        if 'CASS_CUDA12' in os.environ:
            for_cuda(a, name, project)
    result = check(stem, project, f'{stem}.{side}.json', a.options)
    if result:
        result['line'] = summed(result, stem)
        json.dump(result, open(f'{stem}.{side}.json', 'w'), indent=1)
    shutil.rmtree(stem, ignore_errors=True)


def for_cuda(a, name, project):
    """Checks the ported tree for CUDA, and the units that fail as they were before."""
    stem = os.path.join(a.work, name)
    after = check(stem, project, stem + '.cuda.json', a.options, 'cudacheck.py')
    failed = [unit['source'] for unit in after['units'] if not unit['ok']] if after else []
    if failed:
        copy(os.path.join(a.corpus, name), stem + '.cuda', project.get('without', []))
        before = check(stem + '.cuda', project, stem + '.cuda-before.json', [*a.options, '--only', *failed], 'cudacheck.py')
        after['fail before'] = sum(not unit['ok'] for unit in before['units'])
        json.dump(after, open(stem + '.cuda.json', 'w'), indent=1)
        shutil.rmtree(stem + '.cuda')


def line(a, name, total):
    """The line of an extension, from what stands in WORK."""
    stem, parts, causes = os.path.join(a.work, name), [], {}
    read = lambda path: json.load(open(path)) if os.path.exists(path) else {}
    for side in SIDES:
        found = read(f'{stem}.{side}.json').get('line')
        if found:
            causes = found.pop('causes') if side == 'after' else causes
            total.update({f'{side} {key}': value for key, value in found.items() if isinstance(value, int)})
            total[f'{side} extensions'] += 1
            total[f'{side} extensions that build'] += found['build'] == found['gpu'] and not found['refuses']
            host = f"; host {found['host_ok']}/{found['host']}" if found['host'] else ''
            refuses = ', setup refuses' if found['refuses'] else ''
            parts.append(f"{side} {found['compile']}/{found['gpu']} ({found['build']}{refuses}){host}")
    cuda = read(stem + '.cuda.json')
    if cuda:
        passed, alike = cuda['ok'], cuda.get('fail before', 0)
        total.update({'CUDA after': passed, 'CUDA neither before nor after': alike, 'CUDA units': len(cuda['units'])})
        parts.append(f"CUDA {passed}/{len(cuda['units'])}" + (f' ({alike} fail before too)' if alike else ''))
    if os.path.exists(stem + '.patch'):
        parts.append('lines: ' + shown(count(open(stem + '.patch', errors='replace').read())))
    return '; '.join([f'{name}: ' + parts[0], *parts[1:]] if parts else [f'{name}: no result']) + ''.join(f'\n    {n} {why}' for why, n in causes.items())


def main():
    ask = arguments(__doc__, 'corpus')
    ask.add_argument('--only', choices=SIDES, help='measure one side; of the other what an earlier call left counts')
    ask.add_argument('--show', action='store_true', help='measure nothing: the table of what earlier calls left')
    a, total = parsed(ask, 'corpus'), collections.Counter()
    for name, project in chosen('corpus.toml', a.names).items():
        if not os.path.isdir(os.path.join(a.corpus, name)):
            print(f'{name}: no checkout')
            continue
        for side in SIDES:
            if not a.show and a.only in (None, side):
                measure(a, name, project, side)
        print(line(a, name, total), flush=True)
    print(json.dumps(total, indent=1))


if __name__ == '__main__':
    main()
