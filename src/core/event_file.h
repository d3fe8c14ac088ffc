#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

// A file of events that TensorBoard shows. Everything added is on disk at once. A run that is resumed writes a file
// of its own beside the earlier ones; TensorBoard joins them.
class EventFile {
 public:
  explicit EventFile(const std::filesystem::path& folder);  // made where it is missing

  void add_scalar(const std::string& tag, int64_t step, double value);
  // How often each of the values 0, 1, ... occurred.
  void add_counts(const std::string& tag, int64_t step, const std::vector<int64_t>& counts);
  void add_text(const std::string& tag, int64_t step, std::string_view markdown);
  void add_picture(const std::string& tag, int64_t step, std::string_view png, int width, int height);

 private:
  void add_value(int64_t step, const std::string& value);
  void write_record(const std::string& event);
  std::ofstream file_;
};

uint32_t crc32c(std::string_view bytes);  // Castagnoli's

}  // namespace neo
