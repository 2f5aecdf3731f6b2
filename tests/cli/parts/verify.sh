# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `swp verify`, `swp simulate` and what `swp compile` says of safety; run.sh sources it.


# The keys of `verify --format json`, their types, and the order of the hazards.
valid_verdict() {
    python3 - "$1" <<'PYTHON'
import json, sys
verdict = json.load(open(sys.argv[1], encoding="utf-8"))
assert list(verdict) == ["swp", "safe", "accepted", "passes_explored", "hazards"], list(verdict)
kinds = ["stale_read", "overwritten", "write_race", "wrong_tile", "missing_work", "double_work",
         "register_not_ready", "out_of_range", "deadlock", "counter"]
phases = ["prologue", "kernel", "epilogue"]
keys = ["kind", "phase", "list", "entry", "name", "place", "other", "smallest_n", "accepted",
        "slack_cycles", "hint", "detail"]
places = [["channel", "stage", "subtile"], ["channel", "subtile"], ["row", "column"]]
order = []
for hazard in verdict["hazards"]:
    assert list(hazard) == keys, list(hazard)
    assert hazard["place"] is None or list(hazard["place"]) in places, hazard
    other = hazard["other"]
    assert other is None or list(other) == ["phase", "list", "entry", "passes_before"], hazard
    assert hazard["slack_cycles"] is None or isinstance(hazard["slack_cycles"], int)
    order.append((phases.index(hazard["phase"]), hazard["entry"], kinds.index(hazard["kind"])))
assert order == sorted(set(order)), order
assert verdict["safe"] == (not verdict["hazards"])
assert verdict["accepted"] == sum(hazard["accepted"] for hazard in verdict["hazards"])
PYTHON
}

part 'verify'
for kernel in pingpong single_buffer; do
    judged 0 "$kernel"
    says "^$kernel: safe "
    holds "$kernel is safe in one line" test "$(wc -l <"$out")" -eq 1
    judged 0 "$kernel" --format json
    holds "the verdict on $kernel is as documented" valid_verdict "$out"
done
judged 1 fourwave
says '^fourwave: unsafe: [0-9]* hazards, 0 accepted '
says '^epilogue entry [0-9]*: hazard\[stale_read\]: MMA_LOAD_'
says '^  smallest N: 2 K tiles'
says '^  hint: '
cp "$out" "$scratch/unsafe.text"
judged 1 fourwave --format json
holds 'the verdict on fourwave is as documented' valid_verdict "$out"
cp "$out" "$scratch/unsafe.json"
"$SWP" compile fourwave --format json -o "$scratch/unsafe_schedule.json" 2>"$err"
judged 1 "$scratch/unsafe_schedule.json" --format json
same 'the verdict on a schedule in JSON' "$scratch/unsafe.json" "$out"
judged 1 - <"$scratch/unsafe_schedule.json"
same 'the verdict on standard input' "$scratch/unsafe.text" "$out"
judged 1 pingpong --set machine.registers=raw --set schedule.auto_waits=false
expect 2 verify "$scratch/unsafe_schedule.json" --set machine.registers=raw
warns 'E0909'

part 'verify --accept'
mapfile -t known < <(python3 -c 'import json, sys
for hazard in json.load(open(sys.argv[1]))["hazards"]:
    print(f"--accept={hazard['"'kind'"']}:{hazard['"'phase'"']}:{hazard['"'entry'"']}")
' "$scratch/unsafe.json")
judged 0 fourwave "${known[@]}"
says 'accepted\[stale_read\]'
says "^fourwave: safe but for ${#known[@]} accepted hazards "
judged 0 fourwave "${known[@]}" "${known[@]}" --format json
says '"safe": false'
says "\"accepted\": ${#known[@]},"
holds 'an accepted verdict is as documented' valid_verdict "$out"
judged 1 fourwave "${known[@]:1}"
# A lag that is asked for is judged, and makes six barriers of three.
lag=(--set machine.groups=2 --set machine.lag=1)
judged 0 single_buffer
judged 1 single_buffer "${lag[@]}"
judged 0 fourwave "${lag[@]}" --set schedule.sync=derived --set schedule.sync_goal=barriers
expect 0 compile fourwave "${lag[@]}" --set schedule.sync=derived --set schedule.sync_goal=barriers --format json
says '"least_barriers": 6,'
judged 0 pingpong --accept deadlock:epilogue:0
warns 'warning\[W0701\]'
for value in stale_read stale_read:kernel :kernel:0 stale_read:body:0 stale_read:kernel:x \
    stale_read:kernel: stale_read:kernel:-1 stale_read:kernel:0:0 stale_read:kernel:99999999999 ::; do
    expect 2 verify fourwave --accept "$value"
    warns 'E0903.*--accept'
    warns 'hint: write kind:phase:entry.* stale_read overwritten .* counter'
done
judged 0 pingpong --accept stale_raed:kernel:0
warns 'warning\[W0701\]: there is no hazard `stale_raed`, so --accept stale_raed:kernel:0 has no effect'
warns 'hint: did you mean `stale_read`?'
judged 1 fourwave --accept late:kernel:0
warns 'warning\[W0701\]: there is no hazard `late`'
warns 'hint: the kinds are stale_read'

part 'verify of warp roles'
judged 0 tests/roles/gemm_ring.json
says 'gemm_ring: safe for every number of iterations'
sed 's/"arrivals": 2/"arrivals": 1/' tests/roles/gemm_ring.json >"$scratch/ring.json"
judged 1 "$scratch/ring.json"
says '^consumer kernel entry 4: hazard\[arrivals\]: arrive'
says 'phase 0 of slot 0 of empty expects 1 arrival and gets 2'
says '^    consumer   epilogue    1    arrive  empty turn +0, by one'
judged 1 "$scratch/ring.json" --format json
says '"role": "consumer", "instance": 0, "object": "empty", "mbarrier_phase": 0}'
judged 0 "$scratch/ring.json" --accept arrivals:consumer:kernel:4 --accept arrivals:consumer:epilogue:1
judged 1 "$scratch/ring.json" --accept arrivals:consumer:kernel:4 --accept arrivals:epilogue:1
warns 'warning\[W0701\]: the accepted hazard arrivals:epilogue:1 does not occur'

part 'verify -o'
judged 0 pingpong --format json
cp "$out" "$scratch/safe.json"
expect 0 verify pingpong --format json -o "$scratch/v/safe.json"
same 'verify -o' "$scratch/safe.json" "$scratch/v/safe.json"
judged 1 fourwave -o "$scratch/v/unsafe"
same 'status 1 prints the report' "$scratch/unsafe.text" "$out"
holds 'status 1 writes no file' test ! -e "$scratch/v/unsafe"
expect 2 verify pingpong --format dot
warns 'choose text or json'
expect 2 verify pingpong -o "$scratch/none/b"
expect 2 verify no_such_builtin

part 'compile and safety'
expect 0 compile pingpong --require-proof
holds 'compile says nothing of a safe schedule' test ! -s "$err"
expect 0 compile fourwave
warns 'warning\[W0702\]: unsafe: [0-9]* hazards, the first: '
warns 'hint: `swp verify fourwave` '
expect 0 compile fourwave --set schedule.wait_vm_last=6 --target mi355x
warns '`swp verify fourwave --set schedule.wait_vm_last=6 --target mi355x` '
expect 1 compile fourwave --require-proof -o "$scratch/v/proven"
warns 'error\[E0703\]'
holds 'what is not proven is not written' test ! -e "$scratch/v/proven"
expect 1 compile "$scratch/unsafe_schedule.json" --require-proof
expect 0 compile fourwave --require-proof "${known[@]}" -o "$scratch/v/proven"
holds 'what is accepted is written' test -s "$scratch/v/proven"
expect 0 compile fourwave "${known[@]}"
says "^proof      safe but for ${#known[@]} accepted hazards\$"
says "C header .*swp emit fourwave --accept ${known[0]#*=} "
holds 'nothing is wrong with what is accepted' [ "$(grep -c 'what is wrong' "$out")" -eq 0 ]
expect 2 compile fourwave --require-proof=yes
expect 2 emit fourwave --require-proof

part 'simulate'
for kernel in pingpong fourwave single_buffer; do
    expect 0 simulate "$kernel"
    says '^steady state  [0-9.]* cycles a pass'
    says '^mma_unit  '
    says '^prologue  '
    expect 0 simulate "$kernel" --format json
    holds "the simulation of $kernel is JSON" valid_json "$out"
    cp "$out" "$scratch/cycles.json"
    "$SWP" compile "$kernel" --format json -o "$scratch/again.json" 2>"$err"
    expect 0 simulate "$scratch/again.json" --format json -o "$scratch/v/cycles.json"
    same "the simulation of $kernel from JSON" "$scratch/cycles.json" "$scratch/v/cycles.json"
done
expect 0 simulate pingpong --occupancy-lds 8 --occupancy-global=16
says '^lds  *[1-9][0-9]* '
for value in -1 x '' 1000001 1.5 99999999999999999999; do
    expect 2 simulate pingpong --occupancy-lds "$value"
    expect 2 simulate pingpong --occupancy-global="$value"
done
expect 0 simulate pingpong --load-latency 200
says '^steady state  854 cycles a pass'
for value in -1 x '' 99 10001 150.5; do
    expect 2 simulate pingpong --load-latency "$value"
done
expect 2 verify pingpong --load-latency 200
expect 2 simulate pingpong --format dot
expect 2 simulate pingpong --set machine.lag_end_barrier=false
warns 'error\[E0721\]'
