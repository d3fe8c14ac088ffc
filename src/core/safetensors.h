#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

// The safetensors container: weights, checkpoints and training state. Plain bytes with a JSON header; nothing
// in it is ever executed.
struct TensorData {
  std::string dtype;           // F32, F64, I64, I32 or U8
  std::vector<int64_t> shape;  // {} is a scalar
  std::vector<uint8_t> bytes;  // row-major, little-endian
  bool operator==(const TensorData&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, TensorData> tensors;
  bool operator==(const TensorFile&) const = default;
};

// Bytes of one element; 0 for a dtype we do not know.
size_t dtype_size(std::string_view dtype);

// Everything in the file is checked (lengths, offsets, overlaps, holes, shapes, duplicate names, and our
// digest where there is one); an Error names `origin` and what is wrong with it.
TensorFile read_safetensors(const std::filesystem::path& path);
TensorFile parse_safetensors(std::span<const uint8_t> bytes, const std::string& origin);

// Equal content gives equal bytes. The file carries a SHA-256 of its content in the metadata entry
// `neo.digest`, which readers check and take out again. Replaces `path` atomically, and is on disk on
// return.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace neo
