# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# swp tune with measuring commands that work, fail, lie and die; run.sh sources it.

cd "$scratch" || exit 1

# space MEASURE [LINE...]: of four variants, of which the model likes `derived` best
space() {
    printf '%s\n' 'swp: 1' 'description: pingpong' \
        'set: {schedule.sync: [template, derived], schedule.max_vgpr: [128, 256]}' "measure: $1" "${@:2}" >space.yaml
}

# Seconds by the number of the variant, so that 2 is the fastest; more than any command takes, however busy the machine.
cat >measure.py <<'PYTHON'
import json, sys
print("noise\n" + json.dumps({"seconds": [abs(int(sys.argv[2]) - 2) + 100.0] * int(sys.argv[3]), "device": sys.argv[1]}))
PYTHON

space 'test -s {header} -a -s {schedule} && python3 measure.py one {variant} {repeats}'
expect 0 tune space.yaml
says '^4 variants, 0 illegal, 4 measured, 0 failed, on one$'
says '^   1 .* schedule.sync=derived schedule.max_vgpr=128$'
says '^best: --set schedule.sync=derived --set schedule.max_vgpr=128$'
cp "$out" whole.txt
cp space.jsonl whole.jsonl

# It does nothing again, and ends a line that a power cut left.
expect 0 tune space.yaml
same 'what is measured is not measured again' space.jsonl whole.jsonl
printf '{"variant": 1, "rou' >>space.jsonl
expect 0 tune space.yaml
same 'half a line is cut off' space.jsonl whole.jsonl

# Stopped anywhere it goes on: from the log's first lines to the same end.
for lines in 1 3 5 6; do
    head -n "$lines" whole.jsonl >space.jsonl
    expect 0 tune space.yaml
    sed 's/; measuring took.*//' "$out" >again.txt
    sed 's/; measuring took.*//' whole.txt >first.txt
    same "from $lines lines on" again.txt first.txt
done

expect 0 tune --report whole.jsonl --format json
holds 'the report is JSON' python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert report["rows"][0]["variant"] == 2 and report["failed"] == [] and report["device"] == "one"' "$out"
expect 0 tune --report whole.jsonl --format kernel-tuner
holds 'the cache is JSON' python3 -c 'import json, sys
cache = json.load(open(sys.argv[1]))
assert cache["tune_params"] == {"schedule.sync": ["derived", "template"], "schedule.max_vgpr": [128, 256]}
assert cache["tune_params_keys"] == ["schedule.sync", "schedule.max_vgpr"]
assert sorted(cache["cache"]) == ["derived,128", "derived,256", "template,128", "template,256"]
line = cache["cache"]["derived,256"]
assert (line["schedule.max_vgpr"], line["time"], line["times"]) == (256, 101000, [101000]), line
assert line["benchmark_time"] > 0 and line["timestamp"].endswith("+00:00")
# What its schema requires.
assert all(line[key] == 0 for key in ("compile_time", "verification_time", "strategy_time", "framework_time"))' "$out"

# What goes on is of the schedules that the log has. Another swp stands for another version of it.
begun() { # FILE: a log of variants that are yet to be measured
    head -n 5 whole.jsonl >"$1"
}
cat >another.sh <<'SHELL'
#!/bin/sh
case $1 in
compile) eval "$COMPILE" ;;
simulate) eval "$SIMULATE" ;;
esac
exec "$BEHIND" "$@"
SHELL
chmod +x another.sh
export BEHIND=$SWP
by_another() { # STATUS LOG
    checks=$((checks + 1))
    local status=0
    SWP=$PWD/another.sh "$(dirname "$SWP")/swp-tune" space.yaml --log "$2" >"$out" 2>"$err" || status=$?
    judge "$1" "$status" "swp tune by another swp, $2"
}
begun derived.jsonl
COMPILE='set -- "$@" --set schedule.sync=derived' by_another 2 derived.jsonl
place='(schedule.sync=template schedule.max_vgpr=128).* derived.jsonl:2'
warns "variant 0 $place: fingerprint [0-9a-f]\{16\}, there [0-9a-f]\{16\}$"
warns 'hint: another --log begins anew'
holds 'what is the same schedule was measured' test "$(wc -l <derived.jsonl)" -eq 7
begun refused.jsonl
COMPILE='echo "error: no" >&2; exit 1' by_another 2 refused.jsonl
warns 'variant 2 .* cannot be compiled any more, as it was at refused.jsonl:4: error: no$'
begun same.jsonl
by_another 0 same.jsonl
sed 's/; measuring took.*//' "$out" >again.txt
same 'another swp with the same schedules' again.txt first.txt
sed 's/"fingerprint": "[^"]*", //' whole.jsonl | head -n 5 >older.jsonl
expect 2 tune space.yaml --log older.jsonl
warns 'older.jsonl:4: fingerprint [0-9a-f]*, there none$'

# Why a variant has no cycles is kept, and told.
SIMULATE='echo "swp: error[E0720]: no state came back" >&2; exit 1' by_another 0 without_cycles.jsonl
says '^4 without cycles, ranked last: swp: error.E0720.: no state came back$'
expect 0 tune --report without_cycles.jsonl --format json
holds 'JSON has it, too' python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert report["no_cycles"] == {"swp: error[E0720]: no state came back": 4} and report["why_illegal"] == {}' "$out"

# A record that is there twice counts once; two that differ are refused.
expect 0 tune --report whole.jsonl whole.jsonl
same 'a log given twice' "$out" whole.txt
expect 0 tune --merge whole.jsonl -o merged.jsonl
expect 0 tune --merge whole.jsonl merged.jsonl whole.jsonl
same 'a log merged twice' "$out" merged.jsonl
sed '6s/"seconds": \[100.0\]/"seconds": [150.0]/' whole.jsonl >slower.jsonl
expect 2 tune --merge whole.jsonl slower.jsonl -o both.jsonl
warns 'variant 2, round 1 is there twice, and differs: 1.0000e+02 s, median of 1 (whole.jsonl:6), and 1.5000e+02 s, median of 1 (slower.jsonl:6)$'
holds 'nothing is written' test ! -e both.jsonl
sed '2s/"cycles": [0-9.]*/"cycles": 5/' whole.jsonl >faster.jsonl
expect 2 tune --report faster.jsonl whole.jsonl
warns 'variant 0 is there twice, and differs: 5 cycles, fingerprint \([0-9a-f]*\) (faster.jsonl:2), and 227.0 cycles, fingerprint \1 (whole.jsonl:2)$'
(cat whole.jsonl && sed -n '6s/one/one", "failed": "exit status 1/p' whole.jsonl) >contrary.jsonl
expect 2 tune space.yaml --log contrary.jsonl
warns 'round 1 .* differs: 1.0000e+02 s, median of 1 (contrary.jsonl:6), and failed: exit status 1 (contrary.jsonl:12)$'

# A log is one process's at a time; that goes on, and who is killed leaves it to the next one.
space 'test -s {header} && touch begun && until [ -e go ]; do sleep 0.1; done && python3 measure.py one {variant} {repeats}'
start_tuning() {
    rm -f begun go
    "$SWP" tune space.yaml --log shared.jsonl >shared.txt 2>shared.err &
    first=$!
    timeout 120 sh -c 'until [ -e begun ]; do sleep 0.1; done'
}
rm -f shared.jsonl
start_tuning
expect 2 tune space.yaml --log shared.jsonl
warns 'shared.jsonl is in use by another swp tune'
expect 2 tune --merge whole.jsonl -o shared.jsonl
warns 'shared.jsonl is in use by another swp tune'
answers 1 tune --report shared.jsonl # which has no measurement yet, and may be read meanwhile
kill -KILL $first
wait $first 2>/dev/null
start_tuning
touch go
wait $first
holds 'the process that has the log ends as ever' test $? -eq 0
sed 's/; measuring took.*//' shared.txt >again.txt
same 'what one after the other measured' again.txt first.txt

# Shards, merged, are the whole.
space 'test -s {header} && python3 measure.py one {variant} {repeats}' 'parts: 4'
for shard in 1 2 3; do
    expect 0 tune space.yaml --shard $shard/3 --log "part$shard.jsonl"
done
expect 0 tune --merge part1.jsonl part2.jsonl part3.jsonl -o all.jsonl
expect 0 tune space.yaml --log all.jsonl
sed 's/; measuring took.*//' "$out" >merged.txt
expect 0 tune space.yaml --log one.jsonl
sed 's/; measuring took.*//' "$out" >one.txt
same 'merged shards and one machine' merged.txt one.txt

# Finalists are those of the rounds before, also where the final one was cut off: variant 2, the best, fails there.
cat >tiring.py <<'PYTHON'
import json, sys
with open("calls", "a+") as calls:
    calls.write(sys.argv[1] + "\n")
    calls.seek(0)
    times = calls.read().split().count("2")
sys.exit(7) if sys.argv[1] == "2" and times > 1 else print(json.dumps({"seconds": [abs(int(sys.argv[1]) - 2.1) + 100]}))
PYTHON
space 'test -s {header} && python3 tiring.py {variant}' 'parts: 4' 'rounds: 1' 'finalists: 2'
expect 0 tune space.yaml --log finals.jsonl
sed 's/; measuring took.*//' "$out" >finals.txt
holds 'two are finalists' test "$(grep -c '"round": 100' finals.jsonl)" -eq 2
says '^   1 .* schedule.sync=derived schedule.max_vgpr=256$'
says '^variant 2 failed: exit status 7$'
sed '/"round": 100/q' finals.jsonl >cut.jsonl
holds 'one is left to measure' test "$(wc -l <cut.jsonl)" -eq "$(($(wc -l <finals.jsonl) - 1))"
expect 0 tune space.yaml --log cut.jsonl
sed 's/; measuring took.*//' "$out" >again.txt
same 'the final round, cut off, goes on' again.txt finals.txt

# Each way to go wrong is told, and leaves the rest.
fails() { # MEASURE MESSAGE
    space "$1" 'rounds: 1'
    rm -f space.jsonl
    checks=$((checks + 1))
    "$SWP" tune space.yaml >"$out" 2>"$err"
    [ $? -eq 1 ] || fail "tune with measure: $1" 'has another exit status than 1'
    says "4 failed"
    says "$2"
}
fails '"exit 3 # {header}"' 'exit status 3'
# What it prints is in a file, so that no quotes meet.
lies() { # TEXT MESSAGE
    printf '%s\n' "$1" >said
    fails '"cat said # {header}"' "$2"
}
lies fast 'no JSON object'
lies '{}' 'no list `seconds`'
lies '{"seconds": [-1]}' 'not all from 1e-12 to 1e+09'
lies '{"seconds": [NaN]}' 'not all from 1e-12 to 1e+09'
lies '{"seconds": ["1"]}' 'not all from 1e-12 to 1e+09'
lies '{"error": "wrong result"}' 'wrong result'
lies "{\"seconds\": [1$(printf '%0400d' 0)]}" 'not all from 1e-12 to 1e+09'
lies "$(printf '%050000d' 0 | tr 0 '[')" 'no JSON object'
fails '"kill -9 $$ # {header}"' 'failed: signal 9$'
fails '"printf \\\\377\\\\376 # {header}"' 'no JSON object'
# Milliseconds are no seconds, which shows where they are more than the command took.
printf '{"seconds": [90]}\n' >said
space '"cat said # {header}"' 'rounds: 1'
rm -f space.jsonl
expect 0 tune space.yaml
says '^4 measurements say more seconds than their commands took: are `seconds` seconds?$'
printf '{"seconds": [1e-6]}\n' >said
rm -f space.jsonl
expect 0 tune space.yaml
holds 'less is no suspicion' test -z "$(grep 'more seconds' "$out")"
space '"sleep 9 # {header}"' 'rounds: 1' 'measure_limit: 1' 'keep: 1'
rm -f space.jsonl
checks=$((checks + 1))
"$SWP" tune space.yaml >"$out" 2>"$err"
says 'took longer than 1 s'
holds 'what it took is kept' python3 -c 'import json
assert 1 <= json.loads(list(open("space.jsonl"))[-1])["took"] < 60'

# A command that is not there is no variant's fault.
space './nowhere {header}'
rm -f space.jsonl
expect 2 tune space.yaml
warns '`measure` cannot be run for variant 2: exit status 127: .*not found$'
holds 'no variant has failed' test "$(wc -l <space.jsonl)" -eq 5

# Fewer figures than repeats are no measurement; who decides it himself is not asked for any number.
printf '{"seconds": [1]}\n' >said
space '"cat said # {header} {repeats}"' 'repeats: 9'
rm -f space.jsonl
expect 2 tune space.yaml
warns '`measure` printed 1 of 9 figures for variant 2: \[1.0\]$'
warns 'hint: `seconds` has one for each of {repeats}'
holds 'no measurement is kept' test "$(wc -l <space.jsonl)" -eq 5
printf '{"seconds": [1, 1, 1, 1, 1, 1, 1, 1, 1]}\n' >said
sed -i 's/^repeats: 9/&\nrounds: 1/' space.yaml
rm -f space.jsonl
expect 0 tune space.yaml
printf '{"seconds": [1]}\n' >said
space '"cat said # {header}"' 'repeats: 9'
rm -f space.jsonl
expect 0 tune space.yaml

# What cannot be is refused before anything is done.
refuses() { # MESSAGE WORD...
    expect 2 tune "${@:2}"
    warns "$1"
}
refuses 'No such file' nowhere.yaml
mkdir without && echo "raise ModuleNotFoundError('yaml')" >without/yaml.py
PYTHONPATH=$PWD/without expect 2 tune space.yaml
warns 'this Python has no PyYAML'
PYTHONPATH=$PWD/without expect 0 tune --help
refuses 'one at a time' --merge --report whole.jsonl
refuses 'are for a space' --report whole.jsonl --log other.jsonl
refuses 'are for a space' --merge whole.jsonl --shard 1/2
refuses 'cannot be written: Is a directory' --merge whole.jsonl -o .
checks=$((checks + 1))
! SWP=/nowhere/swp "$(dirname "$SWP")/swp-tune" space.yaml 2>"$err" || fail 'SWP that names no command is taken'
warns 'SWP is /nowhere/swp, which is no command'
if [ -e /dev/full ]; then
    checks=$((checks + 1))
    ! "$SWP" tune --report whole.jsonl >/dev/full 2>"$err" || fail 'a report on a full disk is no error'
    warns 'standard output cannot be written: No space left on device'
fi
space 'python3 measure.py {variant}'
refuses 'neither {header} nor {schedule}' space.yaml
space 'true {header}' 'colour: red'
refuses 'has no key `colour`' space.yaml
space 'true {header}' 'rounds: 0'
refuses '`rounds` is 0' space.yaml
space 'true {header}' 'parts: 2'
refuses '3 shards of 2 parts' space.yaml --shard 1/3
refuses 'I from 1 to N' space.yaml --shard 4/3
refuses 'is of another space' space.yaml --log whole.jsonl
refuses 'dev/zero is no file' space.yaml --log /dev/zero
space 'true {header}' 'work: 2 *'
refuses '`work: 2 \*`' space.yaml
space 'true {header}' 'work: 0 * 2'
refuses '`work: 0 \* 2` is 0 where schedule.sync=template' space.yaml
space 'true {header}' 'options: --time-limit 3'
refuses "\`options\` is '--time-limit 3'" space.yaml
broken() { # LINE
    {
        head -n 2 whole.jsonl
        echo "$1"
    } >broken.jsonl
    refuses 'broken.jsonl:3: neither a variant nor a measurement of one above' --report broken.jsonl
}
broken '{"round": 0}'
broken '{"variant": 1, "round": 0, "seconds": [1]}'
broken '{"variant": 0, "round": 0, "seconds": [-1]}'
broken '{"variant": 1, "settings": {}, "work": 1, "cycles": "few"}'
broken '{"variant": 1, "settings": {}, "illegal": ["no"]}'
broken '{"variant": 0, "round": 0, "seconds": [1], "at": 12}'

# Why variants are illegal is told, and Kernel Tuner is told which they are.
space 'true {header}' 'prefix: 3x'
rm -f space.jsonl
answers 1 tune --format kernel-tuner space.yaml
holds 'illegal ones are in the cache' python3 -c 'import json, sys
cache = json.load(open(sys.argv[1]))["cache"]
assert [line["time"] for line in cache.values()] == ["CompilationFailedConfig"] * 4' "$out"
answers 1 tune space.yaml
says '^4 illegal: .*`3x` cannot be the prefix of macros$'
refuses 'no JSON' --report measure.py
echo '{}' >empty.jsonl
refuses 'no log of swp tune' --report empty.jsonl
space 'python3 measure.py another {variant} {repeats} {header}'
head -n 5 whole.jsonl | sed "1s/\"space\": \"[^\"]*\"/\"space\": \"$(
    rm -f other.jsonl
    "$SWP" tune space.yaml --log other.jsonl >/dev/null 2>&1
    sed -n '1s/.*"space": "\([^"]*\)".*/\1/p' other.jsonl
)\"/" >mixed.jsonl
sed -n '6p' whole.jsonl >>mixed.jsonl
refuses 'measured on another, but the log on one' space.yaml --log mixed.jsonl

# A disk without room is no verdict on a variant, nor the end of a log: what it left of the first line is begun anew.
space 'test -s {header} && python3 measure.py one {variant} {repeats}' 'rounds: 1'
checks=$((checks + 1))
! (ulimit -f 8 && exec "$SWP" tune space.yaml --log full.jsonl) >"$out" 2>"$err" || fail 'a full disk is no error'
warns '`swp compile` of variant 0 ended with signal'
expect 0 tune space.yaml --log full.jsonl
says '^4 variants, 0 illegal, 4 measured, 0 failed'
head -c 20 full.jsonl >begun.jsonl
expect 0 tune space.yaml --log begun.jsonl
says '^4 variants, 0 illegal, 4 measured, 0 failed'
printf 'my notes' >notes.jsonl
refuses 'no log of swp tune' space.yaml --log notes.jsonl
holds 'it is kept' grep -q 'my notes' notes.jsonl
refuses 'nowhere/log.jsonl cannot be opened: No such file' space.yaml --log nowhere/log.jsonl

# Nor what was measured at another clock.
cat >clocked.py <<'PYTHON'
import json, os
print(json.dumps({"seconds": [1.0], "device": "one", "clock": os.environ["MHZ"]}))
PYTHON
space '"python3 clocked.py # {header}"' 'rounds: 1'
rm -f space.jsonl
MHZ=1980 expect 0 tune space.yaml
head -n 7 space.jsonl >clock.jsonl
MHZ=1700 refuses 'measured at 1700, but the log at 1980' space.yaml --log clock.jsonl
sed 's/"1980"/"1700"/' space.jsonl >slower.jsonl
refuses 'slower.jsonl was measured at 1700, another log at 1980' --merge space.jsonl slower.jsonl -o both.jsonl

# A target file counts for the model, too; it lies beside the space, wherever that is tuned from.
mkdir -p beside
sed '/^  *measure\|^measure/d' space.yaml >beside/space.yaml
printf '%s\n' 'options: [--target, h100.yaml]' >>beside/space.yaml
cp "$top/targets/h100_sm_80.yaml" beside/h100.yaml
answers 1 tune beside/space.yaml --log by_figures.jsonl # nothing is measured
for sync in template derived; do
    expect 0 simulate pingpong --set schedule.sync=$sync --target beside/h100.yaml --format json -o "$sync.json"
    expect 0 simulate pingpong --set schedule.sync=$sync --target beside/h100.yaml --load-latency 200 --format json \
        -o "$sync.late.json"
done
holds 'the cycles of a tile are those that simulate counts by the file' python3 -c 'import json
for line in list(open("by_figures.jsonl"))[1:]:
    record = json.loads(line)
    for key, end in ("cycles", ".json"), ("late_cycles", ".late.json"):
        counted = json.load(open(record["settings"]["schedule.sync"] + end))["cycles_per_pass"]
        assert record[key] == counted / 2, record
    assert record["late_cycles"] > record["cycles"], record'
echo 'meaning: other figures' >>beside/h100.yaml
refuses 'is of another space' beside/space.yaml --log by_figures.jsonl

# Of two that are equal to the model the one is better that stands late loads: it has a slot more.
printf '%s\n' 'swp: 1' "description: $top/kernels/cuda/hopper/gemm.yaml" 'set: {variables.slots: [3, 4]}' \
    "options: [--target, $top/targets/h100.yaml]" 'measure: "test -s {header} && python3 measure.py one {variant} {repeats}"' >equals.yaml
expect 0 tune equals.yaml --format json
holds 'ranks of equals' python3 -c 'import json, sys
rows = {row["settings"]["variables.slots"]: row for row in json.load(open(sys.argv[1]))["rows"]}
assert rows["3"]["cycles"] == rows["4"]["cycles"] and rows["4"]["model_rank"] == 1 and rows["3"]["model_rank"] == 2, rows' "$out"

# All are measured where nobody says how many, whatever the parts are.
space 'test -s {header} && python3 measure.py one {variant} {repeats}' 'parts: 3' 'rounds: 1'
expect 0 tune space.yaml --log parts.jsonl
says '^4 variants, 0 illegal, 4 measured, 0 failed, on one$'

# Odd output is a failure, with a message; the log reads back, and nothing is a traceback.
for said in '{"error": "\\\\ud800"}' '{"seconds": [1e308, 1e308]}' '{"seconds": [0.1], "error": ""}'; do
    rm -f space.jsonl
    printf '%s\n' "$said" | sed 's/\\\\\\\\/\\/' >said.json
    space 'test -e {header} && cat said.json'
    expect_failure() { answers 1 tune "$@"; holds "no traceback of $said" sh -c '! grep -q Traceback "$1"' sh "$err"; }
    expect_failure space.yaml
    says '4 measured, 4 failed'
    expect_failure --report space.jsonl --format json
    holds "the report of $said is JSON" python3 -c 'import json, sys
json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=lambda constant: sys.exit(1))' "$out"
done
printf 'swp: 1\nkernel: pingpong\n' >description.yaml
expect 2 tune description.yaml
warns 'is a description.*'
warns 'swp compile. takes it'
expect 2 compile space.yaml
warns 'this is a space of variants, not a description'
holds 'odd outputs, logs and spaces end in a message' python3 "$top/tests/tune/odd.py" --count 40
cd "$top" || exit 1
