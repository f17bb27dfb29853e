#include "cache/open_cache.h"

#include <cstdlib>
#include <map>
#include <mutex>

#include "model/encoder_choice.h"
#include "store/redis_decisions.h"

namespace signalbox {
namespace {

// Several profiles compare by the same words: they are read once a process.
Result<std::shared_ptr<const MeaningWords>> shared_words(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const MeaningWords>> kept;  // guarded by mutex
  const std::lock_guard lock(mutex);
  auto& words = kept[path];
  if (words) return words;
  auto loaded = MeaningWords::load(path);
  if (!loaded) return tl::unexpected(loaded.error());
  words = std::make_shared<const MeaningWords>(*std::move(loaded));
  return words;
}

}  // namespace

Result<std::shared_ptr<DecisionCache>> open_cache(const Profile& profile, const OpenCache& with) {
  const CacheSettings& settings = profile.cache;
  if (!settings.enabled) return nullptr;
  DecisionCacheOptions options;
  options.size = static_cast<std::size_t>(settings.size);
  options.lifetime = std::chrono::seconds(settings.ttl_s);
  options.is_semantic = settings.semantic > 0;
  options.similarity = settings.semantic;
  options.watch_neighbours = with.has_llm;
  options.profile_hash = profile.hash;
  std::shared_ptr<const MeaningWords> words;
  std::shared_ptr<const Encoder> encoder;
  if (options.is_semantic) {
    auto read = shared_words(settings.words.empty() ? with.default_words : settings.words);
    if (!read && (!settings.words.empty() || read.error().code != ErrorCode::NotFound))
      return tl::unexpected(read.error());
    if (read) words = *std::move(read);
    if (auto opened = open_encoder("")) encoder = *std::move(opened);
  }
  std::shared_ptr<SharedDecisions> shared;
  const char* usual = std::getenv("SIGNALBOX_REDIS_URL");
  const std::string redis = settings.redis.empty() && usual ? usual : settings.redis;
  if (!redis.empty()) {
    auto address = parse_redis_address(redis);
    if (!address) return tl::unexpected(address.error());
    shared = std::make_shared<RedisDecisions>(*std::move(address));
  }
  auto clock = with.clock ? with.clock : std::make_shared<const SteadyClock>();
  return std::make_shared<DecisionCache>(options, std::move(words), std::move(encoder),
                                         std::move(clock), std::move(shared));
}

}  // namespace signalbox
