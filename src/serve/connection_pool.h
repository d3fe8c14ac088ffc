#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace neo {

// One thread for each connection that is served, as many as were asked for or as the system gives. As many connections
// again may wait for one; further ones run where they are enqueued, which turns them away.
class ConnectionPool {
 public:
  explicit ConnectionPool(int threads);  // an Error where not a single one can be started
  ~ConnectionPool() { shut_down(); }
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  void enqueue(std::function<void()> task);
  void shut_down();         // finishes what was enqueued
  bool is_crowded() const;  // connections wait for a thread
  int threads() const { return static_cast<int>(threads_.size()); }

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  size_t idle_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace neo
