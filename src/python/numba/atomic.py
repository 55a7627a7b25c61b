# Atomics on arrays, which numba.hip lacks. Each works as the function of numba.cuda.atomic that it is named after.
from llvmlite import ir as _cass_ir
from numba.core import cgutils as _cass_cgutils, types as _cass_types
from numba.core.typing import signature as _cass_signature
from numba.hip.extending import intrinsic as _cass_intrinsic


def _cass_address(context, builder, array, index, values):
    """The address of an element; the array may have any layout and number of dimensions."""
    is_tuple = isinstance(index, _cass_types.BaseTuple)
    kinds = list(index) if is_tuple else [index]
    places = _cass_cgutils.unpack_tuple(builder, values[1], len(kinds)) if is_tuple else [values[1]]
    places = [context.cast(builder, it, kind, _cass_types.intp) for it, kind in zip(places, kinds)]
    view = context.make_array(array)(context, builder, values[0])
    return _cass_cgutils.get_item_pointer(context, builder, array, view, places, wraparound=True)


def _cass_changed(name, builder, kind, old, value):
    """What an operation makes of an element. Like numba.cuda, max and min leave NaN, nanmax and nanmin take its place."""
    one, zero = _cass_ir.Constant(old.type, 1), _cass_ir.Constant(old.type, 0)
    if name == "inc":
        return builder.select(builder.icmp_unsigned(">=", old, value), zero, builder.add(old, one))
    if name == "dec":
        restarts = builder.or_(builder.icmp_unsigned("==", old, zero), builder.icmp_unsigned(">", old, value))
        return builder.select(restarts, value, builder.sub(old, one))
    sign = "<" if name.endswith("max") else ">"
    if not isinstance(kind, _cass_types.Float):
        compare = builder.icmp_signed if kind.signed else builder.icmp_unsigned
        return builder.select(compare(sign, old, value), value, old)
    takes = builder.fcmp_ordered(sign, old, value)
    if name.startswith("nan"):
        is_number = builder.fcmp_ordered("ord", value, value)
        takes = builder.and_(builder.fcmp_unordered(sign, old, value), is_number)
    return builder.select(takes, value, old)


def _cass_retried(builder, address, change):
    """Stores what `change` makes of an element, again while others come between; returns what was there."""
    kind = address.type.pointee
    bits = _cass_ir.IntType(64 if str(kind) in ("double", "i64") else 32)
    cell = builder.bitcast(address, bits.as_pointer())
    first, entry = builder.load(cell), builder.basic_block
    again, done = builder.append_basic_block("again"), builder.append_basic_block("done")
    builder.branch(again)
    builder.position_at_end(again)
    old = builder.phi(bits)
    old.add_incoming(first, entry)
    new = builder.bitcast(change(builder.bitcast(old, kind)), bits)
    pair = builder.cmpxchg(cell, old, new, "monotonic", "monotonic")
    old.add_incoming(builder.extract_value(pair, 0), builder.basic_block)
    builder.cbranch(builder.extract_value(pair, 1), done, again)
    builder.position_at_end(done)
    return builder.bitcast(old, kind)


def _cass_operate(name, builder, kind, address, value):
    """One operation on an element; returns what was there."""
    is_float = isinstance(kind, _cass_types.Float)
    if name in ("add", "sub"):
        return builder.atomic_rmw("f" + name if is_float else name, address, value, "monotonic")
    if name in ("and_", "or_", "xor"):
        return builder.atomic_rmw(name.rstrip("_"), address, value, "monotonic")
    if name == "exch":
        return _cass_retried(builder, address, lambda old: value)
    return _cass_retried(builder, address, lambda old: _cass_changed(name, builder, kind, old, value))


def _cass_atomic(name):
    def atomic(typing, array, index, value):
        def generate(context, builder, signature, values):
            address = _cass_address(context, builder, array, index, values)
            return _cass_operate(name, builder, array.dtype, address, values[2])

        return _cass_signature(array.dtype, array, index, array.dtype), generate

    atomic.__name__ = atomic.__qualname__ = "cass_atomic_" + name
    return _cass_intrinsic(atomic)


def _cass_exchange(context, builder, array, index, values, old, new):
    address = _cass_address(context, builder, array, index, values)
    return builder.extract_value(builder.cmpxchg(address, old, new, "monotonic", "monotonic"), 0)


@_cass_intrinsic
def cass_atomic_cas(typing, array, index, old, value):
    def generate(context, builder, signature, values):
        return _cass_exchange(context, builder, array, index, values, values[2], values[3])

    return _cass_signature(array.dtype, array, index, array.dtype, array.dtype), generate


@_cass_intrinsic
def cass_atomic_compare_and_swap(typing, array, old, value):
    def generate(context, builder, signature, values):
        first = _cass_ir.Constant(_cass_ir.IntType(64), 0)
        place = [values[0], first]
        return _cass_exchange(context, builder, array, _cass_types.intp, place, values[1], values[2])

    return _cass_signature(array.dtype, array, array.dtype, array.dtype), generate


cass_atomic_add = _cass_atomic("add")
cass_atomic_sub = _cass_atomic("sub")
cass_atomic_and_ = _cass_atomic("and_")
cass_atomic_or_ = _cass_atomic("or_")
cass_atomic_xor = _cass_atomic("xor")
cass_atomic_inc = _cass_atomic("inc")
cass_atomic_dec = _cass_atomic("dec")
cass_atomic_exch = _cass_atomic("exch")
cass_atomic_max = _cass_atomic("max")
cass_atomic_min = _cass_atomic("min")
cass_atomic_nanmax = _cass_atomic("nanmax")
cass_atomic_nanmin = _cass_atomic("nanmin")
