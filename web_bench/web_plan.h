// Everything that a web run is asked to do.
//
// A plain struct with the effective value of every setting, and the table that gives the settings their
// names. Nothing in web_bench reads an option from anywhere else. Copied freely; not synchronised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/phases.h"
#include "core/setting.h"
#include "core/units.h"

namespace scalemark::web {

enum class Engine : std::uint8_t { native, curl };
enum class Profile : std::uint8_t { quick, full };
enum class Verify : std::uint8_t { none, sample, all };
enum class PaceBytes : std::uint8_t { wire, body };
enum class HttpVersion : std::uint8_t { http1, http2 };

struct WebPlan {
  // What is asked for
  std::vector<std::string> urls;  ///< base URLs; user i works on url i mod size
  std::string urls_file;          ///< a list of paths instead of the file set; empty: the file set
  std::uint32_t directories = 0;  ///< of the file set; 0: what the formula gives for `connections`
  std::uint64_t files_seed = 1;   ///< the seed that the file set was made with
  std::vector<std::uint32_t> class_mix = {35, 50, 14, 1};  ///< parts per class, dealt exactly

  // Load
  std::uint32_t connections = 100;   ///< simulated users
  Profile profile = Profile::quick;  ///< where the phase lengths come from unless they are given
  PhaseLengths phases;
  Duration drain =
      std::chrono::milliseconds(1500);  ///< how long transfers are waited for after the ramp-down
  std::uint32_t iterations = 3;
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;

  // User model
  BitsPerSecond line_speed{400'000};
  BitsPerSecond conforming_rate{320'000};
  PaceBytes pace_bytes = PaceBytes::wire;
  double persistent_share = 0.7;                  ///< share of requests that travel on persistent connections
  std::uint32_t requests_per_connection_min = 5;  ///< on a persistent connection, uniform
  std::uint32_t requests_per_connection_max = 15;
  Duration failure_pause = std::chrono::milliseconds(250);  ///< least time a failed operation takes

  // Transport
  Engine engine = Engine::native;
  HttpVersion http = HttpVersion::http1;  ///< the highest that is offered; curl engine only
  Duration connect_timeout = std::chrono::seconds(10);
  Duration read_timeout = std::chrono::seconds(30);  ///< longest silence within an operation
  std::vector<std::string> bind;  ///< local source addresses or ranges A-B; user i uses i mod size
  std::uint32_t mss = 0;          ///< TCP maximum segment size; 0: the system's
  bool insecure = false;          ///< https: accept any certificate
  std::string ca_file;            ///< https: trust this file instead of the system's store

  // Judging
  Verify verify = Verify::sample;
  double verify_share = 0.01;        ///< share of responses whose content is checked under `sample`
  std::vector<std::string> require;  ///< requirements; see core/requirement.h

  // Output
  std::string json;  ///< record's path; "" picks web-UTC.json, "none" writes none
  std::string csv;   ///< "" writes none

  /// Directories that the run draws from: `directories`, or the formula's number for `connections`.
  [[nodiscard]] std::uint32_t effective_directories() const;
};

/// Sets phases and iterations to those of a profile.
void apply_profile(WebPlan& plan, Profile profile);

/// The settings of a web run, bound to `plan`, which must outlive them. Setting "profile" does not touch the
/// phases by itself: who reads the settings applies the profile first (apply_profile) and then the rest.
[[nodiscard]] Settings web_settings(WebPlan& plan);

/// Throws UsageError for what no single setting can see: no URL, min > max, an https URL with the native
/// engine, a window of 0, ...
void check(const WebPlan& plan);

}  // namespace scalemark::web
