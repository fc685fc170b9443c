#include "analysis/iteration_evidence.h"

#include "analysis/web_fields.h"

namespace scalemark::analysis {
namespace {

/// Operations of an accounting that a time-out ended.
double timed_out_in(const Json& accounting) {
  return real_of(accounting, {"failed", "read_timeout"}).value_or(0) +
         real_of(accounting, {"failed", "connect_timeout"}).value_or(0);
}

}  // namespace

// Each bucket's middle falls into the same bucket again.
Histogram histogram_of(const Json& json) {
  Histogram histogram;
  const Json& buckets = field(json, {"buckets_us"});
  for (const Json& bucket : buckets.is_array() ? buckets : Json::array()) {
    if (bucket.is_array() && bucket.size() == 3) {
      const auto low = count_of(bucket[0], {});
      const auto high = count_of(bucket[1], {});
      const auto count = count_of(bucket[2], {});
      if (low && high && count && *low <= *high) {
        histogram.record(*low + (*high - *low) / 2, *count);
      }
    }
  }
  return histogram;
}

void add_web_evidence(const Json& iteration, Evidence& evidence) {
  evidence.requested = real_of(iteration, {"requested"});
  evidence.conforming = real_of(iteration, {"conforming"});
  evidence.operations_per_second = real_of(iteration, {"operations_per_second"});
  evidence.least_rate = real_of(iteration, {"bits_per_second", "min"});
  evidence.mean_rate = real_of(iteration, {"bits_per_second", "mean"});
  evidence.most_rate = real_of(iteration, {"bits_per_second", "max"});
  const Json& shares = field(iteration, {"share_above"});
  for (const Json& entry : shares.is_array() ? shares : Json::array()) {
    const auto rate = real_of(entry, {"bits_per_second"});
    const auto share = real_of(entry, {"share"});
    if (rate && share) {
      evidence.share_above.emplace_back(*rate, *share);
    }
  }
  evidence.connect = histogram_of(field(iteration, {"connections", "connect_ms"}));
  evidence.first_byte = histogram_of(field(iteration, {"ttfb_ms"}));
  evidence.last_byte = histogram_of(field(iteration, {"ttlb_ms"}));
  const auto opened = real_of(iteration, {"connections", "opened"});
  const auto good = real_of(iteration, {"accounting", "run", "good"});
  if (opened && good && *good > 0) {
    evidence.connects_per_operation = *opened / *good;
  }
}

void add_mail_evidence(const Json& iteration, Evidence& evidence) {
  evidence.requested = real_of(iteration, {"users"});
  evidence.operations_per_second = real_of(iteration, {"operations_per_second"});
  evidence.connect = histogram_of(field(iteration, {"steps_ms", "smtp_connect"}));
  evidence.connect.merge(histogram_of(field(iteration, {"steps_ms", "pop3_connect"})));
  const Json& smtp = field(iteration, {"smtp"});
  const Json& pop3 = field(iteration, {"pop3"});
  if (smtp.is_object() && pop3.is_object()) {
    evidence.timed_out = timed_out_in(field(smtp, {"window"})) + timed_out_in(field(pop3, {"window"}));
  }
  const auto good = real_of(iteration, {"accounting", "window", "good"});
  if (good && *good > 0 && evidence.connect.count() > 0) {
    evidence.connects_per_operation = static_cast<double>(evidence.connect.count()) / *good;
  }
}

}  // namespace scalemark::analysis
