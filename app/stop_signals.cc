#include "app/stop_signals.h"

namespace scalemark::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

// A signal handler can reach nothing but what is static.
std::atomic<bool> g_stopped{false};
std::atomic<StopSignals::Hook> g_hook{nullptr};
std::atomic<void*> g_context{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void*>::is_always_lock_free);

void on_signal(int /*signal*/) {
  g_stopped.store(true);
  if (const auto hook = g_hook.load(); hook != nullptr) {
    hook(g_context.load());
  }
}

}  // namespace

StopSignals::StopSignals(Hook hook, void* context) {
  g_stopped.store(false);
  g_context.store(context);
  g_hook.store(hook);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), &action, &before_.at(i));
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
