"""Projects built with CMake."""
from styles import CALLED, CALLER, HEADER, HOST, KERNEL, LIBRARIES, LIBRARY, LIBRARY_H, PLAIN, SORTING, host, library, one, style

style('c01-findcuda-exe', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 2.8)
    project(x)
    find_package(CUDA REQUIRED)
    set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -O3 -gencode arch=compute_60,code=sm_60)
    cuda_add_executable(x main.cu)
    ''', one)
style('c02-findcuda-lib', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.5)
    project(x LANGUAGES C CXX)
    find_package(CUDA 9.0 REQUIRED)
    list(APPEND CUDA_NVCC_FLAGS "-std=c++14;--expt-relaxed-constexpr")
    set(CUDA_SEPARABLE_COMPILATION ON)
    include_directories(${CUDA_INCLUDE_DIRS})
    cuda_add_library(l STATIC lib.cu)
    add_executable(x main.cpp)
    target_link_libraries(x l ${CUDA_LIBRARIES} ${CUDA_cublas_LIBRARY})
    ''', host)
style('c03-project-languages', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x main.cu)
    ''', one)
style('c04-enable-language', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.10 FATAL_ERROR)
    project(x CXX)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 14)
    set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -arch=sm_70 --use_fast_math -Xcompiler -Wall")
    add_executable(x main.cu)
    ''', one)
style('c05-check-language', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX)
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
      add_executable(x main.cu)
    else()
      message(FATAL_ERROR "no CUDA support")
    endif()
    ''', one)
style('c06-toolkit-targets', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit 11.0 REQUIRED)
    add_executable(x main.cu)
    target_link_libraries(x PRIVATE CUDA::cudart CUDA::cublas CUDA::curand CUDA::cufft)
    ''', {"main.cu": LIBRARIES})
style('c07-architectures', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75 80 90)
    endif()
    project(x LANGUAGES CUDA CXX)
    add_executable(x main.cu)
    set_target_properties(x PROPERTIES CUDA_ARCHITECTURES "75;80" CUDA_STANDARD 17)
    ''', one)
style('c08-archs-native-all-off', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.24)
    set(CMAKE_CUDA_ARCHITECTURES native)
    project(x LANGUAGES CUDA CXX)
    add_executable(x main.cu)
    add_library(l OBJECT lib.cu)
    set_property(TARGET l PROPERTY CUDA_ARCHITECTURES OFF)
    add_library(m OBJECT lib.cu)
    set_property(TARGET m PROPERTY CUDA_ARCHITECTURES all-major)
    ''', {**one, "lib.cu": LIBRARY, "lib.h": LIBRARY_H})
style('c09-separable', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x a.cu b.cu)
    set_target_properties(x PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    ''', {"a.cu": CALLER, "b.cu": CALLED})
style('c10-genex', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x main.cpp lib.cu)
    target_compile_features(x PRIVATE cxx_std_17 cuda_std_17)
    target_compile_options(x PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wall>
      $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr --extended-lambda -lineinfo>
      $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>
      $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xptxas=-v>)
    target_compile_definitions(x PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:GPU_CODE=1>)
    ''', library)
style('c11-variable-sources', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    set(SOURCES main.cpp)
    list(APPEND SOURCES lib.cu)
    add_executable(x ${SOURCES})
    ''', library)
style('c12-glob', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    file(GLOB_RECURSE SRCS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cu ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
    add_executable(x ${SRCS})
    target_include_directories(x PRIVATE src)
    ''', {"src/lib.cu": LIBRARY, "src/lib.h": LIBRARY_H, "src/main.cpp": PLAIN})
style('c13-target-sources', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x)
    target_sources(x PRIVATE main.cpp lib.cu)
    ''', library)
style('c14-source-language', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x main.cpp kernel.cpp)
    set_source_files_properties(kernel.cpp PROPERTIES LANGUAGE CUDA)
    ''', {"kernel.cpp": LIBRARY, "lib.h": LIBRARY_H, "main.cpp": PLAIN})
style('c15-subdirs', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    add_subdirectory(lib)
    add_subdirectory(app)
    ''', {"lib/CMakeLists.txt": '''add_library(l STATIC lib.cu)
target_include_directories(l PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(l PUBLIC CUDA::cudart)
''', "app/CMakeLists.txt": '''add_executable(x main.cpp)
target_link_libraries(x PRIVATE l)
''', "lib/lib.cu": LIBRARY, "lib/lib.h": LIBRARY_H, "app/main.cpp": HOST})
style('c16-option-with-cuda', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    option(USE_CUDA "GPU support" ON)
    project(x LANGUAGES CXX)
    if(USE_CUDA)
      enable_language(CUDA)
      find_package(CUDAToolkit REQUIRED)
      add_compile_definitions(USE_CUDA)
      set(GPU_SRC lib.cu)
    endif()
    add_executable(x main.cpp ${GPU_SRC})
    if(USE_CUDA)
      target_link_libraries(x PRIVATE CUDA::cudart CUDA::nvToolsExt)
    endif()
    ''', host)
style('c17-toolkit-version', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(CUDAToolkit_VERSION VERSION_LESS 11.0)
      message(FATAL_ERROR "CUDA 11 is needed, found ${CUDAToolkit_VERSION}")
    endif()
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 11.2)
      message(FATAL_ERROR "nvcc 11.2 is needed")
    endif()
    if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
      message(FATAL_ERROR "only nvcc works")
    endif()
    add_executable(x main.cu)
    target_link_libraries(x PRIVATE CUDA::cudart_static)
    ''', one)
style('c18-ptx', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_library(ptx OBJECT lib.cu)
    set_property(TARGET ptx PROPERTY CUDA_PTX_COMPILATION ON)
    add_executable(x main.cu)
    add_dependencies(x ptx)
    ''', {**one, "lib.cu": LIBRARY, "lib.h": LIBRARY_H})
style('c19-custom-command-nvcc', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX)
    find_package(CUDAToolkit REQUIRED)
    add_custom_command(OUTPUT lib.o COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -c ${CMAKE_SOURCE_DIR}/lib.cu -o lib.o DEPENDS lib.cu)
    add_executable(x main.cpp lib.o)
    target_link_libraries(x PRIVATE CUDA::cudart)
    ''', host)
style('c20-host-only', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX)
    find_package(CUDAToolkit REQUIRED)
    add_executable(x main.cpp)
    target_link_libraries(x PRIVATE CUDA::cudart CUDA::cuda_driver)
    ''', {"main.cpp": '''#include <cuda_runtime.h>
#include <cuda.h>
int main() { int n; cuInit(0); return cudaGetDeviceCount(&n); }
'''})
style('c21-linker-flags', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_executable(x main.cu)
    target_include_directories(x PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    target_link_directories(x PRIVATE /usr/local/cuda/lib64)
    target_link_libraries(x PRIVATE cudart cublas -lcurand)
    ''', {"main.cu": '''#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <curand.h>
__global__ void k(float *x) { x[0] = 1; }
int main() { cublasHandle_t h; cublasCreate(&h); curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
 float *d; cudaMalloc(&d, 4); k<<<1,1>>>(d); return cublasDestroy(h); }
'''})
style('c22-foreach', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    foreach(t main other)
      add_executable(${t} ${t}.cu)
    endforeach()
    ''', {**one, "other.cu": KERNEL})
style('c23-function', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    function(add_gpu_app name)
      add_executable(${name} ${ARGN})
      target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-O3 --generate-code=arch=compute_80,code=sm_80>)
    endfunction()
    add_gpu_app(x main.cu)
    ''', one)
style('c24-cuda-host-mixed-lib', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    add_library(l SHARED lib.cu)
    set_target_properties(l PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_RUNTIME_LIBRARY Shared)
    add_executable(x main.cpp)
    target_link_libraries(x PRIVATE l)
    ''', library)
style('c25-presets', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.21)
    project(x LANGUAGES CXX CUDA)
    add_executable(x main.cu)
    ''', {**one, "CMakePresets.json": '''{
  "version": 3,
  "configurePresets": [
    {"name": "gpu", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build",
     "cacheVariables": {"CMAKE_CUDA_ARCHITECTURES": "80", "CMAKE_CUDA_COMPILER": "/usr/local/cuda/bin/nvcc", "CMAKE_CUDA_FLAGS": "--use_fast_math"},
     "environment": {"CUDACXX": "nvcc"}}
  ]
}
'''})
style('c26-fetchcontent', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    include(FetchContent)
    FetchContent_Declare(dep SOURCE_DIR ${CMAKE_SOURCE_DIR}/dep)
    FetchContent_MakeAvailable(dep)
    add_executable(x main.cpp)
    target_link_libraries(x PRIVATE dep)
    ''', {"main.cpp": PLAIN, "dep/lib.cu": LIBRARY, "dep/lib.h": LIBRARY_H, "dep/CMakeLists.txt": '''add_library(dep STATIC lib.cu)
target_include_directories(dep PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
set_target_properties(dep PROPERTIES CUDA_SEPARABLE_COMPILATION OFF)
'''})
style('c27-compiler-before-project', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.12)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
    set(CUDA_TOOLKIT_ROOT_DIR /usr/local/cuda)
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
    project(x CUDA CXX)
    set(CMAKE_CUDA_FLAGS "-ccbin ${CMAKE_CXX_COMPILER} -Xcompiler=-fPIC -m64 -arch=sm_60")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
    set(CMAKE_CUDA_FLAGS_DEBUG "-g -G")
    add_executable(x main.cu)
    ''', one)
style('c28-thrust-cub', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CCCL QUIET)
    if(CCCL_FOUND)
      message(STATUS "CCCL")
    endif()
    find_package(Thrust QUIET CONFIG)
    add_executable(x main.cu)
    ''', {"main.cu": '''#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <cub/cub.cuh>
int main() { thrust::device_vector<int> v(4, 1); size_t n = 0; int *o = 0; cub::DeviceReduce::Sum(nullptr, n, o, o, 4); return thrust::reduce(v.begin(), v.end()); }
'''})
style('c29-exported-config', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    include(CMakePackageConfigHelpers)
    add_library(l STATIC lib.cu)
    configure_package_config_file(xConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/xConfig.cmake INSTALL_DESTINATION lib/cmake/x)
    install(TARGETS l EXPORT xTargets)
    add_executable(x main.cpp)
    target_link_libraries(x PRIVATE l)
    ''', {**library, "xConfig.cmake.in": '''@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency(CUDAToolkit)
include("${CMAKE_CURRENT_LIST_DIR}/xTargets.cmake")
'''})
style('c30-unity-generated', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    configure_file(lib.cu.in ${CMAKE_CURRENT_BINARY_DIR}/gen/lib.cu @ONLY)
    add_executable(x main.cpp ${CMAKE_CURRENT_BINARY_DIR}/gen/lib.cu)
    target_include_directories(x PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    ''', {"main.cpp": PLAIN, "lib.h": LIBRARY_H, "lib.cu.in": LIBRARY})
style('c31-host-uses-runtime', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    include_directories(${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    add_executable(x main.cpp lib.cu)
    ''', host)
style('c32-target-include', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    add_executable(x main.cpp lib.cu)
    target_include_directories(x PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    ''', host)
style('c33-findcuda-folders', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.10)
    project(x LANGUAGES CXX)
    find_package(CUDA REQUIRED)
    set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -std=c++17)
    set(CMAKE_CXX_STANDARD 11)
    add_subdirectory(src)
    ''', {
    "src/CMakeLists.txt": '''file(GLOB SRC *.cu)
cuda_add_library(l ${SRC})
target_link_libraries(l ${CUDA_cublas_LIBRARY})
cuda_add_executable(x main.cpp)
target_link_libraries(x l)
''', "src/main.cpp": HOST, "src/lib.h": LIBRARY_H, "src/lib.cu": '''#include <cublas_v2.h>
#include <cub/cub.cuh>
#include "lib.h"
template <class T> constexpr int rank = 1;
__global__ void fill(float *p, float v) { p[threadIdx.x * rank<float>] = v; }
void launch_fill(float *p, float v) { cublasHandle_t h; cublasCreate(&h); fill<<<1, 32>>>(p, v); cublasDestroy(h); }
'''})
style('c34-packages-and-checks', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.19)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    find_package(CUB 1.10 REQUIRED)
    find_path(BLAS_DIR cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(BLAS cublas HINTS ${CUDAToolkit_LIBRARY_DIR})
    include(CheckSourceCompiles)
    check_source_compiles(CUDA "#include <cuda_runtime.h>
      int main() { void *p; return cudaMalloc(&p, 4) != cudaSuccess; }" WORKS)
    if(NOT BLAS_DIR OR NOT BLAS OR NOT WORKS)
      message(FATAL_ERROR "not found: ${BLAS_DIR} ${BLAS} ${WORKS}")
    endif()
    add_executable(x main.cu)
    target_include_directories(x PRIVATE ${BLAS_DIR})
    target_link_libraries(x PRIVATE CUB::CUB ${BLAS})
    ''', {"main.cu": '''#include <cub/cub.cuh>
#include <cublas_v2.h>
__global__ void k(float *x) { x[0] = 1; }
int main() { size_t n = 0; int *o = 0; cub::DeviceReduce::Sum(nullptr, n, o, o, 4); k<<<1, 1>>>(nullptr);
 cublasHandle_t h; return cublasCreate(&h); }
'''})
style('c35-emptied', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    set(toolkit ${CMAKE_CUDA_COMPILER_VERSION})
    if("${toolkit}" VERSION_LESS "11.0")
      message(FATAL_ERROR "needs CUDA 11")
    endif()
    set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DWITH_JSON -fPIC")
    set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -Xcompiler ${CMAKE_CXX_FLAGS})
    add_executable(x main.cu)
    target_compile_options(x PUBLIC $<$<COMPILE_LANGUAGE:CUDA>: ${CUDA_NVCC_FLAGS} >)
    target_include_directories(x PRIVATE "${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}")
    include_directories("${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}")
    ''', {"main.cu": "#ifndef WITH_JSON\n#error the option of the host's compiler was lost\n#endif\n" + KERNEL, "k.cuh": HEADER})
style('c36-findcuda-objects', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.5)
    project(x LANGUAGES CXX)
    find_package(CUDA 9.0 REQUIRED)
    include_directories(${CUDA_INCLUDE_DIRS})
    find_cuda_helper_libs(curand)
    get_filename_component(folder ${CUDA_CUDART_LIBRARY} PATH)
    list(APPEND CUDA_NVCC_FLAGS "-gencode arch=compute_60,code=sm_60")
    list(APPEND CUDA_NVCC_FLAGS "-gencode arch=compute_70,code=sm_70")
    cuda_compile(objects lib.cu)
    add_executable(x main.cpp ${objects})
    target_link_libraries(x ${CUDA_LIBRARIES} ${CUDA_curand_LIBRARY})
    ''', host)
style('c37-older-standard', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    set(CMAKE_CXX_STANDARD 11)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    add_executable(x main.cu)
    ''', {"main.cu": SORTING})
style('c38-older-standard-of-cuda', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    set(CMAKE_CUDA_STANDARD 11)
    set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -std=c++11")
    add_executable(x main.cu)
    set_target_properties(x PROPERTIES CUDA_STANDARD 11)
    ''', {"main.cu": SORTING})
style('c39-host-source-with-thrust', "CMakeLists.txt", '''
    cmake_minimum_required(VERSION 3.18)
    project(x LANGUAGES CXX CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DOF_HOST=1 -Wall")
    add_library(l STATIC lib.cu)
    add_executable(x main.cpp src/sum.cpp)
    target_link_libraries(x PRIVATE l CUDA::cudart)
    ''', dict(host) | {"src/sum.cpp": '''#include <thrust/host_vector.h>
#ifndef OF_HOST
#error the options of C++ were lost
#endif
int sum(const thrust::host_vector<int> &numbers)
{
    int all = 0;
    for (int number : numbers)
        all += number;
    return all;
}
'''})
