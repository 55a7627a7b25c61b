#!/usr/bin/env python3
"""own_tests.py BIN TREE: Numba's own tests, or numba-cuda's, ported by BIN and run with numba-hip on an emulated gfx90a.

TREE is a checkout of numba 0.61 to 0.63 or of numba-cuda. A line for each file that is ported: how many of its tests pass, of those that are
not skipped; then how many files and tests that are. Needs CASS_NUMBA_HIP (hip.sh) and HIP_EMULATOR. Eight minutes on two cores.
"""
import collections, concurrent.futures, glob, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# A product of matrices of 1600 rows takes longer than this on an emulated card.
SECONDS = 150


def is_ported(path):
    return re.search(r"numba\.hip|numba import hip", open(path, errors="replace").read())


def run(path):
    """The verdict on a file: tests that pass, tests that ran, what the last line says."""
    command = [os.environ["CASS_NUMBA_HIP"] + "/python", "-W", "ignore", HERE + "/emulated.py", "--tests", path]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        text, end = done.stdout.decode(errors="replace"), f"ended with {done.returncode}"
    except subprocess.TimeoutExpired as error:
        text, end = (error.stdout or b"").decode(errors="replace"), f"not ended after {SECONDS} s"
    found = re.search(r"^emulated.py: (\d+) of (\d+) pass", text, re.M)
    if found:
        return int(found[1]), int(found[2]), "", text
    passed = len(re.findall(r"\.\.\. ok$", text, re.M))
    fault = re.findall(r"hip-emulator: .{0,100}|^\w*Error: .{0,100}", text, re.M)
    return passed, passed + 1, fault[-1] if fault else end, text


def main(binary, tree):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([binary, "-q", tree, folder + "/ported"], stdout=subprocess.DEVNULL, check=False)
        files = sorted(it for it in glob.glob(folder + "/ported/**/tests/**/test_*.py", recursive=True) if is_ported(it))
        counts, causes = collections.Counter(), collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for path, (passed, ran, stop, text) in zip(files, pool.map(run, files)):
                counts.update(files=1, whole=passed == ran, passed=passed, ran=ran)
                causes.update(it[:100] for it in re.findall(r"^\S*(?:Error|Exception): .*", text, re.M))
                print(f"{os.path.relpath(path, folder + '/ported')}: {passed} of {ran}{', ' if stop else ''}{stop}", flush=True)
    for cause, count in causes.most_common(15):
        print(f"{count:5} {cause}")
    print(f"{counts['whole']} of {counts['files']} files whole, {counts['passed']} of {counts['ran']} tests pass")


if __name__ == "__main__":
    main(*sys.argv[1:])
