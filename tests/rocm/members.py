#!/usr/bin/env python3
"""members.py ROCM_DIR: the members of the namespaces that AMD's libraries share with NVIDIA's, as clang 19 completes them behind `::`
with every header of theirs included; the list is src/mapping/members.txt. ROCM_DIR is what setup.sh filled. No GPU is needed."""
import os
import re
import subprocess
import sys
import tempfile
import textwrap

ROCM = os.path.join(os.path.abspath(sys.argv[1]), "usr")
NAMESPACES = {"cooperative_groups": "cooperative_groups", "cub": "hipcub", "thrust": "thrust"}
# What is no header of its own, of NVIDIA's side, or needs a library that ROCm does not bring (TBB).
LEFT_OUT = re.compile(r"/detail/|/system/(?!cpp/|omp/)|/backend/cub/")


def headers():
    yield "hip/hip_runtime.h"
    yield "hip/hip_cooperative_groups.h"
    for root in ("hipcub", "thrust"):
        base = os.path.join(ROCM, "include")
        found = []
        for folder, _, names in os.walk(os.path.join(base, root)):
            paths = (os.path.relpath(os.path.join(folder, name), base) for name in names)
            found += [path for path in paths if path.endswith((".h", ".hpp")) and not LEFT_OUT.search(path)]
        # thrust/mr needs what the others include.
        yield from sorted(found, key=lambda path: (path != "hipcub/hipcub.hpp", "/mr/" in path, path))


def members(namespace, side):
    last = f"int f() {{ return {namespace}::"
    lines = [f"#include <{path}>" for path in headers()] + [last]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "members.hip")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        command = ["clang++-19", "-x", "hip", "-std=c++17", "-w", f"--rocm-path={ROCM}", "--offload-arch=gfx90a", f"--cuda-{side}-only",
                   f"--rocm-device-lib-path={ROCM}/lib/llvm-17/lib/clang/17/amdgcn/bitcode", "-DHIP_ENABLE_WARP_SYNC_BUILTINS",
                   "-fsyntax-only", "-Xclang", f"-code-completion-at={path}:{len(lines)}:{len(last) + 1}",
                   "-Xclang", "-code-completion-patterns", path]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"^COMPLETION: (\w+)", output, re.MULTILINE))


for cuda, hip in NAMESPACES.items():
    found = members(hip, "host") | members(hip, "device")
    assert found, f"clang names no member of {hip}"
    print(f"[{cuda}]")
    print(textwrap.fill(" ".join(sorted(found)), 140))
