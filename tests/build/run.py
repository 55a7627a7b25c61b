#!/usr/bin/env python3
"""run.py BIN LINK_DIR: does each style of build end in a program with code for AMD?

Every project of `*_styles.py` is built two ways, for the chip of LINK_DIR (folder that tests/rocm/link.sh filled):

  translated  BIN translates it, then its own build file builds it with AMD's hipcc or CMake's language HIP
  nvcc        sources and build file stay as they are; the compiler is `BIN nvcc`, the toolkit what `BIN nvcc --install` writes

A build passes when it ends without error and, where the project has kernels, with a program or library that holds code for AMD. Exit 1
and the end of the log where one does not, or where one that NEEDS something passes after all.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import cmake_styles  # noqa: F401
import make_styles  # noqa: F401
import script_styles  # noqa: F401
from styles import STYLES

WAYS = ("translated", "nvcc")
# Projects without kernels.
HOST_ONLY = {"c20-host-only", "m15-gpp-only"}
# What this machine lacks, and how the build says so: CMake runs a program on the card to learn what `native` is.
NEEDS = {("nvcc", "c08-archs-native-all-off"): "no GPU was detected"}
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


def commands(folder: pathlib.Path) -> list[list[str]]:
    """What a person types in the folder of a project."""
    if (folder / "build.sh").exists():
        return [["sh", "build.sh"]]
    if (folder / "CMakePresets.json").exists():
        return [["cmake", "--preset", "gpu"], ["cmake", "--build", "build", "--verbose"]]
    if (folder / "CMakeLists.txt").exists():
        return [["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build", "--verbose"]]
    return [["make"]]


def build(folder: pathlib.Path, env: dict[str, str]) -> tuple[bool, str]:
    log = ""
    for command in commands(folder):
        try:
            done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return False, f"{log}\n{' '.join(command)}: not done after {LIMIT} s\n"
        log += f"$ {' '.join(command)}\n{done.stdout}"
        if done.returncode:
            return False, log
    return True, log


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

    def prepare(self, way: str, name: str) -> tuple[pathlib.Path, dict[str, str]]:
        folder = self.work / way / name
        if way == "nvcc":
            write(folder, STYLES[name], str(self.toolkit))
            path = f"{self.toolkit}/bin:{self.env['PATH']}"
            own = {"PATH": path, "CUDA_HOME": str(self.toolkit), "CUDACXX": f"{self.toolkit}/bin/nvcc", "CASS_NVCC_MODULES": "1",
                   "CASS_NVCC_CACHE": str(self.work / "cache")}
            return folder, self.env | own
        source = self.work / "source" / name
        write(source, STYLES[name])
        subprocess.run([self.binary, source, folder, "--quiet"], check=True, env=self.env)
        return folder, self.env

    def try_one(self, way: str, name: str) -> tuple[str, float]:
        """An empty text where the build passes, else what went wrong; and its seconds."""
        start = time.monotonic()
        folder, env = self.prepare(way, name)
        passes, log = build(folder, env)
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

    def changed(self, folder: pathlib.Path, name: str) -> str:
        files = STYLES[name].items()
        differ = [file for file, text in files if (folder / file).read_text() != text.replace("/usr/local/cuda", str(self.toolkit))]
        return "".join(f"{file} was changed\n" for file in differ)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda text: pathlib.Path(text).resolve(), metavar="BIN")
    parser.add_argument("link", type=lambda text: pathlib.Path(text).resolve(), metavar="LINK_DIR")
    parser.add_argument("--only", default="", metavar="REGEX", help="projects whose name matches")
    parser.add_argument("--way", choices=WAYS, action="append", help="one way alone")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="work in DIR and leave what was built")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    args = parser.parse_args()
    chosen = [(way, name) for name in sorted(STYLES) if re.search(args.only, name) for way in args.way or WAYS]
    work = (args.keep or pathlib.Path(tempfile.mkdtemp(prefix="cass-styles-"))).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    start, failed = time.monotonic(), 0
    try:
        lab = Lab(args.binary, args.link, work)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (way, name), (said, seconds) in zip(chosen, pool.map(lambda pair: lab.try_one(*pair), chosen)):
                failed += bool(said)
                print(f"{'FAILED' if said else 'needs a card' if (way, name) in NEEDS else 'ok':12} {seconds:4.0f} s  {way:10} {name}", flush=True)
                if said:
                    print("".join(f"    {line}\n" for line in said.splitlines()[-30:]), flush=True)
    finally:
        if not args.keep:
            shutil.rmtree(work, ignore_errors=True)
    print(f"{len(chosen) - failed} of {len(chosen)} builds as expected, {time.monotonic() - start:.0f} s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
