#!/usr/bin/env python3
"""Does what this program makes of public projects compile? Writes the table of docs/howto/what-works.md.

    exam.py --corpus DIR --work DIR [--binary PATH] --rocm DIR [--most 12] [--seed 1] [--headers DIR]
            [--define=-IDIR]... [NAME...]

DIR/NAME is a checkout; nothing is fetched. Each is translated with the defaults, and of its units, drawn with the seed, every one is compiled
three times: the original as CUDA (the control), the port as written, and the port after `try --fix`. A unit whose control fails is counted
apart: what it lacks is not the translation's. The control is what the first of these compilers takes: nvcc, as far as its front ends go and,
where its headers are new enough, that of the host's compiler behind it, with each of the folders that CASS_NVCC names
(tests/torch/nvcc.sh; more behind a `:`, tests/trees/headers.sh makes two), then clang with CASS_CUDA_INCLUDE, CUDA's headers (tests/cuda/setup.sh). `--rocm` is the folder that tests/rocm/setup.sh filled, `--headers`
that of tests/trees/headers.sh, whose headers of Debian come behind all others. Silent are units whose first error stands where the
translation said nothing. What a project's own build would say stands in exam.toml.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

from measure import cuda_home


def run(command, cwd=None, seconds=900):
    try:
        return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"error: no end within %d seconds" % seconds)


def tried(options, out, units, *more):
    """What `try` says of the units of a port, all where none are named."""
    include = [word for unit in units for word in ("--include", unit.replace("[", "[[]"))]
    command = [options.binary, "try", str(out), "--units", options.units, "--rocm-path", str(options.rocm), "--compiler", options.clang, "--output-format", "json"]
    done = run([*command, *include, *more, "--", *options.words], seconds=3600)
    if not done.stdout.strip():
        raise RuntimeError(done.stderr.decode(errors="replace").strip()[-400:])
    return json.loads(done.stdout)


def control(options, name, source, out, unit):
    """What `judged` says of a unit, once for each revision: `controls.json` of the work folder keeps it."""
    kept = options.work / "controls.json"
    known = json.loads(kept.read_text()) if kept.is_file() else {}
    words = [word.replace(str(out), "OUT") for word in unit["options"]]
    key = " ".join([name, revision(source), unit["file"], *map(str, options.nvcc), str(options.cuda_include), options.host, *words])
    if key not in known:
        known[key] = judged_by(options, source, out, unit)
        if "?" != revision(source):
            kept.write_text(json.dumps(known, indent=1))
    return known[key]


def judged_by(options, source, out, unit):
    """Which compiler of CUDA takes the original of a unit, none where it is empty, and then the first error of the first of them."""
    original = source / unit["file"]
    if not original.is_file():
        return "", "has no original"
    # What the report asks for is for AMD's side of a source that serves both.
    of_amd = re.compile(r"-D\w*(HIP|ROCM|AMD)\w*")
    of_port = re.compile(re.escape(str(out)) + r"(?=/|$)")
    words = [of_port.sub(str(source), word) for word in unit["options"] if not of_amd.match(word) and word not in options.port]
    folder = pathlib.Path(unit["folder"].replace(str(out), str(source)))
    first, refused = "", False
    for title, commands in compilers(options, words, str(original)):
        # What the host's compiler refuses once, older headers of CUDA do not mend.
        if refused and title.startswith("nvcc") and len(commands) == 1:
            continue
        for command in commands:
            done = run(command, cwd=folder if folder.is_dir() else source)
            if done.returncode != 0:
                refused = refused or command[0] == options.host
                text = (done.stderr + done.stdout).decode(errors="replace").splitlines()
                first = first or f"{title}: " + next((line for line in text if "error" in line or "fatal" in line), "?")
                break
        else:
            return title, ""
    return "", first


def compilers(options, words, original):
    """Each compiler of CUDA with the commands that judge an original by it: nvcc with each of its folders, then clang."""
    host = options.scratch / "host.ii"
    for home in options.nvcc:
        command = [str(home / "bin/nvcc"), "-cuda", "-x", "cu", "-gencode", "arch=compute_80,code=compute_80", "-Xcicc", "-O0", "-w"]
        # Clang takes both without being asked.
        command += ["--expt-relaxed-constexpr", "--extended-lambda", "-allow-unsupported-compiler", "-o", str(host)]
        # What nvcc's front end for the host lets pass, the host's compiler may refuse: both are nvcc.
        of_host = [word for word in words if word.startswith(("-std=", "-f", "-m"))]
        behind = [options.host, "-x", "c++", "-fpreprocessed", "-fsyntax-only", "-w", "-std=c++17", *of_host, str(host)]
        yield f"nvcc {release_of(home / 'include')}", [[*command, *of_nvcc(words), original], *([behind] if home in options.to_host else [])]
    common = [options.clang, "-x", "cuda", "-fsyntax-only", "-w", f"--cuda-path={options.cuda}", "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version"]
    cccl = ["-isystem", str(options.cuda / "include/cccl"), "-idirafter", str(options.cuda / "shim")]
    yield "clang", [[*common, f"--cuda-{side}-only", *words, *cccl, original] for side in ("host", "device")]


def reach_host(options):
    """Those of nvcc's folders whose code the host's compiler takes: nvcc 13 writes what headers of CUDA 11 do not declare."""
    probe = options.scratch / "probe.cu"
    probe.write_text("__global__ void k() {}\n")
    options.to_host = options.nvcc
    judges = list(zip(options.nvcc, compilers(options, [], str(probe))))
    return [home for home, (_, commands) in judges if all(run(command).returncode == 0 for command in commands)]


def release_of(include):
    """The release of CUDA that a folder of headers is of: `12.4`."""
    header = include / "cuda_runtime_api.h"
    found = re.search(r"#define\s+CUDART_VERSION\s+(\d+)", header.read_text(errors="replace")) if header.is_file() else None
    return f"{int(found[1]) // 1000}.{int(found[1]) % 1000 // 10}" if found else "?"


def of_nvcc(words):
    """Options of clang as nvcc takes them: what it knows itself, the rest for the host's compiler."""
    out, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-idirafter", "-include", "-iquote") and rest:
            value = rest.pop(0)
            # The host's compiler reads `-idirafter` behind nvcc's own folders as clang does; nvcc knows no such option.
            out += ["-include", value] if word == "-include" else ["-Xcompiler", f"{word},{value}"]
        elif word in ("-I", "-isystem", "-D", "-U") and rest:
            out += [word, rest.pop(0)]
        elif word.startswith("-std="):
            # Of GNU's dialects nvcc has the plain ones.
            out.append(word.replace("gnu++", "c++"))
        elif word.startswith(("-I", "-isystem", "-D", "-U")):
            out.append(word)
        elif word.startswith(("-fopenmp", "-f", "-m")):
            out += ["-Xcompiler", word]
    return out


def revision(source):
    done = run(["git", "-C", str(source), "rev-parse", "--short=8", "HEAD"])
    named = source / "REVISION"
    if named.is_file():
        return named.read_text().strip()
    return done.stdout.decode().strip() or "?"


# Folders of headers.sh below usr/include that the CMake packages of these libraries name themselves.
HOMES = ("eigen3", "opencv4", "pcl-1.13", "hdf5/serial")


def words_of_build(options, name):
    """What a project's own build would say to the compiler: by hand, by exam.toml, and where the headers of others lie."""
    facts = options.facts.get(name, {})
    generated = options.work / f"{name}.generated"
    for path, text in facts.get("generated", {}).items():
        (generated / path).parent.mkdir(parents=True, exist_ok=True)
        (generated / path).write_text(text)
    words = [*options.define, *(f"-D{define}" for define in facts.get("define", []))]
    words += [word for folder in facts.get("beside", []) for word in ("-isystem", str(options.corpus / folder))]
    # What a port wants beside ROCm, as its report says; CUDA has its own.
    options.port = [f"-isystem{options.corpus / folder}" for folder in facts.get("port", [])]
    words += options.port
    if generated.is_dir():
        words.append(f"-I{generated}")
    if options.headers:
        folders = [options.headers / "usr/include" / folder for folder in (*HOMES, "", "x86_64-linux-gnu")]
        folders.append(options.headers / "usr/lib/x86_64-linux-gnu/openmpi/include")
        words += [word for folder in folders for word in ("-idirafter", str(folder))]
    return words


def units_of(out):
    """The `.cu` files of a port that are units of its build for AMD: included by no other file, and without a file of HIP beside them."""
    paths = [path for path in out.rglob("*.cu") if ".cass" not in path.parts]
    included = set()
    for path in out.rglob("*"):
        if path.suffix in (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc") and path.is_file():
            included |= {pathlib.PurePath(name).name for name in re.findall(r"#\s*include\s*[<\"]([^>\"]+\.cu)[>\"]", path.read_text(errors="replace"))}
    units = [path for path in paths if path.name not in included and not path.with_suffix(".hip").exists()]
    return sorted(str(path.relative_to(out)) for path in units)


def exam(options, name):
    source, out = options.corpus / name, options.work / name
    options.words = words_of_build(options, name)
    shutil.rmtree(out, ignore_errors=True)
    start = time.time()
    done = run([options.binary, str(source), str(out), "-q", *options.translate])
    seconds = time.time() - start
    if done.returncode > 1 or not out.is_dir():
        raise RuntimeError(done.stderr.decode(errors="replace")[-400:])
    report = json.loads((out / "cass-report.json").read_text())
    names = units_of(out)
    chosen = sorted(random.Random(f"{options.seed} {name}").sample(names, min(options.most, len(names))))
    if not chosen:
        raise RuntimeError("no unit")
    first = tried(options, out, chosen)
    judged, by = [], collections.Counter()
    for unit in first["units"]:
        compiler, why = control(options, name, source, out, unit)
        if compiler:
            judged.append(unit["file"])
            by[compiler] += 1
        else:
            print(f"    control {unit['file']}: {why[:300]}", flush=True)
    fixed = tried(options, out, chosen, "--fix")

    def count(found):
        return sum(unit["result"] == "compiles" for unit in found["units"] if unit["file"] in judged)

    silent = {unit for cause in fixed["causes"] for place in cause["places"] if place["silent"] for unit in place["units"] if unit in judged}
    for cause in fixed["causes"]:
        for place in cause["places"]:
            units = [unit for unit in place["units"] if unit in judged]
            if units:
                mark = "SILENT" if place["silent"] else "told"
                print(f"    {mark} {len(units)}: {place.get('file')}:{place['line']}: {cause['message'][:160]}", flush=True)
    errors = sum(finding["severity"] == "error" for file in report["files"] for finding in file["findings"])
    return {
        "name": name,
        "revision": revision(source),
        "seconds": round(seconds, 1),
        "errors": errors,
        "units": len(names),
        "tried": len(first["units"]),
        "judged": len(judged),
        "by": dict(by),
        "written": count(first),
        "fixed": count(fixed),
        "mends": len(fixed.get("fixed", {}).get("mends", [])),
        "silent": len(silent),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--binary", default="cass-transpile")
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--host", default="g++", help="the compiler that nvcc gives the host's code to")
    parser.add_argument("--rocm", type=pathlib.Path, required=True)
    parser.add_argument("--headers", type=pathlib.Path, help="headers of others for all projects: the folder of tests/trees/headers.sh")
    parser.add_argument("--projects", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / "exam.toml")
    parser.add_argument("--units", default="includes")
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--define", action="append", default=[], metavar="OPTION", help="an option for every unit: --define=-IDIR (repeatable)")
    parser.add_argument("--translate", action="append", default=[], metavar="OPTION", help="an option for the translation (repeatable)")
    options = parser.parse_args()
    options.corpus, options.work = options.corpus.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.facts = tomllib.loads(options.projects.read_text())
    options.nvcc = [pathlib.Path(home) for home in os.environ.get("CASS_NVCC", "").split(":") if home]
    names = options.names or sorted(path.name for path in options.corpus.iterdir() if path.is_dir())
    if not os.environ.get("CASS_CUDA_INCLUDE"):
        sys.exit("CASS_CUDA_INCLUDE is not set: without CUDA's headers there is no control")
    options.cuda_include = os.environ["CASS_CUDA_INCLUDE"]
    with tempfile.TemporaryDirectory() as scratch:
        options.cuda, options.scratch = cuda_home(scratch), pathlib.Path(scratch)
        options.to_host = reach_host(options)
        rows = examined(options, names)
    table(rows)


def examined(options, names):
    rows = []
    for name in names:
        print(f"{name}:", flush=True)
        try:
            rows.append(exam(options, name))
            print(f"  {rows[-1]}", flush=True)
        except (RuntimeError, KeyError, ValueError) as error:
            print(f"  not judged: {error}", flush=True)
    return rows


def table(rows):
    print("\n| project | revision | seconds | errors reported | units, tried | control compiles | as written | after `--fix` | silent |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        tried_of = f"{row['units']}, {row['tried']}"
        print(
            f"| {row['name']} | {row['revision']} | {row['seconds']} | {row['errors']} | {tried_of} | {row['judged']} "
            f"| {row['written']} | {row['fixed']} | {row['silent']} |"
        )
    total = {key: sum(row[key] for row in rows) for key in ("tried", "judged", "written", "fixed", "silent")}
    print(f"| together | | | | {total['tried']} | {total['judged']} | {total['written']} | {total['fixed']} | {total['silent']} |")


if __name__ == "__main__":
    main()
