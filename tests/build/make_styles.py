"""Projects built with make."""
from styles import CALLED, CALLER, HEADER, HOST, KERNEL, LIBRARIES, LIBRARY, LIBRARY_H, SORTING, host, one, style

style('m01-plain', "Makefile", '''
    NVCC = nvcc
    x: main.cu k.cuh
    	$(NVCC) -O3 -arch=sm_70 -o $@ $<
    ''', one)
style('m02-cuda-home', "Makefile", '''
    CUDA_HOME ?= /usr/local/cuda
    NVCC := $(CUDA_HOME)/bin/nvcc
    CXX := g++
    GENCODE := -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=\\"sm_80,compute_80\\"
    NVFLAGS := -std=c++14 $(GENCODE) --ptxas-options=-v -Xcompiler "-Wall -fopenmp" -lineinfo
    LDLIBS := -L$(CUDA_HOME)/lib64 -lcudart -lcublas -lcurand -lcufft
    x: main.o
    	$(CXX) -o $@ $^ $(LDLIBS)
    %.o: %.cu
    	$(NVCC) $(NVFLAGS) -I$(CUDA_HOME)/include -c -o $@ $<
    ''', {"main.cu": LIBRARIES})
style('m03-mixed-host', "Makefile", '''
    NVCC = nvcc
    CXX = g++
    INC = -I/usr/local/cuda/include
    OBJS = main.o lib.o
    x: $(OBJS)
    	$(NVCC) -o $@ $(OBJS)
    main.o: main.cpp
    	$(CXX) $(INC) -c $<
    lib.o: lib.cu
    	$(NVCC) -c $<
    ''', host)
style('m04-source-then-object', "Makefile", '''
    x: main.cu lib.o
    	nvcc -o x main.cu lib.o
    lib.o: lib.cu
    	nvcc -c lib.cu
    ''', {"main.cu": HOST, "lib.cu": LIBRARY, "lib.h": LIBRARY_H})
style('m05-rdc-dlink', "Makefile", '''
    NVCC = nvcc -arch=sm_70
    x: a.o b.o dlink.o
    	g++ -o $@ a.o b.o dlink.o -L/usr/local/cuda/lib64 -lcudadevrt -lcudart
    dlink.o: a.o b.o
    	$(NVCC) -dlink -o $@ $^
    %.o: %.cu
    	$(NVCC) -dc -o $@ $<
    ''', {"a.cu": CALLER, "b.cu": CALLED})
style('m06-suffix-rules', "Makefile", '''
    .SUFFIXES: .cu .o
    NVCCFLAGS = -O2 -arch sm_60 -code sm_60
    .cu.o:
    	nvcc $(NVCCFLAGS) -c $< -o $@
    x: main.o
    	nvcc $(NVCCFLAGS) -o x main.o
    ''', one)
style('m07-which-nvcc', "Makefile", '''
    NVCC := $(shell which nvcc)
    ifeq ($(NVCC),)
    $(error nvcc not found)
    endif
    CUDA_VERSION := $(shell nvcc --version | sed -n 's/.*release \\([0-9]*\\).*/\\1/p')
    ifeq ($(shell test $(CUDA_VERSION) -lt 9 && echo old),old)
    $(error CUDA 9 needed)
    endif
    x: main.cu
    	$(NVCC) main.cu -o x
    ''', one)
style('m08-ptx-cubin', "Makefile", '''
    all: x lib.ptx lib.fatbin
    x: main.cu
    	nvcc main.cu -o x
    lib.ptx: lib.cu
    	nvcc -ptx -o $@ $<
    lib.fatbin: lib.cu
    	nvcc -fatbin -gencode=arch=compute_70,code=sm_70 $< -o $@
    ''', {**one, "lib.cu": LIBRARY, "lib.h": LIBRARY_H})
style('m09-x-cu', "Makefile", '''
    x: main.cpp
    	nvcc -x cu -arch=sm_80 -std=c++17 -o $@ $<
    ''', {"main.cpp": KERNEL, "k.cuh": HEADER})
style('m10-shared', "Makefile", '''
    libx.so: lib.cu
    	nvcc -shared -Xcompiler -fPIC -o $@ $< -cudart shared
    x: main.cpp libx.so
    	nvcc -ccbin g++ -o x main.cpp -L. -lx -Xlinker -rpath=.
    .DEFAULT_GOAL := x
    ''', host)
style('m11-static-lib', "Makefile", '''
    libx.a: lib.cu
    	nvcc -lib -o libx.a lib.cu
    x: main.cpp libx.a
    	nvcc -o x main.cpp libx.a
    .DEFAULT_GOAL := x
    ''', host)
style('m12-depfiles', "Makefile", '''
    SRCS := main.cu
    x: main.o
    	nvcc $^ -o $@
    %.o: %.cu
    	nvcc -MM -MT $@ $< > $*.d
    	nvcc -MD -c $< -o $@
    -include $(SRCS:.cu=.d)
    ''', one)
style('m13-run-flag', "Makefile", '''
    FLAGS = -O3 --use_fast_math -Wno-deprecated-gpu-targets --maxrregcount=32 -Xptxas -dlcm=cg,-v -t 0 --threads 2 -m64 -Xcompiler=-O3,-march=native
    x: main.cu
    	nvcc $(FLAGS) main.cu -o x
    ''', one)
style('m14-sm-loop', "Makefile", '''
    SMS ?= 60 70 80
    $(foreach sm,$(SMS),$(eval GENCODE_FLAGS += -gencode arch=compute_$(sm),code=sm_$(sm)))
    HIGHEST_SM := $(lastword $(sort $(SMS)))
    GENCODE_FLAGS += -gencode arch=compute_$(HIGHEST_SM),code=compute_$(HIGHEST_SM)
    x: main.cu
    	nvcc -m64 $(GENCODE_FLAGS) main.cu -o x
    ''', one)
style('m15-gpp-only', "Makefile", '''
    CUDA ?= /usr/local/cuda
    x: main.cpp
    	g++ -I$(CUDA)/include main.cpp -o x -L$(CUDA)/lib64 -lcudart -lcuda
    ''', {"main.cpp": '''#include <cuda_runtime.h>
#include <cuda.h>
int main() { int n; cuInit(0); return cudaGetDeviceCount(&n); }
'''})
style('m16-c-sources', "Makefile", '''
    CC = nvcc
    CFLAGS = -O2 -std=c++14
    x: main.o count.o
    	$(CC) $(CFLAGS) -o $@ main.o count.o
    %.o: %.cu
    	$(CC) $(CFLAGS) -c $<
    %.o: %.c
    	$(CC) $(CFLAGS) -c $<
    ''', {"main.cu": KERNEL.replace("return cuda", "return count() + cuda").replace("int main", 'extern "C" int count(void);\nint main'), "k.cuh": HEADER,
         "count.c": "int count(void) { int class = 0; return class; }\n"})
style('m17-link-lists', "Makefile", '''
    LIBRARIES := cudart cublas curand
    LIBRARIES += cufft
    LDFLAGS += $(foreach library,$(LIBRARIES),-l$(library))
    SYSTEM = m
    LDFLAGS += $(addprefix -l,$(SYSTEM))
    x: main.cu
    	nvcc main.cu -o x $(LDFLAGS)
    ''', {"main.cu": LIBRARIES})
style('m18-older-standard', "Makefile", '''
    NVCC = nvcc
    STANDARD = -std=c++11
    NVCCFLAGS = -O2 $(STANDARD)
    x: main.o
    	$(NVCC) -o $@ $<
    main.o: main.cu
    	$(NVCC) $(NVCCFLAGS) -c -o $@ $<
    ''', {"main.cu": SORTING})
