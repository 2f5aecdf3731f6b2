# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp list`; run.sh sources it.

expect 0 list
for word in single_buffer pingpong fourwave mi355x identity greedy csp text json dot; do
    says "^$word "
done
for table in builtins targets strategies formats settings diagnostics objects; do
    expect 0 list "$table"
    holds "list $table has lines" test "$(wc -l <"$out")" -ge 1
done
expect 0 list settings
awk '{ print $1 }' "$out" | grep '^[a-z_]*\.\|^num_k_tiles$' >"$scratch/settings"
holds 'list settings names all settings' test "$(wc -l <"$scratch/settings")" -ge 60
# A setting that is listed is one that --set knows: an impossible value is not an unknown path.
while IFS= read -r path; do
    expect 2 compile pingpong --set "$path=impossible"
    warns 'E010[458]'
done <"$scratch/settings"
expect 0 list diagnostics
holds 'codes are unique and sorted by kind' \
    test "$(awk '{ print $1 }' "$out" | sort -u | wc -l)" -eq "$(wc -l <"$out")"

# A built-in target as a file is that target, and a figure changes what is proven.
for name in mi355x mi300x sm_80 sm_90; do
    expect 0 list targets --format yaml --target "$name"
    cp "$out" "$scratch/target.yaml"
    expect 0 list targets --format yaml --target "$scratch/target.yaml"
    holds "the file of $name is $name" cmp "$out" "$scratch/target.yaml"
done
expect 0 compile attention_fwd --target "$scratch/target.yaml" --format json
cp "$out" "$scratch/by_file"
expect 0 compile attention_fwd --target sm_90 --format json
holds 'a target and its file give one schedule' cmp "$out" "$scratch/by_file"
printf 'swp: 1\nlike: sm_90\nmma: {products_per_cycle: 1024}\nlimits: {shared_bytes: 70000}\n' >"$scratch/target.yaml"
expect 0 compile gemm_tile --target "$scratch/target.yaml"
says '^interval   1024 cycles'
says '^shared .* of 69[0-9]*:' # mbarriers have the rest
expect 2 list builtins --format yaml
expect 2 list targets --format yaml --target sm_9
