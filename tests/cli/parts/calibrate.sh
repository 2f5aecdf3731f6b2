# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# swp calibrate: what it writes, and results that are whole, lie or do not belong together; run.sh sources it.

cd "$scratch" || exit 1

expect 0 calibrate sm_80 -o ampere
expect 0 calibrate sm_90 -o hopper
says '^[0-9]* measurements in hopper: run hopper/run.sh where the GPU is$'
holds 'run.sh is a script' bash -n hopper/run.sh
holds 'sm_80 has no wgmma' test -z "$(grep wgmma ampere/microbenchmarks.cu)"
holds 'sm_90 has them' grep -q 'wgmma.mma_async.sync.aligned.m64n256k16' hopper/microbenchmarks.cu

# Without a GPU, without nvcc: an error, and nothing written.
mkdir -p nothing
run_refuses() { # TEXT PATH
    checks=$((checks + 1))
    if PATH=$2 NVCC= /bin/bash hopper/run.sh results.jsonl >"$out" 2>"$err" || ! grep -q "$1" "$err"; then
        fail "run.sh does not say: $1"
    fi
}
ln -sf /usr/bin/dirname /bin/dirname nothing/ 2>/dev/null || true
if [ ! -x /usr/local/cuda/bin/nvcc ]; then
    run_refuses 'there is no nvcc' "$PWD/nothing"
fi
holds 'nothing is written' test ! -e results.jsonl

# A GPU, nvcc and benchmarks that only print: a run that was stopped, or that a full disk cut off in a line, goes on.
mkdir -p fake/run
cp hopper/run.sh hopper/microbenchmarks.cu fake/run
printf '#!/bin/sh\ncase $1 in *clocks*) echo "1000, 100" ;; *) echo "a GPU" ;; esac\n' >fake/nvidia-smi
printf '#!/bin/sh\n' >fake/nvcc
cat >fake/run/microbenchmarks <<'SHELL'
#!/bin/sh
[ "$1" != list ] || { printf 'a/1\nb/1\nc/1\n'; exit; }
[ ! -e "broken-${1%/1}" ] || exit 1
echo "{\"name\": \"$1\", \"cycles\": 2, \"repeats\": 1, \"spread\": 0}"
SHELL
chmod +x fake/nvidia-smi fake/nvcc fake/run/microbenchmarks
touch broken-b
checks=$((checks + 1))
PATH=$PWD/fake:$PATH fake/run/run.sh results.jsonl >"$out" 2>"$err"
[ $? -eq 2 ] || fail 'run.sh with a benchmark that fails' 'has another exit status than 2'
warns 'b/1 failed; the same command goes on there'
rm broken-b
printf '{"name": "b/1", "cyc' >>results.jsonl
holds 'run.sh goes on' env PATH="$PWD/fake:$PATH" fake/run/run.sh results.jsonl
holds 'with every line once' python3 -c 'import json
assert [json.loads(line).get("name") for line in open("results.jsonl")] == [None, "a/1", "b/1", "c/1"]'

# A benchmark that lies is told from one that measures, and its line is not kept; a GPU may not tell clock and power.
sed 's/\[ ! -e "broken.*/[ "$1" != b\/1 ] || eval "$LIE"/' fake/run/microbenchmarks >fake/lying
lies() { # WHAT SHELL
    checks=$((checks + 1))
    cp fake/lying fake/run/microbenchmarks
    PATH=$PWD/fake:$PATH LIE=$2 fake/run/run.sh lies.jsonl >"$out" 2>"$err"
    [ $? -eq 2 ] || fail "run.sh with a benchmark that $1" 'has another exit status than 2'
    warns 'b/1 printed no measurement, but ".*"; the same command goes on there'
    holds "no line of what $1" test "$(wc -l <lies.jsonl)" -eq 2
}
lies 'prints nothing' 'exit 0'
lies 'prints text' 'echo "done"; exit 0'
lies 'prints no number' 'echo "{\"name\": \"b/1\", \"cycles\": nan, \"repeats\": 1, \"spread\": 0}"; exit 0'
lies 'prints a negative one' 'echo "{\"name\": \"b/1\", \"cycles\": -2, \"repeats\": 1, \"spread\": 0}"; exit 0'
lies 'prints another name' 'echo "{\"name\": \"c/1\", \"cycles\": 2, \"repeats\": 1, \"spread\": 0}"; exit 0'
lies 'prints it twice' 'echo "{\"name\": \"b/1\", \"cycles\": 2, \"repeats\": 1, \"spread\": 0}"'
printf '#!/bin/sh\ncase $1 in *clocks*) echo "[N/A], [N/A]" ;; *) echo "a GPU" ;; esac\n' >fake/nvidia-smi
holds 'run.sh goes on' env PATH="$PWD/fake:$PATH" LIE=: fake/run/run.sh lies.jsonl
holds 'no clock is no number' python3 -c 'import json
assert [json.loads(line).get("mhz") for line in open("lies.jsonl")] == [None, 1000, None, None]'
sed 's/sm_90/sm_80/' lies.jsonl >of_another.jsonl
checks=$((checks + 1))
! PATH=$PWD/fake:$PATH fake/run/run.sh of_another.jsonl 2>"$err" || fail 'run.sh adds to results of another target'
warns 'of_another.jsonl has no measurements of sm_90'

# Results are one run's at a time; that is killed, and its benchmark goes on, but not the lock.
cp fake/lying fake/run/microbenchmarks
export LIE='touch begun; until [ -e go ]; do sleep 0.1; done'
PATH=$PWD/fake:$PATH fake/run/run.sh shared.jsonl >"$out" 2>&1 &
first=$!
timeout 60 sh -c 'until [ -e begun ]; do sleep 0.1; done'
second() {
    checks=$((checks + 1))
    PATH=$PWD/fake:$PATH timeout 120 fake/run/run.sh shared.jsonl >"$out" 2>"$err"
    [ $? -eq "$1" ] || fail "a second run.sh, $2" "has another exit status than $1"
}
second 2 'while the first one measures'
warns 'run.sh: shared.jsonl is in use by another run.sh: wait for it, or name another file'
holds 'it adds nothing' test "$(wc -l <shared.jsonl)" -eq 2
kill -KILL $first
wait $first 2>/dev/null
(sleep 1 && touch go) &
second 0 'when the first one was killed'
holds 'it measures all' test "$(wc -l <shared.jsonl)" -eq 4
# Where nothing can be locked, it says so and goes on.
printf '#!/bin/sh\nexit 66\n' >fake/flock
chmod +x fake/flock
rm shared.jsonl
second 0 'where there are no locks'
warns 'shared.jsonl cannot be locked: see to it that no other run.sh adds to it'
rm fake/flock
unset LIE

# A disk without room for the benchmarks: an error that names the file, and no half of one.
checks=$((checks + 1))
! (ulimit -f 8 && "$SWP" calibrate sm_90 -o full) 2>"$err" || fail 'a full disk is no error'
warns 'full/microbenchmarks.cu cannot be written: File too large'
holds 'nothing is written' test -z "$(ls -A full)"
expect 2 calibrate sm_90 -o hopper/run.sh
warns 'hopper/run.sh is no folder'

# All measurements of sm_80, with figures of no machine.
cat >make.py <<'PYTHON'
import json, re, sys
device, factor = sys.argv[1], float(sys.argv[2])
print(json.dumps({"calibrate": 1, "target": "sm_80", "device": device, "driver": "1", "date": "2026-01-02"}))
for name in re.findall(r'^    \{"(.*?)", \[\]', open("ampere/microbenchmarks.cu").read(), re.MULTILINE):
    warps = int(name.split("/")[1]) if "/" in name else 1
    cycles = {"fma": 1.0 * max(1, warps / 4), "exp": 8.0 * max(1, warps / 4), "mma_sync_chain": 25.4, "arrive": 6.4,
              "copy_shared_beside_mma_sync": 0.02, "copy_turns_beside_mma_sync": 0.03,
              "bulk_shared_beside_wgmma": 0.01, "bulk_l2_turns_beside_wgmma": 0.03, "bulk_halves_beside_wgmma": 0.018}.get(
        name.split("/")[0], 10.0)
    print(json.dumps({"name": name, "cycles": cycles * factor, "repeats": 15, "spread": 1.5}))
PYTHON
python3 make.py 'NVIDIA A100' 1 >one.jsonl
python3 make.py 'NVIDIA A100' 1.1 >two.jsonl
python3 make.py 'NVIDIA A10' 1 >other.jsonl

expect 0 calibrate --from one.jsonl
says '^like: sm_80$'
says '^  lanes_per_cycle: {value: 128, source: "measurement: 2026-01-02, NVIDIA A100, fma/4, median of 15, spread 1.5 %"}$'
says '^  lanes_per_cycle: {value: 16, .*exp/4, '
says '^  latency: {value: 25, .*mma_sync_chain/1, '
says '^  bytes_per_cycle: {value: 50, .*copy_shared_beside_mma_sync, '
says '^  latency: {value: 328, .*copy_turns_beside_mma_sync, ' # 32768 bytes, 0.01 of a cycle each
expect 0 calibrate --from one.jsonl two.jsonl -o target.yaml
says '^  fma+exp '
holds 'runs apart are noisy' grep -q 'median of 30, spread 9.5 %, noisy"' target.yaml
sed 's/"repeats": 15/"repeats": 3/' one.jsonl >few.jsonl
expect 0 calibrate --from few.jsonl
says 'fma/4, median of 3, '
mkfifo pipe
timeout 60 cat pipe >piped &
expect 0 calibrate --from one.jsonl -o pipe
wait $!
holds 'a pipe is written to, not replaced' test -p pipe -a -s piped
if [ -e /dev/full ]; then
    checks=$((checks + 1))
    ! "$SWP" calibrate --from one.jsonl >/dev/full 2>"$err" || fail 'a target file on a full disk is no error'
    warns 'standard output cannot be written: No space left on device'
fi
expect 0 list targets --target target.yaml --format yaml
says 'mma_sync_chain/1'

expect 0 compile gemm_tile --target "$top/targets/h200.yaml"
expect 0 compile pingpong --target "$top/targets/h200_sm_80.yaml"

# Where waits cost cycles, derived synchronisation has no more of them a pass than the published one, which has two.
waits_of() { # OPTION...
    expect 0 compile "$top/kernels/cuda/pingpong.yaml" --format json "$@"
    python3 -c 'import json, sys
print(sum(entry["name"] == "wait_vm" for entry in json.load(open(sys.argv[1]))["kernel"]))' "$out"
}
holds 'published' test "$(waits_of --set schedule.sync=template)" -eq 2
holds 'derived, waits free' test "$(waits_of)" -eq 6
holds 'derived, waits at six cycles' test "$(waits_of --target "$top/targets/h200_sm_80.yaml")" -eq 2

# What sm_90 has measured serves kernels of sm_80, not the other way.
sed 's/sm_80/sm_90/; s/ampere/hopper/' make.py >make_90.py
python3 make_90.py 'NVIDIA H100' 1 >hopper.jsonl
expect 0 calibrate --from hopper.jsonl
says '^  latency: {value: 655, .*bulk_l2_turns_beside_wgmma, '
says '^  bytes_per_cycle: {value: 100, .*bulk_shared_beside_wgmma, '
says '^  row_bytes: {value: 115, .*bulk_halves_beside_wgmma, '
expect 0 calibrate --from hopper.jsonl --like sm_80
says '^like: sm_80$'
says ', copy_shared_beside_mma_sync, '
holds 'sm_80 has no wgmma' test -z "$(grep wgmma "$out")"
expect 2 calibrate --from one.jsonl --like sm_90
warns 'one.jsonl is of sm_80, which has not all of sm_90'
expect 2 calibrate sm_90 --like sm_80 -o hopper
warns '--like goes with --from'

# The same for AMD, as HIP, which has never run: so it says.
expect 0 calibrate mi355x -o instinct
says '^28 measurements in instinct: run instinct/run.sh where the GPU is$'
says '^no AMD GPU was at hand: these benchmarks have been compiled, and have never run$'
holds 'the source says so' grep -q 'has never run' instinct/microbenchmarks.hip
holds 'and run.sh' grep -q 'has never run' instinct/run.sh
holds 'run.sh is a script' bash -n instinct/run.sh
sed 's/sm_80/mi355x/; s/ampere/instinct/; s/[.]cu"/.hip"/; s/"arrive": 6.4/"arrive": 6.4, "load_all": 0.02/' make.py >make_amd.py
python3 make_amd.py 'AMD Instinct MI355X' 1 >amd.jsonl
expect 0 calibrate --from amd.jsonl -o amd.yaml
expect 0 list targets --target amd.yaml --format yaml
says '^  products_per_cycle: {value: 13107, .*mfma/16, ' # 16 waves, 16 x 16 x 32 products, 10 cycles
says '^  bytes_per_cycle: {value: 50, .*load_all, '
expect 2 calibrate --from amd.jsonl --like sm_80
warns 'amd.jsonl is of mi355x, which has not all of sm_80'

# What lies is refused, and no file is written.
refuses() { # TEXT FILE...
    expect 2 calibrate --from "${@:2}" -o bad.yaml
    warns "$1"
    holds 'nothing is written' test ! -e bad.yaml
}
sed 's/"name": "exp\/1", "cycles": [0-9.]*/"name": "exp\/1", "cycles": -8/' one.jsonl >negative.jsonl
refuses 'negative.jsonl:[0-9]*: `cycles` is -8' negative.jsonl
sed 's/"name": "exp\/1", "cycles": [0-9.]*/"name": "exp\/1", "cycles": NaN/' one.jsonl >nan.jsonl
refuses 'nan.jsonl:[0-9]*: `cycles` is nan' nan.jsonl
sed 's/"name": "mma_sync_chain\/1", "cycles": [0-9.]*/"name": "mma_sync_chain\/1", "cycles": 0/' one.jsonl >zero.jsonl
for cycles in "1$(printf '%0400d' 0)" 1e-320; do
    sed "s/\"name\": \"mma_sync\\/1\", \"cycles\": [0-9.]*/\"name\": \"mma_sync\\/1\", \"cycles\": $cycles/" one.jsonl >far.jsonl
    refuses 'far.jsonl:[0-9]*: `cycles` is 1000*\|makes mma_sync.products_per_cycle inf' far.jsonl
done
sed '1s/"device": "[^"]*", //' one.jsonl >nameless.jsonl
refuses "nameless.jsonl:1: .device. is ''" nameless.jsonl
sed '1s/NVIDIA A100/a\\nlike: mi355x/' one.jsonl >named.jsonl
refuses 'named.jsonl:1: .device. is' named.jsonl
sed '7s/"repeats": 15/"repeats": -1/' one.jsonl >lying.jsonl
refuses 'lying.jsonl:7: `repeats` is -1' lying.jsonl
sed '7s/, "spread.*//' one.jsonl >middle.jsonl
refuses 'middle.jsonl:7: no JSON' middle.jsonl
sed '1s/sm_80/sm_75/' one.jsonl >old.jsonl
refuses "old.jsonl:1: \`target\` is 'sm_75'" old.jsonl
(cat one.jsonl && printf '%050000d\n' 0 | tr 0 '[') >deep.jsonl
refuses "deep.jsonl:$(wc -l <deep.jsonl): no JSON" deep.jsonl
refuses '`mma_sync_chain/1` makes mma_sync.latency 0' zero.jsonl
sed 's/"name": "fma\/4", "cycles": [0-9.]*/"name": "fma\/4", "cycles": 0/' one.jsonl >none_at_all.jsonl
refuses '`fma/4` takes 0 cycles' none_at_all.jsonl
sed 's/"name": "mma_sync\/1", "cycles": [0-9.]*/"name": "mma_sync\/1", "cycles": 0.0001/' one.jsonl >fast.jsonl
refuses '`mma_sync/1` makes mma_sync.products_per_cycle 2.048e+07' fast.jsonl
grep -v '"exp/4"' one.jsonl >missing.jsonl
refuses '1 measurements are missing, such as `exp/4`' missing.jsonl
cat one.jsonl <(tail -n 1 one.jsonl) >twice.jsonl
refuses 'is there twice' twice.jsonl
head -c -9 one.jsonl >cut.jsonl
refuses "cut.jsonl:$(wc -l <one.jsonl): no JSON" cut.jsonl
warns 'delete the line, and run run.sh again: it goes on'
refuses 'other.jsonl is of NVIDIA A10, one.jsonl of NVIDIA A100' one.jsonl other.jsonl
printf '{}\n' >empty.jsonl
refuses 'has no results of swp calibrate' empty.jsonl
refuses 'No such file' none.jsonl
expect 2 calibrate mi300x -o amd
warns 'there are no microbenchmarks for `mi300x`'
expect 2 calibrate sm_90
warns '-o FOLDER is missing'
expect 2 calibrate
warns 'a target, or --from RESULTS'
