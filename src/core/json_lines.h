#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace neo {

// Appends records to a JSON-lines file, one per line. Each record reaches the kernel in one write before
// write() returns, so a killed process leaves at most one torn line, at the end.
class JsonLinesWriter {
 public:
  // Starts an empty file; creates missing parent folders.
  static JsonLinesWriter create(const std::filesystem::path& path);
  // Continues after the first `bytes` bytes (a position that bytes() gave), and drops what follows. A file that has no
  // such position is moved aside as <name>.damaged, and an empty one begins.
  static JsonLinesWriter resume_at_byte(const std::filesystem::path& path, int64_t bytes);

  ~JsonLinesWriter();
  JsonLinesWriter(JsonLinesWriter&& other) noexcept;
  JsonLinesWriter& operator=(JsonLinesWriter&&) = delete;

  void write(const nlohmann::json& record);
  void sync();                              // to the disk; before a checkpoint refers to bytes()
  int64_t bytes() const { return bytes_; }  // position after the last record

 private:
  JsonLinesWriter(std::filesystem::path path, int64_t keep_bytes);
  std::filesystem::path path_;
  int fd_ = -1;
  int64_t bytes_ = 0;
};

// Calls `visit` with each record in order. A last line without its newline is a torn write and is skipped;
// any other line that is not JSON is an Error with its number.
void for_each_json_line(const std::filesystem::path& path,
                        const std::function<void(const nlohmann::json&)>& visit);
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& path);

}  // namespace neo
