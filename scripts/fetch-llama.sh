#!/usr/bin/env bash
# Has llama.cpp in ${XDG_CACHE_HOME:-~/.cache}/signalbox/llama: static libraries and headers that the program is
# linked with to run GGUF files in process, and llama-server for the tests. The source comes by the npm client
# (the package node-llama-cpp carries it as a git bundle) and is built once, about 7 minutes on two cores; what
# is already there is left alone. Nothing else needs it: without it the program is built without gguf: models.
#
#   scripts/fetch-llama.sh           prints the folder it built; then configure and build again
#   scripts/fetch-llama.sh --check   exit code 0 when it is there, 1 when not; fetches and builds nothing
#
# Exit codes: 0 it is there, 1 the build failed, 3 the source cannot be had here.
set -euo pipefail

PACKAGE=node-llama-cpp@3.22.1
RECIPE=1 # raised when the options below change

cache="${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/llama"
target="$cache/${PACKAGE#*@}-$RECIPE"
JOBS="${JOBS:-$(nproc)}"

[[ -s $target/stamp ]] && { [[ ${1:-} == --check ]] || echo "fetch-llama: $target"; exit 0; }
[[ ${1:-} == --check ]] && exit 1

say() { echo "fetch-llama: $*"; }
absent() { echo "fetch-llama: $*" >&2; exit 3; }

for tool in npm git cmake ninja flock; do
  command -v "$tool" >/dev/null || absent "needs $tool"
done

mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || { say "another build is running; waiting for it"; flock 9; }
[[ -s $target/stamp ]] && { say "$target"; exit 0; }

work="$cache/work"
mkdir -p "$work"
log="$work/log"
: >"$log"

fetch_source() {
  [[ -s $work/source/CMakeLists.txt ]] && return
  say "fetching the source ($PACKAGE)"
  rm -rf "$work/package" "$work/source.part"
  (cd "$work" && npm pack --silent "$PACKAGE") >>"$log" 2>&1 || absent "npm cannot fetch $PACKAGE (see $log)"
  tar -xzf "$work"/node-llama-cpp-*.tgz -C "$work" package/llama/gitRelease.bundle
  git -c advice.detachedHead=false clone -q "$work/package/llama/gitRelease.bundle" "$work/source.part" >>"$log" 2>&1 ||
    absent "the package holds no source (see $log)"
  mv "$work/source.part" "$work/source"
  rm -rf "$work/package" "$work"/node-llama-cpp-*.tgz
}

# Never native: some processors show instructions (AMX) that trap. OpenMP stays out: the backend brings its
# own threads.
configure() {
  local options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF
    -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF)
  [[ $(uname -m) == x86_64 ]] && options+=(-DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON)
  cmake -S "$work/source" -B "$work/build" -G Ninja "${options[@]}" >>"$log" 2>&1
}

# One line that is rewritten on a terminal; elsewhere a line every 100 files.
progress() {
  local line
  while IFS= read -r line; do
    echo "$line" >>"$log"
    [[ $line =~ ^([0-9]+)/([0-9]+)\  ]] || continue
    if [[ -t 1 ]]; then
      printf '\rfetch-llama: building %s of %s files ' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    elif ((BASH_REMATCH[1] % 100 == 0)); then
      say "building ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files"
    fi
  done
  [[ -t 1 ]] && echo
  return 0
}

build() {
  say "building llama.cpp once with $JOBS jobs (about 7 minutes on two cores)"
  configure || return
  NINJA_STATUS='%f/%t ' nice -n 10 ninja -C "$work/build" -j "$JOBS" llama-server 2>&1 | progress
}

collect() {
  local part="$cache/part"
  rm -rf "$part"
  mkdir -p "$part/lib" "$part/bin" "$part/include/common/jinja"
  find "$work/build" -name '*.a' -exec cp -t "$part/lib" {} +
  cp "$work/build/bin/llama-server" "$part/bin/"
  cp "$work/source"/include/*.h "$work/source"/ggml/include/*.h "$part/include/"
  cp "$work/source"/common/*.h "$part/include/common/"
  cp "$work/source"/common/jinja/*.h "$part/include/common/jinja/"
  cp "$work/source/LICENSE" "$part/"
  echo "$PACKAGE recipe $RECIPE" >"$part/stamp"
  rm -rf "$target"
  mv "$part" "$target"
  rm -rf "$work"
}

fetch_source
started=$SECONDS
build || { tail -n 20 "$log" >&2; echo "fetch-llama: the build failed (see $log)" >&2; exit 1; }
collect
say "$target, built in $((SECONDS - started)) s"
