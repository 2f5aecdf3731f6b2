#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/amd/calibrate.sh
# Compiles the microbenchmarks that `swp calibrate mi355x` writes for gfx950, with declarations in place of ROCm's headers,
# and looks for the instructions that they are to measure.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
swp=${SWP:-$top/build/release/swp}
clang=${CLANG:-clang-22}
command -v "$clang" >/dev/null || {
    echo "amd: no $clang: the microbenchmarks are not compiled"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$swp" calibrate mi355x -o "$work"
bash -n "$work/run.sh"
mkdir "$work/include"
ln -s "$top/tests/amd/hip" "$work/include/hip"
for side in device host; do
    "$clang" -x hip --cuda-$side-only --offload-arch=gfx950 -nogpulib -nogpuinc -D__host__="__attribute__((host))" -D__device__="__attribute__((device))" -include stdlib.h -std=c++17 -O2 -Wall -Wextra -Werror \
        -isystem "$work/include" -S -o "$work/$side.s" "$work/microbenchmarks.hip"
done

status=0
# INSTRUCTION COUNT: how often the loop that is measured has it, of eight steps, at least
has() {
    local found
    found=$(grep -c "$1" "$work/device.s")
    [ "$found" -ge "$2" ] || {
        echo "amd: $found of $1, not $2"
        status=1
    }
}
has v_fma_f32 $((8 + 64))
has v_exp_f32 64
has v_mfma_f32_16x16x32_bf16 $((8 + 32))
has ds_read_b32 8
has ds_read_b128 32
has 'global_load_dwordx2 .* sc1' 8
has 'global_load_dwordx4 .* sc1' 4
has s_barrier 8
if grep -E 'scratch_(load|store)' "$work/device.s"; then
    echo "amd: registers spilled"
    status=1
fi
exit $status
