#!/usr/bin/env bash
# Installs the Debian packages a purpose needs, and only those that are missing.
#   scripts/install.sh build [test] [fuzz] [bench] [python] [web]
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build ccache pkg-config git libtorch-dev libopenblas-openmp-dev libopenblas0-openmp
           libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libeigen3-dev libhdf5-dev libpng-dev
           libfreetype-dev fonts-dejavu-core libzip-dev libssl-dev
           libcpp-httplib-dev libgtest-dev curl ca-certificates"
  [test]="python3 python3-pil python3-numpy python3-h5py"
  [fuzz]="clang libclang-rt-14-dev"
  [bench]="python3-torch python3-numpy python3-h5py libbenchmark-dev"
  [python]="python3-venv python3-dev python3-numpy python3-torch python3-h5py"
  [web]="nodejs npm chromium"
)

wanted=""
for purpose in "${@:-build}"; do
  [ -n "${packages[$purpose]:-}" ] || { echo "install.sh: unknown purpose '$purpose'; one of: ${!packages[*]}" >&2; exit 2; }
  wanted+=" ${packages[$purpose]}"
done

# Tools that are there already (a newer cmake, say) need no package.
have() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed' || command -v "$1" >/dev/null 2>&1; }
missing=()
for package in $wanted; do have "$package" || missing+=("$package"); done

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "install.sh: these packages are missing and neither root nor sudo is at hand: ${missing[*]}" >&2
    exit 1
  fi
  echo "installing: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The pthread build of OpenBLAS fights LibTorch's OpenMP threads; where both are installed, choose OpenMP.
for name in libblas.so.3 liblapack.so.3 libopenblas.so.0; do
  link="$name-$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)"
  choice=$(update-alternatives --list "$link" 2>/dev/null | grep openblas-openmp || true)
  current=$(update-alternatives --query "$link" 2>/dev/null | sed -n 's/^Value: //p')
  if [ -n "$choice" ] && [ "$choice" != "$current" ]; then as_root update-alternatives --set "$link" "$choice" >/dev/null; fi
done
