#!/usr/bin/env bash
# The server beside nginx, one after the other in one run on the same machine: ratios, not absolutes.
# Needs wrk and nginx (scripts/packages-bench.txt). Usage: bench/server_bench.sh [PROGRAM] [SECONDS] [MEMORY_REQUESTS]
# Budgets: fast path >= 0.50 of nginx for a fixed reply of the same size; gatekeeper >= 0.70 of what the decision's own
# time allows; p99 <= 3 ms at half load; <= 150 MB at start and flat.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/signalbox}
seconds=${2:-5}
requests=${3:-0}
work=$(mktemp -d)
server=
cleanup() {
  [ -f "$work/nginx.pid" ] && kill "$(cat "$work/nginx.pid")" 2>/dev/null
  [ -n "$server" ] && kill "$server" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

"$program" serve --listen 127.0.0.1:18181 >"$work/serve.log" 2>&1 &
server=$!
for _ in $(seq 100); do curl -sf 127.0.0.1:18181/readyz >/dev/null && break; sleep 0.1; done
rss() { awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$server/status"; }
rss_start=$(rss)

fast='{"query": "hello there"}'
gate='{"profile": "agents", "query": "Quantas entregas da rota NNN atrasaram em cada transportadora?"}'
curl -s 127.0.0.1:18181/v1/route -d "${gate/NNN/0}" | grep -q '"decided_by":"gatekeeper"' || { echo "the gatekeeper does not decide its query"; exit 1; }
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
    location / { default_type application/json; return 200 '$reply'; }
  }
}
CONF
nginx -c "$work/nginx.conf" 2>/dev/null

load() { # port body connections delay seconds
  BODY=$2 DELAY=$4 wrk -t 2 -c "$3" -d "$5s" --latency -s bench/route.lua "http://127.0.0.1:$1/v1/route"
}
rate() { awk '/Requests\/sec/ {print $2}' "$1"; }
p99() { awk '/99%/ {print $2}' "$1"; }
cpu_us() { awk -v hz="$(getconf CLK_TCK)" '{print ($14 + $15) * 1000000 / hz}' "/proc/$server/stat"; }

load 18181 "$fast" 64 0 2 >/dev/null  # both warm
load 18182 "$fast" 64 0 2 >/dev/null
for turn in 1 2 3; do # in turn, since the machine's speed changes under us; the middle ratio counts
  load 18181 "$fast" 64 0 "$seconds" >"$work/fast"
  load 18182 "$fast" 64 0 "$seconds" >"$work/nginx"
  echo "$(rate "$work/fast") $(rate "$work/nginx")"
done | awk '{print $1 / $2, $1, $2}' | sort -n | sed -n 2p >"$work/ratio"
awk '{printf "fast path   %.0f/s, nginx %.0f/s: %.2f of it (budget 0.50)\n", $2, $3, $1}' "$work/ratio"

# What a decision alone costs, warm, with every core at work as under load: the median of one batch a core. Then what a
# request costs the server at full load. In turn, and the middle share counts.
first=900000000
for turn in 1 2 3; do
  own_us=$(for core in $(seq "$(nproc)"); do
    from=$((first + turn * 1000000 + core * 10000))
    seq "$from" "$((from + 2999))" | while read -r n; do echo "${gate/NNN/$n}"; done >"$work/batch$core"
    curl -s 127.0.0.1:18181/v1/route/batch --data-binary @"$work/batch$core" &
  done | grep -o '"elapsed_us":[0-9]*' | cut -d: -f2 | sort -n | awk '{a[NR] = $1} END {print a[int(NR / 2)]}')
  before=$(cpu_us)
  load 18181 "$gate" 64 0 "$seconds" >"$work/gate"
  spent=$(echo "$(cpu_us) $before" | awk '{print $1 - $2}')
  count=$(awk '/requests in/ {print $1}' "$work/gate")
  echo "$(echo "$own_us $count $spent" | awk '{printf "%.2f %d %.0f", $1 * $2 / $3, $1, $3 / $2}') $(rate "$work/gate")"
done | sort -n >"$work/shares"
awk '{s[NR] = $1; o[NR] = $2; r[NR] = $3; n[NR] = $4} END {printf "gatekeeper  %.0f/s; a decision alone %d us, a request %d us of the server'"'"'s CPU: %s of what it allows, of %s, %s, %s (budget 0.70)\n", n[2], o[2], r[2], s[2], s[1], s[2], s[3]}' "$work/shares"

for kind in fast gate; do # half of what it did a moment ago; the middle of three turns counts
  body=${!kind}
  for turn in 1 2 3; do
    load 18181 "$body" 64 0 2 >"$work/most"
    delay=$(rate "$work/most" | awk '{d = int(128 * 1000 / ($1 / 2) + 0.5); print d < 1 ? 1 : d}')
    load 18181 "$body" 128 "$delay" "$seconds" >"$work/half"
    echo "$(p99 "$work/half") $(rate "$work/half")"
  done | awk '{ms = $1 ~ /us$/ ? $1 / 1000 : $1 ~ /ms$/ ? $1 + 0 : $1 * 1000; printf "%.2f %.0f\n", ms, $2}' | sort -n >"$work/turns"
  awk -v kind="$kind" '{p[NR] = $1; r[NR] = $2} END {printf "half load   %s: %d/s, p99 %s ms of %s, %s, %s (budget 3 ms)\n", kind, r[2], p[2], p[1], p[2], p[3]}' "$work/turns"
done
if [ "$requests" -gt 0 ]; then
  done_before=$(curl -s 127.0.0.1:18181/metrics | awk '/^signalbox_decisions_total/ {n += $2} END {printf "%d", n}')
  rss_before=$(rss)
  while :; do
    load 18181 "$fast" 64 0 5 >/dev/null
    done_now=$(curl -s 127.0.0.1:18181/metrics | awk '/^signalbox_decisions_total/ {n += $2} END {printf "%d", n}')
    [ $((done_now - done_before)) -ge "$requests" ] && break
  done
  echo "memory      $rss_before MB, $(rss) MB after $((done_now - done_before)) more requests"
fi
echo "memory      $rss_start MB at start (budget 150), $(rss) MB at the end"
