#!/usr/bin/env python3
"""libdevice.py: holds `libdevice` in mappings/triton.toml against the stock wheel: what NVIDIA's has and AMD's lacks, nothing else, and what
takes a place is there on both sides. Needs the Python of CASS_TRITON."""
import pathlib, re, sys, tomllib
import triton

extra = pathlib.Path(triton.__file__).parent / "language/extra"
functions = lambda backend: set(re.findall(r"^def (\w+)", (extra / backend / "libdevice.py").read_text(), re.M))
nvidia, amd = functions("cuda"), functions("hip")
rows = tomllib.loads((pathlib.Path(__file__).parents[2] / "mappings/triton.toml").read_text())["libdevice"]
told = [name for row in rows for name in row["functions"]]
wrong = [f"{name} is not told" for name in nvidia - amd - set(told)]
wrong += [f"{name} is told, and is there" for name in told if name in amd or name not in nvidia]
wrong += [f"{name} is told twice" for name in set(told) if told.count(name) > 1]
wrong += [f"{row['same']} is not on both sides" for row in rows if "same" in row and row["same"] not in nvidia & amd]
print("\n".join(sorted(wrong)) or f"ok: {len(told)} functions of Triton {triton.__version__}")
sys.exit(bool(wrong))
