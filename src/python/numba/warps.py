# Votes and matches of warps, which numba.hip lacks. They are about the 32 lanes of the program: a wavefront has 64 on CDNA.
import numpy as _cass_numpy
from numba import hip as _cass_hip, types as _cass_types
from numba.extending import overload as _cass_overload


@_cass_hip.jit(device=True)
def _cass_lanes(ballot):
    return ballot >> (_cass_hip.laneid & 32) & 0xFFFFFFFF


@_cass_hip.jit(device=True)
def _cass_active(mask):
    """Lanes that a block does not have answer nothing."""
    return mask & _cass_lanes(_cass_hip.ballot(True))


@_cass_hip.jit(device=True)
def cass_eq_sync(mask, predicate):
    mask = _cass_active(mask)
    voted = _cass_lanes(_cass_hip.ballot(predicate)) & mask
    return voted == 0 or voted == mask


def _cass_bits(value):
    """What is compared: NaN matches itself, and 0.0 does not match -0.0."""


@_cass_overload(_cass_bits, target="hip")
def _cass_bits_of(value):
    if not isinstance(value, _cass_types.Float):
        return lambda value: value
    kind = _cass_numpy.int64 if value.bitwidth == 64 else _cass_numpy.int32
    return lambda value: value.view(kind)


@_cass_hip.jit(device=True)
def cass_match_any_sync(mask, value):
    same, value = 0, _cass_bits(value)
    for lane in range(32):
        if _cass_hip.shfl(value, lane, 32) == value:
            same |= 1 << lane
    return same & _cass_active(mask)


@_cass_hip.jit(device=True)
def cass_match_all_sync(mask, value):
    mask, first, value = _cass_active(mask), 0, _cass_bits(value)
    while not mask >> first & 1:
        first += 1
    differs = _cass_hip.shfl(value, first, 32) != value
    is_same = _cass_lanes(_cass_hip.ballot(differs)) & mask == 0
    return mask if is_same else 0, is_same


@_cass_hip.jit(device=True)
def cass_selp(condition, first, second):
    return first if condition else second
