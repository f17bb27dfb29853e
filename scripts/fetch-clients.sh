#!/usr/bin/env bash
# Fetches the official OpenAI clients for Python and Node into the cache, for test/clients.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/clients
mkdir -p "$cache/node"
[ -x "$cache/python/bin/python" ] || python3 -m venv "$cache/python"
"$cache/python/bin/pip" install -q openai
(cd "$cache/node" && npm install --silent --no-fund --no-audit openai)
echo "clients: in $cache"
