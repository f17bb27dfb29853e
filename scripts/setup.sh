#!/usr/bin/env bash
# Installs the Debian packages of the given lists that are missing. Does nothing when none is.
set -euo pipefail
cd "$(dirname "$0")"

wanted=$(grep -hv '^#' "$@" | sort -u)
missing=()
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "set-up: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "set-up: needs root or sudo to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}
install >"$log" 2>&1 || { cat "$log" >&2; echo "set-up: apt-get failed" >&2; exit 1; }
