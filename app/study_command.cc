#include "app/study_command.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/report_document.h"
#include "analysis/report_writers.h"
#include "analysis/scaling_report.h"
#include "analysis/study_reader.h"
#include "app/stop_signals.h"
#include "app/study_file.h"
#include "app/terminal.h"
#include "core/error.h"
#include "core/run_record.h"
#include "core/setting_types.h"
#include "core/text.h"
#include "study/provider.h"
#include "study/study_run.h"
#include "study/study_store.h"

namespace scalemark::app {
namespace {

const char* word_of(study::Purpose purpose) {
  switch (purpose) {
    case study::Purpose::probe:
      return "probing";
    case study::Purpose::confirm:
      return "confirming";
    case study::Purpose::listed:
      return "measuring";
  }
  return "";
}

std::string begin_text(const study::TrialNews& news, const study::WorkloadWords& words) {
  return fmt::format("{}/{} {}: {} {}, about {}{}", news.point, news.points, news.point_name,
                     word_of(news.purpose), counted(news.load, words.user), human_duration(news.planned),
                     news.why.empty() ? "" : fmt::format(" ({})", news.why));
}

/// "97 of 100 connections conform", "1200 operations per hour with 12 users".
std::string score_text(const study::TrialReport& trial, const study::WorkloadWords& words) {
  const std::string score = trial.score ? fmt::format("{:.0f}", *trial.score) : "-";
  const std::string load = counted(trial.load, words.user);
  return words.score_is_part ? fmt::format("{} of {} conform", score, load)
                             : fmt::format("{} {} with {}", score, words.score_unit, load);
}

std::string end_text(const study::PointResult& point, const study::WorkloadWords& words) {
  const study::TrialReport& trial = point.trials.back();
  std::string text =
      fmt::format("  trial {}: {}: {}", trial.number, score_text(trial, words), name_of(trial.status));
  if (trial.disturbed) {
    text += fmt::format("; disturbed{}: the host took {:.1f} % of the processors, other programs {:.1f} %",
                        trial.counts ? "" : ", so it does not count", trial.stolen_share * 100,
                        trial.foreign_share * 100);
  } else if (trial.status != Status::pass && !trial.reasons.empty()) {
    text += "; " + trial.reasons.front();
  }
  return text;
}

std::string point_text(const study::PointResult& point) {
  return fmt::format("  {}: {}", point.name(), point.why);
}

class StudyCommand final : public Command {
 public:
  [[nodiscard]] CommandInfo info() const override {
    return {
        .words = "study",
        .table = "study",
        .summary = "measure a service over numbers of nodes, and how far from linear it grows",
        .about =
            "Measures every point (a router with a number of nodes) that FILE asks for, web or mail: sets "
            "the "
            "cluster up, searches for the highest load that passes, and confirms it at full length. Each "
            "trial's record "
            "is "
            "kept as it is made; run the same command again to take up an interrupted study. "
            "'scalemark report DIR' draws the curve.",
        .examples =
            "  scalemark study studies/web-scaling.toml\n"
            "  scalemark study studies/web-scaling.toml --profile full --out results/full\n"
            "  scalemark study studies/web-scaling.toml --nodes 1 --nodes 2 --set cluster.node-link=20mbit\n"
            "  scalemark study studies/web-scaling.toml --print-plan\n",
        .by_place = {"file"}};
  }

  [[nodiscard]] Settings settings() override {
    Settings settings = {
        text_setting("file",
                     "what to measure: a TOML file with the tables [study], [cluster] and [web] or [mail]",
                     "Study", file_, "FILE"),
        texts_setting("set", "replaces a setting of the file, as in web.window=30s; may be repeated", "Study",
                      overrides_, "TABLE.NAME=VALUE")};
    Settings more = study::study_settings(plan_);
    settings.insert(settings.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    return settings;
  }

  void apply(const std::vector<Given>& given) override {
    Settings own = settings();
    std::vector<Given> of_study;
    for (const Given& entry : given) {
      if (entry.name == "file" || entry.name == "set") {
        apply_given(own, entry);
      } else {
        of_study.push_back(entry);
      }
    }
    if (file_.empty()) {
      throw UsageError("no study file is named; say which, as in scalemark study studies/web-scaling.toml");
    }
    apply_study_file(plan_, file_, of_study, overrides_);
    if (plan_.out.empty()) {
      plan_.out = std::filesystem::path(file_).stem().string() +
                  (plan_.profile == study::Profile::quick ? "-quick" : "-full");
    }
  }

  [[nodiscard]] std::string plan_text() override { return write_study_file(plan_); }
  void check() const override { study::check(plan_); }

  int run(Console& console) override {
    const StopSignals signals;
    const SteadyClock clock;
    LiveLine line(console, clock);
    const auto notice = [&line](const std::string& sentence) { line.notice(sentence); };
    const study::StudyStore store(plan_.out, plan_);
    notice(opening_text(store));
    const RunRecord record = measure(store, notice);
    line.clear();
    console.out << summary(store, console);
    console.out << fmt::format("record: {}\nreport: scalemark report {} --out {}\n",
                               store.study_file().string(), plan_.out,
                               (std::filesystem::path(plan_.out) / "report").string());
    return exit_code_of(record.verdict.status);
  }

 private:
  [[nodiscard]] std::string opening_text(const study::StudyStore& store) const {
    const auto counts = plan_.node_counts();
    const bool single = counts.size() == 1 && counts.front() == 1;
    std::vector<std::string> variants;
    for (const study::Variant& variant : plan_.variants) {
      variants.push_back(variant.name);
    }
    return fmt::format(
        "{} ({} {}; {}{}{}), about {} in all{}; results in {}", counted(plan_.points().size(), "point"),
        fmt::join(plan_.nodes, ", "), single ? "node" : "nodes", fmt::join(plan_.routers, ", "),
        variants.empty() ? "" : "; ", fmt::join(variants, ", "), human_duration(study::planned_time(plan_)),
        store.resumed() ? ", less what is measured already" : "", plan_.out);
  }

  [[nodiscard]] RunRecord measure(const study::StudyStore& store,
                                  const std::function<void(const std::string&)>& notice) const {
    const study::WorkloadWords& words = plan_.workload->words();
    const auto provider = study::make_provider(plan_, store.folder(), notice);
    return study::run(
        plan_, *provider, store,
        {.trial_begins = [&](const study::TrialNews& news) { notice(begin_text(news, words)); },
         .trial_ended = [&](const study::PointResult& point) { notice(end_text(point, words)); },
         .point_ended = [&notice](const study::PointResult& point) { notice(point_text(point)); },
         .stop = &StopSignals::stopped()});
  }

  /// What a report of the results says. A study of which nothing is known yet has no curve to show.
  [[nodiscard]] static std::string summary(const study::StudyStore& store, const Console& console) {
    const auto report = analysis::report_of(analysis::read_measurements({store.study_file()}));
    auto document = analysis::document_of(report);
    std::erase_if(document.sections, [](const analysis::Section& section) { return section.folded; });
    return analysis::report_text(document, {console.colour, console.width});
  }

  std::string file_;
  std::vector<std::string> overrides_;
  study::StudyPlan plan_;
};

}  // namespace

std::unique_ptr<Command> make_study_command() {
  return std::make_unique<StudyCommand>();
}

}  // namespace scalemark::app
