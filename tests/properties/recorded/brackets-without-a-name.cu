<CUresult>(CUresult value) { return val failedtemplate <> boolue != CUDA_SUCCESS; }

class Failure {
public:
    expl:
    expl