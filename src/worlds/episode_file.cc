#include "worlds/episode_file.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "worlds/episode_digest.h"
#include "worlds/h5.h"
#include "worlds/release_file.h"

namespace neo {
namespace {

constexpr const char* kFormat = "neo-episodes";
constexpr double kFormatVersion = 1;
constexpr int64_t kBlockBytes = int64_t{1} << 20;  // what the writer holds and one chunk on disk
constexpr int64_t kMostEpisodes = int64_t{1} << 32;

int64_t block_episodes(const World& world) { return std::max<int64_t>(1, kBlockBytes / (4 * world.size())); }

std::vector<hsize_t> observation_dims(int64_t episodes, const World& world) {
  std::vector<hsize_t> dims{static_cast<hsize_t>(episodes), 4};
  for (int64_t d : world.shape()) dims.push_back(static_cast<hsize_t>(d));
  return dims;
}

// Extensible, compressed and checksummed: a flipped bit on disk is an error when read, never a wrong grid.
h5::Handle create_stream(hid_t file, const char* name, hid_t type, std::vector<hsize_t> chunk,
                         unsigned deflate) {
  std::vector<hsize_t> now = chunk;
  std::vector<hsize_t> most = chunk;
  now[0] = 0;
  most[0] = H5S_UNLIMITED;
  const h5::Handle space(H5Screate_simple(static_cast<int>(chunk.size()), now.data(), most.data()), H5Sclose);
  const h5::Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(options, static_cast<int>(chunk.size()), chunk.data());
  if (deflate > 0) H5Pset_deflate(options, deflate);
  H5Pset_fletcher32(options);
  H5Pset_obj_track_times(options, false);  // the same episodes give the same bytes
  return {H5Dcreate2(file, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose};
}

bool append_rows(hid_t dataset, hid_t memory_type, int64_t at, std::vector<hsize_t> block, const void* data) {
  std::vector<hsize_t> total = block;
  total[0] += static_cast<hsize_t>(at);
  if (H5Dset_extent(dataset, total.data()) < 0) return false;
  const h5::Handle file_space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = static_cast<hsize_t>(at);
  H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
  const h5::Handle memory_space(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr),
                                H5Sclose);
  return H5Dwrite(dataset, memory_type, memory_space, file_space, H5P_DEFAULT, data) >= 0;
}

bool read_rows(hid_t dataset, hid_t memory_type, int64_t begin, std::vector<hsize_t> block, void* data) {
  const h5::Handle file_space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = static_cast<hsize_t>(begin);
  H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
  const h5::Handle memory_space(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr),
                                H5Sclose);
  return H5Dread(dataset, memory_type, memory_space, file_space, H5P_DEFAULT, data) >= 0;
}

}  // namespace

// ---------------------------------------------------------------- writing

struct EpisodeWriter::Impl {
  Impl(const std::filesystem::path& path, const World& w, std::string split, double alpha)
      : world(w), pending(path), digest(w) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    info.world = world.name();
    info.split = std::move(split);
    info.alpha = alpha;
    info.generator = "otib-1";
    file = h5::Handle(H5Fcreate(pending.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) fail("cannot create {}: check that the folder exists and is writable", path.string());
    const int64_t block = block_episodes(world);
    // Photographs do not compress; grids and digits shrink twentyfold at the cheapest level.
    const unsigned deflate = &world == &imaging() ? 0 : 1;
    observations = create_stream(file, "observations", H5T_STD_U8LE, observation_dims(block, world), deflate);
    programs = create_stream(file, "program", H5T_STD_I32LE, {static_cast<hsize_t>(block)}, 1);
    require(observations.valid() && programs.valid());
  }

  void require(bool written) const {
    if (!written)
      fail("cannot write {}: the disk may be full; free some space and run again", pending.path().string());
  }

  void flush() {
    const auto rows = static_cast<int64_t>(indices.size());
    if (rows == 0) return;
    require(append_rows(observations, H5T_NATIVE_UINT8, info.episodes, observation_dims(rows, world),
                        bytes.data()));
    require(
        append_rows(programs, H5T_NATIVE_INT32, info.episodes, {static_cast<hsize_t>(rows)}, indices.data()));
    info.episodes += rows;
    bytes.clear();
    indices.clear();
  }

  const World& world;
  PendingFile pending;
  EpisodeDigest digest;
  EpisodeFileInfo info;
  h5::Handle file, observations, programs;
  std::vector<uint8_t> bytes;    // [rows, 4, ...] not yet on disk
  std::vector<int32_t> indices;  // [rows]
  std::map<Program, int32_t> index_of;
};

EpisodeWriter::EpisodeWriter(const std::filesystem::path& path, const World& world, const std::string& split,
                             double alpha)
    : impl_(std::make_unique<Impl>(path, world, split, alpha)) {}
EpisodeWriter::~EpisodeWriter() = default;

void EpisodeWriter::add(const Episode& episode) {
  Impl& impl = *impl_;
  for (const auto* o : {&episode.support_x, &episode.support_y, &episode.query_x, &episode.query_y}) {
    NEO_CHECK_EQ(static_cast<int64_t>(o->size()), impl.world.size());
    impl.bytes.insert(impl.bytes.end(), o->begin(), o->end());
  }
  const auto [entry, is_new] =
      impl.index_of.try_emplace(episode.program, static_cast<int32_t>(impl.info.programs.size()));
  if (is_new) impl.info.programs.push_back(episode.program);
  impl.indices.push_back(entry->second);
  impl.digest.add(episode);
  if (static_cast<int64_t>(impl.indices.size()) == block_episodes(impl.world)) {
    throw_if_interrupted();
    impl.flush();
  }
}

EpisodeFileInfo EpisodeWriter::finish() {
  Impl& impl = *impl_;
  impl.flush();
  impl.info.digest = impl.digest.finish_hex();
  nlohmann::json programs = nlohmann::json::array();
  for (const Program& program : impl.info.programs) programs.push_back(impl.world.program_text(program));
  // A dataset and not an attribute: attributes end at 64 KiB.
  const nlohmann::json meta{{"world", impl.info.world},         {"split", impl.info.split},
                            {"generator", impl.info.generator}, {"digest", impl.info.digest},
                            {"alpha", impl.info.alpha},         {"programs", programs}};
  const std::string text = meta.dump();
  h5::Handle stream = create_stream(impl.file, "meta", H5T_STD_U8LE, {std::max<hsize_t>(text.size(), 1)}, 1);
  impl.require(stream.valid() && append_rows(stream, H5T_NATIVE_UINT8, 0, {text.size()}, text.data()));
  stream.reset();
  h5::write_text(impl.file, "format", kFormat);
  h5::write_number(impl.file, "version", kFormatVersion);
  impl.require(impl.observations.reset() >= 0 && impl.programs.reset() >= 0);
  impl.require(impl.file.reset() >= 0);
  impl.pending.commit();
  return impl.info;
}

// ---------------------------------------------------------------- reading

struct EpisodeReader::Impl {
  explicit Impl(const std::filesystem::path& p) : path(p) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (!std::filesystem::exists(path))
      fail("{} does not exist; make it with `neo data make`", path.string());
    if (std::filesystem::is_directory(path))
      fail("{} is a folder; name one of the .h5 files in it", path.string());
    file = h5::Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) corrupt("it is no HDF5 file, or it is truncated");
    std::string format;
    if (h5::read_text(file, "format", format)) {
      open_compact(format);
    } else {
      release = std::make_unique<ReleaseFile>(file, path.string());
      world = &release->world();
      info = release->info();
    }
  }

  [[noreturn]] void corrupt(const std::string& why) const {
    fail("cannot read {}: {}; make it again with `neo data make` or check the path", path.string(), why);
  }

  void open_compact(const std::string& format) {
    double version = 0;
    if (format != kFormat || !h5::read_number(file, "version", version)) corrupt("it holds no episodes");
    if (version != kFormatVersion) {
      corrupt(fmt::format("its format version is {}, this program reads {}", version, kFormatVersion));
    }
    read_meta();
    observations = h5::dataset(file, "observations");
    programs = h5::dataset(file, "program");
    if (!observations.valid() || !programs.valid() || !h5::is_integer(observations) ||
        !h5::is_integer(programs)) {
      corrupt("a dataset is missing");
    }
    const auto dims = h5::dimensions(observations);
    if (dims.empty() || dims[0] > kMostEpisodes) corrupt("the observations have no valid shape");
    info.episodes = dims[0];
    const auto expected = observation_dims(info.episodes, *world);
    if (!std::equal(dims.begin(), dims.end(), expected.begin(), expected.end()) ||
        h5::dimensions(programs) != std::vector<int64_t>{info.episodes}) {
      corrupt("the datasets do not have the shape of its world");
    }
  }

  void read_meta() {
    const h5::Handle stream = h5::dataset(file, "meta");
    const auto dims = stream.valid() ? h5::dimensions(stream) : std::vector<int64_t>{};
    if (dims.size() != 1 || dims[0] > (int64_t{1} << 26) || !h5::is_integer(stream))
      corrupt("its description is missing");
    std::string text(static_cast<size_t>(dims[0]), '\0');
    if (!text.empty() && !read_rows(stream, H5T_NATIVE_UINT8, 0, {text.size()}, text.data()))
      corrupt("its description is damaged");
    try {
      const auto meta = nlohmann::json::parse(text);
      info.world = meta.at("world").get<std::string>();
      info.split = meta.at("split").get<std::string>();
      info.generator = meta.at("generator").get<std::string>();
      info.digest = meta.at("digest").get<std::string>();
      info.alpha = meta.at("alpha").get<double>();
      world = &world_named(info.world);
      for (const auto& program : meta.at("programs")) {
        info.programs.push_back(world->parse_program(program.get<std::string>()));
      }
    } catch (const nlohmann::json::exception&) {
      corrupt("its description is not valid");
    } catch (const Error& error) {  // a world or primitive that does not exist
      corrupt(error.what());
    }
  }

  std::filesystem::path path;
  h5::Handle file, observations, programs;
  std::unique_ptr<ReleaseFile> release;  // set for files in the release's layout
  const World* world = nullptr;
  EpisodeFileInfo info;
};

EpisodeReader::EpisodeReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
EpisodeReader::~EpisodeReader() = default;
const EpisodeFileInfo& EpisodeReader::info() const { return impl_->info; }
const World& EpisodeReader::world() const { return *impl_->world; }

std::vector<uint8_t> EpisodeReader::observations(int64_t begin, int64_t count) {
  NEO_CHECK_LE(begin + count, impl_->info.episodes);
  if (impl_->release) return impl_->release->observations(begin, count);
  std::vector<uint8_t> bytes(static_cast<size_t>(count * 4 * impl_->world->size()));
  if (count > 0 && !read_rows(impl_->observations, H5T_NATIVE_UINT8, begin,
                              observation_dims(count, *impl_->world), bytes.data())) {
    impl_->corrupt("its data are damaged");
  }
  const int values = impl_->world->values();
  if (std::any_of(bytes.begin(), bytes.end(), [values](uint8_t b) { return b >= values; })) {
    impl_->corrupt(fmt::format("an observation has a value over {}", values - 1));
  }
  return bytes;
}

std::vector<int32_t> EpisodeReader::program_indices(int64_t begin, int64_t count) {
  NEO_CHECK_LE(begin + count, impl_->info.episodes);
  if (impl_->release) return impl_->release->program_indices(begin, count);
  std::vector<int32_t> indices(static_cast<size_t>(count));
  if (count > 0 &&
      !read_rows(impl_->programs, H5T_NATIVE_INT32, begin, {static_cast<hsize_t>(count)}, indices.data())) {
    impl_->corrupt("its program list is damaged");
  }
  const auto programs = static_cast<int32_t>(impl_->info.programs.size());
  if (std::any_of(indices.begin(), indices.end(), [programs](int32_t i) { return i < 0 || i >= programs; })) {
    impl_->corrupt("an episode names a program that is not listed");
  }
  return indices;
}

Episode EpisodeReader::episode(int64_t index) {
  if (index < 0 || index >= impl_->info.episodes) {
    fail("{} has episodes 0 to {}, not {}", impl_->path.string(), impl_->info.episodes - 1, index);
  }
  const auto bytes = observations(index, 1);
  const auto size = static_cast<size_t>(impl_->world->size());
  const auto part = [&](size_t i) {
    return Observation(bytes.begin() + i * size, bytes.begin() + (i + 1) * size);
  };
  return {part(0), part(1), part(2), part(3),
          impl_->info.programs[static_cast<size_t>(program_indices(index, 1)[0])]};
}

}  // namespace neo
