# Shared memory whose size the launch gives, which numba.hip lacks.
from llvmlite import ir as _cass_ir
from numba.core import cgutils as _cass_cgutils, types as _cass_types
from numba.core.extending import intrinsic as _cass_extending_intrinsic
from numba.core.typing import signature as _cass_signature
from numba.core.typing.npydecl import parse_dtype as _cass_parse_dtype


@_cass_extending_intrinsic(target="hip", prefer_literal=True)
def cass_dynamic_memory(typing, dtype):
    """`cuda.shared.array(0, dtype)`: all arrays of a kernel that are made so are the same memory."""
    element = _cass_parse_dtype(dtype)
    shared, constant, byte, word = 3, 4, _cass_ir.IntType(8), _cass_ir.IntType(32)

    def generate(context, builder, signature, values):
        kind = context.get_data_type(element)
        itemsize = context.get_constant(_cass_types.intp, context.get_abi_sizeof(kind))
        memory = _cass_cgutils.add_global_variable(
            builder.module, _cass_ir.ArrayType(kind, 0), "cass_dynamic_memory", shared)
        memory.linkage, memory.align = "external", 16
        # The launch's size is a hidden argument, 120 bytes behind those of the kernel (code objects of version 5).
        hidden = _cass_ir.FunctionType(_cass_ir.PointerType(byte, constant), [])
        hidden = _cass_cgutils.get_or_insert_function(builder.module, hidden, "llvm.amdgcn.implicitarg.ptr")
        place = builder.gep(builder.call(hidden, []), [_cass_ir.Constant(word, 120)])
        size = builder.load(builder.bitcast(place, _cass_ir.PointerType(word, constant)))
        size = builder.zext(size, _cass_ir.IntType(64))
        view = context.make_array(signature.return_type)(context, builder)
        start = builder.addrspacecast(memory, byte.as_pointer(), "generic")
        context.populate_array(
            view, data=builder.bitcast(start, view.data.type), shape=[builder.udiv(size, itemsize)],
            strides=[itemsize], itemsize=itemsize, meminfo=None)
        return view._getvalue()

    return _cass_signature(_cass_types.Array(element, 1, "C"), dtype), generate
