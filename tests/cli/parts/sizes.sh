# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Large inputs: what they come to, and that no memory grows with their square; run.sh sources it.

# write FAMILY SIZE FILE: an input of bench/limits
write() {
    bench/limits --write "$1" "$2" "$SWP" >"$scratch/$3"
}

# within STATUS WORD...: like `expect`, in less than a gigabyte. An unsafe schedule's report (1) stands on
# standard output.
within() {
    local wanted=$1 status=0
    shift
    checks=$((checks + 1))
    bench/limits --peak 1000 "$SWP" "$@" >"$out" 2>"$err" || status=$?
    [ "$status" -eq "$wanted" ] || fail "swp $*" "exit status $status, wanted $wanted"
}

# 40,000 units, values or roles are more than a loop may have; each name once copied all before it.
write loop_units 1000 units.yaml
within 0 compile "$scratch/units.yaml"
for family in loop_units loop_roles loop_values loop_reads loop_uses; do
    write $family 40000 many.yaml
    within 2 compile "$scratch/many.yaml"
    warns 'error\[E0105\]: .* has 40000 elements, but may have 1024$'
done
write loop_aliases 1000 aliases.yaml
within 2 compile "$scratch/aliases.yaml"
warns 'E0105.*uses, reads, writes and updates, but all may have 32768$'

# Slots that come back together late are refused before anything is written out, wherever they come in.
write loop_lcm 992 apart.yaml
for subcommand in compile verify run simulate explain 'emit --format c'; do
    # shellcheck disable=SC2086
    within 2 $subcommand "$scratch/apart.yaml"
    warns 'error\[E0326\]: .* a kernel of 992 iterations, .* the slots are 32 (v0), 31 (v1)$'
done
within 2 diff "$scratch/apart.yaml" pingpong
warns 'error\[E0326\]: '
write loop_lcm_of_many 5 many.yaml
within 2 compile "$scratch/many.yaml"
warns 'E0326.*only after more than 1024 iterations: 2 (v0), 3 (v1), 5 (v2), 7 (v3), 11 (v4)$'
write json_tails 1000 tails.json
within 2 verify "$scratch/tails.json"
warns 'error\[E0701\]: 1001 epilogues, each after the [0-9]* entries of prologue and kernel'

# What was found before the search was stopped is too long to be written out: one iteration after the other is not.
python3 - >"$scratch/chain.yaml" <<'PYTHON'
print("swp: 1\nname: chain\ntarget: mi355x\nloop:\n  units: {u: 1}\n  values:")
for i in range(120):
    print(f"    - {{value: v{i}, space: {'shared' if i % 2 else 'registers'}, bytes: 64}}")
print("  ops:")
for i in range(120):
    reads = f", reads: [v{i - 1}]" if i else ""
    print(f"    - {{op: O{i}, uses: {{u: 1}}, latency: 40, completion: lgkmcnt{reads}, writes: [v{i}]}}")
PYTHON
within 0 compile "$scratch/chain.yaml" --work-limit 1
warns 'W0401.*the search was stopped'
says '^stages     1:'

# A schedule that is wrong all over has its whole verdict, and hints as long as their proofs take little.
for input in json_fragments.json json_loads.json body_depth_1.yaml; do
    write "${input%.*}" 1000 $input
    within 1 verify "$scratch/$input"
    says ': unsafe: [0-9]* hazards\?, 0 accepted '
done
write json_mmas 1000 json_mmas.json
within 1 verify "$scratch/json_mmas.json"
warns 'W0704.*no edit was looked for that removes the last [0-9]* of [0-9]* hazards'

# Of a large schedule some waits are not explained: first those of the kernel are.
write body_depth_2 1000 large.yaml
within 0 explain "$scratch/large.yaml"
says ' waits and barriers, [0-9]* of them unneeded while the others stand, and [0-9]* not looked for'
warns 'W0704.*[0-9]* of [0-9]* waits and barriers are not explained'
within 0 explain "$scratch/large.yaml" --format json
holds 'what is not looked for is null in JSON' python3 -c 'import json, sys
sync = json.load(open(sys.argv[1]))["sync"]
kernel = [s["needs"] for s in sync if s["phase"] == "kernel"]
rest = [s["needs"] for s in sync if s["phase"] != "kernel"]
assert None in kernel and any(needs is not None for needs in kernel)
assert all(needs is None for needs in rest), "the kernel comes first"
' "$out"
