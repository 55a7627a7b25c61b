// helper: a list of algorithms as long as the library says
#include <cudnn.h>

#include <vector>
void max_count(cudnnHandle_t h, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y) {
  int most = 0, got = 0;
  cudnnGetConvolutionForwardAlgorithmMaxCount(h, &most);
  std::vector<cudnnConvolutionFwdAlgoPerf_t> perfs(most);
  cudnnFindConvolutionForwardAlgorithm(h, x, w, c, y, most, &got, perfs.data());
  for (auto& p : perfs) if (p.status == CUDNN_STATUS_SUCCESS && p.determinism == CUDNN_DETERMINISTIC && p.mathType == CUDNN_DEFAULT_MATH) break;
}
