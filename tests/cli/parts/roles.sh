# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Schedules with warp roles; run.sh sources it.

part 'run with warp roles'
ring=tests/roles/gemm_ring.json
answers 0 run $ring --n 0..6 --seeds 16 --timing adversarial
says '^gemm_ring: 0 of 112 runs went wrong$'
empty='"name": "empty", "kind": "mbarrier", "slots": 4, "arrivals":'
sed "s/$empty 2/$empty 1/" $ring >"$scratch/one_arrival.json"
answers 1 run "$scratch/one_arrival.json" --n 3 --seeds 2
says 'role consumer, instance 0, thread 0 breaks arrivals in '
answers 1 run "$scratch/one_arrival.json" --n 3 --seeds 2 --format json
says '"symptom": "arrivals"'

part 'run with output tiles'
tiles=tests/roles/gemm_persistent.json
answers 0 run $tiles --tiles 3,0,4 --seeds 8 --timing adversarial
says '^tiles 3,0,4: 8 of 8 runs right$'
answers 0 run $tiles --n 1 --seeds 2 --format json
says '"tiles": \[1, 0, 1\]'
answers 0 run $tiles --tiles none --seeds 1
says '^tiles none: 1 of 1 runs right$'
expect 2 run $tiles --tiles 1,,2
warns 'error.E0903'
expect 2 run $tiles --tiles 1 --n 2
warns 'error.E0903'
expect 2 run $ring --tiles 1,2
warns 'error.E0711'
sed 's/"kind": "mbarrier", "slots": 4, "arrivals": 2/"kind": "mbarrier", "slots": 4, "arrivals": 1/' \
    $tiles >"$scratch/tiles_arrivals.json"
cex=$scratch/tiles_cex.json
answers 1 verify "$scratch/tiles_arrivals.json" --counterexample "$cex"
says 'smallest sequence: '
holds 'the tiles of a counterexample' grep -q '"tiles": \[' "$cex"
answers 1 run "$scratch/tiles_arrivals.json" --replay "$cex"
says ' of tile 0'
sed 's/"tiles": \[[0-9, ]*\],//' "$cex" >"$scratch/no_tiles.json"
expect 2 run "$scratch/tiles_arrivals.json" --replay "$scratch/no_tiles.json"
warns 'error.E0716'

part 'cycles with output tiles'
answers 0 simulate $tiles
says '^output tile   5120 cycles, of 10 iterations; 0 beside 512 for each$'
answers 0 simulate $tiles --format json
says '"output_tiles": {"cycles": 5120, "tiles": 1, "passes": 9}'
answers 0 simulate tests/roles/gemm_cluster.json
says '^steady state  512 cycles a pass'

part 'a counterexample of a cluster'
sed 's/"slots": 4, "arrivals": 4/"slots": 4, "arrivals": 3/' tests/roles/gemm_cluster.json >"$scratch/cluster.json"
answers 1 verify "$scratch/cluster.json" --counterexample "$scratch/cluster_cex.json"
says 'gemm_cluster: unsafe: '
answers 1 run "$scratch/cluster.json" --replay "$scratch/cluster_cex.json"
says 'role consumer, instance 0 of rank 0, thread 0 breaks arrivals'
answers 1 run "$scratch/cluster.json" --n 2 --seeds 1 --format json
says '"rank": 0, "instance": 0, "thread": 0, "phase": "kernel", "entry": 4'
answers 0 run tests/roles/gemm_cluster.json --n 0..3 --seeds 4
says 'gemm_cluster: 0 of 16 runs went wrong'

part 'differences of output tiles and clusters'
answers 0 diff $tiles "$scratch/tiles_arrivals.json"
says 'sync_objects.empty.arrivals  2 | 1'
says '^The phases are alike'
answers 0 diff $ring $tiles
says 'loop.output_tiles    false | true'
says '^consumer end, 0 | 7 entries, 7 differences$'
answers 0 diff tests/roles/gemm_cluster.json "$scratch/cluster.json" --format json
says '"path": "sync_objects.empty.arrivals"'

part 'what no instruction carries out'
edited=$scratch/edited.json
refuses_edit() { # PATTERN CODE TEXT
    sed "$1" $ring >"$edited"
    expect 2 verify "$edited"
    warns "error.$2.: $3"
}
refuses_edit 's/"warps": 4/"warps": 8/' E0705 'role consumer: op MMA is a wgmma, and an instance has 8 warps'
refuses_edit 's/"registers": 232/"registers": 33/' E0705 'role consumer: 33 registers'
refuses_edit 's/"bytes": 32768/"bytes": 32760/g' E0705 'role producer: op LOAD copies 32760 bytes'
refuses_edit 's/"target": "sm_90"/"target": "mi355x"/' E0332 'op LOAD completes by copy_mbarrier'
cat >"$scratch/full.yaml" <<'YAML'
swp: 1
name: full
target: sm_90
loop:
  roles: [{role: p, warps: 1}, {role: c, warps: 4}]
  units: {tma: 1, tensor: 1}
  values:
    - {value: A, space: shared, bytes: 232448, slots: 1}
    - {value: C, space: registers, bytes: 65536}
  ops:
    - {op: L, role: p, uses: {tma: 256}, latency: 736, completion: mbarrier, writes: [A]}
    - {op: M, role: c, uses: {tensor: 512}, latency: 640, completion: group, reads: [A], updates: [C]}
YAML
expect 2 compile "$scratch/full.yaml"
warns 'error.E0328.: values take 232448 bytes of shared memory and mbarriers 16, more than the 232448'
sed 's/232448/232424/' "$scratch/full.yaml" >"$scratch/odd.yaml"
expect 2 compile "$scratch/odd.yaml"
warns 'error.E0705.: role p: op L copies 232424 bytes, and a tensor copy brings a multiple of 16'
sed 's/232448/232432/' "$scratch/full.yaml" >"$scratch/fits.yaml"
answers 0 compile "$scratch/fits.yaml"
# Four slots would fill it to the last byte, with none left for their mbarriers.
sed 's/232448, slots: 1/58112, slots: [1, 4]/' "$scratch/full.yaml" >"$scratch/ring.yaml"
answers 0 compile "$scratch/ring.yaml"

part 'a role that nothing holds'
cat >"$scratch/free.yaml" <<'YAML'
swp: 1
name: free
target: sm_90
loop:
  roles: [{role: a, warps: 1}, {role: b, warps: 1}]
  units: {alu: 1, fma: 1}
  values:
    - {value: C, space: registers, bytes: 128}
    - {value: D, space: registers, bytes: 128}
  ops:
    - {op: FAST, role: a, uses: {alu: 10}, latency: 10, updates: [C]}
    - {op: SLOW, role: b, uses: {fma: 100}, latency: 100, updates: [D]}
YAML
expect 2 simulate "$scratch/free.yaml"
warns 'error.E0720.: role a runs ever further ahead of role b: '

# Rings of 4 and 3 slots would take 12 iterations to come back: they are counted instead, at no cost in cycles.
cat >"$scratch/rings.yaml" <<'YAML'
swp: 1
name: rings
target: sm_90
loop:
  roles: [{role: producer, warps: 1}, {role: consumer, warps: 4, instances: 2}]
  signal: 20
  units: {tma: 1, tensor: 1}
  values:
    - {value: A, space: shared, bytes: 16384, slots: 4}
    - {value: B, space: shared, bytes: 32768, slots: 3}
    - {value: C, space: registers, bytes: 131072}
  ops:
    - {op: LOAD_A, role: producer, uses: {tma: 256}, latency: 736, completion: mbarrier, writes: [A]}
    - {op: LOAD_B, role: producer, uses: {tma: 512}, latency: 992, completion: mbarrier, writes: [B]}
    - {op: MMA, role: consumer, uses: {tensor: 512}, latency: 640, read_cycles: 512, completion: group, reads: [A, B], updates: [C]}
YAML
expect 0 simulate "$scratch/rings.yaml"
holds 'rings of different slots are counted' grep -q '^steady state  1024 cycles a pass; 1 iteration a pass' "$out"
expect 0 verify "$scratch/rings.yaml"
expect 0 run "$scratch/rings.yaml" --seeds 4
