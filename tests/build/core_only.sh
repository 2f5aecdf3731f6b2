#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The core builds without YAML and JSON, and what it builds needs nothing but the C library.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/build core

needed=$(readelf --dynamic build/core/libswp.so |
    sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm)\.so' || true)
if [ -n "$needed" ]; then
    echo "the core library needs: $needed"
    exit 1
fi
