#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/amd/run.sh
# Builds kernels/amd for gfx950 and gfx942, and audits what clang made of each schedule; MUTANTS=all is thorough.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
swp=${SWP:-$top/build/release/swp}
clang=${CLANG:-clang-22}
command -v "$clang" >/dev/null || {
    echo "amd: no $clang: kernels/amd is not built"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/kernels/amd/build" "$work" "$swp" "$clang" >"$work/figures" 2>"$work/diagnostics" || {
    cat "$work/figures" "$work/diagnostics"
    exit 1
}
cat "$work/figures"

# Spilled registers are scratch accesses, which the schedule does not count.
if grep -v -- '-builtin:' "$work/figures" | grep -v ' 0 spilled'; then
    echo "amd: registers spilled"
    exit 1
fi

# What clang made of each, and what becomes of it by hand-made faults.
SWP=$swp "$top/tests/amd/mutants.py" "$work"
