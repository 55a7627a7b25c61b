#!/usr/bin/env python3
"""emulated.py [--tests] FILE: a program with numba-hip, or the tests in a file, on emulated GPUs of AMD.

AMD's own packages compile the kernels: numba-hip's front end, its device functions in HIP, and the LLVM of the packages. Only the last
step is another one: libamd-comgr, which emits and links elsewhere, is of an older LLVM here than the packages, so that their LLVM emits the
object and lld links it. `hip.sh` makes the Python that runs this; HIP_EMULATOR_ARCH names the chip, HIP_EMULATOR the emulator.
"""
import importlib, os, re, runpy, subprocess, sys, tempfile, threading, types, unittest, warnings

from numba.hip.util import comgrutils, llvmutils
from rocm.bindings.llvm.c import core, target, targetmachine

TRIPLE = b"amdgcn-amd-amdhsa"
MACHINES = {}
# A machine of LLVM serves one thread at a time.
EMITTING = threading.Lock()


def machine_for(chip):
    if chip not in MACHINES:
        target.LLVMInitializeAllAsmPrinters()
        _, amd, _ = targetmachine.LLVMGetTargetFromTriple(TRIPLE)
        MACHINES[chip] = targetmachine.LLVMCreateTargetMachine(
            amd, TRIPLE, chip.encode(), b"", targetmachine.LLVMCodeGenOptLevel.LLVMCodeGenLevelDefault,
            targetmachine.LLVMRelocMode.LLVMRelocPIC, targetmachine.LLVMCodeModel.LLVMCodeModelDefault)
    return MACHINES[chip]


def emitted(bitcode, chip, kind):
    """A module as assembly or as an object."""
    context = core.LLVMContextCreate()
    (module,) = llvmutils._get_module_in_context(context, bitcode, -1)
    if chip.startswith(("gfx11", "gfx12")):
        # Halves of registers are operands of their own in newer LLVM: the emulator knows whole ones.
        for function, _ in llvmutils._iter_functions(module):
            core.LLVMAddTargetDependentFunctionAttr(function, b"target-features", b"-real-true16")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "emitted")
        with EMITTING:
            failed = targetmachine.LLVMTargetMachineEmitToFile(machine_for(chip), module, path.encode(), kind, None)
        if failed[0] if isinstance(failed, tuple) else failed:
            raise RuntimeError(f"LLVM emits nothing for {chip}")
        return open(path, "rb").read()


def chip_of(name):
    return re.sub(r".*--", "", name).split(":")[0]


def compile_bc(bitcode, isa_name, **_):
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, name) for name in ("kernel.o", "kernel.co")]
        with open(parts[0], "wb") as out:
            out.write(emitted(bitcode, chip_of(isa_name), targetmachine.LLVMCodeGenFileType.LLVMObjectFile))
        subprocess.run(["ld.lld-19", "--no-undefined", "-shared", "-o", parts[1], parts[0]], check=True)
        return open(parts[1], "rb").read(), "", ""


def compile_bc_to_hsa(bitcode, isa_name, **_):
    return emitted(bitcode, chip_of(isa_name), targetmachine.LLVMCodeGenFileType.LLVMAssemblyFile), "", ""


def run_tests(path):
    """Runs the tests of a file, which may import those beside it, and says how many passed."""
    folder, name = os.path.split(os.path.abspath(path))
    package = sys.modules["ported"] = types.ModuleType("ported")
    package.__path__ = [folder]
    module = importlib.import_module("ported." + name.removesuffix(".py"))
    done = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromModule(module))
    passed = done.testsRun - len(done.failures) - len(done.errors) - len(done.skipped)
    print(f"emulated.py: {passed} of {done.testsRun - len(done.skipped)} pass, {len(done.skipped)} skipped")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    comgrutils.compile_bc, comgrutils.compile_bc_to_hsa = compile_bc, compile_bc_to_hsa
    if sys.argv[1] == "--tests":
        run_tests(sys.argv[2])
    else:
        sys.argv = sys.argv[1:]
        sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
        runpy.run_path(sys.argv[0], run_name="__main__")
