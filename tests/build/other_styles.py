"""Projects whose build files nothing rewrites: each has a finding that says what to do."""
from styles import LIBRARY, LIBRARY_H, host, one, style

style('o01-meson', "meson.build", '''
    project('x', 'cpp', 'cuda', default_options: ['cpp_std=c++17'])
    cuda = import('unstable-cuda')
    dep = dependency('cuda', version: '>=11', modules: ['cublas'])
    executable('x', 'main.cpp', 'lib.cu', dependencies: dep, cuda_args: ['-arch=sm_80', '--use_fast_math'])
    ''', host)
style('o02-bazel', "BUILD.bazel", '''
    load("@rules_cuda//cuda:defs.bzl", "cuda_library")

    cuda_library(
        name = "lib",
        srcs = ["lib.cu"],
        hdrs = ["lib.h"],
        copts = ["-arch=sm_80"],
    )

    cc_binary(
        name = "x",
        srcs = ["main.cpp"],
        deps = [":lib", "@local_cuda//:cuda_runtime"],
    )
    ''', {**host, "MODULE.bazel": '''bazel_dep(name = "rules_cuda", version = "0.2.5")
cuda = use_extension("@rules_cuda//cuda:extensions.bzl", "toolchain")
'''})
style('o03-autoconf', "configure.ac", '''
    AC_INIT([x],[1.0])
    AM_INIT_AUTOMAKE([foreign])
    AC_PROG_CXX
    AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=PATH])], [CUDA_HOME=$withval], [CUDA_HOME=/usr/local/cuda])
    AC_PATH_PROG([NVCC],[nvcc],[no],[$CUDA_HOME/bin])
    LIBS="$LIBS -L$CUDA_HOME/lib64 -lcudart"
    AC_SUBST([NVCC])
    AC_CONFIG_FILES([Makefile])
    AC_OUTPUT
    ''', {**host, "Makefile.am": '''bin_PROGRAMS = x
x_SOURCES = main.cpp
x_LDADD = lib.o
lib.o: lib.cu
	$(NVCC) -c -arch=sm_70 -o $@ $<
'''})
style('o04-docker', "Dockerfile", '''
    FROM nvidia/cuda:12.4.1-devel-ubuntu22.04
    RUN apt-get update && apt-get install -y cmake cuda-toolkit-12-4 libcublas-dev-12-4
    ENV CUDA_HOME=/usr/local/cuda LD_LIBRARY_PATH=/usr/local/cuda/lib64
    ENV NVIDIA_VISIBLE_DEVICES=all
    COPY . /src
    RUN cd /src && nvcc -arch=sm_80 main.cu -o x
    ''', {**one, "docker-compose.yml": '''services:
  x:
    build: .
    runtime: nvidia
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              capabilities: [gpu]
'''})
style('o05-github', ".github/workflows/ci.yml", '''
    on: push
    jobs:
      build:
        runs-on: ubuntu-22.04
        container: nvidia/cuda:12.4.1-devel-ubuntu22.04
        steps:
          - uses: actions/checkout@v4
          - uses: Jimver/cuda-toolkit@v0.2.15
            with:
              cuda: "12.4.1"
          - run: cmake -S . -B build -DCMAKE_CUDA_ARCHITECTURES=80 -DCMAKE_CUDA_COMPILER=nvcc
          - run: nvcc --version && nvidia-smi
    ''', one)
style('o06-conda', "recipe/meta.yaml", '''
    package:
      name: x
    requirements:
      build:
        - {{ compiler("cxx") }}
        - {{ compiler("cuda") }}
      host:
        - cuda-version {{ cuda_version }}
        - libcublas-dev
        - cuda-cudart-dev
    ''', {**one, "environment.yml": '''dependencies:
  - cuda-nvcc=12.4
  - cudatoolkit
  - cmake
''', "recipe/build.sh": 'cmake -S . -B build -DCMAKE_CUDA_ARCHITECTURES=all-major\n'})
style('o07-pyproject', "pyproject.toml", '''
    [build-system]
    requires = ["scikit-build-core", "nvidia-cuda-nvcc-cu12"]
    build-backend = "scikit_build_core.build"
    [tool.scikit-build]
    cmake.args = ["-DCMAKE_CUDA_ARCHITECTURES=80"]
    [project]
    name = "x"
    version = "1"
    dependencies = ["cupy-cuda12x", "nvidia-cublas-cu12"]
    ''', {"CMakeLists.txt": '''cmake_minimum_required(VERSION 3.18)
project(x LANGUAGES CXX CUDA)
add_library(x SHARED lib.cu)
''', "lib.cu": LIBRARY, "lib.h": LIBRARY_H})
style('o08-xmake', "xmake.lua", '''
    target("x")
        set_kind("binary")
        add_files("*.cu")
        add_cugencodes("native")
    ''', one)
style('o09-vcxproj', "x.vcxproj", '''
    <Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ImportGroup Label="ExtensionSettings"><Import Project="$(VCTargetsPath)\\BuildCustomizations\\CUDA 12.4.props" /></ImportGroup><ItemGroup><CudaCompile Include="main.cu" /></ItemGroup></Project>
    ''', one)
style('o10-scons', "SConstruct", '''
    env = Environment(CXX='nvcc')
    env.Append(LIBS=['cudart', 'cublas'], LIBPATH=['/usr/local/cuda/lib64'])
    env.Program('x', ['main.cu'])
    ''', one)
style('o11-buck', "BUCK", '''
    cxx_binary(name = "x", srcs = ["main.cu"], deps = ["//third-party/cuda:cudart"])
    ''', {**one, "defs.bzl": '''def gpu(name):
    native.genrule(name = name, cmd = "nvcc -arch=sm_80 $SRCS -o $OUT")
'''})
style('o12-configure', "configure", '''
    #!/bin/sh
    NVCC=${NVCC:-nvcc}
    $NVCC --version >/dev/null || exit 1
    printf "x: main.cu\\n\\t$NVCC -arch=sm_70 main.cu -o x\\n" > Makefile
    ''', one)
