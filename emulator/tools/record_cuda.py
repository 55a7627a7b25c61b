#!/usr/bin/env python3
"""Records what the CUDA originals of HeCBench print, on a machine with an NVIDIA GPU and nvcc.

  record_cuda.py --source HeCBench/src --arguments arguments.tsv --out recorded.jsonl [--arch sm_90] [--seconds 540] [NAME...]

arguments.tsv: a name and its arguments, beginning with the program (`./main 1000 1`), parted by a tab; `hecbench.py plan --all` writes it.
One JSON line for each: outcome, exit code, output of two runs. `hecbench.py compare --recorded FILE` reads it.
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


def execute(folder, words, seconds):
    start = time.monotonic()
    try:
        ran = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    except (subprocess.TimeoutExpired, OSError) as error:
        return {"code": None, "seconds": seconds, "out": "", "err": str(error)}
    text = [stream.decode(errors="replace") for stream in (ran.stdout, ran.stderr)]
    return {"code": ran.returncode, "seconds": round(time.monotonic() - start, 2), "out": text[0][-20000:], "err": text[1][-1000:]}


def record(options, name, words, failed):
    row = {"name": name, "arguments": words, "outcome": failed or "recorded"}
    if failed:
        return row
    folder = options.source / f"{name}-cuda"
    first = execute(folder, words, options.limit)
    # What differs by itself is seen in a second run; a slow program is not worth it.
    again = execute(folder, words, options.limit) if first["seconds"] < options.limit / 4 else first
    return row | first | {"again": again["out"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--arguments", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--limit", type=float, default=20, help="seconds that a program may take")
    options = parser.parse_intermixed_args()
    end = time.monotonic() + options.seconds
    rows = [line.split("\t") for line in options.arguments.read_text().splitlines() if line and not line.startswith("#")]
    rows = [(name, words.split()) for name, words, *_ in rows if not options.names or name in options.names]
    names = list(dict.fromkeys(name for name, _ in rows))

    def task(name):
        if time.monotonic() > end:
            return None
        failed = build(options.source / f"{name}-cuda", options.arch)
        return [record(options, name, words, failed) for other, words in rows if other == name]

    left = 0
    # As many programs at a time as there are cores: what they print does not depend on how fast they are.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, options.out.open("w") as out:
        for done in concurrent.futures.as_completed([pool.submit(task, name) for name in names]):
            left += done.result() is None
            for row in done.result() or []:
                out.write(json.dumps(row) + "\n")
            out.flush()
    print(f"{len(names) - left} programs, {left} left for want of time")

if __name__ == "__main__":
    main()
