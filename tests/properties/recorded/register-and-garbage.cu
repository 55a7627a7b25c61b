__global__ void k() { register double a; nv_bfloat16 x = a*x0; atomicMin(*,); }
