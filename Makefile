# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
JOBS := $(shell nproc)

# What the tests need beyond what building does: libclang-rt for clang's sanitizers and libFuzzer, cadical for proofs to check,
# chromium for pictures.
TEST_PACKAGES := libcmocka-dev python3 python3-yaml python3-pycparser python3-pytest python3-jsonschema mypy zsh fish \
	clang clang-format clang-tidy libclang-rt-14-dev cppcheck valgrind groff-base cadical chromium

.NOTPARALLEL:
.PHONY: help setup demo release dev test campaign tests lint bench format coverage install clean

help:
	@echo 'make demo      build, show on a screen what it does, and what to try next'
	@echo 'make test      everything that needs no GPU: tests, lint, install, valgrind, fuzzing'
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
	@scripts/setup $(TEST_PACKAGES)

demo:
	@scripts/setup
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build --preset release --target swp_cli figures
	@scripts/demo build/release/swp

release:
	@scripts/setup
	@cmake --preset release -DBUILD_TESTING=OFF >/dev/null
	@cmake --build --preset release

dev: setup
	@scripts/build dev

# clang-22, for the AMD kernels, is in Debian's security archive: without it the tests name what they skip.
tests: setup
	@scripts/setup clang-22 llvm-22 || echo 'make test: no clang-22: AMD kernels are not built'
	@scripts/build release
	@scripts/build dev

test: tests
	@scripts/test --preset dev --parallel $(JOBS)

campaign: tests
	@scripts/test --preset campaign --parallel $(JOBS)

lint: dev
	@scripts/test --preset lint --parallel $(JOBS)

bench: release
	@set -e; for program in bench/*.c; do \
		build/release/bench/$$(basename $$program .c) build/release/swp; \
	done

coverage: setup
	@scripts/setup gcovr
	@scripts/build coverage
	@find build/coverage -name '*.gcda' -delete
	@scripts/test --preset coverage --parallel $(JOBS)
	@gcovr --root . --filter src/ --filter cli/ --branches --print-summary \
		--html-details build/coverage/coverage.html build/coverage
	@echo 'build/coverage/coverage.html'

format: setup
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs -r clang-format -i

install: release
	cmake --install build/release --prefix '$(PREFIX)'

clean:
	rm -rf build
