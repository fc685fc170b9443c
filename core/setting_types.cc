#include "core/setting_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>

#include "core/error.h"

namespace scalemark {
namespace {

using Texts = std::vector<std::string>;

[[noreturn]] void refuse_setting(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("--{}: {}", name, why));
}

Setting described(std::string name, std::string hint, std::string help, std::string group, SettingForm form) {
  Setting setting;
  setting.name = std::move(name);
  setting.hint = std::move(hint);
  setting.help = std::move(help);
  setting.group = std::move(group);
  setting.form = form;
  return setting;
}

template <typename Count>
Setting any_count_setting(std::string name, std::string help, std::string group, Count& field, Count least,
                          Count most) {
  return parsed_setting(
      std::move(name), "N", std::move(help), std::move(group),
      [&field, least, most](const std::string& text) {
        field = static_cast<Count>(parse_count(text, "", least, most));
      },
      [&field] { return fmt::format("{}", field); });
}

std::uint32_t small_count(std::string_view text, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(parse_count(text, "", least, most));
}

Texts split_at(const std::string& text, char mark) {
  Texts parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(mark); end != std::string::npos; end = text.find(mark, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::uint32_t> parse_counts(const std::string& text, std::uint32_t most) {
  std::vector<std::uint32_t> counts;
  std::uint64_t total = 0;
  try {
    for (const std::string& part : split_at(text, ':')) {
      counts.push_back(small_count(part, 0, most));
      total += counts.back();
    }
  } catch (const UsageError&) {
    total = 0;
  }
  if (total == 0 || total > most) {
    throw UsageError(fmt::format(
        "'{}' is no mix; write whole numbers with colons between, together 1 to {}, as in 35:50:14:1", text,
        most));
  }
  return counts;
}

std::pair<std::uint32_t, std::uint32_t> parse_range(const std::string& text, std::uint32_t least,
                                                    std::uint32_t most) {
  const Texts ends = split_at(text, '-');
  try {
    const std::uint32_t low = small_count(ends.front(), least, most);
    const std::uint32_t high = small_count(ends.back(), least, most);
    if (ends.size() <= 2 && low <= high) {
      return {low, high};
    }
  } catch (const UsageError&) {  // the sentence below says more
  }
  throw UsageError(
      fmt::format("'{}' is no range; write two whole numbers from {} to {}, the smaller first, as in {}-{}",
                  text, least, most, least, most));
}

}  // namespace

Setting parsed_setting(std::string name, std::string hint, std::string help, std::string group,
                       std::function<void(const std::string&)> read, std::function<std::string()> write) {
  Setting setting =
      described(std::move(name), std::move(hint), std::move(help), std::move(group), SettingForm::single);
  setting.set = [name = setting.name, read = std::move(read)](const Texts& values) {
    if (values.empty()) {
      refuse_setting(name, "a value is missing");
    }
    try {
      read(values.back());
    } catch (const UsageError& fault) {
      refuse_setting(name, fault.what());
    }
  };
  setting.get = [write = std::move(write)] {
    std::string text = write();
    return text.empty() ? Texts{} : Texts{std::move(text)};
  };
  return setting;
}

Setting text_setting(std::string name, std::string help, std::string group, std::string& field,
                     std::string hint) {
  Setting setting =
      described(std::move(name), std::move(hint), std::move(help), std::move(group), SettingForm::single);
  setting.set = [&field](const Texts& values) { field = values.empty() ? "" : values.back(); };
  setting.get = [&field] { return field.empty() ? Texts{} : Texts{field}; };
  return setting;
}

Setting texts_setting(std::string name, std::string help, std::string group, Texts& field, std::string hint) {
  Setting setting =
      described(std::move(name), std::move(hint), std::move(help), std::move(group), SettingForm::list);
  setting.set = [&field, name = setting.name](const Texts& values) {
    if (std::find(values.begin(), values.end(), "") != values.end()) {
      refuse_setting(name, "a value is empty");
    }
    field = values;
  };
  setting.get = [&field] { return field; };
  return setting;
}

Setting count_setting(std::string name, std::string help, std::string group, std::uint32_t& field,
                      std::uint32_t least, std::uint32_t most) {
  return any_count_setting(std::move(name), std::move(help), std::move(group), field, least, most);
}

Setting count_setting(std::string name, std::string help, std::string group, std::uint64_t& field,
                      std::uint64_t least, std::uint64_t most) {
  return any_count_setting(std::move(name), std::move(help), std::move(group), field, least, most);
}

Setting number_setting(std::string name, std::string help, std::string group, double& field, double least,
                       double most) {
  return parsed_setting(
      std::move(name), "N", std::move(help), std::move(group),
      [&field, least, most](const std::string& text) {
        double value = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (fault != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
          throw UsageError(fmt::format("'{}' is no number from {} to {}", text, least, most));
        }
        field = value;
      },
      [&field] { return fmt::format("{}", field); });
}

Setting duration_setting(std::string name, std::string help, std::string group, Duration& field,
                         Duration least, Duration most) {
  return parsed_setting(
      std::move(name), "TIME", std::move(help), std::move(group),
      [&field, least, most](const std::string& text) {
        const Duration value = parse_duration(text);
        if (value < least || value > most) {
          throw UsageError(
              fmt::format("'{}' is not from {} to {}", text, format_duration(least), format_duration(most)));
        }
        field = value;
      },
      [&field] { return format_duration(field); });
}

Setting rate_setting(std::string name, std::string help, std::string group, BitsPerSecond& field) {
  return parsed_setting(
      std::move(name), "RATE", std::move(help), std::move(group),
      [&field](const std::string& text) { field = parse_rate(text); },
      [&field] { return format_rate(field); });
}

Setting share_setting(std::string name, std::string help, std::string group, double& field) {
  return parsed_setting(
      std::move(name), "SHARE", std::move(help), std::move(group),
      [&field](const std::string& text) { field = parse_share(text); },
      [&field] { return format_share(field); });
}

Setting flag_setting(std::string name, std::string help, std::string group, bool& field) {
  Setting setting = described(std::move(name), "", std::move(help), std::move(group), SettingForm::flag);
  setting.set = [&field, name = setting.name](const Texts& values) {
    const std::string value = values.empty() ? "true" : values.back();
    if (value != "true" && value != "false") {
      refuse_setting(name, fmt::format("'{}' is neither true nor false", value));
    }
    field = value == "true";
  };
  setting.get = [&field] { return Texts{field ? "true" : "false"}; };
  return setting;
}

Setting counts_setting(std::string name, std::string help, std::string group,
                       std::vector<std::uint32_t>& field, std::uint32_t most) {
  return parsed_setting(
      std::move(name), "N:N:...", std::move(help), std::move(group),
      [&field, most](const std::string& text) { field = parse_counts(text, most); },
      [&field] { return fmt::format("{}", fmt::join(field, ":")); });
}

Setting range_setting(std::string name, std::string help, std::string group, std::uint32_t& low,
                      std::uint32_t& high, std::uint32_t least, std::uint32_t most) {
  return parsed_setting(
      std::move(name), "LOW-HIGH", std::move(help), std::move(group),
      [&low, &high, least, most](const std::string& text) {
        std::tie(low, high) = parse_range(text, least, most);
      },
      [&low, &high] { return fmt::format("{}-{}", low, high); });
}

Setting detail::choice_of_index(std::string name, std::string help, std::string group,
                                std::vector<std::string> names, std::function<void(std::size_t)> choose,
                                std::function<std::size_t()> chosen) {
  std::string hint = fmt::format("{}", fmt::join(names, "|"));
  return parsed_setting(
      std::move(name), std::move(hint), std::move(help), std::move(group),
      [names, choose = std::move(choose)](const std::string& text) {
        const auto found = std::find(names.begin(), names.end(), text);
        if (found == names.end()) {
          throw UsageError(fmt::format("'{}' is none of {}", text, fmt::join(names, ", ")));
        }
        choose(static_cast<std::size_t>(found - names.begin()));
      },
      [names, chosen = std::move(chosen)] { return names.at(chosen()); });
}

}  // namespace scalemark
