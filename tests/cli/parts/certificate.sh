# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `--certificate` of `swp solve` and `swp compile`, and `swp check-certificate`; run.sh sources it.

mkdir "$scratch/c"
python3 - "$scratch/c" <<'PYTHON'
import json, sys
folder = sys.argv[1]
def problem(name, capacity, ops, edges):
    with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
        json.dump({"swp": 1, "name": name, "problem": "makespan",
                   "resources": [{"name": "r", "capacity": capacity}], "ops": ops,
                   "edges": [{"producer": p, "consumer": c} for p, c in edges]}, file)

def op(name, amount, latency=1):
    uses = [{"resource": "r", "amount": amount, "cycles": latency}] if amount else []
    return {"name": name, "latency": latency, "uses": uses}

# Three of five in one of two lanes, which no bound sees.
problem("lanes", 2, [op(f"o{i}", 1, 3) for i in range(5)], [])
# 24 between two others take 8 cycles, as their energy shows at once. In a formula they are pigeons.
problem("energy", 3, [op("begin", 0, 5), op("end", 0, 5), op("loose", 1)] +
        [op(f"o{i}", 1) for i in range(24)],
        [(0, i) for i in range(3, 27)] + [(i, 1) for i in range(3, 27)])
# Two lanes with one cycle of both, so that what is left is no circle; a unit of its own each, so that no two are alike.
def loop(name, count):
    units = ", ".join(["hole: 2"] + [f"u{i}: 1" for i in range(count)])
    with open(f"{folder}/{name}.yaml", "w", encoding="utf-8") as file:
        file.write(f"swp: 1\nname: {name}\nloop:\n  units: {{{units}}}\n  ops:\n")
        file.write("    - {op: BOTH, uses: {hole: [2, 1]}, latency: 1}\n")
        for i in range(count):
            file.write(f"    - {{op: P{i}, uses: {{hole: [1, 3], u{i}: 1}}, latency: 1}}\n")
loop("pigeons", 9)
loop("few", 3)
PYTHON
certified() {
    expect 0 compile "$@" --work-limit 300s --format json -o "$scratch/c/schedule.json" \
        --certificate "$scratch/c/proof"
}
checked() {
    local status=$1 loop=$2
    shift 2
    answers "$status" check-certificate "$loop" "$scratch/c/schedule.json" "$scratch/c/proof" "$@"
}

for loop in gemm_tile attention_fwd gemm_ws stencil; do
    certified $loop
    checked 0 $loop
    says "^$loop: accepted, optimal at "
    says '^  stages [0-9]*: least, given the above$'
done
checked 0 stencil --format json
holds 'a report is JSON' valid_json "$out"
says '"claims":\[{"name":"shared","value":65536,"proven":true}'
checked 0 stencil -o "$scratch/c/report"
holds '-o has the report' grep -q '^stencil: accepted' "$scratch/c/report"
checked 1 stencil --set loop.shared_bytes=65000
says '^stencil: refused'
checked 2 attention_fwd
warns 'E0833.*is it the schedule of this loop\|E0833'
certified stencil --target sm_90
checked 1 stencil
checked 0 stencil --target sm_90

# A line less, and a claim more.
certified "$scratch/c/few.yaml"
checked 0 "$scratch/c/few.yaml"
head -n -1 "$scratch/c/proof" >"$scratch/c/cut"
cp "$scratch/c/cut" "$scratch/c/proof"
checked 2 "$scratch/c/few.yaml"
warns 'E0832'
expect 0 compile "$scratch/c/pigeons.yaml" --work-limit 1 --format json -o "$scratch/c/schedule.json" \
    --certificate "$scratch/c/proof"
checked 0 "$scratch/c/pigeons.yaml"
says '^pigeons: accepted, feasible at 16, proven 15;'
sed 's/"bound": 15, "proven": false/"bound": 16, "proven": true/;s/"bound": 15/"bound": 16/' \
    "$scratch/c/schedule.json" >"$scratch/c/claims"
cp "$scratch/c/claims" "$scratch/c/schedule.json"
checked 1 "$scratch/c/pigeons.yaml"
says 'the interval is said to be least, but nothing refutes 15'
expect 0 compile "$scratch/c/pigeons.yaml" --work-limit 1
says 'not proven least'
warns 'W0401.*a shorter one, or less room, is not ruled out'

expect 2 compile pingpong --certificate "$scratch/c/none"
warns 'E0911'
expect 2 compile stencil --certificate "$scratch/none/such"
warns 'E0908'
answers 2 check-certificate pingpong "$scratch/c/schedule.json" "$scratch/c/proof"
warns 'E0834'
answers 2 check-certificate tests/problems/loop.json tests/certificates/loop.answer.json \
    tests/certificates/loop.proof --target sm_90
warns 'E0909'
# Neither the input nor the output is written over.
cp "$scratch/c/lanes.json" "$scratch/c/input.json"
expect 2 solve "$scratch/c/input.json" --certificate "$scratch/c/../c/input.json"
warns 'E0903.*would replace the input'
holds 'the input is as it was' cmp "$scratch/c/lanes.json" "$scratch/c/input.json"
expect 2 compile stencil -o "$scratch/c/both" --certificate "$scratch/c/both"
warns 'E0903.*would replace the output'
holds 'no certificate is left of what failed' test ! -e "$scratch/c/none"

# A feasible answer has its bound proven.
expect 3 solve "$scratch/c/lanes.json" --work-limit 1 --format json -o "$scratch/c/answer" \
    --certificate "$scratch/c/bound"
expect 0 check-certificate "$scratch/c/lanes.json" "$scratch/c/answer" "$scratch/c/bound"
says '^lanes: accepted, feasible at 9, proven 8; 1 step$'

# Slots and variables that a certificate only speaks of cost nothing: these two took hours and seconds.
header='{"swp":1,"certificate":"a","problem":"makespan","status":"optimal","value":'
refutation='{"step":"refutation","scope":"value","references":[],"fixed":null,"alike":[],"clauses":0,"lines":0,'
refused() {
    local status=0
    checks=$((checks + 1))
    "$SWP" check-certificate "$scratch/c/$1.json" "$scratch/c/$1.answer" "$scratch/c/$1.proof" \
        >"$out" 2>"$err" || status=$?
    [ "$status" -eq 1 ] || fail "the certificate of $1.json is refused" "exit status $status"
}
answered='{"name":"a","status":"optimal","seconds":0,"work":0,"bound_kind":"path",'
cat >"$scratch/c/long.json" <<'JSON'
{"swp":1,"name":"a","problem":"makespan","resources":[{"name":"r","capacity":2}],"ops":[{"name":"x",
"latency":5,"uses":[{"resource":"r","amount":1,"cycles":1000000000000}]}],"edges":[]}
JSON
printf '%s"value":5,"bound":5,"times":[0]}\n' "$answered" >"$scratch/c/long.answer"
printf '%s5,"steps":1}\n%s"value":5,"groups":[[[0]]],"variables":0}\n' "$header" "$refutation" \
    >"$scratch/c/long.proof"
refused long
says 'ends after 0 steps without the empty clause'
cat >"$scratch/c/wide.json" <<'JSON'
{"swp":1,"name":"a","problem":"makespan","resources":[],"ops":[{"name":"x","latency":1073741800,
"uses":[]},{"name":"y","latency":5,"uses":[]}],"edges":[]}
JSON
printf '%s"value":1073741800,"bound":1073741800,"times":[0,0]}\n' "$answered" >"$scratch/c/wide.answer"
printf '%s1073741800,"steps":1}\n%s"value":1073741800,"groups":[],"variables":1073741795}\n' \
    "$header" "$refutation" >"$scratch/c/wide.proof"
refused wide
says '.variables. is 1073741795'

checks=$((checks + 2))
python3 - "$SWP" "$scratch/c" >"$out" 2>"$err" <<'PYTHON' ||
import os, signal, subprocess, sys, time
swp, folder = sys.argv[1:]

def gathers(process):
    """Whether the certificate is being gathered: in a temporary file, which has no name."""
    folder = f"/proc/{process.pid}/fd"
    try:
        return any("(deleted)" in os.readlink(f"{folder}/{name}") for name in os.listdir(folder))
    except OSError:
        return False

def interrupt(words):
    """The run that a signal meets while it gathers: status, what it printed and said."""
    with subprocess.Popen([swp, *words, "--format", "json", "--certificate", f"{folder}/interrupted"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        while run.poll() is None and not gathers(run):
            time.sleep(0.002)
        if words[0] == "solve":
            time.sleep(1)
        run.send_signal(signal.SIGINT)
        return (*run.communicate(timeout=100), run.returncode)

bad = 0
# `energy` is solved at once, `pigeons` not: it is the second search that is to be interrupted.
for words in (["solve", f"{folder}/energy.json"],
              ["compile", f"{folder}/pigeons.yaml"]):
    # On a busy machine the signal may come too late: then again.
    for attempt in range(5):
        printed, said, status = interrupt(words)
        there = os.path.exists(f"{folder}/interrupted")
        if status != 0:
            break
        os.remove(f"{folder}/interrupted")
    print(f"{words[0]}: status {status}, {len(printed)} bytes printed, file {there}: "
          f"{said.decode().splitlines()[:1]}")
    bad += not (status == 3 and printed and b"E0827" in said and not there)
sys.exit(bad)
PYTHON
    fail 'Ctrl-C leaves no certificate, and says so' "$(head -n 9 "$out")"
holds 'and no other file' test -z "$(find "$scratch/c" -name '.swp*')"
