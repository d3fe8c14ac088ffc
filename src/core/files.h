#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

// Where a file called `target` is to be written: where links lead. An Error where that is a folder or anything
// else that is no regular file; nothing is touched.
std::filesystem::path writable_target(const std::filesystem::path& target);

// Creates it with those above it; an Error where that fails, or where nothing can be written into it.
void make_writable_folder(const std::filesystem::path& folder);

// A file under construction: written beside its final name as `<name>.tmp.<pid>`, moved there by commit()
// (after fsync of file and folder), removed by the destructor otherwise. A reader of the final name sees
// either the whole old file or the whole new one. A link stays, the file that it leads to is replaced.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& target);  // creates missing parent folders
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }  // where to write
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view content);
// For what users name: a regular file as above, straight into a pipe or a device, and "-" is standard output.
void write_output(const std::filesystem::path& path, std::string_view content);
bool is_standard_output(const std::filesystem::path& path);
// Throws Error when the file cannot be read or is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, size_t limit = size_t{1} << 32);

// What a file or folder is called: a folder by its name, a file without its ending. Never empty: "unnamed".
std::string name_of_path(const std::filesystem::path& path);

// Ctrl-C, SIGTERM, a closed terminal and a reader of the output that went away set a flag; long loops poll it and
// unwind, so that destructors clean up. A file beyond `ulimit -f` is an error of the write.
void install_interrupt_handler();
// Standard streams that the caller closed must not become the next file that is opened.
void open_standard_streams();
bool interrupted();           // one of these signals was received
void throw_if_interrupted();  // Error with exit code 130 and what is safe
// The flag itself, for a process that handles signals in its own way.
void set_interrupted(bool interrupted);

}  // namespace neo
