#include "core/safetensors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"

namespace neo {
namespace {

using nlohmann::json;

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // as the reference implementation
constexpr int kMaxHeaderDepth = 3;                 // {"name": {"shape": [1]}}
constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kDigest = "neo.digest";

struct Entry {
  std::string name;
  TensorData tensor;  // without its bytes
  uint64_t begin = 0, end = 0;
};

template <typename... Args>
[[noreturn]] void fail_damaged(const std::string& origin, fmt::format_string<Args...> format,
                               Args&&... args) {
  fail("{} is not a valid safetensors file: {}; get or make it again", origin,
       fmt::format(format, std::forward<Args>(args)...));
}

// ---- reading ----------------------------------------------------------------------------------------------

// JSON allows duplicate names and any depth; this format allows neither.
json parse_header(std::span<const uint8_t> text, const std::string& origin) {
  std::array<std::set<std::string>, kMaxHeaderDepth + 1> seen;
  const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (opens && depth >= kMaxHeaderDepth) fail_damaged(origin, "its header is nested too deeply");
    if (opens) seen[static_cast<size_t>(depth) + 1].clear();
    if (event == json::parse_event_t::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      if (!seen[static_cast<size_t>(depth)].insert(name).second) {
        fail_damaged(origin, "`{}` appears twice in its header", printable(name));
      }
    }
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), check);
  } catch (const json::exception&) {
    fail_damaged(origin, "its header is not JSON");
  }
}

uint64_t read_size(const json& value, const std::string& origin, const std::string& name) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    fail_damaged(origin, "tensor `{}` has a size or offset that is not a whole number", printable(name));
  }
  return value.get<uint64_t>();
}

// Bytes that a tensor of this form occupies; nullopt when they do not fit 63 bits.
std::optional<uint64_t> byte_size(const TensorData& tensor) {
  int64_t size = static_cast<int64_t>(dtype_size(tensor.dtype));
  for (int64_t extent : tensor.shape) {
    if (extent < 0 || __builtin_mul_overflow(size, extent, &size)) return std::nullopt;
  }
  return static_cast<uint64_t>(size);
}

Entry read_entry(const std::string& name, const json& info, const std::string& origin) {
  const bool complete = info.is_object() && info.size() == 3 && info.contains("dtype") &&
                        info["dtype"].is_string() && info.contains("shape") && info["shape"].is_array() &&
                        info.contains("data_offsets") && info["data_offsets"].is_array() &&
                        info["data_offsets"].size() == 2;
  if (!complete) fail_damaged(origin, "tensor `{}` lacks its dtype, shape or data_offsets", printable(name));
  Entry entry{name, {info["dtype"].get<std::string>(), {}, {}}};
  for (const json& extent : info["shape"]) {
    entry.tensor.shape.push_back(static_cast<int64_t>(read_size(extent, origin, name)));
  }
  entry.begin = read_size(info["data_offsets"][0], origin, name);
  entry.end = read_size(info["data_offsets"][1], origin, name);
  if (dtype_size(entry.tensor.dtype) == 0) {
    fail("{}: tensor `{}` has dtype {}, which is not supported; convert it to F32, F64, I64, I32 or U8",
         origin, printable(name), printable(entry.tensor.dtype));
  }
  const auto size = byte_size(entry.tensor);
  if (!size) fail_damaged(origin, "the shape of tensor `{}` is too large", printable(name));
  if (entry.end < entry.begin || entry.end - entry.begin != *size) {
    fail_damaged(origin, "tensor `{}` needs {} bytes, its offsets say [{}, {})", printable(name), *size,
                 entry.begin, entry.end);
  }
  return entry;
}

// The tensors must cover the data exactly: sorted by offset, each begins where the last one ended.
void check_layout(std::vector<Entry>& entries, uint64_t data_bytes, const std::string& origin) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  uint64_t position = 0;
  for (const Entry& entry : entries) {
    if (entry.begin < position)
      fail_damaged(origin, "tensor `{}` overlaps another one", printable(entry.name));
    if (entry.begin > position)
      fail_damaged(origin, "there is a hole before tensor `{}`", printable(entry.name));
    position = entry.end;
  }
  if (position > data_bytes)
    fail_damaged(origin, "it is cut short, {} bytes are missing", position - data_bytes);
  if (position < data_bytes) fail_damaged(origin, "{} bytes follow the last tensor", data_bytes - position);
}

std::map<std::string, std::string> read_metadata(const json& header, const std::string& origin) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find(kMetadata);
  if (found == header.end()) return metadata;
  if (!found->is_object()) fail_damaged(origin, "its metadata is not an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) fail_damaged(origin, "its metadata entry `{}` is not a string", printable(key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// ---- digest -----------------------------------------------------------------------------------------------

void hash_text(Sha256& hash, std::string_view text) {
  hash.update_le(static_cast<uint64_t>(text.size()));
  hash.update(text);
}

std::string content_digest(const TensorFile& file) {
  Sha256 hash;
  hash.update_le(static_cast<uint64_t>(file.metadata.size()));
  for (const auto& [key, value] : file.metadata) {
    hash_text(hash, key);
    hash_text(hash, value);
  }
  for (const auto& [name, tensor] : file.tensors) {
    hash_text(hash, name);
    hash_text(hash, tensor.dtype);
    hash.update_le(static_cast<uint64_t>(tensor.shape.size()));
    for (int64_t extent : tensor.shape) hash.update_le(extent);
    hash.update(tensor.bytes);
  }
  return hash.finish_hex();
}

void check_digest(TensorFile& file, const std::string& origin) {
  const auto found = file.metadata.find(std::string(kDigest));
  if (found == file.metadata.end()) return;  // made by another program
  const std::string expected = found->second;
  file.metadata.erase(found);
  if (content_digest(file) != expected) fail_damaged(origin, "its content does not match its digest");
}

// ---- writing ----------------------------------------------------------------------------------------------

void check_writable(const TensorFile& file, const std::string& path) {
  NEO_CHECK_EQ(file.tensors.count(std::string(kMetadata)), 0u);
  NEO_CHECK_EQ(file.metadata.count(std::string(kDigest)), 0u);
  for (const auto& [name, tensor] : file.tensors) {
    NEO_CHECK_LT(0u, dtype_size(tensor.dtype));
    NEO_CHECK_EQ(byte_size(tensor).value_or(UINT64_MAX), tensor.bytes.size());
    if (!is_utf8(name)) fail("cannot write {}: the tensor name `{}` is not UTF-8", path, printable(name));
  }
  for (const auto& [key, value] : file.metadata) {
    if (!is_utf8(key) || !is_utf8(value))
      fail("cannot write {}: the metadata of `{}` is not UTF-8", path, printable(key));
  }
}

using NamedTensor = std::pair<const std::string, TensorData>;

// Widest elements first, then by name: with the header padded to 8 bytes every tensor is aligned to its own
// element size without holes.
std::vector<const NamedTensor*> data_order(const TensorFile& file) {
  std::vector<const NamedTensor*> order;
  for (const NamedTensor& item : file.tensors) order.push_back(&item);
  std::stable_sort(order.begin(), order.end(), [](const NamedTensor* a, const NamedTensor* b) {
    return dtype_size(a->second.dtype) > dtype_size(b->second.dtype);
  });
  return order;
}

std::string header_text(const TensorFile& file, const std::vector<const NamedTensor*>& order) {
  json header = json::object();
  json& metadata = header[std::string(kMetadata)] = file.metadata;
  metadata[std::string(kDigest)] = content_digest(file);
  size_t position = 0;
  for (const NamedTensor* item : order) {
    const size_t end = position + item->second.bytes.size();
    header[item->first] = {
        {"dtype", item->second.dtype}, {"shape", item->second.shape}, {"data_offsets", {position, end}}};
    position = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace

size_t dtype_size(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64") return 8;
  if (dtype == "F32" || dtype == "I32") return 4;
  return dtype == "U8" ? 1 : 0;
}

TensorFile parse_safetensors(std::span<const uint8_t> bytes, const std::string& origin) {
  if (bytes.size() < kLengthBytes) fail_damaged(origin, "it has only {} bytes", bytes.size());
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), kLengthBytes);
  bytes = bytes.subspan(kLengthBytes);
  if (header_bytes > kMaxHeaderBytes || header_bytes > bytes.size()) {
    fail_damaged(origin, "its header claims {} bytes, {} are there", header_bytes, bytes.size());
  }
  if (header_bytes == 0 || bytes[0] != '{') fail_damaged(origin, "its header is not a JSON object");
  const json header = parse_header(bytes.first(header_bytes), origin);
  const auto data = bytes.subspan(header_bytes);

  std::vector<Entry> entries;
  for (const auto& [name, info] : header.items()) {
    if (name != kMetadata) entries.push_back(read_entry(name, info, origin));
  }
  check_layout(entries, data.size(), origin);

  TensorFile file{read_metadata(header, origin), {}};
  for (Entry& entry : entries) {
    const auto content = data.subspan(entry.begin, entry.end - entry.begin);
    entry.tensor.bytes.assign(content.begin(), content.end());
    file.tensors.emplace(entry.name, std::move(entry.tensor));
  }
  check_digest(file, origin);
  return file;
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  return parse_safetensors({reinterpret_cast<const uint8_t*>(content.data()), content.size()}, path.string());
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  check_writable(file, path.string());
  const auto order = data_order(file);
  const std::string header = header_text(file, order);
  const uint64_t header_bytes = header.size();
  PendingFile pending(path);
  {
    std::ofstream out(pending.path(), std::ios::binary);
    out.write(reinterpret_cast<const char*>(&header_bytes), kLengthBytes);
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (const NamedTensor* item : order) {
      const auto& bytes = item->second.bytes;
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    out.flush();
    if (!out)
      fail("cannot write {}: {}; free some space or check permissions", path.string(), std::strerror(errno));
  }
  pending.commit();
}

}  // namespace neo
