#!/usr/bin/env python3
"""simulated.py FILE.py: runs a program for numba.cuda, or one for numba.hip, under Numba's simulator of CUDA.

`numba.hip` is `numba.cuda` here, and the intrinsics of the helpers, which are LLVM's code, are the simulator's functions of their names;
`helpers.py` runs their own code. Functions for both processors are Python in kernels, as all is there. Functions of whole arrays, which
the simulator has not, are those of this processor on either side: what is seen is that the target is registered and asked for.
"""
import os, runpy, sys, types

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import numba
from numba import cuda
from numba.cuda.simulator.kernelapi import FakeCUDAAtomic
from numba.np.ufunc.decorators import GUVectorize, Vectorize


def intrinsic(function):
    return getattr(FakeCUDAAtomic(), function.__name__.removeprefix("cass_atomic_"))


extending = types.ModuleType("numba.hip.extending")
extending.intrinsic = intrinsic
numba.hip = sys.modules["numba.hip"] = cuda
sys.modules["numba.hip.extending"] = extending
vectorizers = types.ModuleType("numba.hip.vectorizers")
for target, name in (Vectorize, "CUDAVectorize"), (GUVectorize, "CUDAGUFuncVectorize"):
    builder = target.target_registry["cpu"]
    target.target_registry.ondemand.pop("cuda")
    target.target_registry["cuda"] = builder
    setattr(vectorizers, name, builder)
numba.hip.vectorizers = sys.modules["numba.hip.vectorizers"] = vectorizers
numba.njit = lambda function: function
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
runpy.run_path(sys.argv[1], run_name="__main__")
