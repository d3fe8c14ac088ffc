#pragma once

#include <torch/torch.h>

#include <functional>
#include <vector>

namespace neo {

using RowFunction = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

// f(inputs), where row b of the result depends on row b of the inputs alone: computed for a few rows at a
// time, every chunk by one thread from beginning to end, forward and backward. LibTorch runs one operation
// after the other on all rows instead, which reads and writes everything through the slowest cache and waits
// for all threads at each of hundreds of small operations. To the graph it is one node.
// `parameters` are the leaves that f uses. The chunks, and so the result to the last bit, do not depend on
// the number of threads.
torch::Tensor by_rows(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& parameters,
                      const RowFunction& f, int64_t rows_per_chunk);

}  // namespace neo
