#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The built-in loops (docs/loops.md), end to end: their optimum, proof, runs and emitted code.
set -euo pipefail
: "${SWP:?names the command}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

random_loops=10 messy_loops=10 gemms=(1 2 12 19 26 35)
[ -z "${SWP_FULL:-}" ] || random_loops=40 messy_loops=5000 gemms=(1..500)

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

compile() {
    "$SWP" compile "$@"
}

# Cycles of a pass, as simulate gives them.
cycles() {
    "$SWP" simulate "$@" --format json | python3 -c '
import json, sys
s = json.load(sys.stdin)
print(s["cycles"] / s["passes"])'
}

# Never above ping-pong and 4-wave with derived synchronisation, in the same occupancy: as published,
# LDS the busiest, global memory the busiest.
for occupancy in "0 0" "4 0" "0 8"; do
    read -r lds global <<<"$occupancy"
    machine=(--occupancy-lds "$lds" --occupancy-global "$global")
    loop=(gemm_fragments --set "loop.occupancy_lds=$lds" --set "loop.occupancy_global=$global")
    compile "${loop[@]}" --format json -o "$work/$lds-$global.json"
    python3 - "$work/$lds-$global.json" <<'EOF'
import json, sys
p = json.load(open(sys.argv[1]))["pipeline"]
assert p["proven"] and p["interval"] == p["bound"], p
EOF
    ours=$(cycles "$work/$lds-$global.json") # the loop itself says how long its units are kept
    for other in pingpong fourwave; do
        theirs=$(cycles "$other" --set schedule.sync=derived "${machine[@]}")
        echo "lds $lds, global $global: gemm_fragments $ours, $other $theirs cycles a pass"
        python3 -c "import sys; sys.exit(not $ours <= $theirs)" || fail "slower than $other"
    done
    "$SWP" verify "$work/$lds-$global.json" || fail "not safe"
    "$SWP" run "$work/$lds-$global.json" --seeds 4 >"$work/runs" || fail "a run went wrong"
    for n in {0..12}; do
        grep -q "^N = $n " "$work/runs" || fail "no run of $n tiles"
    done
done

# Those with warp roles are for one target.
loops="gemm_tile gemm_fragments attention_fwd stencil gemm_ws attention_ws"
targets_of() {
    case "$1" in
    *_ws) echo sm_90 ;;
    *) echo mi355x sm_90 ;;
    esac
}

for loop in $loops; do
    # What is written is read again, and written as the same bytes.
    for target in $(targets_of "$loop"); do
        compile "$loop" --target "$target" --format json -o "$work/a.json" 2>/dev/null
        compile "$work/a.json" --format json -o "$work/b.json" 2>/dev/null
        cmp "$work/a.json" "$work/b.json" || fail "$loop for $target is not read as it was written"
    done
    # The YAML says what the built-in says.
    compile "$loop" --full -o "$work/a.txt" 2>/dev/null
    compile "$here/../../kernels/$loop.yaml" --full -o "$work/b.txt" 2>/dev/null
    cmp "$work/a.txt" "$work/b.txt" || fail "kernels/$loop.yaml is not the built-in"
    # So does what swp new writes, and with its settings uncommented, too.
    "$SWP" new "$loop" --from "$loop" -o "$work/new.yaml"
    sed -E '/^# Every setting/,$ s/^# (  |[a-z]+:$)/\1/' "$work/new.yaml" >"$work/stated.yaml"
    for file in new stated; do
        compile "$work/$file.yaml" --full -o "$work/b.txt" 2>/dev/null
        cmp "$work/a.txt" "$work/b.txt" || fail "swp new --from $loop is not the built-in"
    done
done

# A schedule that was read says what its file says, proves no interval, and has the cycles that are simulated.
compile gemm_fragments --format json -o "$work/a.json"
compile "$work/a.json" --full -o "$work/read.txt"
grep -q "^interval   110 cycles an iteration, says the file, which has no proof of it$" "$work/read.txt" || fail "no interval of a read loop"
grep -q "^sync       113 cycles an iteration, lower bound 112.50, says the file$" "$work/read.txt" || fail "no cycles of a read loop"
! grep -E "proven|identity|order" "$work/read.txt" || fail "a read loop claims what nothing shows"
"$SWP" explain "$work/a.json" -o "$work/explained.txt"
grep -q "^kernel, as simulated: 113.00 cycles an iteration$" "$work/explained.txt" || fail "explain has no cycles of a read loop"
"$SWP" emit "$work/a.json" --format dot -o "$work/read.dot"
[ "$(grep -c '\\ncycle ' "$work/read.dot")" = 12 ] || fail "dot has no cycles of a read loop"
python3 - "$work/a.json" "$work/b.json" <<'EOF'
import json, sys
schedule = json.load(open(sys.argv[1]))
del schedule["pipeline"]
json.dump(schedule, open(sys.argv[2], "w"))
EOF
compile "$work/b.json" --full -o "$work/b.txt"
grep -q "^interval   not known: the file says none$" "$work/b.txt" || fail "an interval from nowhere"

# So is what does not always run, which the comparison of two schedules tells.
compile "$here/conditions.yaml" --require-proof --format json -o "$work/a.json"
compile "$work/a.json" --format json -o "$work/b.json"
cmp "$work/a.json" "$work/b.json" || fail "conditions.yaml is not read as it was written"
sed 's/every: 5/every: 7/' "$here/conditions.yaml" >"$work/other.yaml"
"$SWP" diff "$here/conditions.yaml" "$work/other.yaml" >"$work/diff" || [ $? = 1 ]
grep -q 'dataflow.ops.RESCALE.when.*i % 5 == 3.*i % 7 == 3' "$work/diff" || fail "no other condition"
"$SWP" emit "$here/conditions.yaml" --format c -o "$work/conditions.h"
# What its place says needs no test: FINISH runs in epilogues and short runs, and ADVANCE in all passes.
! grep -q 'if .*_FINISH(' "$work/conditions.h" || fail "FINISH is tested"
! sed -n '/_KERNEL(ctx, kb, n)/,/while (0)/p' "$work/conditions.h" | grep '_FINISH(\|if .*_ADVANCE(' >/dev/null || fail "a pass has what it never needs"
"$SWP" run "$here/conditions.yaml" --n 0..12 --seeds 8 >"$work/runs" || fail "a run with conditions went wrong"

"$SWP" compile "$here/alone.yaml" --require-proof -o "$work/alone.txt" || fail "a loop of one op has no schedule"

"$SWP" new mine --from loop -o "$work/mine.yaml"
compile "$work/mine.yaml" --require-proof -o "$work/mine.txt"
grep -q "^mine for mi355x$" "$work/mine.txt" || fail "swp new --from loop has another name"
for side in 1 4; do
    "$SWP" compile "$work/mine.yaml" --set "variables.side=$side" --work-limit 1000 --format json -o "$work/mine.json" \
        2>/dev/null || [ $? = 3 ]
    [ "$(grep -o '"op": "MMA_[^"]*"' "$work/mine.json" | sort -u | wc -l)" = $((side * side)) ] ||
        fail "side = $side has another number of MMAs"
done

# Ranges compile to the bytes of what they stand for, where the search is cut off, too.
write_wide_out() {
    local m i j
    sed -n '/^swp:/,/^  units:/p' "$here/wide.yaml" | grep -v '^variables:'
    echo '  values:'
    for m in A B; do for i in {0..3}; do
        echo "    - {value: $m$i, space: shared, bytes: 4096, slots: [1, 4]}"
    done; done
    for m in A B; do for i in {0..3}; do
        echo "    - {value: r$m$i, space: registers, bytes: 4096, slots: 1}"
    done; done
    for i in {0..3}; do for j in {0..3}; do
        echo "    - {value: c${i}_$j, space: registers, bytes: 4096}"
    done; done
    echo '  ops:'
    for m in A B; do for i in {0..3}; do
        echo "    - {op: LOAD_$m$i, uses: {global_mem: 30, vmcnt: [2, 700]}, latency: 700, completion: counter, accesses: 2, writes: [$m$i]}"
    done; done
    for m in A B; do for i in {0..3}; do
        echo "    - {op: FRAG_$m$i, uses: {lds: 20, lgkmcnt: [4, 96]}, latency: 96, completion: counter, accesses: 4, reads: [$m$i], writes: [r$m$i]}"
    done; done
    for i in {0..3}; do for j in {0..3}; do
        echo "    - {op: MMA_${i}_$j, uses: {mma_unit: 32}, latency: 32, reads: [rA$i, rB$j], updates: [c${i}_$j]}"
    done; done
}
write_wide_out >"$work/wide.yaml"
wide=0
for file in "$here/wide.yaml" "$work/wide.yaml"; do
    "$SWP" compile "$file" --work-limit 1000 --format json -o "$work/json" 2>/dev/null || [ $? = 3 ]
    mv "$work/json" "$work/$((++wide)).json"
done
cmp "$work/1.json" "$work/2.json" || fail "ranges are not what they stand for"

# Attention: the softmax of one iteration runs beside the first matrix op of the next.
for target in mi355x sm_90; do
    compile attention_fwd --target "$target" --format json -o "$work/attention.json" \
        2>/dev/null
    python3 - "$work/attention.json" <<'EOF'
import json, sys
p = json.load(open(sys.argv[1]))["pipeline"]
at = {o["name"]: o["cycle"] + o["stage"] * p["interval"] for o in p["ops"]}
assert p["proven"], p
next_qk = at["QK"] + p["interval"]
# Between an iteration's scores and its P.V stand its softmax and the Q.K of the next iteration.
assert at["QK"] < at["ROW_MAX"] < at["EXP"] < at["PV"], at
assert at["QK"] + 1024 <= next_qk and next_qk + 1024 <= at["PV"], at
EOF
done

# With warp roles: a ring of three or four slots, and the two instances half an interval apart. With certificates.
for loop in gemm_ws attention_ws "attention_ws --set loop.causal=true"; do
    # shellcheck disable=SC2086
    compile $loop --format json -o "$work/roles.json" --certificate "$work/proof"
    # shellcheck disable=SC2086
    "$SWP" check-certificate $loop "$work/roles.json" "$work/proof" >/dev/null || fail "the certificate of $loop is refused"
    python3 - "$work/roles.json" >"$work/cycles" <<'EOF' || fail "$loop is not what published kernels have"
import json, sys
schedule = json.load(open(sys.argv[1]))
p = schedule["pipeline"]
assert p["proven"] and p["interval"] == p["bound"], p
assert p["roles"][1]["shifts"] == [0, p["interval"] // 2], p["roles"]
if schedule["name"] == "gemm_ws":
    assert {o["slots"] for o in schedule["sync_objects"]} <= {3, 4}, schedule["sync_objects"]
print("%.2f" % (schedule["sync"]["cycles"] / schedule["sync"]["passes"] / schedule["loop"]["tiles_per_pass"]))
EOF
    "$SWP" simulate "$work/roles.json" | grep -q " $(cat "$work/cycles") cycles each" || fail "$loop states other cycles than simulate counts"
done
compile attention_ws --set loop.causal=true --full -o "$work/a.txt"
compile "$here/../../kernels/attention_ws.yaml" --set variables.causal=1 --full -o "$work/b.txt"
cmp "$work/a.txt" "$work/b.txt" || fail "kernels/attention_ws.yaml masks in another way than the built-in"

# One output tile after another: with what stands around the passes, and a certificate of their interval.
for loop in gemm_ws attention_ws; do
    compile $loop --set loop.persistent=true --full -o "$work/a.txt"
    compile "$here/../../kernels/$loop.yaml" --set variables.persistent=1 --full -o "$work/b.txt"
    cmp "$work/a.txt" "$work/b.txt" || fail "kernels/$loop.yaml persists in another way than the built-in"
    compile $loop --set loop.persistent=true --format json -o "$work/roles.json" --certificate "$work/proof"
    "$SWP" check-certificate $loop --set loop.persistent=true "$work/roles.json" "$work/proof" >/dev/null || fail "the certificate of the persistent $loop is refused"
    "$SWP" verify "$work/roles.json" | grep -q "safe for every sequence of output tiles" || fail "the persistent $loop is not safe"
done

# With one slot of P the exponentials stand beside the next iteration's first matrix op.
sed '/value: P,/s/}$/, slots: 1}/' "$here/../../kernels/attention_fwd.yaml" >"$work/one_p.yaml"
compile "$work/one_p.yaml" --format json -o "$work/attention.json"
python3 - "$work/attention.json" <<'EOF'
import json, sys
p = json.load(open(sys.argv[1]))["pipeline"]
at = {o["name"]: o["cycle"] + o["stage"] * p["interval"] for o in p["ops"]}
assert p["proven"] and p["interval"] == 2048, p
next_qk = at["QK"] + p["interval"]
assert next_qk <= at["EXP"] and at["ROW_SUM"] + 128 <= next_qk + 1024, at
EOF

# The emitted macros for every number of iterations.
python3 "$here/emitted_loops.py" "$SWP" "${CC:-cc}" || fail "an emitted header does something else"

# Proven, and right when they run.
for loop in $loops; do
    for target in $(targets_of "$loop"); do
        "$SWP" verify "$loop" --target "$target" >/dev/null || fail "$loop for $target is not safe"
        "$SWP" run "$loop" --target "$target" --n 0..12 --seeds 4 >"$work/runs" ||
            fail "$loop for $target goes wrong"
        grep -q ': 0 of 52 runs went wrong' "$work/runs" || fail "$loop for $target: other runs"
    done
done
# Loops whose first synchronisation was not safe: each gets one that is.
for loop in "$here"/derived/*.yaml; do
    runs=(--n 0..7)
    ! grep -q output_tiles "$loop" || runs=(--tiles 0,1,0,3,2)
    "$SWP" verify "$loop" >/dev/null || fail "$loop is not safe"
    "$SWP" run "$loop" "${runs[@]}" --seeds 2 >/dev/null || fail "$loop goes wrong"
done
python3 "$here/messy_roles.py" "$SWP" --cases "$messy_loops" --seed 5015 --work-limit 2000 || fail "a loop that the checker accepts has no schedule"
# Its search ends before there are any times: instances of two roles, three and two, hold one unit in turn.
python3 "$here/messy_roles.py" "$SWP" --cases 1 --seed 7267 --work-limit 1 || fail "a search goes on behind its limits"
# Of its roles one has a lower bound than the one that is taken.
python3 "$here/messy_roles.py" "$SWP" --cases 1 --seed 21458 --work-limit 500 || fail "the bound of other roles makes a pipeline least"
python3 "$here/role_chains.py" "$SWP" --cases "$messy_loops" --work-limit 0.2s || fail "a loop of roles in a chain has no schedule"
"$here/random_loops.py" "$random_loops" || fail "a valid loop has no schedule"
python3 "$here/labels.py" "$SWP" || fail "labels are other ones, or are read"
# Of seed 15 the search ends with MMAs that stand in two stages.
"$here/random_gemms.py" "${gemms[@]}" || fail "a GEMM has another pipeline than a loop"
python3 "$here/counters.py" "$SWP" || fail "a wait is for a counter that counts nothing"
"$here/more_work.py" || fail "a loop takes more cycles with more work"
python3 "$here/cycles.py" "$SWP" || fail "other cycles of synchronised loops"
python3 "$here/any_role.py" "$SWP" || fail "attention is slower where its roles are left open"

# n x n MMAs on fragments of one slot keep the matrix unit busy, and nearly so with waits; reproducibly.
"$here/../../bench/wide_loops.py" --kinds gemm --sides 4,6,8 --every 43 --at-most 1.0,1.06 --limit --work-limit 20000 ||
    fail "a wide loop is far above its bound"
"$here/../../bench/wide_loops.py" --kinds unequal --every 11 --at-most 1.0,1.06 --limit --work-limit 20000 ||
    fail "a loop of unequal accesses waits for long"

# Work alone decides, however busy the machine is.
for nice in 0 19; do
    nice -n "$nice" "$SWP" compile gemm_fragments --work-limit 3000 --format json -o "$work/nice$nice.json" 2>/dev/null || [[ $? == 3 ]]
done
cmp "$work/nice0.json" "$work/nice19.json" || fail "the same work comes to another schedule"

# More ops than the framework leaves tags below its own.
"$here/../../bench/wide_loops.py" --kinds gemm --sides 10 --every 100 --write "$work/wide" >/dev/null
"$SWP" compile "$work"/wide/*.yaml --work-limit 2000 --format json -o "$work/wide.json" 2>/dev/null || [[ $? == 3 ]]
"$SWP" verify "$work/wide.json" >/dev/null || fail "a loop of 140 ops is not safe"
"$SWP" run "$work/wide.json" --n 2..3 --seeds 1 >/dev/null || fail "a loop of 140 ops goes wrong"
python3 - "$work/wide.json" <<'END' || fail "the tags of a loop of 140 ops are other ones"
import json, sys
tags = [op["tag"] for op in json.load(open(sys.argv[1]))["body"]]
assert tags == [*range(128), *range(256, 268)], tags
END

# A budget that excludes the least interval gives the least that fits; one that nothing fits, no.
compile gemm_fragments --set loop.shared_bytes=65536 -o "$work/small.txt"
grep -q "the budget of 65536 bytes of shared memory and 512 registers a lane costs" "$work/small.txt" || fail "no cost of the budget"
status=0
compile gemm_fragments --set loop.shared_bytes=65535 >"$work/out" 2>&1 || status=$?
[[ $status == 1 ]] || fail "status $status for a budget that nothing fits"
grep -q E0325 "$work/out" || fail "no E0325"
echo "loops: all as they must be"
