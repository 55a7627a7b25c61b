#!/usr/bin/env python3
"""releases.py CLONES [BINDINGS]: holds the ROCm releases of mappings/*.toml against what AMD released.

CLONES is a folder with git clones named HIP, hipamd, clr, hipBLAS … (those that are missing are left out). Of each release the first
tag counts (rocm-5.2.0), and of each tag the words of its public headers. BINDINGS is a folder with one folder per release (6.3.0,
7.0.0, 10.0.0 …) that holds AMD's unpacked Python wheels of it: hip-python, from 10.0 on rocm-bindings-hip and -libraries. Their .pxd
files are the declarations of that release's headers, macros left out. A table may be later than these (a call that came back with
other arguments); it must not be earlier, since a program that is told "ROCm 4.3" would not compile there. Exit code 1 if one is.
"""
import pathlib
import re
import subprocess
import sys
import tomllib

HIP = [("HIP", r"^include/"), ("hipamd", r"^include/hip"), ("clr", r"^hipamd/include/")]
LIBRARY = r"^library/(include|src/hiprand)"
HEADERS = {
    **dict.fromkeys(["runtime", "driver", "device", "fp16", "complex", "rtc", "cooperative_groups"], HIP),
    "blas": [("hipBLAS", LIBRARY)],
    "blaslt": [("hipBLASLt", LIBRARY)],
    "dnn": [("MIOpen", r"^include/miopen/")],
    "fft": [("hipFFT", LIBRARY)],
    "nccl": [("rccl", r"^src/(include/)?(nccl|rccl)[^/]*$")],
    "nvtx": [("roctracer", r"^inc/")],
    "rand": [("hipRAND", LIBRARY), ("rocRAND", LIBRARY)],
    "solver": [("hipSOLVER", LIBRARY)],
    "sparse": [("hipSPARSE", LIBRARY)],
}
MODULES = {
    **dict.fromkeys(["runtime", "driver", "complex", "rtc"], ["hip", "hiprtc"]),
    **{library: [f"hip{library}", "hip"] for library in ["blas", "blaslt", "fft", "rand", "solver", "sparse", "sparselt", "tensor"]},
    "nccl": ["rccl"],
    "nvtx": ["roctx"],
}
# The first release of which there are bindings for these: what they have may be older.
ONLY_SINCE = {"blaslt": (10, 0), "sparselt": (10, 0), "tensor": (10, 0)}
WORD = re.compile(rb"[A-Za-z_]\w*")


def git(clone, *arguments):
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True).stdout


def tags(clone):
    """The first tag of each release."""
    first = {}
    for tag in git(clone, "tag").decode().split():
        if found := re.fullmatch(r"roc[m]?-(\d+)\.(\d+)(?:\.(\d+))?", tag):
            release, patch = (int(found[1]), int(found[2])), int(found[3] or 0)
            first[release] = min(first.get(release, (patch, tag)), (patch, tag))
    return {release: tag for release, (_, tag) in first.items()}


def words(clone, tag, pattern, known):
    """The words of the headers of a tag; `known` keeps those of files that did not change."""
    found = set()
    for line in git(clone, "ls-tree", "-r", tag).decode(errors="replace").splitlines():
        blob, path = line.split("\t", 1)
        if re.search(pattern, path):
            blob = blob.split()[2]
            if blob not in known:
                # A partial clone may lack large files: tables of numbers, no declarations.
                text = subprocess.run(["git", "-C", clone, "cat-file", "blob", blob], capture_output=True).stdout
                known[blob] = set(WORD.findall(text))
            found |= known[blob]
    return found


def bound(bindings, modules):
    """The words that the bindings of each release declare."""
    by_release = {}
    for folder in bindings.iterdir() if bindings else ():
        if number := re.fullmatch(r"(\d+)\.(\d+)\.0", folder.name):
            release = int(number[1]), int(number[2])
            for path in folder.rglob("c*.pxd"):
                if re.fullmatch("|".join(f"cy?{module}" for module in modules), path.stem):
                    code = re.sub(rb"#.*", b"", path.read_bytes())
                    by_release.setdefault(release, set()).update(WORD.findall(code))
    return by_release


def first_releases(clones, headers, declared):
    """The first release of each word, and the oldest release with a tag."""
    by_release, known = {release: set(words) for release, words in declared.items()}, {}
    for name, pattern in headers:
        clone = clones / name
        for release, tag in tags(clone).items() if clone.is_dir() else ():
            by_release.setdefault(release, set()).update(words(clone, tag, pattern, known))
    first = {}
    for release in sorted(by_release):
        for word in by_release[release]:
            first.setdefault(word.decode(), release)
    return first, min(by_release, default=None)


def main(clones, bindings=None):
    counted, wrong, read = 0, [], {}
    for path in sorted(pathlib.Path(__file__, "../../../mappings").resolve().glob("*.toml")):
        table = tomllib.loads(path.read_text())
        library = table.get("library")
        headers, modules = HEADERS.get(library, []), MODULES.get(library, [])
        if not headers and not (bindings and modules):
            continue
        key = str((headers, modules))
        if key not in read:
            read[key] = first_releases(clones, headers, bound(bindings, modules))
        first, oldest = read[key]
        for section in ("functions", "types", "enumerators", "macros"):
            for name, entry in table.get(section, {}).items():
                since = entry.get("rocm", "").partition("..")[0]
                tagged = first.get(entry.get("hip"))
                by_other = "source" in entry and not (bindings and entry["source"].startswith("HIP Python"))
                if not since or not tagged or tagged == oldest or "older" in entry or by_other:
                    continue
                if tagged == ONLY_SINCE.get(library):
                    continue
                counted += 1
                if tuple(map(int, since.split("."))) < tagged:
                    wrong.append(f"{path.name}: {name}: since {since}, the headers have {entry['hip']} since {tagged[0]}.{tagged[1]}")
    print(*wrong, f"{counted} releases looked up, {len(wrong)} wrong", sep="\n")
    return bool(wrong) or not counted


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])) if len(sys.argv) in (2, 3) else __doc__)
