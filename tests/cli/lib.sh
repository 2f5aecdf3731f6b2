# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: Apache-2.0
# How parts/ runs the command and says what it expected; run.sh sources it.

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
out=$scratch/stdout err=$scratch/stderr
checks=0 failures=0 skipped=()

# fail LINE...: what is said after the name of the check that failed
fail() {
    failures=$((failures + 1))
    printf 'FAIL %s\n' "$1"
    shift
    printf '     %s\n' "$@"
    [ ! -s "$err" ] || head -n 6 "$err" | sed 's/^/     stderr: /'
}

# expect STATUS WORD...: runs `swp WORD...`. An answer (0, 3) stands on standard output without an
# error, and a refusal (1, 2) says why on standard error and prints nothing else.
expect() {
    local wanted=$1 status=0
    shift
    checks=$((checks + 1))
    "$SWP" "$@" >"$out" 2>"$err" || status=$?
    judge "$wanted" "$status" "swp $*"
}

judge() {
    local wanted=$1 status=$2 what=$3
    if [ "$status" -ne "$wanted" ]; then
        fail "$what" "exit status $status, wanted $wanted"
    elif [ "$wanted" -eq 1 ] || [ "$wanted" -eq 2 ]; then
        [ ! -s "$out" ] || fail "$what" 'printed something on standard output'
        grep -q 'error\[E[0-9]*\]\|"severity": "error"' "$err" || fail "$what" 'printed no error'
    else
        ! grep -q 'error\[' "$err" || fail "$what" 'printed an error'
    fi
}

# says PATTERN, warns PATTERN: of the last command's standard output and error
says() {
    checks=$((checks + 1))
    grep -q -- "$1" "$out" || fail "standard output has no \`$1\`"
}
warns() {
    checks=$((checks + 1))
    grep -q -- "$1" "$err" || fail "standard error has no \`$1\`"
}

# judged STATUS WORD...: runs `swp verify WORD...`. The report of an unsafe schedule (1) stands on
# standard output, like that of a safe one (0).
judged() {
    local wanted=$1 status=0
    shift
    checks=$((checks + 1))
    "$SWP" verify "$@" >"$out" 2>"$err" || status=$?
    [ "$status" -eq "$wanted" ] || fail "swp verify $*" "exit status $status, wanted $wanted"
    [ -s "$out" ] || fail "swp verify $*" 'printed nothing'
    ! grep -q 'error\[' "$err" || fail "swp verify $*" 'printed an error'
}

# answers STATUS WORD...: as expect, but the answers stand on standard output whatever the status is.
answers() {
    local wanted=$1 status=0
    shift
    checks=$((checks + 1))
    "$SWP" "$@" >"$out" 2>"$err" || status=$?
    [ "$status" -eq "$wanted" ] || fail "swp $*" "exit status $status, wanted $wanted"
}

# same WHAT FILE FILE
same() {
    checks=$((checks + 1))
    cmp -s "$2" "$3" || fail "$1" "$(diff "$2" "$3" | head -n 10)"
}

# holds WHAT COMMAND...: the command, a test, succeeds
holds() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what" "not so: $*"
}

# holds_only WHAT FILE...: the scratch folder `d` holds these and no leftovers
holds_only() {
    local what=$1
    shift
    checks=$((checks + 1))
    local found
    found=$(cd "$scratch/d" && find . -mindepth 1 | sed 's,^\./,,' | sort | xargs)
    [ "$found" = "$*" ] || fail "$what" "the folder holds: $found" "wanted: $*"
}

valid_json() {
    python3 -m json.tool "$1" >/dev/null
}

# Every line is an object with the seven members of a diagnostic.
valid_diagnostics() {
    python3 - "$1" <<'PYTHON'
import json, sys
wanted = ["severity", "code", "message", "hint", "file", "line", "column"]
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
rows = [json.loads(line) for line in lines]
good = rows and all(list(row) == wanted and row["severity"] in ("error", "warning")
                    and row["code"][0] == row["severity"][0].upper() for row in rows)
sys.exit(0 if good else 1)
PYTHON
}

# part WHAT: a long one says where it is
part() {
    printf 'cli: %s (%d checks so far)\n' "$1" "$checks"
}

hard=tests/cli/hard.yaml
subcommands='compile verify run simulate explain diff emit solve check-certificate list new help'

# What parts find in the scratch folder: two folders of their own, and the built-in schedules.
mkdir "$scratch/d" "$scratch/v"
for kernel in pingpong fourwave single_buffer; do
    "$SWP" compile "$kernel" --format json -o "$scratch/$kernel.json" 2>"$err"
done
