#!/usr/bin/env bash
# The pages: types, whether dist/ is what the sources give, and both pages in Chromium. A few minutes.
#   web/test.sh        (neo's binary: $NEO, or build/neo; test/layouts.test.mjs and test/observations.test.mjs need none)
set -euo pipefail
cd "$(dirname "$0")"
../scripts/install.sh web
# Installed anew only when the lock file has changed.
if ! cmp -s package-lock.json node_modules/.installed; then
  npm ci --silent
  cp package-lock.json node_modules/.installed
fi
npx tsc
node build.mjs --check
node --test test/*.test.mjs
