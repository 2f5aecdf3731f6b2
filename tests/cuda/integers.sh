#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp tests/cuda/integers.sh
# Writes the kernels of integers of every built-in of one stream (bench/gpu/integers). With SWP_FULL it compiles one, with the program that
# runs them, for copies by groups and by the copy engine, and the programs of bench/gpu/rules. Where cuobjdump is, what ptxas made of those must be what
# docs/verification.md says. Status 77: there is no nvcc here, so that nothing was compiled.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bench=$here/../../bench/gpu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() { # MESSAGE
    echo "$1"
    exit 1
}

python3 "$bench/integers/schedules.py" --swp "$SWP" "$dir/all"
safe=$(grep -c ' safe$' "$dir/all/kernels.txt")
for builtin in $("$SWP" list builtins | awk '!/warp roles/ {print $1}'); do
    grep -q "^${builtin}_derived_sm_90 sm_90 safe$" "$dir/all/kernels.txt" || fail "$builtin: not safe, or not written"
    grep "^${builtin}_derived_sm_90_" "$dir/all/kernels.txt" | grep -v ' safe$' >/dev/null || fail "$builtin: no edit weakens it"
done
echo "$safe safe kernels, $(grep -vc ' safe$' "$dir/all/kernels.txt") that are not"

[ -n "${SWP_FULL:-}" ] || {
    echo "they are compiled with SWP_FULL=1"
    exit 0
}
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || {
    echo "skipped: no nvcc on this machine, so these are not compiled: bench/gpu/integers, bench/gpu/rules"
    exit 77
}
mkdir "$dir/some"
name=gemm_tile_derived_sm_90
cp "$dir/all/$name".* "$dir/some"
grep "^$name " "$dir/all/kernels.txt" >"$dir/some/kernels.txt"
NVCC_OPTIONS='-Werror all-warnings' "$bench/integers/run" --kernels "$dir/some" --build "$dir/integers" --loads both --step build
"$bench/rules/run" --build "$dir/rules" --step build >"$dir/rules.log" 2>&1 || fail "$(cat "$dir/rules.log")"
[ -f "$dir/rules/sm_80.txt" ] || {
    echo "skipped: no cuobjdump on this machine, so what ptxas made of bench/gpu/rules is not looked at"
    exit 0
}

code() { # sm_80|sm_90 PROGRAM: its instructions
    awk -v program="$2" '$0 == "" {shown = 0} $0 == program {shown = 1} shown' "$dir/rules/$1.txt"
}
# Whether between the first FROM and the first TO after it there is no DEPBAR, which waits.
does_not_wait() { # FROM TO
    awk -v from="$1" -v to="$2" '
        !ended && $0 ~ from {begun = 1}
        begun && !ended && /DEPBAR.LE/ {ended = 1}
        begun && !ended && $0 ~ to {ended = found = 1}
        END {exit !found}'
}

# Whether something waits for the scoreboard that the first INSTRUCTION sets, or holds while it reads.
is_awaited() { # INSTRUCTION sets|reads
    awk -v instruction="$1" -v kind="$2 " '
        !board && $0 ~ instruction && match($0, kind "[0-5]") {board = substr($0, RSTART + length(kind), 1); next}
        board && match($0, /waits [0-5,]+/) && index(substr($0, RSTART, RLENGTH), board) {found = 1}
        END {exit !found}'
}

for arch in sm_80 sm_90; do
    code $arch use_of_loaded_register | is_awaited LDG sets || fail "$arch: the use of a register does not wait"
    code $arch overwrite_of_stored_register | is_awaited STG reads || fail "$arch: a store may read late"
    [ "$(code $arch overwrite_of_loading_register | grep -c LDG)" = 1 ] || fail "$arch: an unread load was kept"
    for program in use_retires_older_copy overwrite_retires_older_copy barrier_retires_copy copy_then_read; do
        code $arch $program | does_not_wait LDGSTS 'LDS R' || fail "$arch: $program waits before it reads"
    done
    code $arch many_groups_many_left | grep 'DEPBAR.LE SB0, 0x3f' >/dev/null || fail "$arch: a wait for 70 is none for 63"
done
code sm_90 barrier_retires_wgmma | does_not_wait IGMMA STS || fail "a barrier waits for asynchronous MMAs"
echo "what ptxas made of bench/gpu/rules is what docs/verification.md says"
