#!/usr/bin/env python3
"""Measures every device function that the tables convert: what CUDA computes at its edges, and what the translation computes.

  surface.py program OUT.cu                             writes the CUDA program that calls them all
  surface.py gold OUTPUT                                keeps what the program printed on an NVIDIA card (surface.gold.xz)
  surface.py host --include DIR                         keeps what NVIDIA's headers compute on the host for conversions to types of 8 bits and fewer
  surface.py measure --cass BIN --emulator DIR [--write] translates and builds the program, runs it at 64 and 32 lanes, prints the verdicts
  surface.py compare OUTPUT                             prints each result of an output that differs from the gold

surface.tsv has the functions: name, result, arguments, and the body of the call where it is not `return name(a, b, c);`. Each is called
with 64 tuples of values: the edges of each type and of their pairs, and random ones with a fixed seed. `measure` fails where a verdict
differs from that of mappings/measured.toml, a function of surface.tsv has none, or one that the tables convert stands neither there nor in
surface_elsewhere.tsv; --write writes them there. With --strict the
translation is that of --strict-math, and mappings/measured_strict.toml has the verdicts that it changes.

To record: nvcc -std=c++17 -arch=sm_90 surface.cu -o surface && ./surface > output && surface.py gold output
"""
import argparse, fnmatch, itertools, json, lzma, math, os, random, re, struct, subprocess, sys, tempfile, tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOLD = HERE / "surface.gold.xz"
MEASURED = ROOT / "mappings/measured.toml"
ELSEWHERE = HERE / "surface_elsewhere.tsv"
STRICT = ROOT / "mappings/measured_strict.toml"
TUPLES = 64
CHIPS = {"gfx90a": 64, "gfx1030": 32}
# A difference of this many units in the last place is what the manuals of both sides promise for their functions.
CLOSE = {"f32": 16, "f64": 16, "f16": 2, "bf16": 2, "f16x2": 2, "bf16x2": 2, "f32x2": 16}

# Short name: the type in CUDA, bits, kind.
TYPES = {
    "i8": ("signed char", 8, "int"), "u8": ("unsigned char", 8, "unsigned"),
    "i16": ("short", 16, "int"), "u16": ("unsigned short", 16, "unsigned"),
    "i32": ("int", 32, "int"), "u32": ("unsigned", 32, "unsigned"),
    "i64": ("long long", 64, "int"), "u64": ("unsigned long long", 64, "unsigned"),
    "f16": ("__half", 16, "float"), "bf16": ("__nv_bfloat16", 16, "float"), "f32": ("float", 32, "float"), "f64": ("double", 64, "float"),
    "f16x2": ("__half2", 32, "pair"), "bf16x2": ("__nv_bfloat162", 32, "pair"), "f32x2": ("float2", 64, "pair"),
    "bool": ("bool", 8, "unsigned"),
    # Numbers of a size that types of 8 bits and fewer hold, four such numbers or pairs of them in a word, and the halves made of them.
    "s16": ("__half", 16, "float"), "sb16": ("__nv_bfloat16", 16, "float"), "s32": ("float", 32, "float"), "s64": ("double", 64, "float"),
    "s16x2": ("__half2", 32, "pair"), "sb16x2": ("__nv_bfloat162", 32, "pair"), "s32x2": ("float2", 64, "pair"),
    "e4m3x4": ("unsigned", 32, "bytes"), "e5m2x4": ("unsigned", 32, "bytes"), "e2m3x4": ("unsigned", 32, "bytes"),
    "e3m2x4": ("unsigned", 32, "bytes"), "e2m1x4": ("unsigned", 32, "bytes"),
    "u8x4": ("unsigned", 32, "unsigned"), "u16x4": ("unsigned long long", 64, "unsigned"), "f16x4": ("unsigned long long", 64, "pair"),
}
PART = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32", "s16x2": "s16", "sb16x2": "sb16", "s32x2": "s32", "f16x4": "f16"}
# What a number of such a size is otherwise.
PLAIN = {"s16": "f16", "sb16": "bf16", "s32": "f32", "s64": "f64"}
# Conversions that NVIDIA's headers have code of C++ for.
ON_THE_HOST = "__nv_cvt_"
# Around each limit, step and tie of E4M3, E5M2, E2M3, E3M2 and E2M1.
SMALL = [0.0, -0.0, 1.0, -1.5, math.nan, math.inf, -math.inf, 448.0, -448.0, 464.0, 465.0, 480.0, -479.0, 57344.0, 61440.0, -61440.0, 61500.0,
         65504.0, 2.0**-9, 2.0**-10, 2.0**-10 * 1.01, 3 * 2.0**-10, -(2.0**-6), 2.0**-7 * 1.9, 2.0**-16, 2.0**-17, 2.0**-17 * 1.01, 3 * 2.0**-17,
         -(2.0**-14), 2.0**-24, 17.0, 19.0, -17.01, 9.0, 11.0, 6.0, 5.0, 7.0, 3.5, 2.5, 1.75, 1.25, 0.75, 0.25, 0.2501, -0.2499, 7.5, 7.75, 7.25,
         28.0, 30.0, 26.0, 0.0625, 0.03125, 0.1875, -0.09375, 1e-30, 1e30, -1e5, 240.0, 248.0, 0.4375, 3.3, -5.7]
INF = math.inf
FLOATS = [0.0, 1.0, -1.5, math.nan, INF, 300.7, 1e-40, 2.5, -0.0, -INF, 0.5, -1.0, -0.5, 1.5, -2.5, 3.5, 1e-8, -1e-40, 2.0**-126, 3.4028235e38,
          -3e9, 3e9, 1e30, 0.1, -100.0, 65504.0, 65520.0, 16777217.0, 1.7e38, 1e5, 127.5, -128.5, 255.5, 32767.5, -32768.5, 2147483520.0,
          4294967040.0, 9.223372e18, 1.8446743e19, -7.0]
DOUBLES = FLOATS[:18] + [2.0**-1022, 1.7976931348623157e308, -3e9, 3e9, 1e300, 0.1, -100.0, 65504.0, 2147483647.5, 4294967295.5, 16777217.0, 1e22,
                         1e-310, 9.223372036854776e18, 1.8446744073709552e19, -2147483648.5, 127.5, 255.5, -7.0, 3.0, 1e5, -1e19]
INTEGERS = [0, 1, -1, 31, 32, 2, -2147483648, 2147483647, 33, 63, 64, 7, -7, 127, 128, 255, 256, -128, 65535, 32768, 0x12345678, 0x80ff7f01,
            0x00ff00ff, 0xaaaaaaaa, 24, 16, 8, 5, 3, 0x7fffff81, 16777217, 100]
LONGS = INTEGERS[:20] + [1 << 63, (1 << 63) - 1, (1 << 64) - 1, 1 << 32, (1 << 32) - 1, 0x123456789abcdef0, (1 << 53) + 1, (1 << 24) + 1, 1 << 52, 5, 3, 100]


def single(value):
    """The bits of a float nearest to a number."""
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7f800000 if value > 0 else 0xff800000


def bits_of(kind, value):
    kind = PLAIN.get(kind, kind)
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "f32":
        return single(value)
    if kind == "bf16":
        return 0x7fc0 if math.isnan(value) else (single(value) + 0x7fff + (single(value) >> 16 & 1)) >> 16 & 0xffff
    if math.isnan(value):
        return 0x7e00
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        return 0x7c00 if value > 0 else 0xfc00


def number_of(kind, bits):
    """The number that bits stand for."""
    width, family = TYPES[kind][1:]
    kind = PLAIN.get(kind, kind)
    if family in ("unsigned", "bytes"):
        return bits
    if family == "int":
        return bits - (1 << width) if bits >> (width - 1) else bits
    if kind == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    form = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "f64": ("<Q", "<d")}[kind]
    return struct.unpack(form[1], struct.pack(form[0], bits))[0]


def edges(kind):
    if kind in PART:
        part = edges(PART[kind])
        width = TYPES[PART[kind]][1]
        return [a | part[(i * 7 + 3) % len(part)] << width for i, a in enumerate(part)]
    width, family = TYPES[kind][1:]
    if kind in PLAIN:
        return list(dict.fromkeys(bits_of(kind, value) for value in SMALL))
    if family == "float":
        return list(dict.fromkeys(bits_of(kind, value) for value in (DOUBLES if kind == "f64" else FLOATS)))
    return list(dict.fromkeys(value & ((1 << width) - 1) for value in (LONGS if width == 64 else INTEGERS)))


def drawn(kind, random_):
    """A random value: of floats half are near one, the others of any size."""
    if kind in PART:
        return drawn(PART[kind], random_) | drawn(PART[kind], random_) << TYPES[PART[kind]][1]
    width, family = TYPES[kind][1:]
    if family != "float":
        return random_.getrandbits(width) >> random_.choice([0, 0, width // 2, width - 5])
    sign = random_.choice([-1, 1])
    if random_.random() < 0.6:
        return bits_of(kind, sign * random_.random() * 4)
    return bits_of(kind, sign * 2.0 ** random_.uniform(-12, 14))


def inputs(arguments):
    """The tuples of values for functions of some argument types."""
    random_ = random.Random(" ".join(arguments))
    if TYPES[arguments[0]][2] == "bytes":
        return [(0x03020100 + 0x04040404 * t,) for t in range(TUPLES)]
    lists = [edges(kind) for kind in arguments]
    core = {1: 44, 2: 6, 3: 3, 4: 2}[len(arguments)]
    tuples = list(itertools.product(*(values[:core] for values in lists)))
    while len(tuples) < TUPLES:
        take = random_.random() < 0.35
        tuples.append(tuple(random_.choice(values) if take else drawn(kind, random_) for kind, values in zip(arguments, lists)))
    tuples = tuples[:TUPLES]
    if len(arguments) == 2 and all(PART.get(kind, kind) in ("f16", "bf16", "f32", "f64") for kind in arguments):
        # Which of two zeros a function takes.
        tuples[-2:] = [tuple(zero(kind, is_negative == at) for at, kind in enumerate(arguments)) for is_negative in (0, 1)]
    return tuples


def zero(kind, is_negative):
    """The bits of a zero, in both halves of a pair."""
    one = bits_of(PART.get(kind, kind), -0.0 if is_negative else 0.0)
    return one | one << TYPES[PART[kind]][1] if kind in PART else one


class Probe:
    def __init__(self, line):
        name, result, arguments, *body = line.split("\t")
        self.name, self.result, self.arguments = name, result, arguments.split()
        letters = ", ".join("abcd"[: len(self.arguments)])
        self.body = body[0] if body else f"return {name}({letters});"
        self.key = f"{name}({', '.join(self.arguments)})"


def probes():
    lines = (HERE / "surface.tsv").read_text().splitlines()
    return [Probe(line) for line in lines if line and not line.startswith("#")]


HALF_WORDS = """template <typename T> __host__ __device__ word words(T low, T high) { unsigned a, b; memcpy(&a, &low, 4); memcpy(&b, &high, 4); return a | (word)b << 32; }
"""
HEAD = """// Calls of device functions with values at their edges, written by emulator/tools/surface.py.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;
typedef unsigned long long word;
template <typename T> __device__ T get(word bits) { T value; memcpy(&value, &bits, sizeof value); return value; }
template <typename T> __device__ word put(T value) { word bits = 0; memcpy(&bits, &value, sizeof value); return bits; }
__device__ word slots[64];
"""


def small_headers(some):
    """The includes for conversions to types of 8 bits and fewer, of which old releases have not all."""
    return "".join(f"#include <cuda_{kind}.h>\n" for kind in ("fp8", "fp6", "fp4") if any(kind in probe.name for probe in some))


def program(all_probes):
    parts, calls, groups = [small_headers(all_probes), HEAD, HALF_WORDS], [], {}
    for number, probe in enumerate(all_probes):
        groups.setdefault(tuple(probe.arguments), []).append((number, probe))
    for index, (arguments, members) in enumerate(groups.items()):
        rows = ", ".join("{" + ", ".join(f"{value:#x}ull" for value in row) + "}" for row in inputs(arguments))
        parts.append(f"static const word in_{index}[{TUPLES}][{len(arguments)}] = {{{rows}}};\n")
        for number, probe in members:
            parameters = ", ".join(f"{TYPES[kind][0]} {letter}" for kind, letter in zip(arguments, "abcd"))
            parts.append(f"__device__ {TYPES[probe.result][0]} f_{number}({parameters}, int t)\n{{\n    {probe.body}\n}}\n")
        read = ", ".join(f"get<{TYPES[kind][0]}>(in[t * {len(arguments)} + {at}])" for at, kind in enumerate(arguments))
        for start in range(0, len(members), 12):
            some = members[start:start + 12]
            stores = "".join(f"    out[{number * TUPLES} + t] = put<{TYPES[probe.result][0]}>(f_{number}({read}, t));\n" for number, probe in some)
            kernel = f"k_{index}_{start}"
            parts.append(f"__global__ void {kernel}(const word *in, word *out)\n{{\n    int t = threadIdx.x;\n{stores}}}\n")
            calls.append(f"    cudaMemcpy(in, in_{index}, sizeof in_{index}, cudaMemcpyHostToDevice);\n    {kernel}<<<1, {TUPLES}>>>(in, out);\n")
    names = ",\n".join(f'    "{probe.key}"' for probe in all_probes)
    parts.append(f"static const char *names[] = {{\n{names}\n}};\n")
    parts.append(f"""int main()
{{
    const int count = sizeof names / sizeof *names;
    word *in, *out, *host = new word[count * {TUPLES}];
    cudaMalloc(&in, {TUPLES} * 4 * sizeof(word));
    cudaMalloc(&out, count * {TUPLES} * sizeof(word));
{"".join(calls)}    cudaMemcpy(host, out, count * {TUPLES} * sizeof(word), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess)
        return 1;
    for (int i = 0; i < count; i++) {{
        printf("%s\\t", names[i]);
        for (int t = 0; t < {TUPLES}; t++)
            printf("%llx%c", host[i * {TUPLES} + t], t == {TUPLES - 1} ? '\\n' : ' ');
    }}
    return 0;
}}
""")
    return "".join(parts)


def host_program(some):
    """The same calls on the host, as far as NVIDIA's headers have C++ for them."""
    parts = [small_headers(some), HEAD.replace("__device__ ", "").replace("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n", "")
             .replace("namespace cg = cooperative_groups;\n", ""), HALF_WORDS.replace("__host__ __device__ ", "")]
    calls = []
    for number, probe in enumerate(some):
        rows = ", ".join("{" + ", ".join(f"{value:#x}ull" for value in row) + "}" for row in inputs(probe.arguments))
        parameters = ", ".join(f"{TYPES[kind][0]} {letter}" for kind, letter in zip(probe.arguments, "abcd"))
        read = ", ".join(f"get<{TYPES[kind][0]}>(row[{at}])" for at, kind in enumerate(probe.arguments))
        parts.append(f"static const word in_{number}[{TUPLES}][{len(probe.arguments)}] = {{{rows}}};\n")
        parts.append(f"static {TYPES[probe.result][0]} f_{number}({parameters}) {{ {probe.body} }}\n")
        calls.append(f'    printf("{probe.key}\\t");\n    for (auto &row : in_{number})\n        '
                     f'printf("%llx%c", put<{TYPES[probe.result][0]}>(f_{number}({read})), &row == &in_{number}[{TUPLES - 1}] ? \'\\n\' : \' \');\n')
    return "".join(parts) + "int main()\n{\n" + "".join(calls) + "}\n"


def keep_of_host(options):
    """Builds and runs that program, and puts what it prints in place of what the gold has for its functions."""
    some = [probe for probe in probes() if probe.name.startswith(ON_THE_HOST)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "host.cpp"
        source.write_text(host_program(some))
        subprocess.run([options.cxx, "-std=c++17", "-O1", "-w", "-I", options.include, str(source), "-o", str(source.with_suffix(""))], check=True)
        printed = subprocess.run([str(source.with_suffix(""))], capture_output=True, text=True, check=True).stdout
    kept = [line for line in lzma.decompress(GOLD.read_bytes()).decode().splitlines() if not line.startswith(ON_THE_HOST)]
    GOLD.write_bytes(lzma.compress("".join(f"{line}\n" for line in kept + printed.splitlines()).encode(), preset=9))


def read_output(text):
    """Results by probe: numbers of the bits."""
    rows = (line.split("\t") for line in text.splitlines())
    return {key: [int(word, 16) for word in words.split()] for key, words in rows}


def gold():
    return read_output(lzma.decompress(GOLD.read_bytes()).decode())


def parts(kind, bits):
    """A pair's halves, with their type; of anything else itself."""
    if kind not in PART:
        return [(kind, bits)]
    width = TYPES[PART[kind]][1]
    return [(PART[kind], bits >> at & ((1 << width) - 1)) for at in range(0, TYPES[kind][1], width)]


def distance(kind, one, other):
    """How many numbers of the type lie between two; 0 for two NaNs."""
    width, family = TYPES[kind][1:]
    a, b = number_of(kind, one), number_of(kind, other)
    if family != "float":
        return abs(a - b)
    if math.isnan(a) or math.isnan(b):
        return 0 if math.isnan(a) and math.isnan(b) else None
    sign = 1 << (width - 1)
    place = lambda bits: -(bits & (sign - 1)) if bits & sign else bits
    return abs(place(one) - place(other))


def kinds_of(probe, values, wanted, got):
    """The words for what is special about the values of a call that differs; none for ordinary ones."""
    found = set()
    flat = [(kind, bits) for kind, value in zip(probe.arguments, values) for kind, bits in parts(kind, value)]
    floats = [(PLAIN.get(kind, kind), number_of(kind, bits)) for kind, bits in flat if TYPES[kind][2] == "float"]
    results = [number_of(kind, bits) for kind, bits in parts(probe.result, wanted) + parts(probe.result, got)]
    numbers = [value for _, value in floats]
    if "_to_fp8" in probe.name:
        return {"values from 448 to 464 without saturation"} if any(448 < abs(value) <= 464 for value in numbers) else set()
    if any(math.isnan(value) for value in numbers):
        found.add("NaN")
    elif any(math.isinf(value) for value in numbers):
        found.add("infinities")
    elif TYPES[probe.result][2] in ("int", "unsigned") and floats and TYPES[probe.result][1] > 8 or probe.name.startswith("("):
        width, family = TYPES[probe.result][1:]
        low = -(1 << (width - 1)) if family == "int" else 0
        if family in ("int", "unsigned") and any(value <= low - 1 or value >= low + (1 << width) for value in numbers):
            found.add("values out of range")
        elif family == "unsigned" and any(value < 0 for value in numbers):
            found.add("negative values")
    least = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
    small = [abs(value) < least[kind] and value for kind, value in floats]
    if not found and any(small):
        found.add("denormals")
    result_kind = PART.get(probe.result, probe.result)
    if not found and result_kind in least and any(not math.isnan(value) and value and abs(value) < least[result_kind] for value in results):
        found.add("denormal results")
    if not found and result_kind in least and any(math.isinf(value) for value in results):
        found.add("overflow")
    if not found and result_kind in least and all(value == 0 for value in results):
        found.add("the sign of zero")
    if not found and any(abs(value) >= 1e5 for value in numbers):
        found.add("large values")
    if not found and probe.name in ("__sinf", "__cosf", "__tanf", "__sincosf") and any(abs(value) > math.pi for value in numbers):
        found.add("values beyond pi, where CUDA's is approximate")
    if not found and probe.name == "__sad" and abs(number_of("i32", values[0]) - number_of("i32", values[1])) >= 1 << 31:
        found.add("differences of 2^31 and more")
    if not found and probe.name in ("<<", ">>"):
        amount = number_of(probe.arguments[1], values[1])
        found |= {"amounts at or above the width"} if not 0 <= amount < TYPES[probe.result][1] else set()
    if not found and probe.name in ("/", "%") and not numbers and values[1] == 0:
        found.add("division by zero")
    return found


def same_e5m2(probe, bits):
    """A result whose upper half are numbers of E5M2, with one pattern for its NaNs."""
    if "_to_fp8" not in probe.name:
        return bits
    half = TYPES[probe.result][1] // 2
    for at in range(half, 2 * half, 8):
        if bits >> at & 0x7f > 0x7c:
            bits |= 0x7f << at
    return bits


def verdict(probe, wanted, got):
    """`bit-equal`, `within N ulp`, or what differs; None for a function without result."""
    furthest, special, ordinary = 0, set(), 0
    for values, one, other in zip(inputs(probe.arguments), wanted, got):
        if one == other or same_e5m2(probe, one) == same_e5m2(probe, other):
            continue
        steps = [distance(kind, a, b) for (kind, a), (_, b) in zip(parts(probe.result, one), parts(probe.result, other))]
        if all(step == 0 for step in steps):
            if not all(a == b or math.isnan(number_of(kind, a)) for (kind, a), (_, b) in zip(parts(probe.result, one), parts(probe.result, other))):
                special.add("the sign of zero")
            continue
        worst = max((math.inf if step is None else step) for step in steps)
        if worst <= CLOSE.get(probe.result, 0):
            furthest = max(furthest, worst)
            continue
        found = kinds_of(probe, values, one, other)
        special |= found
        ordinary += not found
    if ordinary:
        return f"differs for {ordinary} of {TUPLES} values" + (", also " + ", ".join(sorted(special)) if special else "")
    if special:
        return "differs for " + ", ".join(sorted(special))
    return f"within {furthest} ulp" if furthest else "bit-equal"


def translated(options, folder, some):
    """Translates a program of some probes; the numbers of those that the tool says it cannot convert."""
    source = folder / "in"
    source.mkdir(exist_ok=True)
    text = program(some)
    (source / "surface.cu").write_text(text)
    words = [options.cass, "check", str(source), "--output-format", "json-lines"] + options.with_
    told = subprocess.run(words, capture_output=True, text=True).stdout
    lines, refused = text.split("\n"), {}
    for line in told.splitlines():
        item = json.loads(line)
        if item.get("severity") != "error" or "line" not in item:
            continue
        at = item["line"] - 1
        while at > 0 and not re.search(r"\bf_(\d+)\(", lines[at]):
            at -= 1
        name = re.search(r"\bf_(\d+)\(", lines[at])
        if name:
            refused[int(name[1])] = item.get("code", "")
    return refused


def measure(options):
    folder = Path(options.folder or tempfile.mkdtemp())
    folder.mkdir(exist_ok=True, parents=True)
    all_probes = probes()
    refused = translated(options, folder, all_probes)
    rest = [probe for number, probe in enumerate(all_probes) if number not in refused]
    verdicts = {probe.key: f"not converted: {refused[number]} says so" for number, probe in enumerate(all_probes) if number in refused}
    translated(options, folder, rest)
    subprocess.run([options.cass, str(folder / "in"), str(folder / "out"), "--force"] + options.with_, capture_output=True)
    hipcc = [str(Path(options.emulator) / "bin/hipcc"), "-std=c++17", "-O2", "surface.cu", "-o", "surface"]
    subprocess.run(hipcc, cwd=folder / "out", env=os.environ | {"HIP_EMULATOR_ARCHS": " ".join(CHIPS)}, check=True)
    wanted = gold()
    found = {}
    for chip in CHIPS:
        environment = os.environ | {"HIP_EMULATOR_ARCH": chip, "LD_LIBRARY_PATH": f"{options.emulator}/lib"}
        ran = subprocess.run([str(folder / "out/surface")], env=environment, capture_output=True, text=True, check=True)
        (folder / f"{chip}.txt").write_text(ran.stdout)
        found[chip] = read_output(ran.stdout)
    for probe in rest:
        each = [verdict(probe, wanted[probe.key], found[chip][probe.key]) for chip in CHIPS]
        verdicts[probe.key] = each[0] if each[0] == each[1] else "; ".join(f"{CHIPS[chip]} lanes: {one}" for chip, one in zip(CHIPS, each))
    return verdicts


def by_function(verdicts):
    """One verdict for each name: the same for all overloads, or each with its arguments."""
    names = {}
    for probe in probes():
        names.setdefault(probe.name, {})[probe.key] = verdicts[probe.key]
    together = {}
    for name, each in names.items():
        different = dict.fromkeys(each.values())
        if len(different) == 1:
            together[name] = next(iter(different))
        else:
            by_verdict = {}
            for key, one in each.items():
                by_verdict.setdefault(one, []).append(key[len(name):])
            together[name] = "; ".join(f"{' '.join(keys)} {one}" for one, keys in by_verdict.items())
    return together


def rank(text):
    for word in ("not converted", "values", "differs", "within"):
        if word in text:
            return word
    return "bit-equal"


def print_table(verdicts):
    counts = {}
    for text in verdicts.values():
        name = "differs for special values" if "differs" in text and " of 64 " not in text else "differs" if "differs" in text else rank(text)
        counts[name] = counts.get(name, 0) + 1
    for name, text in verdicts.items():
        print(f"{name:34} {text}")
    print(f"{len(verdicts)} functions and operators: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    elsewhere, missing = not_called(verdicts)
    for where, names in elsewhere.items():
        print(f"{len(names)} " + (where if where.startswith(("no counterpart", "not measured")) else f"held elsewhere: {where}"))
    print(f"{sum(len(names) for where, names in elsewhere.items() if where.startswith('not measured')) + len(missing)} not measured")
    print(f"{len(missing)} without a word" + "".join(f" {name}" for name in missing))
    return missing


def not_called(verdicts):
    """The device functions that the tables convert and no probe calls: by what holds them, and those that nothing does."""
    kept = [line.split("\t") for line in ELSEWHERE.read_text().splitlines() if line and not line.startswith("#")]
    elsewhere, missing, used = {}, [], set()
    for table in ("device", "fp16", "cooperative_groups", "complex"):
        rows = tomllib.loads((ROOT / f"mappings/{table}.toml").read_text())["functions"]
        for name in (name for name, row in rows.items() if row.get("support") != "unsupported" and name not in verdicts):
            row = next(((pattern, where) for pattern, where in kept if fnmatch.fnmatchcase(name, pattern)), None)
            if row is None:
                missing.append(name)
            else:
                used.add(row[0])
                elsewhere.setdefault(row[1], []).append(name)
    unused = [pattern for pattern, _ in kept if pattern not in used]
    if unused:
        sys.exit(f"{ELSEWHERE.name} names no function by {unused[0]}")
    return elsewhere, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("program").add_argument("out", type=Path)
    for name in ("gold", "compare"):
        commands.add_parser(name).add_argument("output", type=Path)
    host = commands.add_parser("host")
    host.add_argument("--include", required=True, help="a folder with CUDA's headers, 13.0 or newer")
    host.add_argument("--cxx", default="g++")
    measured = commands.add_parser("measure")
    measured.add_argument("--cass", required=True)
    measured.add_argument("--emulator", required=True)
    measured.add_argument("--folder")
    measured.add_argument("--write", action="store_true")
    measured.add_argument("--strict", action="store_true")
    measured.add_argument("--with", dest="with_", action="append", default=[], help="an option of the translation")
    options = parser.parse_args()
    if options.command == "program":
        options.out.write_text(program(probes()))
    elif options.command == "gold":
        GOLD.write_bytes(lzma.compress(options.output.read_bytes(), preset=9))
    elif options.command == "host":
        keep_of_host(options)
    elif options.command == "compare":
        wanted, got = gold(), read_output(options.output.read_text())
        for probe in probes():
            for values, one, other in zip(inputs(probe.arguments), wanted[probe.key], got.get(probe.key, [])):
                if one != other and any(distance(k, a, b) != 0 or TYPES[k][2] != "float" for (k, a), (_, b) in zip(parts(probe.result, one), parts(probe.result, other))):
                    shown = ", ".join(f"{number_of(k, b)!r}" for kind, value in zip(probe.arguments, values) for k, b in parts(kind, value))
                    print(f"{probe.key} at {shown}: {one:#x}, here {other:#x}")
    else:
        options.with_ += ["--strict-math"] if options.strict else []
        found = by_function(measure(options))
        if print_table(found):
            sys.exit("what the tables convert has a row in surface.tsv, or one in surface_elsewhere.tsv that says what holds it")
        lines = [f"{json.dumps(name)} = {json.dumps(one)}\n" for name, one in sorted(found.items())]
        table, title = (STRICT, STRICT_HEAD) if options.strict else (MEASURED, MEASURED_HEAD)
        if options.strict:
            usual = set(MEASURED.read_text().splitlines(keepends=True))
            lines = [line for line in lines if line not in usual]
        if options.write:
            table.write_text("".join([f"# {line}\n" for line in title] + lines))
        elif lines != [line for line in table.read_text().splitlines(keepends=True) if not line.startswith("#")]:
            sys.exit(f"the verdicts are not those of {table.relative_to(ROOT)}; look why, and write them with --write")


MEASURED_HEAD = [
    "What the translation of each device function computes on AMD, held against CUDA 13.0 on an NVIDIA H100 (`__nv_cvt_…`: its headers on",
    "the host): at the edges of its types and at random values, at 64 and at 32 lanes, on the emulator. Written by",
    "`emulator/tools/surface.py measure --write`.",
]

STRICT_HEAD = [
    "The same under --strict-math, where it is another verdict than that of measured.toml: written by",
    "`emulator/tools/surface.py measure --strict --write`.",
]

if __name__ == "__main__":
    main()
