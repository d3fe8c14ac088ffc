#!/usr/bin/env bash
# Damaged files, absurd settings, kills, signals, limits and hostile requests, for some minutes: one line per class with
# its cases, and how many were refused, accepted, crashed, hung, or silently wrong. Ends with 1 unless the last three are 0.
#   scripts/torture.sh [MINUTES] [--seed N] [--neo build/neo] [--only CLASS,...]
# A case can be repeated: the seed decides everything, and what fails is kept in the folder that the last line names.
set -euo pipefail
cd "$(dirname "$0")/.."
exec /usr/bin/python3 tests/torture/torture.py "$@"
