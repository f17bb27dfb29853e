#!/usr/bin/env bash
# Installs into a folder of its own, builds examples/embed against it with find_package, and runs both.
set -euo pipefail
source_dir=$1
build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build_dir" --prefix "$work/usr" >"$work/install.log"
routed=$(cd / && "$work/usr/bin/signalbox" route --json "how much of my quota is left?")
case $routed in *'"route":"PLATFORM"'*) ;; *) echo "the installed program says: $routed"; exit 1 ;; esac
cmake -S "$source_dir/examples/embed" -B "$work/embed" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/configure.log" 2>&1 ||
  { cat "$work/configure.log"; exit 1; }
cmake --build "$work/embed" >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; exit 1; }
said=$(cd / && SIGNALBOX_PROFILES="$work/usr/share/signalbox/profiles" HOME="$work" "$work/embed/embed" "how much of my quota is left?")
case $said in PLATFORM*) echo "ok: $said" ;; *) echo "the example says: $said"; exit 1 ;; esac
