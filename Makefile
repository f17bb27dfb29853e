# The two commands a newcomer needs: make run, make test. Each sets up what is missing first.
JOBS ?= $(shell nproc)
LISTS_RUN = packages-run.txt
LISTS_TEST = packages-run.txt packages-test.txt
QUIET = $(if $(V),,> /dev/null)

.PHONY: run test build check deb bench sanitize llama setup-run setup-test

run: setup-run  ## build, route a few samples, then serve all profiles on this machine; no terminal: samples only
	@echo "run: building the release program and starting it"
	@$(MAKE) --no-print-directory program
	@build/release/signalbox chat --samples < /dev/null
	@if [ -t 0 ] && [ -t 1 ]; then build/release/signalbox serve --watch; fi

test: setup-test  ## build everything and run every test
	@echo "test: building everything and running every test"
	@cmake --preset release -DSIGNALBOX_TESTS=ON $(QUIET)
	@cmake --build --preset release -j $(JOBS) $(QUIET)
	@ctest --preset release -j $(JOBS)

build: setup-run program  ## build/release/signalbox

.PHONY: program
program:
	@cmake --preset release $(if $(wildcard build/release/build.ninja),,-DSIGNALBOX_TESTS=OFF) $(QUIET)
	@cmake --build --preset release --target signalbox gates -j $(JOBS)

.PHONY: test-routing
test-routing: setup-run program  ## the labelled routing set with its gate
	@build/release/signalbox eval --profile agents --data test/data/routing/agents.jsonl

check:  ## format and tidy (needs clang-format-19, clang-tidy-19)
	@scripts/check.sh

deb: build  ## a Debian package in build/release
	@cd build/release && cpack -G DEB $(QUIET) && ls -1 *.deb

bench: setup-test  ## every benchmark, one core
	@cmake --preset bench $(QUIET)
	@cmake --build --preset bench -j $(JOBS) --target benches signalbox $(QUIET)
	@scripts/bench.sh

sanitize: setup-test  ## every test under AddressSanitizer and UBSan, then ThreadSanitizer
	@for preset in asan tsan; do cmake --preset $$preset $(QUIET) && cmake --build --preset $$preset -j $(JOBS) && ctest --preset $$preset -j $(JOBS) || exit 1; done

.PHONY: page
page:  ## build the web page anew into server/page (needs node)
	@scripts/setup-page.sh
	@cd web && npm run --silent check && npm run --silent build

llama:  ## fetch and build llama.cpp once; the next build serves gguf: models in process
	@scripts/fetch-llama.sh
	@echo "llama: build again (make build) to link it"

setup-run:
	@scripts/setup.sh $(LISTS_RUN)

setup-test:
	@scripts/setup.sh $(LISTS_TEST)
	@scripts/setup-models.sh
	@scripts/setup-page.sh


