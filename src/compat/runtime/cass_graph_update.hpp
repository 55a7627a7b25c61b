// name: cass_graph_update
// provides: cass_cudaGraphExecUpdateResultInfo_st, cass_cudaGraphExecUpdateResultInfo, cass_cudaGraphExecUpdate, cass_CUgraphExecUpdateResultInfo_st, cass_CUgraphExecUpdateResultInfo, cass_cuGraphExecUpdate, cass_cuGraphExecUpdate_v2
// replaces: cudaGraphExecUpdateResultInfo_st, cudaGraphExecUpdateResultInfo, cudaGraphExecUpdate, CUgraphExecUpdateResultInfo_st, CUgraphExecUpdateResultInfo, cuGraphExecUpdate, cuGraphExecUpdate_v2
// summary: An update of a graph that gives back a structure, as CUDA 12 has it; HIP takes a pointer for each of its parts and names no second node of an edge.
// source: CUDA Runtime API 13.0, cudaGraphExecUpdate; hip/hip_runtime_api.h of ROCm 6.4, hipGraphExecUpdate
typedef struct cass_cudaGraphExecUpdateResultInfo_st {
    hipGraphExecUpdateResult result;
    hipGraphNode_t errorNode, errorFromNode;
} cass_cudaGraphExecUpdateResultInfo;
static inline hipError_t cass_cudaGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, cass_cudaGraphExecUpdateResultInfo* info)
{
    info->errorNode = NULL;
    info->errorFromNode = NULL;
    return hipGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
#define cass_CUgraphExecUpdateResultInfo_st cass_cudaGraphExecUpdateResultInfo_st
#define cass_CUgraphExecUpdateResultInfo cass_cudaGraphExecUpdateResultInfo
#define cass_cuGraphExecUpdate cass_cudaGraphExecUpdate
#define cass_cuGraphExecUpdate_v2 cass_cudaGraphExecUpdate
