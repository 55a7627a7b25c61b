#!/usr/bin/env python3
"""compile.py FILE.py...: compiles every Triton launch of these programs for an AMD GPU, on a machine without one.

A launch is recorded instead of made: tensors are stand-ins, and `torch` is one where it is not installed, which says that it is PyTorch
for ROCm.  What is compiled is `triton.compile(..., GPUTarget("hip", CHIP, 64))` of the stock wheel, down to the code object; then the
threads of a block and its LDS are held against what the GPU has.  A line for each launch; exit code 1 if one fails.
CASS_CHIP names the chip (gfx942).
"""
import os, runpy, sys, types

CHIP = os.environ.get("CASS_CHIP", "gfx942")
LANES, THREADS, LDS = 64, 1024, 65536


TYPES = {"float64": "fp64", "float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5",
         "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "i1"}


class Tensor:
    """Stands for a tensor, of float where nothing else is said."""

    def __init__(self, *shape, dtype="fp32", **_):
        self.shape, self.dtype = shape, dtype

    def data_ptr(self):
        return 16


def stand_in():
    """A `torch` with what launches need."""
    torch = types.ModuleType("torch")
    torch.version = types.SimpleNamespace(hip="7.0", cuda=None)
    torch.empty = torch.zeros = torch.randn = torch.ones = Tensor
    torch.empty_like = lambda other, **_: Tensor(*other.shape)
    torch.float32 = "fp32"
    return torch


def type_of(value):
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if abs(value) < 2**31 else "i64"
    if isinstance(value, float):
        return "fp32"
    dtype = str(value.dtype).removeprefix("torch.")
    return "*" + TYPES.get(dtype, dtype)


def request(function, args, kwargs):
    """What a launch asks the compiler for: types, constants, options."""
    parameters = {it.name: it for it in function.params}
    given = dict(zip(parameters, args)) | {name: value for name, value in kwargs.items() if name in parameters}
    for name, it in parameters.items():
        if name not in given and it.has_default:
            given[name] = it.default
    options = {name: value for name, value in kwargs.items() if name not in parameters and name not in ("grid", "warmup")}
    constants = {name: value for name, value in given.items() if parameters[name].is_constexpr or value is None}
    signature = {name: "constexpr" if name in constants else type_of(value) for name, value in given.items()}
    return signature, constants, options


def built(function, args, kwargs, *target):
    """The kernel of a launch for a GPU."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    signature, constants, options = request(function, args, kwargs)
    source = ASTSource(fn=function, signature=signature, constexprs=constants)
    return triton.compile(source, target=GPUTarget(*target), options=options)


def compiled(function, args, kwargs):
    """Compiles a launch; returns what is wrong with it, or nothing."""
    kernel = built(function, args, kwargs, "hip", CHIP, LANES)
    assert kernel.asm.get("hsaco"), "there is no code object"
    threads, lds = kernel.metadata.num_warps * LANES, kernel.metadata.shared
    if threads > THREADS:
        return f"{threads} threads in a block of {THREADS}"
    return f"{lds} bytes of LDS of {LDS}" if lds > LDS else ""


def fails_for_nvidia(function, args, kwargs):
    """Whether a launch does not compile for Hopper either, so that it is no question of the GPU."""
    try:
        return not built(function, args, kwargs, "cuda", 90, 32).asm.get("cubin")
    except Exception:
        return True


def main(paths):
    try:
        import torch
    except ImportError:
        sys.modules["torch"] = stand_in()
    from triton.runtime.jit import JITFunction
    failed = launches = 0
    seen = []
    JITFunction.run = lambda self, *args, **kwargs: seen.append((self, args, kwargs))
    for path in paths:
        seen.clear()
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        try:
            runpy.run_path(path, run_name="__main__")
        except Exception as error:
            print(f"FAIL {os.path.basename(path)}: {type(error).__name__}: {error}")
            failed += 1
        for function, args, kwargs in list(seen):
            launches += 1
            try:
                wrong = compiled(function, args, kwargs)
            except Exception as error:
                lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
                wrong = lines[-1][:160]
            failed += bool(wrong)
            print(f"{'FAIL' if wrong else 'ok  '} {os.path.basename(path)}: {function.__name__}{': ' + wrong if wrong else ''}", flush=True)
    print(f"{launches} launches, {failed} fail for {CHIP}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
