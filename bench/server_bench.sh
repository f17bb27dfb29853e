#!/usr/bin/env bash
# The server beside nginx, one after the other in one run on the same machine: ratios, not absolutes.
# Needs wrk and nginx (scripts/packages-bench.txt). Usage: bench/server_bench.sh [PROGRAM] [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/signalbox}
seconds=${2:-5}
connections=${CONNECTIONS:-64}
work=$(mktemp -d)
cleanup() {
  [ -f "$work/nginx.pid" ] && kill "$(cat "$work/nginx.pid")" 2>/dev/null
  [ -n "${server:-}" ] && kill "$server" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

"$program" serve --listen 127.0.0.1:18181 --profile assistant >"$work/serve.log" 2>&1 &
server=$!
for _ in $(seq 100); do curl -sf 127.0.0.1:18181/readyz >/dev/null && break; sleep 0.1; done
rss() { awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$server/status"; }
rss_start=$(rss)

fast='{"query": "hello there"}'
gate='{"query": "write a function that sorts a list of dates"}'
reply=$(curl -s 127.0.0.1:18181/v1/route -d "$fast")
cat >"$work/nginx.conf" <<CONF
worker_processes $(nproc);
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:18182;
    location / { default_type application/json; return 200 '$(printf '%s' "$reply" | tr "'" '"')'; }
  }
}
CONF
nginx -c "$work/nginx.conf" 2>/dev/null

load() { BODY=$2 wrk -t 2 -c "$connections" -d "${seconds}s" --latency -s bench/route.lua "http://127.0.0.1:$1/v1/route"; }
rate() { awk '/Requests\/sec/ {print $2}'; }
cpu() { awk '{print $14 + $15}' "/proc/$server/stat"; }

load 18181 "$fast" >/dev/null  # both warm
load 18182 "$fast" >/dev/null
fast_ours=$(load 18181 "$fast" | tee "$work/fast" | rate)
fast_nginx=$(load 18182 "$fast" | rate)
echo "fast path:   $fast_ours/s, nginx $fast_nginx/s, ratio $(echo "$fast_ours $fast_nginx" | awk '{printf "%.2f", $1 / $2}')"

# What the decision's own time allows: all of the cores' time spent in route().
gate_us=$(for _ in $(seq 50); do curl -s 127.0.0.1:18181/v1/route -d "$gate"; done |
  grep -o '"elapsed_us":[0-9]*' | cut -d: -f2 | sort -n | awk '{a[NR] = $1} END {print a[int(NR / 2)]}')
ticks=$(cpu)
gate_ours=$(load 18181 "$gate" | tee "$work/gate" | rate)
echo "gatekeeper:  $gate_ours/s; a decision alone $gate_us us (cold); server CPU $(( ($(cpu) - ticks) * 10 )) ms over ${seconds} s"
grep -h '99%' "$work/fast" "$work/gate" | awk '{print "p99 at full load: " $2}'
echo "memory:      $rss_start MB at start, $(rss) MB after $(curl -s 127.0.0.1:18181/metrics | awk '/^signalbox_decisions_total/ {n += $2} END {print n}') decisions"
