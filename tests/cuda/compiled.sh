#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/compiled.sh
# Compiles the CUDA kernels, each with every generated schedule for sm_80 and sm_90, and the programs of
# bench/gpu. No kernel may spill registers. Status 77: there is no nvcc here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || {
    echo "skipped: no nvcc on this machine, so these are not compiled: kernels/cuda/gemm_sm80.cu," \
        "bench/gpu/check.cu, bench/gpu/library.cu"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$top/kernels/cuda/headers" "$dir" >"$dir/names"

export dir top nvcc
compile() { # NAME ARGUMENT...
    "$nvcc" -std=c++17 -O3 -Werror all-warnings -Xptxas -v -gencode arch=compute_80,code=sm_80 \
        -gencode arch=compute_90,code=sm_90 -I "$top/kernels/cuda" -c -o "$dir/$(basename "$1").o" \
        "${@:2}" >"$dir/$(basename "$1").log" 2>&1 || {
        echo "$1: does not compile"
        cat "$dir/$(basename "$1").log"
        return 1
    }
}

# With and without masks, for two architectures: four kernels, none of which may use local memory.
compile_kernel() { # NAME
    local log=$dir/$(basename "$1").log
    compile "$1" "-DSCHEDULE_HEADER=\"$dir/$1.h\"" "-DGEMM_NAME=$(basename "$1")" \
        "$top/kernels/cuda/gemm_sm80.cu" || return 1
    if [ "$(grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "$log")" != 4 ]; then
        echo "$1: not 4 kernels without a stack frame and spills"
        cat "$log"
        return 1
    fi
    echo "$1: $(grep -o 'Used [0-9]* registers' "$log" | tr '\n' ' ')"
}
export -f compile compile_kernel

xargs -a "$dir/names" -P "$(nproc)" -I{} bash -c 'compile_kernel {}'
for program in check library; do
    compile "$program" '-DGEMM_KERNELS=X(fourwave)' "$top/bench/gpu/$program.cu"
    echo "bench/gpu/$program.cu: compiles"
done
