#!/usr/bin/env python3
"""helpers.py PORTED.py: the code of the atomics that a ported program has in it, run on this processor and compiled for AMD's.

Each operation of each type is LLVM's code. On the processor it gives what Numba documents for numba.cuda: on arrays of every layout, with
several threads at one element. For gfx90a and gfx1100 clang makes an object of it; CASS_ROCM names the folder with that clang
(tests/rocm/setup.sh), and without it that part says NOT RUN.
"""
import ast, glob, math, os, shutil, subprocess, sys, tempfile, types

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import extending

CHIPS = "gfx90a", "gfx1100"
INTEGERS, FLOATS = ("int32", "uint32", "int64", "uint64"), ("float32", "float64")
KINDS = {name: INTEGERS for name in ("and_", "or_", "xor")} | {name: ("uint32", "uint64") for name in ("inc", "dec")}
KINDS |= {name: INTEGERS + FLOATS for name in ("add", "sub", "exch", "max", "min", "nanmax", "nanmin")}


def helpers_of(path):
    """The helpers' part of a ported program, as a module, with Numba's intrinsics for this processor."""
    module = types.ModuleType("numba.hip.extending")
    module.intrinsic = extending.intrinsic
    numba.hip = sys.modules["numba.hip"] = types.ModuleType("numba.hip")
    sys.modules["numba.hip.extending"] = module
    text = open(path).read()
    is_helper = lambda node: "ass_" in (ast.get_source_segment(text, node) or "") and getattr(node, "name", "cass_").lstrip("_").startswith("cass_")
    nodes = [node for node in ast.parse(text).body if is_helper(node) and not isinstance(node, ast.Expr)]
    names = {}
    exec(compile(ast.Module(nodes, []), path, "exec"), names)
    return names


def wanted(name, old, value):
    """What numba.cuda leaves in the element, by its documentation and its simulator."""
    if name == "inc":
        return 0 if old >= value else old + 1
    if name == "dec":
        return value if old == 0 or old > value else old - 1
    if name in ("max", "min", "nanmax", "nanmin"):
        if math.isnan(old):
            return value if name.startswith("nan") else old
        return old if math.isnan(value) else (max if name.endswith("max") else min)(old, value)
    return {"add": lambda: old + value, "sub": lambda: old - value, "exch": lambda: value,
            "and_": lambda: old & value, "or_": lambda: old | value, "xor": lambda: old ^ value}[name]()


def values_of(kind):
    if kind in FLOATS:
        return [0.0, 1.5, -2.25, float("nan")]
    return [0, 3, 12] + ([-5] if kind.startswith("int") else [np.iinfo(kind).max - 2])


def run(names):
    """Every operation on every type and on the layouts that arrays have; returns the number of cases."""
    cases = 0
    for name, kinds in KINDS.items():
        function = names["cass_atomic_" + name]

        @numba.njit
        def one(array, place, value):
            return function(array, place, value)

        for kind in kinds:
            dtype = np.dtype(kind)
            for old in values_of(kind):
                for value in values_of(kind):
                    for array, place in ((np.zeros(5, dtype), 3), (np.zeros((4, 6), dtype)[1:, ::2], (1, 2)), (np.zeros((3, 4), dtype).T, (2, 1))):
                        array[place] = old
                        got = one(array, place, dtype.type(value))
                        with np.errstate(all="ignore"):
                            after = dtype.type(wanted(name, dtype.type(old), dtype.type(value)))
                        assert got.__class__(got) == old or old != old, (name, kind, old, value, got)
                        assert array[place] == after or (after != after and array[place] != array[place]), (name, kind, old, value, array[place], after)
                        assert np.count_nonzero(np.delete(array.ravel(), np.ravel_multi_index(place, array.shape) if array.ndim > 1 else place)) == 0
                        cases += 1
    swap, exchange = names["cass_atomic_cas"], names["cass_atomic_compare_and_swap"]
    many = numba.njit(lambda array, place, old, value: swap(array, place, old, value))
    first = numba.njit(lambda array, old, value: exchange(array, old, value))
    array = np.array([7, 8], "int32")
    assert (many(array, 1, 8, 9), many(array, 1, 8, 10), list(array)) == (8, 9, [7, 9])
    assert (first(array, 7, 1), first(array, 7, 2), list(array)) == (7, 1, [1, 9])
    return cases + 4


def together(names):
    """Several threads at one element lose nothing."""
    add, most = names["cass_atomic_add"], names["cass_atomic_max"]

    @numba.njit(parallel=True)
    def all_of(sums, largest, count):
        for i in numba.prange(count):
            add(sums, i % 2, 1.0)
            most(largest, 0, float(i % 1000003))

    numba.set_num_threads(max(2, min(4, numba.config.NUMBA_NUM_THREADS)))
    sums, largest = np.zeros(2), np.zeros(1)
    all_of(sums, largest, 400_000)
    assert list(sums) == [200_000.0, 200_000.0] and largest[0] == 399_999.0, (sums, largest)


def for_amd(names, rocm):
    """Objects of every operation on memory of any kind; returns their number."""
    clang = next(iter(glob.glob(f"{rocm}/**/bin/clang", recursive=True)), None) or shutil.which("clang-19") or shutil.which("clang")
    module = ir.Module("atomics")
    module.triple = "amdgcn-amd-amdhsa"
    types_of = {"int32": ir.IntType(32), "int64": ir.IntType(64), "float32": ir.FloatType(), "float64": ir.DoubleType()}
    count = 0
    for name, kinds in KINDS.items():
        for kind in kinds:
            cell = types_of[kind.removeprefix("u")]
            function = ir.Function(module, ir.FunctionType(cell, [cell.as_pointer(), cell]), f"{name}_{kind}")
            builder = ir.IRBuilder(function.append_basic_block())
            builder.ret(names["_cass_operate"](name, builder, getattr(numba.types, kind), *function.args))
            count += 1
    with tempfile.TemporaryDirectory() as work:
        open(f"{work}/atomics.bc", "wb").write(binding.parse_assembly(str(module)).as_bitcode())
        for chip in CHIPS:
            subprocess.run([clang, "-x", "ir", "--target=amdgcn-amd-amdhsa", f"-mcpu={chip}", "-nogpulib", "-O2", "-c", f"{work}/atomics.bc", "-o", f"{work}/{chip}.o"],
                           check=True)
            assert os.path.getsize(f"{work}/{chip}.o") > 1000
    return count


def main(path):
    names = helpers_of(path)
    print(f"ok: {run(names)} cases of atomics give what numba.cuda gives")
    together(names)
    print("ok: several threads at one element lose nothing")
    if os.environ.get("CASS_ROCM"):
        print(f"ok: {for_amd(names, os.environ['CASS_ROCM'])} atomics compile for {' and '.join(CHIPS)}")
    else:
        print("NOT RUN: the atomics compiled for AMD; CASS_ROCM is not set")


if __name__ == "__main__":
    main(*sys.argv[1:])
