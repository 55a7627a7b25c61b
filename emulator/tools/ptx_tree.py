#!/usr/bin/env python3
"""Counts what becomes of the PTX that nvcc makes of a tree of programs: kernels written in HIP C++, compiled, and equal in the program's runs.

  ptx_tree.py ROOT --cass BIN --emulator DIR --nvcc DIR --work WORK [--only GLOB]… [--include DIR]… [--arguments FILE] [--run]
  ptx_tree.py ROOT --work WORK --table

A program is a folder with sources in CUDA; those below a folder with a Makefile belong to it. nvcc compiles each source to PTX with the
options that `make -n` shows, `ptx.py`'s way is taken for the rest: the PTX is translated and compiled for each chip. With --run the
program itself is translated and built, run, and run once more with its kernels out of the PTX (ptx_launch.cpp); both must print the same
as hecbench.py compares it. Each program is a line of WORK/rows.jsonl. What is known there stays known as long as the line is there, and PTX
that was made is not made again: without the lines a second run translates anew.
"""
import argparse, collections, fnmatch, json, os, random, re, resource, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import hecbench, ptx

# Options of a command for nvcc that PTX depends on.
OPTIONS = re.compile(r"^(-I|-D|-U|-std=|--std=|-rdc|-include|--expt|-use_fast_math|--use_fast_math|-ftz|-fmad|--extended-lambda|-isystem)")
OF_CPP = {".cu", ".cpp", ".cc", ".cxx", ".c"}
LEFT_OUT = re.compile(r"^// The kernel (\S+) is left out: (.*)$", re.M)


def programs(options):
    """Folders of programs, by their path from the root."""
    folders = sorted({path.parent for path in options.root.rglob("*.cu")})
    made = [folder for folder in folders if (folder / "Makefile").exists()]
    for path in options.root.rglob("Makefile"):
        if any(folder.is_relative_to(path.parent) for folder in folders) and path.parent != options.root:
            made.append(path.parent)
    tops = {folder for folder in made if not any(folder != other and folder.is_relative_to(other) for other in made)}
    bare = {folder for folder in folders if not any(folder.is_relative_to(top) for top in tops)}
    names = sorted(str(folder.relative_to(options.root)) for folder in tops | bare)
    names = [name for name in names if not options.only or any(fnmatch.fnmatch(name, glob) for glob in options.only)]
    return sorted(random.Random(options.seed).sample(names, min(options.sample or len(names), len(names))))


def words_of_make(folder):
    """By source, the options that its Makefile compiles it with."""
    if not (folder / "Makefile").exists():
        return {}
    shown = ptx.run(["make", "-n", "-B", "CC=nvcc", "NVCC=nvcc"], cwd=folder)
    found = {}
    for line in shown.stdout.replace("\\\n", " ").splitlines():
        words = line.split()
        sources = [word for word in words if word.endswith(".cu")]
        chosen = []
        for at, word in enumerate(words):
            if OPTIONS.match(word):
                chosen.append(word)
                if word in ("-I", "-D", "-U", "-include", "-isystem") and at + 1 < len(words):
                    chosen.append(words[at + 1])
        for source in sources:
            found.setdefault(source, chosen)
    return found


def one(options, bench, name):
    folder = options.root / name
    row = {"name": name, "sources": 0, "kernels": 0, "written": 0, "compiled": 0, "why": [], "trouble": [], "objects": []}
    of_make = words_of_make(folder)
    for source in sorted(folder.rglob("*.cu")):
        path = str(source.relative_to(folder))
        if of_make and path not in of_make:
            continue
        # A folder for each, since the helper header that lies beside a translation has what that one calls.
        stem = options.work / "ptx" / name / path / "k"
        stem.parent.mkdir(parents=True, exist_ok=True)
        made = to_ptx(options, folder, path, of_make.get(path, []), stem.with_suffix(".ptx"))
        if made:
            row["trouble"].append(f"{path}: nvcc: {made}")
            continue
        row["sources"] += 1
        row["objects"] += translated(bench, stem, path, row)
    return row


def to_ptx(options, folder, path, words, out):
    """Makes the PTX of a source, once; what the compiler said where there is none."""
    if out.exists():
        return ""
    include = [f"-I{it}" for it in [folder, *options.include]]
    standard = [] if any(word.startswith(("-std", "--std")) for word in words) else ["-std=c++17"]
    command = [options.nvcc / "bin/nvcc", *standard, *words, *include, "-w", "-ptx", f"-arch={options.arch}", path, "-o", out]
    made = ptx.run(command, cwd=folder)
    errors = [line for line in made.stderr.splitlines() if "error" in line] or made.stderr.splitlines()[:1]
    return (errors or ["no PTX"])[0] if made.returncode else ""


def translated(bench, stem, path, row):
    """Translates and compiles the PTX of one source; its code objects, where all chips have one."""
    hip = stem.with_suffix(".hip")
    hip.unlink(missing_ok=True)
    ran = ptx.run([bench.cass, stem.with_suffix(".ptx"), "-o", hip])
    if not hip.exists():
        entries = len(re.findall(r"\.entry\s", stem.with_suffix(".ptx").read_text()))
        row["kernels"] += entries
        if entries:
            row["trouble"].append(f"{path}: nothing is written: {ran.stderr[-300:]}")
        return []
    text, source = hip.read_text(), stem.with_suffix(".ptx").read_text()
    kernels = len(re.findall(r"\.entry\s+[\w$]+\s*\(", source))
    left = LEFT_OUT.findall(text)
    row["kernels"] += kernels
    row["written"] += kernels - len(left)
    row["why"] += [f"{why}" for _, why in left]
    if kernels == len(left):
        return []
    for chip in bench.chips:
        made = bench.hipcc(stem.parent, [chip], "--genco", hip.name, "-o", f"{stem.name}.{chip}.co")
        if made.returncode:
            errors = [line for line in made.stderr.splitlines() if "error" in line]
            row["trouble"].append(f"{path}: {chip}: {(errors or [made.stderr[:200]])[0]}")
            return []
    row["compiled"] += kernels - len(left)
    return [str(stem)]


def compared(options, bench, row):
    """Builds the program's port, runs it with its own kernels and with those out of PTX."""
    name, port = row["name"], options.work / "port"
    if not port.exists():
        ptx.run([bench.cass, options.root, port])
    folder = port / name
    words = built(options, bench, folder, name)
    if isinstance(words, str):
        return {"run": words}
    took = set()
    for chip in bench.chips:
        environment = {"HIP_EMULATOR_ARCH": chip, "LD_LIBRARY_PATH": f"{bench.emulator}/lib:/usr/lib/llvm-19/lib"}
        own = executed(options, folder, words, environment)
        if own is None or own.returncode:
            return {"run": "the port does not end in time" if own is None else f"the port ends with {own.returncode}"}
        paths = ":".join(f"{Path(stem).resolve()}.{chip}.co" for stem in row["objects"])
        got = executed(options, folder, words, environment | {"LD_PRELOAD": str(bench.launcher), "CASS_CODE_OBJECTS": paths})
        if got is None or got.returncode:
            return {"run": f"{chip}: with kernels out of PTX " + ("it does not end in time" if got is None else f"it ends with {got.returncode}"), "err": "" if got is None else got.stderr[-500:]}
        of_chip = set(re.findall(r"ptx_launch: took (\S+)", got.stderr))
        if not hecbench.same_output(own.stdout, got.stdout):
            return {"run": f"different on {chip}", "took": len(of_chip)}
        took |= of_chip
    return {"run": "equal" if took else "no kernel out of PTX ran", "took": len(took), "prints": bool(hecbench.lines_that_count(own.stdout))}


def built(options, bench, folder, name):
    """The words that run the port, or why there is none."""
    table = options.table.get(name) or options.table.get(name.removesuffix("-cuda"))
    environment = os.environ | {"PATH": f"{bench.emulator}/bin:{os.environ['PATH']}", "HIP_EMULATOR_ARCHS": " ".join(bench.chips)}
    if (folder / "Makefile").exists():
        command = ["make", "CC=hipcc", "ARCH=gfx90a"]
        words = table or hecbench.run_target(folder)
    else:
        include = [f"-I{(options.work / 'port' / it.relative_to(options.root)) if it.is_relative_to(options.root) else it}" for it in options.include]
        sources = sorted(path.name for path in folder.iterdir() if path.suffix in OF_CPP)
        command = ["hipcc", "-O2", f"-I{options.work / 'port'}", *include, *sources, "-o", "ptx_tree.program"]
        words = table or ["./ptx_tree.program"]
    try:
        made = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=300)
    except subprocess.TimeoutExpired:
        return "the port is not built in time"
    if made.returncode:
        errors = [line for line in made.stderr.splitlines() if "error" in line]
        return "the port does not build: " + (errors or ["?"])[0]
    return words or "nobody says how it is run"


def executed(options, folder, words, environment):
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds))
    environment = os.environ | environment | {"HIP_EMULATOR_THREADS": "1"}
    try:
        ran = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=8 * options.seconds, preexec_fn=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        return subprocess.CompletedProcess(words, 127, "", str(error))
    return None if ran.returncode in (-9, -24) else ran


def show(rows, depth):
    groups = collections.defaultdict(list)
    for row in rows:
        groups["/".join(row["name"].split("/")[:depth])].append(row)
    print("| | programs | sources | kernels | written | compiled | programs run | equal | kernels that ran in these |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for group, inside in [*(sorted(groups.items()) if depth else []), ("all", rows)]:
        total = lambda key: sum(row[key] for row in inside)
        tried = [row for row in inside if row.get("run", "").startswith(("equal", "different")) or "out of PTX it" in row.get("run", "")]
        equal = [row for row in tried if row["run"] == "equal"]
        print(f"| {group} | {len(inside)} | {total('sources')} | {total('kernels')} | {total('written')} | {total('compiled')} | {len(tried)} | {len(equal)} | {sum(row['took'] for row in equal)} |")
    causes = collections.Counter(re.sub(r"`?\b(line )\d+", r"\1…", why) for row in rows for why in row["why"])
    print("\nkernels left out:", *(f"{count:6} {why}" for why, count in causes.most_common()), sep="\n")
    for row in rows:
        for trouble in row["trouble"] + ([row["run"]] if row.get("run", "equal") != "equal" else []):
            print(f"{row['name']}: {trouble}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=lambda text: Path(text).resolve())
    for name in ("--cass", "--emulator", "--nvcc"):
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    parser.add_argument("--work", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--chips", nargs="+", default=ptx.CHIPS)
    parser.add_argument("--only", action="append", default=[], help="names of programs, with * and ?")
    parser.add_argument("--include", action="append", default=[], type=lambda text: Path(text).resolve(), help="folder of headers, for programs without a Makefile")
    parser.add_argument("--arguments", default=HERE / "hecbench.tsv")
    parser.add_argument("--sample", type=int, help="how many programs are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seconds", type=int, default=15, help="of the processor, for each run")
    parser.add_argument("--table", action="store_true", help="only show what is known")
    parser.add_argument("--depth", type=int, default=0, help="parts of a name that are its category")
    options = parser.parse_args()
    options.table_only, options.table = options.table, hecbench.arguments_table(options.arguments)
    options.folder = options.work / "tools"
    known = options.work / "rows.jsonl"
    options.work.mkdir(parents=True, exist_ok=True)
    rows = hecbench.done(known)
    if not options.table_only:
        bench = ptx.Bench(options)
        with known.open("a") as out:
            for name in programs(options):
                if name in rows and ("run" in rows[name] or not options.run or not rows[name]["objects"]):
                    continue
                rows[name] = rows.get(name) or one(options, bench, name)
                if options.run and rows[name]["objects"]:
                    rows[name] |= compared(options, bench, rows[name])
                out.write(json.dumps(rows[name]) + "\n")
                out.flush()
    show(sorted(rows.values(), key=lambda row: row["name"]), options.depth)


if __name__ == "__main__":
    main()
