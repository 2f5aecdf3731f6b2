# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp diff`; run.sh sources it after verify.sh, for judged().

part 'diff'
for kernel in pingpong fourwave single_buffer; do
    for other in "$kernel" "$scratch/$kernel.json"; do
        expect 0 diff "$kernel" "$other"
        says '^alike: '
        holds 'what is alike has no table' test "$(wc -l <"$out")" -eq 3
        expect 0 diff "$other" "$kernel" --format json
        says '"alike": true'
    done
done
expect 0 diff fourwave fourwave --set-b schedule.sync=derived
says '^  schedule.sync  template | derived$'
says '^kernel, 48 | [0-9]* entries, [0-9]* differences$'
says '^             \.\.\. [0-9]* entries alike$'
says '^safe  *no  *yes$'
says '^hazards  *[1-9][0-9]*  *0$'
says '^from A to B: safe: removes overwritten at kernel '
cp "$out" "$scratch/derived.text"
"$SWP" compile fourwave --set schedule.sync=derived --format json -o "$scratch/derived.json"
expect 0 diff fourwave "$scratch/derived.json"
same 'diff with a schedule in JSON' "$scratch/derived.text" "$out"
expect 0 diff - "$scratch/derived.json" <"$scratch/fourwave.json"
same 'diff with standard input' "$scratch/derived.text" "$out"
expect 0 diff fourwave "$scratch/derived.json" -o "$scratch/v/diff.text"
same 'diff -o' "$scratch/derived.text" "$scratch/v/diff.text"
# In the other direction every mark turns round.
expect 0 diff "$scratch/derived.json" fourwave
holds 'added one way is removed the other' test \
    "$(grep -c '^ + ' "$scratch/derived.text")" -eq "$(grep -c '^ - ' "$out")"
expect 0 diff pingpong pingpong --set schedule.scheduling=identity
says '^alike: '
expect 0 diff pingpong pingpong --set-a schedule.scheduling=identity \
    --set-b schedule.scheduling=greedy
says '^ > '
expect 0 diff pingpong pingpong --set-b machine.lag=0
says '^  machine.lag  *1 | 0$'
says '^The phases are alike\.$'
expect 0 diff single_buffer pingpong
says '^The two have little in common: '
says '^cycles a K tile '
expect 0 diff pingpong fourwave
expect 0 diff pingpong pingpong --set-b machine.lag=0 --occupancy-lds 8
says '^lds busy '

# An edited file: what each edit does is what swp verify says of it alone.
python3 - "$scratch" <<'PYTHON'
import json, sys
folder = sys.argv[1]
schedule = json.load(open(f"{folder}/pingpong.json"))
del schedule["kernel"][9]
json.dump(schedule, open(f"{folder}/one.json", "w"))
schedule["kernel"][28]["wait"] += 8
schedule["prologue"][2]["stage"] = 1
json.dump(schedule, open(f"{folder}/edited.json", "w"))
PYTHON
expect 0 diff pingpong "$scratch/edited.json"
says '^ -    9         barrier$'
says '^             A with it: unsafe: overwritten at kernel 12 (LOAD_B) from N = 4$'
says '^ ~   29         wait_vm     vmcnt <= 12$'
says '^ ~        28    wait_vm     vmcnt <= 20$'
says '^ ~    2       LOAD_B        slot 0   sub 1 '
judged 1 "$scratch/one.json"
says '^kernel entry 11: hazard\[overwritten\]: LOAD_B'
says '^  smallest N: 4 K tiles'
expect 0 diff pingpong "$scratch/edited.json" --format json
holds 'diff in JSON is as documented' python3 - "$out" <<'PYTHON'
import json, sys
diff = json.load(open(sys.argv[1]))
assert list(diff) == ["swp", "alike", "little_in_common", "stopped", "a", "b", "effect", "settings",
                      "phases", "forms", "prologue", "kernel", "epilogue"], list(diff)
for phase in ("prologue", "kernel", "epilogue"):
    rows = diff[phase]
    for side in "ab":
        entries = [r[side] for r in rows if r[side] is not None
                   and r["difference"] != ("moved" if side == "a" else "left")]
        assert entries == list(range(len(entries))), (phase, side)
    kinds = [r["difference"] for r in rows]
    assert diff["phases"][phase]["differences"] == len(kinds) - kinds.count("alike") - kinds.count("left")
removed = [r for r in diff["kernel"] if r["difference"] == "removed"]
assert [(r["a"], r["name"]) for r in removed] == [(9, "barrier")], removed
effect = removed[0]["with"]
assert effect["was_safe"] and not effect["safe"] and effect["barriers"] == -1
assert [(h["kind"], h["a"], h["b"]) for h in effect["hazards"]] == [("overwritten", 12, 11)]
PYTHON

part 'diff, bad input'
expect 2 diff
expect 2 diff pingpong
warns 'E0904'
expect 2 diff pingpong fourwave single_buffer
warns 'E0905'
expect 2 diff - -
warns 'E0905.*standard input'
expect 2 diff pingpong no_such_file.json
warns 'E0906'
# What two searches say stands apart.
expect 0 diff gemm_tile gemm_tile --work-limit 1
warns '^A (gemm_tile): warning\[W0401\]'
warns '^B (gemm_tile): warning\[W0401\]'
expect 2 diff no_such_builtin pingpong
expect 2 diff pingpong pingpong --format dot
expect 2 diff pingpong pingpong --set-b schedule.sinc=derived
warns '^--set-b:1:1: error'
expect 2 diff pingpong pingpong --set-a schedule.sync
expect 2 diff pingpong "$scratch/pingpong.json" --set machine.lag=0
warns 'E0909'
expect 2 diff pingpong "$scratch/pingpong.json" --set-b machine.lag=0
warns 'E0909.*--set-b'
expect 0 diff pingpong "$scratch/pingpong.json" --set-a machine.lag=0
expect 2 compile pingpong --set-a machine.lag=0
warns 'E0902'
expect 0 diff fourwave "$scratch/derived.json" --work-limit 5 -o "$scratch/v/stopped.text"
warns 'warning\[W0401\]'
holds 'a comparison that was stopped is written' \
    grep -q '^Stopped by a limit' "$scratch/v/stopped.text"

# The verdict has the colour of those of the other commands.
expect 0 diff fourwave fourwave --set-b schedule.sync=derived --color always
says $'^from A to B: \033\\[1;32msafe\033\\[0m: removes '
says $'epilogue: \033\\[1;31munsafe\033\\[0m: stale_read'
expect 0 diff fourwave fourwave --set-b schedule.sync=derived --color never
says '^from A to B: safe: removes '

# Two timelines on one time axis.
expect 0 diff fourwave fourwave --set-b schedule.sync=derived --format svg
says '>A: fourwave for mi355x</text>'
says '>B: fourwave for mi355x</text>'
expect 0 diff fourwave fourwave --set-b schedule.sync=derived --format html
says '"pair":\[0,'
expect 2 diff pingpong pingpong --format perfetto
expect 2 diff pingpong pingpong --format svg --occupancy-lds 8
warns 'E0903'
