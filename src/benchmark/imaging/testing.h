#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benchmark/imaging/cifar.h"
#include "core/files.h"
#include "core/rng.h"

// Helpers for tests only.
namespace neo::testing {

inline Observation random_image(RngStream& rng, int pixels = 32 * 32) {
  Observation image(static_cast<size_t>(pixels) * 3);
  for (uint8_t& byte : image) byte = static_cast<uint8_t>(rng.next64() >> 56);
  return image;
}

// A flat colour with some noise: on such images edits show or not, which random bytes would always do.
inline Observation plain_image(RngStream& rng) {
  Observation image(ImageSet::kImageBytes);
  const uint64_t base[3] = {rng.below(200), rng.below(200), rng.below(200)};
  const uint64_t noise = 1 + rng.below(56);
  for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<uint8_t>(base[i % 3] + rng.below(noise));
  return image;
}

inline std::string cifar_record(uint8_t label, ObservationView image) {
  std::string record(1, static_cast<char>(label));
  for (size_t channel = 0; channel < 3; ++channel) {
    for (size_t i = channel; i < image.size(); i += 3) record += static_cast<char>(image[i]);
  }
  return record;
}

// Six batches of `images` made-up images each.
inline void write_fake_cifar(const std::filesystem::path& dir, int images) {
  RngStream rng(7, "fake cifar");
  for (const auto& batch : internal::kCifarBatches) {
    std::string records;
    for (int i = 0; i < images; ++i) {
      records += cifar_record(static_cast<uint8_t>(i % 10), i % 2 ? plain_image(rng) : random_image(rng));
    }
    write_file_atomically(dir / (std::string(batch.name) + ".bin"), records);
  }
}

// The real data set, where this machine has it: $NEO_CIFAR10 or data/cifar10.
inline std::optional<std::filesystem::path> real_cifar() {
  const char* variable = std::getenv("NEO_CIFAR10");
  const std::filesystem::path dir = variable ? variable : NEO_SOURCE_DIR "/data/cifar10";
  if (!std::filesystem::exists(dir / "test_batch.bin")) return std::nullopt;
  return dir;
}

}  // namespace neo::testing
