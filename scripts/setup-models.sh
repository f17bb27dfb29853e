#!/usr/bin/env bash
# The real language model of the tests: llama.cpp and SmolLM2, where they can be had. Both are kept in the
# cache, so only the first run takes time (7 minutes on two cores). Where they cannot be had, the tests that
# need them are skipped and say so. SIGNALBOX_NO_LLAMA=1 leaves both out.
set -uo pipefail
cd "$(dirname "$0")"

[[ -n ${SIGNALBOX_NO_LLAMA:-} ]] && { echo "set-up: no llama.cpp (SIGNALBOX_NO_LLAMA); its tests are skipped"; exit 0; }

skipped() { echo "set-up: no $1; the tests that need it are skipped"; exit 0; }
./fetch-smollm.sh || skipped "model"
./fetch-llama.sh --check || ./fetch-llama.sh || skipped "llama.cpp"
