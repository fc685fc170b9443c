#include "testbed/cluster_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using testing::HasSubstr;

std::string fault(const ClusterPlan& plan) {
  try {
    check(plan);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

ClusterPlan good_plan() {
  ClusterPlan plan;
  plan.files = "/srv/www";
  return plan;
}

TEST(ClusterPlanTest, DefaultsArePlausibleOnceThereAreFiles) {
  EXPECT_EQ(fault(good_plan()), "");
  EXPECT_THAT(fault(ClusterPlan{}), HasSubstr("--files /srv/www"));
}

TEST(ClusterPlanTest, NamesAreShortAndPlain) {
  for (const std::string name : {"", "ninechars", "UPPER", "a-b", "a/b", ".."}) {
    ClusterPlan plan = good_plan();
    plan.name = name;
    EXPECT_THAT(fault(plan), HasSubstr("is no name for a cluster")) << name;
  }
  ClusterPlan plan = good_plan();
  plan.name = "abcdefg8";
  EXPECT_EQ(fault(plan), "");
}

TEST(ClusterPlanTest, NodesProcessorShareAndForwardingHaveTheirLimits) {
  ClusterPlan plan = good_plan();
  plan.nodes = kMostNodes + 1;
  EXPECT_THAT(fault(plan), HasSubstr("1 to 64 nodes, not 65"));
  plan = good_plan();
  plan.node_cpu = 0.005;
  EXPECT_THAT(fault(plan), HasSubstr("1 % to 100 %"));
  plan = good_plan();
  plan.forwarding = Forwarding::ipvs;
  EXPECT_EQ(fault(plan), "");
  plan.router = RouterKind::haproxy;
  EXPECT_THAT(fault(plan), HasSubstr("--router dsr or nat"));
}

TEST(ClusterPlanTest, EverySettingReadsBackWhatItSays) {
  ClusterPlan plan = good_plan();
  plan.nodes = 5;
  plan.router = RouterKind::nat;
  plan.spread = Spread::hash;
  plan.forwarding = Forwarding::nftables;
  plan.server = ServerKind::apache;
  plan.node_link.reset();
  plan.router_link = BitsPerSecond{25e6};
  plan.node_cpu = 0.2;
  ClusterPlan copy;
  Settings to = cluster_settings(copy);
  for (const Setting& setting : cluster_settings(plan)) {
    find_setting(to, setting.name).set(setting.get());
  }
  EXPECT_EQ(settings_json(cluster_settings(copy)), settings_json(cluster_settings(plan)));
  EXPECT_EQ(copy.node_link, std::nullopt);
  EXPECT_EQ(copy.router_link, BitsPerSecond{25e6});
  EXPECT_EQ(copy.node_cpu, 0.2);
}

ClusterPlan mail_plan() {
  return default_cluster(ServiceKind::mail);
}

TEST(MailClusterPlan, DefaultsAreASmallClusterOfSlowNodes) {
  const ClusterPlan plan = mail_plan();
  EXPECT_EQ(fault(plan), "");
  EXPECT_EQ(plan.name, "mail");
  EXPECT_EQ(plan.node_cpu, 0.1);
  EXPECT_EQ(plan.mail.proxy_cpu, 0.1);
  EXPECT_EQ(plan.node_link, BitsPerSecond{100e6});
  EXPECT_EQ(default_cluster(ServiceKind::web).name, "web");
  EXPECT_EQ(default_cluster(ServiceKind::web).node_cpu, std::nullopt);
}

TEST(MailClusterPlan, ThereIsARouterOnlyBeforeSeveralProxies) {
  ClusterPlan plan = mail_plan();
  EXPECT_EQ(plan.proxies(), 1U);
  EXPECT_EQ(plan.effective_router(), RouterKind::none);
  plan.mail.proxies = 2;
  EXPECT_EQ(plan.effective_router(), RouterKind::dsr);
  plan.mail.proxy = ProxyKind::none;
  EXPECT_EQ(plan.proxies(), 0U);
  EXPECT_FALSE(plan.has_router());
  EXPECT_TRUE(good_plan().has_router());
  EXPECT_EQ(good_plan().proxies(), 0U);
}

TEST(MailClusterPlan, WhatCannotBeIsRefusedByName) {
  const std::vector<std::pair<std::function<void(ClusterPlan&)>, const char*>> slips = {
      {[](ClusterPlan& plan) { plan.router = RouterKind::none; }, "--router"},
      {[](ClusterPlan& plan) { plan.mail.proxies = kMostProxies + 1; }, "1 to 8 proxies, not 9"},
      {[](ClusterPlan& plan) { plan.mail.proxies = 0; }, "--proxy none"},
      {[](ClusterPlan& plan) { plan.mail.proxy = ProxyKind::none, plan.mail.proxies = 2; }, "--proxies"},
      {[](ClusterPlan& plan) { plan.mail.proxy = ProxyKind::none, plan.mail.skew = 1; }, "--skew"},
      {[](ClusterPlan& plan) { plan.nodes = 4, plan.mail.accounts = 3; }, "3 mailboxes are too few for 4"},
      {[](ClusterPlan& plan) { plan.mail.proxy_cpu = 2; }, "--proxy-cpu"},
      {[](ClusterPlan& plan) { plan.node_cpu = 0.001; }, "--node-cpu"},
      {[](ClusterPlan& plan) { plan.mail.data = "mail"; }, "--data"},
      {[](ClusterPlan& plan) { plan.mail.data = "/srv/my mail"; }, "--data"}};
  for (const auto& [slip, words] : slips) {
    ClusterPlan plan = mail_plan();
    slip(plan);
    EXPECT_THAT(fault(plan), HasSubstr(words));
  }
  for (const std::string domain :
       {"", "test", "Bench.test", "bench..test", ".test", "bench.test.", "-a.test", "a b.test", "a@b.test"}) {
    ClusterPlan plan = mail_plan();
    plan.mail.domain = domain;
    EXPECT_THAT(fault(plan), HasSubstr("is no mail domain")) << domain;
  }
}

TEST(MailClusterPlan, EverySettingReadsBackWhatItSays) {
  ClusterPlan plan = mail_plan();
  plan.router = RouterKind::haproxy;
  plan.mail = {.proxy = ProxyKind::dovecot,
               .proxies = 3,
               .proxy_cpu = std::nullopt,
               .accounts = 400,
               .skew = 0.5,
               .domain = "a.example",
               .delivery = Delivery::lmtp,
               .data = "/srv/mail"};
  ClusterPlan copy = mail_plan();
  Settings to = cluster_settings(copy);
  for (const Setting& setting : cluster_settings(plan)) {
    find_setting(to, setting.name).set(setting.get());
  }
  EXPECT_EQ(settings_json(cluster_settings(copy)), settings_json(cluster_settings(plan)));
  EXPECT_EQ(copy.mail.proxy_cpu, std::nullopt);
  EXPECT_EQ(copy.mail.skew, 0.5);
  EXPECT_EQ(copy.mail.delivery, Delivery::lmtp);
  EXPECT_EQ(copy.mail.data, "/srv/mail");
}

TEST(SettledPlan, FoldersAreLookedForAndNamedFromTheRoot) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "real");
  std::filesystem::create_symlink(folder.path() / "real", folder.path() / "link");
  ClusterPlan web = good_plan();
  web.files = folder.path() / "link";
  EXPECT_EQ(settled(web).files, std::filesystem::canonical(folder.path() / "real"));
  web.files = folder.path() / "nothing";
  EXPECT_THROW(static_cast<void>(settled(web)), UsageError);
  ClusterPlan mail = mail_plan();
  EXPECT_EQ(settled(mail).mail.data, "");
  mail.mail.data = folder.path() / "link";
  EXPECT_EQ(settled(mail).mail.data, std::filesystem::canonical(folder.path() / "real"));
  folder.write("file", "");
  mail.mail.data = folder.path() / "file";
  EXPECT_THROW(static_cast<void>(settled(mail)), UsageError);
}

TEST(ServiceNames, ReadBack) {
  for (const ServiceKind service : {ServiceKind::web, ServiceKind::mail}) {
    EXPECT_EQ(service_kind_of(name_of(service)), service);
  }
  EXPECT_THROW(static_cast<void>(service_kind_of("gopher")), UsageError);
}

TEST(ClusterPlanTest, NoneTakesALimitAwayAndNonsenseIsRefusedByName) {
  ClusterPlan plan = good_plan();
  Settings settings = cluster_settings(plan);
  find_setting(settings, "node-link").set({"none"});
  EXPECT_EQ(plan.node_link, std::nullopt);
  EXPECT_THROW(find_setting(settings, "node-link").set({"fast"}), UsageError);
  find_setting(settings, "node-link").set({"50mbit"});
  EXPECT_EQ(plan.node_link, BitsPerSecond{50e6});
}

}  // namespace
}  // namespace scalemark::testbed
