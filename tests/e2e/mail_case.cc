#include "tests/e2e/mail_case.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace scalemark::e2e {
namespace {

/// A folder that is gone with the process.
const std::filesystem::path& mail_folder() {
  struct OwnFolder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("scalemark-mail-e2e-{}", ::getpid());
    OwnFolder() { std::filesystem::create_directories(path); }
    ~OwnFolder() { std::filesystem::remove_all(path); }
  };
  static const OwnFolder made;
  return made.path;
}

/// What stands behind `word` on the sink's next line.
std::string place_behind(const std::string& word, app::Program& program) {
  const std::string line = program.read_line();
  if (!line.starts_with(word + " ")) {
    throw std::runtime_error("the sink says '" + line + "': " + program.err());
  }
  return line.substr(word.size() + 1);
}

struct Upload {
  const std::string& text;
  std::size_t sent = 0;
};

std::size_t read_upload(char* to, std::size_t size, std::size_t count, void* upload) {
  auto& from = *static_cast<Upload*>(upload);
  const std::size_t bytes = std::min(size * count, from.text.size() - from.sent);
  std::memcpy(to, from.text.data() + from.sent, bytes);
  from.sent += bytes;
  return bytes;
}

}  // namespace

MailSinkProcess::MailSinkProcess(const std::vector<std::string>& more) {
  static int sinks = 0;
  log_ = mail_folder() / fmt::format("sink-{}.log", ++sinks);
  std::vector<std::string> words = {"mail-sink",   "--smtp", "127.0.0.1:0", "--pop3",
                                    "127.0.0.1:0", "--log",  log_.string()};
  words.insert(words.end(), more.begin(), more.end());
  program_ = std::make_unique<app::Program>(words);
  smtp_ = place_behind("smtp", *program_);
  pop3_ = place_behind("pop3", *program_);
}

void MailSinkProcess::deliver(const std::string& recipient, const std::string& text) const {
  Upload upload{text};
  CURL* curl = curl_easy_init();
  curl_slist* to = curl_slist_append(nullptr, recipient.c_str());
  curl_easy_setopt(curl, CURLOPT_URL, ("smtp://" + smtp_).c_str());
  curl_easy_setopt(curl, CURLOPT_MAIL_FROM, "somebody@example.test");
  curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_upload);
  curl_easy_setopt(curl, CURLOPT_READDATA, &upload);
  const CURLcode code = curl_easy_perform(curl);
  curl_slist_free_all(to);
  curl_easy_cleanup(curl);
  if (code != CURLE_OK) {
    throw std::runtime_error(std::string("libcurl could not deliver: ") + curl_easy_strerror(code));
  }
}

std::map<std::string, std::uint64_t> MailSinkProcess::events() const {
  program_->send(SIGINT);
  program_->wait();
  std::map<std::string, std::uint64_t> events;
  std::ifstream log(log_);
  std::string line;
  while (std::getline(log, line)) {
    std::istringstream words(line);
    std::string time;
    std::string event;
    words >> time >> event;
    ++events[event];
  }
  return events;
}

std::filesystem::path accounts_file(unsigned accounts) {
  const auto path = mail_folder() / fmt::format("accounts-{}.txt", accounts);
  std::ofstream file(path);
  for (unsigned i = 1; i <= accounts; ++i) {
    file << fmt::format("user{0:04}@example.test secret{0:04}\n", i);
  }
  return path;
}

std::vector<std::string> mail_words(const MailSinkProcess& sink, const std::vector<std::string>& options) {
  std::filesystem::remove(mail_record_path());
  std::vector<std::string> words = {"mail",
                                    "--smtp",
                                    sink.smtp(),
                                    "--pop3",
                                    sink.pop3(),
                                    "--addresses",
                                    "user{0001..0096}@example.test",
                                    "--passwords",
                                    "secret{0001..0096}",
                                    "--ramp-up",
                                    "200ms",
                                    "--warm-up",
                                    "300ms",
                                    "--drain",
                                    "5s",
                                    "--json",
                                    mail_record_path().string()};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

std::filesystem::path mail_record_path() {
  return mail_folder() / "record.json";
}

MailFinished run_mail(const MailSinkProcess& sink, const std::vector<std::string>& options) {
  app::Program program(mail_words(sink, options));
  MailFinished run;
  run.code = program.wait();
  run.out = program.out();
  run.err = program.err();
  if (std::filesystem::exists(mail_record_path())) {
    run.record = read_record(mail_record_path());
  }
  return run;
}

bool ran(const MailFinished& run) {
  return run.code == 0 || run.code == 5;
}

void wait_for_mail_load(app::Program& program) {
  std::string line;
  do {
    line = program.read_error_line();
  } while (!line.empty() && line.find("load begins") == std::string::npos);
}

}  // namespace scalemark::e2e
