#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tidy.sh BUILD_DIR (the one with compile_commands.json)
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh

sources 'src/*.c' 'cli/*.c' |
    xargs --no-run-if-empty --max-args=1 --max-procs="$(nproc)" clang-tidy --quiet -p "$1"
