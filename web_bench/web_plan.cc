#include "web_bench/web_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/run_settings.h"
#include "core/setting_types.h"
#include "filesets/web_files.h"
#include "web_bench/metrics.h"

namespace scalemark::web {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongest = 168h;
constexpr Duration kLongestDrain = 1h;
constexpr Duration kShortestTimeout = 1ms;
constexpr std::uint32_t kMostConnections = 1'000'000;
constexpr std::uint32_t kMostDirectories = 100'000;  // dir00000 .. dir99999
constexpr std::uint32_t kMostMixParts = 65'536;      // what a deck holds
constexpr std::uint32_t kLeastMss = 88;              // below, Linux refuses the socket option
constexpr std::uint32_t kMostMss = 32'767;           // and above
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

void add_target(Settings& to, WebPlan& plan) {
  constexpr const char* kGroup = "Target";
  to.push_back(texts_setting(
      "url", "base URL of the server; the connections are spread evenly over all that are given", kGroup,
      plan.urls, "URL"));
  to.push_back(text_setting("urls",
                            "request what this file lists instead of the file set: a URL or path per line "
                            "(URLs name the server when there is no --url), "
                            "then, if wanted, its weight and its size in bytes",
                            kGroup, plan.urls_file, "FILE"));
  to.push_back(count_setting("directories",
                             "directories of the file set to draw from; 0 takes the number that belongs to "
                             "the connections",
                             kGroup, plan.directories, 0, kMostDirectories));
  to.push_back(count_setting("files-seed", "seed that the file set was made with", kGroup, plan.files_seed,
                             std::uint64_t{0}, kAnySeed));
  to.push_back(counts_setting("class-mix",
                              "parts of the requests that ask for class 0, 1, 2 and 3 of the file set",
                              kGroup, plan.class_mix, kMostMixParts));
}

void add_load(Settings& to, WebPlan& plan) {
  constexpr const char* kGroup = "Load";
  to.push_back(count_setting("connections", "simulated users, each on a line of his own", kGroup,
                             plan.connections, 1, kMostConnections));
  to.push_back(choice_setting<Profile>(
      "profile",
      "where times and iterations come from unless they are given: quick takes a minute and a half, full two "
      "hours",
      kGroup, plan.profile, {{"quick", Profile::quick}, {"full", Profile::full}}));
  to.push_back(duration_setting("ramp-up", "time in which the users start, evenly (full: 5m)", kGroup,
                                plan.phases.ramp_up, 0s, kLongest));
  to.push_back(duration_setting("warm-up", "time at full load before the first window (full: 20m)", kGroup,
                                plan.phases.warm_up, 0s, kLongest));
  to.push_back(duration_setting("window", "measured time of each iteration (full: 20m)", kGroup,
                                plan.phases.window, 0s, kLongest));
  to.push_back(duration_setting("ramp-down", "time in which the users stop, evenly (full: 5m)", kGroup,
                                plan.phases.ramp_down, 0s, kLongest));
  to.push_back(duration_setting("drain",
                                "how long transfers that are under way after the ramp-down are waited for; "
                                "those that are not over then are cut and count as unfinished",
                                kGroup, plan.drain, 0s, kLongestDrain));
  to.push_back(count_setting("iterations",
                             "how often the window is measured; the median iteration is the score", kGroup,
                             plan.iterations, 1, 1000));
  to.push_back(
      count_setting("threads", "threads that carry the users, round robin", kGroup, plan.threads, 1, 1024));
  to.push_back(count_setting("seed", "the same seed makes every user ask for the same things", kGroup,
                             plan.seed, std::uint64_t{0}, kAnySeed));
}

void add_user_model(Settings& to, WebPlan& plan) {
  constexpr const char* kGroup = "User model";
  to.push_back(rate_setting("line-speed", "line of a user in bit/s (k = 1000): nobody gets more", kGroup,
                            plan.line_speed));
  to.push_back(rate_setting("conforming-rate", "bit/s that a connection must hold over the window to conform",
                            kGroup, plan.conforming_rate));
  to.push_back(choice_setting<PaceBytes>(
      "pace-bytes", "what counts on the line: whole responses, or their bodies only", kGroup, plan.pace_bytes,
      {{"wire", PaceBytes::wire}, {"body", PaceBytes::body}}));
  to.push_back(share_setting("persistent-share",
                             "share of the requests that travel on persistent TCP connections", kGroup,
                             plan.persistent_share));
  to.push_back(range_setting(
      "requests-per-connection", "requests that a persistent TCP connection carries, drawn uniformly", kGroup,
      plan.requests_per_connection_min, plan.requests_per_connection_max, 1, 1'000'000));
  to.push_back(duration_setting("failure-pause", "least time that a failed operation takes", kGroup,
                                plan.failure_pause, kShortestTimeout, kLongest));
}

void add_transport(Settings& to, WebPlan& plan) {
  constexpr const char* kGroup = "Transport";
  to.push_back(choice_setting<Engine>(
      "engine", "native is the fast HTTP/1.1 client; curl also speaks https and HTTP/2", kGroup, plan.engine,
      {{"native", Engine::native}, {"curl", Engine::curl}}));
  to.push_back(choice_setting<HttpVersion>("http", "highest HTTP version to offer; 2 needs --engine curl",
                                           kGroup, plan.http,
                                           {{"1.1", HttpVersion::http1}, {"2", HttpVersion::http2}}));
  to.push_back(duration_setting("connect-timeout", "longest time to connect", kGroup, plan.connect_timeout,
                                kShortestTimeout, kLongest));
  to.push_back(duration_setting("read-timeout", "longest silence of the server within an operation", kGroup,
                                plan.read_timeout, kShortestTimeout, kLongest));
  to.push_back(texts_setting(
      "bind", "local address or range (10.0.0.2-10.0.0.20) to connect from; without it the system chooses",
      kGroup, plan.bind, "ADDR"));
  to.push_back(count_setting("mss", "TCP maximum segment size in bytes; 0 leaves it to the system", kGroup,
                             plan.mss, 0, kMostMss));
  to.push_back(flag_setting("insecure", "https: accept any certificate", kGroup, plan.insecure));
  to.push_back(text_setting("ca-file", "https: trust the certificates in this file, not the system's", kGroup,
                            plan.ca_file, "FILE"));
}

void add_judging(Settings& to, WebPlan& plan) {
  constexpr const char* kGroup = "Judging";
  to.push_back(choice_setting<Verify>(
      "verify", "whose contents are checked (status and length always are)", kGroup, plan.verify,
      {{"none", Verify::none}, {"sample", Verify::sample}, {"all", Verify::all}}));
  to.push_back(share_setting("verify-share", "share of the responses that --verify sample checks", kGroup,
                             plan.verify_share));
  to.push_back(texts_setting("require",
                             "goal that decides pass or fail, such as 'conforming>=95%' or 'ttfb_p99<50ms'",
                             kGroup, plan.require, "GOAL"));
}

bool is_https(const std::string& url) {
  static constexpr std::string_view kScheme = "https:";
  return url.size() >= kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), url.begin(),
                    [](char want, char have) { return want == have || want == have + ('a' - 'A'); });
}

bool has_https(const WebPlan& plan) {
  return std::any_of(plan.urls.begin(), plan.urls.end(), is_https);
}

void check_target(const WebPlan& plan) {
  refuse_if(plan.urls.empty(), "no server is named; give at least one --url, as in --url http://10.0.0.1/");
  refuse_if(plan.urls.size() > plan.connections,
            fmt::format("{} URLs cannot share {} connections; raise --connections or give fewer --url",
                        plan.urls.size(), plan.connections));
  if (!plan.urls_file.empty()) {
    refuse_if(plan.directories != 0,
              "--directories belongs to the file set, which --urls replaces; leave one of them out");
    return;
  }
  refuse_if(
      plan.class_mix.size() != filesets::kClasses,
      fmt::format("--class-mix has {} parts, but the file set has {} classes; write it as in 35:50:14:1",
                  plan.class_mix.size(), filesets::kClasses));
  const auto parts = std::accumulate(plan.class_mix.begin(), plan.class_mix.end(), std::uint64_t{0});
  refuse_if(parts == 0,
            "--class-mix asks for no class at all; give at least one part above 0, as in 35:50:14:1");
  refuse_if(parts > kMostMixParts,
            fmt::format("--class-mix has {} parts in all; write the same mix with at most {}", parts,
                        kMostMixParts));
}

void check_load(const WebPlan& plan) {
  refuse_if(plan.connections == 0, "--connections is 0; at least 1 is needed");
  refuse_if(plan.iterations == 0, "--iterations is 0; at least 1 is needed");
  refuse_if(plan.threads == 0, "--threads is 0; at least 1 is needed");
  refuse_if(
      plan.threads > plan.connections,
      fmt::format("{} threads cannot share {} connections; lower --threads", plan.threads, plan.connections));
  refuse_if(plan.phases.window <= Duration::zero(),
            "--window is 0, so nothing would be measured; give it a time, as in --window 20s");
}

void check_user_model(const WebPlan& plan) {
  refuse_if(
      plan.conforming_rate.value > plan.line_speed.value,
      fmt::format("--conforming-rate {} is above --line-speed {}, so no connection could conform; lower "
                  "the one or raise the other",
                  format_rate(plan.conforming_rate), format_rate(plan.line_speed)));
  refuse_if(plan.requests_per_connection_min == 0,
            "--requests-per-connection begins at 0; a TCP connection carries at least 1 request");
  refuse_if(plan.requests_per_connection_min > plan.requests_per_connection_max,
            fmt::format("--requests-per-connection {}-{} runs backwards; write the smaller number first",
                        plan.requests_per_connection_min, plan.requests_per_connection_max));
}

/// The host of a URL, as far as it can be told without reading all of it; IPv6 without brackets.
std::string host_of(const std::string& url) {
  const auto begin = url.find("://");
  const std::string rest = begin == std::string::npos ? url : url.substr(begin + 3);
  return rest.starts_with('[') ? rest.substr(1, rest.find(']') - 1)
                               : rest.substr(0, rest.find_first_of(":/"));
}

void check_transport(const WebPlan& plan) {
  const bool native = plan.engine == Engine::native;
  refuse_if(native && has_https(plan), "the native engine speaks http only; add --engine curl for https");
  refuse_if(native && plan.http == HttpVersion::http2,
            "the native engine speaks HTTP/1.1 only; add --engine curl for --http 2");
  refuse_if(plan.insecure && !plan.ca_file.empty(),
            "--insecure accepts any certificate, so --ca-file would do nothing; leave one of them out");
  refuse_if((plan.insecure || !plan.ca_file.empty()) && !has_https(plan),
            "--insecure and --ca-file are for https, but no --url begins with https://; leave them out");
  refuse_if(
      plan.mss != 0 && plan.mss < kLeastMss,
      fmt::format("--mss {} is too small; give at least {}, or 0 for the system's own", plan.mss, kLeastMss));
  for (const std::string& url : plan.urls) {
    check_bind_family(plan.bind, host_of(url), url);
  }
}

}  // namespace

std::uint32_t WebPlan::effective_directories() const {
  return directories != 0 ? directories : filesets::directories_for(connections);
}

void apply_profile(WebPlan& plan, Profile profile) {
  plan.profile = profile;
  plan.iterations = 3;
  if (profile == Profile::full) {
    plan.phases = {.ramp_up = 300s, .warm_up = 1200s, .window = 1200s, .ramp_down = 300s};
  } else {
    plan.phases = {.ramp_up = 5s, .warm_up = 5s, .window = 20s, .ramp_down = 2s};
  }
}

Settings web_settings(WebPlan& plan) {
  Settings settings;
  add_target(settings, plan);
  add_load(settings, plan);
  add_user_model(settings, plan);
  add_transport(settings, plan);
  add_judging(settings, plan);
  add_output_settings(settings, "web", plan.json, plan.csv);
  return settings;
}

void check(const WebPlan& plan) {
  check_target(plan);
  check_load(plan);
  check_user_model(plan);
  check_transport(plan);
  check_requirements(plan.require, web_metrics());
  check_outputs_differ(plan.json, plan.csv);
}

}  // namespace scalemark::web
