#include "data/npy.h"

#include <cstdlib>
#include <memory>

#include "data/npy_stream.h"

namespace neo {

Array read_npy(const std::filesystem::path& path) {
  NpyStream stream(std::make_unique<FileStream>(path), path.string(), /*is_one_row=*/true);
  if (stream.is_text()) fail("{} holds text; save an array of numbers", path.string());
  RawValue value;
  stream.next(value);
  if (value.shape.empty()) value.values = {std::strtod(value.text.c_str(), nullptr)};
  if (value.values.empty()) fail("{} holds no numbers; save an array of them", path.string());
  return {std::move(value.shape), stream.is_real(), std::move(value.values)};
}

}  // namespace neo
