# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Units that are rates: the bound is met, in JSON and its certificate too, and a gap that comes of a lock is said; run.sh sources it.

# fp8 MEMORY: with another unit of memory
fp8() {
    sed "s/memory: 1,/memory: $1,/" "$here/scaled_gemm.yaml" >"$scratch/fp8.yaml"
}

fp8 1
expect 0 compile "$scratch/fp8.yaml" --work-limit 1s
says '^interval   777 cycles an iteration, lower bound 522: gap 255'
says 'an op of 1 cycle waits there for one of 520; if it is a bandwidth, write `memory: {rate: 1}`'
fp8 '{rate: 1}'
expect 0 compile "$scratch/fp8.yaml" --format json -o "$scratch/fp8.json" --certificate "$scratch/fp8.cert"
expect 0 compile "$scratch/fp8.yaml"
says '^interval   522 cycles an iteration, lower bound 522: proven least$'
says 'held by memory, a rate: an iteration needs it for 522 cycles$'
says '^cycles     522 an iteration'
expect 0 simulate "$scratch/fp8.json"
says '522.00 cycles each'
expect 0 check-certificate "$scratch/fp8.yaml" "$scratch/fp8.json" "$scratch/fp8.cert"
says '^fp8: accepted, optimal at 522'
# Without the word in the file it is a lock again, and the loads wait.
sed 's/, "rate": true//' "$scratch/fp8.json" >"$scratch/lock.json"
expect 0 simulate "$scratch/lock.json"
says '[6-9][0-9][0-9]\.[0-9]* cycles each'
fp8 '{rates: 1}'
expect 2 compile "$scratch/fp8.yaml"
warns 'did you mean `rate`'
fp8 '{rate: 0}'
expect 2 compile "$scratch/fp8.yaml"
warns 'E0105'
