#include "data/pair_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "data/h5.h"
#include "data/pair_digest.h"
#include "data/release_file.h"

namespace neo {
namespace internal {

// The columns of one part of a file.
struct PairColumns {
  h5::Handle folder, x, y, group, program;
  bool valid() const { return x.valid() && y.valid() && group.valid() && program.valid(); }
};

}  // namespace internal

namespace {

using Columns = internal::PairColumns;
constexpr const char* kFormat = "neo-pairs";
constexpr double kFormatVersion = 2;
constexpr int64_t kBlockBytes = int64_t{1} << 20;  // of x; what the writer holds and one chunk on disk
constexpr int64_t kMostPairs = int64_t{1} << 40;
constexpr std::array<const char*, 2> kPartNames{"main", "held_out"};
constexpr std::array<Part, 2> kParts{Part::main, Part::held_out};

size_t index(Part part) { return static_cast<size_t>(part); }

int64_t block_pairs(const Space& space) {
  return std::clamp<int64_t>(kBlockBytes / space.bytes(), 1, 1 << 14);
}

hid_t stored_type(Element element) {
  if (element == Element::f32) return H5T_IEEE_F32LE;
  return element == Element::u16 ? H5T_STD_U16LE : H5T_STD_U8LE;
}

hid_t memory_type(Element element) {
  if (element == Element::f32) return H5T_NATIVE_FLOAT;
  return element == Element::u16 ? H5T_NATIVE_UINT16 : H5T_NATIVE_UINT8;
}

std::vector<hsize_t> dims_of(int64_t pairs, const Space& space) {
  std::vector<hsize_t> dims{static_cast<hsize_t>(pairs)};
  for (int64_t d : space.shape) dims.push_back(static_cast<hsize_t>(d));
  return dims;
}

nlohmann::json description(const PairFileInfo& info) {
  return {{"space", to_json(info.space)},     {"split", info.split},     {"source", info.source},
          {"benchmark", info.benchmark},      {"alpha", info.alpha},     {"grouped", info.grouped},
          {"programs", info.programs},        {"digest", info.digest}};
}

}  // namespace

// ---------------------------------------------------------------- writing

struct PairWriter::Impl {
  Impl(const std::filesystem::path& path, PairFileInfo about)
      : name(path.string()), pending(path), info(std::move(about)) {
    check_space(info.space, name);
    info.programs.clear();
    info.pairs = info.held_out = 0;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file = h5::create_file(pending.path());
    if (!file.valid()) fail("cannot create {}: check that the folder exists and is writable", name);
    for (Part part : kParts) open(part);
  }

  void open(Part part) {
    const int64_t block = block_pairs(info.space);
    Columns& c = columns[index(part)];
    c.folder = h5::create_group(file, kPartNames[index(part)]);
    // Photographs and measurements do not compress; grids and digits shrink twentyfold at the cheapest level.
    const unsigned deflate = info.space.is_categorical() ? 1 : 0;
    const hid_t type = stored_type(info.space.element());
    c.x = h5::create_stream(c.folder, "x", type, dims_of(block, info.space), deflate);
    c.y = h5::create_stream(c.folder, "y", type, dims_of(block, info.space), deflate);
    c.group = h5::create_stream(c.folder, "group", H5T_STD_I32LE, {static_cast<hsize_t>(block)}, 1);
    c.program = h5::create_stream(c.folder, "program", H5T_STD_I32LE, {static_cast<hsize_t>(block)}, 1);
    require(c.folder.valid() && c.valid());
  }

  void require(bool written) const {
    if (!written)
      fail("cannot write {}: the disk may be full; free some space and run again", name);
  }

  int64_t& written(Part part) { return part == Part::main ? info.pairs : info.held_out; }

  int32_t program_index(const std::string& program) {
    if (program.empty()) return -1;
    const auto [entry, is_new] = index_of.try_emplace(program, static_cast<int32_t>(info.programs.size()));
    if (is_new) info.programs.push_back(program);
    return entry->second;
  }

  void flush(Part part) {
    PairBlock& block = blocks[index(part)];
    if (block.count == 0) return;
    Columns& c = columns[index(part)];
    int64_t& at = written(part);
    const hid_t type = memory_type(info.space.element());
    const std::vector<hsize_t> rows{static_cast<hsize_t>(block.count)};
    require(h5::append_rows(c.x, type, at, dims_of(block.count, info.space), block.x.data()) &&
            h5::append_rows(c.y, type, at, dims_of(block.count, info.space), block.y.data()) &&
            h5::append_rows(c.group, H5T_NATIVE_INT32, at, rows, block.group.data()) &&
            h5::append_rows(c.program, H5T_NATIVE_INT32, at, rows, block.program.data()));
    at += block.count;
    block = {};
  }

  std::string name;  // as it was given, for messages
  PendingFile pending;
  PairFileInfo info;
  h5::Handle file;
  std::array<Columns, 2> columns;
  std::array<PairBlock, 2> blocks;  // not yet on disk
  std::array<PairDigest, 2> digests;
  std::map<std::string, int32_t> index_of;
};

PairWriter::PairWriter(const std::filesystem::path& path, PairFileInfo about)
    : impl_(std::make_unique<Impl>(path, std::move(about))) {}
PairWriter::~PairWriter() = default;

void PairWriter::add(const Pair& pair, Part part) {
  Impl& impl = *impl_;
  const int64_t bytes = impl.info.space.bytes();
  NEO_CHECK_EQ(static_cast<int64_t>(pair.x.size()), bytes);
  NEO_CHECK_EQ(static_cast<int64_t>(pair.y.size()), bytes);
  PairBlock& block = impl.blocks[index(part)];
  block.x.insert(block.x.end(), pair.x.begin(), pair.x.end());
  block.y.insert(block.y.end(), pair.y.begin(), pair.y.end());
  block.group.push_back(impl.info.grouped ? pair.group : -1);
  block.program.push_back(impl.program_index(pair.program));
  ++block.count;
  impl.digests[index(part)].add(pair.x, pair.y, block.group.back(), pair.program);
  if (block.count == block_pairs(impl.info.space)) {
    throw_if_interrupted();
    impl.flush(part);
  }
}

PairFileInfo PairWriter::finish() {
  Impl& impl = *impl_;
  for (Part part : kParts) impl.flush(part);
  Sha256 both;
  for (PairDigest& digest : impl.digests) both.update(digest.finish_hex());
  impl.info.digest = both.finish_hex();
  // A dataset and not an attribute: attributes end at 64 KiB.
  const std::string text = description(impl.info).dump();
  h5::Handle stream = h5::create_stream(impl.file, "meta", H5T_STD_U8LE, {text.size()}, 1);
  impl.require(stream.valid() && h5::append_rows(stream, H5T_NATIVE_UINT8, 0, {text.size()}, text.data()));
  stream.reset();
  h5::write_text(impl.file, "format", kFormat);
  h5::write_number(impl.file, "version", kFormatVersion);
  for (Columns& c : impl.columns) {
    for (h5::Handle* handle : {&c.x, &c.y, &c.group, &c.program, &c.folder}) impl.require(handle->reset() >= 0);
  }
  impl.require(impl.file.reset() >= 0);
  impl.pending.commit();
  return impl.info;
}

// ---------------------------------------------------------------- reading

struct PairReader::Impl {
  explicit Impl(const std::filesystem::path& p) : path(p) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (!std::filesystem::exists(path))
      fail("{} does not exist; make it with `neo data import` or `neo data make`", path.string());
    if (std::filesystem::is_directory(path))
      fail("{} is a folder; name one of the .h5 files in it", path.string());
    file = h5::open_file(path);
    if (!file.valid()) corrupt("it is no HDF5 file, or it is truncated");
    std::string format;
    h5::read_text(file, "format", format);
    if (format == kFormat)
      open_pairs();
    else if (format == "neo-episodes")
      corrupt("it is of an earlier version of neo");
    else
      open_release();
  }

  [[noreturn]] void corrupt(const std::string& why) const {
    fail("cannot read {}: {}; make it again with `neo data import` or `neo data make`, or check the path", path.string(),
         why);
  }

  void open_release() {
    release = std::make_unique<ReleaseFile>(file, path.string());
    info = release->info();
  }

  void open_pairs() {
    double version = 0;
    if (!h5::read_number(file, "version", version) || version != kFormatVersion)
      corrupt(fmt::format("its format version is {}, this program reads {}", version, kFormatVersion));
    read_description();
    for (Part part : kParts) open(part);
  }

  void open(Part part) {
    Columns& c = columns[index(part)];
    c.folder = h5::group(file, kPartNames[index(part)]);
    if (c.folder.valid()) {
      c.x = h5::dataset(c.folder, "x");
      c.y = h5::dataset(c.folder, "y");
      c.group = h5::dataset(c.folder, "group");
      c.program = h5::dataset(c.folder, "program");
    }
    if (!c.valid()) corrupt("a dataset is missing");
    const auto dims = h5::dimensions(c.x);
    if (dims.empty() || dims[0] > kMostPairs) corrupt("the observations have no valid shape");
    const auto expected = dims_of(dims[0], info.space);
    const std::vector<int64_t> shape(expected.begin(), expected.end());
    const bool real = info.space.element() == Element::f32;
    for (const h5::Handle* column : {&c.x, &c.y}) {
      if (h5::dimensions(*column) != shape || h5::is_integer(*column) == real)
        corrupt("its observations do not have the form that its description says");
    }
    for (const h5::Handle* column : {&c.group, &c.program}) {
      if (h5::dimensions(*column) != std::vector<int64_t>{dims[0]} || !h5::is_integer(*column))
        corrupt("its groups or programs do not have the form that its description says");
    }
    (part == Part::main ? info.pairs : info.held_out) = dims[0];
  }

  void read_description() {
    const h5::Handle stream = h5::dataset(file, "meta");
    const auto dims = stream.valid() ? h5::dimensions(stream) : std::vector<int64_t>{};
    if (dims.size() != 1 || dims[0] > (int64_t{1} << 26) || !h5::is_integer(stream))
      corrupt("its description is missing");
    std::string text(static_cast<size_t>(dims[0]), '\0');
    if (!text.empty() && !h5::read_rows(stream, H5T_NATIVE_UINT8, 0, {text.size()}, text.data()))
      corrupt("its description is damaged");
    try {
      const auto meta = nlohmann::json::parse(text);
      info.space = space_from_json(meta.at("space"), path.string());
      info.split = meta.at("split").get<std::string>();
      info.source = meta.at("source").get<std::string>();
      info.benchmark = meta.at("benchmark").get<std::string>();
      info.alpha = meta.at("alpha").get<double>();
      info.grouped = meta.at("grouped").get<bool>();
      info.programs = meta.at("programs").get<std::vector<std::string>>();
      info.digest = meta.at("digest").get<std::string>();
    } catch (const nlohmann::json::exception&) {
      corrupt("its description is not valid");
    }
  }

  void read_labels(Part part, int64_t begin, int64_t count, int32_t* group, int32_t* program) {
    Columns& c = columns[index(part)];
    const std::vector<hsize_t> rows{static_cast<hsize_t>(count)};
    if (!h5::read_rows(c.group, H5T_NATIVE_INT32, begin, rows, group) ||
        !h5::read_rows(c.program, H5T_NATIVE_INT32, begin, rows, program))
      corrupt("its data are damaged");
    const auto programs = static_cast<int32_t>(info.programs.size());
    if (std::any_of(program, program + count, [programs](int32_t i) { return i < -1 || i >= programs; }))
      corrupt("a pair names a program that is not listed");
  }

  void check_values(ObservationView bytes, int64_t pairs) const {
    const Space& space = info.space;
    if (space.kind == Kind::pixels) return;
    const int64_t size = space.bytes();
    if (space.element() == Element::u8 && space.values.size() == 1) {  // the common case, quickly
      if (std::ranges::any_of(bytes, [most = space.values[0]](uint8_t b) { return b >= most; }))
        corrupt(fmt::format("an observation has a value over {}", space.values[0] - 1));
      return;
    }
    for (int64_t i = 0; i < pairs; ++i) {
      try {
        observation_of(space, values_of(space, bytes.subspan(static_cast<size_t>(i * size), static_cast<size_t>(size))));
      } catch (const Error& error) {
        corrupt(error.what());
      }
    }
  }

  std::filesystem::path path;
  h5::Handle file;
  std::array<Columns, 2> columns;
  bool is_verified = false;
  std::unique_ptr<ReleaseFile> release;  // set for files in the release's layout
  PairFileInfo info;
};

namespace {

std::string digest_of(PairReader& reader) {
  Sha256 both;
  const PairFileInfo& info = reader.info();
  const auto size = static_cast<size_t>(info.space.bytes());
  const int64_t step = block_pairs(info.space);
  for (Part part : kParts) {
    PairDigest digest;
    for (int64_t begin = 0; begin < reader.count(part); begin += step) {
      throw_if_interrupted();
      const PairBlock block = reader.read(part, begin, std::min(step, reader.count(part) - begin));
      for (size_t i = 0; i < static_cast<size_t>(block.count); ++i) {
        const auto row = [&](const std::vector<uint8_t>& rows) { return ObservationView(rows).subspan(i * size, size); };
        const int32_t program = block.program[i];
        digest.add(row(block.x), row(block.y), block.group[i],
                   program < 0 ? std::string_view() : info.programs[static_cast<size_t>(program)]);
      }
    }
    both.update(digest.finish_hex());
  }
  return both.finish_hex();
}

}  // namespace

PairReader::PairReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
PairReader::~PairReader() = default;
PairReader::PairReader(PairReader&&) noexcept = default;

const PairFileInfo& PairReader::info() const { return impl_->info; }
int64_t PairReader::count(Part part) const {
  return part == Part::main ? impl_->info.pairs : impl_->info.held_out;
}

PairBlock PairReader::read(Part part, int64_t begin, int64_t count) {
  NEO_CHECK_LE(begin + count, this->count(part));
  Impl& impl = *impl_;
  verify();
  if (impl.release) return impl.release->read(begin, count);
  const Space& space = impl.info.space;
  PairBlock block{.count = count};
  block.x.resize(static_cast<size_t>(count * space.bytes()));
  block.y.resize(block.x.size());
  block.group.resize(static_cast<size_t>(count));
  block.program.resize(static_cast<size_t>(count));
  if (count == 0) return block;
  Columns& c = impl.columns[index(part)];
  const hid_t type = memory_type(space.element());
  if (!h5::read_rows(c.x, type, begin, dims_of(count, space), block.x.data()) ||
      !h5::read_rows(c.y, type, begin, dims_of(count, space), block.y.data())) {
    impl.corrupt("its data are damaged");
  }
  impl.read_labels(part, begin, count, block.group.data(), block.program.data());
  impl.check_values(block.x, count);
  impl.check_values(block.y, count);
  return block;
}

PairLabels PairReader::labels(Part part) {
  if (impl_->release) return impl_->release->labels();
  verify();
  PairLabels labels{std::vector<int32_t>(static_cast<size_t>(count(part))),
                    std::vector<int32_t>(static_cast<size_t>(count(part)))};
  if (count(part) > 0)
    impl_->read_labels(part, 0, count(part), labels.group.data(), labels.program.data());
  return labels;
}

std::string PairReader::content_digest() { return digest_of(*this); }

// Before anything is used: checksums find what a disk spoils, this finds what a program did.
void PairReader::verify() {
  Impl& impl = *impl_;
  if (impl.is_verified || impl.release) return;
  impl.is_verified = true;  // reading, as this does, asks again
  if (h5::verify_once(impl.path, [this] { return digest_of(*this) == info().digest; })) return;
  impl.is_verified = false;
  impl.corrupt("its content does not have the digest that it claims");
}

Pair PairReader::pair(Part part, int64_t index) {
  if (index < 0 || index >= count(part))
    fail("{} has pairs 0 to {}{}, not {}", impl_->path.string(), count(part) - 1,
         part == Part::held_out ? " held out" : "", index);
  PairBlock block = read(part, index, 1);
  const int32_t program = block.program[0];
  return {std::move(block.x), std::move(block.y), block.group[0],
          program < 0 ? "" : impl_->info.programs[static_cast<size_t>(program)]};
}

}  // namespace neo
