#!/usr/bin/env bash
# web/test/run.sh bundle: server/page is what web/ builds today, and its types hold.
# web/test/run.sh browser PROGRAM: the page in a real browser against the program.
# 77, with a word, where node, its packages or chromium are absent: scripts/setup-page.sh brings them.
set -euo pipefail
program=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "node is not here"
[ -d node_modules/playwright-core ] || skip "web/node_modules is not here (scripts/setup-page.sh)"

if [ "$1" = bundle ]; then
  fresh=$(mktemp -d)
  trap 'rm -rf "$fresh"' EXIT
  node_modules/.bin/tsc --noEmit
  PAGE_OUT=$fresh node_modules/.bin/vite build --logLevel warn
  diff -rq "$fresh" ../server/page || { echo "server/page is not what web/ builds: npm run build in web/" >&2; exit 1; }
  exit 0
fi
CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || skip "chromium is not here"
export CHROMIUM SIGNALBOX=$program
node --test test/*.test.mjs
