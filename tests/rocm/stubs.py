#!/usr/bin/env python3
"""stubs.py USR REAL LLVM: a library without code for each libX.so in USR/lib/x86_64-linux-gnu that points nowhere.

Its symbols are those of the library of that name under REAL; where none is there, the functions that the headers in USR declare. Prints
a line for each: name, symbols, where they are from. Fails where a library has neither.
"""
import pathlib
import re
import subprocess
import sys

# The headers that declare what libraries export that are too large to fetch for their names, and how those names begin.
DECLARED = {
    "librocblas": ("rocblas/rocblas.h", "rocblas"),
    "librocsparse": ("rocsparse/rocsparse.h", "rocsparse"),
    "librocsolver": ("rocsolver/rocsolver.h", "rocsolver"),
    "librocrand": ("rocrand/rocrand.h", "rocrand"),
    "libhipblaslt": ("hipblaslt/hipblaslt.h", "hipblasLt"),
    "librccl": ("rccl/rccl.h", "p?nccl"),
    "libamd_comgr": ("amd_comgr/amd_comgr.h", "amd_comgr"),
}
# Of the graphics driver's, which no program here calls.
FOREIGN = "libdrm"


def declared(usr: pathlib.Path, llvm: pathlib.Path, library: str) -> dict[str, str]:
    if library not in DECLARED:
        return {}
    header, start = DECLARED[library]
    command = [llvm / "bin/clang", "-E", "-P", "-xc", "-D__HIP_PLATFORM_AMD__", "-DROCBLAS_BETA_FEATURES_API", "-I", usr / "include"]
    # One of them does not compile as C, for types that no name depends on.
    text = subprocess.run([*command, "-include", header, "/dev/null"], check=False, capture_output=True, text=True).stdout
    return dict.fromkeys(re.findall(rf"\b{start}\w*(?=\s*\()", text), "function")


def exported(library: pathlib.Path) -> dict[str, str]:
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    kinds = {row[2].split("@")[0]: row[1] for row in rows if len(row) == 3 and row[1] in "TWBDRVui"}
    return {name: "object" if kind in "BDRVu" else "function" for name, kind in kinds.items()}


def assembly(symbols: dict[str, str]) -> str:
    lines = [".text"]
    for name, kind in sorted(symbols.items()):
        lines += [f'.globl "{name}"', f'.type "{name}",@{kind}', f'"{name}":']
        lines += [] if kind == "function" else [f'.size "{name}",8']
    # The largest object that a program could copy out of it has room behind the last symbol.
    return "\n".join([*lines, "ud2", ".fill 4096,1,0", '.section .note.GNU-stack,"",@progbits', ""])


def names_in_packages(folder: pathlib.Path, library: str) -> set[str]:
    """The files that the packages' CMake files name: libX.so.6.4.43484."""
    texts = (path.read_text(errors="replace") for path in folder.glob("cmake/**/*.cmake"))
    return {name for text in texts for name in re.findall(rf"{re.escape(library)}\.so\.[0-9.]*[0-9]", text)}


def main() -> None:
    usr, real, llvm = map(pathlib.Path, sys.argv[1:])
    folder = usr / "lib/x86_64-linux-gnu"
    for link in sorted(folder.glob("*.so")):
        if link.exists() or not link.is_symlink() or link.name.startswith(FOREIGN):
            continue
        soname, library = link.readlink().name, link.name.removesuffix(".so")
        found = next(real.rglob(soname), None)
        symbols = exported(found) if found else declared(usr, llvm, library)
        if not symbols:
            sys.exit(f"stubs.py: {link.name}: no library {soname} and no header says what it exports")
        names = names_in_packages(folder, library) | {soname}
        target = max(names, key=len)
        source = folder / f"{library}.stub.s"
        source.write_text(assembly(symbols))
        subprocess.run([llvm / "bin/clang", "-shared", "-nostdlib", f"-Wl,-soname,{soname}", source, "-o", folder / target], check=True)
        source.unlink()
        for name in names - {target}:
            (folder / name).symlink_to(target)
        print(f"{target:28} {len(symbols):6} symbols  {'library' if found else 'headers'}")


main()
