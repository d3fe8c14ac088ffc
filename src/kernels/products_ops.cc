#include "kernels/products_ops.h"

#include <torch/torch.h>

#include <string_view>

namespace neo {
namespace {

int64_t numel_of(const c10::IValue& value) { return value.isTensor() ? value.toTensor().numel() : 0; }
int64_t last_of(const c10::IValue& value) { return value.isTensor() ? value.toTensor().size(-1) : 0; }

// One number may stand for all axes.
int64_t along(const std::vector<int64_t>& list, int64_t axis) {
  return list.size() == 1 ? list[0] : list.at(static_cast<size_t>(axis));
}

// Only operators that multiply themselves: linear or matmul end in one of these.
int64_t products_of(const at::RecordFunction& call) {
  const std::string_view name = call.name();
  const auto inputs = call.inputs();
  const auto at = [&](size_t i) { return inputs.size() > i ? inputs[i] : c10::IValue(); };
  // [.., n, k] x [.., k, m]: n k m, and as often as the batch is long
  if (name == "aten::mm" || name == "aten::bmm") return numel_of(at(0)) * last_of(at(1));
  if (name == "aten::addmm" || name == "aten::baddbmm") return numel_of(at(1)) * last_of(at(2));
  if (name == "aten::mv" || name == "aten::dot") return numel_of(at(0));
  if (name == "aten::addmv") return numel_of(at(1));
  if (name == "aten::convolution" || name == "aten::convolution_backward") {
    const bool backward = name == "aten::convolution_backward";
    const auto weight = at(backward ? 2 : 1);
    if (!weight.isTensor()) return 0;
    const auto& w = weight.toTensor();
    const bool transposed = at(backward ? 7 : 6).toBool();
    // Every input pixel of a transposed convolution, every output pixel of another, meets the whole kernel.
    const auto& x = at(backward ? 1 : 0).toTensor();
    if (transposed) return (backward ? 2 : 1) * x.numel() / w.size(0) * w.numel();
    int64_t pixels = x.size(0);
    const auto stride = at(backward ? 4 : 3).toIntVector(), padding = at(backward ? 5 : 4).toIntVector();
    for (int64_t d = 2; d < x.dim(); ++d)
      pixels *= (x.size(d) + 2 * along(padding, d - 2) - w.size(d)) / along(stride, d - 2) + 1;
    return (backward ? 2 : 1) * pixels * w.numel();
  }
  return 0;
}

}  // namespace

AllProductCounter::AllProductCounter()
    : handle_(at::addGlobalCallback(
          at::RecordFunctionCallback([](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
            count_products(products_of(call));
            return nullptr;
          })
              .needsInputs(true)
              .scopes({at::RecordScope::FUNCTION}))) {}

AllProductCounter::~AllProductCounter() { at::removeCallback(handle_); }

}  // namespace neo
