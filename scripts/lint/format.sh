#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: format.sh [-i]
# Compares the layout of the sources with clang-format's, or lays them out (-i).
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh
. scripts/lint/version.sh
held_to clang-format 14

action=(--dry-run -Werror)
[ "${1:-}" != -i ] || action=(-i)
sources '*.c' '*.h' | xargs --no-run-if-empty clang-format "${action[@]}"
