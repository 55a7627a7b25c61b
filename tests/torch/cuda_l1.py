#!/usr/bin/env python3
"""cuda_l1.py BIN CUDA-L1 [--rows-only]: what becomes of the published programs of CUDA-L1.

CUDA-L1 is a checkout of deepreinforce-ai/CUDA-L1. Its rows (optimized_cuda_code/*.json, one record a line) go through `BIN jsonl`; printed
are the rows by verdict, the calls of load_inline that BIN names as never building, and, for each call that it does not name, whether
what load_inline hands to the compilers is built for gfx942 by PyTorch's own hipify, before and after translation. Nothing of the rows
is run. Needs CASS_ROCM and CASS_TORCH (tests/torch/setup.sh), and five minutes on a core; with --rows-only a few seconds and neither.
Exit code 1 if a live call does not build after translation.
"""
import collections, glob, json, os, shutil, subprocess, sys, tempfile

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
