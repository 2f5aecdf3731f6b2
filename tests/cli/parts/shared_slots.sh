# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# `slots` of an op: what it writes has equally many, in the search and its certificate; run.sh sources it.

# scaled OBJECTIVES SLOTS_OF_AB SLOTS_OF_S SLOTS_OF_OP: a copy brings two tiles and a row that is needed for longer.
scaled() {
    cat >"$scratch/scaled.yaml" <<YAML
swp: 1
name: scaled
target: mi355x
loop:
  $1
  units: {memory: 1, lds: 1, mma_unit: 1}
  values:
    - {for: {m: [A, B]}, value: "\${m}", space: shared, bytes: 16384$2}
    - {value: S, space: shared, bytes: 512$3}
    - {for: {m: [a, b]}, value: "\${m}", space: registers, bytes: 16384}
    - {value: c, space: registers, bytes: 65536}
  ops:
    - {op: LOAD, uses: {memory: 256}, latency: 550, completion: counter, accesses: 6, writes: [A, B, S]$4}
    - {op: FRAG, uses: {lds: 64}, latency: 96, completion: counter, accesses: 8, reads: [A, B], writes: [a, b]}
    - {op: MMA, uses: {mma_unit: 256}, latency: 272, completion: none, reads: [a, b], updates: [c]}
    - {op: SCALE, uses: {lds: 8}, latency: 32, completion: none, reads: [S], updates: [c]}
YAML
}

# The least room of each value by itself is a pass of twelve iterations.
scaled 'objectives: [shared]' ', slots: [1, 4]' ', slots: [1, 4]' ''
expect 0 compile "$scratch/scaled.yaml"
says '^slots      A 3, B 3, S 4, '
says '^runs       12 iterations a pass'
expect 0 emit "$scratch/scaled.yaml" --format c
long=$(wc -l <"$out")

scaled 'objectives: [shared]' '' '' ', slots: [1, 4]'
expect 0 compile "$scratch/scaled.yaml" --format json -o "$scratch/scaled.json" --certificate "$scratch/scaled.cert"
expect 0 check-certificate "$scratch/scaled.yaml" "$scratch/scaled.json" "$scratch/scaled.cert"
says 'accepted, optimal at 304'
expect 0 compile "$scratch/scaled.yaml"
says '^shared     133120 bytes of 163840: proven least$'
says '^slots      A 4, B 4, S 4, '
says '^runs       4 iterations a pass'
expect 0 emit "$scratch/scaled.yaml" --format c
holds 'equal slots make a header half as long' [ $((2 * $(wc -l <"$out"))) -lt "$long" ]

# A pipeline with other slots is none of this loop's.
sed 's/{"name": "A", "space": "shared", "slots": 4, /{"name": "A", "space": "shared", "slots": 3, /' "$scratch/scaled.json" >"$scratch/unequal.json"
answers 1 check-certificate "$scratch/scaled.yaml" "$scratch/unequal.json" "$scratch/scaled.cert"
says 'has 3 slots, but as many\|has 4 slots, but as many'

# Less than the fourth slot of A and B leaves room for is found in all alike.
scaled 'objectives: [shared]
  shared_bytes: 100400' '' '' ', slots: [1, 4]'
expect 0 compile "$scratch/scaled.yaml"
says '^slots      A 3, B 3, S 3, '

# Where cycles come first, a short pass comes before less room.
scaled '' ', slots: [1, 4]' ', slots: [1, 4]' ''
expect 0 compile "$scratch/scaled.yaml"
says '^slots      A 4, B 4, S 4, '
says '^runs       4 iterations a pass'
says '^shared     133120 bytes of 163840: not proven least, but the least found at these cycles in a short pass$'
