#!/usr/bin/env python3
"""Holds kernels that were made of nvcc's PTX against what CUDA computed, or against the same program translated from its source.

  ptx.py measure --cass BIN --emulator DIR --nvcc DIR [--count K]     random kernels (kernels.py) by way of PTX, against an NVIDIA card
  ptx.py programs --cass BIN --emulator DIR --nvcc DIR FILE.cu…      programs of one file each, their PTX against their source

The program is translated from its source and built. Its kernels are compiled to PTX by nvcc as well, that is translated, and the code
object that comes of it takes the place of the program's own kernels while it runs (ptx_launch.cpp, preloaded). Counted are the kernels
of the PTX, those that are written in HIP C++, whether that compiles for each chip, and for how many the result is the same.
"""
import argparse, os, re, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import kernels

CHIPS = ["gfx90a", "gfx1030"]


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class Bench:
    def __init__(self, options):
        self.cass, self.emulator, self.nvcc = (Path(it).resolve() for it in (options.cass, options.emulator, options.nvcc))
        self.chips, self.arch = options.chips, options.arch
        self.folder = Path(options.folder or tempfile.mkdtemp())
        self.folder.mkdir(parents=True, exist_ok=True)
        self.launcher = self.folder / "libptx_launch.so"
        rocm = Path(os.environ["CASS_ROCM"]) / "usr/include"
        made = run(["clang++-19", "-O1", "-shared", "-fPIC", "-std=c++17", "-D__HIP_PLATFORM_AMD__", "-w", f"-I{rocm}", HERE / "ptx_launch.cpp", "-o", self.launcher])
        if made.returncode:
            sys.exit(made.stderr)

    def build(self, name, source):
        """The folder with the port of a program and of its PTX; what went wrong where there is none."""
        inside, port = self.folder / name / "in", self.folder / name / "out"
        inside.mkdir(parents=True, exist_ok=True)
        (inside / "k.cu").write_text(source)
        made = run([self.nvcc / "bin/nvcc", "-std=c++17", "-ptx", f"-arch={self.arch}", "k.cu", "-o", "k.ptx"], cwd=inside)
        if made.returncode:
            return None, "nvcc: " + made.stdout + made.stderr
        run([self.cass, inside, port, "--force"])
        built = self.hipcc(port, self.chips, "-std=c++17", "k.cu", "-o", "k")
        if built.returncode:
            return None, "the source does not build: " + built.stderr
        for chip in self.chips:
            built = self.hipcc(port, [chip], "--genco", "k.ptx.hip", "-o", f"{chip}.co")
            if built.returncode:
                return None, f"the PTX does not build for {chip}: " + built.stderr
        return port, ""

    def hipcc(self, folder, chips, *words):
        environment = os.environ | {"HIP_EMULATOR_ARCHS": " ".join(chips)}
        return run([self.emulator / "bin/hipcc", "-O1", *words], cwd=folder, env=environment)

    def output(self, port, chip, with_ptx):
        """What the program prints, the kernels that came of PTX, and those that did not."""
        environment = os.environ | {"HIP_EMULATOR_ARCH": chip, "LD_LIBRARY_PATH": f"{self.emulator}/lib"}
        if with_ptx:
            environment |= {"LD_PRELOAD": str(self.launcher), "CASS_CODE_OBJECTS": f"{chip}.co"}
        try:
            ran = run(["./k"], cwd=port, env=environment, timeout=120)
        except subprocess.TimeoutExpired:
            return "no end", set(), set()
        names = lambda word: set(re.findall(rf"ptx_launch: {word} (\S+)", ran.stderr))
        return ran.stdout + f"exit {ran.returncode}", names("took"), names("left")

    def kernels(self, port):
        """Kernels of the PTX, and those of them that are written in HIP C++."""
        ptx, hip = (port / "k.ptx").read_text(), (port / "k.ptx.hip").read_text()
        all_, written = re.findall(r"\.entry\s+(\S+?)\(", ptx), re.findall(r"^__global__ void (?:__launch_bounds__\(\d+\) )?(\S+?)\(", hip, re.M)
        for name, why in re.findall(r"^// The kernel (\S+) is left out: (.*)$", hip, re.M):
            print(f"left out: {name}: {why}")
        return len(all_), len(written)


def measure(options):
    bench, wanted = Bench(options), kernels.read_output(kernels.GOLD.read_text())
    total = written = equal = different = refused = 0
    for start in range(0, options.count, kernels.BATCH):
        numbers = list(range(start, min(start + kernels.BATCH, options.count)))
        port, message = bench.build(f"batch-{start}", kernels.program(numbers, kernels.SEED))
        if port is None:
            print(message)
            refused += len(numbers)
            continue
        of_ptx, of_hip = bench.kernels(port)
        total, written = total + of_ptx, written + of_hip
        for chip in bench.chips:
            printed, took, _ = bench.output(port, chip, True)
            got = kernels.read_output(printed)
            for number in numbers:
                name = f"kernel_{number}"
                if not any(re.match(rf"_Z\d+{name}P", it) for it in took):
                    continue
                if got.get(name) == wanted.get(name):
                    equal += 1
                else:
                    different += 1
                    print(f"{name} on {chip}: {got.get(name)}, on CUDA {wanted.get(name)}")
    print(f"{total} kernels of PTX, {written} written in HIP C++, {refused} do not compile; on {len(bench.chips)} chips {equal} results are CUDA's, {different} are not")
    return not different and not refused and written >= options.at_least


def programs(options):
    bench = Bench(options)
    total = written = equal = different = refused = 0
    for number, path in enumerate(options.files):
        port, message = bench.build(f"program-{number}", path.read_text())
        if port is None:
            print(f"{path}: {message.strip().splitlines()[0][:200]}")
            refused += 1
            continue
        of_ptx, of_hip = bench.kernels(port)
        total, written = total + of_ptx, written + of_hip
        for chip in bench.chips:
            own, got = bench.output(port, chip, False), bench.output(port, chip, True)
            is_equal = own[0] == got[0]
            equal, different = equal + is_equal, different + (not is_equal)
            print(f"{path} on {chip}: {'equal' if is_equal else 'different'}, {len(got[1])} kernels out of PTX, {len(got[2])} of the source")
    print(f"{len(options.files)} programs, {refused} do not build; {total} kernels of PTX, {written} written in HIP C++; runs equal: {equal}, different: {different}")
    return not different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measured, others = commands.add_parser("measure"), commands.add_parser("programs")
    for command in (measured, others):
        for name in ("--cass", "--emulator", "--nvcc"):
            command.add_argument(name, required=True)
        command.add_argument("--arch", default="sm_80")
        command.add_argument("--chips", nargs="+", default=CHIPS)
        command.add_argument("--folder")
    measured.add_argument("--count", type=int, default=25)
    measured.add_argument("--at-least", type=int, default=0, help="kernels that must be written")
    others.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    if not (measure if options.command == "measure" else programs)(options):
        sys.exit(1)


if __name__ == "__main__":
    main()
