#!/usr/bin/env python3
"""torchcheck: does a PyTorch extension compile for an AMD GPU?  No GPU, no ROCm PyTorch, no CUDA.

  torchcheck.py TREE [--setup setup.py]... [--mode hipify|plain] [--out result.json]   compile every unit of the extensions
  torchcheck.py TREE --flags-only                                                      only what setup.py gives to hipcc

Set CASS_ROCM (folder that tests/rocm/setup.sh filled) and CASS_TORCH (that tests/torch/setup.sh filled).

The sources and flags come from running setup.py with `torch` and `setuptools` replaced by recorders, as PyTorch for ROCm
would show itself (torch.version.hip set, CUDA_HOME None); nothing that setup.py starts or downloads is run.  When it
builds no GPU extension then, it is asked again as CUDA would, and the result says `rocm_setup: refuses`.
--mode hipify (the default) is `pip install .` on ROCm: torch's own hipify over the sources that CUDAExtension names and the
headers that they include, in place - so give it a copy.  --mode plain compiles the sources as they are.
Each .cu/.hip unit: device pass (code generated at -O1 where there is inline assembly, else -fsyntax-only; --full: always),
then, if that passes, host pass; others one host pass.  Flags that hipcc's clang refuses are listed and left out of the compilation, so that both causes are seen.
"""
import argparse, collections, concurrent.futures as cf, fnmatch, glob, hashlib, json, os, re, runpy, shutil, subprocess, sys, sysconfig, tempfile, threading, time

GPU_EXT = ('.cu', '.cuh', '.hip')                       # torch.utils.cpp_extension._is_cuda_file
TAKES_ARG = {'-gencode', '--generate-code', '-arch', '--gpu-architecture', '-code', '--gpu-code', '-Xptxas', '--ptxas-options', '-Xcompiler',
             '--compiler-options', '-Xlinker', '-Xcudafe', '-Xfatbin', '-Xnvlink', '--threads', '-t', '-ccbin', '--compiler-bindir', '-maxrregcount',
             '--maxrregcount', '--diag-suppress', '-diag-suppress', '-std', '--std', '-include', '-I', '-isystem', '-D', '-U', '-L', '-l', '-x', '-rdc', '-mllvm', '-Xclang'}
MISREAD = {                                             # what clang accepts and takes for something else
    r'-use_fast_math$': '-u se_fast_math (a linker symbol): fast math is silently off', r'-lineinfo$': '-l ineinfo (a library)',
    r'-Xcompiler': 'linker option; what follows reaches the device pass too', r'-G$': '-G takes the next flag as its argument',
    r'-keep$': '-k..., ignored', r'-dc$': '-d c: dumps', r'-dlto$': '-d lto: dumps', r'-lcuda|-lcudart': 'a CUDA library'}


# ------------------------------------------------------------------ recording what setup.py asks for
def record(vendor, script, argv, out):
    """Runs in a process of its own, in the folder of `script`."""
    import importlib.abc, importlib.machinery, io, types
    rocm = vendor == 'rocm'
    seen = []

    class Any:                                          # stands for whatever is not known
        def __init__(self, *a, **k): pass
        def __call__(self, *a, **k): return a[0] if len(a) == 1 and callable(a[0]) and not k else Any()
        def __getattr__(self, n):
            if n.startswith('__') and n.endswith('__'): raise AttributeError(n)
            return Any()
        def __iter__(self): return iter(())
        def __str__(self): return ''
        __fspath__ = __str__
        def __bool__(self): return False
        def __len__(self): return 0
        def __getitem__(self, i): return Any()
        def __contains__(self, x): return False
        def __lt__(self, o): return False
        def __ge__(self, o): return True
        __gt__, __le__ = __ge__, __lt__
        def __add__(self, o): return o
        __radd__ = __add__
        def __enter__(self): return self
        def __exit__(self, *a): return False
        def __mro_entries__(self, bases): return () if len(bases) > 1 else (object,)

    class Stub(types.ModuleType):
        __path__ = []
        def __getattr__(self, n):
            if n.startswith('__') and n.endswith('__'): raise AttributeError(n)
            return Any()

    def ext(kind):                                      # a class, since scripts derive their own from it
        class Recorded:
            def __init__(self, name='?', sources=(), *a, **k):
                self.__dict__.update(kind=kind, name=str(name), sources=[str(s) for s in sources], k=k, include_dirs=k.setdefault('include_dirs', []),
                                     extra_compile_args=k.setdefault('extra_compile_args', {}), define_macros=k.setdefault('define_macros', []),
                                     libraries=k.setdefault('libraries', []), extra_link_args=k.setdefault('extra_link_args', []), depends=[], optional=False)
                seen.append(self)
        return Recorded

    def load(name='?', sources=(), extra_cflags=None, extra_cuda_cflags=None, extra_ldflags=None, extra_include_paths=None, **k):
        ext('load')(name, [sources] if isinstance(sources, str) else sources, include_dirs=list(extra_include_paths or []),
                    extra_compile_args={'cxx': list(extra_cflags or []), 'nvcc': list(extra_cuda_cflags or [])}, extra_link_args=list(extra_ldflags or []))
        return Any()

    class BuildExtension:
        with_options = classmethod(lambda cls, **k: cls)
        def __init__(self, *a, **k): pass
        def build_extensions(self): pass

    t = Stub('torch'); t.__spec__ = importlib.machinery.ModuleSpec('torch', None, is_package=True); t.__path__ = [os.environ['CASS_TORCH']]; t.__version__ = '2.15.0' + ('+rocm6.4' if rocm else '+cu124'); t.__file__ = os.path.join(os.environ['CASS_TORCH'], '__init__.py')
    t.version = Stub('torch.version'); t.version.__version__ = t.__version__
    t.version.hip, t.version.cuda = ('6.4.43484', None) if rocm else (None, '12.4')
    t.version.rocm = '6.4.0' if rocm else None
    c = t.cuda = Stub('torch.cuda')
    c.is_available = c._is_compiled = lambda: True
    c.device_count = lambda: 1
    c.get_device_capability = lambda *a: (9, 0)
    c.get_arch_list = lambda: ['gfx90a'] if rocm else ['sm_80', 'sm_90']
    c.get_device_name = lambda *a: 'AMD Instinct MI250X' if rocm else 'NVIDIA H100'
    c.get_device_properties = lambda *a: types.SimpleNamespace(major=9, minor=0, gcnArchName='gfx90a:sramecc+:xnack-', name='', warp_size=64 if rocm else 32)
    t.compiled_with_cxx11_abi = lambda: True
    t._C = Stub('torch._C'); t._C._GLIBCXX_USE_CXX11_ABI = True
    t.__config__ = Stub('torch.__config__'); t.__config__.parallel_info = lambda: 'ATen parallel backend: OpenMP'
    t.__config__.show = lambda: ''
    t.utils = Stub('torch.utils')
    x = t.utils.cpp_extension = Stub('torch.utils.cpp_extension'); x.__file__ = os.path.join(os.environ['CASS_TORCH'], 'python/utils/cpp_extension.py')
    x.CUDA_HOME, x.ROCM_HOME, x.HIP_HOME = (None, '/opt/rocm', '/opt/rocm/hip') if rocm else ('/usr/local/cuda', None, None)
    x.IS_HIP_EXTENSION, x.CUDNN_HOME = rocm, None
    x.CUDAExtension, x.CppExtension, x.HIPExtension = ext('cuda'), ext('cpp'), ext('cuda')
    x.BuildExtension, x.load, x.load_inline = BuildExtension, load, lambda *a, **k: Any()
    x.include_paths = x.library_paths = lambda *a, **k: []
    x._get_cuda_arch_flags = x._get_rocm_arch_flags = lambda *a: []
    x._get_build_directory = lambda name, verbose: tempfile.mkdtemp()
    x.is_ninja_available = lambda: True
    x.COMMON_NVCC_FLAGS = ['-D__CUDA_NO_HALF_OPERATORS__', '-D__CUDA_NO_HALF_CONVERSIONS__', '-D__CUDA_NO_BFLOAT16_CONVERSIONS__', '-D__CUDA_NO_HALF2_OPERATORS__', '--expt-relaxed-constexpr']
    x.COMMON_HIP_FLAGS, x.COMMON_HIPCC_FLAGS = list(COMMON_HIP_FLAGS), list(COMMON_HIPCC_FLAGS)
    x._TORCH_PATH = '/torch'
    hp = t.utils.hipify = Stub('torch.utils.hipify'); hp.hipify_python = Stub('torch.utils.hipify.hipify_python')
    hip = lambda *a, **k: [types.SimpleNamespace() for _ in seen.append(types.SimpleNamespace(kind='hipify', k=k)) or ()] or {}
    hp.hipify_python.hipify = hip
    for m in ('torch', 'torch.version', 'torch.cuda', 'torch._C', 'torch.__config__', 'torch.utils', 'torch.utils.cpp_extension', 'torch.utils.hipify', 'torch.utils.hipify.hipify_python'):
        o = t
        for p in m.split('.')[1:]: o = getattr(o, p)
        sys.modules[m] = o

    def setup(**k):                                     # `include_dirs` of the whole script, which distutils gives to each extension
        for e in seen:
            if hasattr(e, 'include_dirs'): e.include_dirs = [*e.include_dirs, *(k.get('include_dirs') or [])]

    s = Stub('setuptools'); s.setup = setup; s.Extension = ext('c'); s.find_packages = s.find_namespace_packages = lambda *a, **k: []
    s.__version__ = '70.0.0'
    s.Command = s.Distribution = type('Command', (), {})
    for m in ('setuptools', 'setuptools.command', 'setuptools.command.build_ext', 'setuptools.command.build_py', 'setuptools.command.install', 'setuptools.command.develop',
              'setuptools.command.easy_install', 'setuptools.command.sdist', 'setuptools.command.egg_info', 'setuptools.dist', 'setuptools.extension', 'wheel', 'wheel.bdist_wheel', 'distutils', 'distutils.core', 'distutils.command'):
        q = sys.modules[m] = s if m == 'setuptools' else Stub(m)
        for n in ('build_ext', 'build_py', 'install', 'develop', 'sdist', 'egg_info', 'bdist_wheel', 'easy_install'):
            if m.endswith('.' + n): setattr(q, n, type(n, (), {'run': lambda self: None, 'build_extensions': lambda self: None}))
        q.setup, q.Extension, q.Distribution = s.setup, s.Extension, s.Distribution

    try: import packaging
    except ImportError:                                 # pip has its own
        import pip._vendor.packaging as packaging, pip._vendor.packaging.version
        sys.modules['packaging'], sys.modules['packaging.version'] = packaging, pip._vendor.packaging.version

    class Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):   # anything else that is not installed here
        def find_spec(self, name, path=None, target=None):
            top = name.split('.')[0]
            local = any(os.path.exists(os.path.join(p or '.', top + e)) for p in sys.path[:1] for e in ('', '.py'))
            return None if local and top not in sys.modules else importlib.machinery.ModuleSpec(name, self, is_package=True)
        def create_module(self, spec):
            m = Stub(spec.name); m.__version__ = '99.0.0'
            return m
        def exec_module(self, m): pass
    sys.meta_path.append(Missing())

    def run(cmd=(), *a, **k):                           # nothing is started
        w = cmd if isinstance(cmd, str) else ' '.join(map(str, cmd))
        if 'nvcc' in w:
            if rocm: raise FileNotFoundError(2, 'No such file or directory', w.split()[0])
            o = 'nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 12.4, V12.4.131\nBuild cuda_12.4.r12.4/compiler.0_0\n'
        elif 'hipcc' in w: o = 'HIP version: 6.4.43484-123eb5128\n'
        else: o = ''
        if not (k.get('universal_newlines') or k.get('text') or k.get('encoding')): o = o.encode()
        r = types.SimpleNamespace(returncode=0, stdout=o, stderr=o[:0], args=cmd, communicate=lambda *a, **k: (o, o[:0]), wait=lambda *a, **k: 0)
        return r
    subprocess.run = subprocess.Popen = run
    subprocess.check_output = lambda *a, **k: run(*a, **k).stdout
    subprocess.check_call = subprocess.call = lambda *a, **k: run(*a, **k).returncode
    subprocess.getoutput = lambda c: ''
    os.system = lambda c: 127 if rocm and 'nvcc' in c else 0
    shutil.rmtree = lambda *a, **k: None
    import urllib.request, urllib.error
    def no(*a, **k): raise urllib.error.URLError('not here')
    urllib.request.urlopen = urllib.request.urlretrieve = no
    sys.argv, sys.stdout, err = [script] + argv, io.StringIO(), None
    sys.path.insert(0, os.getcwd())
    try:
        runpy.run_path(script, run_name='__main__' if os.path.basename(script) == 'setup.py' else 'recorded')
    except BaseException as e:
        err = None if isinstance(e, SystemExit) and not e.code else '%s: %s' % (type(e).__name__, str(e).replace('\n', ' ')[:300])
    flat = lambda v: [str(i) for i in v] if isinstance(v, (list, tuple)) else str(v).split()
    exts = []
    for e in seen:
        if e.kind == 'hipify':
            continue
        a = e.extra_compile_args if e.extra_compile_args else e.k.get('extra_compile_args') or {}
        a = a if isinstance(a, dict) else {'cxx': a, 'nvcc': a}
        exts.append(dict(kind=e.kind, name=e.name, sources=[os.path.abspath(str(x)) for x in (e.sources or [])], include_dirs=[str(i) for i in e.include_dirs],
                         cxx=flat(a.get('cxx', [])), nvcc=flat(a.get('nvcc', [])), defines=[[str(d[0]), None if d[1] is None else str(d[1])] for d in e.define_macros],
                         undefs=[str(u) for u in e.k.get('undef_macros') or []], libraries=[str(l) for l in e.libraries], link=[str(l) for l in e.extra_link_args]))
    json.dump(dict(extensions=exts, error=err, own_hipify=sum(e.kind == 'hipify' for e in seen)), open(out, 'w'))


def ask(vendor, tree, script, argv, env):
    """What `script` of `tree` builds, as PyTorch for `vendor` would be told."""
    path = os.path.join(tree, script)
    with tempfile.NamedTemporaryFile('r', suffix='.json') as f:
        p = subprocess.run([sys.executable, os.path.abspath(__file__), '--record', vendor, os.path.basename(path), f.name] + argv, cwd=os.path.dirname(os.path.abspath(path)),
                           env=dict(os.environ, **env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        t = f.read()
    r = json.loads(t) if t else dict(extensions=[], error='recorder: ' + p.stdout[-300:])
    r['cwd'] = os.path.dirname(os.path.abspath(path))
    return r


def units_of(r):
    return [(e, s) for e in r['extensions'] if e['kind'] != 'c' for s in e['sources'] if s.endswith(GPU_EXT + ('.cpp', '.cc', '.cxx', '.c'))]


def has_gpu(r):
    return any(e['kind'] in ('cuda', 'load') and any(s.endswith(GPU_EXT) for s in e['sources']) for e in r['extensions'])


# ------------------------------------------------------------------ torch's own hipify
def hipify(rec):
    """Does what CUDAExtension / load do on ROCm; {source: hipified source}."""
    sys.path.insert(0, os.path.join(TORCH, 'python/utils'))
    from hipify import hipify_python as h
    names, cwd, log = {}, rec['cwd'], open(os.devnull, 'w')
    for e in rec['extensions']:
        if e['kind'] not in ('cuda', 'load'):
            continue
        src, old = [os.path.abspath(s) for s in e['sources']], sys.stderr
        kw = dict(includes=[os.path.join(cwd, '*')], hipify_extra_files_only=True) if e['kind'] == 'cuda' else dict(ignores=[ROCM + '/*', TORCH + '/*'])
        bd = cwd
        if e['kind'] == 'load':
            bd = os.path.join(cwd, '.torchcheck', e['name']); os.makedirs(bd, exist_ok=True)
        sys.stderr = log
        try:
            r = h.hipify(project_directory=bd, output_directory=bd, header_include_dirs=e['include_dirs'], extra_files=src, is_pytorch_extension=True, show_progress=False, **kw)
            for s in src:
                names[s] = r[s].hipified_path if s in r and r[s].hipified_path else s
        except Exception as x:
            names[None] = '%s: %s' % (type(x).__name__, x)
        finally:
            sys.stderr = old
    return names


# ------------------------------------------------------------------ compiling
COMMON_HIP_FLAGS = ['-D__HIP_PLATFORM_AMD__=1', '-DUSE_ROCM=1', '-DHIPBLAS_V2', '-fPIC']          # torch/utils/cpp_extension.py
COMMON_HIPCC_FLAGS = ['-DCUDA_HAS_FP16=1', '-D__HIP_NO_HALF_OPERATORS__=1', '-D__HIP_NO_HALF_CONVERSIONS__=1', '-DHIP_ENABLE_WARP_SYNC_BUILTINS=1']
CXX = os.environ.get('TORCHCHECK_CLANG', 'clang++-19')


def setup_paths():
    global TORCH, ROCM, DEVLIB, INC, PCH, STD
    TORCH = os.path.abspath(os.environ.get('CASS_TORCH') or sys.exit('set CASS_TORCH to the folder that tests/torch/setup.sh filled'))
    ROCM = os.path.join(os.path.abspath(os.environ.get('CASS_ROCM') or sys.exit('set CASS_ROCM to the folder that tests/rocm/setup.sh filled')), 'usr')
    DEVLIB = ROCM + '/lib/llvm-17/lib/clang/17/amdgcn/bitcode'
    INC = [x for i in (TORCH + '/include', TORCH + '/include/torch/csrc/api/include', ROCM + '/include', sysconfig.get_path('include')) for x in ('-isystem', i)]
    STD = int(re.search(r"cpp_flag_prefix \+ 'c\+\+(\d+)'", open(TORCH + '/python/utils/cpp_extension.py').read()).group(1))
    PCH = os.path.join(TORCH, 'pch'); os.makedirs(PCH, exist_ok=True)


def cc(cmd, cwd='/', limit=900):
    try:
        p = subprocess.run(['prlimit', '--cpu=180'] + cmd if shutil.which('prlimit') else cmd, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', timeout=limit)
        return (124, 'error: timeout') if p.returncode in (-9, -24, 137, 152) else (p.returncode, p.stdout)
    except subprocess.TimeoutExpired:
        return 124, 'error: timeout'


_probe, _lock = {}, threading.Lock()


def groups(flags):
    i = 0
    while i < len(flags):
        n = 2 if flags[i] in TAKES_ARG and i + 1 < len(flags) else 1
        yield flags[i:i + n]
        i += n


def probe(g, gpu):
    """None, or why hipcc's clang (or for .cpp: the host compiler) cannot take the flag as meant."""
    key = (tuple(g), gpu)
    if key not in _probe:
        f = g[0]
        if re.match(r'-[ID]|-isystem|-U|-include|-l|-L|-Wl,', f) and f not in ('-lineinfo',):
            r = None
        else:
            m = next((w for p, w in MISREAD.items() if re.match(p, f)), None) if gpu else None
            base = [CXX, '-x', 'hip', '--offload-arch=gfx90a', '-nogpulib', '-nogpuinc'] if gpu else [CXX, '-x', 'c++']
            rc, out = cc(base + ['-fsyntax-only', '-Wno-unused-command-line-argument'] + g + [os.path.join(PCH, 'empty.cc')])
            e = next((l for l in out.splitlines() if 'error:' in l), '')
            r = 'refused: ' + re.sub(r'^.*?error: ', '', e)[:100] if rc else 'misread: ' + m if m else None
        _probe[key] = r
    return _probe[key]


_pch = {}


def pch(kind, base):
    key = hashlib.sha1(repr((kind, base, TORCH)).encode()).hexdigest()[:16]
    with _lock:
        if key not in _pch:
            h, o = os.path.join(PCH, kind[0] + ('.hip' if kind[0] != 'cpp' else '.h')), os.path.join(PCH, key + '.pch')
            if not os.path.isfile(h): open(h, 'w').write('#include <torch/extension.h>\n' + '#include <ATen/hip/HIPContext.h>\n#include <c10/hip/HIPGuard.h>\n' * (kind[0] != 'cpp'))
            if not os.path.isfile(o):
                how = {'host': ['-x', 'hip', '--cuda-host-only', '-fsyntax-only', '-Xclang', '-emit-pch', '-Xclang', '-o', '-Xclang', o],
                       'device': ['-x', 'hip', '--cuda-device-only', '-O1', '-fsyntax-only', '-Xclang', '-emit-pch', '-Xclang', '-o', '-Xclang', o],
                       'cpp': ['-x', 'c++-header', '-o', o]}[kind[0]]
                rc, out = cc([CXX, '-w'] + base + how + [h], PCH)
                if rc or not os.path.isfile(o):
                    o = None
            _pch[key] = o
    return _pch[key]


def wants(path, dirs, memo):
    """'torch' if the unit includes torch's headers (then they may come precompiled); whether there is asm; a hash of all it includes."""
    todo, seen, best, asm = [path], set(), None, False
    while todo:
        p = todo.pop()
        if p in seen: continue
        seen.add(p)
        if p not in memo:
            try: t = open(p, errors='replace').read()
            except OSError: t = ''
            memo[p] = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', t, re.M), bool(re.search(r'\basm\b', t)), hashlib.sha1(t.encode()).hexdigest()
        asm |= memo[p][1]
        for i in memo[p][0]:
            if i.startswith(('torch/', 'ATen/', 'c10/')): best = 'torch'
            for d in [os.path.dirname(p)] + dirs:
                q = os.path.normpath(os.path.join(d, i))
                if os.path.isfile(q):
                    todo.append(q); break
    return best, asm, hashlib.sha1(''.join(memo[p][2] for p in sorted(seen)).encode()).hexdigest()


LOC = re.compile(r'^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$')
CLASSES = [(c, re.compile(r)) for c, r in [
    ('missing header', r"^'([^']+)' file not found"), ('32-bit mask', r'mask must be a 64-bit integer'), ('static_assert', r'static assertion failed'),
    ('inline PTX', r'invalid (?:output|input) constraint|invalid % escape|(?:unknown|invalid) (?:instruction|directive|operand)|unexpected token|couldn.t allocate|not a valid operand|expected relocatable expression|unknown token|invalid operand'),
    ('half/bf16 operator', r"(?:__half|__hip_bfloat|__nv_bfloat|nv_bfloat|half2?)\b.*|use of overloaded operator"),
    ('undeclared', r"undeclared (?:identifier|function|template)[^']*'?([^']*)'?|no (?:member|type|template) named '([^']+)' in (?:the global namespace|namespace '[^']*')|no template named '([^']+)'|unknown type name '([^']+)'"),
    ('namespace', r"use of undeclared namespace|expected namespace name|is not a class, namespace"),
    ('host/device', r'reference to __\w+__|call to __\w+__|calling a __\w+__'),
    ('no match', r'no matching|no viable|cannot initialize|incompatible|cannot convert|no known conversion'), ('no member', r"no (?:member|type|template) named '([^']+)'"),
    ('redefinition', r'redefinition|conflicting|duplicate'), ('ambiguous', r'ambiguous'), ('#error', r'^"|#error'), ('undefined symbol', r'undefined (?:hidden |protected )?symbol'),
    ('timeout', 'timeout')]]


def errors(out):
    r = []
    for l in out.splitlines():
        m = LOC.match(l)
        if m: f, n, t = m.group(1), int(m.group(2)), m.group(3)
        elif re.search(r'(^|\s)error: |LLVM ERROR|PLEASE submit', l): f, n, t = '', 0, re.sub(r'^.*?error: ', '', l)
        else: continue
        if 'too many errors' in t or 'errors generated' in t: continue
        c, d = 'other', ''
        for name, rx in CLASSES:
            m = rx.search(t)
            if m:
                c, d = name, next((g for g in m.groups() if g), '') if m.groups() else ''
                break
        r.append(dict(file=f, line=n, msg=t[:200], cls=c, detail=d[:80]))
    return r


def compile_unit(tree, cwd, e, src, arch, full, quick, extra, memo, cache):
    gpu = src.endswith(GPU_EXT)
    flags, bad, std = [], [], None
    for g in groups(e['nvcc'] if gpu else e['cxx']):
        if gpu and g[0].startswith('-') and 'CUDA' in g[0] and not g[0].startswith('-I'):       # BuildExtension._hipify_compile_flags
            a, eq, v = g[0].partition('='); g = [a.replace('CUDA', 'HIP', 1) + eq + v] + g[1:]
        w = probe(g, gpu)
        if w: bad.append((' '.join(g), w))
        m = re.match(r'--?std[= ](?:c|gnu)\+\+(\w+)', ' '.join(g))
        if m: std = m.group(1); continue
        if re.match(r'-(-?save-temps|l|L|Wl|O|g|W|fvisibility|fdiagnostics|march|mtune)', g[0]): continue     # of no effect on what compiles
        if not (w and w.startswith('refused')) and not (w and g[0] in ('-Xcompiler', '-G', '-dc', '-use_fast_math', '-lineinfo')): flags += g
    year = lambda v: int({'0x': '11', '1y': '14', '1z': '17', '2a': '20', '2b': '23'}.get(v, v))
    low = std if std and year(std) < STD else None      # refused by torch's headers, on either vendor
    std = max(STD, year(std) if std else 0)
    dirs = [os.path.join(cwd, d) for d in e['include_dirs']]
    # distutils puts define_macros and undef_macros before BuildExtension's own flags, so an undef of one of those does nothing
    flags = ['-D%s' % n if v is None else '-D%s=%s' % (n, v) for n, v in e['defines']] + ['-U' + u for u in e['undefs'] if not any('-D' + u in f for f in COMMON_HIPCC_FLAGS)] + flags
    names = {f[2:].split('=')[0] for f in COMMON_HIPCC_FLAGS}
    gone = {f[2:] for f in flags if f.startswith('-U')} if gpu else set()
    flags = [f for f in flags if not (f[:2] in ('-U', '-D') and f[2:].split('=')[0] in names)]                # for the PCH's sake: as the command line has it in the end
    flags += [x for d in dirs for x in ('-I', d)] + ['-DTORCH_EXTENSION_NAME=' + e['name'].split('.')[-1], '-DTORCH_API_INCLUDE_EXTENSION_H']
    if gpu: flags = extra + flags
    umb, asm, digest = wants(src, dirs, memo)
    res = dict(source=os.path.relpath(src, tree), ext=e['name'], gpu=gpu, bad_flags=bad, raised_std=low, passes={})
    rocm = ['--offload-arch=' + arch, '--rocm-path=' + ROCM, '--rocm-device-lib-path=' + DEVLIB]
    for p in ('device', 'host') if gpu else ('cpp',):       # clang checks host code in the device pass too, so that comes first
        base = lambda std: COMMON_HIP_FLAGS + ([f for f in COMMON_HIPCC_FLAGS if f[2:].split('=')[0] not in gone] + rocm if gpu else []) + ['-std=c++%d' % std] + INC
        how = {'host': ['-x', 'hip', '--cuda-host-only', '-fsyntax-only'], 'device': ['-x', 'hip', '--cuda-device-only', '-O1'] + (['-c', '-o', '/dev/null'] if asm or full else ['-fsyntax-only']), 'cpp': ['-x', 'c++', '-fsyntax-only']}[p]
        # with a PCH in C++20, clang 19 takes __host__ and __device__ overloads for ODR violations: try C++17 first, then without
        early = any(f.startswith('-DHIPBLAS_') for f in flags)         # what precompiled headers read already
        h = pch((p,), base(17 if gpu else std)) if umb and STD < 20 and not early else None
        t0 = time.time()
        for use in ([h, None] if h else [None]):
            bs = base(17 if use and gpu else std)
            cmd = [CXX, '-w', '-ferror-limit=60'] + bs + (['-include-pch', use] if use else []) + flags
            key = hashlib.sha1(repr((bs, how, bool(use), [f.replace(tree, '') for f in flags if not f.startswith('-DTORCH_EXTENSION_NAME')], digest)).encode()).hexdigest()
            hit = cache.get(key)
            if hit: rc, er = hit
            else:
                rc, out = cc(cmd + how + [src], cwd)
                er = errors(out) if rc else []
                for x in er: x['file'] = os.path.relpath(os.path.join(cwd, x['file']), tree) if x['file'] and os.path.join(cwd, x['file']).startswith(tree) else x['file'].replace(TORCH, '$T').replace(ROCM, '$R')
                cache[key] = (rc, er)
            if not rc or not use or not any(x['file'].startswith('$T') and x['cls'] != 'missing header' or 'PCH' in x['msg'] or 'precompiled' in x['msg'] for x in er) and std < 20: break     # rather blame the PCH
        res['passes'][p] = dict(ok=not rc, errors=er[:60], s=round(time.time() - t0, 1), pch=bool(use))
        if rc or quick: break
    res['ok'] = all(x['ok'] for x in res['passes'].values())
    return res


class Cache(dict):                                     # results by preprocessed text
    def __init__(self, path):
        self.path = path
        if path and os.path.isfile(path):
            for l in open(path):
                k, v = json.loads(l); dict.__setitem__(self, k, v)
    def __setitem__(self, k, v):
        dict.__setitem__(self, k, v)
        if self.path:
            with _lock, open(self.path, 'a') as f: f.write(json.dumps([k, v]) + '\n')


def main():
    if sys.argv[1:2] == ['--record']:
        return record(sys.argv[2], sys.argv[3], sys.argv[5:], sys.argv[4])
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg = ap.add_argument
    arg('tree')
    arg('--setup', action='append', help='script to record, relative to TREE (default: setup.py)')
    arg('--argv', default='build_ext', help='arguments of setup.py')
    arg('--env', action='append', default=[], metavar='K=V', help='environment of setup.py')
    arg('--mode', choices=('hipify', 'plain'), default='hipify')
    arg('--plan-from', metavar='TREE0', help='run setup.py in TREE0, compile the files of the same path in TREE')
    arg('--map', metavar='JSON', help='with --mode plain: names of the sources as an earlier result has them, hipified')
    arg('--arch', default='gfx90a')
    arg('--out', metavar='JSON')
    arg('--jobs', type=int, default=1)
    arg('--cache', metavar='FILE')
    arg('--flags-only', action='store_true')
    arg('--only', help='only sources that match this glob')
    arg('--gpu-only', action='store_true', help='only .cu, .cuh and .hip')
    arg('--sample', type=int, help='at most N GPU units of each setup.py and a quarter as many others, chosen by a hash of their paths')
    arg('--quick', action='store_true', help='device pass only')
    arg('--full', action='store_true', help='generate device code for every unit, not only where there is inline assembly')
    arg('--extra', default='', metavar='FLAGS', help='more flags for GPU units, such as -include FILE')
    arg('-q', action='store_true')
    a = ap.parse_args(); setup_paths()
    open(os.path.join(PCH, 'empty.cc'), 'w').close()
    tree, plan = os.path.abspath(a.tree), os.path.abspath(a.plan_from or a.tree)
    env, res, cache, memo = dict(x.split('=', 1) for x in a.env), [], Cache(a.cache), {}
    for script in a.setup or ['setup.py']:
        r = ask('rocm', plan, script, a.argv.split(), env); how = 'ok'
        if not has_gpu(r):
            why, r = r['error'] or 'builds no GPU extension on ROCm', ask('cuda', plan, script, a.argv.split(), env)
            how = 'refuses: ' + why
        if plan != tree:
            r = json.loads(json.dumps(r).replace(plan, tree))
        todo = [(e, s) for e, s in units_of(r) if not a.only or fnmatch.fnmatch(s, a.only)]
        bad = collections.Counter((' '.join(g), probe(g, k == 'nvcc')) for e in r['extensions'] for k in ('cxx', 'nvcc') for g in groups(e[k]))
        one = dict(setup=script, rocm_setup=how, cuda_error=r['error'], extensions=len(r['extensions']), flags=[dict(flag=f, n=n, why=w) for (f, w), n in bad.items() if w], units=[])
        res.append(one)
        if a.flags_only: continue
        names = hipify(r) if a.mode == 'hipify' else {}
        if a.map: names = {os.path.join(tree, u['original']): os.path.join(tree, u['source']) for o in json.load(open(a.map))['setups'] for u in o['units']}
        if None in names: one['hipify_error'] = names[None]
        done, work = set(), []
        if a.gpu_only: todo = [x for x in todo if x[1].endswith(GPU_EXT)]
        if a.sample:
            some = sorted({s for _, s in todo if os.path.isfile(s)}, key=lambda s: hashlib.sha1(os.path.relpath(s, tree).encode()).hexdigest())
            pick = [s for s in some if s.endswith(GPU_EXT)][:a.sample] + [s for s in some if not s.endswith(GPU_EXT)][:max(1, a.sample // 4)]
            todo = [x for x in todo if x[1] in pick]
        for e, s in todo:
            p = names.get(s, s)
            k = (p, repr(e['nvcc']), repr(e['defines']))
            if k in done or not os.path.isfile(p): continue
            done.add(k); work.append((e, s, p))
        with cf.ThreadPoolExecutor(a.jobs) as ex:
            for (e, s, p), u in zip(work, ex.map(lambda w: compile_unit(tree, r['cwd'], w[0], w[2], a.arch, a.full, a.quick, a.extra.split(), memo, cache), work)):
                u['original'] = os.path.relpath(s, tree); one['units'].append(u)
                if not a.q:
                    f = next((x for q in u['passes'].values() for x in q['errors']), None)
                    print('%-4s %s%s' % ('ok' if u['ok'] else 'FAIL', u['source'], '' if not f else '  [%s] %s:%d %s' % (f['cls'], f['file'], f['line'], f['msg'][:110])), flush=True)
    u = [x for o in res for x in o['units']]
    gpu = [x for x in u if x['gpu']]
    s = dict(units=len(u), ok=sum(x['ok'] for x in u), gpu_units=len(gpu), gpu_ok=sum(x['ok'] for x in gpu),
             builds=sum(x['ok'] and not any(w.startswith('refused') for _, w in x['bad_flags']) for x in u), setups=len(res), setups_refusing=sum(o['rocm_setup'] != 'ok' for o in res))
    if a.out: json.dump(dict(summary=s, tree=tree, mode=a.mode, arch=a.arch, setups=res), open(a.out, 'w'), indent=1)
    if a.flags_only:
        for o in res:
            print('%s: %s' % (o['setup'], o['rocm_setup']))
            for f in o['flags']: print('  %-40s %s' % (f['flag'], f['why']))
    else: print(json.dumps(s))


if __name__ == '__main__':
    main()
