#!/usr/bin/env python3
"""examples.py BIN: what the examples for PySpark and Ray Data hand to their engines, without the engines.

Their functions get the same records in uneven parts, with a bad record and one of 100 kB among them, and have to give what one pipe
gives, in its order. run.sh runs the whole examples in local mode. Seconds.
"""
import importlib.util, json, os, pathlib, subprocess, sys, types

HERE = pathlib.Path(__file__).resolve().parent
KERNEL = 'import cupy\nk = cupy.RawKernel(\'extern "C" __global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], %d); }\', "k")\n'


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE.parents[1] / f".github/examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(binary):
    os.environ["CASS"] = binary = os.path.abspath(binary)
    texts = [KERNEL % n if n % 2 else f"x = {n}\n" for n in range(60)] + ["# " + "x" * 100_000 + "\n" + KERNEL % 1]
    lines = [json.dumps({"id": n, "code": text}) for n, text in enumerate(texts)]
    lines[17] = "not a record"
    parts = [lines[:1], lines[1:40], lines[40:]]
    done = subprocess.run([binary, "jsonl", "--field", "code"], input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE, text=True)
    wanted = done.stdout.splitlines()
    changed = sum("__shfl(" in line for line in wanted)
    assert len(wanted) == len(lines) and changed == 30, f"a pipe gives {len(wanted)} records, {changed} of them translated"
    sys.modules.setdefault("pandas", types.SimpleNamespace(DataFrame=dict))
    spark = [line for frame in load("pyspark_jsonl").ported(({"value": part} for part in parts), "code") for line in frame["value"]]
    ray = [line for part in parts for line in load("ray_jsonl").ported({"text": part}, "code")["text"]]
    for name, found in ("PySpark", spark), ("Ray Data", ray):
        assert found == wanted, f"{name}'s function gives other records than the pipe"
    print(f"ok: {len(lines)} records, the same by a pipe and by the functions of both examples")


if __name__ == "__main__":
    main(*sys.argv[1:])
