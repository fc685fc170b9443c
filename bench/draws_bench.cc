#include <benchmark/benchmark.h>

#include "core/due_queue.h"
#include "core/random.h"
#include "filesets/popularity.h"
#include "web_bench/user.h"

namespace scalemark {
namespace {

void BM_DeckDeal(benchmark::State& state) {
  Deck deck({35, 50, 14, 1}, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(deck.deal());
  }
}
BENCHMARK(BM_DeckDeal);

void BM_FileDraw(benchmark::State& state) {
  const filesets::Popularity popularity(static_cast<std::uint32_t>(state.range(0)));
  Random random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(popularity.draw(1, random));
  }
}
BENCHMARK(BM_FileDraw)->Arg(31)->Arg(1'336)->Arg(6'584);

void BM_KeepAliveDraw(benchmark::State& state) {
  const web::KeepAlivePlan plan(0.7, 5, 15);
  Random random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(plan.draw(random));
  }
}
BENCHMARK(BM_KeepAliveDraw);

/// A take and an add, with so many users waiting.
void BM_DueQueue(benchmark::State& state) {
  DueQueue queue;
  Random random(1);
  TimePoint now{};
  for (std::uint32_t user = 0; user < static_cast<std::uint32_t>(state.range(0)); ++user) {
    queue.add(now + Duration(random.below(300'000'000)), user);
  }
  for (auto _ : state) {
    now = *queue.next();
    const auto entry = queue.take(now);
    queue.add(now + Duration(random.below(600'000'000)), entry->user);
  }
}
BENCHMARK(BM_DueQueue)->Arg(1'000)->Arg(10'000)->Arg(100'000);

}  // namespace
}  // namespace scalemark
