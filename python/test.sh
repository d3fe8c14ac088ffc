#!/usr/bin/env bash
# The Python package: installed into a fresh virtual environment against the build of the tree, then tested.
#   python/test.sh [pytest's arguments]
# Needs PyPI; where it cannot be reached, it says so and ends well.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install.sh build python
cmake --preset default >/dev/null
cmake --build --preset default --target neo neo_neo neo_explorer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Debian's own Python, whose `torch` uses the LibTorch that neo is built with.
/usr/bin/python3 -m venv --system-site-packages "$work/venv"
python=$work/venv/bin/python
if ! "$python" -m pip download -q --no-deps -d "$work" packaging; then
  echo "python/test.sh: skipped: PyPI cannot be reached"
  exit 0
fi
"$python" -m pip install -q -r python/tests/requirements.txt
"$python" -m pip install -q . --config-settings=cmake.define.neo_DIR="$PWD/build"
# One thread: these worlds are small, and other tests may run beside them.
OMP_NUM_THREADS=1 NEO=$PWD/build/neo "$python" -m pytest -p no:cacheprovider "$@"
