#include "serve/connection_pool.h"

#include <system_error>

#include "core/error.h"

namespace neo {

ConnectionPool::ConnectionPool(int threads) {
  threads_.reserve(static_cast<size_t>(threads));
  try {
    while (static_cast<int>(threads_.size()) < threads) {
      threads_.emplace_back([this] { work(); });
      const std::lock_guard lock(mutex_);
      ++idle_;  // also before it runs: a client that comes at once is not turned away
    }
  } catch (const std::system_error&) {  // fewer clients at once, then
    if (threads_.empty()) fail("cannot start a thread for connections; raise `ulimit -u`, or end other programs");
  }
}

void ConnectionPool::enqueue(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < idle_ + threads_.size()) {
      waiting_.push_back(std::move(task));
      changed_.notify_one();
      return;
    }
  }
  task();
}

bool ConnectionPool::is_crowded() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() > idle_;
}

void ConnectionPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const auto task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
    ++idle_;
  }
}

void ConnectionPool::shut_down() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

}  // namespace neo
