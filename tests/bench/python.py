#!/usr/bin/env python3
"""python.py BIN FOLDER: how long a tree of Python files without CUDA takes, beside `cp -r`.

Both run in turn, seven times, and the fastest of each counts, since other work on the machine only adds. Each run fills a folder of its
own, and all are deleted at the end: ext4 passes over the numbers of files deleted within the last minutes, one by one, which made either
command up to ten times slower. The folder's Python files that have to do with CUDA are left out. Printed are megabytes a second and the
ratio, by the clock and by the processor.
"""
import os, resource, shutil, subprocess, sys, tempfile, time


def timed(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def plain_files(folder, into):
    """Copies the Python files without CUDA; returns their number and bytes."""
    shutil.copytree(folder, into + "/all", ignore=lambda where, names: [it for it in names if os.path.isfile(f"{where}/{it}") and not it.endswith(".py")])
    words = (b"cuda", b"CUDA", b"triton", b"numba", b"nvidia")
    count = size = 0
    for where, _, names in os.walk(into + "/all"):
        for name in names:
            text = open(f"{where}/{name}", "rb").read()
            if not any(word in text for word in words):
                to = where.replace(into + "/all", into + "/plain", 1)
                os.makedirs(to, exist_ok=True)
                shutil.copy(f"{where}/{name}", to)
                count, size = count + 1, size + len(text)
    return count, size


def main(binary, folder):
    with tempfile.TemporaryDirectory() as work:
        count, size = plain_files(folder, work)
        best = {}
        for turn in range(7):
            for name, command in (("cp -r", ["cp", "-r"]), ("cass-transpile", [os.path.abspath(binary), "-q"])):
                took = timed([*command, f"{work}/plain", f"{work}/{turn}-{command[0] == 'cp'}"])
                best[name] = tuple(map(min, took, best.get(name, took)))
        for name, (wall, cpu) in best.items():
            print(f"{name}: {size / wall / 1e6:.0f} MB/s by the clock, {size / cpu / 1e6:.0f} by the processor, {count} files of {size / 1e6:.1f} MB")
        ratios = [ours / theirs for ours, theirs in zip(best["cass-transpile"], best["cp -r"])]
        print(f"ratio: {ratios[0]:.2f} by the clock, {ratios[1]:.2f} by the processor")


if __name__ == "__main__":
    main(*sys.argv[1:])
