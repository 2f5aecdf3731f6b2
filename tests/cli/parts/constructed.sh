# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# What is constructed without limits is weighed by each search: here it waits less than what is found within them; run.sh sources it.

cat >"$scratch/constructed.yaml" <<'YAML'
swp: 1
name: constructed
target: sm_90
loop:
  roles: [{role: producer, warps: 1}, {role: consumer, warps: 4, instances: 2}]
  signal: 20
  units: {memory: 1, matrix: 1, alu: 1}
  values:
    - {value: A, space: shared, bytes: 8192, slots: [1, 4]}
    - {value: B, space: shared, bytes: 16384, slots: [1, 2]}
    - {value: P, space: registers, bytes: 16384, slots: [1, 2]}
    - {value: Q, space: registers, bytes: 16384, slots: 1}
    - {value: SUM, space: registers, bytes: 4096}
  ops:
    - {op: LOAD_A, role: producer, uses: {memory: 256}, latency: 456, completion: copy_mbarrier, writes: [A]}
    - {op: LOAD_B, role: producer, uses: {memory: 512}, latency: 712, completion: copy_mbarrier, writes: [B]}
    - {op: MMA, role: consumer, uses: {matrix: 256}, latency: 356, read_cycles: 256, completion: matrix_group, reads: [A, B], writes: [P]}
    - {op: SCALE, role: consumer, uses: {alu: 100}, issue: 100, latency: 140, read_cycles: 100, completion: none, reads: [B], writes: [Q]}
    - {op: ADD, role: consumer, uses: {alu: 32}, latency: 52, read_cycles: 32, completion: none, reads: [P, Q], updates: [SUM]}
YAML
expect 0 compile "$scratch/constructed.yaml"
says '^cycles     768 an iteration'
