# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp new`; run.sh sources it.

for start in pingpong fourwave single_buffer body; do
    expect 0 new fresh --from "$start"
    cp "$out" "$scratch/fresh.yaml"
    expect 0 new fresh --from "$start" -o "$scratch/d/fresh.yaml"
    same "new -o" "$scratch/fresh.yaml" "$scratch/d/fresh.yaml"
    expect 0 compile "$scratch/fresh.yaml" --format json
    if [ "$start" = fourwave ]; then
        warns 'warning\[W0702\]' # as published it is not safe
    else
        holds "a new $start compiles without a word" test ! -s "$err"
    fi
    cp "$out" "$scratch/fresh.json"
    if [ "$start" != body ]; then
        sed "s/^  \"name\": \"fresh\"/  \"name\": \"$start\"/" "$scratch/fresh.json" >"$scratch/a"
        same "a new $start is the built-in" "$scratch/$start.json" "$scratch/a"
    fi
    # The settings in comments have the value that they have anyway.
    sed -E '/^# Every setting/,/^# A loop of your own/ s/^# (  |[a-z]+:$|num_k_tiles:)/\1/' "$scratch/fresh.yaml" \
        >"$scratch/uncommented.yaml"
    expect 0 compile "$scratch/uncommented.yaml" --format json
    # A tile shape that is stated is on record; its counts are stated, too, and win.
    sed '/^  "geometry": {/,/^  },/d' "$scratch/fresh.json" >"$scratch/a"
    sed '/^  "geometry": {/,/^  },/d' "$out" >"$scratch/b"
    same "a new $start with every setting stated" "$scratch/a" "$scratch/b"
done
expect 0 new fresh
cp "$out" "$scratch/fresh.yaml"
expect 0 new fresh --from pingpong
same 'pingpong is the start by default' "$scratch/fresh.yaml" "$out"
expect 0 new fresh --from gemm_tile
cp "$out" "$scratch/fresh.yaml"
expect 0 compile "$scratch/fresh.yaml" --set variables.bk=128 --format json
holds 'a new gemm_tile with another tile compiles without a word' test ! -s "$err"
cp "$out" "$scratch/given.json"
sed 's/^  bk: 64$/  bk: 128/' "$scratch/fresh.yaml" >"$scratch/edited.yaml"
expect 0 compile "$scratch/edited.yaml" --format json
same 'a variable that is given and one that is edited' "$scratch/given.json" "$out"
expect 2 compile "$scratch/fresh.yaml" --set variables.kb=128
warns '^--set:1:11: error\[E0102\]'
holds_only 'no leftovers' fresh.yaml
