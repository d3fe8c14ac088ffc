#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace neo {

static_assert(std::endian::native == std::endian::little, "file formats and digests assume little-endian");

// Incremental SHA-256 (OpenSSL).
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const uint8_t> bytes);
  void update(std::string_view text) { update({reinterpret_cast<const uint8_t*>(text.data()), text.size()}); }
  template <typename T>
  requires std::integral<T> || std::floating_point<T>
  void update_le(T value) { update({reinterpret_cast<const uint8_t*>(&value), sizeof value}); }
  std::array<uint8_t, 32> finish();  // the object may not be used afterwards
  std::string finish_hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256_of_file(const std::filesystem::path& path);
std::string md5_of_file(const std::filesystem::path& path);  // only to recognise published files

}  // namespace neo
