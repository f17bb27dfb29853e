// The context step with a store: load a session of a full conversation, and write a turn back.
//
// Shape: 20 messages of 200 characters, 20 intents: what a long conversation holds. Budgets: context
// step 100 µs at p99 in memory, 1 ms with SQLite, and no slower with 100,000 sessions than with 1,000.
// `cpu_p99_us` is the same without what other programs took of the machine.
// A write with SQLite waits for the disk (synchronous=FULL); it is reported, not bounded.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <random>

#include "store/memory_sessions.h"
#include "store/sqlite_sessions.h"

namespace signalbox {
namespace {

Session full_session() {
  Session session;
  session.profile = "assistant";
  session.created = session.touched = SteadyClock().wall();
  for (int i = 0; i < 20; ++i) {
    session.add_message(i % 2 == 0 ? "user" : "assistant", std::string(200, 'x'));
    session.add_intent("RETRIEVAL", "how do I open a file in append mode and read it");
  }
  session.results = {"one", "two", "three"};
  return session;
}

double thread_cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// Loads random sessions one by one; `p50_us` and `p99_us` are what a context step waits.
void measure_loads(benchmark::State& state, SessionStore& store, int sessions) {
  std::mt19937 random(7);
  std::vector<double> took;
  std::vector<double> cpu;
  const SteadyClock clock;
  for ([[maybe_unused]] auto _ : state) {
    const std::string id = "session-" + std::to_string(random() % static_cast<unsigned>(sessions));
    const TimePoint start = clock.now();
    const double cpu_start = thread_cpu_us();
    auto session = store.load(id, {});
    cpu.push_back(thread_cpu_us() - cpu_start);
    took.push_back(std::chrono::duration<double, std::micro>(clock.now() - start).count());
    if (!session || !*session) return state.SkipWithError("a session is missing");
  }
  std::sort(took.begin(), took.end());
  std::sort(cpu.begin(), cpu.end());
  state.counters["p50_us"] = took[took.size() / 2];
  state.counters["p99_us"] = took[took.size() * 99 / 100];
  state.counters["cpu_p99_us"] = cpu[cpu.size() * 99 / 100];
}

void fill(SessionStore& store, int sessions) {
  const Session session = full_session();
  for (int i = 0; i < sessions; ++i) store.save("session-" + std::to_string(i), session, {});
}

void memory_load(benchmark::State& state) {
  const int sessions = static_cast<int>(state.range(0));
  MemorySessionStore store({.max_sessions = 400'000, .max_bytes = std::size_t{4} << 30});
  fill(store, sessions);
  measure_loads(state, store, sessions);
}
BENCHMARK(memory_load)->Arg(1'000)->Arg(50'000)->Iterations(20'000);

std::string database_path() {
  return (std::filesystem::temp_directory_path() / "signalbox-bench.db").string();
}

void remove_database() {
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(database_path() + part);
}

void sqlite_load(benchmark::State& state) {
  const int sessions = static_cast<int>(state.range(0));
  remove_database();
  {
    auto quick = SqliteSessionStore::open(database_path(), {kSessionLifetime, false});
    fill(**quick, sessions);
  }
  auto store = SqliteSessionStore::open(database_path());
  measure_loads(state, **store, sessions);
  store = fail(ErrorCode::NotFound, "");
  remove_database();
}
BENCHMARK(sqlite_load)->Arg(1'000)->Arg(100'000)->Iterations(20'000);

void sqlite_save(benchmark::State& state) {
  remove_database();
  auto store = SqliteSessionStore::open(database_path(), {kSessionLifetime, state.range(0) != 0});
  Session session = full_session();
  for ([[maybe_unused]] auto _ : state) {
    if (!(*store)->save("s", session, {})) return state.SkipWithError("not saved");
    session.version = next_version(session);
  }
  store = fail(ErrorCode::NotFound, "");
  remove_database();
}
BENCHMARK(sqlite_save)->ArgName("sync")->Arg(1)->Arg(0)->Iterations(300);

}  // namespace
}  // namespace signalbox
