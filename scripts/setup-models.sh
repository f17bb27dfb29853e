#!/usr/bin/env bash
# The real servers and models of the tests: OpenSearch, llama.cpp and SmolLM2, where they can be had. All are kept in
# the cache, so only the first run takes time (7 minutes on two cores). Where they cannot be had, the tests that
# need them are skipped and say so. SIGNALBOX_NO_LLAMA=1 leaves out llama.cpp and the model.
set -uo pipefail
cd "$(dirname "$0")"

./fetch-opensearch.sh || echo "set-up: no OpenSearch; the tests that need it are skipped"
[[ -n ${SIGNALBOX_NO_LLAMA:-} ]] && { echo "set-up: no llama.cpp (SIGNALBOX_NO_LLAMA); its tests are skipped"; exit 0; }

skipped() { echo "set-up: no $1; the tests that need it are skipped"; exit 0; }
./fetch-smollm.sh || skipped "model"
./fetch-llama.sh --check || ./fetch-llama.sh || skipped "llama.cpp"
