#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/emulated.sh [NAME...]
# Runs kernels/cuda/gemm_sm80.cu with generated schedules on a CPU (emulator.cpp), one of a kind, with SWP_FULL all, or
# with those named, and gemm_sm90.cu with those of several stages. Schedules that swp refuses must give a wrong
# result. SEED (1) chooses data and timings.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../../kernels/cuda
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$kernels/headers" "$dir" >"$dir/names"
if [ $# -eq 0 ] && [ -z "${SWP_FULL:-}" ]; then
    set -- single_buffer pingpong fourwave stages4_256x128 unsafe/fourwave_published unsafe/stages4_weakened
fi
[ $# -eq 0 ] || printf '%s\n' "$@" >"$dir/names"
sed 's/$/ gemm_sm80/' "$dir/names" >"$dir/jobs"
sed -n '/^\(unsafe\/\)\?stages/s/$/ gemm_sm90/p' "$dir/names" >>"$dir/jobs"

export dir kernels seed=${SEED:-1}
# The kernels' types are in unnamed namespaces of a file that is built once for each schedule.
export flags="-std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas -I$here/emulated -I$kernels"
for source in emulator emulated_tensor gemm; do
    g++ $flags -DKERNEL=gemm_tested -c -o "$dir/$source.o" "$here/$source.cpp" &
done
wait

run_one() { # NAME, as kernels/cuda/headers prints it, and SOURCE
    local program wrong=
    program=$dir/$(basename "$1").$2
    [ "$1" = "${1#unsafe/}" ] || wrong=--wrong
    g++ $flags -DGEMM_NAME=tested "-DSCHEDULE_HEADER=\"$dir/$1.h\"" -o "$program" \
        "$dir/emulator.o" "$dir/emulated_tensor.o" "$dir/gemm.o" -x c++ "$kernels/$2.cu" &&
        if "$program" $wrong "$seed" >"$program.log" 2>&1; then
            echo "$1, $2: as it should be"
        else
            echo "$1, $2, seed $seed: FAILED"
            cat "$program.log"
            return 1
        fi
}
export -f run_one
xargs -a "$dir/jobs" -P "$(nproc)" -L 1 bash -c 'run_one "$@"' run_one
