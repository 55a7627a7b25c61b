#!/usr/bin/env python3
"""corpus.py BIN CORPUS WORK [NAME...] [--sample N]: public extensions of PyTorch, compiled for gfx90a before and after BIN has ported them in place.

CORPUS has a checkout of each extension of corpus.toml that is to be measured; what lacks there is named and left out.
WORK gets per extension both trees' results (NAME.before.json, NAME.after.json) and the log and patch of the port; the trees go.
A unit "builds" where it compiles and hipcc takes every option. Needs CASS_ROCM and CASS_TORCH (tests/torch/setup.sh).
"""
import argparse, collections, json, os, shutil, subprocess, sys, tomllib

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, log=None, cwd=None):
    with open(log or os.devnull, 'w') as out:
        return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=cwd).returncode


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns('.git', '.torchcheck'))


def port(program, tree, stem):
    """Ports `tree` in place and leaves the patch beside; the exit code, files and lines changed."""
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
    stat = subprocess.run(git + ['diff', '--cached', '--shortstat'], cwd=tree, capture_output=True, text=True).stdout.strip()
    shutil.rmtree(os.path.join(tree, '.git'), ignore_errors=True)
    return code, stat


def check(tree, project, out, options):
    """The result of torchcheck.py over the scripts of a project."""
    command = [sys.executable, os.path.join(HERE, 'torchcheck.py'), tree, '--out', out, '--argv', project.get('argv', 'build_ext')]
    for script in project['setup']:
        command += ['--setup', script]
    for pair in project.get('env', []):
        command += ['--env', pair]
    run(command + options, out[:-5] + '.txt')
    return json.load(open(out)) if os.path.exists(out) else None


def first_errors(result):
    """How many units fail by what their first error is."""
    causes = collections.Counter()
    for one in result['setups']:
        for unit in one['units']:
            error = next((e for p in unit['passes'].values() for e in p['errors']), None)
            if error:
                causes[f"{error['cls']} {error['detail']}".strip()] += 1
    return dict(causes.most_common())


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument('program')
    ask.add_argument('corpus')
    ask.add_argument('work')
    ask.add_argument('names', nargs='*')
    ask.add_argument('--sample', help='at most that many GPU units of each script')
    ask.add_argument('--only', choices=('before', 'after'), help='measure one side; of the other what an earlier call left counts')
    a = ask.parse_intermixed_args()
    a.program, a.corpus, a.work = (os.path.abspath(p) for p in (a.program, a.corpus, a.work))
    os.makedirs(a.work, exist_ok=True)
    projects = tomllib.load(open(os.path.join(HERE, 'corpus.toml'), 'rb'))
    total = collections.Counter()
    for name, project in projects.items():
        source, stem = os.path.join(a.corpus, name), os.path.join(a.work, name)
        if a.names and name not in a.names:
            continue
        if not os.path.isdir(source):
            print(f'{name}: no checkout')
            continue
        options = ['--gpu-only', '--cache', os.path.join(a.work, 'cache.jsonl')] + (['--sample', a.sample] if a.sample else [])
        line, causes = [name], {}
        for when in 'before', 'after':
            result = f'{stem}.{when}.json'
            if a.only in (None, when):
                copy(source, stem)
                if when == 'after':
                    code, stat = port(a.program, stem, stem)
                    line.append(f'exit {code}, {stat}')
                check(stem, project, result, options)
                shutil.rmtree(stem, ignore_errors=True)
            if os.path.exists(result):
                s = json.load(open(result))
                causes = first_errors(s)
                s = s['summary']
                total.update({f'{when} {k}': v for k, v in s.items()})
                line.append(f"{when}: {s['gpu_ok']}/{s['gpu_units']} compile, {s['builds']} build, {s['setups_refusing']} of {s['setups']} scripts refuse")
        print('; '.join(line), *(f'\n    {n} {cause}' for cause, n in causes.items()), sep='', flush=True)
    print(json.dumps(total))


if __name__ == '__main__':
    main()
