#include "benchmark/imaging/cifar.h"

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kMaxRecords = 10'000;  // in one official batch

fs::path batch_path(const fs::path& dir, const char* name) {
  const std::string file = std::string(name) + ".bin";
  const fs::path nested = dir / "cifar-10-batches-bin" / file;
  fs::path path = fs::exists(nested) ? nested : dir / file;
  if (!fs::exists(path)) {
    fail("CIFAR-10 file {} is missing; run `neo data fetch cifar10 --out {}`", path.string(), dir.string());
  }
  return path;
}

// Official records hold planes; observations hold pixels.
void append_images(const std::string& records, std::vector<uint8_t>& pixels) {
  constexpr size_t kPlane = 32 * 32;
  const size_t images = records.size() / internal::kCifarRecord;
  pixels.resize(pixels.size() + images * ImageSet::kImageBytes);
  uint8_t* to = pixels.data() + pixels.size() - images * ImageSet::kImageBytes;
  for (size_t image = 0; image < images; ++image) {
    const auto* planes =
        reinterpret_cast<const uint8_t*>(records.data()) + image * internal::kCifarRecord + 1;
    for (size_t i = 0; i < kPlane; ++i) {
      for (size_t channel = 0; channel < 3; ++channel) *to++ = planes[channel * kPlane + i];
    }
  }
}

ImageSet load_batches(const fs::path& dir, std::span<const internal::CifarBatch> batches) {
  ImageSet set;
  size_t expected = 0;
  for (const auto& batch : batches) {
    const fs::path path = batch_path(dir, batch.name);
    const std::string records = read_file(path, kMaxRecords * internal::kCifarRecord);
    if (records.empty() || records.size() % internal::kCifarRecord != 0 ||
        (expected != 0 && records.size() != expected)) {
      fail("{} is not a whole CIFAR-10 batch ({} bytes); run `neo data fetch cifar10 --out {}`",
           path.string(), records.size(), dir.string());
    }
    if (expected == 0) set.pixels.reserve(batches.size() * records.size());
    expected = records.size();
    append_images(records, set.pixels);
  }
  return set;
}

}  // namespace

ImageSet load_cifar10_train(const fs::path& dir) {
  return load_batches(dir, std::span(internal::kCifarBatches).first(internal::kCifarTrainBatches));
}

ImageSet load_cifar10_test(const fs::path& dir) {
  return load_batches(dir, std::span(internal::kCifarBatches).subspan(internal::kCifarTrainBatches));
}

}  // namespace neo
