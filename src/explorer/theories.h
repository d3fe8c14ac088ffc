#pragma once

#include <filesystem>
#include <memory>

#include "explorer/workers.h"
#include "serve/backend.h"

namespace neo {

// A weights file, and its name in the explorer.
struct TheoryFile {
  std::string id;
  std::filesystem::path path;
};

// Files and run folders under distinct names: the name of a file without its ending, the folder's
// name for a run.
std::vector<TheoryFile> named_theories(const std::vector<std::filesystem::path>& paths);

// Theories opened for the explorer. Each is used by one request at a time, and a copy of it by one search; a request
// waits a few seconds for its turn.
class Theories : public Backend {
 public:
  // Lists them as strongest_first says. Throws an Error where a file is no theory with codes.
  explicit Theories(const std::vector<TheoryFile>& files);
  ~Theories() override;

  const std::vector<ModelInfo>& models() const override { return infos_; }
  std::optional<ExamplePair> example(const std::string& model, uint64_t seed) override;
  nlohmann::json explain(const ExplainRequest& request) override;
  nlohmann::json transfer(const TransferRequest& request) override;
  nlohmann::json search(const SearchRequest& request) override;
  nlohmann::json vocabulary(const std::string& model) override;
  nlohmann::json training(const std::string& model) override;
  // The same of a file that is none of the models: of a theory in the making.
  nlohmann::json vocabulary_of(const std::filesystem::path& theory);

 private:
  struct Place;  // a theory with its queue
  Place& find(const std::string& model);
  template <typename Work>
  nlohmann::json in_turn(const std::string& model, Work&& work);

  std::vector<ModelInfo> infos_;
  std::vector<std::unique_ptr<Place>> places_;  // as infos_
  Workers workers_;
  Workers search_worker_{1};
  Workers slow_worker_{1};  // vocabularies take seconds; other requests do not wait for them
};

}  // namespace neo
