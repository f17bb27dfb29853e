#!/usr/bin/env bash
# Starts a fake model and the server in front of it, then runs every client there is here. 77: none of the official ones.
set -euo pipefail
program=$1
cd "$(dirname "$0")/../.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/clients
work=$(mktemp -d)
pids=()
cleanup() { kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
command -v python3 >/dev/null || { echo "skipped: python3 is not here"; exit 77; }
python3 test/clients/fake_model.py >"$work/port" & pids+=($!)
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.05; done
key=$("$program" keys new --name test --scope route,chat,admin --file "$work/keys" 2>/dev/null)
SIGNALBOX_LLM_URL="http://127.0.0.1:$(cat "$work/port")" SIGNALBOX_LLM_MODEL=tiny \
  "$program" serve --listen 127.0.0.1:0 --keys "$work/keys" --log "$work/log.db" >"$work/out" 2>"$work/err" & pids+=($!)
for _ in $(seq 200); do grep -qs "the page" "$work/out" && break; sleep 0.05; done
url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/out" | head -1)
PYTHONPATH=clients/python python3 test/clients/own_python.py "$url" "$key"
if command -v node >/dev/null; then node test/clients/own_node.mjs "$url" "$key"; else echo "node is not here"; fi
official=0
if [ -x "$cache/python/bin/python" ]; then
  "$cache/python/bin/python" test/clients/openai_python.py "$url" "$key"; official=1
else echo "openai for Python is not here (scripts/fetch-clients.sh)"; fi
if command -v node >/dev/null && [ -d "$cache/node/node_modules/openai" ]; then
  node test/clients/openai_node.mjs "$url" "$key" "$cache/node"; official=1
else echo "openai for Node is not here (scripts/fetch-clients.sh)"; fi
[ $official -eq 1 ] || { echo "skipped: none of the official clients is here"; exit 77; }
