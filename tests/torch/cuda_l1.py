#!/usr/bin/env python3
"""cuda_l1.py BIN CUDA-L1 [--rows-only] [--repair] [--sample N]: what becomes of the published programs of CUDA-L1.

CUDA-L1 is a checkout of deepreinforce-ai/CUDA-L1. Its rows (optimized_cuda_code/*.json, one record a line) go through `BIN jsonl`; printed
are the rows by verdict, the calls of load_inline that BIN names as never building, and, for each call that it does not name, whether
what load_inline hands to the compilers is built for gfx942 by PyTorch's own hipify, before and after translation. Nothing of the rows
is run. With --repair the calls that never build go through `BIN jsonl --repair` instead: how many rows of each cause are repaired, and
whether host and device code of the repaired ones are compiled, before and after; with --sample N of N calls of each cause, at even
distances. Needs CASS_ROCM and CASS_TORCH (tests/torch/setup.sh), and a minute a call on a core; with --rows-only a few seconds and neither.
Exit code 1 if a live call does not build after translation.
"""
import collections, glob, json, os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import inline

NEVER_BUILDS = "CASS662"


def through(binary, rows, *options):
    """The records as `jsonl` gives them back."""
    given = "".join(json.dumps(row) + "\n" for row in rows)
    done = subprocess.run([binary, "jsonl", "--field", "custom_code", "--error", NEVER_BUILDS, *options], input=given, capture_output=True, text=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == len(rows), f"{len(rows)} records in, {len(records)} out: {done.stderr}"
    return records


def live_calls(before, after):
    """The calls of a program that nothing is said against, as they were and as they are now, with their lines."""
    named = {finding["line"] for finding in after["cass"]["findings"] if finding["code"] == NEVER_BUILDS}
    old, new = ([*inline.calls_at(text)] for text in (before, after["custom_code"]))
    assert len(old) == len(new), "translation changes the number of calls"
    return [(was, now) for (line, was), (_, now) in zip(old, new) if line not in named and was.get("cuda_sources")]


def repairs(binary, rows, records):
    """What `--repair` makes of the calls that never build: rows and programs by cause, and pairs of calls before and after."""
    repaired = through(binary, rows, "--repair")
    by_cause, pairs = collections.defaultdict(lambda: [0, 0, 0, 0]), {}
    for row, record, after in zip(rows, records, repaired):
        named, made = ([it for it in of["cass"]["findings"] if it["code"] == NEVER_BUILDS] for of in (record, after))
        assert len(named) == len(made), "repairs change what is named"
        for it, done in zip(named, made):
            cause = re.sub("^`(?!functions|AT_)[^`]*`", "`X`", it["message"])
            counts, is_new = by_cause[cause], (row["custom_code"], it["line"]) not in pairs
            is_done = done["applied"]
            counts[0] += 1
            counts[1] += is_done
            counts[2] += is_new
            counts[3] += is_new and is_done
            pairs.setdefault((row["custom_code"], it["line"]), (cause, is_done, after["custom_code"]))
    for cause, (all_rows, done_rows, all_calls, done_calls) in sorted(by_cause.items(), key=lambda it: -it[1][0]):
        print(f"  {cause}: {done_rows} of {all_rows} rows repaired, {done_calls} of {all_calls} calls")
    return pairs


def drawn(pairs, most):
    """At most so many of the repaired calls of each cause, at even distances."""
    by_cause = collections.defaultdict(list)
    for key, pair in pairs.items():
        if pair[1]:
            by_cause[pair[0]].append((key, pair))
    return dict(it for its in by_cause.values() for it in its[::max(1, -(-len(its) // most))])


def compiled(pairs):
    """Builds the repaired calls as they were and as they are, and prints by cause how many compile."""
    work, causes = tempfile.mkdtemp(), {}
    for number, ((text, line), (cause, is_done, after)) in enumerate(pairs.items()):
        if not is_done or not parses(text) or not parses(after):
            continue
        old, new = ([*inline.calls_at(it)] for it in (text, after))
        at = next((at for at, (its, _) in enumerate(old) if its == line), None)
        if at is None or len(old) != len(new):
            continue
        causes[str(number)] = cause
        for name, calls in (("before", old), ("after", new)):
            inline.write(f"{work}/{name}/{number}", calls[at][1])
    results = {name: builds(f"{work}/{name}") for name in ("before", "after")}
    for cause in sorted(set(causes.values())):
        numbers = [it for it in causes if causes[it] == cause]
        fine = {name: sum(not result.get(it, ["absent"]) for it in numbers) for name, result in results.items()}
        print(f"  {cause}: {fine['before']} of {len(numbers)} calls compile for gfx942, host and device, before; {fine['after']} after")
        for it in numbers:
            if results["after"].get(it, ["absent"]):
                print(f"    {it}: {'; '.join(results['after'].get(it, ['absent'])[:2])}")
    shutil.rmtree(work)


def parses(text):
    try:
        compile(text, "row", "exec")
        return True
    except SyntaxError:
        return False


def builds(tree):
    """What torchcheck.py says of the folders of a tree: each one's units, and what is in the way of the first."""
    out = tree + ".json"
    scripts = [arg for folder in sorted(os.listdir(tree)) for arg in ("--setup", f"{folder}/setup.py")]
    subprocess.run([sys.executable, "-W", "ignore", f"{HERE}/torchcheck.py", tree, *scripts, "--arch", "gfx942", "--full", "--out", out, "-q"],
                   check=True, stdout=subprocess.DEVNULL)
    result = {}
    for setup in json.load(open(out))["setups"]:
        folder, why = setup["setup"].split("/")[0], []
        for unit in setup["units"]:
            why += [f"{unit['source']}: {flag}: {said}" for flag, said in unit["bad_flags"] if said.startswith("refused")]
            why += [f"{unit['source'].split('/')[-1]}: {error['msg']}" for it in unit["passes"].values() for error in it["errors"][:1]]
        result[folder] = why
    return result


def main(binary, checkout, *options):
    rows = [json.loads(line) for path in sorted(glob.glob(f"{checkout}/optimized_cuda_code/*.json")) for line in open(path)]
    records = through(binary, rows)
    verdicts = collections.Counter(record["cass"]["verdict"] for record in records)
    print(f"{len(rows)} rows:", ", ".join(f"{name} {count}" for name, count in verdicts.most_common()))
    codes = {row["custom_code"]: record for row, record in zip(rows, records) if row["custom_code"]}
    named = [sum(it["code"] == NEVER_BUILDS for it in record["cass"]["findings"]) for record in codes.values()]
    calling = [text for text in codes if "load_inline(" in text]
    print(f"{len(codes)} distinct programs, {len(calling)} call load_inline; "
          f"{sum(named)} calls in {sum(map(bool, named))} programs are named as never building ({NEVER_BUILDS})")
    live = [pair for text in calling if parses(text) for pair in live_calls(text, codes[text])]
    print(f"{len(live)} calls are live")
    if "--repair" in options:
        pairs = repairs(binary, rows, records)
        if "--sample" in options:
            pairs = drawn(pairs, int(options[options.index("--sample") + 1]))
        if "--rows-only" not in options:
            compiled(pairs)
        return 0
    if "--rows-only" in options:
        return 0
    work = tempfile.mkdtemp()
    for name, side in (("before", 0), ("after", 1)):
        for number, pair in enumerate(live):
            inline.write(f"{work}/{name}/{number}", pair[side])
    results = {name: builds(f"{work}/{name}") for name in ("before", "after")}
    for name, result in results.items():
        print(f"{name}: {sum(not why for why in result.values())} of {len(result)} build for gfx942")
        for folder, why in result.items():
            print(f"  {folder}: {'builds' if not why else '; '.join(why[:3])}")
    shutil.rmtree(work)
    return any(results["after"].values())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
