#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests. The last line is the count: "N passed, M failed", and ", K
# skipped" where some were.
#   ./test.sh          the default suite (a minute or two)
#   ./test.sh --slow   also the tests labelled slow
#   ./test.sh --preset sanitize   another build preset (see CMakePresets.json)
set -euo pipefail
cd "$(dirname "$0")"

preset=default
exclude=(-LE slow)
while [ $# -gt 0 ]; do
  case "$1" in
    --slow) exclude=() ;;
    --preset) preset=$2; shift ;;
    *) echo "test.sh: unknown option $1; it takes --slow and --preset NAME" >&2; exit 2 ;;
  esac
  shift
done

purposes=(build test)
[ "$preset" != sanitize ] || purposes+=(fuzz)
scripts/install.sh "${purposes[@]}"
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
build_dir=build; [ "$preset" = default ] || build_dir=build-$preset
ctest --test-dir "$build_dir" --output-on-failure -j2 "${exclude[@]}" 2>&1 | tee "$log" || status=$?
total=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
failed=$(sed -n 's/.* \([0-9]*\) tests failed out of.*/\1/p' "$log")
[ -n "$total" ] && [ "$total" -gt 0 ] || { echo "test.sh: no test ran"; exit 1; }
skipped=$(grep -c '(Skipped)$' "$log" || true)
count="$((total - failed - skipped)) passed, $failed failed"
[ "$skipped" = 0 ] || count+=", $skipped skipped"
echo "$count"
exit "$status"
