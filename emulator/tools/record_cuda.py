#!/usr/bin/env python3
"""Records what the CUDA originals of HeCBench print, on a machine with an NVIDIA GPU and nvcc.

  record_cuda.py --source HeCBench/src --arguments arguments.tsv --out recorded.jsonl [--arch sm_90] [--seconds 540] [NAME...]

arguments.tsv: a name and its arguments, beginning with the program (`./main 1000 1`), parted by a tab; `hecbench.py plan` writes it.
One JSON line for each program: outcome, exit code, output of two runs. `hecbench.py compare --recorded FILE` reads it.
It stops starting programs when the seconds are over and says how many are left.
"""
import argparse, concurrent.futures, json, os, subprocess, time
from pathlib import Path


def build(folder, arch):
    command = ["make", "-C", str(folder), "CC=nvcc", f"ARCH={arch}"]
    try:
        made = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=240)
    except subprocess.TimeoutExpired:
        return "build: timeout"
    errors = [line for line in made.stderr.splitlines() if "error" in line or "No rule" in line]
    return "" if made.returncode == 0 else "build failed: " + (errors[0] if errors else made.stderr[-200:])


def execute(folder, words):
    try:
        ran = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    except (subprocess.TimeoutExpired, OSError) as error:
        return {"code": None, "out": "", "err": str(error)}
    return {"code": ran.returncode, "out": ran.stdout.decode(errors="replace")[-20000:], "err": ran.stderr.decode(errors="replace")[-1000:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--arguments", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--seconds", type=float, default=540)
    options = parser.parse_intermixed_args()
    end = time.monotonic() + options.seconds
    rows = [line.split("\t") for line in options.arguments.read_text().splitlines() if line and not line.startswith("#")]
    rows = [(name, words.split()) for name, words, *_ in rows if not options.names or name in options.names]
    left = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, options.out.open("w") as out:
        # The next ones are built while one runs: only one program uses the GPU at a time.
        builds = [(name, words, pool.submit(build, options.source / f"{name}-cuda", options.arch)) for name, words in rows]
        for name, words, future in builds:
            if time.monotonic() > end:
                left += 1
                future.cancel()
                continue
            failed = future.result()
            folder = options.source / f"{name}-cuda"
            row = {"name": name, "arguments": words, "outcome": failed or "recorded"}
            if not failed:
                first, second = execute(folder, words), execute(folder, words)
                row |= first | {"again": second["out"]}
            out.write(json.dumps(row) + "\n")
            out.flush()
    print(f"{len(rows) - left} programs, {left} left for want of time")


if __name__ == "__main__":
    main()
