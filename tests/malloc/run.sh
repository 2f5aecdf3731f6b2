#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh SWP
# Fails the n-th allocation of the whole process, libyaml's, jansson's and the C library's included,
# for every n: each run ends with the answer, or says that memory ran out and leaves nothing behind.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
swp=$(realpath "$1")
cd "$here/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
shim=$scratch/fail_malloc.so
"${CC:-gcc}" -std=c11 -O1 -Wall -Wextra -shared -fPIC "$here/fail_malloc.c" -o "$shim" -ldl

failures=0
fail() {
    failures=$((failures + 1))
    if [ "$failures" -le 10 ]; then
        printf 'FAIL n = %s: swp %s\n     %s\n' "$n" "$1" "$2"
        head -n 5 "$scratch/err" | sed 's/^/     /'
    fi
}

# sweep STATUS OUTPUT WORD...: STATUS is that of an undisturbed run; OUTPUT is where its -o file
# stands, or - for standard output.
sweep() {
    local wanted=$1 output=$2 status refused=0 survived=0 n
    shift 2
    rm -rf "$scratch/d" && mkdir "$scratch/d"
    "$swp" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || true
    if [ "$output" = - ]; then output=$scratch/out; fi
    if [ -e "$output" ]; then cp "$output" "$scratch/good"; else : >"$scratch/good"; fi
    export SWP_FAIL_MARK=$scratch/mark
    for ((n = 1; ; n++)); do
        status=0
        rm -rf "$scratch/mark" "$scratch/d" && mkdir "$scratch/d"
        SWP_FAIL_AT=$n LD_PRELOAD=$shim "$swp" "$@" >"$scratch/out" 2>"$scratch/err" \
            </dev/null || status=$?
        [ -e "$scratch/mark" ] || break
        if [ "$status" -eq "$wanted" ] && ! grep -q 'E0001' "$scratch/err"; then
            survived=$((survived + 1))
            [ ! -s "$scratch/good" ] || cmp -s "$output" "$scratch/good" ||
                fail "$*" 'another answer than without a failure'
        elif [ "$status" -eq 2 ]; then
            refused=$((refused + 1))
            grep -q 'E0001' "$scratch/err" || fail "$*" 'does not say that memory ran out'
            [ ! -s "$scratch/out" ] || fail "$*" 'half an output'
            [ -z "$(ls -A "$scratch/d")" ] || fail "$*" "left behind: $(ls -A "$scratch/d")"
        else
            fail "$*" "exit status $status"
        fi
    done
    if [ "$status" -ne "$wanted" ]; then fail "$*" "exit status $status without a failure"; fi
    if [ "$refused" -eq 0 ]; then fail "$*" 'no allocation failed: is the shim loaded?'; fi
    printf 'malloc: swp %s: %d allocations, %d refusals, %d answers\n' "$*" $((n - 1)) \
        "$refused" "$survived"
}

for kernel in pingpong single_buffer; do
    "$swp" compile "$kernel" --format json -o "$scratch/$kernel.json"
done

sweep 0 - compile kernels/pingpong.yaml --format json
sweep 0 "$scratch/d/out" compile kernels/fourwave.yaml --format json -o "$scratch/d/out"
sweep 0 - compile "$scratch/single_buffer.json" --format json
sweep 0 "$scratch/d/out" compile "$scratch/pingpong.json" -o "$scratch/d/out"
sweep 0 - compile pingpong --set schedule.lds_contention_penalty=3 --target mi355x
sweep 0 - emit kernels/pingpong.yaml --format dot
sweep 0 "$scratch/d/out" new fresh --from body -o "$scratch/d/out"
sweep 0 - list settings
sweep 0 - help compile
sweep 2 - compile "$here/wrong.yaml" --diagnostics json
sweep 2 - compile pingpong --set schedule.max_vgpx=1
sweep 1 "$scratch/d/out" compile pingpong --set schedule.max_vgpr=95 -o "$scratch/d/out"

printf 'malloc: %d failures\n' "$failures"
[ "$failures" -eq 0 ]
