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
