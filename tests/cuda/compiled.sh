#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/compiled.sh
# Compiles the CUDA kernels with every safe generated schedule, and the programs of bench/gpu, for sm_80;
# the fastest schedule for sm_90 too. CUDA_ARCHS="80 90": every one for these. No kernel may spill registers.
# What ptxas made of the schedules is audited where cuobjdump is. Status 77: there is no nvcc here.
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
# An unsafe schedule is a safe one but for the numbers of its waits.
"$top/kernels/cuda/headers" "$dir" | grep -v ^unsafe/ >"$dir/names"

export dir top nvcc
compile() { # NAME ARCH ARGUMENT...
    "$nvcc" -std=c++17 -O3 -Werror all-warnings -Xptxas -v "-arch=sm_$2" -I "$top/kernels/cuda" -c \
        -o "$dir/$1.$2.o" "${@:3}" >"$dir/$1.$2.log" 2>&1 || {
        echo "$1, sm_$2: does not compile"
        cat "$dir/$1.$2.log"
        return 1
    }
}

# With and without masks: two kernels, neither of which may use local memory.
compile_kernel() { # NAME ARCH
    local log=$dir/$1.$2.log
    compile "$1" "$2" "-DSCHEDULE_HEADER=\"$dir/$1.h\"" "-DGEMM_NAME=$1" "$top/kernels/cuda/gemm_sm80.cu" ||
        return 1
    if [ "$(grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "$log")" != 2 ]; then
        echo "$1, sm_$2: not 2 kernels without a stack frame and spills"
        cat "$log"
        return 1
    fi
    echo "$1, sm_$2: $(grep -o 'Used [0-9]* registers' "$log" | tr '\n' ' ')"
}

compile_program() { # NAME ARCH
    compile "$1" "$2" '-DGEMM_KERNELS=X(fourwave)' "$top/bench/gpu/$1.cu"
    echo "bench/gpu/$1.cu, sm_$2: compiles"
}
export -f compile compile_kernel compile_program

for arch in ${CUDA_ARCHS:-80}; do
    sed "s/.*/compile_kernel & $arch/" "$dir/names"
    printf 'compile_program %s\n' "check $arch" "library $arch"
done >"$dir/jobs"
[ -n "${CUDA_ARCHS:-}" ] || echo compile_kernel stages4 90 >>"$dir/jobs"
xargs -a "$dir/jobs" -d '\n' -P "$(nproc)" -I{} bash -c '{}'

cuobjdump=$(command -v cuobjdump || echo /usr/local/cuda/bin/cuobjdump)
if [ ! -x "$cuobjdump" ]; then
    echo "skipped: no cuobjdump on this machine, so what ptxas kept of the schedules is not audited"
    exit 0
fi

audit() { # NAME AGAINST ANSWER
    "$cuobjdump" -sass "$dir/$1.80.o" >"$dir/$1.sass"
    local answer
    answer=$("$SWP" audit "$dir/$1.sass" --schedule "$dir/$2.json" --format json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["answer"])') || true # status 1: not kept
    echo "$1, sm_80, against $2: $answer"
    [ "$answer" = "$3" ]
}

grep -v '^single_buffer$' "$dir/names" | while read -r name; do audit "$name" "$name" kept; done
# Its loads go through registers, which the audit does not follow.
audit single_buffer single_buffer unknown
# Waits that are too weak are seen.
compile stages4_weakened 80 -DSCHEDULE_HEADER="\"$dir/unsafe/stages4_weakened.h\"" \
    -DGEMM_NAME=stages4_weakened "$top/kernels/cuda/gemm_sm80.cu"
audit stages4_weakened stages4 unknown
