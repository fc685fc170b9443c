#include <benchmark/benchmark.h>

#include <string>

#include "web_bench/response_reader.h"

namespace scalemark::web {
namespace {

const std::string& nginx_head() {
  static const std::string head =
      "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 23:59:59 GMT\r\n"
      "Content-Type: application/octet-stream\r\nContent-Length: 5120\r\n"
      "Last-Modified: Mon, 30 Nov 2026 22:00:00 GMT\r\nConnection: keep-alive\r\nETag: \"6abc-1400\"\r\n"
      "Accept-Ranges: bytes\r\n\r\n";
  return head;
}

void BM_ResponseInOnePiece(benchmark::State& state) {
  const std::string response = nginx_head() + std::string(5'120, 'x');
  ResponseReader reader;
  for (auto _ : state) {
    reader.reset();
    benchmark::DoNotOptimize(reader.feed(response, nullptr));
  }
}
BENCHMARK(BM_ResponseInOnePiece);

void BM_HeadThenDiscarded(benchmark::State& state) {
  ResponseReader reader;
  for (auto _ : state) {
    reader.reset();
    reader.feed(nginx_head(), nullptr);
    reader.skip(reader.discardable());
    benchmark::DoNotOptimize(reader.state());
  }
}
BENCHMARK(BM_HeadThenDiscarded);

void BM_HeadInPieces(benchmark::State& state) {
  const std::string& whole = nginx_head();
  ResponseReader reader;
  for (auto _ : state) {
    reader.reset();
    for (std::size_t at = 0; at < whole.size(); at += 40) {
      reader.feed(std::string_view(whole).substr(at, 40), nullptr);
    }
    benchmark::DoNotOptimize(reader.state());
  }
}
BENCHMARK(BM_HeadInPieces);

}  // namespace
}  // namespace scalemark::web
