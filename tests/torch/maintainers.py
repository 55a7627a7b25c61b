#!/usr/bin/env python3
"""maintainers.py BIN REPOS WORK [NAME...] [--compile] [--sample N]: lines that BIN changes beside those that maintainers merged for ROCm.

REPOS has a git directory OWNER+NAME (or OWNER+NAME/repo) for the extensions of maintainers.toml; what lacks there is named. For each the
commit before the merge is ported in place, and the lines that are new or gone are counted in the files that are built: in sources, in
build scripts, and in the helper header that the port writes. With --compile the units of all three trees are compiled for gfx90a.
WORK keeps the patches. Needs git, and for --compile CASS_ROCM and CASS_TORCH.
"""
import argparse, json, os, shutil, subprocess, sys, tomllib
from corpus import check, port

HERE = os.path.dirname(os.path.abspath(__file__))
HELPER = 'cass_hip_compat.hpp'


def git_directory(repos, name):
    for end in '', 'repo', 'repo/.git', '.git':
        path = os.path.join(repos, name, end)
        if os.path.exists(os.path.join(path, 'HEAD')):
            return path
    return None


def extract(directory, commit, parts, tree):
    """Writes the files of a commit below `parts` to `tree`, those alone that the repository holds."""
    shutil.rmtree(tree, ignore_errors=True)
    git = ['git', '--git-dir', directory]
    names = subprocess.run(git + ['ls-tree', '-r', '-z', '--name-only', commit, *parts], capture_output=True, check=True).stdout
    for name in filter(None, names.decode(errors='surrogateescape').split('\0')):
        blob = subprocess.run(git + ['cat-file', 'blob', f'{commit}:{name}'], capture_output=True)
        if blob.returncode == 0:
            path = os.path.join(tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, 'wb').write(blob.stdout)


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


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument('program')
    ask.add_argument('repos')
    ask.add_argument('work')
    ask.add_argument('names', nargs='*')
    ask.add_argument('--compile', action='store_true')
    ask.add_argument('--sample')
    a = ask.parse_intermixed_args()
    a.program, a.repos, a.work = (os.path.abspath(p) for p in (a.program, a.repos, a.work))
    os.makedirs(a.work, exist_ok=True)
    for name, project in tomllib.load(open(os.path.join(HERE, 'maintainers.toml'), 'rb')).items():
        if a.names and name not in a.names:
            continue
        directory, stem = git_directory(a.repos, project['repo']), os.path.join(a.work, name)
        if directory is None:
            print(f'{name}: no repository')
            continue
        base, merged = project['merged']
        theirs = subprocess.run(['git', '--git-dir', directory, 'diff', '--no-renames', base, merged, '--', *project['parts']], capture_output=True, text=True, errors='replace').stdout
        open(stem + '.theirs.patch', 'w').write(theirs)
        counted, units = {'theirs': count(theirs)}, []
        for side, commit in ('before', base), ('ours', base), ('theirs', merged):
            tree = f'{stem}.{side}'
            if side == 'ours' or a.compile:
                extract(directory, commit, project['parts'], tree)
            if side == 'ours':
                code, _ = port(a.program, tree, tree)
                counted['ours'] = count(open(tree + '.patch', errors='replace').read())
            if a.compile:
                options = ['--gpu-only', '--cache', os.path.join(a.work, 'cache.jsonl')] + (['--sample', a.sample] if a.sample else [])
                result = check(tree, project, tree + '.json', options)
                s = result['summary'] if result else dict(gpu_ok=0, gpu_units=0, builds=0)
                units.append(f"{side} {s['gpu_ok']}/{s['gpu_units']} compile, {s['builds']} build")
            shutil.rmtree(tree, ignore_errors=True)
        line = lambda side: ' '.join(f'{k} {v}' for k, v in counted[side].items() if v) or 'nothing'
        print(f'{name}: ours (exit {code}): {line("ours")}; theirs: {line("theirs")}', *units, sep='; ', flush=True)


if __name__ == '__main__':
    main()
