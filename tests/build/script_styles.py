"""Projects built by a script of their own."""
from styles import one, style

style('s01-shell', "build.sh", '''
    #!/bin/sh
    set -e
    nvcc -O2 -arch=sm_70 -std=c++14 main.cu -o x -lcublas
    ''', one)
style('s02-shell-cmake', "build.sh", '''
    #!/bin/sh
    set -e
    mkdir -p build && cd build
    cmake .. -DCMAKE_CUDA_ARCHITECTURES=80 -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc -DCUDA_TOOLKIT_ROOT_DIR=/usr/local/cuda
    make
    ''', {**one, "CMakeLists.txt": '''cmake_minimum_required(VERSION 3.18)
project(x LANGUAGES CXX CUDA)
add_executable(x main.cu)
'''})
