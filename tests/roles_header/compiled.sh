#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/roles_header/compiled.sh
# Compiles kernels around headers for sm_90a: without local memory, and with the register counts of their roles. One is of
# tests/roles/gemm_ring.json, with its passes as they are and unrolled, which docs/c-header.md shows; others of tests/roles/gemm_cluster.json, whose
# work groups are clusters of two; of gemm_rings.yaml, whose slots are counted as the kernel runs; and of the built-ins gemm_ws and attention_ws, the
# latter masked, too. Without SWP_FULL
# it is one of the passes, and neither gemm_ws nor attention without a mask, which hold fewer registers.
# Status 77: there is no nvcc here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || {
    echo "skipped: no nvcc on this machine, so tests/roles_header/*.cu are not compiled"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cd "$here"
python3 - <<'EOF'
import sys
text = open("../../docs/c-header.md").read().split("#define GEMM_KEEP", 1)[1].split("```", 1)[0]
sys.exit(text not in open("gemm_ring.cu").read() and "docs/c-header.md shows another kernel than gemm_ring.cu has")
EOF
# The 24 registers of a warp that copies blocks of keys from the last one on do not hold all that it counts.
spills=' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
flags=()
# NAME PREFIX: the header that SWP emits of what follows.
compile() {
    local name=$1 prefix=$2
    shift 2
    "$SWP" emit "$@" --format c --prefix "$prefix" -o "$dir/$name.h" 2>"$dir/said" || {
        cat "$dir/said"
        exit 1
    }
    "$nvcc" -std=c++17 -O3 -Werror all-warnings -Xptxas -v -gencode arch=compute_90a,code=sm_90a "${flags[@]}" -I "$dir" -c -o "$dir/gemm.o" \
        "$name.cu" >"$dir/log" 2>&1 || {
        cat "$dir/log"
        exit 1
    }
    if ! grep -q "$spills" "$dir/log" || grep -qE 'ignored|serialized' "$dir/log"; then
        echo "$*: a stack frame, spills, a register count that is ignored, or wgmmas that wait for each other"
        cat "$dir/log"
        exit 1
    fi
    echo "$name, $(basename "$1"): $(grep -o 'Used [0-9]* registers' "$dir/log")"
}

for passes in ${SWP_FULL:+1 4} 8; do
    python3 -c "
import json, sys
from schedules import ring, unrolled
json.dump(unrolled(ring(), $passes), sys.stdout)" >"$dir/passes_of_$passes.json"
    compile gemm_ring GEMM "$dir/passes_of_$passes.json"
done
compile gemm_cluster GEMM ../roles/gemm_cluster.json
compile gemm_rings GEMM gemm_rings.yaml
grep -q 'SWP_SLOT((kb)' "$dir/gemm_rings.h" || {
    echo "gemm_rings.yaml: slots are literals, so that nothing here compiles others"
    exit 1
}
if [ -n "${SWP_FULL:-}" ]; then
    compile gemm_ws GEMM gemm_ws
    compile attention_ws ATTENTION attention_ws
fi
flags=(-DCAUSAL)
spills=" [0-8] bytes stack frame"
compile attention_ws ATTENTION attention_ws --set loop.causal=true
