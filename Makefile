# `make demo` and `make test` do all the set-up that they need on a fresh Debian machine with Swift.

SHELL := /bin/bash

# What Swift needs to build this, and the tests to run, as Debian's packages.
PACKAGES := binutils g++ git libc6-dev libhiredis-dev libjs-codemirror libnghttp2-dev libpcre2-dev libpq-dev \
	libqrencode-dev libsqlite3-dev libssl-dev libxml2-dev libyaml-dev nghttp2-client zlib1g-dev

# Options for demo-server, such as: make demo ARGS="--host 0.0.0.0 --port 9000"
ARGS ?=

.PHONY: help demo test dist try-dist static try-image try-workflows try-tls try-operations size lint format swift packages

help:
	@echo "make demo    build demo-server and start it (ARGS=\"--port 9000\" passes options on)"
	@echo "make test    run every check and every test, for 85 minutes at most (TEST_MINUTES=180 on a slow machine)"
	@echo "make test-release  run the tests of the modules as they are built for production; make test-release-core the most important ones"
	@echo "make dist    make a tarball and a Debian package of demo-server, which run without Swift, with Routes/ and Public/"
	@echo "make try-dist  try both in a minimal Debian (as root, with debootstrap)"
	@echo "make try-image  build the Dockerfile without a Docker engine, and try the image (as root)"
	@echo "make try-workflows  check the workflows of GitHub: CI, and the release of a tag"
	@echo "make try-tls  ask demo-server over TLS what it accepts and refuses, testssl.sh's questions included"
	@echo "make size    build the small example sessions by itself and check how large it is"
	@echo "make bench   measure against other servers (BENCH=\"--rounds 2 --only cpu\" passes options on)"
	@echo "make fuzz    go on feeding the parsers with what libFuzzer thinks of (FUZZ_SECONDS=600 in all, FUZZ=\"head json\")"
	@echo "make tsan    run every test, replicas and browsers under ThreadSanitizer; make asan under AddressSanitizer; make sanitize"
	@echo "make soak    let all kinds of clients come for half an hour: no memory and no descriptor is left (SOAK_SECONDS=1800)"
	@echo "make chaos   kill servers, fill disks, turn clocks, cut connections: nothing acknowledged is lost (CHAOS_SECONDS=300)"
	@echo "make try-operations  restart, kill and starve replicas and stores behind nginx and HAProxy: what fails, and for how long; try six proxies"
	@echo "make webkit  test preview's main paths in WebKitGTK too"
	@echo "make screenshots  take the pictures of the documentation anew, in a browser"
	@echo "make docs    build the documentation as a static site (make docs-serve shows it at http://127.0.0.1:8000/)"
	@echo "make reference  write the reference articles anew, from the vocabularies"
	@echo "make try-tutorials  do the tutorials, those that build a package included"
	@echo "make api     compare the public API with that of the last version"
	@echo "make format  format the sources"

demo: swift packages
	swift build -c release --product demo-server
	.build/release/demo-server $(ARGS)

# How a program is built that is deployed by itself. What it exports would otherwise stay in it, used or not; relocations are
# packed as glibc reads them since 2.36, which Debian 12 has. Functions have sections of their own, so that the linker can leave out
# those that nothing calls, and make one of equal ones; no code here compares their addresses. The index of unwind tables serves C++
# exceptions that pass through Swift's frames, and none does: debuggers and crash reports read the tables themselves, or frame pointers.
STATIC := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker --no-eh-frame-hdr -Xlinker -z -Xlinker pack-relative-relocs

# The small example with a form and a log-in by itself: at most 18 MB, and nothing of full Foundation.
size: swift packages
	swift build $(STATIC) --package-path Examples/Small --product sessions --scratch-path $(CURDIR)/.build
	.ci/check-size .build/release/sessions 18000000

# demo-server as it is put into a container: at most 40 MB, and nothing of full Foundation.
static: swift
	swift build $(STATIC) --product demo-server
	.ci/check-size .build/release/demo-server 40000000

# The Dockerfile, built and tried without a Docker engine, as root.
try-image: PACKAGES += buildah curl debootstrap
try-image: swift packages
	.ci/try-image

# What `make test` asks demo-server over TLS, and what testssl.sh asks.
try-tls: PACKAGES += curl openssl testssl.sh
try-tls: swift packages
	swift build --product demo-server
	.ci/try-tls .build/debug/demo-server testssl

# A tarball and a Debian package of demo-server, Routes/ and Public/, for machines without Swift.
dist: PACKAGES += dpkg-dev patchelf
dist: swift packages static
	.ci/dist .build/release/demo-server

# The workflows of GitHub that make releases of both: their form, and that what they call is there.
try-workflows: PACKAGES += python3-venv shellcheck
try-workflows: packages
	.ci/try-workflows

# Both in a minimal Debian, as root.
try-dist: PACKAGES += debootstrap
try-dist: dist
	.ci/try-dist .build/dist/demo-server-*.tar.gz .build/dist/demo-server_*.deb

# WireMock's Python client and OpenTelemetry's descriptors need virtual environments; shared sessions need Redis
# and PostgreSQL, and replicas nginx.
BROWSER := chromium chromium-driver firefox-esr fonts-noto-core libnss3-tools libzbar0 python3-venv
screenshots: PACKAGES += $(BROWSER)
TESTED := curl nginx-light openssl postgresql redis-server $(BROWSER)
test: PACKAGES += $(TESTED)

.PHONY: test-modules test-programs test-packages test-core test-release test-release-core

# CI ends a run after 90 minutes. Each command is ended after the minutes that .ci/within is told, and all of them after these; more of
# these, for a slow machine, give each command more as well.
export TEST_MINUTES ?= 85
test: export TEST_END := $(shell expr $$(date +%s) + 60 \* $(TEST_MINUTES))

# Four things go on at a time: tests that may not wait for the processor, tests that may, builds, which take what is left, and the tests of
# the modules that a page passes as they are built for production.
# The output of each command is shown when it has ended; a target that fails lets the others come to their end.
test: export TEST_STAGES := $(CURDIR)/.build/stages.tsv
# Who builds once needs no line numbers, and no files that can be compiled again by themselves: a quarter less work. SwiftPM looks for an
# object of each file, which the compiler writes only with threads.
ifdef CI
export BUILD_FLAGS := -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
endif
test: swift packages
	@mkdir -p .build; rm -f $(TEST_STAGES)
	@$(MAKE) --no-print-directory lint
	.ci/within 60 swift build --build-tests $(BUILD_FLAGS)
	.ci/within 15 .ci/check-api
	@set -o pipefail; \
	$(MAKE) --no-print-directory --jobs=4 --output-sync=line $(STAGES) 2>&1 | tee .build/test.log; \
	status=$$?; .ci/failures .build/test.log $(TEST_STAGES); exit $$status

# `make test FAST=1` runs the quick tests of the modules alone, in two processes: those that start no programs and wait for no timeouts.
ifdef FAST
STAGES := test-quick-core test-quick-others
else
STAGES := test-modules test-programs test-packages test-core
endif

# Tests that take long and don't look at the clock: they may wait for the processor.
PATIENT := "\.(ExploreDemoTests|SharedCacheTests|MocksComparisonTests|MocksOfDemoTests|FuzzTests)/"

# The tests of the modules that a page passes.
CORE := BacklotHTTPTests BacklotTests ApplinTests

# One test after the other: clients of a test that is kept from the processor by others would run into the server's timeouts.
test-modules:
	.ci/within 45 swift test --skip-build --no-parallel --skip $(PATIENT)

test-programs:
	.ci/within 30 nice .build/debug/backlotPackageTests.xctest --testing-library swift-testing --no-parallel --filter $(PATIENT)
	.ci/within 10 nice .ci/try-tls
	.ci/within 10 nice Tests/WireMockClient/run
	.ci/within 10 nice Tests/A2UICore/run
	.ci/within 10 nice Tests/OpenTelemetry/run
	.ci/within 10 nice Tests/Schemas/run
	.ci/within 10 nice Tests/Replicas/run
	.ci/within 10 nice Tests/Replicas/run .build/debug postgresql
	.ci/within 10 nice Tests/Replicas/feeds
	.ci/within 10 nice Tests/Tutorials/run
	.ci/within 40 nice Tests/Browser/run

# SwiftPM undoes nice for its compilers, but not this class of scheduling.
IDLY := $(shell command -v chrt >/dev/null && echo chrt --idle 0)

# What has been compiled for the tests serves the packages that use it, too. The tests of the modules hold SwiftPM's lock of .build
# for as long as they run, but they change nothing there.
test-packages: UNLOCKED := --ignore-lock
test-packages: SHARED := $(UNLOCKED) --scratch-path $(CURDIR)/.build $(BUILD_FLAGS)
test-packages:
	.ci/within 40 $(IDLY) .ci/docs
	.ci/within 50 $(IDLY) swift build --build-tests --package-path Benchmarks $(SHARED)
	.ci/within 10 swift test --skip-build --package-path Benchmarks $(SHARED)
	.ci/within 30 $(IDLY) swift build --build-tests --package-path Examples/Clinic $(SHARED)
	.ci/within 10 swift test --skip-build --package-path Examples/Clinic $(SHARED)
	.ci/within 30 $(IDLY) swift build --build-tests --package-path Examples/Garden $(SHARED)
	.ci/within 10 swift test --skip-build --package-path Examples/Garden $(SHARED)
	.ci/within 30 $(IDLY) swift build --build-tests --package-path Examples/Small $(SHARED)
	.ci/within 10 swift test --skip-build --package-path Examples/Small $(SHARED)
	.ci/within 40 .ci/try-new

# The quick tests, in two processes. Tests/slow-suites has the suites that take a second or more; .ci/slow-suites writes it.
QUICK := nice .build/debug/backlotPackageTests.xctest --testing-library swift-testing --no-parallel --skip "\.($(shell paste -sd '|' Tests/slow-suites))/"

.PHONY: test-quick-core test-quick-others
test-quick-core:
	.ci/within 10 $(QUICK) --filter "^(BacklotHTTPTests|BacklotTests|BacklotMocksTests|HouseTests)\."

test-quick-others:
	.ci/within 10 $(QUICK) --skip "^(BacklotHTTPTests|BacklotTests|BacklotMocksTests|HouseTests|FuzzTests)\."

# With them, a package with pages on the main actor, as it goes into production.
test-core:
	.ci/within 60 env BUILD_WITH="$(IDLY)" WITH=Examples/Garden .ci/test-release $(CORE)

# The tests of the modules once more, optimized and in a build of their own, since that is what goes into production.
test-release: PACKAGES += $(TESTED)
test-release: swift packages
	.ci/within 80 .ci/test-release

test-release-core: swift packages
	.ci/within 40 .ci/test-release $(CORE)

.PHONY: screenshots try-replicas webkit

# What `make test` does for half a minute, for three: replicas and their database are killed while stories are published and read.
try-replicas: PACKAGES += nginx-light postgresql
try-replicas: swift packages
	swift build --product demo-server
	swift build --product replica-flow
	Tests/Replicas/feeds .build/debug 180

.PHONY: soak chaos

# Quick, slow and broken clients over HTTP/1.1, HTTP/2 and TLS for SOAK_SECONDS, with the program that is deployed.
soak: PACKAGES += python3
soak: swift packages
	swift build -c release --product demo-server
	Tests/Endurance/soak .build/release/demo-server

# CHAOS_SECONDS of faults, the same ones again with the CHAOS_SEED that it prints.
chaos: PACKAGES += python3 postgresql redis-server
chaos: swift packages
	swift build --product demo-server
	Tests/Endurance/chaos .build/debug/demo-server

# The failure matrix, as a table: the status is 1 where a figure is worse than its bound. As root, a disk is filled too. Then the proxies of the
# article Behind a proxy, with its configurations.
try-operations: PACKAGES += apache2-bin caddy haproxy nghttp2-proxy nginx-light openssl postgresql python3 python3-venv redis-server util-linux
try-operations: swift packages
	swift build -c release --product demo-server
	Tests/Endurance/operations .build/release/demo-server
	Tests/Endurance/proxies .build/release/demo-server

# The pictures of the documentation, and the one that moves in the README, as headless Chromium draws them.
screenshots: swift packages
	swift build --product demo-server
	Tests/Browser/run .build/debug/demo-server --pictures

webkit: PACKAGES += $(BROWSER) webkit2gtk-driver xvfb

# WebKitGTK has Safari's engine. Its driver can do less than others, so this is no part of `make test`.
webkit: swift packages
	swift build --product demo-server
	BACKLOT_BROWSER=webkit Tests/Browser/run .build/debug/demo-server $$(cat Tests/Browser/main-paths)

.PHONY: docs docs-serve reference try-tutorials api

# The documentation of all products, without a warning, in .build/docs/site.
docs: swift packages
	swift build
	.ci/docs

DOCS_PORT ?= 8000

docs-serve: docs
	@echo "http://127.0.0.1:$(DOCS_PORT)/ shows it; Ctrl-C ends it"
	@cd .build/docs/site && exec python3 -m http.server --bind 127.0.0.1 $(DOCS_PORT)

# The articles that list all kinds and keys.
reference: swift packages
	BACKLOT_WRITE_REFERENCE=1 swift test --filter ReferenceTests

# The tutorials, as `make test` does them, and "Your first app", which builds Backlot once more.
try-tutorials: PACKAGES += curl nginx-light redis-server
try-tutorials: swift packages
	swift build --product demo-server
	Tests/Tutorials/run --swift

# What the public API has lost since the last version; `make test` does the same.
api: swift packages
	swift build
	.ci/check-api

SOURCES := Package.swift Sources Tests Examples Fuzzing Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
	Integrations

lint: swift
	.ci/within 10 swift format lint --parallel --recursive --strict $(SOURCES)

format: swift
	swift format --in-place --parallel --recursive $(SOURCES)

swift:
	@command -v swift >/dev/null || { \
		echo "Swift is missing: install Swift 6.3 or later from https://www.swift.org/install/linux/"; \
		echo "and put its usr/bin folder into PATH."; exit 1; }

# Installs what is missing, and asks for nothing where nothing is.
packages:
	@.ci/install $(PACKAGES)

.PHONY: fuzz tsan asan sanitize

# See Fuzzing/README.md. `make test` has a short run of the same.
FUZZ ?=

fuzz: swift packages
	Fuzzing/run $(FUZZ)

# Every test once more, in builds of their own, and what replicas and browsers do: the parts PART, or all of them. Both sanitizers
# see less of Swift than of C, and are told the rest. Swift keeps the case of an enum in the upper byte of the reference that goes
# with it, which LeakSanitizer wouldn't follow: what lives would be reported (Tests/Sanitizers/references.c). And a mutex that
# several threads want at a time is taken in a library that ThreadSanitizer doesn't see into: what is in order would be reported
# (Tests/Sanitizers/order.c).
PART ?=

tsan asan: PACKAGES += $(TESTED)
tsan: swift packages
	Tests/Sanitizers/run thread $(PART)

asan: swift packages
	Tests/Sanitizers/run address $(PART)

sanitize: tsan asan

.PHONY: bench bench-tools

# Measures Backlot against other servers. `make bench BENCH="--rounds 2 --only cpu"` passes options on.
BENCH ?=

bench: bench-tools static
	swift build -c release --package-path Benchmarks
	Benchmarks/.build/release/bench $(BENCH)

# nginx, wrk, h2load, valgrind, redis-server, PostgreSQL and strip, from Debian, if they are missing.
bench-tools: packages
	@PATH="$$PATH:/usr/sbin"; packages=; \
	command -v nginx >/dev/null || packages="$$packages nginx-light"; \
	command -v wrk >/dev/null || packages="$$packages wrk"; \
	command -v h2load >/dev/null || packages="$$packages nghttp2-client"; \
	command -v valgrind >/dev/null || packages="$$packages valgrind"; \
	command -v redis-server >/dev/null || packages="$$packages redis-server"; \
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || packages="$$packages postgresql"; \
	command -v strip >/dev/null || packages="$$packages binutils"; \
	command -v ip >/dev/null || packages="$$packages iproute2"; \
	command -v curl >/dev/null || packages="$$packages curl"; \
	.ci/install $$packages
