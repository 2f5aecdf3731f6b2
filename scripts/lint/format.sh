#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh

sources '*.c' '*.h' | xargs --no-run-if-empty clang-format --dry-run -Werror
