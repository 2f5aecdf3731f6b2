# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `--time-limit` and `--work-limit`; run.sh sources it.

for value in 0 -1 1e9 nan inf 0x10 . '' 1s; do
    expect 2 compile pingpong --time-limit "$value"
    expect 2 compile pingpong --time-limit="$value"
done
for value in 0 -1 1.5 x '' 18446744073709551616 1e3; do
    expect 2 compile pingpong --work-limit "$value"
    expect 2 compile pingpong --work-limit="$value"
done
for value in 1 0.5 .5 3600; do
    expect 0 compile pingpong --time-limit "$value"
done
for value in 1 18446744073709551615; do
    expect 0 compile pingpong --work-limit "$value"
done
limited=(compile "$hard" --work-limit 20000 --time-limit 600 --format json)
expect 3 "${limited[@]}"
warns 'warning\[W0401\]'
holds 'what status 3 gives is JSON' valid_json "$out"
says '"optimal": false'
cp "$out" "$scratch/limited.json"
expect 3 "${limited[@]}"
same '--work-limit is reproducible' "$scratch/limited.json" "$out"
echo old >"$scratch/d/best"
expect 3 "${limited[@]}" -o "$scratch/d/best"
same 'status 3 writes the best so far, whole' "$scratch/limited.json" "$scratch/d/best"
expect 0 compile "$scratch/limited.json" --format json
same 'a best so far is an input too' "$scratch/limited.json" "$out"
expect 3 compile "$hard" --time-limit 1
warns 'warning\[W0401\]'
expect 3 compile "$hard" --time-limit 1 --format json
says '"optimal": false'
holds_only 'no leftovers' best
