#include "app/stop_signals.h"

namespace scalemark::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing but what is static.
std::atomic<bool> g_stopped{false};
std::atomic<StopSignals::Hook> g_hook{nullptr};
std::atomic<void*> g_context{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void*>::is_always_lock_free);

std::atomic<Duration::rep> g_patience_ends{0};  // of the steady clock, in ns; 0: no signal yet
std::atomic<Duration::rep> g_patience{0};

void on_signal(int signal) {
  const Duration::rep now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (g_stopped.exchange(true)) {
    if (now >= g_patience_ends.load()) {
      ::signal(signal, SIG_DFL);
      ::raise(signal);
    }
    return;
  }
  g_patience_ends.store(now + g_patience.load());
  if (const auto hook = g_hook.load(); hook != nullptr) {
    hook(g_context.load());
  }
}

}  // namespace

StopSignals::StopSignals(Hook hook, void* context, Duration patience) {
  g_patience.store(patience.count());
  g_stopped.store(false);
  g_context.store(context);
  g_hook.store(hook);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESTART);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), &action, &before_.at(i));
    if (kSignals.at(i) == SIGHUP && before_.at(i).sa_handler == SIG_IGN) {
      sigaction(SIGHUP, &before_.at(i), nullptr);
    }
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), &before_.at(i), nullptr);
  }
  g_hook.store(nullptr);
}

const std::atomic<bool>& StopSignals::stopped() {
  return g_stopped;
}

}  // namespace scalemark::app
