#include "data/picture_source.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/read_png.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

bool is_png(const fs::path& path) { return lowercase(path.extension().string()) == ".png"; }

bool is_other_picture(const fs::path& path) {
  static const std::set<std::string> kOthers{".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"};
  return kOthers.contains(lowercase(path.extension().string()));
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}


// The last number in a file's name.
std::optional<int64_t> frame_number(const fs::path& path) {
  const std::string name = path.stem().string();
  const size_t end = name.find_last_of("0123456789");
  if (end == std::string::npos) return std::nullopt;
  const size_t before = name.find_last_not_of("0123456789", end);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  int64_t number = 0;
  const auto [last, failure] = std::from_chars(name.data() + begin, name.data() + end + 1, number);
  return failure == std::errc() ? std::optional(number) : std::nullopt;
}

class Pictures : public PairSource {
 public:
  std::vector<std::string> notes() const override { return {notes_.begin(), notes_.end()}; }

 protected:
  std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> paths = sorted_entries(folder);
    for (const fs::path& path : paths)
      if (is_other_picture(path))
        notes_.insert(fmt::format("{} files were left out; convert them to PNG", lowercase(path.extension().string())));
    std::erase_if(paths, [](const fs::path& path) { return !is_png(path); });
    return paths;
  }
  RawValue read(const fs::path& path) {
    Picture picture = read_png(path);
    if (!picture.converted.empty()) notes_.insert("pictures converted: " + picture.converted);
    RawValue value;
    value.shape = {picture.height, picture.width, picture.channels};
    value.values.assign(picture.pixels.begin(), picture.pixels.end());
    value.is_byte = value.is_picture = true;
    value.at = {&path, "", 0};
    return value;
  }
  std::set<std::string> notes_;
};

class BeforeAfter : public Pictures {
 public:
  explicit BeforeAfter(const fs::path& folder) {
    for (const char* half : {"before", "after"})
      if (!fs::is_directory(folder / half))
        fail("{} is missing; put the pictures {} the change there, under the same names", (folder / half).string(),
             half);
    before_ = pictures_in(folder / "before");
    std::set<fs::path> names;
    for (const fs::path& path : before_) {
      after_.push_back(folder / "after" / path.filename());
      names.insert(path.filename());
      if (!fs::exists(after_.back()))
        fail("{} has no partner {}; add it, or remove the first", path.string(), after_.back().string());
    }
    for (const fs::path& path : pictures_in(folder / "after"))
      if (!names.contains(path.filename()))
        fail("{} has no partner {}; add it, or remove the first", path.string(),
             (folder / "before" / path.filename()).string());
    if (before_.empty()) fail("{} holds no PNG files", (folder / "before").string());
  }
  void visit(const PairVisitor& visitor) override {
    for (size_t i = 0; i < before_.size(); ++i) {
      RawPair pair{.x = read(before_[i]), .y = read(after_[i])};
      visitor(pair);
    }
  }
  std::vector<fs::path> files() const override {
    std::vector<fs::path> files = before_;
    files.insert(files.end(), after_.begin(), after_.end());
    return files;
  }

 private:
  std::vector<fs::path> before_, after_;
};

class Frames : public Pictures {
 public:
  Frames(const fs::path& folder, const Lags& lags) : folder_(folder), lags_(lags) {
    add_trajectory(folder);
    for (const fs::path& path : sorted_entries(folder))
      if (fs::is_directory(path)) add_trajectory(path);
  }
  void visit(const PairVisitor& visitor) override {
    TrajectoryPairs pairs(lags_, visitor);
    for (const auto& frames : trajectories_) {
      pairs.begin();
      for (const Frame& frame : frames) pairs.add(read(frame.path));
    }
    pairs.require_pairs(folder_.string(), "trajectory", "number frames one after the other: frame_0001.png, ...");
  }
  std::vector<fs::path> files() const override {
    std::vector<fs::path> files;
    for (const auto& frames : trajectories_)
      for (const Frame& frame : frames) files.push_back(frame.path);
    return files;
  }

 private:
  struct Frame {
    int64_t number;
    fs::path path;
  };

  void add_trajectory(const fs::path& folder) {
    std::vector<Frame> frames;
    for (const fs::path& path : pictures_in(folder)) {
      const auto number = frame_number(path);
      if (!number) fail("{} has no number in its name; call frames frame_0001.png, ...", path.string());
      frames.push_back({*number, path});
    }
    std::ranges::stable_sort(frames, {}, &Frame::number);
    for (size_t i = 0; i < frames.size(); ++i) {
      if (i > 0 && frames[i].number == frames[i - 1].number)
        fail("{} and {} have the same number; put each trajectory in a folder of its own",
             frames[i - 1].path.string(), frames[i].path.string());
      const bool is_gap = i > 0 && frames[i].number != frames[i - 1].number + 1;
      if (is_gap) notes_.insert("missing frame numbers begin new trajectories");
      if (i == 0 || is_gap) trajectories_.emplace_back();
      trajectories_.back().push_back(frames[i]);
    }
  }

  fs::path folder_;
  Lags lags_;
  std::vector<std::vector<Frame>> trajectories_;
};

bool has_pictures(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder),
                             [](const auto& entry) { return is_png(entry.path()); });
}

// One of the two is enough: without the other, its pictures are no trajectory.
bool is_before_after(const fs::path& folder) {
  return fs::is_directory(folder / "before") || fs::is_directory(folder / "after");
}

}  // namespace

bool is_picture_folder(const fs::path& folder) {
  if (is_before_after(folder) || has_pictures(folder)) return true;
  return std::ranges::any_of(fs::directory_iterator(folder), [](const auto& entry) {
    return entry.is_directory() && has_pictures(entry.path());
  });
}

std::unique_ptr<PairSource> open_pictures(const fs::path& folder, const Lags& lags) {
  if (is_before_after(folder)) return std::make_unique<BeforeAfter>(folder);
  return std::make_unique<Frames>(folder, lags);
}

}  // namespace neo
