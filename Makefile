# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
JOBS := $(shell nproc)

.NOTPARALLEL:
.PHONY: help setup demo release dev test lint bench format coverage install clean

help:
	@echo 'make demo      build, compile the ping-pong schedule and show it'
	@echo 'make test      everything that needs no GPU: tests, lint, install, valgrind, fuzzing'
	@echo 'make lint      the lint part of it'
	@echo 'make release   build/release: optimised'
	@echo 'make dev       build/dev: debug, with sanitizers'
	@echo 'make bench     build and run the benchmarks'
	@echo 'make coverage  line and branch coverage of the tests'
	@echo 'make format    lay out the sources with clang-format'
	@echo 'make install   to PREFIX ($(PREFIX)), under DESTDIR where set'
	@echo 'make setup     install the Debian packages that are missing; the above do it by themselves'
	@echo 'make clean     remove build/'

setup:
	@scripts/setup

demo: setup
	@scripts/build release swp_cli
	build/release/swp compile pingpong

release dev: setup
	@scripts/build $@

# clang-22, for the AMD kernels, is in Debian's security archive: without it the tests name what they skip.
test: release dev
	@scripts/setup clang-22 llvm-22 || echo 'make test: no clang-22: AMD kernels are not built'
	@ctest --preset dev --parallel $(JOBS)

lint: setup
	@cmake --preset dev >/dev/null
	@ctest --preset lint --parallel $(JOBS)

bench: release
	@set -e; for program in bench/*.c; do \
		build/release/bench/$$(basename $$program .c) build/release/swp; \
	done

coverage:
	@scripts/setup gcovr
	@scripts/build coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel $(JOBS)
	@gcovr --root . --filter src/ --filter cli/ --branches --print-summary \
		--html-details build/coverage/coverage.html build/coverage
	@echo 'build/coverage/coverage.html'

format: setup
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs -r clang-format -i

install: release
	cmake --install build/release --prefix '$(PREFIX)'

clean:
	rm -rf build
