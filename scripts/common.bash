# What ./demo and ./check share: how they speak, and how they build. To be sourced from the project's root.
# shellcheck shell=bash

# One line that tells a person what is going on, with the seconds since the script began.
say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# A sentence that says what is wrong, then the end.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: runs the command with its output in LOG; shows the log's end when it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    printf '%s\n' "failed: $*" >&2
    tail -n 80 "$log" >&2
    printf '%s\n' "(all of it: $log)" >&2
    return 1
  fi
}

# build PRESET LOG [TARGET...]: configures and builds with a preset of CMakePresets.json; all targets when
# none is named. ccache is welcome, not needed. The tests are switched on even where an earlier, private
# configuration of the same folder had switched them off.
build() {
  local preset=$1 log=$2
  shift 2
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  quietly "$log" cmake --preset "$preset" -DSCALEMARK_TESTS=ON || return 1
  quietly "$log" cmake --build --preset "$preset" ${1:+--target "$@"} || return 1
}
