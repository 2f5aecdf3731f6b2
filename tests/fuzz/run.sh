#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh TARGET
# Fuzzes for SWP_FUZZ_SECONDS (10), from the seeds in corpus/TARGET and what earlier runs found.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$1
seeds=tests/fuzz/corpus/$target
dictionary=tests/fuzz/$target.dict
found=build/fuzz/corpus/$target
mkdir -p "$found"

arguments=(-max_total_time="${SWP_FUZZ_SECONDS:-10}" -timeout=10 -artifact_prefix="build/fuzz/$target-")
[ ! -f "$dictionary" ] || arguments+=(-dict="$dictionary")
arguments+=("$found")
[ ! -d "$seeds" ] || arguments+=("$seeds")

"build/fuzz/tests/fuzz/$target" "${arguments[@]}"
