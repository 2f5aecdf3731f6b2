#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh SWP
# Each line of commands.txt is what follows `swp` in a shell, run from the top of the source tree; one that begins with + only
# with SWP_FULL.
set -euo pipefail
cd "$(dirname "$0")/../.."

swp=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch

failures=0 commands=0
while IFS= read -r line; do
    case $line in
    '' | '#'*) continue ;;
    '+ '*)
        [ -n "${SWP_FULL:-}" ] || continue
        line=${line#+ }
        ;;
    esac
    status=0 commands=$((commands + 1))
    eval "valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
        --errors-for-leak-kinds=all --log-file=\"\$scratch/valgrind\" \"\$swp\" $line" \
        </dev/null >"$scratch/output" 2>&1 || status=$?
    # 0 to 3 are the command's own answers.
    if [ "$status" -gt 3 ]; then
        echo "swp $line: exit status $status"
        cat "$scratch/output" "$scratch/valgrind"
        failures=$((failures + 1))
    fi
done <tests/valgrind/commands.txt
echo "valgrind: $commands commands, $failures failures"
[ "$failures" -eq 0 ]
