#!/usr/bin/env bash
# Builds the libFuzzer targets of tests/fuzz and runs each for a while; one line per target.
#   scripts/fuzz.sh [SECONDS]     60 seconds each by default
# Ends with 1 when an input broke something; the input is then in build-sanitize/findings/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: SECONDS must be a whole number, not '$seconds'" >&2; exit 2; }
targets=(fuzz_safetensors fuzz_toml fuzz_pairs fuzz_import fuzz_view fuzz_http)

cmake --preset sanitize >/dev/null
cmake --build --preset sanitize --target "${targets[@]}"

scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT
mkdir -p build-sanitize/findings
fuzz() {
  local target=$1 seconds=$2 grown=build-sanitize/corpus/$1 log=build-sanitize/$1.log
  mkdir -p "$grown" # inputs found here stay for the next run; tests/fuzz/corpus has the seeds
  local options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1
                 -artifact_prefix="build-sanitize/findings/$target-")
  [ ! -f "tests/fuzz/$target.dict" ] || options+=(-dict="tests/fuzz/$target.dict")
  if "build-sanitize/tests/fuzz/$target" "${options[@]}" "$grown" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    echo "$target: nothing found in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs, $seconds s"
  else
    echo "$target: FOUND $(sed -n 's/^artifact_prefix=.*written to //p; s/.*Test unit written to //p' "$log" | tail -1), log in $log"
    return 1
  fi
}
export -f fuzz
export TMPDIR=$scratch
# As many at a time as there are cores.
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c "fuzz {} $seconds" || exit 1
