#include "core/threads.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace neo {

int default_threads() {
  const char* asked = std::getenv("OMP_NUM_THREADS");
  const std::string_view text = asked == nullptr ? "" : asked;
  int count = 0;  // of the outermost level, where there is a list of them
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace neo
