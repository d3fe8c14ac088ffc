// A user's file in one of the formats that `neo data import` takes. The first byte chooses the format, the
// second what is asked for, the rest is the file; Minari's files are built as H5Builder has it.

#include <unistd.h>
#include <zip.h>

#include <array>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "data/import.h"
#include "h5_builder.h"
#include "require.h"

namespace {
namespace fs = std::filesystem;

enum Format { npy, npz, npz_arrays, json, json_lines, csv, png, minari, formats };

class MinariBuilder : public H5Builder {
 public:
  using H5Builder::H5Builder;
  void build(const std::string& path) {
    create(path);
    const hsize_t episodes = choices_.ConsumeIntegralInRange<hsize_t>(1, 3);
    const bool is_dictionary = choices_.ConsumeBool();
    for (hsize_t i = 0; i < episodes; ++i) {
      const Handle episode = group(file_, text(fmt::format("episode_{}", i)));
      if (!episode.valid()) continue;
      if (is_dictionary) {
        const Handle observations = group(episode, text("observations"));
        if (!observations.valid()) continue;
        array(observations, "image", H5T_STD_U8LE, {5, 2, 2, 3});
        array(observations, "direction", H5T_STD_I64LE, {5});
        if (const Handle inner = group(observations, "inner"); inner.valid() && odd())
          array(inner, "a", H5T_IEEE_F32LE, {5, 2});
      } else {
        array(episode, "observations", H5T_IEEE_F64LE, {5, 3});
      }
      array(episode, "actions", H5T_STD_I64LE, {4});
    }
    close(path);
  }

 private:
  void array(hid_t parent, const char* name, hid_t right, const Dims& dims) {
    size_t count = 1;
    for (hsize_t size : dims) count *= size;
    if (const Handle id = dataset(parent, name, right, dims); id.valid())
      fill(id, H5T_NATIVE_INT64, numbers(count, 20));
  }
};

// An archive whose arrays x, y and program are the input, cut in three: its checksums are right.
void write_archive(const fs::path& path, const std::string& input) {
  fs::remove(path);
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  std::array<std::string, 3> parts;
  const size_t third = input.size() / 3;
  for (size_t i = 0; i < 3; ++i) parts[i] = input.substr(i * third, i == 2 ? std::string::npos : third);
  const std::array<const char*, 3> names{"x.npy", "y.npy", "program.npy"};
  for (size_t i = 0; i < 3; ++i)
    if (!parts[i].empty())
      zip_file_add(archive, names[i], zip_source_buffer(archive, parts[i].data(), parts[i].size(), 0), 0);
  if (zip_close(archive) != 0) zip_discard(archive);
}

std::vector<fs::path> write_source(Format format, const fs::path& folder, const std::string& input) {
  const auto put = [&](const char* name) {
    neo::write_file_atomically(folder / name, input);
    return folder / name;
  };
  switch (format) {
    case npy:
      return {put("a.npy"), put("b.npy")};
    case npz:
      return {put("a.npz")};
    case npz_arrays:
      write_archive(folder / "a.npz", input);
      return {folder / "a.npz"};
    case json:
      return {put("a.json")};
    case json_lines:
      return {put("a.jsonl")};
    case csv:
      return {put("a.csv")};
    case png:
      put("p/before/a.png");
      put("p/after/a.png");
      return {folder / "p"};
    default:
      break;
  }
  FuzzedDataProvider choices(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  MinariBuilder(choices).build((folder / "a.hdf5").string());
  return {folder / "a.hdf5"};
}

void import_and_check(neo::ImportOptions options) {
  const neo::ImportReport report = neo::import_pairs(options);
  neo::PairReader reader(options.out);
  REQUIRE(reader.info().pairs + reader.info().held_out > 0);
  REQUIRE(reader.info().pairs == report.info.pairs && reader.info().held_out == report.info.held_out);
  for (neo::Part part : {neo::Part::main, neo::Part::held_out})
    reader.read(part, 0, std::min<int64_t>(reader.count(part), 100));
  REQUIRE(!report.paragraph().empty());
  fs::remove(options.out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  neo::h5::open_without_child();
  static const fs::path folder = [] {
    const fs::path path = fs::temp_directory_path() / fmt::format("fuzz-import-{}", getpid());
    fs::create_directories(path / "p" / "before");
    fs::create_directories(path / "p" / "after");
    return path;
  }();
  neo::ImportOptions options{.out = folder / "out.h5", .hold_out = data[1] & 8 ? 0.3 : 0, .is_quiet = true};
  if (const int layout = data[1] & 7; layout > 0 && layout < 6)
    options.as = static_cast<neo::Layout>(layout - 1);
  if (data[1] & 16) options.values = 10;
  try {
    const std::string input(reinterpret_cast<const char*>(data + 2), size - 2);
    options.sources = write_source(static_cast<Format>(data[0] % formats), folder, input);
    import_and_check(options);
  } catch (const neo::Error& error) {
    REQUIRE(std::strchr(error.what(), '\n') == nullptr);
    REQUIRE(!fs::exists(options.out));
  }
  return 0;
}
