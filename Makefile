# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
JOBS := $(shell nproc)

.NOTPARALLEL:
.PHONY: help setup demo release dev test ci campaign tests lint bench format coverage install clean

help:
	@echo 'make demo      build, show on a screen what it does, and what to try next'
	@echo 'make test      what a person waits for, about 12 minutes: both builds, tests, lints'
	@echo 'make ci        the same and what takes minutes more: all lints, kernels in emulation, a bare machine'
	@echo 'make campaign  the same with samples many times as large, or whole, and libFuzzer: hours'
	@echo 'make lint      build/dev, and the lint part of its tests'
	@echo 'make release   build/release: optimised, the command, the library and the benchmarks'
	@echo 'make dev       build/dev: debug, with sanitizers and tests'
	@echo 'make bench     run the benchmarks'
	@echo 'make coverage  line and branch coverage of the tests'
	@echo 'make format    lay out the sources with clang-format'
	@echo 'make install   to PREFIX ($(PREFIX)), under DESTDIR where set'
	@echo 'make setup     install the Debian packages that are missing; the above do it by themselves'
	@echo 'make clean     remove build/'

setup:
	@scripts/setup build python tests

demo:
	@scripts/setup
	@echo 'make demo: building swp in build/release, which takes a minute or two'
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build --preset release --target swp_cli
	@scripts/demo build/release/swp

release:
	@scripts/setup
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build --preset release

dev: setup
	@scripts/build dev

tests: setup
	@scripts/setup amd || echo 'make test: no clang-22: AMD kernels are not built'
	@scripts/build release
	@scripts/build dev

test: tests
	@scripts/test --preset dev --parallel $(JOBS)

ci: tests
	@scripts/test --preset ci --parallel $(JOBS)

campaign: tests
	@scripts/test --preset campaign --parallel $(JOBS)

lint: dev
	@scripts/test --preset lint --parallel $(JOBS)

bench: release
	@set -e; for program in bench/*.c; do \
		build/release/bench/$$(basename $$program .c) build/release/swp; \
	done

coverage: setup
	@scripts/setup coverage
	@scripts/build coverage
	@find build/coverage -name '*.gcda' -delete
	@scripts/test --preset coverage --parallel $(JOBS)
	@gcovr --root . --filter src/ --filter cli/ --branches --print-summary \
		--html-details build/coverage/coverage.html build/coverage
	@echo 'build/coverage/coverage.html'

format: setup
	@scripts/lint/format.sh -i

install: release
	cmake --install build/release --prefix '$(PREFIX)'

clean:
	rm -rf build
