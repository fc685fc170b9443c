#include "web_bench/request_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "filesets/web_files.h"
#include "web_bench/web_plan.h"

namespace scalemark::web {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string path_of(const RequestSource& source, Item item) {
  std::string path;
  source.append_path(item, path);
  return path;
}

class UrlList : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() / ("scalemark-urls-" + std::to_string(::getpid()));
    plan_.urls = {"http://host:81/base"};
    plan_.urls_file = file_;
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::unique_ptr<RequestSource> make(const std::string& text) {
    std::ofstream(file_) << text;
    return make_request_source(plan_);
  }
  std::string fault(const std::string& text) {
    try {
      make(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  WebPlan plan_;
  std::filesystem::path file_;
};

TEST_F(UrlList, ReadsPathsUrlsWeightsAndSizes) {
  const auto source =
      make("# a comment\n\n/a/b?c=d\nplain 2.5\nhttp://host:81/base/below 0 17\nhttp://host:81/base\n");
  EXPECT_EQ(path_of(*source, 0), "a/b?c=d");
  EXPECT_EQ(path_of(*source, 1), "plain");
  EXPECT_EQ(path_of(*source, 2), "below");
  EXPECT_EQ(path_of(*source, 3), "");
  EXPECT_FALSE(source->size_of(0).has_value());
  EXPECT_EQ(source->size_of(2), 17U);
  EXPECT_EQ(source->classes().size(), 1U);
}

TEST_F(UrlList, DrawsByWeight) {
  const auto source = make("a 1\nb 3\nc 0\n");
  Random random(5);
  std::array<int, 3> drawn{};
  for (int i = 0; i < 4000; ++i) {
    ++drawn.at(source->draw(0, random));
  }
  EXPECT_NEAR(drawn[1], 3000, 150);
  EXPECT_EQ(drawn[2], 0);
}

TEST_F(UrlList, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(fault(""), HasSubstr("holds no URL"));
  EXPECT_THAT(fault("a\nb x\n"), HasSubstr(":2: 'x' is no weight"));
  EXPECT_THAT(fault("a -1\n"), HasSubstr(":1: '-1' is no weight"));
  EXPECT_THAT(fault("a 1 many\n"), HasSubstr("size in bytes"));
  EXPECT_THAT(fault("a 1 2 3\n"), HasSubstr("'3' is too much"));
  EXPECT_THAT(fault("http://other/x\n"), HasSubstr("lies below no --url"));
  EXPECT_THAT(fault("a#b\n"), HasSubstr("is no URL path"));
  EXPECT_THAT(fault("a 0\n"), HasSubstr("weight"));
  plan_.urls_file = "/nowhere/at/all";
  EXPECT_THAT([this] { static_cast<void>(make_request_source(plan_)); },
              ThrowsMessage<UsageError>(HasSubstr("cannot read")));
}

TEST_F(UrlList, NamesTheServerWhenNoUrlIsGiven) {
  plan_.urls.clear();
  std::ofstream(file_) << "http://host:81/a\nb\nhttp://host:81/c/d?e=/ 2\n";
  take_server_from_list(plan_);
  EXPECT_EQ(plan_.urls, std::vector<std::string>{"http://host:81/"});
  EXPECT_EQ(path_of(*make_request_source(plan_), 2), "c/d?e=/");
  plan_.urls.clear();
  std::ofstream(file_) << "http://host:81/a\nhttp://other/b\n";
  EXPECT_THAT([this] { take_server_from_list(plan_); },
              ThrowsMessage<UsageError>(HasSubstr("names 2 servers; say with --url")));
  std::ofstream(file_) << "a\n";
  EXPECT_THAT([this] { take_server_from_list(plan_); },
              ThrowsMessage<UsageError>(HasSubstr("names 0 servers")));
}

TEST_F(UrlList, MeanBytesNeedsEverySize) {
  EXPECT_FALSE(make("a 1 10\nb\n")->mean_bytes().has_value());
  EXPECT_DOUBLE_EQ(*make("a 1 10\nb 3 30\n")->mean_bytes(), 25);
}

TEST(FileSet, KnowsItsClassesPathsSizesAndContents) {
  WebPlan plan;
  plan.directories = 3;
  const auto source = make_request_source(plan);
  EXPECT_NEAR(*source->mean_bytes(), 14'726.92, 0.01);
  const Item item = filesets::number_of({2, 1, 4});
  EXPECT_EQ(path_of(*source, item), "file_set/dir00002/class1_4");
  EXPECT_EQ(source->class_of(item), 1U);
  EXPECT_EQ(source->size_of(item), 5'120U);
  std::string body(5'120, '\0');
  filesets::fill({2, 1, 4}, plan.files_seed, 0, body);
  EXPECT_FALSE(source->body_fault(item, body).has_value());
  std::string other_seed(5'120, '\0');
  filesets::fill({2, 1, 4}, plan.files_seed + 1, 0, other_seed);
  EXPECT_THAT(*source->body_fault(item, other_seed), HasSubstr("--files-seed"));
  EXPECT_THAT(*source->body_fault(item, body.substr(1)), HasSubstr("5119 bytes where 5120 belong"));
  filesets::fill({1, 1, 4}, plan.files_seed, 0, body);
  EXPECT_THAT(*source->body_fault(item, body), HasSubstr("first line or markers"));
}

TEST(FileSet, ProbesTheLastDirectoryInEachClassWithAShare) {
  WebPlan plan;
  plan.directories = 7;
  plan.class_mix = {1, 0, 1, 0};
  const auto probes = make_request_source(plan)->probes();
  ASSERT_EQ(probes.size(), 2U);
  EXPECT_EQ(filesets::file_of(probes[0]).directory, 6U);
  EXPECT_EQ(filesets::file_of(probes[1]).cls, 2U);
}

TEST(FileSet, DrawsStayWithinTheDirectoriesAndTheClass) {
  WebPlan plan;
  plan.directories = 4;
  const auto source = make_request_source(plan);
  Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto file = filesets::file_of(source->draw(2, random));
    EXPECT_LT(file.directory, 4U);
    EXPECT_EQ(file.cls, 2U);
  }
}

}  // namespace
}  // namespace scalemark::web
