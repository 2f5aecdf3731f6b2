# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# What the summary and the refusals say of roles that were found, of room, of cycles and of a missing proof; run.sh sources it.

# The search gave ops their roles: the summary says who does what, and for stated roles it does not.
roles() {
    cat >"$scratch/roles.yaml" <<YAML
swp: 1
name: found
target: sm_90
loop:
  roles: [producer, {role: consumer, warps: 4}]
  units: {tma: 1, tensor: 1}
  values:
    - {value: A, space: shared, bytes: 16384, slots: [1, 4]}
    - {value: C, space: registers, bytes: 65536}
  ops:
    - {op: LOAD, role: $1, uses: {tma: 256}, latency: 736, completion: mbarrier, writes: [A]}
    - {op: MMA, role: consumer, uses: {tensor: 512}, latency: 540, completion: group, read_cycles: 512, reads: [A], updates: [C]}
YAML
}
roles any
expect 0 compile "$scratch/roles.yaml"
says '^roles      producer: '
says '^           consumer: .*MMA$'
roles producer
expect 0 compile "$scratch/roles.yaml"
holds 'stated roles are not told' bash -c '! grep -q "^roles" "$0"' "$out"

# What no instruction can do is told before a search that takes its whole time.
cat >"$scratch/backward.yaml" <<'YAML'
swp: 1
name: backward
target: sm_90
loop:
  roles: [{role: producer, warps: 1}, {role: consumer, warps: 8, instances: 2}, {role: writer, warps: 1}]
  signal: 20
  units: {global_mem: 1, mma_unit: 1, valu: 1, sfu: 1}
  values:
    - {for: {t: [Q, DO, K, V]}, value: "${t}", space: shared, bytes: 16384, slots: [1, 3]}
    - {for: {t: [S, DP, P, DS]}, value: "${t}", space: registers, bytes: 16384, slots: [1, 2]}
    - {for: {t: [DK, DV, DQ]}, value: "${t}", space: registers, bytes: 32768}
  ops:
    - {for: {t: [Q, DO, K, V]}, op: "LOAD_${t}", role: producer, uses: {global_mem: 256}, latency: 856, completion: copy_mbarrier, writes: ["${t}"]}
    - {op: QK, role: consumer, uses: {mma_unit: 256}, latency: 384, read_cycles: 256, completion: matrix_group, reads: [Q, K], writes: [S]}
    - {op: DOV, role: consumer, uses: {mma_unit: 256}, latency: 384, read_cycles: 256, completion: matrix_group, reads: [DO, V], writes: [DP]}
    - {op: EXP, role: consumer, issue: 256, uses: {sfu: 256}, latency: 260, read_cycles: 256, completion: none, reads: [S], writes: [P]}
    - {op: PDO, role: consumer, uses: {mma_unit: 256}, latency: 384, read_cycles: 256, completion: matrix_group, reads: [P, DO], updates: [DV]}
    - {op: GRAD, role: consumer, issue: 96, uses: {valu: 32}, latency: 100, read_cycles: 96, completion: none, reads: [P, DP], writes: [DS]}
    - {op: DSQ, role: consumer, uses: {mma_unit: 256}, latency: 384, read_cycles: 256, completion: matrix_group, reads: [DS, Q], updates: [DK]}
YAML
expect 2 compile "$scratch/backward.yaml"
warns 'error\[E0705\]: role consumer: op QK is a wgmma, and an instance has 8 warps'
holds 'nothing was searched' bash -c '! grep -q W0401 "$0"' "$err"

# What is below the interval is no part of it: a lock of one cycle beside one of 520 leaves no times near the bound.
expect 0 compile "$here/scaled_gemm.yaml" --work-limit 1000
says '^cycles     .* an iteration, with waits and barriers: less than the interval (iterations need not be alike)$'
