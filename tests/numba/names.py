#!/usr/bin/env python3
"""names.py WHEEL [HIP_INCLUDE]: holds mappings/numba.toml against the wheel of numba-hip and HIP's headers. Nothing is imported or run.

Every name that the table calls present, or writes in the place of another, is a name of the wheel's modules or a function of HIP's device
headers, which numba-hip binds; none that it calls missing is exported by the package.
`pip download --no-deps numba-hip==0.2.1` fetches the wheel.
"""
import ast, glob, os, re, sys, tomllib, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# There under their name, but of no use to a program (the reason stands in the table).
UNUSABLE = {"atomic", "cudadrv", "fp16", "compile_ptx", "compile_ptx_for_current_device", "compile", "syncwarp", "nanosleep",
            "detect", "runtime", "is_supported_version"}


def names_of(tree):
    """What a module binds, and the words of its strings: numba-hip makes stubs by name."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[-1]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"[A-Za-z_]\w*", node.value)


def homes(modules):
    """The modules of the table, and those that have what they lack."""
    for it in modules:
        yield it
        yield from homes([it["other"]] if "other" in it else [])


def of_numba(table):
    """What the table takes from numba and the numba that runs this lacks; nothing where none is installed."""
    try:
        import numba
    except ImportError:
        return []
    import importlib
    wanted = [("numba", name) for name in table["numba"]["names"]]
    for it in homes(table["module"].values()):
        if not it["to"].startswith("numba.hip"):
            wanted += [(it["to"], name) for name in [*it["names"], *it.get("renamed", {}).values()]]
    def has(module, name):
        if hasattr(importlib.import_module(module), name):
            return True
        try:
            return bool(importlib.import_module(f"{module}.{name}"))
        except ImportError:
            return False
    return sorted(f"{module}.{name}" for module, name in wanted if not has(module, name))


def main(wheel, include=None):
    table = tomllib.load(open(os.path.join(HERE, "../../mappings/numba.toml"), "rb"))
    archive = zipfile.ZipFile(wheel)
    modules = {name: archive.read(name).decode() for name in archive.namelist() if name.startswith("numba/hip/") and name.endswith(".py")}
    known = {name for text in modules.values() for name in names_of(ast.parse(text))}
    # Vector types are made from a base and a width.
    known |= {f"{base}x{width}" for base in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64") for width in "1234"}
    known |= {f"{base}{width}" for base in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double") for width in "1234"}
    if include:
        for path in glob.glob(include + "/hip/amd_detail/*.h"):
            known |= {name.lstrip("_") for name in re.findall(r"[A-Za-z_]\w*", open(path, errors="replace").read())}
    exported = {alias.asname or alias.name for text in [modules["numba/hip/device_init.py"]] for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.ImportFrom) for alias in node.names}
    wanted = set(table["present"]) | {it["to"] for it in table["rename"].values()}
    for it in homes(table["module"].values()):
        path = it["to"].replace(".", "/")
        text = modules.get(f"{path}.py") or modules.get(f"{path}/__init__.py")
        # Of numba itself, whose release is another one: see `of_numba`.
        if it["to"].startswith("numba.hip"):
            has = set(names_of(ast.parse(text or ""))) | {name[len(path) + 1:-3] for name in modules if name.startswith(path + "/")}
            here = set(it["names"]) | set(it.get("renamed", {}).values())
            wanted |= {f"{it['to']}.{name}" for name in here}
            known |= {f"{it['to']}.{name}" for name in here & has}
    lacking = sorted(wanted - known) + of_numba(table)
    there = sorted(name for name in [*table["missing"], *table["helper"]] if name in exported and name not in UNUSABLE)
    for name in lacking:
        print(f"names.py: {name} is called present and is nowhere in the wheel or HIP's headers")
    for name in there:
        print(f"names.py: {name} is called missing and is exported")
    print(f"names.py: {len(wanted)} names looked for, {len(lacking)} not found; {len(table['missing']) + len(table['helper'])} called missing, {len(there)} of them there")
    return 1 if lacking or there else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
