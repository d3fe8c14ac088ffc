#!/usr/bin/env bash
# The .deb and the source tarball: made, looked into, and tried without installing anything.
#   tests/package.sh BUILD_DIR
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$(realpath "$0")")/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cpack --config "$build/CPackConfig.cmake" -B "$scratch" >log 2>&1 || failed "cpack fails: $(tail -n 5 log)"
deb=$(echo "$scratch"/neo-theorizer_*_*.deb)
about=$(dpkg-deb -f "$deb")
version=$("$build/neo" --version | cut -d' ' -f1)
holds "the .deb" "$about" "Version: $version"
for package in libtorch1.13 libhdf5 libpng16 libc6; do holds "the dependencies" "$about" "$package"; done
apt-get install -s "$deb" >log 2>&1 || failed "Debian cannot install it: $(tail -n 3 log)"
dpkg-deb -x "$deb" root
neo=$scratch/root/usr/bin/neo
holds "neo --version" "$("$neo" --version)" "$version"
holds "a shipped theory" "$("$neo" explain root/usr/share/neo/weights/arithmetic-alpha0.33.safetensors --x 12 --y 420)" "gives y exactly"
[ ! -e root/usr/include ] || failed "the .deb holds headers"
[ -s root/usr/share/doc/neo-theorizer/copyright ] || failed "the .deb lacks the licence"
manual=$(cat root/usr/share/man/man1/neo.1)
for command in $("$neo" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'); do holds "the man page" "$manual" ".SS neo $command"; done

# The completion knows commands, their subcommands and options.
completed() { bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _neo; echo "${COMPREPLY[@]}"' _ root/usr/share/bash-completion/completions/neo "$neo" "$@"; }
holds "completion" "$(completed exp)" explain
holds "completion" "$(completed data im)" import
holds "completion" "$(completed learn --min)" --minutes

# The source, in a folder without git: configured, and what needs no LibTorch and no compiling of much built.
cpack --config "$build/CPackSourceConfig.cmake" -B "$scratch" >log 2>&1 || failed "cpack of the source fails: $(tail -n 5 log)"
tar xzf neo-theorizer-"$version".tar.gz
cd neo-theorizer-"$version"
for kept in CMakeLists.txt presets/grid-fast.toml python/neo_theorizer/__init__.py web/dist docs/python.md; do [ -e "$kept" ] || failed "the source lacks $kept"; done
cmake -B build -G Ninja -DNEO_WITH_TORCH=OFF -DCMAKE_UNITY_BUILD=ON >log 2>&1 || failed "the source does not configure: $(tail -n 5 log)"
cmake --build build --target neo >log 2>&1 || failed "the source does not build: $(tail -n 5 log)"
holds "the source's version" "$(build/neo --version)" "$version"
echo "package: ok"
