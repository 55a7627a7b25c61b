#!/usr/bin/env python3
"""maintainers.py BIN REPOS WORK [NAME...] [--compile] [--sample N]: lines that BIN changes beside those that maintainers merged for ROCm.

REPOS has a git directory OWNER+NAME (or OWNER+NAME/repo) for the extensions of maintainers.toml; what lacks there is named. For each the
commit before the merge is ported in place, and the lines that are new or gone are counted in the files that are built: in sources, in
build scripts, and in the helper header that the port writes. With --compile the units of all three trees are compiled for gfx90a.
WORK keeps the patches. Needs git, and for --compile CASS_ROCM and CASS_TORCH.
"""
import os, shutil, subprocess
from corpus import arguments, check, chosen, count, parsed, port, shown


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


def main():
    ask = arguments(__doc__, 'repos')
    ask.add_argument('--compile', action='store_true')
    a = parsed(ask, 'repos')
    for name, project in chosen('maintainers.toml', a.names).items():
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
                code = port(a.program, tree, tree)
                counted['ours'] = count(open(tree + '.patch', errors='replace').read())
            if a.compile:
                result = check(tree, project, tree + '.json', ['--gpu-only', *a.options])
                s = result['summary'] if result else dict(gpu_ok=0, gpu_units=0, builds=0)
                units.append(f"{side} {s['gpu_ok']}/{s['gpu_units']} compile, {s['builds']} build")
            shutil.rmtree(tree, ignore_errors=True)
        print(f'{name}: ours (exit {code}): {shown(counted["ours"])}; theirs: {shown(counted["theirs"])}', *units, sep='; ', flush=True)


if __name__ == '__main__':
    main()
