#pragma once

#include <httplib.h>
#include <torch/torch.h>

#include <future>
#include <memory>
#include <nlohmann/json.hpp>

namespace neo {

// A few threads that do all tensor work. Requests arrive on hundreds of other threads, and libraries keep
// buffers for every thread that ever computes.
class Workers {
 public:
  explicit Workers(size_t threads) : pool_(threads) {}
  ~Workers() { pool_.shutdown(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Waits for what `work` returns or throws.
  template <typename Work>
  nlohmann::json operator()(Work&& work) {
    const auto task = std::make_shared<std::packaged_task<nlohmann::json()>>(std::forward<Work>(work));
    auto result = task->get_future();
    pool_.enqueue([task] {
      thread_local const bool single = (torch::set_num_threads(1), true);  // no threads of threads
      (void)single;
      (*task)();
    });
    return result.get();
  }

 private:
  httplib::ThreadPool pool_;
};

}  // namespace neo
