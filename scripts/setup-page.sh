#!/usr/bin/env bash
# What the page's tests and its build need: node, and the packages of web/package-lock.json. The program itself
# needs neither. Where they cannot be had, the tests that need them are skipped and say so.
set -uo pipefail
cd "$(dirname "$0")"

skipped() { echo "set-up: no $1; the page's tests are skipped"; exit 0; }
command -v node >/dev/null && command -v npm >/dev/null || ./setup.sh packages-page.txt || skipped "node"
cd ../web
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "set-up: fetching the page's packages"
  npm ci --no-audit --no-fund --loglevel=error >/dev/null || skipped "packages from npm"
  touch node_modules/.package-lock.json
fi
