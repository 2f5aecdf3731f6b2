#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tidy.sh BUILD_DIR (the one with compile_commands.json)
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh
. scripts/lint/version.sh
held_to clang-tidy 14

# The analyzer takes nearly all of the time. In a campaign it may look at fifty times as many states of a function.
analyzer=()
[ -n "${SWP_FULL:-}" ] || for word in -Xclang -analyzer-config -Xclang max-nodes=4000; do
    analyzer+=("--extra-arg=$word")
done

sources 'src/*.c' 'cli/*.c' |
    xargs --no-run-if-empty --max-args=1 --max-procs="$(nproc)" clang-tidy --quiet -p "$1" "${analyzer[@]}"
