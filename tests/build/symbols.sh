#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: symbols.sh RELEASE_DIR
# No library puts a name without the prefix into a user's program.
set -euo pipefail

check() {
    local library=$1 names
    # Weak names are those of C++ inline functions and types; they displace nobody's.
    names=$(nm "${@:2}" --defined-only --format=posix "$library" |
        awk 'NF > 1 && $2 != "V" && $2 != "W" { print $1 }')
    if [ -z "$names" ]; then
        echo "$library defines no symbol"
        return 1
    fi
    if grep -v '^swp_' <<<"$names"; then
        echo "$library: the names above do not begin with swp_"
        return 1
    fi
}

check "$1/libswp.so" --dynamic
check "$1/libswp-audit.so" --dynamic
check "$1/libswp.a" --extern-only
