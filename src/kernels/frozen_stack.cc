#include "kernels/frozen_stack.h"

#include <algorithm>
#include <memory>

#include "core/error.h"

namespace neo {
namespace {

// Few enough that the activations stay in a 512 KiB cache, and a multiple of the six images a tile takes.
constexpr int64_t kChunk = 12;

// Gradient of a ReLU at the very end of a stack; inside, the tiles do it as they store.
void mask_into(const ConvSpec& spec, const float* dy, const uint16_t* bits, float* masked) {
  const int64_t groups = (spec.out_channels + kTileColumns - 1) / kTileColumns;
  for (int64_t i = 0; i < spec.out_size(); ++i) {
    const int64_t pixel = i / spec.out_channels, channel = i % spec.out_channels;
    const unsigned word = bits[pixel * groups + channel / kTileColumns];
    masked[i] = word >> (channel % kTileColumns) & 1 ? dy[i] : 0.0f;
  }
}

}  // namespace

struct FrozenStack::Scratch {
  explicit Scratch(int64_t size) : a(new float[static_cast<size_t>(size)]), b(new float[static_cast<size_t>(size)]) {}
  float* take() {  // the two buffers alternate
    std::swap(a, b);
    return a.get();
  }
  std::unique_ptr<float[]> a, b;
};

FrozenStack::FrozenStack(std::vector<ConvLayer> layers) : layers_(std::move(layers)) {
  CHECK_LT(0u, layers_.size());
  for (size_t i = 0; i < layers_.size(); ++i) {
    const ConvSpec& spec = layers_[i].spec();
    bits_begin_.push_back(bits_size_);
    bits_size_ += spec.bits_size();
    widest_ = std::max(widest_, spec.out_size());
    if (i == 0) continue;
    const ConvSpec& before = layers_[i - 1].spec();
    CHECK_EQ(before.out_size(), spec.in_size());
    // The words of a ReLU group 16 channels; another view of the same numbers must keep the groups.
    if (before.relu && before.out_channels != spec.in_channels)
      CHECK_EQ(0, (before.out_channels | spec.in_channels) % kTileColumns);
  }
}

double FrozenStack::multiply_adds() const {
  double sum = 0;
  for (const ConvLayer& layer : layers_) sum += layer.spec().multiply_adds();
  return sum;
}

void FrozenStack::forward(const float* x, int64_t images, float* y, uint16_t* bits) const {
  const int64_t chunks = (images + kChunk - 1) / kChunk;
#pragma omp parallel if (chunks > 1)
  {
    Scratch scratch(widest_ * kChunk);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      const int64_t first = chunk * kChunk;
      forward_chunk(x + first * in_size(), std::min(kChunk, images - first), y + first * out_size(),
                    bits ? bits + first * bits_size_ : nullptr, scratch);
    }
  }
}

void FrozenStack::forward_chunk(const float* x, int64_t images, float* y, uint16_t* bits, Scratch& scratch) const {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const bool relu = layers_[i].spec().relu;
    float* out = i + 1 == layers_.size() ? y : scratch.take();
    run_plan(layers_[i].forward_plan(), x, out, images,
             {.relu = relu, .positive = relu && bits ? bits + bits_begin_[i] : nullptr, .stride = bits_size_});
    x = out;
  }
}

void FrozenStack::backward(const float* dy, int64_t images, const uint16_t* bits, float* dx) const {
  const int64_t chunks = (images + kChunk - 1) / kChunk;
#pragma omp parallel if (chunks > 1)
  {
    Scratch scratch(widest_ * kChunk);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      const int64_t first = chunk * kChunk;
      backward_chunk(dy + first * out_size(), std::min(kChunk, images - first), bits + first * bits_size_,
                     dx + first * in_size(), scratch);
    }
  }
}

void FrozenStack::backward_chunk(const float* dy, int64_t images, const uint16_t* bits, float* dx,
                                 Scratch& scratch) const {
  if (const ConvSpec& last = layers_.back().spec(); last.relu) {
    float* masked = scratch.take();
    for (int64_t i = 0; i < images; ++i)
      mask_into(last, dy + i * out_size(), bits + i * bits_size_ + bits_begin_.back(), masked + i * out_size());
    dy = masked;
  }
  for (size_t i = layers_.size(); i-- > 0;) {
    float* out = i == 0 ? dx : scratch.take();
    const bool before = i > 0 && layers_[i - 1].spec().relu;
    run_plan(layers_[i].backward_plan(), dy, out, images,
             {.keep = before ? bits + bits_begin_[i - 1] : nullptr, .stride = bits_size_});
    dy = out;
  }
}

}  // namespace neo
