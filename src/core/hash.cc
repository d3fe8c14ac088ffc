#include "core/hash.h"

#include <openssl/evp.h>

#include <fstream>
#include <vector>

#include "core/error.h"

namespace neo {
namespace {

std::string to_hex(std::span<const uint8_t> bytes) {
  std::string hex;
  for (uint8_t byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string digest_of_file(const std::filesystem::path& path, const EVP_MD* kind) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read {}: check that it exists and is readable", path.string());
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), kind, nullptr);
  std::vector<char> buffer(1 << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0) {
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<size_t>(file.gcount()));
  }
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &size);
  return to_hex({digest.data(), size});
}

}  // namespace

struct Sha256::Context {
  Context() { EVP_DigestInit_ex(evp, EVP_sha256(), nullptr); }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const uint8_t> bytes) {
  EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size());
}

std::array<uint8_t, 32> Sha256::finish() {
  std::array<uint8_t, 32> digest{};
  EVP_DigestFinal_ex(context_->evp, digest.data(), nullptr);
  return digest;
}

std::string Sha256::finish_hex() { return to_hex(finish()); }

std::string sha256_of_file(const std::filesystem::path& path) { return digest_of_file(path, EVP_sha256()); }
std::string md5_of_file(const std::filesystem::path& path) { return digest_of_file(path, EVP_md5()); }

}  // namespace neo
