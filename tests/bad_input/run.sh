#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [NAME]...
# Every bad input gets exactly its diagnostics and exit status, and nothing half done on stdout.
#
# NAME.yaml is what `swp compile NAME.yaml` reads; NAME.args holds the arguments of a case about the
# command line. NAME.expected is stderr, then the exit status. SWP names the command; UPDATE=1 takes
# what it prints as the new expectations, to be read before they are kept.
set -euo pipefail
cd "$(dirname "$0")"
swp=$(realpath "${SWP:-../../build/dev/swp}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names=("$@")
if [ $# -eq 0 ]; then
    mapfile -t names < <(printf '%s\n' *.yaml *.args | sed 's/\.[a-z]*$//' | sort)
fi

# stderr and status into $work/actual, stdout into $work/stdout
run_case() {
    local -a arguments=(compile "$1.yaml")
    [ ! -f "$1.args" ] || read -ra arguments <"$1.args"
    local status=0
    "$swp" "${arguments[@]}" >"$work/stdout" 2>"$work/actual" </dev/null || status=$?
    # A search that takes 15 seconds on a busy machine says where it is.
    sed -i '/^swp: .* (Ctrl-C /d' "$work/actual"
    echo "exit: $status" >>"$work/actual"
    case $status in
    0 | 3) return ;;
    esac
    [ ! -s "$work/stdout" ] || echo "stdout is not empty" >>"$work/actual"
}

failed=0
for name in "${names[@]}"; do
    run_case "$name"
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/actual" "$name.expected"
    elif ! diff -u "$name.expected" "$work/actual" >"$work/diff"; then
        cat "$work/diff"
        failed=$((failed + 1))
    fi
done
echo "bad_input: $((${#names[@]} - failed)) of ${#names[@]} cases pass"
[ "$failed" -eq 0 ]
