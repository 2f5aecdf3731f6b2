#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP_FULL=1 [SWP=path/to/swp] tests/tune/slurm.sh
# examples/slurm/tune.sh on this machine's own cluster of one controller and three node daemons, as an array of
# six jobs. A node is killed in the middle and comes back; the merged report is that of one machine.
# It waits for daemons, so it is part of `make campaign` alone. Status 77: it is not that, or there is no Slurm.
set -euo pipefail

skip() {
    echo "tune.slurm: skipped: $1"
    exit 77
}

[ -n "${SWP_FULL:-}" ] || skip "it takes four minutes; make campaign runs it"
for tool in slurmctld slurmd munged sbatch scontrol; do
    command -v "$tool" >/dev/null || skip "there is no $tool: apt-get install slurm-wlm munge"
done
[ "$(id -u)" -eq 0 ] || skip "node daemons need root"
python3 -c 'import yaml' 2>/dev/null || skip "swp tune needs PyYAML: apt-get install python3-yaml"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
swp=$(realpath "${SWP:-$top/build/release/swp}")
dir=$(mktemp -d)
chmod 755 "$dir"
export PATH=$dir/bin:$PATH SLURM_CONF=$dir/slurm.conf
mkdir -p "$dir/bin" "$dir/munge" "$dir/state" "$dir/spool" "$dir/work"
ln -s "$swp" "$dir/bin/swp"

stop() {
    scancel --user root 2>/dev/null || true
    for pid in "$dir"/node*.pid "$dir/ctld.pid" "$dir/munge/pid"; do
        [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null || true
    done
    sleep 1
    rm -rf "$dir"
}
trap stop EXIT

start_node() { slurmd -N "node$1" -f "$dir/slurm.conf" -L "$dir/node$1.log"; }

start_cluster() {
    dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 status=none
    chmod 600 "$dir/munge/key"
    chmod 711 "$dir/munge"
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
    cat >"$dir/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmctldPort=16817
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldLogFile=$dir/ctld.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=5
$(for node in 1 2 3; do echo "NodeName=node$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=1681$node CPUs=1 State=UNKNOWN"; done)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
    mkdir -p "$dir"/spool/node{1,2,3}
    slurmctld -f "$dir/slurm.conf"
    for node in 1 2 3; do start_node $node; done
}

write_space() {
    cp "$top/kernels/cuda/hopper/gemm.yaml" "$dir/work/"
    cat >"$dir/work/space.yaml" <<'EOF'
swp: 1
description: gemm.yaml
set: {variables.bn: [64, 128, 256], variables.slots: [2, 3, 4], variables.promoted: [0, 1]}
work: bn * 64
options: [--work-limit, 100000]
parts: 6
measure: "sleep 0.3; test -e {header} && python3 measure.py {repeats} {settings}"
EOF
    cat >"$dir/work/measure.py" <<'EOF'
import json, sys
settings = dict(word.split("=") for word in sys.argv[2:])
seconds = (1 + 1 / int(settings["variables.slots"])) / int(settings["variables.bn"]) + int(settings["variables.promoted"]) / 1e4
print(json.dumps({"seconds": [seconds] * int(sys.argv[1]), "device": "none"}))
EOF
}

# Until a command holds, for at most four minutes: a requeued job starts again two minutes after its node was lost.
until_it_holds() {
    for _ in $(seq 2400); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    echo "never came true: $*"
    tail -n 20 "$dir"/*.out "$dir/ctld.log"
    exit 1
}

# The daemons, and what its jobs run: a step daemon that lives on says how its job ended, and Slurm requeues nothing.
kill_node() { # NODE
    local pid step
    kill -9 "$(cat "$dir/$1.pid")"
    for pid in $(pgrep -f 'swp-tune .*--log tune'); do
        if grep -zqx "SLURMD_NODENAME=$1" "/proc/$pid/environ" && grep -zqx "SLURM_CONF=$dir/slurm.conf" "/proc/$pid/environ"; then
            step=$(ps -o ppid= -p "$pid" | tr -d ' ')
            grep -qa '^slurmstepd' "/proc/$step/cmdline" || step=$(ps -o ppid= -p "$step" | tr -d ' ')
            kill -9 "$step" "$pid"
            echo "killed $1 in the middle, with $(grep -c round "$dir"/work/tune.*.jsonl | awk -F: '{sum += $2} END {print sum}') of 18 measured"
        fi
    done
}

all_nodes_idle() { [ "$(sinfo -h -t idle -o %D)" = 3 ]; }
has_begun() { grep -q round "$dir"/work/tune.*.jsonl; }
is_over() { [ -z "$(squeue -h)" ]; }
# Without what differs from run to run.
table() { sed 's/; measuring took.*//' "$1"; }

start_cluster
write_space
cd "$dir/work"
until_it_holds all_nodes_idle
SPACE=space.yaml sbatch --array=1-6 --output="$dir/job.%a.out" "$top/examples/slurm/tune.sh"
until_it_holds has_begun
victim=$(squeue -h -t running -o %N | head -n 1)
kill_node "$victim"
scontrol update nodename="$victim" state=down reason=killed
start_node "${victim#node}"
scontrol update nodename="$victim" state=resume 2>/dev/null || true # it may be back by itself (ReturnToService)
until_it_holds is_over
grep "requeue job .* due to failure of node $victim" "$dir/ctld.log" | sed 's/.*requeue/requeue/'
# What is done says so at once.
SPACE=space.yaml sbatch --array=1-6 --output="$dir/again.%a.out" "$top/examples/slurm/tune.sh"
until_it_holds is_over
swp tune --merge tune.*.jsonl -o all.jsonl
swp tune space.yaml --log all.jsonl 2>/dev/null >merged.txt
swp tune space.yaml --log one.jsonl 2>/dev/null >one.txt
cat merged.txt
diff <(table merged.txt) <(table one.txt) && echo "the same report as of one machine"
