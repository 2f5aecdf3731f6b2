# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp list`; run.sh sources it.

expect 0 list
for word in single_buffer pingpong fourwave mi355x identity greedy csp text json dot; do
    says "^$word "
done
for table in builtins targets strategies formats settings diagnostics; do
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
