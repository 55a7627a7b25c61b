#!/usr/bin/env python3
"""renames.py FOLDER...: writes mappings/torch.toml, the names that PyTorch's own hipify renames when it builds an extension for ROCm.

FOLDER is called by its release and holds torch/utils/hipify of that release's wheel (fetch.sh puts it there): wheels/2.11.0.
renames.py --check FOLDER...: compares the table with those releases and prints what differs; exit code 1 if anything does.
Only pairs of names are taken, as a program would see them after `import torch.utils.hipify`."""
import importlib.util
import os
import re
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../mappings/torch.toml')
HEAD = '''\
# What PyTorch's own hipify renames when `CUDAExtension` or `load` builds for ROCm: in the dialect `torch` these names stay as they are.
# Written by tests/torch/renames.py from torch.utils.hipify of the releases below; `since` and `until` are given where not all have the name.
'''


def pairs(folder):
    """The names, headers and qualified names of one release."""
    path = os.path.join(folder, 'torch/utils/hipify')
    sys.modules['hipify'] = package = importlib.util.module_from_spec(importlib.util.spec_from_loader('hipify', None))
    package.__path__ = [path]

    def load(name):
        spec = importlib.util.spec_from_file_location('hipify.' + name, os.path.join(path, name + '.py'))
        sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    load('constants')
    mappings = load('cuda_to_hip_mappings').CUDA_TO_HIP_MAPPINGS
    found = {}
    for mapping in mappings:
        for name, value in mapping.items():
            target = value if isinstance(value, str) else value[0]
            found[name] = target
    return found


def section(name):
    """Where a key belongs, and how it is written there; None for what is no name and no header."""
    header = re.fullmatch(r'(?:include )?["<]?([\w./]+\.(?:h|hpp|cuh))>?', name)
    if re.fullmatch(r'[A-Za-z_]\w*', name):
        return 'names', name
    if header:
        return 'headers', header[1]
    if re.fullmatch(r'\w+(::\w+)+', name):
        return 'qualified', name
    return None


def version(folder):
    return tuple(int(part) for part in os.path.basename(folder.rstrip('/')).split('.')[:2])


def table(folders):
    folders = sorted(folders, key=version)
    releases = [(version(folder), pairs(folder)) for folder in folders]
    text = [HEAD, 'releases = [%s]\n' % ', '.join('"%d.%d"' % v for v, _ in releases)]
    sections = {'names': {}, 'headers': {}, 'qualified': {}}
    for v, found in releases:
        for name, target in found.items():
            place = section(name)
            if place:
                target = re.sub(r'^include |["<>]', '', target)
                sections[place[0]].setdefault(place[1], []).append((v, target))
    for title, names in sections.items():
        text.append('\n[%s]\n' % title)
        for name in sorted(names):
            uses = names[name]
            key = name if re.fullmatch(r'\w+', name) else '"%s"' % name
            span = ''
            if uses[0][0] != releases[0][0]:
                span += ', since = "%d.%d"' % uses[0][0]
            if uses[-1][0] != releases[-1][0]:
                span += ', until = "%d.%d"' % uses[-1][0]
            target = uses[-1][1]
            text.append('%s = { hip = "%s"%s }\n' % (key, target, span) if span else '%s = "%s"\n' % (key, target))
    return ''.join(text)


def check(folders):
    """Whether each release renames exactly what the table says of it."""
    import tomllib
    with open(TABLE, 'rb') as file:
        known = tomllib.load(file)
    problems = 0
    for folder in folders:
        v = version(folder)
        of = lambda text: tuple(int(part) for part in text.split('.'))
        listed = v in [of(text) for text in known['releases']]
        expected = {}
        for title in ('names', 'headers', 'qualified'):
            for name, row in known[title].items():
                row = row if isinstance(row, dict) else {'hip': row}
                inside = of(row.get('since', '0.0')) <= v <= of(row.get('until', '99.0'))
                if inside:
                    expected[title, name] = row['hip']
        found = {place for place in map(section, pairs(folder)) if place}
        for title, name in sorted(found - set(expected)):
            print('%d.%d renames %s, and the table does not know it' % (*v, name)); problems += 1
        for title, name in sorted(set(expected) - found):
            print('%d.%d does not rename %s, and the table says it does' % (*v, name)); problems += 1
        print('torch %d.%d%s: %d names, headers and qualified names held against the table' % (*v, '' if listed else ' (not listed)', len(found)))
    return problems


if __name__ == '__main__':
    if sys.argv[1:2] == ['--check']:
        sys.exit(1 if check(sys.argv[2:]) else 0)
    if not sys.argv[1:]:
        sys.exit(__doc__)
    with open(TABLE, 'w') as file:
        file.write(table(sys.argv[1:]))
