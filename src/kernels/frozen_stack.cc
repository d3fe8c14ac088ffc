#include "kernels/frozen_stack.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "kernels/parallel.h"

namespace neo {
namespace {

// Few enough that the activations stay in a 512 KiB cache, and a multiple of the images that a tile takes, six or twelve.
constexpr int64_t kChunk = 12;

// f(first image, images), in parallel.
template <typename F>
void each_chunk(int64_t images, const F& f) {
  in_parallel((images + kChunk - 1) / kChunk,
              [&](int64_t i) { f(i * kChunk, std::min(kChunk, images - i * kChunk)); });
}

// Gradient of a ReLU at the very end of a stack; inside, the tiles do it as they store.
void mask_into(const ConvSpec& spec, const float* dy, const uint16_t* bits, float* masked) {
  const int64_t groups = panels_of(spec.out_channels);
  for (int64_t i = 0; i < spec.out_size(); ++i) {
    const int64_t pixel = i / spec.out_channels, channel = i % spec.out_channels;
    const unsigned word = bits[pixel * groups + channel / kTileColumns];
    masked[i] = word >> (channel % kTileColumns) & 1 ? dy[i] : 0.0f;
  }
}

}  // namespace

// Two buffers that alternate as input and output of a layer. Each thread keeps its own, so that a call on a
// single image does not spend its time on fresh pages.
class FrozenStack::Scratch {
 public:
  static Scratch& of_this_thread(int64_t floats) {
    static thread_local Scratch scratch;
    for (auto& buffer : scratch.buffers_)
      if (static_cast<int64_t>(buffer.size()) < floats) buffer.resize(static_cast<size_t>(floats));
    return scratch;
  }
  float* take() {
    std::swap(buffers_[0], buffers_[1]);
    return buffers_[0].data();
  }

 private:
  std::vector<float> buffers_[2];
};

FrozenStack::FrozenStack(std::vector<ConvLayer> layers, std::optional<CategoryConv> front)
    : layers_(std::move(layers)), front_(std::move(front)) {
  NEO_CHECK_EQ(layers_.empty(), false);
  if (front_) {
    NEO_CHECK_EQ(front_->out_size(), in_size());
    widest_ = in_size();
  }
  for (size_t i = 0; i < layers_.size(); ++i) {
    const ConvSpec& spec = layers_[i].spec();
    bits_begin_.push_back(bits_size_);
    bits_size_ += spec.bits_size();
    widest_ = std::max(widest_, spec.out_size());
    if (i == 0) continue;
    const ConvSpec& before = layers_[i - 1].spec();
    NEO_CHECK_EQ(before.out_size(), spec.in_size());
    // The words of a ReLU group 16 channels; another view of the same numbers must keep the groups.
    if (before.relu && before.out_channels != spec.in_channels)
      NEO_CHECK_EQ((before.out_channels | spec.in_channels) % kTileColumns, 0);
  }
}

double FrozenStack::multiply_adds() const {
  double sum = 0;
  for (const ConvLayer& layer : layers_) sum += layer.spec().multiply_adds();
  return sum;
}

void FrozenStack::forward(const float* x, int64_t images, float* y, uint16_t* bits) const {
  each_chunk(images, [&](int64_t first, int64_t count) {
    forward_chunk(x + first * in_size(), count, y + first * out_size(),
                  bits ? bits + first * bits_size_ : nullptr, Scratch::of_this_thread(widest_ * kChunk));
  });
}

void FrozenStack::backward(const float* dy, int64_t images, const uint16_t* bits, float* dx) const {
  each_chunk(images, [&](int64_t first, int64_t count) {
    backward_chunk(dy + first * out_size(), count, bits + first * bits_size_, dx + first * in_size(),
                   Scratch::of_this_thread(widest_ * kChunk));
  });
}

void FrozenStack::forward_categories(const uint8_t* values, int64_t images, float* y) const {
  NEO_CHECK_EQ(front_.has_value(), true);
  each_chunk(images, [&](int64_t first, int64_t count) {
    Scratch& scratch = Scratch::of_this_thread(widest_ * kChunk);
    float* x = scratch.take();
    front_->forward(values + first * front_->in_size(), count, x);
    forward_chunk(x, count, y + first * out_size(), nullptr, scratch);
  });
}

void FrozenStack::forward_chunk(const float* x, int64_t images, float* y, uint16_t* bits,
                                Scratch& scratch) const {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const bool relu = layers_[i].spec().relu;
    float* out = i + 1 == layers_.size() ? y : scratch.take();
    run_plan(
        layers_[i].forward_plan(), x, out, images,
        {.relu = relu, .positive = relu && bits ? bits + bits_begin_[i] : nullptr, .stride = bits_size_});
    x = out;
  }
}

void FrozenStack::backward_chunk(const float* dy, int64_t images, const uint16_t* bits, float* dx,
                                 Scratch& scratch) const {
  if (const ConvSpec& last = layers_.back().spec(); last.relu) {
    float* masked = scratch.take();
    for (int64_t i = 0; i < images; ++i)
      mask_into(last, dy + i * out_size(), bits + i * bits_size_ + bits_begin_.back(),
                masked + i * out_size());
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
