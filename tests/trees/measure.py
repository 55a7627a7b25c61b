#!/usr/bin/env python3
"""Translates checkouts of public projects and measures the result: what compiles before and after, what is left, what to judge by eye.

    measure.py --corpus DIR --work DIR [--binary PATH] [--projects FILE] [--only NAME...] [--most 12] [--seed 20261122]
               [--chips gfx90a,gfx1100] [--dependencies DIR] [--no-compile] [--hunks 15] [--findings 15] [--jobs 1] [--passes FILE]

DIR/NAME is a checkout of the project that `projects.toml` describes; nothing is fetched. `CASS_ROCM` names the folder that
tests/rocm/setup.sh filled and `CASS_CUDA_INCLUDE` CUDA's headers (tests/cuda/setup.sh); what they allow is measured, and what they do not
is said. Of each project at most `--most` files are compiled, drawn with the seed. WORK/NAME.txt holds the hunks and findings drawn.
`--passes FILE` writes a table of the passes before and after, and fails where a unit that compiled for a vendor or for the host does no more.

The scan for leftovers knows none of the tables of the program: it is a pattern of how NVIDIA's names look, over what AMD's compiler
reads, less the names that the project defines.
"""

import argparse
import collections
import difflib
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor

CODE = (".cu", ".cuh", ".h", ".hpp", ".hxx", ".hh", ".c", ".cc", ".cpp", ".cxx", ".inl", ".inc", ".in")
BUILD = ("CMakeLists.txt", ".cmake", "Makefile", "makefile", ".mk", ".am", ".ac", ".m4", ".sh", "configure", "setup.py")
NVIDIA = re.compile(
    r"\b(?:cuda[A-Z]\w*|cu(?:blas|sparse|solver|fft|rand|dnn|tensor|pti|file)\w+|cu(?:[A-Z][a-z]+){2,}\w*|CU(?:DA|BLAS|SPARSE|SOLVER|FFT|RAND|DNN)_\w+"
    r"|CU[a-z]+\w*|n(?:ppi|vrtc|vml|vtx|vJit|vjpeg)[A-Z]\w*|NV(?:ML|RTC|TX|JPEG)_\w+|__nv\w+|thrust::cuda\w*|cub::\w+|(?:raft|cuvs|rmm|cutlass|nvcuda)::\w+"
    r"|asm\s+volatile\s*\(\s*\"[a-z]+\.)"
)
MAPPED = re.compile(r"\s*#\s*define\s+((?:cu|CU|nccl|nv|__)\w+)(?:\([^)]*\))?\s+((?:hip|HIP|roc|miopen)\w*)\b")
NOT_CODE = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)


def run(command, cwd=None, seconds=600):
    try:
        return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"error: no end within %d seconds" % seconds, b"")


class Project:
    def __init__(self, name, facts, options):
        self.name, self.facts, self.options = name, facts, options
        self.source = options.corpus / name
        self.out = options.work / name
        self.random = random.Random(f"{options.seed} {name}")
        self.generated = options.work / f"{name}.generated"

    def translate(self):
        run(["rm", "-rf", str(self.out)])
        start = time.time()
        done = run([self.options.binary, str(self.source), str(self.out), "-q", *self.facts.get("options", [])])
        if done.returncode > 1 or not self.out.is_dir():
            sys.exit(f"{self.name}: {done.stdout.decode(errors='replace')}")
        self.seconds = time.time() - start
        checked = run([self.options.binary, "check", str(self.source), "--show", "info", "--exit-zero", "--output-format", "json"])
        self.report = json.loads(checked.stdout)
        for file in self.report["files"]:
            file["path"] = os.path.relpath(file["path"], self.source)
        for path, text in self.facts.get("generated", {}).items():
            (self.generated / path).parent.mkdir(parents=True, exist_ok=True)
            (self.generated / path).write_text(text)

    def files(self, kind):
        found = sorted({p for pattern in self.facts.get(kind, []) for p in self.source.glob(pattern)})
        found = [p.relative_to(self.source) for p in found]
        return sorted(self.random.sample(found, min(self.options.most, len(found))))

    # --- compiling ---------------------------------------------------------------------------------------------------------------
    def flags(self, root, side):
        include = [str(root / i) for i in self.facts.get("include", [])] + [str(self.generated)]
        dependencies = self.options.dependencies
        system = [w for i in self.facts.get("dependencies", []) if dependencies for w in ("-isystem", str(dependencies / i))]
        defines = self.facts.get("define", []) + self.facts.get(f"define_{side}", [])
        return ["-w", "-ferror-limit=3", "-fno-color-diagnostics", *("-I" + i for i in include), *system, *("-D" + d for d in defines)]

    def command(self, root, file, side, chip=None):
        standard = self.facts.get("standard", "c++17")
        flags = self.flags(root, side)
        if side == "hip":
            rocm = pathlib.Path(os.environ["CASS_ROCM"]) / "usr"
            common = ["clang++-19", "-x", "hip", f"-std={standard}", f"--rocm-path={rocm}", "-nogpulib"]
            one_side = [f"--offload-arch={chip or 'gfx90a'}", "--cuda-device-only" if chip else "--cuda-host-only"]
            return [*common, *one_side, *flags, "-fsyntax-only", str(file)]
        if side == "hip_host":
            rocm = pathlib.Path(os.environ["CASS_ROCM"]) / "usr/include"
            flags += ["-D__HIP_PLATFORM_AMD__", "-isystem", str(rocm)]
        if side == "cuda":
            common = ["clang++-19", "-x", "cuda", f"-std={standard}", f"--cuda-path={self.options.cuda_home}", "-Wno-unknown-cuda-version"]
            shim = ["-idirafter", str(self.options.cuda_home / "shim"), "--cuda-gpu-arch=sm_80"]
            cccl = ["-isystem", str(self.options.cuda_home / "include/cccl")]
            return [*common, *shim, *flags, *cccl, "--cuda-host-only" if chip is None else "--cuda-device-only", "-fsyntax-only", str(file)]
        language = ["clang-19", "-x", "c", "-std=gnu11"] if str(file).endswith(".c") and not self.facts.get("c_is_cxx") else ["clang++-19", "-x", "c++", f"-std={standard}"]
        return [*language, *flags, "-fsyntax-only", str(file)]

    def changed(self):
        """The files of code that are not the bytes of the source: without any it compiles as the source does."""
        for path in self.out.rglob("*"):
            name = path.relative_to(self.out)
            if path.is_file() and path.name.endswith(CODE) and ".cass" not in path.parts:
                before = self.source / name
                if before.is_file() and before.read_bytes() != path.read_bytes():
                    yield name

    def compiles(self, title, root, files, side, chips=(None,)):
        """Each file by its host pass and, where that is right, one pass for each chip; says how many compile for each."""
        def fails(file, chip):
            if not (root / file).is_file():
                return f"{file}: is not there"
            done = run(["nice", *self.command(root, root / file, side, chip)], cwd=root, seconds=240)
            if done.returncode == 0:
                return None
            return f"{file}: " + next((l for l in done.stdout.decode(errors="replace").splitlines() if "error:" in l), "?")

        def one(file):
            first = fails(file, None)
            return [first or (fails(file, chip) if chip else None) for chip in chips]

        with ThreadPoolExecutor(self.options.jobs) as pool:
            results = list(pool.map(one, files))
        for chip, failures in zip(chips, zip(*results)):
            self.passed[title, chip] = {file for file, failure in zip(files, failures) if not failure}, files
            failures = [f for f in failures if f]
            self.lines.append(f"  {title}{', ' + chip if chip else ''}: {len(files) - len(failures)} of {len(files)}")
            self.lines += [f"      {f[:260]}" for f in failures if f"      {f[:260]}" not in self.lines]

    def builds(self):
        both = self.facts["kind"] == "both"
        unchanged = not any(self.changed())
        if unchanged:
            self.lines.append("  no file of code is changed: after translation everything compiles as before")
        sources, host = self.files("sources"), self.files("host")
        if os.environ.get("CASS_ROCM"):
            chips = self.options.chips.split(",")
            if both:
                self.compiles("HIP before", self.source, sources, "hip", chips)
            if not (both and unchanged):
                self.compiles("HIP after", self.out, sources, "hip", chips)
            if "hip_host" in self.facts:
                self.compiles("files for the host's compiler with HIP's headers, after", self.out, self.files("hip_host"), "hip_host")
        if self.options.cuda_home:
            self.compiles("CUDA before", self.source, sources, "cuda")
            if both and not unchanged:
                self.compiles("CUDA after", self.out, sources, "cuda")
        if host:
            self.compiles("host only before", self.source, host, "host")
            if not unchanged:
                self.compiles("host only after", self.out, host, "host")

    # --- what is left ------------------------------------------------------------------------------------------------------------
    def leftovers(self):
        reported = collections.defaultdict(str)
        for file in self.report["files"]:
            for finding in file["findings"]:
                reported[file["path"]] += " " + finding["message"] + " " + (finding.get("name") or "") + " " + (finding.get("help") or "")
        own, found = set(), collections.defaultdict(collections.Counter)
        paths = [p for p in self.out.rglob("*") if p.is_file() and p.name.endswith(CODE) and ".cass" not in p.parts]
        for path in paths:
            text = path.read_bytes()
            code = NOT_CODE.sub(b" ", text).decode(errors="replace")
            own |= set(re.findall(r"#\s*define\s+(\w+)", code)) | set(re.findall(r"\b(?:struct|class|enum|namespace|using|typename|class)\s+(\w+)", code))
            own |= set(re.findall(r"\b(\w+)\s*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:->[^{;]*)?\{", code))
            own |= set(re.findall(r"[\w>&*]\s+[&*]*(\w+)\s*(?:=|;|\[|\{|,|\))", code))
            for name in NVIDIA.findall(amd_side(code)):
                found[str(path.relative_to(self.out))][name] += 1
        silent, told = collections.Counter(), 0
        where = {}
        for path, names in found.items():
            for name, count in names.items():
                if name in own:
                    continue
                if name.split("::")[-1] in reported[path] or name in reported[path]:
                    told += count
                else:
                    silent[name] += count
                    where.setdefault(name, path)
        self.lines.append(f"  names of NVIDIA's form left where AMD compiles: {told} told, {sum(silent.values())} not told")
        self.lines += [f"      {n} {c} ({where[n]})" for n, c in silent.most_common(25)]

    # --- what the maintainers map themselves ---------------------------------------------------------------------------------------
    def mappings(self):
        """Names of CUDA that headers of the project define as names of HIP, beside what the tables make of them."""
        theirs = {}
        for path in self.source.rglob("*"):
            if path.is_file() and path.name.endswith(CODE):
                for line in path.read_text(errors="replace").splitlines():
                    if define := MAPPED.match(line):
                        theirs.setdefault(define[1], define[2])
        if len(theirs) < 3:
            return
        asked = run([self.options.binary, "query", *sorted(theirs)]).stdout.decode(errors="replace")
        ours, name = {}, None
        for line in asked.splitlines():
            if head := re.match(r"(\w+) \(", line):
                name = head[1]
            elif becomes := re.match(r"  becomes +(\w+)", line):
                ours[name] = becomes[1]
        differ = [n for n in theirs if ours.get(n) != theirs[n]]
        self.lines.append(f"  the project's own headers map {len(theirs)} names, {len(theirs) - len(differ)} of them as the tables do")
        self.lines += [f"      {n}: {theirs[n]} there, {ours.get(n)} here" for n in sorted(differ)]

    # --- samples -----------------------------------------------------------------------------------------------------------------
    def hunks(self):
        for path in sorted(self.out.rglob("*")):
            name = path.relative_to(self.out)
            if not path.is_file() or ".cass" in path.parts or not (self.source / name).is_file():
                continue
            before, after = (self.source / name).read_bytes(), path.read_bytes()
            if before == after:
                continue
            lines = [t.decode(errors="replace").splitlines() for t in (before, after)]
            hunk = []
            for line in difflib.unified_diff(*lines, str(name), str(name), lineterm="", n=3):
                if line.startswith("@@") and hunk:
                    yield name, hunk
                    hunk = []
                if not line.startswith(("---", "+++")) or hunk:
                    hunk.append(line)
            yield name, hunk

    def sample(self):
        hunks = list(self.hunks())
        findings = [(f["path"], x) for f in self.report["files"] for x in f["findings"]]
        loud = [f for f in findings if f[1]["severity"] != "info"]
        # Plain renames are judged as edits.
        quiet = [f for f in findings if f[1]["severity"] == "info" and f[1]["code"] not in ("CASS001", "CASS006", "CASS008")]
        self.lines.append(f"  {len(hunks)} hunks; findings: {len(loud)} above info, {len(quiet)} info")
        text = []
        for number, (name, hunk) in enumerate(self.random.sample(hunks, min(self.options.hunks, len(hunks))), 1):
            text += [f"=== edit {number} {self.name}/{name}", *hunk[:40]]
        third = self.options.findings // 3
        drawn = self.random.sample(loud, min(self.options.findings - third, len(loud))) + self.random.sample(quiet, min(third, len(quiet)))
        for number, (path, x) in enumerate(drawn, 1):
            line = x.get("line") or 1
            shown = (self.source / path).read_bytes().decode(errors="replace").splitlines() if (self.source / path).is_file() else []
            context = [f"{n + 1:6} {'>' if n + 1 == line else ' '} {shown[n]}" for n in range(max(0, line - 4), min(len(shown), line + 3))]
            text += [f"=== finding {number} {self.name}/{path}:{line} {x['severity']} {x['code']}: {x['message']}", f"    help: {x.get('help')}", *context]
        (self.options.work / f"{self.name}.txt").write_text("\n".join(text) + "\n")

    def row(self):
        """A row of the table of passes, and the units that a translation took from somebody."""
        cells, lost = [], []
        chips = self.options.chips.split(",")
        for title, key in (("CUDA", None), ("HIP", chips[0]), ("host only", None)):
            before, files = self.passed.get((f"{title} before", key), (set(), []))
            after, _ = self.passed.get((f"{title} after", key), (before, files))
            lost += [f"{title}: {file}" for file in sorted(before - after)]
            cells.append(f"{len(before)} → {len(after)} of {len(files)}" if files else "–")
        changed = sum(1 for _ in self.changed())
        return f"| {self.name} | {self.facts['what']} | {changed} | {' | '.join(cells)} |", lost

    def measure(self):
        self.lines, self.passed = [], {}
        self.translate()
        totals = self.report["totals"]
        self.lines.append(
            f"{self.name} ({self.facts['what']}; {'both vendors' if self.facts['kind'] == 'both' else 'CUDA alone'}): {totals['files']} files, "
            f"{totals['translated']} translated in {self.seconds:.1f} s, {totals['counts']['errors']} errors, {totals['counts']['warnings']} warnings"
        )
        if not self.options.no_compile:
            self.builds()
        self.leftovers()
        self.mappings()
        self.sample()
        print("\n".join(self.lines), flush=True)


AMD = re.compile(r"__HIP|USE_HIP|USE_ROCM|HIP_PLATFORM|_HIP\b|_ROCM\b|HIPCC|HIP_BACKEND")
CUDA_SIDE = re.compile(r"__CUDACC__|__NVCC__|__CUDA_ARCH__|_USE_CUDA\b|USING_CUDA\b|HAS_CUDA|NVIDIA|CUSPARSE|CUDA_VERSION|CUDART_VERSION")


def amd_side(code):
    """The lines outside branches that a condition gives to CUDA alone; a rough reading, without values."""
    out, stack = [], []
    for line in code.splitlines():
        word = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", line)
        if not word:
            if all(stack):
                out.append(line)
            continue
        kind, condition = word.groups()
        if kind == "endif":
            stack and stack.pop()
        elif kind == "else":
            if stack:
                stack[-1] = not stack[-1] if stack[-1] in (False, "amd") else True
        else:
            amd, cuda = AMD.search(condition), CUDA_SIDE.search(condition)
            negated = kind == "ifndef" or "!" in condition
            active = True
            if amd:
                active = False if negated and not cuda else "amd"
            elif cuda:
                active = True if negated else False
            if kind == "elif" and stack:
                stack[-1] = active
            else:
                stack.append(active)
    return "\n".join(out)


def cuda_home(scratch):
    """CUDA's headers in the shape that clang looks for; a header that CUDA 12 dropped and clang 19 still wants is empty."""
    include = os.environ.get("CASS_CUDA_INCLUDE")
    if not include:
        return None
    home = pathlib.Path(scratch)
    for folder in ("bin", "lib64", "nvvm/libdevice", "shim"):
        (home / folder).mkdir(parents=True)
    (home / "include").symlink_to(os.path.abspath(include))
    (home / "nvvm/libdevice/libdevice.10.bc").touch()
    (home / "shim/texture_fetch_functions.h").touch()
    return home


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--binary", default=str(here.parent.parent / "target/release/cass-transpile"))
    parser.add_argument("--projects", type=pathlib.Path, default=here / "projects.toml")
    parser.add_argument("--dependencies", type=pathlib.Path, help="folder of headers that projects take from elsewhere (Eigen, fmt)")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--chips", default="gfx90a,gfx1100")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--hunks", type=int, default=15)
    parser.add_argument("--findings", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--passes", type=pathlib.Path, help="file for the table of passes")
    options = parser.parse_args()
    options.corpus, options.work = options.corpus.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    projects = tomllib.loads(options.projects.read_text())
    if not os.environ.get("CASS_ROCM"):
        print("CASS_ROCM is not set: nothing is compiled for AMD")
    with tempfile.TemporaryDirectory() as scratch:
        options.cuda_home = cuda_home(scratch)
        rows, lost = [], []
        for name, facts in projects.items():
            if options.only and name not in options.only:
                continue
            if not (options.corpus / name).is_dir():
                print(f"{name}: no checkout in {options.corpus} ({facts['repository']})")
                continue
            project = Project(name, facts, options)
            project.measure()
            row, missing = project.row()
            rows.append(row)
            lost += [f"{name}: {it}" for it in missing]
    if options.passes:
        head = "| tree | support for AMD | code files changed | CUDA | AMD | host |\n|---|---|---|---|---|---|\n"
        options.passes.write_text(head + "\n".join(rows) + "\n")
        if lost:
            sys.exit("compiled before and not after:\n" + "\n".join(lost))


if __name__ == "__main__":
    main()
