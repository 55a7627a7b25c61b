# Random numbers for numba.hip, which has none: the generators of numba.cuda.random, with the same numbers for the same seed.
import math as _cass_math
import numpy as _cass_numpy
from numba import hip as _cass_hip, njit as _cass_njit

xoroshiro128p_dtype = _cass_numpy.dtype([("s0", _cass_numpy.uint64), ("s1", _cass_numpy.uint64)], align=True)
_cass_u64, _cass_f32, _cass_f64 = _cass_numpy.uint64, _cass_numpy.float32, _cass_numpy.float64


@_cass_njit
def _cass_rotated(x, count):
    return (x << _cass_u64(count)) | (x >> _cass_u64(64 - count))


@_cass_njit
def _cass_next(states, index):
    s0, s1 = states[index]["s0"], states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = _cass_rotated(s0, 55) ^ s1 ^ (s1 << _cass_u64(14))
    states[index]["s1"] = _cass_rotated(s1, 36)
    return result


@_cass_njit
def _cass_seed(states, index, seed):
    """The first state of a sequence, by SplitMix64."""
    z = _cass_u64(seed) + _cass_u64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> _cass_u64(30))) * _cass_u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _cass_u64(27))) * _cass_u64(0x94D049BB133111EB)
    z ^= z >> _cass_u64(31)
    states[index]["s0"] = z
    states[index]["s1"] = z


@_cass_njit
def _cass_jump(states, index):
    """2**64 steps at once."""
    s0, s1 = _cass_u64(0), _cass_u64(0)
    for word in (_cass_u64(0xBEAC0467EBA5FACB), _cass_u64(0xD86B048B86AA9922)):
        for bit in range(64):
            if word & (_cass_u64(1) << _cass_u64(bit)):
                s0 ^= states[index]["s0"]
                s1 ^= states[index]["s1"]
            _cass_next(states, index)
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@_cass_njit
def _cass_fill(states, seed, subsequence_start):
    if len(states) > 0:
        _cass_seed(states, 0, seed)
        for _ in range(subsequence_start):
            _cass_jump(states, 0)
        for index in range(1, len(states)):
            states[index] = states[index - 1]
            _cass_jump(states, index)


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Sets the states of an array on the GPU; each begins 2**64 numbers after the one before."""
    host = _cass_numpy.empty(shape=states.shape, dtype=xoroshiro128p_dtype)
    _cass_fill(host, _cass_u64(seed), _cass_u64(subsequence_start))
    states.copy_to_device(host, stream=stream)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """An array on the GPU with the states of n generators."""
    states = _cass_hip.device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states


@_cass_njit
def xoroshiro128p_uniform_float64(states, index):
    """A number of [0, 1)."""
    return _cass_f64(_cass_next(states, index) >> _cass_u64(11)) * _cass_f64(2.0**-53)


@_cass_njit
def xoroshiro128p_uniform_float32(states, index):
    """A number of [0, 1)."""
    return _cass_f32(xoroshiro128p_uniform_float64(states, index))


@_cass_njit
def xoroshiro128p_normal_float64(states, index):
    """A number of the normal distribution of mean 0 and deviation 1, by Box and Muller; it takes two of the sequence."""
    # As in numba.cuda, which takes these two in single precision.
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return _cass_math.sqrt(_cass_f64(-2.0) * _cass_math.log(u1)) * _cass_math.cos(_cass_f64(2.0 * _cass_math.pi) * u2)


@_cass_njit
def xoroshiro128p_normal_float32(states, index):
    """A number of the normal distribution of mean 0 and deviation 1, by Box and Muller; it takes two of the sequence."""
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return _cass_math.sqrt(_cass_f32(-2.0) * _cass_math.log(u1)) * _cass_math.cos(_cass_f32(2.0 * _cass_math.pi) * u2)
