#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: format.sh [-i]
# Compares the layout of the sources with clang-format's, or lays them out (-i).
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh
. scripts/lint/version.sh
action=(--dry-run -Werror)
if [ "${1:-}" = -i ]; then
    action=(-i)
    (held_to clang-format 14 >/dev/null) || {
        echo 'format: the sources are laid out by clang-format 14, and here is another one' >&2
        exit 1
    }
fi
held_to clang-format 14
sources '*.c' '*.h' | xargs --no-run-if-empty clang-format "${action[@]}"
