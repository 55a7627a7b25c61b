#!/usr/bin/env python3
"""run.py BIN LINK_DIR: does each style of build end in a program with code for AMD?

Every project of `*_styles.py` is built two ways, for the chip of LINK_DIR (folder that tests/rocm/link.sh filled):

  translated  BIN translates it, then its own build file builds it with AMD's hipcc or CMake's language HIP
  nvcc        sources and build file stay as they are; the compiler is `BIN nvcc`, the toolkit what `BIN nvcc --install` writes
  dual        BIN translates it with `--vendors both`, and the build is told USE_HIP; scripts, which stay NVIDIA's, are left out

A build passes when it ends without error and, where the project has kernels, with a program or library that holds code for AMD. Exit 1
and the end of the log where one does not, or where one that NEEDS something passes after all.

With `--cuda DIR` (a CUDA toolkit: tests/torch/nvcc.sh and tests/build/cuda.sh) the dual form is also configured without USE_HIP, beside the
original: both have to compile and link with the same commands. For make `make --dry-run` says them; no toolkit is needed.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import cmake_styles  # noqa: F401
import make_styles  # noqa: F401
import script_styles  # noqa: F401
from languages import ASKS, KNOWN, Languages
from styles import STYLES

WAYS = ("translated", "nvcc", "dual")
# Projects without kernels.
HOST_ONLY = {"c20-host-only", "m15-gpp-only"}
# What this machine lacks, and how the build says so: CMake runs a program on the card to learn what `native` is, and the folder that
# `nvcc --install` writes has no packages beside that of the toolkit. Nor can it stand in for g++, which does not take rocThrust.
NEEDS = {
    ("nvcc", "c08-archs-native-all-off"): "no GPU was detected",
    ("nvcc", "c34-packages-and-checks"): "FindCUB.cmake",
    ("nvcc", "c39-host-source-with-thrust"): "cuda/__cccl_config",
}
# Seconds until a build counts as hung.
LIMIT = 600


def environment(link: pathlib.Path) -> dict[str, str]:
    text = subprocess.run(["sh", "-c", f". {link}/env.sh && env -0"], check=True, capture_output=True, text=True).stdout
    return dict(item.split("=", 1) for item in text.split("\0") if "=" in item)


def write(folder: pathlib.Path, files: dict[str, str], toolkit: str = "/usr/local/cuda") -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("/usr/local/cuda", toolkit))


def commands(folder: pathlib.Path, way: str) -> list[list[str]]:
    """What a person types in the folder of a project."""
    option = ["-DUSE_HIP=ON"] if way == "dual" else []
    if (folder / "build.sh").exists():
        return [["sh", "build.sh"]]
    if (folder / "CMakePresets.json").exists():
        return [["cmake", "--preset", "gpu", *option], ["cmake", "--build", "build", "--verbose"]]
    if (folder / "CMakeLists.txt").exists():
        known = [KNOWN] if (folder / "build").exists() else []
        return [["cmake", "-S", ".", "-B", "build", *option, *known], ["cmake", "--build", "build", "--verbose"]]
    return [["make", "USE_HIP=1"] if way == "dual" else ["make"]]


def build(folder: pathlib.Path, way: str, env: dict[str, str]) -> tuple[bool, str]:
    log = ""
    for command in commands(folder, way):
        try:
            done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return False, f"{log}\n{' '.join(command)}: not done after {LIMIT} s\n"
        log += f"$ {' '.join(command)}\n{done.stdout}"
        if done.returncode:
            return False, log
    return True, log


def commands_for_nvidia(folder: pathlib.Path, env: dict[str, str]) -> tuple[str, str]:
    """What was said, and the commands that compile and link the project; none where it cannot be configured."""
    run = lambda command: subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
    if (folder / "Makefile").exists():
        done = run(["make", "--dry-run", "--no-print-directory"])
        return done.stdout, done.stdout if done.returncode == 0 else ""
    done = run(["cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
    if done.returncode:
        return done.stdout, ""
    # FindCUDA compiles by commands of its own: where nothing else is compiled, CMake writes no list.
    path = folder / "build/compile_commands.json"
    compiled = sorted(item["command"] for item in json.loads(path.read_text())) if path.exists() else []
    linked = [path.read_text() for path in sorted((folder / "build").rglob("link.txt"))]
    return done.stdout, "\n".join(["configured", *compiled, *linked])


def code_of_amd(folder: pathlib.Path) -> tuple[bool, bool]:
    """Whether the build made a program or library, and whether one of them holds code for AMD."""
    made = amd = False
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file() or "CMakeFiles" in path.parts or not os.access(path, os.X_OK):
            continue
        if path.read_bytes()[:4] == b"\x7fELF":
            made = True
            sections = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
            amd = amd or ".hip_fatbin" in sections
    return made, amd


class Lab:
    """The folders and programs that builds need."""

    def __init__(self, binary: pathlib.Path, link: pathlib.Path, work: pathlib.Path) -> None:
        self.binary, self.work = binary, work
        self.env = environment(link)
        self.toolkit = work / "toolkit"
        subprocess.run([binary, "nvcc", "--install", self.toolkit], check=True, env=self.env, stdout=subprocess.DEVNULL)
        path = f"{self.toolkit}/bin:{self.env['PATH']}"
        self.with_nvcc = self.env | {"PATH": path, "CUDA_HOME": str(self.toolkit), "CUDACXX": f"{self.toolkit}/bin/nvcc",
                                     "CASS_NVCC_MODULES": "1", "CASS_NVCC_CACHE": str(work / "cache")}
        hip = Languages(work / "languages/hip", "HIP", self.env)
        self.languages = {"translated": hip, "dual": hip, "nvcc": Languages(work / "languages/nvcc", "CUDA", self.with_nvcc)}

    def prepare(self, way: str, name: str) -> tuple[pathlib.Path, dict[str, str]]:
        folder, env = self.written(way, name)
        if (folder / "CMakeLists.txt").exists() and not (folder / "build.sh").exists() and name not in ASKS:
            self.languages[way].give(folder / "build")
        return folder, env

    def written(self, way: str, name: str) -> tuple[pathlib.Path, dict[str, str]]:
        folder = self.work / way / name
        if way == "nvcc":
            write(folder, STYLES[name], str(self.toolkit))
            return folder, self.with_nvcc
        source = self.work / f"source-{way}" / name
        write(source, STYLES[name])
        kind = ["--vendors", "both"] if way == "dual" else []
        subprocess.run([self.binary, source, folder, "--quiet", *kind], check=True, env=self.env)
        return folder, self.env

    def try_one(self, way: str, name: str) -> tuple[str, float]:
        """An empty text where the build passes, else what went wrong; and its seconds."""
        start = time.monotonic()
        folder, env = self.prepare(way, name)
        passes, log = build(folder, way, env)
        made, amd = code_of_amd(folder) if passes else (False, False)
        needs = NEEDS.get((way, name))
        said = ""
        if needs and (passes or needs not in log):
            said = f"expected to stop with '{needs}'\n{log}"
        elif not needs and not passes:
            said = log
        elif not needs and not made:
            said = f"no program was made\n{log}"
        elif not needs and not amd and name not in HOST_ONLY:
            said = f"no code for AMD was made\n{log}"
        if way == "nvcc":
            said += self.changed(folder, name)
        return said, time.monotonic() - start

    def same_for_nvidia(self, name: str, cuda: pathlib.Path) -> tuple[str, float]:
        """An empty text where the dual form compiles and links for NVIDIA as the original does, else what differs."""
        start = time.monotonic()
        own = {"PATH": f"{cuda}/bin:{os.environ['PATH']}", "CUDACXX": f"{cuda}/bin/nvcc", "CUDA_HOME": str(cuda)}
        said, told = [], []
        for way in ("original", "both"):
            folder = self.work / f"nvidia-{way}" / name / "tree"
            write(folder, STYLES[name], str(cuda))
            if way == "both":
                output = folder.parent / "dual"
                subprocess.run([self.binary, folder, output, "--quiet", "--vendors", "both"], check=True)
                folder = output.rename(folder.parent / "tree-dual")
            log, commands = commands_for_nvidia(folder, os.environ | own)
            said.append(commands.replace(str(folder), "."))
            told.append(log)
        if not said[0]:
            return f"the original does not configure for NVIDIA\n{told[0]}", time.monotonic() - start
        differ = difflib.unified_diff(said[0].splitlines(), said[1].splitlines(), "original", "dual", lineterm="", n=0)
        text = "\n".join(differ)
        return text and f"{told[1]}\n{text}", time.monotonic() - start

    def changed(self, folder: pathlib.Path, name: str) -> str:
        files = STYLES[name].items()
        differ = [file for file, text in files if (folder / file).read_text() != text.replace("/usr/local/cuda", str(self.toolkit))]
        return "".join(f"{file} was changed\n" for file in differ)


def is_for_nvidia(name: str) -> bool:
    """Projects that configure for NVIDIA here: CMake 3.25 asks the card for `native`, and CUDA 13 has no nvToolsExt."""
    return "build.sh" not in STYLES[name] and name not in ("c08-archs-native-all-off",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda text: pathlib.Path(text).resolve(), metavar="BIN")
    parser.add_argument("link", type=lambda text: pathlib.Path(text).resolve(), metavar="LINK_DIR")
    parser.add_argument("--only", default="", metavar="REGEX", help="projects whose name matches")
    parser.add_argument("--way", choices=[*WAYS, "nvidia"], action="append", help="one way alone")
    parser.add_argument("--in-turn", action="store_true", help="each project one way, the ways in turn: a third of the builds")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="work in DIR and leave what was built")
    parser.add_argument("--cuda", type=lambda text: pathlib.Path(text).resolve(), metavar="DIR", help="what tests/build/cuda.sh filled")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    args = parser.parse_args()
    names = [name for name in sorted(STYLES) if re.search(args.only, name)]
    is_meant = {"dual": lambda name: "build.sh" not in STYLES[name]}
    for_nvidia = [("nvidia", name) for name in names if is_for_nvidia(name)] if args.cuda and "nvidia" in (args.way or ["nvidia"]) else []
    chosen = [(way, name) for name in names for way in args.way or WAYS if way in WAYS and is_meant.get(way, bool)(name)] + for_nvidia
    if args.in_turn:
        of_name = {name: [pair for pair in chosen if pair[1] == name] for name in names}
        chosen = [pairs[at % len(pairs)] for at, pairs in enumerate(of_name.values()) if pairs]
    work = (args.keep or pathlib.Path(tempfile.mkdtemp(prefix="cass-styles-"))).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    start, failed = time.monotonic(), 0
    try:
        lab = Lab(args.binary, args.link, work)
        one = lambda pair: lab.same_for_nvidia(pair[1], args.cuda) if pair[0] == "nvidia" else lab.try_one(*pair)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (way, name), (said, seconds) in zip(chosen, pool.map(one, chosen)):
                failed += bool(said)
                print(f"{'FAILED' if said else 'needs a card' if (way, name) in NEEDS else 'ok':12} {seconds:4.0f} s  {way:10} {name}", flush=True)
                if said:
                    print("".join(f"    {line}\n" for line in said.splitlines()[-30:]), flush=True)
    finally:
        if not args.keep:
            shutil.rmtree(work, ignore_errors=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(chosen) - failed} of {len(chosen)} builds as expected, {time.monotonic() - start:.0f} s; "
          f"{used.ru_utime + used.ru_stime:.0f} s of processors")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
