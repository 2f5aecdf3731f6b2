#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: format.sh [-i]
# Compares the sources with the layout that clang-format 14 gives them, or lays them out (-i). Other versions lay out otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh

clang_format=clang-format-14
command -v $clang_format >/dev/null || clang_format=clang-format
version=$($clang_format --version) || version='no clang-format'
if [[ $version != *' version 14.'* ]]; then
    echo "format.sh: skipped: the sources are laid out by clang-format 14, and here is $version"
    exit 77
fi

action=(--dry-run -Werror)
[ "${1:-}" != -i ] || action=(-i)
sources '*.c' '*.h' | xargs --no-run-if-empty $clang_format "${action[@]}"
