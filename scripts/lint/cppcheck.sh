#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: cppcheck.sh CACHE_DIR
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh
. scripts/lint/version.sh
held_to cppcheck 2.10

# Lists grow by a macro, through which cppcheck does not see that the capacity is used.
mkdir -p "$1"
sources 'src/*.c' 'cli/*.c' 'bench/*.c' >"$1/files"
[ -s "$1/files" ] || exit 0

# Only the configuration of the compilers that the project is built with is checked; a campaign checks all.
one=(-D__GNUC__=12)
[ -z "${SWP_FULL:-}" ] || one=()

cppcheck --std=c11 "${one[@]}" --enable=warning,style,performance,portability --inline-suppr --suppress=unusedStructMember \
    --error-exitcode=1 --quiet -j "$(nproc)" --cppcheck-build-dir="$1" \
    -Iinclude -Isrc --file-list="$1/files"
