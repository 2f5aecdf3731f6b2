# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# A calibrated target decides: what compile counts and chooses is what simulate counts by the same file.

cd "$scratch" || exit 1

h100=$top/targets/h100.yaml
ampere=$top/targets/h100_sm_80.yaml

# ARGUMENT...: the cycles of a pass by the file FIGURES, or none
figures=$ampere
cycles_of() {
    expect 0 simulate "$@" ${figures:+--target "$figures"} --format json
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles_per_pass"])' "$out"
}
sync_of() {
    expect 0 compile "$@" --format json
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["schedule"]["sync"])' "$out"
}

# CODE: of the last command's warnings
said_once() { holds "$1 once" test "$(grep -c "\[$1\]" "$err")" = 1; }
silent() { holds "no $1" bash -c '! grep -q "$0" "$1"' "$1" "$err"; }

# Of a body, no stated synchronisation takes fewer cycles than what is chosen where none is stated.
for kernel in single_buffer pingpong; do
    chosen=$(cycles_of "$kernel")
    for sync in template derived; do
        for goal in cycles barriers; do
            other=$(cycles_of "$kernel" --set schedule.sync=$sync --set schedule.sync_goal=$goal)
            holds "$kernel, $sync for $goal: $chosen of $other cycles" python3 -c "assert $chosen <= $other"
        done
    done
done
# What compile writes of a body by figures is what simulate counts by the same file, also of published synchronisation.
for kernel in single_buffer pingpong fourwave; do
    for sync in template derived; do
        expect 0 compile "$kernel" --set schedule.sync=$sync --target "$ampere" --format json -o body.json
        simulated=$(cycles_of body.json)
        holds "$kernel, $sync: $simulated cycles" python3 -c "import json
counted = json.load(open('body.json'))['by_figures']
assert counted['cycles'] / counted['passes'] == $simulated"
    done
done
expect 0 compile fourwave --target "$ampere"
says '^cycles     2269 a pass, with waits and barriers, by the figures of the target file'
expect 0 compile body.json
says 'by figures'
expect 0 compile fourwave --target sm_80
holds 'no file, no cycles by figures' bash -c '! grep -q "by figures" "$0"' "$out"
# By figures no occupancy counts, and that is said.
without=$(cycles_of pingpong)
holds 'occupancies do not count' test "$(cycles_of pingpong --occupancy-lds 50 --occupancy-global 70)" = "$without"
warns 'W0721.*the figures of the target.*occupancies of 70 and 50 cycles are left out'
expect 0 simulate pingpong --occupancy-lds 50
silent W0721
# Of groups of two waves they do not count, once said by whoever is given the file, and what is counted goes by no other name.
expect 0 compile pingpong --set machine.waves_per_group=2 --target "$ampere" --format json -o few.json
said_once W0722
expect 0 simulate pingpong --set machine.waves_per_group=2 --target "$ampere"
said_once W0722
expect 0 compile pingpong --target "$ampere"
silent W0722
holds 'no cycles by figures of few waves' bash -c '! grep -q by_figures few.json'
without=$(cycles_of few.json)
warns 'W0722.*groups of 2 waves'
said_once W0722
expect 0 simulate few.json --format json
holds 'the latencies of the schedule count' python3 -c "import json
assert json.load(open('$out'))['cycles_per_pass'] == $without"
holds 'figures choose derived synchronisation' test "$(sync_of pingpong --target "$ampere")" = derived
holds 'nothing else does' test "$(sync_of pingpong --target sm_80)" = template
holds 'what is stated stays' test "$(sync_of pingpong --target "$ampere" --set schedule.sync=template)" = template

# The published end of fourwave is not safe on this machine; what is chosen is.
judged 0 fourwave --target "$ampere"
judged 1 fourwave --target "$ampere" --set schedule.sync=template

# With warp roles everything goes by the figures: the interval is no more than the cycles, which are those of simulate,
# with the file or without.
for options in "--set loop.persistent=true" "--set loop.slots=1"; do
  figures=
  expect 0 compile gemm_ws $options --target "$h100" --format json -o roles.json
  simulated=$(cycles_of roles.json)
  figures=$h100
  holds "$simulated cycles with the file" test "$(cycles_of roles.json)" = "$simulated"
  holds "no more than $simulated cycles an iteration" python3 -c "import json
schedule = json.load(open('roles.json'))
sync = schedule['sync']
assert sync['cycles'] / sync['passes'] == $simulated
assert schedule['pipeline']['interval'] <= $simulated / schedule['loop']['tiles_per_pass']"
done
expect 0 compile gemm_ws --set loop.slots=1 --format json -o built_in.json
figures=
without=$(cycles_of built_in.json)
figures=$h100
holds 'a file counts where none was' python3 -c "assert $(cycles_of built_in.json) < $without"

# Of a schedule that is compiled already, figures of another target's machines are none.
expect 0 compile pingpong --target mi355x --format json -o amd.json
expect 2 simulate amd.json --target "$ampere"
warns 'E0909.*is like sm_80, and amd.json is for mi355x'
expect 2 simulate roles.json --target "$ampere"
warns 'roles.json is for sm_90'

# What keeps an instance issuing counts where synchronisation is derived as it does in the interval and in simulate.
cat >issue.yaml <<'YAML'
swp: 1
name: issue
target: sm_90
loop:
  units: {mma_unit: 1}
  values:
    - {value: A, space: shared, bytes: 1024, slots: 2}
    - {value: a, space: registers, bytes: 1024, slots: 1}
    - {value: c, space: registers, bytes: 1024}
  ops:
    - {op: LOAD, latency: 100, completion: copy_group, writes: [A]}
    - {op: READ, issue: 90, latency: 20, completion: counter, reads: [A], writes: [a]}
    - {op: MMA, uses: {mma_unit: 40}, issue: 30, latency: 40, reads: [a], updates: [c]}
YAML
expect 0 compile issue.yaml --format json -o issue.json
expect 0 simulate issue.json --format json
holds 'as many cycles with its issues as simulated' python3 -c "import json
schedule = json.load(open('issue.json'))
sync, interval = schedule['sync'], schedule['pipeline']['interval']
tiles = schedule['loop']['tiles_per_pass']
assert sync['cycles'] / sync['passes'] == json.load(open('$out'))['cycles_per_pass']
assert sync['bound'] / sync['passes'] >= interval * tiles"

# With a file, slots serve loads that take twice as long as the file says, and without one the loads that it says.
loop_of() { # DESCRIPTION VARIABLE=MOST...
    local text most
    text=$(cat "$top/kernels/cuda/hopper/$1") && shift
    for most; do text=${text//'slots: "${'"${most%=*}"'}"'/slots: [1, ${most#*=}]}; done
    printf '%s\n' "$text"
}
shape_of() { python3 -c 'import json, sys; s = json.load(open(sys.argv[1])); v = {v["value"]: v["slots"] for v in s["dataflow"]["values"]}
print(*(v[name] for name in sys.argv[2:]), s["loop"]["tiles_per_pass"])' "$@"; }
loop_of gemm.yaml slots=5 >ring.yaml
expect 0 compile ring.yaml --set variables.consumers=1 --target "$top/targets/h200.yaml" --format json -o ring.json
slots_late=$(shape_of ring.json A B)
holds 'four slots where loads may be late' test "$slots_late" = '4 4 4'
expect 0 simulate ring.json --load-latency 200 --format json
late=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles_per_pass"])' "$out")
expect 0 simulate ring.json --format json
holds 'late loads cost nothing' test "$late" = "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles_per_pass"])' "$out")"
expect 0 compile ring.yaml --set variables.consumers=1 --target "$top/targets/h200.yaml"
says 'then those with loads twice as late, then the room, then the pass'

# The slots of Q, which output tiles make, lengthen no pass.
expect 0 compile "$top/kernels/cuda/hopper/attention.yaml" --set variables.keys=64 --set variables.slots_k=3 --set variables.slots_v=3 --format json -o tiles.json
holds 'a pass of as many iterations as K and V have slots' test "$(shape_of tiles.json Q K V)" = '2 3 3 3'
