// Any bytes as a safetensors file: either an Error, or tensors whose bytes match their dtype and shape.

#include <cstring>

#include "core/error.h"
#include "core/safetensors.h"
#include "require.h"

namespace {

// A random length prefix almost never fits, so a first byte of 1 asks for the right one to be filled in.
std::vector<uint8_t> with_header_length(std::span<const uint8_t> input) {
  std::vector<uint8_t> bytes(input.begin(), input.end());
  if (bytes.size() < 11 || bytes[0] != 1) return bytes;
  bytes.erase(bytes.begin());
  const uint64_t tensor_bytes = bytes[0];
  const uint64_t rest = bytes.size() - 8;
  const uint64_t header = rest - std::min(rest, tensor_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const neo::TensorFile file = neo::parse_safetensors(with_header_length({data, size}), "input");
    for (const auto& [name, tensor] : file.tensors) {
      uint64_t bytes = neo::dtype_size(tensor.dtype);
      REQUIRE(bytes > 0);
      for (int64_t extent : tensor.shape) bytes *= static_cast<uint64_t>(extent);
      REQUIRE(bytes == tensor.bytes.size());
    }
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
  }
  return 0;
}
