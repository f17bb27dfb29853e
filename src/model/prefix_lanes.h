// Which of the kept prompt beginnings a new prompt shares, and which one it may replace.
//
// A lane holds the tokens of one earlier prompt whose attention states are still in memory, in whole
// chunks only: a chunk is computed in one piece, so that taking it from memory gives the same bits as
// computing it again, and the same prompt the same answer whether or not it was seen before. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace signalbox {

using TokenId = std::int32_t;

class PrefixLanes {
 public:
  PrefixLanes(std::size_t lanes, std::size_t chunk) : lanes_(lanes), chunk_(chunk) {}

  struct Place {
    int lane = 0;
    std::size_t shared = 0;  // tokens of the prompt that need no computing; less than all of them
  };

  // The lane that shares most; one that shares less than half of what it holds is left for its own
  // prompts while an older one can be taken.
  Place find(std::span<const TokenId> prompt);

  // The first `computed` tokens of `prompt` now lie in the lane.
  void keep(int lane, std::span<const TokenId> prompt, std::size_t computed);
  void forget(int lane) { lanes_[static_cast<std::size_t>(lane)].tokens.clear(); }
  std::size_t kept(int lane) const { return lanes_[static_cast<std::size_t>(lane)].tokens.size(); }

 private:
  struct Lane {
    std::vector<TokenId> tokens;
    std::uint64_t used = 0;
  };
  std::size_t whole_chunks(std::size_t tokens) const { return tokens / chunk_ * chunk_; }

  std::vector<Lane> lanes_;
  std::size_t chunk_;
  std::uint64_t uses_ = 0;
};

}  // namespace signalbox
