#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SPACE=space.yaml sbatch --array=1-64 examples/slurm/tune.sh
#        swp tune --merge tune.*.jsonl -o all.jsonl && swp tune "$SPACE" --log all.jsonl
# One shard of the space for each job of the array. A job that is requeued goes on with its own log.
#SBATCH --job-name=swp-tune
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

: "${SPACE:?the file of the space}"
first=${SLURM_ARRAY_TASK_MIN:?run me as an array of jobs}
shard=$((SLURM_ARRAY_TASK_ID - first + 1))
count=$((SLURM_ARRAY_TASK_MAX - first + 1))
if [ "$count" -ne "${SLURM_ARRAY_TASK_COUNT:-$count}" ]; then
    echo "tune.sh: an array of numbers without gaps, from the first shard to the last" >&2
    exit 2
fi
exec swp tune "$SPACE" --shard "$shard/$count" --log "tune.$shard.jsonl"
