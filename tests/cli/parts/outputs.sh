# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# The built-in schedules in every format, from names, files and standard input; run.sh sources it.

# whole INPUT FORMAT: all that compile prints of it, into $scratch/whole, but for the line that text has of the proof.
whole() {
    if [ "$2" = json ]; then
        expect 0 compile "$1" --format json
        cp "$out" "$scratch/whole"
    else
        expect 0 compile "$1" --full
        holds "the last line of $1 is on the proof" grep -q '^proof      \(safe for every\|unsafe: [0-9]* hazard\)' <(tail -n 1 "$out")
        sed '$d' "$out" >"$scratch/whole"
    fi
}

part 'the three built-ins in every format'
# A schedule in JSON has phases but no blocks, so its text is another.
for kernel in pingpong fourwave single_buffer; do
    expect 0 emit "$kernel" --format json -o "$scratch/$kernel.json"
    for format in text json dot; do
        expect 0 emit "$kernel" --format "$format"
        cp "$out" "$scratch/$kernel.$format"
        expect 0 emit "$kernel" --format "$format"
        same "two runs of $kernel as $format" "$scratch/$kernel.$format" "$out"
        [ "$format" = dot ] && continue
        whole "$kernel" "$format"
        same "compile and emit $kernel as $format" "$scratch/$kernel.$format" "$scratch/whole"
        expect 0 emit "$scratch/$kernel.json" --format "$format"
        cp "$out" "$scratch/again.$format"
        whole "$scratch/$kernel.json" "$format"
        same "compile and emit $kernel.json as $format" "$scratch/again.$format" "$scratch/whole"
    done
    same "$kernel from JSON as JSON" "$scratch/$kernel.json" "$scratch/again.json"
    for phase in prologue kernel epilogue; do
        grep -A 5 "^$phase, " "$scratch/$kernel.text" | head -n 1 >"$scratch/a"
        holds "$kernel from JSON has the $phase" grep -qxf "$scratch/a" "$scratch/again.text"
    done
    holds "$kernel.json is JSON" valid_json "$scratch/$kernel.json"
    expect 0 emit "$kernel" --format c --allow-unsafe -o "$scratch/$kernel.h"
    expect 0 emit "$scratch/$kernel.json" --format c --allow-unsafe
    says "swp emit $kernel.json --format c --allow-unsafe"
    sed "s/$kernel.json/$kernel/" "$out" >"$scratch/a"
    same "$kernel from JSON as C header" "$scratch/$kernel.h" "$scratch/a"
    expect 0 emit "$scratch/$kernel.json" --format dot
    same "$kernel from JSON as dot" "$scratch/$kernel.dot" "$out"
    if command -v dot >/dev/null; then
        holds "$kernel.dot parses" dot -Tsvg "$scratch/$kernel.dot" -o "$scratch/$kernel.svg"
        holds "$kernel.svg is XML" python3 -c \
            'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$scratch/$kernel.svg"
    fi
    expect 0 compile "$kernel" --format text
    says "swp compile $kernel --full\$"
    holds "$kernel in a few lines" test "$(wc -l <"$out")" -le 16
done
quoted=(emit "$scratch/it's one.json" --format c --allow-unsafe)
cp "$scratch/pingpong.json" "${quoted[1]}"
expect 0 "${quoted[@]}"
says "swp emit 'it'\"'\"'s one.json' --format c --allow-unsafe"
long=geometry.block=$(printf '%020000d' 256),256,64
for _ in {1..60}; do
    quoted+=(--set "$long")
done
quoted[1]=pingpong
expect 0 "${quoted[@]}"
holds 'a command of more than 1 MiB is printed whole' [ "$(wc -c <"$out")" -gt 1200000 ]
command -v dot >/dev/null || skipped+=('graphviz is not installed: dot output not parsed')
for words in '--set schedule.max_vgpr=96' '--target mi355x'; do
    # shellcheck disable=SC2086
    expect 2 compile "$scratch/pingpong.json" $words
    warns 'E0909'
done
penalty=(--set schedule.lds_contention_penalty=20 --set schedule.max_vgpr=96)
expect 0 compile pingpong "${penalty[@]}" --format json
cp "$out" "$scratch/penalty.json"
expect 0 compile pingpong "${penalty[@]}" --format json
same 'two searches' "$scratch/penalty.json" "$out"

part 'standard input'
for kernel in pingpong fourwave single_buffer; do
    expect 0 compile "kernels/$kernel.yaml" --format json
    cp "$out" "$scratch/from_file"
    expect 0 compile - --format json <"kernels/$kernel.yaml"
    same "$kernel.yaml on standard input" "$scratch/from_file" "$out"
    expect 0 compile - --format json <"$scratch/$kernel.json"
    same "$kernel.json on standard input" "$scratch/$kernel.json" "$out"
done
expect 2 compile - </dev/null
expect 2 compile - <<<'swp: 2'
warns '^<stdin>:1:6: error\[E'
expect 2 compile - <&-
mkdir -p "$scratch/names" && echo 'garbage: 1' >"$scratch/names/pingpong"
checks=$((checks + 1))
(cd "$scratch/names" && "$SWP" compile pingpong) >"$out" 2>"$err" ||
    fail 'a built-in wins over a file of its name'
checks=$((checks + 1))
(cd "$scratch/names" && ! "$SWP" compile ./pingpong) >"$out" 2>"$err" ||
    fail './NAME is the file of a built-in'"'"'s name'
