#include <benchmark/benchmark.h>

#include "core/histogram.h"
#include "core/random.h"

namespace scalemark {
namespace {

void BM_HistogramRecord(benchmark::State& state) {
  Histogram histogram;
  Random random(1);
  for (auto _ : state) {
    histogram.record(random.below(100'000));
  }
  benchmark::DoNotOptimize(histogram.count());
}
BENCHMARK(BM_HistogramRecord);

void BM_HistogramQuantile(benchmark::State& state) {
  Histogram histogram;
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    histogram.record(random.below(1'000'000));
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(histogram.quantile(0.99));
  }
}
BENCHMARK(BM_HistogramQuantile);

}  // namespace
}  // namespace scalemark
