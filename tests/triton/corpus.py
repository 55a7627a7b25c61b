#!/usr/bin/env python3
"""corpus.py BIN FOLDER [WORDS]: every Triton launch that the programs of FOLDER reach, compiled for AMD before and after BIN translates them.

Each FILE.py runs in a process of its own (two minutes at most, CASS_LIMIT seconds; CASS_JOBS of them at once, 1) on tensors of the
processor that say they are the GPU's; a launch is recorded instead of made, with the first configuration that fits into LDS where several
are tried, as Triton's tuner passes over the others, and compiled like in compile.py, each kind of launch once; one that fails is compiled
for NVIDIA as well. Programs that BIN leaves as they are count alike before and after. A line for each launch that fails; what a program cannot do here
(a module that is not installed, a GPU that is asked) leaves out the launches behind it, and the program is counted. WORDS keeps the
files whose names have one of them. Needs CASS_TRITON's Python (tests/triton/setup.sh) with a `torch` that it can import, by PYTHONPATH
or installed; CASS_CHIP names the chip (gfx942).
"""
import collections, json, os, runpy, signal, subprocess, sys, tempfile, types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compile as launches


def as_gpu(torch):
    """Makes PyTorch for the processor say what PyTorch for ROCm says."""
    import contextlib
    cpu = torch.device("cpu")
    moved = lambda it: cpu if isinstance(it, (str, torch.device)) and str(it).startswith("cuda") else it

    class OnProcessor(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, kinds, args=(), kwargs=None):
            kwargs = {name: moved(value) for name, value in (kwargs or {}).items()}
            name = getattr(function, "__name__", "")
            return function(*(map(moved, args) if name == "to" else args), **kwargs)

    gpu = types.SimpleNamespace(name="AMD Instinct MI300X", major=9, minor=4, multi_processor_count=304, gcnArchName=launches.CHIP, warp_size=64,
                                total_memory=1 << 37, max_threads_per_multi_processor=2048)
    torch.version.hip, torch.version.cuda = "6.4", None
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *args, **kwargs: self
    torch.Tensor.is_cuda = property(lambda self: True)
    cuda = torch.cuda
    cuda.is_available = lambda: True
    cuda.current_device, cuda.device_count = lambda: 0, lambda: 1
    cuda.synchronize = cuda.set_device = cuda.empty_cache = cuda.manual_seed = cuda.manual_seed_all = lambda *args: None
    cuda.get_device_capability, cuda.get_device_properties = lambda *args: (9, 4), lambda *args: gpu
    cuda.get_device_name = lambda *args: gpu.name
    cuda.device = cuda.stream = lambda *args: contextlib.nullcontext()
    plain = lambda function=None, **kwargs: function if function else lambda it: it
    for name in ("custom_fwd", "custom_bwd"):
        setattr(torch.amp, name, plain)
        setattr(cuda.amp, name, plain)
    torch.compile = getattr(torch, "compile", plain)
    return OnProcessor()


def run(path):
    """The launches of one program: (function, arguments, options, the same with other configurations), and why the program stopped, if it did."""
    import torch
    from triton.runtime import autotuner, jit
    seen, stopped = [], ""
    jit.JITFunction.run = lambda self, *args, **kwargs: seen.append((self, args, kwargs, []))

    def first(self, *args, **kwargs):
        before = len(seen)
        for config in [it.all_kwargs() for it in self.configs] or [{}]:
            self.fn.run(*args, **{**config, **kwargs})
        launch, *others = seen[before:]
        seen[before:] = [(*launch[:3], others)]

    autotuner.Autotuner.run = first
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        with as_gpu(torch):
            runpy.run_path(path, run_name="__main__")
    except BaseException as error:
        stopped = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:160]
    return seen, stopped


def of_program(path):
    """Compiles each kind of launch of a program once, and says so on standard output."""
    seen, stopped = run(path)
    known, results = set(), []
    for function, args, kwargs, others in seen:
        try:
            key = (function.__name__, repr(launches.request(function, args, kwargs)))
            if key in known:
                continue
            known.add(key)
            wrong = launches.compiled(function, args, kwargs)
            while "bytes of LDS" in wrong and others:
                wrong = launches.compiled(*others.pop(0)[:3])
        except Exception as error:
            lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
            wrong = lines[-1][:160]
        results.append((function.__name__, wrong, bool(wrong) and launches.fails_for_nvidia(function, args, kwargs)))
        print("RESULT " + json.dumps([results, stopped]), flush=True)
    if not results:
        print("RESULT " + json.dumps([results, stopped]), flush=True)


def start(path, limit, out):
    """The process of a program, which says what it finds in the file `out`. It is forked off this one, which has PyTorch in it."""
    child = os.fork()
    if child:
        return child
    for number, stream in ((0, os.open(os.devnull, os.O_RDONLY)), (1, out.fileno()), (2, os.open(os.devnull, os.O_WRONLY))):
        os.dup2(stream, number)
    signal.alarm(limit)
    of_program(path)
    os._exit(0)


def said(out, status):
    """What the process of a program said, also of one that ended badly."""
    out.seek(0)
    lines = [line for line in out if line.startswith("RESULT ")]
    results, stopped = json.loads(lines[-1].removeprefix("RESULT ")) if lines else ([], "")
    ended = os.WIFSIGNALED(status) and os.WTERMSIG(status)
    if ended == signal.SIGALRM:
        return results, stopped or "takes too long"
    # A compiler that crashes takes the process with it.
    return results + ([["(the compiler crashes)", f"signal {ended}", False]] if ended else []), stopped


def all_said(tasks, limit, at_once):
    """What each program says; `at_once` of them run."""
    waiting, running, results = list(tasks), {}, {}
    while waiting or running:
        while waiting and len(running) < at_once:
            task, out = waiting.pop(0), tempfile.TemporaryFile("w+")
            running[start(task[1], limit, out)] = task, out
        child, status = os.wait()
        task, out = running.pop(child)
        with out:
            results[task] = said(out, status)
    return results


def main(binary, folder, *words):
    import torch, triton  # noqa: F401, what the processes share
    from triton.backends.compiler import GPUTarget
    torch.set_num_threads(1)
    files = sorted(name for name in os.listdir(folder) if name.endswith(".py") and (not words or any(word in name for word in words)))
    with tempfile.TemporaryDirectory() as work:
        os.environ["TRITON_CACHE_DIR"] = work + "/cache"
        subprocess.run([binary, "-q", folder, work + "/ported"], check=False, stdout=subprocess.DEVNULL)
        read = lambda path: open(path, "rb").read()
        changed = {name for name in files if read(f"{folder}/{name}") != read(f"{work}/ported/{name}")}
        tasks = [("before", f"{folder}/{name}") for name in files] + [("after", f"{work}/ported/{name}") for name in sorted(changed)]
        limit = int(os.environ.get("CASS_LIMIT", "120"))
        results = all_said(tasks, limit, int(os.environ.get("CASS_JOBS", "1")))
        of = {"before": {name: results["before", f"{folder}/{name}"] for name in files}}
        of["after"] = {name: results["after", f"{work}/ported/{name}"] if name in changed else of["before"][name] for name in files}
    for when, programs in of.items():
        count = sum(len(results) for results, _ in programs.values())
        failed = [(name, *result) for name, (results, _) in programs.items() for result in results if result[1]]
        too_large = sum("of LDS of" in wrong or "threads in a block" in wrong for _, _, wrong, _ in failed)
        print(f"{when}: {count} launches of {sum(bool(results) for results, _ in programs.values())} programs of {len(files)}, {count - len(failed)} compile for {launches.CHIP}"
              f" and fit, {too_large} compile and do not fit, {sum(both for *_, both in failed)} compile for NVIDIA neither")
        for name, kernel, wrong, both in failed:
            print(f"  FAIL {name}: {kernel}: {wrong}{' (and not for NVIDIA)' if both else ''}")
    stops = collections.Counter(stopped.split(":")[0] for _, stopped in of["before"].values() if stopped)
    print(f"{len(changed)} programs are translated: {' '.join(sorted(changed))}")
    print("programs that stop early here:", dict(stops))
    if os.environ.get("CASS_STOPS"):
        for name, (results, stopped) in of["before"].items():
            if stopped:
                print(f"  {name}: {len(results)} launches, then {stopped}")


if __name__ == "__main__":
    main(*sys.argv[1:])
