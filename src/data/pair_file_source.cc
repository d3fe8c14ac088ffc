#include "data/pair_file_source.h"

#include <algorithm>

#include "data/h5.h"
#include "data/pair_file.h"

namespace neo {
namespace {

constexpr int64_t kPairsAtATime = 1024;

class PairFileSource : public PairSource {
 public:
  explicit PairFileSource(const std::filesystem::path& path) : path_(path), reader_(path) {}
  std::optional<Space> space() const override { return reader_.info().space; }
  std::vector<std::filesystem::path> files() const override { return {path_}; }

  void visit(const PairVisitor& visitor) override {
    if (reader_.count(Part::main) + reader_.count(Part::held_out) == 0)
      fail("{} holds no pairs", path_.string());
    for (Part part : {Part::main, Part::held_out}) {
      for (int64_t begin = 0; begin < reader_.count(part); begin += kPairsAtATime) {
        const int64_t count = std::min(kPairsAtATime, reader_.count(part) - begin);
        const PairBlock block = reader_.read(part, begin, count);
        for (int64_t i = 0; i < count; ++i) visit_one(block, static_cast<size_t>(i), begin + i, visitor);
      }
    }
  }

 private:
  void visit_one(const PairBlock& block, size_t i, int64_t index, const PairVisitor& visitor) const {
    const PairFileInfo& info = reader_.info();
    const auto bytes = static_cast<size_t>(info.space.bytes());
    RawPair pair;
    for (auto [value, from] : {std::pair{&pair.x, &block.x}, {&pair.y, &block.y}}) {
      value->values = values_of(info.space, ObservationView(*from).subspan(i * bytes, bytes));
      value->shape = info.space.shape;
      value->at = {&path_, "pair", index};
    }
    if (block.group[i] >= 0)
      pair.group = fmt::format("{}\n{}", path_.string(), block.group[i]);  // numbers of this file
    if (block.program[i] >= 0) pair.program = info.programs[static_cast<size_t>(block.program[i])];
    visitor(pair);
  }

  std::filesystem::path path_;
  PairReader reader_;
};

}  // namespace

bool is_pair_file(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const h5::Handle file = h5::open_file(path);
  std::string format;
  return file.valid() && h5::read_text(file, "format", format) && format == "neo-pairs";
}

std::unique_ptr<PairSource> open_pair_file(const std::filesystem::path& path) {
  return std::make_unique<PairFileSource>(path);
}

}  // namespace neo
