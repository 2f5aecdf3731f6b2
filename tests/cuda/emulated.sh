#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/emulated.sh [NAME...]
# Runs kernels/cuda/gemm_sm80.cu with every generated schedule on a CPU (emulator.cpp), or with those
# named. Schedules that swp refuses must give a wrong result. SEED (1) chooses data and timings.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../../kernels/cuda
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$kernels/headers" "$dir" >"$dir/names"
[ $# -eq 0 ] || printf '%s\n' "$@" >"$dir/names"

export dir kernels seed=${SEED:-1}
# The kernels' types are in unnamed namespaces of a file that is built once for each schedule.
export flags="-std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas -I$here/emulated -I$kernels"
for source in emulator gemm; do
    g++ $flags -DKERNEL=gemm_tested -c -o "$dir/$source.o" "$here/$source.cpp" &
done
wait

run_one() { # NAME, as kernels/cuda/headers prints it
    local program wrong=
    program=$dir/$(basename "$1")
    [ "$1" = "${1#unsafe/}" ] || wrong=--wrong
    g++ $flags -DGEMM_NAME=tested "-DSCHEDULE_HEADER=\"$dir/$1.h\"" -o "$program" \
        "$dir/emulator.o" "$dir/gemm.o" -x c++ "$kernels/gemm_sm80.cu" &&
        if "$program" $wrong "$seed" >"$program.log" 2>&1; then
            echo "$1: as it should be"
        else
            echo "$1, seed $seed: FAILED"
            cat "$program.log"
            return 1
        fi
}
export -f run_one
xargs -a "$dir/names" -P "$(nproc)" -I{} bash -c 'run_one {}'
