#!/usr/bin/env bash
# What neo is made of, as CycloneDX 1.5 JSON: the Debian packages that its programs are linked with and those that only
# headers come from, with versions, and the npm packages that its pages are built with.
#   scripts/sbom.sh [BUILD_FOLDER] >sbom.json     build by default
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
[ -x "$build/neo" ] || { echo "sbom.sh: there is no $build/neo; build it first" >&2; exit 1; }

# Headers alone leave no trace in a program.
headers="libcli11-dev libtomlplusplus-dev nlohmann-json3-dev"
linked=$(for program in "$build"/neo "$build"/neo-engine; do [ ! -x "$program" ] || ldd "$program"; done |
  sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u)
packages=$( (for library in $linked; do
    dpkg-query -S "$library" "$(realpath "$library")" "${library#/usr}" 2>/dev/null || true
  done | cut -d: -f1; for package in $headers; do echo "$package"; done) | sort -u)

{
  for package in $packages; do dpkg-query -W -f='deb ${Package} ${Version} ${Architecture}\n' "$package" 2>/dev/null || true; done
} | /usr/bin/python3 -c '
import json, subprocess, sys

parts = []
seen = set()
for line in sys.stdin:
    _, name, version, architecture = line.split()
    if (name, version) in seen:
        continue
    seen.add((name, version))
    parts.append({"type": "library", "name": name, "version": version,
                  "purl": f"pkg:deb/debian/{name}@{version}?arch={architecture}"})
for path, package in json.load(open("web/package-lock.json"))["packages"].items():
    if path.startswith("node_modules/") and not package.get("optional"):
        name = path.rpartition("node_modules/")[2]
        version = package["version"]
        parts.append({"type": "library", "name": name, "version": version, "scope": "excluded",
                      "purl": "pkg:npm/%s@%s" % (name.replace("@", "%40"), version)})
revision = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
print(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                  "metadata": {"component": {"type": "application", "name": "neo", "version": revision}},
                  "components": parts}, indent=1))
'
