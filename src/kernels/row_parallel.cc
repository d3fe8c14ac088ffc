#include "kernels/row_parallel.h"

#include <algorithm>

#include "kernels/parallel.h"

namespace neo {
namespace {
namespace autograd = torch::autograd;

// What a chunk was computed from and to, with the graph between them.
struct Chunk {
  std::vector<torch::Tensor> inputs;
  torch::Tensor output;
};

struct ChunkHolder : torch::CustomClassHolder {
  std::vector<Chunk> chunks;
};

template <typename F>
void each(size_t count, const F& f) {
  in_parallel(static_cast<int64_t>(count), [&](int64_t i) { f(static_cast<size_t>(i)); });
}

std::vector<Chunk> run_chunks(const std::vector<torch::Tensor>& inputs, const RowFunction& f, int64_t size,
                              bool with_gradient) {
  const int64_t rows = inputs.front().size(0);
  std::vector<Chunk> chunks(static_cast<size_t>(std::max<int64_t>((rows + size - 1) / size, 1)));
  each(chunks.size(), [&](size_t i) {
    const torch::AutoGradMode mode(with_gradient);
    const int64_t first = static_cast<int64_t>(i) * size;
    for (const auto& input : inputs) {
      const auto part = input.detach().narrow(0, first, std::min(size, rows - first));
      chunks[i].inputs.push_back(with_gradient && input.requires_grad() ? part.requires_grad_() : part);
    }
    chunks[i].output = f(chunks[i].inputs);
  });
  return chunks;
}

torch::Tensor joined(const std::vector<Chunk>& chunks) {
  if (chunks.size() == 1) return chunks.front().output.detach();
  std::vector<torch::Tensor> outputs;
  for (const Chunk& chunk : chunks) outputs.push_back(chunk.output.detach());
  return torch::cat(outputs);
}

struct ByRows : autograd::Function<ByRows> {
  static torch::Tensor forward(autograd::AutogradContext* context, at::TensorList inputs,
                               at::TensorList parameters, const RowFunction& f, int64_t size) {
    auto holder = c10::make_intrusive<ChunkHolder>();
    holder->chunks = run_chunks(inputs.vec(), f, size, /*with_gradient=*/true);
    context->saved_data["inputs"] = static_cast<int64_t>(inputs.size());
    context->saved_data["parameters"] = parameters.vec();
    const auto out = joined(holder->chunks);
    context->saved_data["chunks"] = c10::IValue::make_capsule(std::move(holder));
    return out;
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto holder =
        c10::static_intrusive_pointer_cast<ChunkHolder>(context->saved_data["chunks"].toCapsule());
    auto& chunks = holder->chunks;
    const auto count = static_cast<size_t>(context->saved_data["inputs"].toInt());
    const auto parameters = context->saved_data["parameters"].toTensorVector();
    std::vector<autograd::variable_list> gradients(chunks.size());  // of inputs that want one, parameters
    std::vector<int64_t> first(chunks.size() + 1, 0);
    for (size_t i = 0; i < chunks.size(); ++i) first[i + 1] = first[i] + chunks[i].output.size(0);
    each(chunks.size(), [&](size_t i) {
      autograd::variable_list wanted;
      for (const auto& input : chunks[i].inputs)
        if (input.requires_grad()) wanted.push_back(input);
      wanted.insert(wanted.end(), parameters.begin(), parameters.end());
      gradients[i] = autograd::grad({chunks[i].output}, wanted,
                                    {upstream[0].narrow(0, first[i], first[i + 1] - first[i])},
                                    /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
    });
    return collected(chunks, gradients, count, parameters.size());
  }

  // Rows of inputs one after the other, parameters summed in the order of the chunks.
  static autograd::variable_list collected(const std::vector<Chunk>& chunks,
                                           const std::vector<autograd::variable_list>& gradients,
                                           size_t inputs, size_t parameters) {
    autograd::variable_list out(inputs + parameters + 2);
    size_t at = 0;
    for (size_t input = 0; input < inputs; ++input) {
      if (!chunks.front().inputs[input].requires_grad()) continue;
      std::vector<torch::Tensor> parts;
      for (size_t i = 0; i < chunks.size(); ++i) {
        const auto& part = gradients[i][at];
        parts.push_back(part.defined() ? part : torch::zeros_like(chunks[i].inputs[input]));
      }
      out[input] = torch::cat(parts);
      ++at;
    }
    each(parameters, [&](size_t p) {
      const torch::NoGradGuard no_gradient;
      auto& sum = out[inputs + p];
      for (const auto& gradient : gradients) {
        if (gradient[at + p].defined()) sum = sum.defined() ? sum.add_(gradient[at + p]) : gradient[at + p];
      }
    });
    return out;
  }
};

}  // namespace

torch::Tensor by_rows(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& parameters,
                      const RowFunction& f, int64_t rows_per_chunk) {
  if (!torch::GradMode::is_enabled())
    return joined(run_chunks(inputs, f, rows_per_chunk, /*with_gradient=*/false));
  std::vector<torch::Tensor> learning;
  for (const auto& parameter : parameters)
    if (parameter.requires_grad()) learning.push_back(parameter);
  return ByRows::apply(at::TensorList(inputs), at::TensorList(learning), f, rows_per_chunk);
}

}  // namespace neo
