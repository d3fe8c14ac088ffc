#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "data/infer_space.h"

namespace neo {
namespace {

constexpr double kSmallSymbol = 32;  // 3-D arrays of smaller values are symbols, others pictures
constexpr double kGreyFrom = 63;     // 2-D bytes above are a picture where both sides are large
constexpr int64_t kGreySide = 16;
constexpr int64_t kLongestSequence = 256, kLongestVector = 1024, kMostTokenValues = 1024,
                  kWidestPicture = 128;
constexpr int64_t kMostCellChannels = 16;

bool is_picture_depth(int64_t channels) { return channels == 1 || channels == 3 || channels == 4; }

class ArrayInference {
 public:
  ArrayInference(const ArrayProfile& seen, const SpaceWishes& wishes, Remarks& remarks)
      : seen_(seen), wishes_(wishes), remarks_(remarks) {}

  Encoding infer() {
    const Layout layout = wishes_.as.value_or(default_layout());
    encoding_.space.layout = layout;
    switch (layout) {
      case Layout::grid:
        make_grid();
        break;
      case Layout::sequence:
        make_sequence();
        break;
      case Layout::number:
        make_number();
        break;
      case Layout::image:
        make_image();
        break;
      case Layout::vector:
        make_vector();
        break;
    }
    check_space(space(), seen_.most_where);
    warn_of_gaps();
    return encoding_;
  }

 private:
  Space& space() { return encoding_.space; }
  void note(std::string text) { remarks_.notes.push_back(std::move(text)); }
  bool is_unit_range() const { return seen_.lowest.value >= 0 && seen_.highest.value <= 1; }
  int64_t side(size_t d) const { return seen_.most[d]; }

  Layout default_layout() const {
    const bool is_category = !seen_.is_stored_real && seen_.is_category();
    if (seen_.rank() == 1) return default_line(is_category);
    return seen_.rank() == 2 ? default_plane(is_category) : default_volume(is_category);
  }
  Layout default_line(bool is_category) const {
    const bool fits = seen_.highest.value < kMostTokenValues && side(0) <= kLongestSequence;
    return is_category && (fits || wishes_.values > 0) ? Layout::sequence : Layout::vector;
  }
  Layout default_plane(bool is_category) const {
    const int64_t least = std::min(side(0), side(1));
    if (seen_.all_bytes && seen_.highest.value > kGreyFrom && least >= kGreySide && wishes_.values == 0)
      return Layout::image;
    if (is_category || !seen_.is_stored_real) return Layout::grid;
    const bool is_picture = is_unit_range() && std::max(side(0), side(1)) <= kWidestPicture;
    return seen_.numbers() > kLongestVector && is_picture ? Layout::image : Layout::vector;
  }
  Layout default_volume(bool is_category) const {
    if (seen_.all_pictures) return Layout::image;
    if (seen_.is_stored_real)
      return is_unit_range() && is_picture_depth(side(2)) ? Layout::image : Layout::vector;
    const bool is_symbols =
        side(2) <= kMostCellChannels && (seen_.highest.value < kSmallSymbol || wishes_.values > 0);
    if (is_symbols || !is_category) return Layout::grid;
    if (are_channels_first()) refuse_channels_first();
    return seen_.highest.value <= 255 && is_picture_depth(side(2)) ? Layout::image : Layout::grid;
  }

  bool are_channels_first() const {
    return seen_.rank() == 3 && is_picture_depth(side(0)) && side(1) > 4 && side(2) > 4;
  }
  [[noreturn]] void refuse_channels_first() const {
    fail("{} is {}; put the channels last (height, width, channels)", seen_.first_where, fmt::join(seen_.most, "x"));
  }
  void hint_at_channels() {
    if (!wishes_.as && are_channels_first())
      note(fmt::format("arrays of {} have their channels last; if they come first, move them",
                       fmt::join(seen_.most, "x")));
  }

  // Counts of values must begin at 0 and have no fractions.
  void require_category() const {
    if (!seen_.is_whole)
      fail("{}: the numbers have fractions, a {} has whole values from 0; give --as vector",
           seen_.first_where, layout_name(encoding_.space.layout));
    if (seen_.lowest.value < 0)
      fail("{}: {} is negative, the values of a {} count from 0; renumber them, or give --as vector",
           seen_.lowest.where, seen_.lowest.value, layout_name(encoding_.space.layout));
  }
  int64_t count_of(double highest) const {
    if (wishes_.values == 0) return static_cast<int64_t>(std::min(highest, 1e9)) + 1;
    if (highest >= static_cast<double>(wishes_.values))
      fail("{}: {} is beyond the {} values that --values allows (0 to {})", seen_.highest.where, highest,
           wishes_.values, wishes_.values - 1);
    return wishes_.values;
  }
  void require_uniform(const char* remedy) const {
    if (seen_.is_uniform()) return;
    fail("{} is {} and {} is {}; {}", seen_.first_where, fmt::join(seen_.first, "x"), seen_.other_where,
         fmt::join(seen_.other, "x"), remedy);
  }
  void pad(const std::string& to) {
    if (seen_.is_uniform()) return;
    space().padded = true;
    for (int64_t& count : space().values) ++count;
    note(fmt::format("smaller ones were padded to {}; the last value stands for nothing", to));
  }

  void make_grid() {
    if (seen_.rank() < 2)
      fail("{} has one dimension, a grid has two or three; give --as sequence", seen_.first_where);
    require_category();
    space().shape = {side(0), side(1)};
    hint_at_channels();
    if (seen_.rank() == 3 && side(2) > 1) {
      if (!seen_.is_uniform() && seen_.other[2] != seen_.first[2])
        require_uniform("give all the same channels");
      space().shape.push_back(side(2));
      for (double highest : seen_.channel_highest) space().values.push_back(count_of(highest));
    } else {
      space().values = {count_of(seen_.highest.value)};
    }
    pad(fmt::format("{}x{}", side(0), side(1)));
  }

  void make_sequence() {
    require_category();
    if (seen_.rank() > 1) {
      require_uniform("give all the same shape");
      note(fmt::format("arrays of {} were read row by row", fmt::join(seen_.most, "x")));
    }
    space().shape = {seen_.numbers()};
    space().values = {count_of(seen_.highest.value)};
    pad(fmt::format("{} tokens", side(0)));
  }

  void make_number() {
    if (seen_.rank() != 1)
      fail("{} has {} dimensions, a number is a list of digits", seen_.first_where, seen_.rank());
    require_category();
    space().shape = {side(0)};
    const int64_t base = wishes_.values > 0 ? wishes_.values : 10;
    if (seen_.highest.value >= static_cast<double>(base))
      fail("{}: {} is no digit in base {}; give the base with --values", seen_.highest.where,
           seen_.highest.value, base);
    space().values = {base};
  }

  void make_image() {
    if (seen_.rank() < 2)
      fail("{} has one dimension, an image has two or three; give --as vector", seen_.first_where);
    require_uniform("make all pictures the same size and kind (grey, RGB, RGBA)");
    if (seen_.rank() == 3 && !is_picture_depth(side(2)) && is_picture_depth(side(0))) refuse_channels_first();
    refuse_values("an image");
    space().kind = Kind::pixels;
    space().shape = {side(0), side(1), seen_.rank() == 3 ? side(2) : 1};
    encoding_.is_scaled = seen_.is_stored_real && is_unit_range();
    if (encoding_.is_scaled) {
      note("real numbers from 0 to 1 were scaled to bytes");
    } else if (!seen_.is_category() || seen_.highest.value > 255) {
      fail("{}: an image holds whole numbers from 0 to 255, or real ones from 0 to 1, not {}{}", outlier().where,
           outlier().value, seen_.is_whole ? "" : " beside fractions");
    }
  }
  // What keeps numbers with fractions from being brightnesses from 0 to 1, or whole ones from being bytes.
  const Seen& outlier() const { return seen_.lowest.value < 0 ? seen_.lowest : seen_.highest; }
  void refuse_values(const char* what) const {
    if (wishes_.values > 0)
      fail_usage("--values counts the values of grids, sequences and numbers; {} has none; leave it out", what);
  }

  void make_vector() {
    refuse_values("a vector");
    require_uniform("a vector has one length; pad or cut them first");
    const bool is_picture_shape = seen_.rank() == 2 || (seen_.rank() == 3 && is_picture_depth(side(2)));
    if (!wishes_.as && is_picture_shape && !is_unit_range() && seen_.numbers() > kLongestVector)
      fail("{}: {} is outside 0 to 1, so {} is no image, and it is too large for a vector (up to {}); correct it",
           outlier().where, outlier().value, fmt::join(seen_.most, "x"), kLongestVector);
    hint_at_channels();
    space().kind = Kind::real;
    space().shape = {seen_.numbers()};
    if (seen_.rank() > 1)
      note(fmt::format("arrays of {} were flattened to vectors", fmt::join(seen_.most, "x")));
    if (!seen_.is_stored_real && !wishes_.as)
      note("whole numbers that are negative, large or many were taken as real ones");
  }

  void warn_of_gaps() {
    if (space().kind != Kind::categorical || space().channels() > 1 || space().layout == Layout::number)
      return;
    const int64_t values = space().values[0] - (space().padded ? 1 : 0);
    const int64_t used = std::count(seen_.used.begin(), seen_.used.end(), true);
    if (wishes_.values > 0 || values < 16 || used * 2 >= values) return;
    remarks_.warnings.push_back(
        fmt::format("only {} of the {} values occur (the largest in {}); renumber them from 0", used, values,
                    seen_.highest.where));
  }

  const ArrayProfile& seen_;
  const SpaceWishes& wishes_;
  Remarks& remarks_;
  Encoding encoding_;
};

}  // namespace

Encoding infer_from_arrays(const ArrayProfile& seen, const SpaceWishes& wishes, Remarks& remarks) {
  return ArrayInference(seen, wishes, remarks).infer();
}

}  // namespace neo
