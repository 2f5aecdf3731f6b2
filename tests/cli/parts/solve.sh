# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp solve`; run.sh sources it.

problems=tests/problems
python3 - "$scratch" $problems/loop.json $problems/project.json <<'PYTHON'
import json, sys
scratch, *files = sys.argv[1:]
problems = [json.load(open(path)) for path in files]
lines = [json.dumps(problem) for problem in problems]
def write(name, lines):
    open(f"{scratch}/{name}.jsonl", "w").write("\n".join(lines) + "\n")
write("many", lines * 3)
write("bad", [lines[0], '{"swp": 1', "", lines[1]])
for name, optimum in (("true", 7), ("false", 1000), ("text", "none")):
    write(f"known_{name}", [json.dumps(dict(p, known_optimum=optimum)) for p in problems])
write("known_not", lines)
# Two ops at the same time on one unit, at any interval.
write("never", [json.dumps({"swp": 1, "name": "never", "problem": "modulo",
    "resources": [{"name": "r", "capacity": 1}],
    "ops": [{"name": n, "latency": 0, "uses": [{"resource": "r", "amount": 1, "cycles": 1}]}
            for n in "ab"],
    "edges": [{"producer": 0, "consumer": 1, "distance": 0},
              {"producer": 1, "consumer": 0, "distance": 0}]})])
PYTHON
# What an answer says but for the time it took.
timeless() {
    sed 's/"seconds":[0-9.]*/"seconds":0/' "$1"
}

expect 0 solve $problems/loop.json
says '^dot product: initiation interval 3, optimal'
says 'bound 3: `multiply and add` -> `multiply and add`, 3 cycles in 1 iteration'
expect 0 solve $problems/project.json --format json
says '^{"name":"project","status":"optimal","value":7,"bound":7,"times":\['
valid_json "$out"
expect 0 solve - --format json <$problems/project.json
says '"value":7'

expect 0 solve "$scratch/many.jsonl" --format json
timeless "$out" >"$scratch/one_job"
holds 'six problems have six answers' test "$(wc -l <"$out")" = 6
expect 0 solve "$scratch/many.jsonl" --format json --jobs 5
timeless "$out" >"$scratch/five_jobs"
same 'the number of jobs changes nothing' "$scratch/one_job" "$scratch/five_jobs"
expect 0 solve "$scratch/many.jsonl" --format json --jobs 3 -o "$scratch/answers"
timeless "$scratch/answers" >"$scratch/into_file"
same 'so does a file' "$scratch/one_job" "$scratch/into_file"

expect 0 solve "$scratch/known_not.jsonl" --format json
timeless "$out" >"$scratch/known_not"
for known in true false text; do
    expect 0 solve "$scratch/known_$known.jsonl" --format json
    timeless "$out" >"$scratch/known"
    same "known_optimum ($known) changes nothing" "$scratch/known_not" "$scratch/known"
done

answers 2 solve "$scratch/bad.jsonl" --format json -o "$scratch/no_answers"
warns 'bad.jsonl:2:.*E0110'
holds 'a malformed line does not lose the others' test "$(wc -l <"$out")" = 2
holds 'but they are not written to -o' test ! -e "$scratch/no_answers"
answers 1 solve "$scratch/never.jsonl"
says '^never: infeasible'
cat "$scratch/never.jsonl" "$scratch/known_not.jsonl" >"$scratch/mixed.jsonl"
expect 0 solve "$scratch/mixed.jsonl" --format json
says '"status":"infeasible","value":null,"bound":null,"times":null'
expect 0 solve "$scratch/many.jsonl" --time-limit 600 --work-limit 100000
