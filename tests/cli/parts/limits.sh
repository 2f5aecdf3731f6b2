# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `--time-limit` and `--work-limit`; run.sh sources it.

for value in 0 -1 1e9 nan inf 0x10 . '' 1m s 0s; do
    expect 2 compile pingpong --time-limit "$value"
    expect 2 compile pingpong --time-limit="$value"
done
for value in 0 -1 1.5 x '' 18446744073709551616 1e3 s 0s 1e1s 2.5.1s 5sec; do
    expect 2 compile pingpong --work-limit "$value"
    expect 2 compile pingpong --work-limit="$value"
done
for value in 1 0.5 .5 3600 1s 0.5s; do
    expect 0 compile pingpong --time-limit "$value"
done
for value in 1 18446744073709551615 1s 0.25s 3600s; do
    expect 0 compile pingpong --work-limit "$value"
done
expect 2 compile pingpong --work-limit 1s --time-limit 1
expect 0 compile pingpong --work-limit 1s --work-limit 20000 --time-limit 1
limited=(compile "$hard" --work-limit 20000 --time-limit 600 --format json)
expect 0 "${limited[@]}"
warns 'warning\[W0401\]'
holds 'the best so far is JSON' valid_json "$out"
says '"optimal": false'
cp "$out" "$scratch/limited.json"
expect 0 "${limited[@]}"
same '--work-limit is reproducible' "$scratch/limited.json" "$out"
echo old >"$scratch/d/best"
expect 0 "${limited[@]}" -o "$scratch/d/best"
same 'the best so far is written whole' "$scratch/limited.json" "$scratch/d/best"
expect 0 compile "$scratch/limited.json" --format json
same 'a best so far is an input too' "$scratch/limited.json" "$out"
expect 0 compile "$hard" --time-limit 3
warns 'warning\[W0401\]'
expect 0 compile "$hard" --time-limit 3 --format json
says '"optimal": false'

# The proof of a loop whose rings turn at different rates takes longer than both limits: the schedule is written all the same.
cat >"$scratch/long_proof.yaml" <<'END'
swp: 1
name: long_proof
target: sm_90
loop:
  output_tiles: true
  roles: [{role: copier, warps: 1}, {role: multiplier, warps: 4, instances: 4}, {role: converter, warps: 2, instances: 3}, {role: storer, warps: 1}]
  units: {tma: 1, tensor: 1, alu: 4}
  values:
    - {value: A, space: shared, bytes: 1024, slots: 7}
    - {value: B, space: shared, bytes: 1024, slots: 5}
    - {value: C, space: shared, bytes: 1024, slots: 3}
    - {value: D, space: shared, bytes: 1024, slots: 11}
    - {value: sums, space: registers, bytes: 16384}
    - {value: E, space: shared, bytes: 1024, slots: 2}
    - {value: F, space: shared, bytes: 1024, slots: 3}
    - {value: G, space: global, bytes: 1024}
  ops:
    - {op: CLEAR, role: multiplier, clock: tile, latency: 10, writes: [sums]}
    - {op: LOAD_A, role: copier, uses: {tma: 33}, latency: 700, completion: mbarrier, writes: [A]}
    - {op: LOAD_B, role: copier, uses: {tma: 33}, latency: 700, completion: mbarrier, writes: [B]}
    - {op: CONVERT_A, role: converter, uses: {alu: 33}, latency: 33, completion: none, reads: [A], writes: [C]}
    - {op: CONVERT_B, role: converter, uses: {alu: 33}, latency: 33, completion: none, reads: [B], writes: [D]}
    - {op: MULTIPLY, role: multiplier, uses: {tensor: 33}, latency: 80, completion: group, reads: [C, D], updates: [sums]}
    - {op: STAGE, role: multiplier, clock: tile, latency: 50, completion: none, reads: [sums], writes: [E]}
    - {op: SCALE, role: converter, clock: tile, latency: 50, completion: none, reads: [E], writes: [F]}
    - {op: STORE, role: storer, clock: tile, latency: 400, completion: group, reads: [F], writes: [G]}
END
expect 3 compile "$scratch/long_proof.yaml" --time-limit 1 --format json
warns 'warning\[W0703\]'
holds 'a schedule whose proof was stopped is JSON' valid_json "$out"
cp "$out" "$scratch/long_proof.json"
answers 3 emit "$scratch/long_proof.json" --format c --time-limit 0.5
warns 'error\[E0002\].*: the proof that the schedule is safe has no end yet, and nothing is written without it$'
answers 3 explain "$scratch/long_proof.json" --time-limit 0.5
warns 'error\[E0002\].*: the proof that the whole schedule is safe has no end yet'
expect 0 emit "$scratch/long_proof.json" --format c --time-limit 0.5 --allow-unsafe
says 'NOT PROVEN SAFE: the proof came to no end'
warns 'warning\[W0703\]'
expect 3 compile "$scratch/long_proof.yaml" --time-limit 1
warns 'warning\[W0401\]: no proof came to an end in time: .* nobody has proven that they are enough'
holds 'no timeline is offered whose proof would be stopped' bash -c '! grep -q "format html" "$0"' "$out"

# Seconds of work come to the same beside whatever else the machine does, and a build does not fail by them.
expect 0 emit "$hard" --format c --allow-unsafe --work-limit 0.2s
warns 'warning\[W0401\]'
cp "$out" "$scratch/alone.h"
for _ in 1 2; do
    (while :; do :; done) &
done
expect 0 emit "$hard" --format c --allow-unsafe --work-limit 0.2s
# shellcheck disable=SC2046
kill $(jobs -p)
wait 2>/dev/null
same 'work is the same on a busy machine' "$scratch/alone.h" "$out"
holds_only 'no leftovers' best

# Wherever the time ends, there is a schedule. Whether there was time to prove it depends on the machine.
for seconds in 0.1 0.2 0.4 0.8; do
    status=0
    "$SWP" compile "$here/clustered.yaml" --time-limit $seconds --format json >"$out" 2>"$err" || status=$?
    holds "a schedule within $seconds s: status $status" bash -c '[ $0 = 0 ] || [ $0 = 3 ]' "$status"
    holds "no E0002 within $seconds s" bash -c '! grep -q E0002 "$0"' "$err"
    holds "lists within $seconds s" grep -q '"kernel"' "$out"
done
