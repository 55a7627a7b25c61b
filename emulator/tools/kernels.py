#!/usr/bin/env python3
"""Writes whole CUDA kernels that nobody thought of, and holds their translations against what an NVIDIA card computed.

  kernels.py program OUT.cu [--seed N] [--count K]       writes a program of random kernels, one line of output for each
  kernels.py gold OUTPUT [--seed N] [--count K]          keeps what the program printed on an NVIDIA card (kernels.gold)
  kernels.py measure --cass BIN --emulator DIR [...]     translates and builds it, runs it on every chip, names each kernel that differs
  kernels.py measure ... --against OUTPUT --seed N       the same for other kernels than those that are kept

A kernel is deterministic by CUDA's rules: no signed overflow, no shift by the width, no read of what another thread may be writing,
atomics whose order does not show, exchanges whose lanes all take part. Floats are rounded after each operation by intrinsics that the
compiler may not contract. Blocks have one to three directions and sizes that are no multiple of 64, so that a wave of 64 lanes holds
what are two warps, or one and nothing.

To record: nvcc -std=c++17 -arch=sm_90 kernels.cu -o kernels && ./kernels > output && kernels.py gold output
"""
import argparse, os, random, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GOLD = HERE / "kernels.gold"
SEED, COUNT = 1, 100
# Kernels of one source file: what the compiler refuses takes no more than these along.
BATCH = 25
CHIPS = ["gfx90a", "gfx942", "gfx1030", "gfx1100"]

# In C++; hexadecimal bits of a value are what is compared.
TYPES = {"i": "int", "u": "unsigned", "l": "unsigned long long", "f": "float", "d": "double", "h": "__half"}
BLOCKS = ["32", "64", "96", "128", "160", "192", "dim3(8, 4)", "dim3(16, 6)", "dim3(4, 4, 6)", "dim3(12, 8)", "dim3(5, 32)"]
FULL = "0xffffffffu"


class Names:
    """New names, each once in a kernel."""

    def __init__(self):
        self.last = 0

    def new(self, letter):
        self.last += 1
        return f"{letter}{self.last}"


class Kernel:
    """One kernel and the device functions of its own.

    Variables are known by type. `level` says who runs a statement together: "block" (barriers are allowed), "warp" (exchanges of whole
    warps are), or "thread".
    """

    def __init__(self, number, seed):
        self.number, self.random, self.names = number, random.Random(f"{seed} {number}"), Names()
        self.lines, self.depth, self.functions, self.shared = [], 1, [], []
        self.variables = {kind: [] for kind in TYPES}
        self.block = self.random.choice(BLOCKS)
        self.threads = product(self.block)
        self.grid = self.random.choice([1, 2, 3])

    def pick(self, *choices):
        return self.random.choice(choices)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    # Expressions.

    def constant(self, kind):
        if kind in "fd":
            return self.pick("0.5", "1.0", "-1.5", "3.25", "1e-3", "100.0", "-0.0", "65504.0") + ("f" if kind == "f" else "")
        if kind == "h":
            return f"__float2half({self.pick('0.5f', '1.0f', '-1.5f', '3.25f', '100.0f')})"
        value = self.pick(0, 1, 2, 3, 5, 7, 31, 32, 63, 64, 255, 0x7fffffff, self.random.getrandbits(31))
        return {"i": f"{value}", "u": f"{value}u", "l": f"{value * 0x100000001:#x}ull"}[kind]

    def expression(self, kind, depth=2):
        names = self.variables[kind]
        if depth == 0 or self.random.random() < 0.15:
            return self.random.choice(names) if names and self.random.random() < 0.8 else self.constant(kind)
        inner = lambda of=kind: self.expression(of, depth - 1)
        return self.random.choice(FORMS[kind])(self, inner)

    def condition(self, depth=1):
        kind = self.pick("i", "u", "l", "f", "d", "u")
        operator = self.pick("<", ">", "<=", ">=", "==", "!=")
        plain = f"{self.expression(kind, depth)} {operator} {self.expression(kind, depth)}"
        return self.pick(plain, plain, f"({self.expression('u', depth)} & {self.pick(1, 2, 4, 6, 0x11)}u) != 0", f"!({plain})")

    def declare(self, kind, value):
        name = self.names.new(kind)
        self.line(f"{TYPES[kind]} {name} = {value};")
        self.variables[kind].append(name)
        return name

    # Statements.

    def statements(self, level, count, depth):
        before = {kind: list(names) for kind, names in self.variables.items()}
        for _ in range(count):
            choices = [self.assign, self.assign, self.update]
            if level != "thread":
                choices += [self.exchange] * 4 + [self.vote] * 2 + [self.scan, self.tile, self.chosen]
            if level == "block":
                choices += [self.through_shared] * 3 + [self.counted, self.block_sum]
            if depth > 0:
                choices += [lambda: self.branch(level, depth), lambda: self.loop(level, depth), lambda: self.cases(level, depth)]
            choices += [self.function, self.array, self.total, self.members]
            self.random.choice(choices)()
        # What a block made counts, also where nothing outside reads it.
        for kind, names in self.variables.items():
            for name in names[len(before[kind]):]:
                self.line(f"mix(hash, {put(kind, name)});")
        self.variables = before

    def inside(self, head, level, depth, tail="}"):
        self.line(head)
        self.depth += 1
        self.statements(level, self.random.randint(1, 3), depth - 1)
        self.depth -= 1
        self.line(tail)

    def assign(self):
        kind = self.random.choice("iuulffdh")
        self.declare(kind, self.expression(kind, 3))

    def update(self):
        """Changes a variable of the outside, so that branches and loops have effects."""
        kind = self.random.choice([kind for kind in TYPES if self.variables[kind]])
        self.line(f"{self.random.choice(self.variables[kind])} = {self.expression(kind, 2)};")

    def branch(self, level, depth):
        whole_block, whole_warp = self.pick("n > 3", "blockIdx.x == 1", "n & 1"), self.pick("warp & 1", "warp > 0", "warp == 0", "warp != 2")
        if level == "block" and self.random.random() < 0.4:
            condition, inner = whole_block, "block"
        elif level != "thread" and self.random.random() < 0.6:
            condition, inner = whole_warp, "warp"
        else:
            condition, inner = self.condition(), "thread"
        self.inside(f"if ({condition}) {{", inner, depth)
        if self.random.random() < 0.5:
            self.inside("else {", inner, depth)

    def loop(self, level, depth):
        index = self.names.new("k")
        if level == "block" and self.random.random() < 0.5:
            bound, inner = self.pick("n", "3", "blockIdx.x + 2"), "block"
        elif level != "thread" and self.random.random() < 0.6:
            bound, inner = self.pick("warp + 1", "(int)(warp * 3 % 4)", "2"), "warp"
        else:
            bound, inner = f"(int)({self.expression('u', 1)} % {self.pick(3, 5, 7)}u)", "thread"
        kept = self.names.new("b")
        self.line(f"int {kept} = (int)({bound});")
        form = self.pick("for", "for", "while", "do")
        if form != "for":
            self.line(f"int {index} = 0;")
        head = {"for": f"for (int {index} = 0; {index} < {kept}; {index}++) {{", "while": f"while ({index} < {kept}) {{", "do": "do {"}[form]
        self.line(head)
        self.depth += 1
        self.statements(inner, self.random.randint(1, 3), depth - 1)
        if inner == "thread" and self.random.random() < 0.3:
            if form == "for":
                self.line(f"if ({self.condition()}) {self.pick('break', 'continue')};")
            else:
                self.line(f"if ({self.condition()}) break;")
        if self.variables["u"]:
            self.line(f"{self.random.choice(self.variables['u'])} += (unsigned){index};")
        if form != "for":
            self.line(f"{index}++;")
        self.depth -= 1
        self.line(f"}} while ({index} < {kept});" if form == "do" else "}")

    def cases(self, level, depth):
        subject, inner = self.pick(("warp % 3", "warp"), (f"{self.expression('u', 1)} % 4u", "thread"))
        if level == "thread":
            inner = "thread"
            subject = f"{self.expression('u', 1)} % 4u"
        self.line(f"switch ({subject}) {{")
        for label in range(self.random.randint(2, 3)):
            self.inside(f"case {label}: {{", inner, depth)
            if self.random.random() < 0.8:
                self.line("break;")
        self.line("default: break;")
        self.line("}")

    def exchange(self):
        kind = self.random.choice("iuulfd")
        value, width = self.expression(kind, 2), self.pick("", "", ", 32", ", 16", ", 8", ", 4")
        call = self.random.choice([
            lambda: f"__shfl_sync({FULL}, {value}, {self.pick('0', '5', '31', '(int)(lane ^ 3)', '(int)(lane + n)')}{width})",
            lambda: f"__shfl_xor_sync({FULL}, {value}, {self.pick(1, 2, 4, 8, 16, 7)}{width})",
            lambda: f"__shfl_up_sync({FULL}, {value}, {self.pick(1, 2, 3, 16)}{width})",
            lambda: f"__shfl_down_sync({FULL}, {value}, {self.pick(1, 2, 3, 16)}{width})",
        ])()
        self.declare(kind, call)

    def vote(self):
        condition = self.condition()
        call = self.random.choice([
            f"__ballot_sync({FULL}, {condition})",
            f"(unsigned)__popc(__ballot_sync({FULL}, {condition}))",
            f"(unsigned)__popc(__ballot_sync({FULL}, {condition}) & ((1u << lane) - 1u))",
            f"(unsigned)__any_sync({FULL}, {condition})",
            f"(unsigned)__all_sync({FULL}, {condition})",
            f"(unsigned)__ffs(__ballot_sync({FULL}, {condition}))",
            f"__match_any_sync({FULL}, {self.expression('u', 1)} % 5u)",
            f"__reduce_add_sync({FULL}, {self.expression('u', 1)})",
            f"__reduce_{self.pick('and', 'or', 'xor', 'min', 'max')}_sync({FULL}, {self.expression('u', 1)})",
        ])
        self.declare("u", call)

    def scan(self):
        """A sum or a prefix sum over a warp, written as everybody writes it."""
        kind = self.random.choice("iulfd")
        kind = "u" if kind == "i" else kind
        name = self.declare(kind, self.expression(kind, 1))
        step = self.names.new("s")
        add = lambda a, b: {"f": f"__fadd_rn({a}, {b})", "d": f"__dadd_rn({a}, {b})"}.get(kind, f"{a} + {b}")
        form = self.random.randrange(3)
        if form == 0:
            self.line(f"for (int {step} = 16; {step} > 0; {step} /= 2) {name} = {add(name, f'__shfl_down_sync({FULL}, {name}, {step})')};")
            self.line(f"{name} = __shfl_sync({FULL}, {name}, 0);")
        elif form == 1:
            self.line(f"for (int {step} = 1; {step} < 32; {step} <<= 1) {name} = {add(name, f'__shfl_xor_sync({FULL}, {name}, {step})')};")
        else:
            got = self.names.new("t")
            self.line(f"for (int {step} = 1; {step} < 32; {step} *= 2) {{")
            self.line(f"    {TYPES[kind]} {got} = __shfl_up_sync({FULL}, {name}, {step});")
            self.line(f"    if (lane >= {step}) {name} = {add(name, got)};")
            self.line("}")

    def chosen(self):
        """Lanes that a vote chose exchange values among themselves."""
        mask, result = self.names.new("m"), self.declare("u", self.expression("u", 1))
        pick = self.names.new("c")
        self.line(f"bool {pick} = {self.condition()};")
        self.line(f"unsigned {mask} = __ballot_sync({FULL}, {pick});")
        self.line(f"if ({pick}) {result} = __shfl_sync({mask}, {result}, __ffs({mask}) - 1) + (unsigned)__popc({mask});")

    def tile(self):
        size, name = self.pick(4, 8, 16, 32), self.names.new("g")
        self.line(f"auto {name} = cg::tiled_partition<{size}>(cg::this_thread_block());")
        kind = self.random.choice("ulf")
        value = self.expression(kind, 1)
        add = "cg::plus<" + TYPES[kind] + ">()" if kind != "f" else "cg::greater<float>()"
        self.declare(*self.random.choice([
            (kind, f"{name}.shfl({value}, {self.pick(0, 1, 3)})"),
            (kind, f"{name}.shfl_xor({value}, {self.pick(1, 2)})"),
            (kind, f"{name}.shfl_down({value}, {self.pick(1, 2)})"),
            ("u", f"{name}.ballot({self.condition()})"),
            ("u", f"(unsigned){name}.any({self.condition()})"),
            ("u", f"{name}.thread_rank() + 100u * {name}.meta_group_rank()"),
            (kind if kind != "f" else "u", f"cg::reduce({name}, {value if kind != 'f' else self.expression('u', 1)}, {add if kind != 'f' else 'cg::greater<unsigned>()'})"),
        ]))
        self.line(f"{name}.sync();")

    def through_shared(self):
        """Each thread writes its element, all wait, each reads another's."""
        kind = self.random.choice("iulfdh")
        memory, value = self.names.new("shared_"), self.expression(kind, 2)
        self.shared.append(f"__shared__ {TYPES[kind]} {memory}[{self.threads}];")
        self.line(f"{memory}[tid] = {value};")
        self.line("__syncthreads();")
        self.declare(kind, f"{memory}[(tid * {self.pick(1, 3, 5, 7)}u + {self.pick(0, 1, 33, 31)}u) % {self.threads}u]")
        self.line("__syncthreads();")

    def counted(self):
        """A histogram in shared memory; the order of the atomics does not show."""
        memory = self.names.new("shared_")
        self.shared.append(f"__shared__ unsigned {memory}[16];")
        self.line(f"if (tid < 16) {memory}[tid] = {self.pick(0, 1, 1000)}u;")
        self.line("__syncthreads();")
        verb = self.pick("Add", "Add", "Max", "Min", "Xor", "Or", "And")
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        self.line(f"{guard}atomic{verb}(&{memory}[{self.expression('u', 1)} % 16u], {self.expression('u', 1)});")
        self.line("__syncthreads();")
        self.declare("u", f"{memory}[tid % 16u]")
        self.line("__syncthreads();")

    def block_sum(self):
        """A sum over the block by warps, as libraries write it."""
        memory, name = self.names.new("shared_"), self.declare("u", self.expression("u", 1))
        step = self.names.new("s")
        self.shared.append(f"__shared__ unsigned {memory}[32];")
        self.line(f"for (int {step} = 16; {step} > 0; {step} >>= 1) {name} += __shfl_down_sync({FULL}, {name}, {step});")
        self.line(f"if (lane == 0) {memory}[warp] = {name};")
        self.line("__syncthreads();")
        self.line(f"{name} = tid < {self.threads // 32}u ? {memory}[lane] : 0u;")
        self.line(f"if (warp == 0)")
        self.line(f"    for (int {step} = 16; {step} > 0; {step} >>= 1) {name} += __shfl_down_sync({FULL}, {name}, {step});")
        self.line(f"if (tid == 0) {memory}[0] = {name};")
        self.line("__syncthreads();")
        self.line(f"{name} = {memory}[0];")
        self.line("__syncthreads();")

    def function(self):
        """A device function of a template, called for one type."""
        kind, name = self.random.choice("iulfd"), f"f{self.number}_{self.names.new('')}"
        outer, self.variables = self.variables, {of: [] for of in TYPES}
        self.variables[kind] = ["a", "b"]
        body = self.expression(kind, 2)
        guard = self.condition(0)
        self.variables = outer
        keyword = self.pick("__device__", "__device__ __noinline__", "static __device__ __forceinline__", "__host__ __device__ inline")
        if keyword.startswith("__host__"):
            body = {"f": "a < b ? a : b", "d": "a > b ? a : b"}.get(kind, "a ^ b")
        head, call = self.pick((f"template <typename T> {keyword} T {name}(T a, T b)", f"{name}<{TYPES[kind]}>"), (f"{keyword} {TYPES[kind]} {name}({TYPES[kind]} a, {TYPES[kind]} b)", name))
        if keyword.startswith("__host__"):
            guard = "a == b"
        self.functions.append(f"{head}\n{{\n    if ({guard})\n        return b;\n    return {body};\n}}\n")
        self.declare(kind, f"{call}({self.expression(kind, 1)}, {self.expression(kind, 1)})")

    def array(self):
        """An array of the thread, with an index that is known at run time only."""
        kind, name, index = self.random.choice("iulfd"), self.names.new("array"), self.names.new("k")
        self.line(f"{TYPES[kind]} {name}[4] = {{{', '.join(self.expression(kind, 1) for _ in range(4))}}};")
        if self.random.random() < 0.5:
            self.line("#pragma unroll")
        self.line(f"for (int {index} = 0; {index} < 4; {index}++) {name}[({index} + 1) & 3] = {self.combine(kind, f'{name}[{index}]', self.expression(kind, 1))};")
        self.declare(kind, f"{name}[{self.expression('u', 1)} & 3u]")

    def combine(self, kind, a, b):
        return {"f": f"__fadd_rn({a}, {b})", "d": f"__dadd_rn({a}, {b})", "i": f"({a} ^ {b})"}.get(kind, f"({a} + {b})")

    def total(self):
        """Atomics in global memory whose results nobody reads before the end."""
        kind = self.pick("u", "l")
        place = f"&totals_{'words' if kind == 'l' else 'numbers'}[{self.expression('u', 1)} % 16u]"
        verb = self.pick("Add", "Add", "Max", "Min") if kind == "l" else self.pick("Add", "Add", "Xor")
        verb, place = (verb, place) if kind == "u" or verb == "Add" else (verb, place.replace("totals_words", f"totals_{verb.lower()}"))
        if kind == "u" and verb == "Xor":
            place = place.replace("totals_numbers", "totals_xor")
        self.line(f"atomic{verb}({place}, {self.expression(kind, 1)});")

    def members(self):
        """A structure by value, a vector type, and a lambda."""
        form = self.random.randrange(3)
        if form == 0:
            name = self.names.new("p")
            self.line(f"Pair<{TYPES['u']}, float> {name}{{{self.expression('u', 1)}, {self.expression('f', 1)}}};")
            self.line(f"{name} = {name}.turned({self.expression('u', 1)} % 3u);")
            self.declare("u", f"{name}.first")
            self.declare("f", f"{name}.second")
        elif form == 1:
            name = self.names.new("v")
            self.line(f"uint4 {name} = make_uint4({', '.join(self.expression('u', 1) for _ in range(4))});")
            self.declare("u", f"{name}.x + {name}.{self.pick('y', 'z', 'w')} * 3u")
        else:
            name = self.names.new("call")
            self.line(f"auto {name} = [=](unsigned a) {{ return a * {self.constant('u')} + {self.expression('u', 1)}; }};")
            self.declare("u", f"{name}({self.expression('u', 1)})")

    def text(self):
        self.line("unsigned long long hash = 1469598103934665603ull;")
        for kind, value in [("u", "numbers[index]"), ("u", "tid * 2654435761u"), ("i", "(int)(numbers[index] % 1000u) - 500"),
                            ("l", "numbers[index] * 0x9e3779b97f4a7c15ull"), ("f", "(float)(int)(numbers[index] % 4096u) * 0.125f - 200.0f"),
                            ("d", "__dmul_rn((double)(numbers[index] % 100000u), 0.01)"), ("h", "__float2half((float)(int)(numbers[index] % 64u) - 16.0f)")]:
            self.declare(kind, value)
        kept = {kind: list(names) for kind, names in self.variables.items()}
        self.statements("block", self.random.randint(5, 9), 2)
        stores = [f"mix(hash, {put(kind, name)});" for kind, names in kept.items() for name in names]
        head = f"__global__ void kernel_{self.number}(const unsigned *numbers, unsigned long long *out, int n)"
        bounds = self.pick("", f" __launch_bounds__({self.threads})")
        opening = [
            "unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
            f"unsigned index = blockIdx.x * {self.threads}u + tid;",
            self.pick("int lane = (int)(tid & 31u);", "int lane = (int)(tid % 32u);", "const int lane = tid % warpSize;"),
            self.pick("unsigned warp = tid >> 5;", "unsigned warp = tid / 32u;", "const unsigned warp = tid / warpSize;"),
        ]
        lines = ["    " + text for text in opening + self.shared] + self.lines
        lines += ["    " + text for text in stores] + ["    out[index] = hash;"]
        return "".join(self.functions) + head.replace("void", "void" + bounds) + "\n{\n" + "\n".join(lines) + "\n}\n"


def product(block):
    """The threads of a block as it is written."""
    count = 1
    for part in block.removeprefix("dim3(").removesuffix(")").split(","):
        count *= int(part)
    return count


def put(kind, name):
    """The bits of a value; every NaN is the same."""
    return {"f": f"bits({name})", "d": f"bits({name})", "h": f"bits(__half2float({name}))"}.get(kind, f"(unsigned long long){name}")


# What an expression of each type may be made of.
FORMS = {
    "i": [
        lambda k, e: f"(int)({e('u')} {k.pick('+', '-', '*')} {e('u')})", lambda k, e: f"({e()} {k.pick('&', '|', '^')} {e()})",
        lambda k, e: f"{k.pick('min', 'max')}({e()}, {e()})", lambda k, e: f"({e()} >> ({e('u')} & 31u))",
        lambda k, e: f"({e()} / (int)(({e('u')} & 255u) + 2u))", lambda k, e: f"({e()} % (int)(({e('u')} & 63u) + 2u))",
        lambda k, e: f"__{k.pick('popc', 'clz', 'ffs')}({e()})", lambda k, e: f"__mulhi({e()}, {e()})", lambda k, e: f"(int)({k.condition(0)})",
        lambda k, e: f"({k.condition(0)} ? {e()} : {e()})", lambda k, e: f"__float2int_{k.pick('rn', 'rz', 'ru', 'rd')}(small({e('f')}))",
        lambda k, e: f"(int)small({e('f')})", lambda k, e: f"__dp4a({e()}, {e()}, {e()})", lambda k, e: f"__float_as_int(small({e('f')}))",
        lambda k, e: f"(int)(signed char){e()}", lambda k, e: f"(int)(short){e('u')}",
    ],
    "u": [
        lambda k, e: f"({e()} {k.pick('+', '-', '*')} {e()})", lambda k, e: f"({e()} {k.pick('&', '|', '^')} {e()})", lambda k, e: f"~{e()}",
        lambda k, e: f"({e()} {k.pick('<<', '>>')} ({e()} & 31u))", lambda k, e: f"({e()} {k.pick('/', '%')} ({e()} | 1u))",
        lambda k, e: f"{k.pick('min', 'max')}({e()}, {e()})", lambda k, e: f"__brev({e()})",
        lambda k, e: f"__umulhi({e()}, {e()})", lambda k, e: f"__byte_perm({e()}, {e()}, {k.pick('0x5410', '0x7632', '0x3210', '0x0123')})",
        lambda k, e: f"__funnelshift_{k.pick('l', 'r', 'lc', 'rc')}({e()}, {e()}, {e()} & 31u)", lambda k, e: f"__usad({e()}, {e()}, {e()})",
        lambda k, e: f"(unsigned){e('l')}", lambda k, e: f"(unsigned)({e('l')} >> 32)", lambda k, e: f"({k.condition(0)} ? {e()} : {e()})",
        lambda k, e: f"__float_as_uint(small({e('f')}))", lambda k, e: f"(unsigned)(unsigned char){e()}", lambda k, e: f"__vadd{k.pick(2, 4)}({e()}, {e()})",
        lambda k, e: f"(unsigned){e('i')}", lambda k, e: f"numbers_of_all[{e()} % 64u]",
    ],
    "l": [
        lambda k, e: f"({e()} {k.pick('+', '-', '*')} {e()})", lambda k, e: f"({e()} {k.pick('&', '|', '^')} {e()})",
        lambda k, e: f"({e()} {k.pick('<<', '>>')} ({e('u')} & 63u))", lambda k, e: f"({e()} / ({e('u')} | 1u))", lambda k, e: f"(unsigned long long){e('u')}",
        lambda k, e: f"(unsigned long long)__popcll({e()})", lambda k, e: f"(unsigned long long)__clzll((long long){e()})", lambda k, e: f"__brevll({e()})",
        lambda k, e: f"__umul64hi({e()}, {e()})", lambda k, e: f"({k.condition(0)} ? {e()} : {e()})", lambda k, e: f"{k.pick('min', 'max')}({e()}, {e()})",
    ],
    "f": [
        lambda k, e: f"__fadd_rn({e()}, {e()})", lambda k, e: f"__fmul_rn({e()}, {e()})", lambda k, e: f"fmaf({e()}, {e()}, {e()})", lambda k, e: f"__fsub_rn({e()}, {e()})",
        lambda k, e: f"f{k.pick('min', 'max')}f({e()}, {e()})", lambda k, e: f"fabsf({e()})", lambda k, e: f"{k.pick('floorf', 'ceilf', 'truncf', 'rintf')}({e()})",
        lambda k, e: f"__fdiv_rn({e()}, 3.0f)", lambda k, e: f"__fsqrt_rn(fabsf({e()}))", lambda k, e: f"(float){e('i')}", lambda k, e: f"(float){e('d')}",
        lambda k, e: f"__half2float({e('h')})", lambda k, e: f"__int2float_{k.pick('rn', 'rz', 'ru', 'rd')}({e('i')})", lambda k, e: f"copysignf({e()}, {e()})",
        lambda k, e: f"({k.condition(0)} ? {e()} : {e()})", lambda k, e: f"__uint2float_rn({e('u')})", lambda k, e: f"(-({e()}))",
    ],
    "d": [
        lambda k, e: f"__dadd_rn({e()}, {e()})", lambda k, e: f"__dmul_rn({e()}, {e()})", lambda k, e: f"fma({e()}, {e()}, {e()})", lambda k, e: f"__ddiv_rn({e()}, 7.0)",
        lambda k, e: f"f{k.pick('min', 'max')}({e()}, {e()})", lambda k, e: f"fabs({e()})", lambda k, e: f"(double){e('f')}", lambda k, e: f"(double){e('i')}",
        lambda k, e: f"__dsqrt_rn(fabs({e()}))", lambda k, e: f"{k.pick('floor', 'ceil', 'trunc', 'rint')}({e()})", lambda k, e: f"(double){e('u')}",
    ],
    "h": [
        lambda k, e: f"__hadd_rn({e()}, {e()})", lambda k, e: f"__hmul_rn({e()}, {e()})", lambda k, e: f"__hfma({e()}, {e()}, {e()})", lambda k, e: f"__hneg({e()})",
        lambda k, e: f"__float2half_{k.pick('rn', 'rz')}({e('f')})", lambda k, e: f"__int2half_rn({e('i')} & 255)", lambda k, e: f"(__hlt({e()}, {e()}) ? {e()} : {e()})",
        # `__hmax` of two zeros differs in their sign, and surface.py says so.
        lambda k, e: f"__habs({e()})",
    ],
}

HEAD = """// Random kernels, written by emulator/tools/kernels.py.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
#include <vector>
namespace cg = cooperative_groups;

template <typename A, typename B>
struct Pair {
    A first;
    B second;
    __device__ Pair turned(unsigned times) const
    {
        Pair pair = *this;
        for (unsigned i = 0; i < times; i++) {
            A first = pair.first;
            pair.first = (A)(int)small_part(pair.second) + first;
            pair.second = (B)(first & 1023u);
        }
        return pair;
    }
    static __device__ B small_part(B value) { return value > (B)-30000 && value < (B)30000 ? value : (B)7; }
};

__constant__ unsigned numbers_of_all[64];
static __device__ unsigned totals_numbers[16], totals_xor[16];
static __device__ unsigned long long totals_words[16], totals_max[16], totals_min[16];

static __device__ float small(float value) { return value > -1e6f && value < 1e6f ? value : 12.5f; }
static __device__ unsigned long long bits(float value) { return value != value ? 0x7fc00000ull : (unsigned long long)__float_as_uint(value); }
static __device__ unsigned long long bits(double value) { return value != value ? 0x7ff8000000000000ull : (unsigned long long)__double_as_longlong(value); }
static __device__ void mix(unsigned long long &hash, unsigned long long value)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> (8 * i) & 255)) * 1099511628211ull;
}
static unsigned long long host_mix(unsigned long long hash, unsigned long long value)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> (8 * i) & 255)) * 1099511628211ull;
    return hash;
}

"""

MAIN = """
template <typename T>
static unsigned long long fold(unsigned long long hash, const T (&symbol)[16])
{
    T values[16];
    cudaMemcpyFromSymbol(values, symbol, sizeof values);
    for (T value : values)
        hash = host_mix(hash, value);
    return hash;
}

typedef void (*Kernel)(const unsigned *, unsigned long long *, int);
struct Launch {
    int number;
    Kernel kernel;
    dim3 grid, block;
};

static int run(const Launch &launch, const std::vector<unsigned> &input, int shown)
{
    unsigned *numbers;
    unsigned long long *out, hash = 1469598103934665603ull;
    size_t threads = (size_t)launch.grid.x * launch.block.x * launch.block.y * launch.block.z;
    std::vector<unsigned long long> results(threads);
    unsigned zeros[16] = {};
    unsigned long long wide[16] = {}, most[16];
    memset(most, 255, sizeof most);
    cudaMemcpyToSymbol(totals_numbers, zeros, sizeof zeros);
    cudaMemcpyToSymbol(totals_xor, zeros, sizeof zeros);
    cudaMemcpyToSymbol(totals_words, wide, sizeof wide);
    cudaMemcpyToSymbol(totals_max, wide, sizeof wide);
    cudaMemcpyToSymbol(totals_min, most, sizeof most);
    cudaMalloc(&numbers, input.size() * sizeof(unsigned));
    cudaMalloc(&out, threads * sizeof *out);
    cudaMemcpy(numbers, input.data(), input.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    launch.kernel<<<launch.grid, launch.block>>>(numbers, out, 4);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("kernel_%d failed: %s\\n", launch.number, cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(results.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < threads; i++) {
        hash = host_mix(hash, results[i]);
        if (shown == launch.number)
            printf("kernel_%d thread %d: %016llx\\n", launch.number, (int)i, results[i]);
    }
    hash = fold(fold(fold(fold(fold(hash, totals_numbers), totals_xor), totals_words), totals_max), totals_min);
    printf("kernel_%d %016llx\\n", launch.number, hash);
    cudaFree(numbers);
    cudaFree(out);
    return 0;
}

int main(int argc, char **argv)
{
    int shown = -1;
    if (argc > 1)
        sscanf(argv[1], "%d", &shown);
    unsigned state = 12345, constants[64];
    std::vector<unsigned> input(4096);
    for (unsigned &value : input)
        value = state = state * 1664525u + 1013904223u;
    for (unsigned &value : constants)
        value = state = state * 1664525u + 1013904223u;
    cudaMemcpyToSymbol(numbers_of_all, constants, sizeof constants);
    int failed = 0;
    for (const Launch &launch : launches)
        failed |= run(launch, input, shown);
    return failed;
}
"""


def program(numbers, seed):
    kernels = [Kernel(number, seed) for number in numbers]
    texts = [kernel.text() for kernel in kernels]
    rows = "".join(f"    {{{kernel.number}, kernel_{kernel.number}, dim3({kernel.grid}), dim3({kernel.block.removeprefix('dim3').strip('()')})}},\n" for kernel in kernels)
    before, after = MAIN.split("static int run(", 1)
    return HEAD + "\n".join(texts) + before + f"static const Launch launches[] = {{\n{rows}}};\n\nstatic int run(" + after


def read_output(text):
    """What each kernel printed, by its name."""
    return dict(line.split(" ", 1) for line in text.splitlines() if line.startswith("kernel_") and " thread " not in line)


def build(options, folder, numbers):
    """Translates and compiles some kernels; the messages where that fails."""
    source, port = folder / "in", folder / "out"
    source.mkdir(parents=True, exist_ok=True)
    (source / "kernels.cu").write_text(program(numbers, options.seed))
    translated = subprocess.run([options.cass, str(source), str(port), "--force"] + options.with_, capture_output=True, text=True)
    hipcc = [str(Path(options.emulator) / "bin/hipcc"), "-std=c++17", "-O2", "kernels.cu", "-o", "kernels"]
    compiled = subprocess.run(hipcc, cwd=port, env=os.environ | {"HIP_EMULATOR_ARCHS": " ".join(options.chips)}, capture_output=True, text=True)
    return None if compiled.returncode == 0 else translated.stdout + compiled.stderr


def measure(options):
    wanted = read_output((options.against or GOLD).read_text())
    folder = Path(options.folder or tempfile.mkdtemp())
    numbers = options.only or range(options.count)
    different, refused, equal = [], [], 0
    for start in range(0, len(numbers), BATCH):
        some = list(numbers[start:start + BATCH])
        place = folder / f"batch-{start}"
        messages = build(options, place, some)
        if messages is not None:
            (place / "messages.txt").write_text(messages)
            refused.append((some, next((line for line in messages.splitlines() if "error:" in line), messages[-200:])))
            continue
        for chip in options.chips:
            environment = os.environ | {"HIP_EMULATOR_ARCH": chip, "LD_LIBRARY_PATH": f"{options.emulator}/lib"}
            ran = subprocess.run([str(place / "out/kernels")], env=environment, capture_output=True, text=True)
            got = read_output(ran.stdout)
            for number in some:
                name = f"kernel_{number}"
                if got.get(name) == wanted.get(name):
                    equal += 1
                else:
                    different.append(f"{name} on {chip}: {got.get(name, 'nothing: ' + ran.stderr[-200:].strip())}, on CUDA {wanted.get(name)}")
    for some, message in refused:
        print(f"kernels {some[0]} to {some[-1]} do not compile: {message}")
    print("".join(f"{line}\n" for line in different), end="")
    print(f"{len(numbers)} kernels on {len(options.chips)} chips: {equal} results are CUDA's, {len(different)} are not, {sum(len(some) for some, _ in refused)} kernels do not compile")
    return not different and not refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    written, kept, measured = (commands.add_parser(name) for name in ("program", "gold", "measure"))
    written.add_argument("out", type=Path)
    kept.add_argument("output", type=Path)
    for command in (written, kept, measured):
        command.add_argument("--seed", type=int, default=SEED)
        command.add_argument("--count", type=int, default=COUNT)
        command.add_argument("--only", type=int, action="append", help="a kernel by its number")
    measured.add_argument("--cass", required=True)
    measured.add_argument("--emulator", required=True)
    measured.add_argument("--against", type=Path, help="what the program printed on an NVIDIA card")
    measured.add_argument("--folder")
    measured.add_argument("--chips", nargs="+", default=CHIPS)
    measured.add_argument("--with", dest="with_", action="append", default=[], help="an option of the translation")
    options = parser.parse_args()
    if options.command == "program":
        options.out.write_text(program(options.only or range(options.count), options.seed))
    elif options.command == "gold":
        GOLD.write_text("".join(f"{name} {value}\n" for name, value in read_output(options.output.read_text()).items()))
    elif not measure(options):
        sys.exit(1)


if __name__ == "__main__":
    main()
