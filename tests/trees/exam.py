#!/usr/bin/env python3
"""Does what this program makes of public projects compile? Writes the table of docs/howto/what-works.md.

    exam.py --corpus DIR --work DIR [--binary PATH] --rocm DIR [--most 12] [--seed 1]
            [--define=-IDIR]... [NAME...]

DIR/NAME is a checkout; nothing is fetched. Each is translated with the defaults, and of its units, drawn with the seed, every one is compiled
three times: the original as CUDA with clang (the control), the port as written, and the port after `try --fix`. A unit whose control fails
is counted apart: what it lacks is not the translation's. `--rocm` is the folder that tests/rocm/setup.sh filled, CASS_CUDA_INCLUDE
CUDA's headers (tests/cuda/setup.sh). Silent are units whose first error stands where the translation said nothing.
"""

import argparse
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
    done = run([*command, *include, *more, "--", *options.define], seconds=3600)
    if not done.stdout.strip():
        raise RuntimeError(done.stderr.decode(errors="replace").strip()[-400:])
    return json.loads(done.stdout)


def control(options, source, out, unit):
    """Whether the original of a unit compiles as CUDA, and the first error where it does not."""
    original = source / unit["file"]
    if not original.is_file():
        return None, "has no original"
    # What the report asks for is for AMD's side of a source that serves both.
    of_amd = re.compile(r"-D\w*(HIP|ROCM|AMD)\w*")
    words = [word.replace(str(out), str(source)) for word in unit["options"] if not of_amd.match(word)]
    common = [options.clang, "-x", "cuda", "-fsyntax-only", "-w", f"--cuda-path={options.cuda}", "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version"]
    cccl = ["-isystem", str(options.cuda / "include/cccl"), "-idirafter", str(options.cuda / "shim")]
    folder = pathlib.Path(unit["folder"].replace(str(out), str(source)))
    for side in ("host", "device"):
        done = run([*common, f"--cuda-{side}-only", *words, *cccl, str(original)], cwd=folder if folder.is_dir() else source)
        if done.returncode != 0:
            text = done.stderr.decode(errors="replace").splitlines()
            return False, next((line for line in text if "error:" in line), "?")
    return True, ""


def revision(source):
    done = run(["git", "-C", str(source), "rev-parse", "--short=8", "HEAD"])
    named = source / "REVISION"
    if named.is_file():
        return named.read_text().strip()
    return done.stdout.decode().strip() or "?"


def exam(options, name):
    source, out = options.corpus / name, options.work / name
    shutil.rmtree(out, ignore_errors=True)
    start = time.time()
    done = run([options.binary, str(source), str(out), "-q", *options.translate])
    seconds = time.time() - start
    if done.returncode > 1 or not out.is_dir():
        raise RuntimeError(done.stderr.decode(errors="replace")[-400:])
    report = json.loads((out / "cass-report.json").read_text())
    names = sorted(str(path.relative_to(out)) for path in out.rglob("*.cu") if ".cass" not in path.parts)
    chosen = sorted(random.Random(f"{options.seed} {name}").sample(names, min(options.most, len(names))))
    if not chosen:
        raise RuntimeError("no unit")
    first = tried(options, out, chosen)
    judged, lacking = [], []
    for unit in first["units"]:
        good, why = control(options, source, out, unit)
        (judged if good else lacking).append(unit["file"])
        if not good:
            print(f"    control {unit['file']}: {why[:200]}", flush=True)
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
        "tried": len(chosen),
        "judged": len(judged),
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
    parser.add_argument("--rocm", type=pathlib.Path, required=True)
    parser.add_argument("--units", default="includes")
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--define", action="append", default=[], metavar="OPTION", help="an option for every unit: --define=-IDIR (repeatable)")
    parser.add_argument("--translate", action="append", default=[], metavar="OPTION", help="an option for the translation (repeatable)")
    options = parser.parse_args()
    options.corpus, options.work = options.corpus.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    names = options.names or sorted(path.name for path in options.corpus.iterdir() if path.is_dir())
    if not os.environ.get("CASS_CUDA_INCLUDE"):
        sys.exit("CASS_CUDA_INCLUDE is not set: without CUDA's headers there is no control")
    with tempfile.TemporaryDirectory() as scratch:
        options.cuda = cuda_home(scratch)
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
