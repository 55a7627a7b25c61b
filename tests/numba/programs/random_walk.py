"""Random numbers: the same seed gives the same walk."""
import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, init_xoroshiro128p_states
from numba.cuda.random import (xoroshiro128p_normal_float32, xoroshiro128p_normal_float64,
                               xoroshiro128p_uniform_float32, xoroshiro128p_uniform_float64)


@cuda.jit
def walk(states, ends):
    i = cuda.grid(1)
    if i < ends.shape[0]:
        for _ in range(3):
            ends[i, 0] += xoroshiro128p_uniform_float32(states, i)
            ends[i, 1] += xoroshiro128p_uniform_float64(states, i)
            ends[i, 2] += xoroshiro128p_normal_float32(states, i)
            ends[i, 3] += xoroshiro128p_normal_float64(states, i)


states = create_xoroshiro128p_states(6, seed=42, subsequence_start=2)
ends = np.zeros((6, 4))
walk[1, 8](states, ends)
print(np.round(ends, 4).tolist())
init_xoroshiro128p_states(states, seed=7)
walk[1, 8](states, ends)
print(np.round(ends, 4).tolist())
