#!/usr/bin/env bash
# Runs every benchmark on one core, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
for bench in build/bench/*_bench; do
  echo "== $(basename "$bench")"
  taskset -c 0 "$bench" --benchmark_min_time=0.2 "$@"
done
