#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/hopper/run.sh [SEED]
# Runs the kernels of kernels/cuda/hopper on a CPU (emulator.cpp and what it calls), by their C interface, and compiles the one that
# takes nvcc least time, where there is one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../../../kernels/cuda/hopper
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$kernels/variants" "$dir" >"$dir/variants.txt"
export flags="-std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas -I$here/emulated -I$here/../emulated"
export dir kernels
compile() { # NAME SOURCE [FLAG...]
    # shellcheck disable=SC2086
    g++ $flags -I"$dir" "-DSCHEDULE_HEADER=\"$1.h\"" "${@:3}" -x c++ -c -o "$dir/$1.o" "$2"
}
compile_variant() { # NAME SOURCE [FLAG...]
    compile "$1" "$kernels/$2" "${@:3}"
}
export -f compile compile_variant
xargs -a "$dir/variants.txt" -P "$(nproc)" -L 1 bash -c 'compile_variant "$@"' _
compile swp_kernels "$kernels/swp_kernels.cu" &
for part in emulator barriers copies products block_order omissions kernels; do compile "$part" "$here/$part.cpp" & done
wait
g++ -o "$dir/kernels" "$dir"/*.o
"$dir/kernels" "${1:-1}"

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || {
    echo 'nvcc is not found: no kernel is compiled for a GPU'
    exit 0
}
while read -r name source flags; do
    [ "$name" = attention_64 ] || continue
    # shellcheck disable=SC2086
    "$nvcc" -std=c++17 -O3 -Werror all-warnings -Xptxas -v -gencode arch=compute_90a,code=sm_90a -I"$dir" -I"$kernels" \
        "-DSCHEDULE_HEADER=\"$name.h\"" $flags -c -o "$dir/$name.cubin.o" "$kernels/$source" >"$dir/log" 2>&1 || {
        cat "$dir/log"
        exit 1
    }
    if grep -E 'ignored|serialized' "$dir/log"; then exit 1; fi
done <"$dir/variants.txt"
