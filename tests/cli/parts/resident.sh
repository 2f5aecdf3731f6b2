# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Work groups that share a multiprocessor: what is assumed, a range, its certificate and what is refused; run.sh sources it.

# rows WHAT: rows are copied, worked on and stored, with a line more.
rows() {
    cat >"$scratch/rows.yaml" <<YAML
swp: 1
name: rows
target: sm_90
loop:
  roles: [{role: producer, warps: 1}, {role: consumer, warps: 4}]
  signal: 20
$1
  units: {memory: 1, alu: 1}
  values:
    - {value: X, space: shared, bytes: 32768, slots: [1, 5]}
    - {value: Y, space: shared, bytes: 16384, slots: [1, 3]}
    - {value: OUT, space: global}
  ops:
    - {op: LOAD, role: producer, uses: {memory: 2341}, latency: 3041, completion: copy_mbarrier, writes: [X]}
    - {op: NORM, role: consumer, issue: 1024, uses: {alu: 1024}, latency: 1124, read_cycles: 1024, completion: none, reads: [X], writes: [Y]}
    - {op: STORE, role: consumer, uses: {memory: 1171}, latency: 1771, read_cycles: 1171, completion: store_group, reads: [Y], writes: [OUT]}
YAML
}

rows ''
expect 0 compile "$scratch/rows.yaml"
says '^resident   1 work group a multiprocessor is assumed, 2 would fit$'
says '^slots      X 2, Y 1$'

# With four of them none needs a second slot; they have a quarter of the memory unit each.
rows '  resident_work_groups: [1, 4]'
expect 0 compile "$scratch/rows.yaml" --format json -o "$scratch/rows.json" --certificate "$scratch/rows.cert"
expect 0 compile "$scratch/rows.yaml"
says '^resident   4 work groups a multiprocessor, 4 would fit'
says '^slots      X 1, Y 1$'
says '^cycles     14048 an iteration'
says '^           3512 an iteration of any of the 4 work groups$'
grep -q '"resident_work_groups": 4' "$scratch/rows.json" || fail 'JSON has no work groups'
expect 0 simulate "$scratch/rows.json"
says '^work groups   4 share a multiprocessor: 3512.00 cycles an iteration of any$'
expect 0 check-certificate "$scratch/rows.yaml" "$scratch/rows.json" "$scratch/rows.cert"
says '^rows: accepted, optimal at 14048'
rows '  resident_work_groups: [1, 3]'
expect 2 check-certificate "$scratch/rows.yaml" "$scratch/rows.json" "$scratch/rows.cert"
warns 'E0834.*4 work groups share a multiprocessor there, and 1 to 3 may'

rows '  resident_work_groups: 5'
expect 1 compile "$scratch/rows.yaml"
warns 'E0325.*the budget is 45568'
warns 'hint: let fewer work groups share a multiprocessor'
rows '  resident_work_groups: [3, 2]'
expect 2 compile "$scratch/rows.yaml"
warns 'E0105.*is at least 3 and at most 2'
rows '  resident_work_groups: 33'
expect 2 compile "$scratch/rows.yaml"
warns 'E0105'
rows '  resident_workgroups: 2'
expect 2 compile "$scratch/rows.yaml"
warns 'did you mean `resident_work_groups`'
rows '  resident_work_groups: 14'
expect 2 compile "$scratch/rows.yaml"
warns 'E0328.*14 work groups of 8 waves'
