#include "net/work_share.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace signalbox {

std::size_t WorkShare::add_lane(boost::asio::io_context& context) {
  const std::lock_guard lock(mutex_);
  lanes_.push_back({&context, {}});
  return lanes_.size() - 1;
}

void WorkShare::offer(std::size_t lane, Work work) {
  const std::lock_guard lock(mutex_);
  lanes_[lane].waiting.push_back(std::move(work));
  if (!lanes_[lane].is_busy) return wake(lane);
  const auto idle =
      std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& l) { return !l.is_busy; });
  if (idle != lanes_.end()) wake(static_cast<std::size_t>(idle - lanes_.begin()));
}

void WorkShare::wake(std::size_t lane) {
  lanes_[lane].is_busy = true;
  boost::asio::post(*lanes_[lane].context, [this, lane] { take(lane); });
}

void WorkShare::take(std::size_t lane) {
  Work work;
  {
    const std::lock_guard lock(mutex_);
    work = next_for(lane);
    lanes_[lane].is_busy = static_cast<bool>(work);
  }
  if (!work) return;
  work();
  work = nullptr;
  const std::lock_guard lock(mutex_);
  wake(lane);  // behind what has become ready meanwhile
}

WorkShare::Work WorkShare::next_for(std::size_t lane) {
  Lane* from = &lanes_[lane];
  if (from->waiting.empty())
    from = &*std::max_element(lanes_.begin(), lanes_.end(), [](const Lane& a, const Lane& b) {
      return a.waiting.size() < b.waiting.size();
    });
  if (from->waiting.empty()) return {};
  Work work = std::move(from->waiting.front());
  from->waiting.pop_front();
  return work;
}

}  // namespace signalbox
