#include "core/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <set>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/usage_error.h"

namespace scalemark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

RunRecord sample() {
  RunRecord record;
  record.kind = "web";
  record.verdict = {Status::fail, {"conforming is 87.0 %, required >= 95 %"}};
  record.score = {87, "conforming connections", 1};
  record.plan = {{"window", "60s"}, {"url", {"http://[::1]:8080/"}}, {"insecure", false}};
  record.context = {{"host", "h\"ö\n"}, {"processors", 2}};
  record.iterations = {{{"requested", 100}, {"conforming", 87}, {"operations_per_second", 285.5}}};
  return record;
}

void expect_same(const RunRecord& one, const RunRecord& other) {
  EXPECT_EQ(one.kind, other.kind);
  EXPECT_EQ(one.verdict.status, other.verdict.status);
  EXPECT_EQ(one.verdict.reasons, other.verdict.reasons);
  EXPECT_EQ(one.score.value, other.score.value);
  EXPECT_EQ(one.score.unit, other.score.unit);
  EXPECT_EQ(one.score.iteration, other.score.iteration);
  EXPECT_EQ(one.plan, other.plan);
  EXPECT_EQ(one.context, other.context);
  EXPECT_EQ(one.iterations, other.iterations);
}

std::string complaint(const Json& document) {
  return usage_error([&] { (void)record_from_json(document); });
}

TEST(Status, HasANameAndAnExitCode) {
  for (const Status status :
       {Status::pass, Status::fail, Status::void_run, Status::generator_limited, Status::interrupted}) {
    EXPECT_EQ(status_named(name_of(status)), status);
  }
  EXPECT_EQ(status_named("PASS"), std::nullopt);
  EXPECT_EQ(name_of(Status::pass), "pass");
  EXPECT_EQ(name_of(Status::fail), "fail");
  EXPECT_EQ(name_of(Status::void_run), "void");
  EXPECT_EQ(name_of(Status::generator_limited), "generator_limited");
  EXPECT_EQ(name_of(Status::interrupted), "interrupted");
  EXPECT_EQ(exit_code_of(Status::pass), 0);
  EXPECT_EQ(exit_code_of(Status::fail), 3);
  EXPECT_EQ(exit_code_of(Status::void_run), 4);
  EXPECT_EQ(exit_code_of(Status::generator_limited), 5);
  EXPECT_EQ(exit_code_of(Status::interrupted), 130);
}

TEST(RunRecord, HasItsEnvelopeInAFixedOrder) {
  const Json document = to_json(sample());
  std::vector<std::string> names;
  for (const auto& [name, value] : document.items()) {
    names.push_back(name);
  }
  EXPECT_THAT(names,
              ::testing::ElementsAre("schema", "kind", "verdict", "score", "plan", "context", "iterations"));
  EXPECT_EQ(document["schema"], "scalemark/1");
  EXPECT_EQ(document["verdict"]["status"], "fail");
  EXPECT_EQ(document["score"]["value"], 87);
  EXPECT_EQ(document["score"]["iteration"], 1);
}

TEST(RunRecord, GoesThroughTextUnchanged) {
  for (const Status status :
       {Status::pass, Status::fail, Status::void_run, Status::generator_limited, Status::interrupted}) {
    RunRecord record = sample();
    record.verdict.status = status;
    expect_same(record_from_json(Json::parse(to_json(record).dump(2))), record);
  }
  expect_same(record_from_json(to_json(RunRecord())), RunRecord());
}

TEST(RunRecord, PartsThatOnlySomeRecordsHaveAreWrittenOnlyWhenThereAreAny) {
  RunRecord record = sample();
  record.cluster = {{"nodes", 4}};
  const Json document = to_json(record);
  EXPECT_EQ(document.at("cluster").at("nodes"), 4);
  EXPECT_FALSE(document.contains("search"));
  EXPECT_FALSE(document.contains("points"));
  const RunRecord read = record_from_json(document);
  EXPECT_EQ(read.cluster, record.cluster);
  EXPECT_TRUE(read.search.is_null());
  EXPECT_TRUE(read.points.is_null());
}

TEST(RunRecord, FiguresThatAreNotFiniteBecomeNullAnywhere) {
  RunRecord record = sample();
  record.score.value = kNan;
  record.plan["deep"] = {1.5, {{"er", {kInfinity, Json{{"est", -kInfinity}}}}}};
  record.context["nan"] = kNan;
  record.iterations.push_back({{"mean", kNan}, {"max", 1e308}});
  const Json document = to_json(record);
  EXPECT_TRUE(document["score"]["value"].is_null());
  EXPECT_EQ(document["plan"]["deep"][0], 1.5);
  EXPECT_TRUE(document["plan"]["deep"][1]["er"][0].is_null());
  EXPECT_TRUE(document["plan"]["deep"][1]["er"][1]["est"].is_null());
  EXPECT_TRUE(document["context"]["nan"].is_null());
  EXPECT_TRUE(document["iterations"][1]["mean"].is_null());
  EXPECT_EQ(document["iterations"][1]["max"], 1e308);
  // The text holds the same tree: nothing in it was left for the writer to replace.
  EXPECT_EQ(Json::parse(document.dump()), document);
  EXPECT_TRUE(std::isnan(record_from_json(document).score.value));
}

TEST(RunRecord, TextThatIsNotUtf8IsMendedSoThatItCanBeWritten) {
  RunRecord record = sample();
  record.plan["json"] = "caf\xE9.json";
  record.verdict.reasons = {"caf\xE9"};
  const Json document = to_json(record);
  EXPECT_EQ(document["plan"]["json"], "caf\xEF\xBF\xBD.json");
  EXPECT_EQ(Json::parse(document.dump()), document);
}

TEST(RunRecord, RefusesAnUnknownSchema) {
  Json document = to_json(sample());
  document["schema"] = "scalemark/2";
  EXPECT_THAT(complaint(document), AllOf(HasSubstr("'scalemark/2'"), HasSubstr("'scalemark/1'")));
  document["schema"] = "something";
  EXPECT_THAT(complaint(document), HasSubstr("'something'"));
}

TEST(RunRecord, SaysWhatIsMissing) {
  for (const char* pointer : {"/schema", "/kind", "/verdict", "/verdict/status", "/verdict/reasons", "/score",
                              "/score/value", "/score/unit", "/plan", "/context", "/iterations"}) {
    const Json::json_pointer place(pointer);
    Json document = to_json(sample());
    document[place.parent_pointer()].erase(place.back());
    EXPECT_THAT(complaint(document), AllOf(HasSubstr(place.back()), HasSubstr("is missing"))) << pointer;
  }
}

TEST(RunRecord, SaysWhatIsOfAWrongKind) {
  for (const char* pointer : {"/schema", "/kind", "/verdict/status", "/verdict/reasons", "/verdict/reasons/0",
                              "/score/unit", "/plan", "/context", "/iterations"}) {
    Json document = to_json(sample());
    document[Json::json_pointer(pointer)] = 7;
    EXPECT_THAT(complaint(document), HasSubstr("not a scalemark record")) << pointer;
  }
  Json document = to_json(sample());
  document["score"]["value"] = "87";
  EXPECT_THAT(complaint(document), HasSubstr("score.value"));
  document = to_json(sample());
  for (const Json& wrong : {Json("1"), Json(-1), Json(1.5), Json(5'000'000'000U)}) {
    document["score"]["iteration"] = wrong;
    EXPECT_THAT(complaint(document), HasSubstr("score.iteration"));
  }
  document["score"].erase("iteration");
  EXPECT_EQ(record_from_json(document).score.iteration, std::nullopt);
  document = to_json(sample());
  document["verdict"]["status"] = "splendid";
  EXPECT_THAT(complaint(document), HasSubstr("splendid"));
  for (const Json& other : {Json(nullptr), Json(5), Json("text"), Json::array(), Json::object()}) {
    EXPECT_THAT(complaint(other), HasSubstr("schema"));
  }
}

TEST(ReadRecord, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "web.json";
  write_file(path, to_json(sample()).dump(2));
  expect_same(read_record(path), sample());
}

TEST(ReadRecord, NamesTheFileAndWhatIsWrongWithIt) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "web.json";
  const auto complaint_about = [&](const std::string& text) {
    std::ofstream(path) << text;
    return usage_error([&] { (void)read_record(path); });
  };
  EXPECT_THAT(usage_error([&] { (void)read_record(path); }),
              AllOf(HasSubstr("web.json"), HasSubstr("No such file")));
  EXPECT_THAT(usage_error([&] { (void)read_record(folder.path()); }), HasSubstr("folder"));
  EXPECT_THAT(complaint_about(""), AllOf(HasSubstr("web.json"), HasSubstr("not JSON")));
  EXPECT_THAT(complaint_about("{\"schema\": "), AllOf(HasSubstr("web.json"), HasSubstr("not JSON")));
  EXPECT_THAT(complaint_about("{}"), AllOf(HasSubstr("web.json"), HasSubstr("'schema' is missing")));
  EXPECT_THAT(complaint_about(R"({"schema": "scalemark/99"})"),
              AllOf(HasSubstr("web.json"), HasSubstr("scalemark/99")));
}

}  // namespace
}  // namespace scalemark
