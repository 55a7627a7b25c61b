#!/usr/bin/env python3
"""Lists in braces for CUDA's vector types: what CUDA takes, AMD does not, and the tool neither changes nor reports.

    lists.py BINARY CUDA_INCLUDE ROCM_DIR [--sample N] [--seed S] [--keep FOLDER] [--most N]

Every type, with every list of numbers that fits, in every place where a list can stand, each in a line of its own. Clang reads them as
CUDA for host and device and drops those that are no CUDA; the tool translates the rest, and clang compiles the result for gfx90a. Prints
each place with a line that does not compile and of which nothing was said. Exit code 1 if more than `--most` of 1,000 are so.
"""

import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import accepts

BASES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double")
TYPES = [f"{base}{width}" for base in BASES for width in (1, 2, 3, 4)]
NAMES = "xyzw"

# By name: what stands in the line, `T` the type, `L` the list, `N` a number that makes names unique. What is no function has braces.
PLACES = {
    "variable": "T v = L;",
    "variable, direct": "T v L;",
    "constant": "const T v = L;",
    "constant expression": "constexpr T v = L;",
    "static": "static T v = L;",
    "second of two": "T u, v = L;",
    "alias": "using U = T; U v = L;",
    "typedef": "typedef T U; U v = L;",
    "reference": "const T &v = L;",
    "moved reference": "T &&v = L;",
    "assignment": "T v; v = L;",
    "assignment to an element": "T v[2]; v[1] = L;",
    "assignment through a pointer": "T u, *v = &u; *v = L;",
    "temporary": "auto v = T L;",
    "temporary as operand": "auto v = T L.x;",
    "temporary passed": "take_N(T L);",
    "argument": "take_N(L);",
    "second argument": "take_two_N(1, L);",
    "new": "T *v = new T L;",
    "array": "T v[2] = {L, L};",
    "array without size": "T v[] = {L};",
    "array, direct": "T v[2]{L, L};",
    "array of arrays": "T v[1][2] = {{L, L}};",
    "array of arrays without inner braces": "T v[1][2] = {L, L};",
    "array of numbers": "T v[2] = BARE;",
    "static array": "static const T v[2] = {L, L};",
    "returned by a lambda": "auto f = []() -> T { return L; };",
    "loop": "for (T v = L; false;) {}",
    "condition": "if (T v = L; true) {}",
    "structure": "struct S { int n; T t; }; S s = {1, L};",
    "structure, direct": "struct S { int n; T t; }; S s{1, L};",
    "structure by name": "struct S { int n; T t; }; S s = {.n = 1, .t = L};",
    "structure of numbers": "struct S { T t; int n; }; S s = BARE;",
    "structure in a structure": "struct S { T t; }; struct R { S s; int n; }; R r = {{L}, 1};",
    "structure in a structure without braces": "struct S { T t; }; struct R { S s; int n; }; R r = {L, 1};",
    "array of structures": "struct S { int n; T t; }; S s[2] = {{1, L}, {2, L}};",
    "assigned structure": "struct S { int n; T t; }; S s; s = {1, L};",
    "member with a value": "struct S { T t = L; }; S s;",
    "member with a value, direct": "struct S { T t L; }; S s;",
    "member of a constructor": "struct S { T t; __host__ __device__ S() : t L {} }; S s;",
    "argument of a constructor": "struct S { T t; __host__ __device__ S(T u) : t(u) {} }; S s(L);",
    "template of the file": "Box_N<T> b = {L};",
    "pair of types": "Two_N<int, T> b = {1, L};",
    "standard array": "std::array<T, 2> v = {{L, L}};",
    "cast": "auto v = (T)L;",
    "static cast": "auto v = static_cast<T>(T L);",
    "choice": "T v = true ? T L : T L;",
    "macro": "T v = LIST_N;",
}
# What stands outside of functions.
OUTSIDE = {
    "global": "static T v = L;",
    "device variable": "__device__ T v = L;",
    "constant memory": "__constant__ T v = L;",
    "constant memory, array": "__constant__ T v[2] = {L, L};",
    "constant of a namespace": "const T v = L;",
    "returned": "__host__ __device__ T f() { return L; }",
    "returned by auto": "__host__ __device__ auto f() -> T { return L; }",
    "default argument": "__host__ __device__ void f(T v = L) {}",
    "default argument of a type": "__host__ __device__ void f(T v = T L) {}",
    "static member": "struct S { inline static const T t = L; };",
    "returned by a member": "struct S { __host__ __device__ T f() const { return L; } };",
    "returned structure": "struct S { int n; T t; }; __host__ __device__ S f() { return {1, L}; }",
}
# What stands in front of a function that has these words.
NEEDS = {
    "take_N": "__host__ __device__ void take_N(T) {} ",
    "take_two_N": "__host__ __device__ void take_two_N(int, T) {} ",
    "Box_N": "template <class V> struct Box_N { V v; }; ",
    "Two_N": "template <class V, class W> struct Two_N { V v; W w; }; ",
    "LIST_N": "\n#define LIST_N L\n",
}


def lists(width):
    """The lists of numbers for a vector, as a person writes them."""
    for count in range(width + 1):
        yield "{" + ", ".join(str(at + 1) for at in range(count)) + "}"
    yield "{" + ", ".join(f".{NAMES[at]} = {at + 1}" for at in range(width)) + "}"
    yield "{.x = 1}"
    yield "{" + ", ".join("1" for _ in range(width)) + ",}"
    if width > 1:
        yield f"{{.{NAMES[width - 1]} = 1}}"


def line(number, place, ty, text):
    """A list in its place, in a line with `probe_NUMBER(`."""
    values = "{" + ", ".join(re.findall(r"\d", text) * 2) + "}"

    def filled(pattern):
        pattern = re.sub(r"\b([SRUf])\b", r"\1_N", pattern.replace("BARE", values)).replace("_N", f"_{number}")
        return re.sub(r"\bT\b", ty, re.sub(r"\bL\b", lambda _: text, pattern))

    if place in OUTSIDE:
        return f"void probe_{number}(); namespace n_{number} {{ {filled(OUTSIDE[place])} }}\n"
    before = "".join(needed for word, needed in NEEDS.items() if re.search(rf"\b{word}\b", PLACES[place]))
    return filled(f"{before}__host__ __device__ void probe_N() {{ {PLACES[place]} }}\n")


def forms():
    """All places, types and lists."""
    for place, ty in itertools.product([*PLACES, *OUTSIDE], TYPES):
        for text in lists(int(ty[-1])):
            yield place, ty, text


def refused_by_cuda(path, include):
    """The lines that are no CUDA."""
    nvcc = ["-D__NVCC__", "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDA_ARCH_LIST__=900"]
    cuda = ["-x", "cuda", "-nocudainc", "-nocudalib", "-isystem", include, *nvcc]
    return failures(path, [[*cuda, "--cuda-host-only"]])


def failures(path, commands):
    lines, why = open(path).read().split("\n"), {}
    for command in commands:
        for error in re.finditer(rf"^{re.escape(path)}:(\d+):\d+: error: (.*)$", accepts.clang(*command, path).stderr, re.M):
            why.setdefault(accepts.number_in(lines[int(error.group(1)) - 1]), error.group(2))
    return why


def write(path, lines):
    with open(path, "w") as file:
        file.write("#include <array>\n#include <cuda_runtime.h>\n")
        file.writelines(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("cuda_include")
    parser.add_argument("rocm")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--most", type=int, default=0)
    arguments = parser.parse_args()
    probes = list(forms())
    if arguments.sample:
        probes = random.Random(arguments.seed).sample(probes, arguments.sample)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        source, out = os.path.join(folder, "src"), os.path.join(folder, "out")
        os.makedirs(source, exist_ok=True)
        path = os.path.join(source, "lists.cu")
        lines = [line(number, *probe) for number, probe in enumerate(probes)]
        write(path, lines)
        refused = refused_by_cuda(path, arguments.cuda_include)
        write(path, [text for number, text in enumerate(lines) if number not in refused])
        still = refused_by_cuda(path, arguments.cuda_include)
        done = subprocess.run([arguments.binary, source, out, "--quiet", "--force", "--isolated"])
        if done.returncode > 1:
            sys.exit("the translation failed")
        why = accepts.failed(os.path.join(out, "lists.cu"), arguments.rocm)
        told = accepts.said(os.path.join(out, "cass-report.json"), path)
    count = len(probes) - len(refused)
    silent = sorted(number for number in why if number is not None and number not in told)
    print(f"{count} lists that CUDA takes, of {len(probes)}: {len(why)} do not compile for AMD, {len(silent)} of them without a finding")
    if count < len(probes) // 2 or still or None in why:
        sys.exit(f"CUDA's headers were not read, or lines have no number: {still or why.get(None)}")
    places = collections.defaultdict(list)
    for number in silent:
        places[probes[number][0]].append(number)
    for place, numbers in sorted(places.items(), key=lambda it: -len(it[1])):
        _, ty, text = probes[numbers[0]]
        print(f"SILENT {len(numbers)}: {place}: {ty} {text}: {why[numbers[0]]}")
    sys.exit(1 if len(silent) * 1000 > arguments.most * count else 0)


if __name__ == "__main__":
    main()
