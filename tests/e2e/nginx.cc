#include "tests/e2e/nginx.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace scalemark::e2e {
namespace {

using test_support::checked;
using test_support::Descriptor;

constexpr const char* kReadyPath = "/-/ready";
constexpr int kListenerInChild = 3;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error("cannot read " + path.string());
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The program's path, or "": the system folders are not on everyone's PATH.
std::string find_program(const std::string& name) {
  const char* path = ::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/sbin:/usr/local/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = fmt::format("{}/{}", folder, name);
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

std::filesystem::path make_home() {
  std::string name = std::filesystem::temp_directory_path() / "scalemark-nginx-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a temporary folder " + name);
  }
  return name;
}

void replace_all(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
}

// Starts a program whose output goes to a file. `listener`, unless it is -1, becomes descriptor 3.
pid_t start_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                    int listener) {
  // Everything that allocates comes before the fork: this process may have threads.
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  const std::string inherited = fmt::format("NGINX={};", kListenerInChild);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.push_back(*variable);
  }
  if (listener >= 0) {
    environment.push_back(const_cast<char*>(inherited.c_str()));
  }
  environment.push_back(nullptr);
  const Descriptor log(
      checked(::open(output.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600), "open"));
  const Descriptor nothing(checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open"));
  const Descriptor high(listener < 0 ? -1 : checked(::fcntl(listener, F_DUPFD_CLOEXEC, 10), "fcntl"));

  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    ::setsid();  // a Ctrl-C at the terminal is for the test, which ends its servers itself
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(log.get(), STDOUT_FILENO);
    ::dup2(log.get(), STDERR_FILENO);
    if (high.is_open()) {
      ::dup2(high.get(), kListenerInChild);
    }
    ::execve(arguments.front(), arguments.data(), environment.data());
    ::_exit(127);
  }
  return child;
}

// A certificate for the loopback addresses, which is its own authority.
void make_certificate(const std::filesystem::path& home) {
  const std::string program = find_program("openssl");
  if (program.empty()) {
    throw std::runtime_error("https needs the openssl command to make a certificate");
  }
  const pid_t child = start_program(
      {program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
       "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost",
       "-keyout", home / "key.pem", "-out", home / "certificate.pem"},
      home / "openssl.log", -1);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) {
    throw std::runtime_error("openssl made no certificate:\n" + read_text(home / "openssl.log"));
  }
}

}  // namespace

NginxLine NginxLine::parse(std::string_view line) {
  std::istringstream fields{std::string(line)};
  NginxLine parsed;
  fields >> parsed.status >> parsed.bytes_sent >> parsed.body_bytes_sent >> parsed.connection >>
      parsed.connection_requests >> parsed.client >> parsed.protocol >> parsed.method >> std::ws;
  std::getline(fields, parsed.path);
  if (fields.fail()) {
    throw std::runtime_error(fmt::format("not a line of nginx's log: '{}'", line));
  }
  return parsed;
}

bool Nginx::available() {
  return !find_program("nginx").empty();
}

Nginx::Nginx(const NginxOptions& options) : options_(options), home_(make_home()) {
  // The port is chosen by binding it here and handing the socket down, so no one can take it in between.
  Descriptor listener = test_support::bind_loopback(options_.family);
  endpoint_ = test_support::local_endpoint(listener);
  checked(::listen(listener.get(), 1024), "listen");
  try {
    if (options_.https) {
      make_certificate(home_);
    }
    write_configuration();
    start(std::move(listener));
    wait_until_ready();
  } catch (...) {
    end();
    std::filesystem::remove_all(home_);
    throw;
  }
}

Nginx::~Nginx() {
  end();
  std::error_code ignored;
  std::filesystem::remove_all(home_, ignored);
}

std::string Nginx::authority() const {
  const bool v6 = options_.family == test_support::Loopback::v6;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", endpoint_.host(), v6 ? "]" : "", endpoint_.port());
}

std::string Nginx::url() const {
  return fmt::format("{}://{}/", options_.https ? "https" : "http", authority());
}

std::string Nginx::server_directives() const {
  if (!options_.https) {
    return options_.extra;
  }
  return fmt::format("ssl_certificate \"{0}/certificate.pem\"; ssl_certificate_key \"{0}/key.pem\";\n{1}",
                     home_.string(), options_.extra);
}

void Nginx::write_configuration() const {
  std::string text = read_text(SCALEMARK_SOURCE_DIR "/testdata/nginx/nginx.conf.in");
  // Under root, nginx hands its work to another user, who need not be able to read the folder.
  replace_all(text, "@USER@", ::geteuid() == 0 ? "user root;" : "");
  replace_all(text, "@WORKERS@", std::to_string(options_.workers));
  replace_all(text, "@LISTEN@", authority() + (options_.https ? " ssl http2" : ""));
  replace_all(text, "@HOME@", home_.string());
  replace_all(text, "@ROOT@", std::filesystem::absolute(options_.root).string());
  replace_all(text, "@SERVER@", server_directives());
  std::ofstream(home_ / "nginx.conf") << text;
}

void Nginx::start(Descriptor listener) {
  const std::string program = find_program("nginx");
  if (program.empty()) {
    throw std::runtime_error("there is no nginx on this machine (packages.txt names the package)");
  }
  process_ = start_program({program, "-p", home_, "-e", home_ / "error.log", "-c", home_ / "nginx.conf"},
                           home_ / "output.log", listener.get());
}

// By the time that this is called only nginx holds the listening socket: so a request either is answered, as
// soon as nginx has started, or fails at once because nginx has ended. Nothing has to be waited for by time.
void Nginx::wait_until_ready() const {
  const Descriptor socket(
      checked(::socket(endpoint_.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  const timeval limit{20, 0};
  checked(::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), "setsockopt");
  // Under https this plain request is refused, which is an answer too; stop() takes its line out of the log.
  const std::string request = fmt::format("GET {} HTTP/1.0\r\n\r\n", kReadyPath);
  std::array<char, 16> answer{};
  if (::connect(socket.get(), endpoint_.get(), endpoint_.length) != 0 ||
      ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0 ||
      ::recv(socket.get(), answer.data(), answer.size(), 0) <= 0) {
    throw std::runtime_error("nginx does not answer: " + complaint());
  }
}

std::string Nginx::complaint() const {
  std::string text;
  for (const char* name : {"output.log", "error.log"}) {
    if (std::filesystem::exists(home_ / name)) {
      text += read_text(home_ / name);
    }
  }
  return text;
}

bool Nginx::ended_within(int milliseconds) {
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  pollfd ended{process.get(), POLLIN, 0};
  if (!process.is_open() || ::poll(&ended, 1, milliseconds) <= 0) {
    return false;
  }
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
  return true;
}

void Nginx::end() {
  if (process_ < 0) {
    return;
  }
  ::kill(process_, SIGTERM);
  if (!ended_within(5000)) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
}

std::vector<NginxLine> Nginx::stop() {
  if (process_ < 0) {
    return {};
  }
  // "Finish what is under way." A worker that is only just starting does not hear it from the master, which
  // says it once and no more; so from the second time on the whole group is told, which the master leads.
  constexpr int kTries = 40;
  bool ended = false;
  for (int tries = 0; tries < kTries && !ended; ++tries) {
    ::kill(tries == 0 ? process_ : -process_, SIGQUIT);
    ended = ended_within(500);
  }
  if (!ended) {
    throw std::runtime_error("nginx has requests that do not end: " + complaint());
  }
  std::vector<NginxLine> lines;
  std::ifstream log(home_ / "access.log");
  for (std::string line; std::getline(log, line);) {
    NginxLine parsed = NginxLine::parse(line);
    if (parsed.path != kReadyPath) {
      lines.push_back(std::move(parsed));
    }
  }
  return lines;
}

}  // namespace scalemark::e2e
