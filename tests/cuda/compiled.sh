#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/compiled.sh
# Compiles the CUDA kernels with generated schedules, one of a kind, and a program of bench/gpu, for sm_80; with SWP_FULL
# all of them, and those of sm_80 for sm_90 too.
# No kernel may spill registers.
# What ptxas made of the schedules is audited where cuobjdump is. Status 77: there is no nvcc here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || {
    echo "skipped: no nvcc on this machine, so these are not compiled: kernels/cuda/gemm_sm80.cu," \
        "kernels/cuda/gemm_sm90.cu, bench/gpu/check.cu, bench/gpu/library.cu"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/built"
"$top/kernels/cuda/headers" "$dir" >"$dir/names"
programs='check library'
if [ -z "${SWP_FULL:-}" ]; then
    printf '%s\n' single_buffer pingpong fourwave stages4 unsafe/stages4_weakened >"$dir/names"
    programs=library
fi

export dir top nvcc
compile() { # NAME ARCH ARGUMENT...
    "$nvcc" -std=c++17 -O3 -Werror all-warnings -Xptxas -v "-arch=sm_$2" -I "$top/kernels/cuda" -c \
        -o "$dir/built/$1.$2.o" "${@:3}" >"$dir/built/$1.$2.log" 2>&1 || {
        echo "$1, sm_$2: does not compile"
        cat "$dir/built/$1.$2.log"
        return 1
    }
}

# A source has so many kernels, none of which may use local memory: gemm_sm80 one with and one without masks.
compile_kernel() { # NAME ARCH SOURCE KERNELS
    local name=${1##*/}_$3
    local log=$dir/built/$name.$2.log
    compile "$name" "$2" "-DSCHEDULE_HEADER=\"$dir/$1.h\"" "-DGEMM_NAME=$name" "$top/kernels/cuda/$3.cu" || return 1
    if [ "$(grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "$log")" != "$4" ]; then
        echo "$1, $3, sm_$2: not $4 kernels without a stack frame and spills"
        cat "$log"
        return 1
    fi
    echo "$1, $3, sm_$2: $(grep -o 'Used [0-9]* registers' "$log" | tr '\n' ' ')"
}

compile_program() { # NAME ARCH
    compile "$1" "$2" '-DGEMM_KERNELS=X(fourwave)' "$top/bench/gpu/$1.cu"
    echo "bench/gpu/$1.cu, sm_$2: compiles"
}
export -f compile compile_kernel compile_program

for arch in 80 ${SWP_FULL:+90}; do
    sed "s/.*/compile_kernel & $arch gemm_sm80 2/" "$dir/names"
    # shellcheck disable=SC2086
    printf "compile_program %s $arch\\n" $programs
done >"$dir/jobs"
sed -n '/^\(unsafe\/\)\?stages/s/.*/compile_kernel & 90 gemm_sm90 1/p' "$dir/names" >>"$dir/jobs"
xargs -a "$dir/jobs" -d '\n' -P "$(nproc)" -I{} bash -c '{}'

cuobjdump=$(command -v cuobjdump || echo /usr/local/cuda/bin/cuobjdump)
if [ ! -x "$cuobjdump" ]; then
    echo "skipped: no cuobjdump on this machine, so what ptxas kept of the schedules is not audited"
    exit 0
fi

audit() { # NAME AGAINST ANSWER
    local answer
    "$cuobjdump" -sass "$dir/built/$1_gemm_sm80.80.o" >"$dir/sass"
    answer=$("$SWP" audit "$dir/sass" --schedule "$dir/$2.json" --format json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["answer"])') || true # status 1: not kept
    echo "$1, sm_80, against $2: $answer"
    [ "$answer" = "$3" ]
}

grep -v -e ^unsafe/ -e '^single_buffer$' "$dir/names" | while read -r name; do audit "$name" "$name" kept; done
# Its loads go through registers, which the audit does not follow.
audit single_buffer single_buffer unknown
# Waits that are too weak are seen.
audit stages4_weakened stages4 unknown
