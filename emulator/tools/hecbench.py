#!/usr/bin/env python3
"""Translates HeCBench, builds it with clang for AMD GPUs and runs it under the emulator, with waves of 64 and of 32 lanes.

  hecbench.py translate --source HeCBench/src --cass target/release/cass-transpile --work DIR
  hecbench.py build     --work DIR --emulator DIR2 [NAME...]       (DIR2: what install.sh laid out)
  hecbench.py run       --work DIR --emulator DIR2 [--arguments FILE] [NAME...]
  hecbench.py plan      --work DIR [--all] > hecbench.tsv          (arguments: those that ended in time, else guesses; or all that are tried)
  hecbench.py compare   --work DIR [--recorded FILE]               (recorded: what record_cuda.py wrote on an NVIDIA GPU)
  hecbench.py verify    --work DIR --emulator DIR2 --recorded FILE --cass … [NAME...]   (the same by `cass-transpile verify`, for `pairs --verified`)

Each step writes one JSON line per program to DIR/build.jsonl and DIR/run.jsonl; a step that was broken off goes on where it was.
Arguments: hecbench.tsv beside this file (name, arguments), else those of the program's `run:` target, made smaller until it ends in time;
what was used is in run.jsonl. A program whose data is not in the repository is named as such.
"""
import argparse, concurrent.futures, json, os, re, resource, shutil, subprocess, sys, time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHIPS = ["gfx90a", "gfx1030"]
PASS = re.compile(r"\b(pass(ed)?|success(ful|fully)?|correct|ok|verified|match(es|ed)?)\b", re.I)
FAIL = re.compile(r"\b(fail(ed|ure|s)?|incorrect|mismatch(es)?|wrong|not correct|error in)\b", re.I)
NO_DATA = re.compile(r"(cannot|can't|could not|couldn't|unable to|failed to|error|fail)[^\n]{0,40}(open|read|load|find|file)|no such file", re.I)
# What differs from run to run and from machine to machine: times, rates (an error rate is a result), names and properties of devices.
TIMING = re.compile(
    r"time|sec\b|second|\b[num]?s\b|\bus\)|elapsed|bandwidth|throughput|[GMK]i?B/s|[GMTK]?flop|/s\b|(?:^\s*|(?:[^r\W_]|[^o\W_]r)[\s_-]+|[^\w\s-]\s*|frame|bit|data)rates?\b|clock|"
    r"speed|duration|latency|performance|device|gpu|memory (usage|used|size)|overhead|timing|efficiency", re.I)


def translate(options):
    out = options.work / "translated"
    subprocess.run([options.cass, options.source, out], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(sum(1 for _ in out.glob("*/Makefile")), "programs translated to", out)


def programs(options):
    folders = sorted(p.parent.name for p in (options.work / "translated").glob("*-cuda/Makefile"))
    names = [name.removesuffix("-cuda") for name in folders]
    return [name for name in names if not options.names or name in options.names]


def done(path):
    if not path.exists():
        return {}
    return {row["name"]: row for row in map(json.loads, path.read_text().splitlines())}


def each(options, step, path):
    """Runs a step for all programs that have no line in the file yet."""
    known = done(path)
    rest = [name for name in programs(options) if options.names or name not in known]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, path.open("a") as out:
        for row in filter(None, pool.map(lambda name: step(options, name), rest)):
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(row["name"], row["outcome"], row.get("why", "")[:100], flush=True)


def build(options, name):
    folder = options.work / "translated" / f"{name}-cuda"
    env = dict(os.environ, PATH=f"{options.emulator}/bin:{os.environ['PATH']}", HIP_EMULATOR_ARCHS=" ".join(CHIPS))
    makefile = "Makefile"
    command = ["make", "-C", str(folder), "-f", makefile, "CC=hipcc", "ARCH=gfx90a"]
    try:
        made = subprocess.run(command, env=env, capture_output=True, timeout=600, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return {"name": name, "outcome": "build: timeout"}
    if made.returncode == 0:
        return {"name": name, "outcome": "built"}
    lines = [line for line in made.stderr.splitlines() if re.search(r"error|undefined|cannot find|No rule", line)]
    return {"name": name, "outcome": "build failed", "why": lines[0].strip() if lines else made.stderr[-200:]}


def run_target(folder):
    """Program and arguments of the Makefile's run target."""
    text = (folder / "Makefile").read_text(errors="replace").replace("\\\n", " ")
    found = re.search(r"^run:.*\n((?:\t.*\n?)+)", text, re.M)
    if not found:
        return None
    program = re.search(r"^program\s*:?=\s*(\S+)", text, re.M)
    line = next((line for line in found.group(1).splitlines() if "./" in line), "")
    words = line.replace("$(LAUNCHER)", "").replace("$(program)", program.group(1) if program else "main").split()
    words = words[next((k for k, word in enumerate(words) if word.startswith("./")), len(words)):]
    return words or None


def smaller(words, step):
    """Arguments made smaller: the last number (how often to repeat) is 1 at once, then all larger numbers are divided."""
    numbers = [k for k, word in enumerate(words) if k > 0 and re.fullmatch(r"\d+", word)]
    result = list(words)
    for place, k in enumerate(numbers):
        value = int(words[k])
        if place == len(numbers) - 1 and 5 <= value and value % 10 == 0:
            result[k] = "1"
        elif value >= 64:
            result[k] = str(max(value >> (2 * step), 16))
    return result


def execute(options, folder, words, chip):
    # libomptarget comes along where a program is built with -fopenmp.
    env = dict(os.environ, LD_LIBRARY_PATH=f"{options.emulator}/lib:/usr/lib/llvm-19/lib", HIP_EMULATOR_ARCH=chip, HIP_EMULATOR_THREADS="1")
    start = time.monotonic()
    # Seconds of the processor, so that a busy machine gives the same verdicts; on the clock ten times as many.
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(options.timeout), int(options.timeout)))
    try:
        ran = subprocess.run(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=10 * options.timeout,
                             preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return {"code": None, "seconds": options.timeout, "out": "", "err": ""}
    except OSError as error:
        return {"code": -1, "seconds": 0, "out": "", "err": str(error)}
    if ran.returncode in (-9, -24):
        return {"code": None, "seconds": options.timeout, "out": "", "err": ""}
    text = [stream.decode(errors="replace") for stream in (ran.stdout, ran.stderr)]
    return {"code": ran.returncode, "seconds": round(time.monotonic() - start, 2), "out": text[0][-20000:], "err": text[1][-2000:]}


def attempts(options, name):
    """The arguments that are tried, one after another until the program ends in time."""
    words = options.table.get(name) or run_target(options.work / "translated" / f"{name}-cuda")
    if not words:
        return []
    first = words if name in options.table else smaller(words, 0)
    found = [first]
    found += [less for less in (smaller(first, step) for step in range(1, 6)) if less not in found]
    return [list(words) for words in dict.fromkeys(map(tuple, found))]


def run(options, name):
    folder = options.work / "translated" / f"{name}-cuda"
    tried = attempts(options, name)
    if not tried:
        return {"name": name, "outcome": "no run target"}
    if not (folder / tried[0][0]).exists():
        return None
    for arguments in tried:
        runs = {CHIPS[0]: execute(options, folder, arguments, CHIPS[0])}
        if runs[CHIPS[0]]["code"] is None:
            continue
        runs |= {chip: execute(options, folder, arguments, chip) for chip in CHIPS[1:]}
        if all(ran["code"] is not None for ran in runs.values()):
            return judge(name, arguments, runs)
    return {"name": name, "outcome": "timeout", "arguments": tried[-1]}


def plan(options):
    known = done(options.work / "run.jsonl")
    print("# Small arguments of HeCBench's programs: a name, a tab, the program and its arguments. Written by `hecbench.py plan`.")
    for name in programs(options):
        ran = known.get(name, {})
        tried = attempts(options, name)
        if options.all:
            chosen = tried
        else:
            chosen = [ran["arguments"]] if "runs" in ran else tried[-1:]
        for words in chosen:
            print(f"{name}\t{' '.join(words)}")


def lines_that_count(text):
    return [line.strip() for line in text.splitlines() if line.strip() and not TIMING.search(line)]


def verdict(ran):
    """What a run says of itself: passed, failed, nothing (no check of its own), or why it could not run."""
    text = ran["out"] + "\n" + ran["err"]
    if ran["code"] is None:
        return "timeout"
    if ran["code"] == 97:
        return "not emulated"
    if NO_DATA.search(text) and ran["code"] != 0:
        return "no data"
    if ran["code"] < 0 or ran["code"] >= 128:
        return "crashed"
    if FAIL.search(re.sub(r"(0|no) (fail\w*|mismatch\w*|errors?)", "", text, flags=re.I)):
        return "failed"
    if ran["code"] != 0:
        return "exit code"
    return "passed" if PASS.search(text) else "ran"


def judge(name, arguments, runs):
    verdicts = {chip: verdict(ran) for chip, ran in runs.items()}
    first = verdicts[CHIPS[0]]
    outcome = first if len(set(verdicts.values())) == 1 else "widths differ: " + ", ".join(verdicts.values())
    why = next((ran["err"].strip().splitlines()[-1] for ran in runs.values() if ran["err"].strip()), "")
    return {"name": name, "outcome": outcome, "arguments": arguments, "why": why, "runs": runs}


def numbers_of(line):
    return [float(word) for word in re.findall(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", line)]


def close(one, other, tolerance=1e-3):
    """Two lines are equal where their words are and their numbers are close."""
    words = [re.sub(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", "#", line) for line in (one, other)]
    pairs = list(zip(numbers_of(one), numbers_of(other)))
    return words[0] == words[1] and all(abs(a - b) <= tolerance * max(1, abs(a), abs(b)) for a, b in pairs)


def same_output(one, other):
    one, other = lines_that_count(one), lines_that_count(other)
    return len(one) == len(other) and all(map(close, one, other))


def originals(path):
    """What record_cuda.py wrote of programs that ended, by name and arguments."""
    rows = map(json.loads, Path(path).read_text().splitlines())
    return {(row["name"], *row["arguments"]): row for row in rows if row.get("code") is not None}


def compare(options):
    rows, built = done(options.work / "run.jsonl"), done(options.work / "build.jsonl")
    recorded = originals(options.recorded) if options.recorded else {}
    counts = {}
    for name, row in sorted(built.items()):
        outcome = row["outcome"] if row["outcome"] != "built" else rows.get(name, {}).get("outcome", "not run")
        ran = rows.get(name, {})
        notes = []
        if "runs" in ran and not same_output(*(ran["runs"][chip]["out"] for chip in CHIPS)):
            notes.append("output differs between widths")
        original = recorded.get((name, *ran.get("arguments", [])))
        if original and "runs" in ran:
            for chip in CHIPS:
                same = same_output(ran["runs"][chip]["out"], original["out"])
                notes.append(f"{chip} {'equals' if same else 'differs from'} CUDA")
            if not lines_that_count(original["out"]):
                notes.append("nothing but times is printed")
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{name:32} {outcome:20} {'; '.join(notes)}")
    print("\n".join(f"{count:5} {outcome}" for outcome, count in sorted(counts.items(), key=lambda item: -item[1])))


# Prints what was recorded: the first run at first, then the second.
REPLAY = 'k=1; [ ! -e {0}.seen ] || k=2; : > {0}.seen; cat {0}.$k'


def verify_manifest(options, folder):
    """Writes a case for each program that ended at both widths and was recorded; how many there are."""
    recorded, cases = originals(options.recorded), 0
    with (folder / "verify.toml").open("w") as out:
        ignored = json.dumps([f"(?i){TIMING.pattern}"])
        out.write(f"[defaults]\nfiles = []\nrel = 1e-3\nignore = {ignored}\n")
        for name, row in sorted(done(options.work / "run.jsonl").items()):
            original = recorded.get((name, *row.get("arguments", [])))
            wanted = not options.names or name in options.names
            if not (original and wanted and original["code"] == 0 and "runs" in row and row["outcome"] in ("passed", "ran")):
                continue
            cases += 1
            for k, key in enumerate(("out", "again"), 1):
                (folder / f"{name}.{k}").write_text(original[key])
            replay = json.dumps(["sh", "-c", REPLAY.format(folder / name)])
            where = json.dumps(str((options.work / "translated" / f"{name}-cuda").resolve()))
            out.write(f'\n[[case]]\nname = "{name}-cuda"\ncwd = {where}\nrecord = {replay}\nrun = {json.dumps(row["arguments"])}\n')
    return cases


def verify(options):
    folder = (options.work / "verify").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    print(verify_manifest(options, folder), "cases")
    base = [str(Path(options.cass).resolve()), "verify"]
    manifest = ["--manifest", str(folder / "verify.toml")]
    subprocess.run([*base, "record", "-q", "-o", folder / "gold.jsonl", *manifest], check=True)
    for chip in CHIPS:
        emulated = [f"--emulate={options.emulator}/lib", "--chip", chip]
        subprocess.run([*base, "run", "-q", "-o", folder / f"{chip}.jsonl", *emulated, *manifest], check=False)
        compared = [*base, "compare", folder / "gold.jsonl", folder / f"{chip}.jsonl", "--output-format", "json"]
        report = subprocess.run(compared, capture_output=True, text=True).stdout
        (folder / f"{chip}.json").write_text(report)
        cases = json.loads(report)["cases"]
        print(chip, sum(case["same"] for case in cases), "of", len(cases), "the same; not:", *[c["name"] for c in cases if not c["same"]])


def arguments_table(path):
    path = Path(path)
    rows = (line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")) if path.exists() else []
    return {name: words.split() for name, words, *_ in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["translate", "build", "run", "plan", "compare", "verify"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--source")
    parser.add_argument("--cass", default="cass-transpile")
    parser.add_argument("--emulator", type=lambda text: Path(text).resolve())
    parser.add_argument("--arguments", default=HERE / "hecbench.tsv")
    parser.add_argument("--recorded")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30)
    options = parser.parse_intermixed_args()
    options.table = arguments_table(options.arguments)
    if options.step == "translate":
        translate(options)
    elif options.step in ("plan", "compare", "verify"):
        {"plan": plan, "compare": compare, "verify": verify}[options.step](options)
    else:
        if not options.emulator or not shutil.which("clang++-19"):
            sys.exit("hecbench.py: --emulator DIR (of install.sh) and clang++-19 are needed")
        each(options, build if options.step == "build" else run, options.work / f"{options.step}.jsonl")


if __name__ == "__main__":
    main()
