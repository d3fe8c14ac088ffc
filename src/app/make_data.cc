#include "app/make_data.h"

#include <fmt/format.h>

#include <memory>

#include "core/progress.h"

namespace neo {
namespace fs = std::filesystem;

fs::path data_folder(const DataRequest& request) {
  const std::string name = request.profile == "otib"
                               ? fmt::format("{}-alpha{:.2f}", request.world, request.alpha)
                               : request.world + "-" + request.profile;
  return fs::path("data") / name;
}

void make_data(const DataRequest& request, const fs::path& folder,
               const std::function<void(const fs::path&, const EpisodeFileInfo&)>& finished) {
  std::unique_ptr<EpisodeWriter> writer;
  std::unique_ptr<Progress> bar;
  const auto finish = [&] {
    if (!writer) return;
    const EpisodeFileInfo info = writer->finish();
    bar->finish();
    finished(folder / (info.split + ".h5"), info);
    writer.reset();
  };
  generate(request, [&](const std::string& split, int64_t expected, const std::vector<Program>&) -> EpisodeSink {
    finish();
    writer = std::make_unique<EpisodeWriter>(folder / (split + ".h5"), world_named(request.world), split,
                                             request.alpha);
    bar = std::make_unique<Progress>("making " + split, expected);
    return [&writer, &bar](const Episode& episode) {
      writer->add(episode);
      bar->advance(1);
    };
  });
  finish();
}

}  // namespace neo
