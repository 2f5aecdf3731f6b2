#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lint/sources.sh

# groff warns and still exits 0.
warnings=$(sources 'docs/man/*.[1-9]' | xargs --no-run-if-empty groff -mandoc -Tutf8 -Kutf8 -ww -z 2>&1)
[ -z "$warnings" ] || { echo "$warnings"; exit 1; }
