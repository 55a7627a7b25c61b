#!/usr/bin/env python3
"""What nvcc accepts and AMD's clang does not, from the headers: every function of CUDA's headers is called on each side that it is for.

    accepts.py BINARY CUDA_INCLUDE ROCM_DIR [--keep FOLDER]

Clang reads CUDA's headers as nvcc would and says which functions they have, for host or device, with which parameters. A file calls
each of them once with variables of these types, and once more without the arguments that have defaults; the tool translates it and
clang compiles it for AMD. A call that does not compile and of which the tool said nothing is printed; exit code 1 if one of them is
not among those that are judged below, or one of those is no longer so. Takes half a minute.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HEADERS = (
    *("cuda_runtime.h", "cuda.h", "cuda_fp16.h", "cuda_bf16.h", "cuComplex.h", "curand.h", "cusparse.h", "cublas_v2.h", "cublasLt.h"),
    *("cufft.h", "cusolverDn.h", "cudnn.h", "nvrtc.h"),
)
# Marked for either side since CUDA had them in kernels, up to 9.
HOST_ONLY = r"cublas"

# Names with the reason why nothing is said.
JUDGED = {
    **dict.fromkeys(
        "any all ballot syncthreads_count syncthreads_and syncthreads_or dmul dadd dsub double2int double2uint double2ll "
        "double2ull ll2double ull2double int2double uint2double float2double".split(),
        "words of CUDA 4 without underscores, in no manual since: a program that has such a word means its own function",
    ),
    **dict.fromkeys(
        "atomicAdd atomicAdd_system".split(),
        "on float2 and float4, for compute capability 9.0 alone",
    ),
    "cudaStreamUpdateCaptureDependencies": "four arguments are CUDA 12's, which fit, or CUDA 13's without flags: nobody can tell",
    **dict.fromkeys(
        "cublasGemmBatchedEx cublasGemmBatchedEx_64".split(),
        "of arrays of pointers to const: programs have arrays of pointers, or of pointers to const with a cast",
    ),
    "cudaGraphExecMemcpyNodeSetParams": "of a pointer to const: programs have the parameters in a variable",
    "cudaCreateChannelDesc": "without template argument it makes a description of nothing",
}


def clang(*words):
    command = ["clang++-19", "-std=c++17", "-w", "-ferror-limit=0", "-fno-color-diagnostics", "-fsyntax-only", *words]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def functions(include, folder):
    """The functions that CUDA's headers declare: name with namespace, parameters, how many have defaults, host, device."""
    path = os.path.join(folder, "headers.cu")
    with open(path, "w") as file:
        file.writelines(f"#include <{header}>\n" for header in HEADERS)
    nvcc = ["-D__NVCC__", "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDA_ARCH_LIST__=900"]
    # Errors of headers that clang reads in its own way are expected; the declarations are there all the same.
    cuda = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-isystem", include]
    tree = json.loads(clang(*cuda, *nvcc, "-Xclang", "-ast-dump=json", path).stdout)
    found = []

    def visit(node, spaces):
        if node.get("kind") in ("TranslationUnitDecl", "LinkageSpecDecl", "NamespaceDecl"):
            inner = spaces + [node["name"]] if node["kind"] == "NamespaceDecl" and "name" in node else spaces
            for child in node.get("inner", []):
                visit(child, inner)
        elif node.get("kind") == "FunctionDecl" and spaces in ([], ["std"]):
            kinds = {child["kind"] for child in node.get("inner", [])}
            parameters = [child for child in node.get("inner", []) if child["kind"] == "ParmVarDecl"]
            types = [parameter["type"]["qualType"] for parameter in parameters]
            defaults = sum("init" in parameter for parameter in parameters)
            is_device = "CUDADeviceAttr" in kinds and not re.match(HOST_ONLY, node["name"])
            is_host = "CUDAHostAttr" in kinds or not is_device
            internal = r"operator|_" if spaces else r"operator|_[A-Z]|__(nv|internal|cuda|builtin)"
            is_public = not re.match(internal, node["name"])
            is_c = any("va_list" in ty for ty in types)
            if is_public and not is_c and "..." not in node["type"]["qualType"] and "CUDAGlobalAttr" not in kinds:
                found.append(("::".join(spaces + [node["name"]]), types, defaults, is_host, is_device))

    visit(tree, [])
    return found


def probes(functions):
    """One call for each name, side and list of types."""
    calls = {}
    for name, types, defaults, is_host, is_device in functions:
        for count in {len(types), len(types) - defaults}:
            sides = (("__host__", is_host), ("__device__", is_device))
            calls.update({(name, side, tuple(types[:count])): None for side, is_there in sides if is_there})
    return list(calls)


def text_of(number, probe):
    name, side, types = probe
    declare = lambda at, ty: f"same<{ty}> a{at}" if re.search(r"[(\[]", ty) else f"{ty} a{at}"
    parameters = ", ".join(declare(at, ty) for at, ty in enumerate(types))
    arguments = ", ".join(f"a{at}" for at in range(len(types)))
    return f"{side} void probe_{number}({parameters}) {{ {name}({arguments}); }}\n"


def number_in(line):
    found = re.search(r" probe_(\d+)\(", line)
    return found and int(found.group(1))


def said(report, source):
    """The probes of which the tool said something."""
    lines = open(source).read().split("\n")
    findings = [finding for file in json.load(open(report))["files"] for finding in file["findings"]]
    loud = [finding for finding in findings if finding["severity"] in ("error", "warning")]
    return {number_in(lines[finding["line"] - 1]) for finding in loud}


def failed(path, rocm):
    """The probes that do not compile for AMD, and why."""
    usr = os.path.join(rocm, "usr")
    library = os.path.join(usr, "lib/llvm-17/lib/clang/17/amdgcn/bitcode")
    hip = ["-x", "hip", f"--rocm-path={usr}", f"--rocm-device-lib-path={library}", "--offload-arch=gfx90a"]
    lines, why = open(path).read().split("\n"), {}
    for side in ("--cuda-host-only", "--cuda-device-only"):
        for error in re.finditer(rf"^{re.escape(path)}:(\d+):\d+: error: (.*)$", clang(*hip, side, path).stderr, re.M):
            why.setdefault(number_in(lines[int(error.group(1)) - 1]), error.group(2))
    return why


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("cuda_include")
    parser.add_argument("rocm")
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        source, out = os.path.join(folder, "src"), os.path.join(folder, "out")
        os.makedirs(source, exist_ok=True)
        calls = probes(functions(arguments.cuda_include, folder))
        path = os.path.join(source, "probe.cu")
        with open(path, "w") as file:
            file.writelines(f"#include <{header}>\n" for header in HEADERS)
            file.write("template <class T> using same = T;\n")
            file.writelines(text_of(number, probe) for number, probe in enumerate(calls))
        done = subprocess.run([arguments.binary, source, out, "--quiet", "--force", "--isolated"])
        if done.returncode > 1:
            sys.exit("the translation failed")
        why = failed(os.path.join(out, "probe.cu"), arguments.rocm)
        told = said(os.path.join(out, "cass-report.json"), path)
    silent = [number for number in why if number not in told]
    sides = collections.Counter(side for _, side, _ in calls)
    print(
        f"{len(calls)} calls of {len({name for name, _, _ in calls})} functions ({dict(sides)}): {len(why)} do not compile for AMD, "
        f"{len(why) - len(silent)} of them with a finding"
    )
    if len(calls) < 3000:
        sys.exit("CUDA's headers were not read")
    left = set(JUDGED)
    unknown = 0
    for number in sorted(silent, key=lambda number: number or 0):
        name, side, types = calls[number] if number is not None else ("?", "?", ())
        left.discard(name)
        unknown += name not in JUDGED
        print(f"{'judged' if name in JUDGED else 'SILENT'}: {side} {name}({', '.join(types)}): {why[number]}")
    for name in sorted(left):
        print(f"STALE: {name} compiles or is told by now")
    sys.exit(1 if unknown or left else 0)


if __name__ == "__main__":
    main()
