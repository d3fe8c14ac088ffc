#include "data/npz.h"

#include <zip.h>

#include "core/text.h"

namespace neo {
namespace {

constexpr zip_int64_t kMostEntries = 4096;
// Deflate cannot do better than 1032:1. Up to a GiB a claim costs little; beyond that real data stay far
// below.
constexpr uint64_t kBestRatio = 1040, kBestLargeRatio = 500;
constexpr uint64_t kLargeEntry = uint64_t{1} << 30;
constexpr uint64_t kMostEntryBytes = uint64_t{1} << 40;

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

[[noreturn]] void broken_archive(const std::filesystem::path& path, const std::string& why) {
  fail("cannot read {}: {}; save it again with np.savez", path.string(), why);
}

Archive open_archive(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure))
    fail("cannot read {}: it is no regular file, or does not exist; check the path", path.string());
  if (std::filesystem::file_size(path, failure) == 0) broken_archive(path, "it is empty");
  int code = 0;
  Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (!archive) broken_archive(path, "it is no .npz archive, or it is cut short");
  if (zip_get_num_entries(archive.get(), 0) > kMostEntries) broken_archive(path, "it has too many entries");
  return archive;
}

class NpzArray : public ByteStream {
 public:
  NpzArray(const std::filesystem::path& path, const std::string& name)
      : path_(path), archive_(open_archive(path)) {
    zip_stat_t about;
    zip_stat_init(&about);
    const std::string entry = name + ".npy";
    if (zip_stat(archive_.get(), entry.c_str(), 0, &about) != 0)
      fail("{} has no array '{}'; save it with np.savez({}=...)", path.string(), printable(name),
           printable(name));
    check(about);
    size_ = static_cast<int64_t>(about.size);
    entry_.reset(zip_fopen_index(archive_.get(), about.index, 0));
    if (!entry_) broken_archive(path, fmt::format("its array '{}' is damaged", printable(name)));
  }
  int64_t size() const override { return size_; }
  size_t read(void* to, size_t count) override {
    size_t got = 0;
    while (got < count) {
      const zip_int64_t more = zip_fread(entry_.get(), static_cast<char*>(to) + got, count - got);
      if (more < 0) broken_archive(path_, "it is cut short or damaged");
      if (more == 0) break;
      got += static_cast<size_t>(more);
    }
    return got;
  }

 private:
  void check(const zip_stat_t& about) const {
    constexpr zip_uint64_t kNeeded =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_INDEX;
    if ((about.valid & kNeeded) != kNeeded) broken_archive(path_, "its table of contents is damaged");
    if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE)
      broken_archive(path_, "it is compressed in a way that NumPy does not use");
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE)
      broken_archive(path_, "it is encrypted");
    const uint64_t ratio = about.size > kLargeEntry ? kBestLargeRatio : kBestRatio;
    if (about.comp_size > std::filesystem::file_size(path_) || about.size > kMostEntryBytes ||
        about.size / ratio > about.comp_size + 1)
      broken_archive(path_, fmt::format("its claim to hold {} bytes in {} is not credible", about.size,
                                        about.comp_size));
  }

  std::filesystem::path path_;
  Archive archive_;
  std::unique_ptr<zip_file_t, CloseEntry> entry_;
  int64_t size_ = 0;
};

}  // namespace

std::vector<std::string> npz_names(const std::filesystem::path& path) {
  const Archive archive = open_archive(path);
  std::vector<std::string> names;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    const char* entry = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    std::string name = entry ? entry : "";
    if (name.ends_with(".npy")) names.push_back(name.substr(0, name.size() - 4));
  }
  return names;
}

std::unique_ptr<ByteStream> open_npz_array(const std::filesystem::path& path, const std::string& name) {
  return std::make_unique<NpzArray>(path, name);
}

}  // namespace neo
