// What a report is made from: measurements of a service on growing numbers of nodes, wherever they came from.
//
// A study's record, single records and a table in a file are all read into this one shape
// (analysis/study_reader.h, analysis/table_reader.h). What a source does not hold is absent here and never 0.
// Plain data; not synchronised.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/histogram.h"

namespace scalemark::analysis {

/// What a node, the router or the client did in a span of time.
struct PartFigures {
  std::string name;
  std::optional<double> requests;
  std::optional<double> bytes_served;    ///< bodies, as the server's own log says
  std::optional<double> sent_bytes;      ///< on its network interface
  std::optional<double> received_bytes;  ///< on its network interface
  std::optional<double> cpu_seconds;
  std::optional<double> throttled_share;  ///< of the scheduler's periods, those in which it was held back
};

/// What the machine under an emulated cluster did.
struct MachineFigures {
  std::optional<double> processors;
  std::optional<double> busy_cpu_seconds;
  std::optional<double> stolen_cpu_seconds;
  std::optional<double> foreign_cpu_seconds;
};

/// A second of an iteration.
struct SecondFigures {
  double second = 0;  ///< since the iteration began
  std::string phase;  ///< "window" is what counts
  double good = 0;    ///< operations
  double failed = 0;
  double bytes = 0;
  double active = 0;  ///< users
};

/// One measured iteration of a trial that stands behind a point.
struct Evidence {
  double seconds = 0;  ///< of the window
  std::optional<double> requested;
  std::optional<double> conforming;
  std::optional<double> operations_per_second;
  std::optional<double> least_rate, mean_rate, most_rate;  ///< bit/s over the connections
  std::vector<std::pair<double, double>> share_above;      ///< bit/s, share of the connections at or above
  Histogram connect, first_byte, last_byte;                ///< us, window
  std::optional<double> connects_per_operation;            ///< TCP connections opened per good operation
  std::optional<double> lateness_share;  ///< what the generator's lateness cost of the users' time
  std::optional<double> busiest_thread;  ///< CPU share of the generator's busiest thread
  Histogram lag;                         ///< us
  std::optional<double> late_timers;
  std::vector<SecondFigures> series;
  std::optional<double> timed_out;  ///< operations of the window that a time-out ended; of mail
  std::vector<PartFigures> nodes;
  std::vector<PartFigures> proxies;
  std::optional<PartFigures> router;
  std::optional<PartFigures> client;
  std::optional<MachineFigures> machine;
};

/// A trial, as the search decided by it.
struct TrialLine {
  std::uint32_t number = 0;
  std::optional<double> load;
  std::string purpose;
  std::string verdict;
  std::optional<double> score;
  std::vector<std::string> reasons;
  std::optional<double> seconds, stolen_share, foreign_share;
  bool disturbed = false;  ///< by other programs, or by the host of this machine
  bool counts = true;      ///< false: disturbed and made again
  std::string why{};       ///< why this load was tried; "" when it is not known
  friend bool operator==(const TrialLine&, const TrialLine&) = default;
};

/// A trial that the generator was the limit of.
struct LimitedTrial {
  std::uint32_t number = 0;
  std::optional<double> load;
  std::string reason;  ///< the first of its reasons, or ""
  std::vector<Evidence> evidence;
};

enum class PointStatus : std::uint8_t {
  confirmed,          ///< a load that passed at full length
  not_confirmed,      ///< no load passed
  generator_limited,  ///< the generator ended first: says nothing about the service
  failed,             ///< nothing could be measured
  interrupted,        ///< the user ended it
  given,              ///< a figure from a table; how it was found is not known
};
/// "confirmed", "not_confirmed" and so on, as records have it.
[[nodiscard]] std::string name_of(PointStatus status);
/// "confirmed", "not confirmed" and so on, for people.
[[nodiscard]] std::string words_of(PointStatus status);

/// One number of nodes.
struct ScalingPoint {
  unsigned nodes = 0;
  PointStatus status = PointStatus::given;
  std::string why;                     ///< a sentence, or ""
  std::optional<double> load;          ///< the answer of the search
  std::optional<double> lower, upper;  ///< it lies between these
  std::vector<double> measured;        ///< every iteration's figure; empty: nothing was measured
  std::optional<double> printed_drop;  ///< per cent, as the table's source printed it
  std::vector<std::uint32_t> confirmed_by;
  std::vector<TrialLine> trials;
  std::vector<Evidence> evidence;                ///< of the trials in `confirmed_by`
  std::optional<LimitedTrial> limited;           ///< of a point that the generator limited: where it did
  std::optional<double> node_link, router_link;  ///< bit/s
  std::optional<double> node_cpu_share;          ///< of one processor
  std::optional<double> proxy_cpu_share;         ///< of one processor

  /// Whether its figures are a result that curve and fits may use.
  [[nodiscard]] bool counts() const {
    return !measured.empty() && (status == PointStatus::confirmed || status == PointStatus::given);
  }
};

/// One way to the nodes, measured at several numbers of nodes.
struct ScalingSeries {
  std::string name;  ///< the router: "dsr"; of a table its own name, or ""; with the variant, if any
  std::vector<ScalingPoint> points;    ///< by rising number of nodes, each number once
  std::optional<ScalingPoint> direct;  ///< one node without anything in between
  std::string variant{};               ///< of a study that varies more than nodes and routers: "2K"

  /// The name without the variant.
  [[nodiscard]] std::string router() const {
    return variant.empty() ? name : name.substr(0, name.size() - variant.size() - 2);
  }
  /// Whether the direct node is one of the points itself.
  [[nodiscard]] bool lists_direct() const {
    return direct && !points.empty() && points.front().nodes == 1 && points.front().trials == direct->trials;
  }
};

struct ScalingData {
  std::string title;
  std::string service;   ///< "web", or "" when it is not known
  std::string unit;      ///< of every measured figure: "conforming connections"
  std::string provider;  ///< "emulated", "command", "fixed", "" when it is not known
  bool interrupted = false;
  std::vector<std::string> sources;                       ///< files
  std::vector<std::string> notes;                         ///< a sentence each, to be shown with the result
  std::vector<std::pair<std::string, std::string>> plan;  ///< effective settings
  std::vector<std::pair<std::string, std::string>> machine;
  std::vector<ScalingSeries> series;
};

}  // namespace scalemark::analysis
