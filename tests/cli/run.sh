#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp run.sh
# The command from outside: exit statuses, help, options, outputs, limits, signals.
# shellcheck disable=SC2016 # backquotes in patterns are those of the messages
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
SWP=$(realpath "${SWP:-$top/build/dev/swp}")
cd "$top" || exit 1
if [ ! -x "$SWP" ]; then
    echo "cli: $SWP is not built; set SWP"
    exit 2
fi
unset NO_COLOR
export TERM=xterm

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

# nothing_beside FILE...: the scratch folder `d` holds these and no leftovers
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

part() {
    printf 'cli: %s (%d checks so far)\n' "$1" "$checks"
}

hard=tests/cli/hard.yaml
subcommands='compile verify run simulate explain diff emit solve check-certificate list new help'

# ---------------------------------------------------------------- help

part 'help and versions'
expect 0 --version
says '^swp [0-9]*\.[0-9]*\.[0-9]*$'
cp "$out" "$scratch/version"
expect 0 -V
same '-V is --version' "$scratch/version" "$out"
expect 0 --help
says '^Exit status:'
cp "$out" "$scratch/help"
for subcommand in $subcommands; do
    holds "the help names $subcommand" grep -q "^  $subcommand " "$scratch/help"
done
expect 0 -h
same '-h is --help' "$scratch/help" "$out"
expect 0 help
same 'help is --help' "$scratch/help" "$out"
for subcommand in $subcommands; do
    expect 0 help "$subcommand"
    says "^swp $subcommand: "
    says '^Usage:'
    says '^Examples:'
    says '^  -h, --help'
    for status in 0 1 2 3; do
        says "^  $status  "
    done
    cp "$out" "$scratch/help"
    expect 0 "$subcommand" --help
    same "$subcommand --help" "$scratch/help" "$out"
    expect 0 "$subcommand" -h
    same "$subcommand -h" "$scratch/help" "$out"
done
for option in --set --target --format --output --time-limit --work-limit --diagnostics --color; do
    expect 0 help compile
    says " $option "
done
# Every example of every help is a command that works, but for the user's own files.
"$SWP" new my_kernel -o "$scratch/my_kernel.yaml"
"$SWP" compile pingpong --format json -o "$scratch/pingpong.json"
cp tests/problems/loop.json "$scratch/problem.json"
tr -d '\n' <tests/problems/project.json >"$scratch/loops.jsonl"
cp tests/certificates/loop.answer.json "$scratch/answer.json"
cp tests/certificates/loop.proof "$scratch/proof"
"$SWP" compile stencil --format json -o "$scratch/stencil.json" \
    --certificate "$scratch/stencil.proof" 2>"$err"
for subcommand in $subcommands; do
    "$SWP" help "$subcommand" | sed -n '/^Examples:/,/^$/s/^  \(swp .*\)/\1/p'
done | sort -u >"$scratch/examples"
holds 'there are examples' test "$(wc -l <"$scratch/examples")" -ge 10
while IFS= read -r example; do
    case $example in *'dot -T'*) command -v dot >/dev/null || continue ;; esac
    checks=$((checks + 1))
    (
        cd "$scratch" && PATH=$scratch/bin:$PATH
        mkdir -p bin && ln -sf "$SWP" bin/swp
        cp pingpong.json my_kernel.yaml bin/ && eval "$example"
    ) >"$out" 2>"$err" </dev/null || fail "the help's example: $example" 'does not work'
done <"$scratch/examples"

# ---------------------------------------------------------------- usage

part 'usage'
expect 2
warns 'E0901'
expect 2 no_such_subcommand
expect 2 compil pingpong
warns 'did you mean `compile`'
expect 2 --no-such-option
expect 2 -x compile pingpong
expect 2 help no_such_subcommand
for subcommand in $subcommands; do
    expect 2 "$subcommand" --no-such-option
    warns 'E0902'
    expect 2 "$subcommand" -x
    expect 2 "$subcommand" one two three
done
expect 2 compile pingpong --formt json
warns 'did you mean `--format`'
expect 2 compile
expect 2 compile ''
expect 2 compile pingpong --format
expect 2 compile pingpong --format xml
expect 2 compile pingpong --format dot
expect 2 compile pingpong --help=yes
expect 2 compile pingpong --color sometimes
expect 2 compile pingpong --diagnostics xml
expect 2 compile pingpong --target gfx1
expect 2 compile pingpong --set schedule.max_vgpr
expect 2 compile pingpong --set =1
expect 2 compile pingpong --set schedule.max_vgpx=1
warns 'did you mean `schedule.max_vgpr`'
expect 2 emit pingpong
expect 2 emit pingpong --format xml
expect 2 list no_such_table
expect 2 new
expect 2 new 'not a name'
expect 2 new name --from no_such_start
expect 2 compile no_such_builtin
expect 2 compile no_such_file.yaml
expect 2 compile "$scratch"
expect 0 compile --format=json -- pingpong
expect 0 compile -- pingpong
expect 0 compile pingpong --set schedule.scheduling=greedy --set schedule.scheduling=csp
says 'csp order'
expect 1 compile pingpong --set schedule.max_vgpr=95
warns 'E0401'

# ---------------------------------------------------------------- list

part 'list'
expect 0 list
for word in single_buffer pingpong fourwave mi355x identity greedy csp text json dot; do
    says "^$word "
done
for table in builtins targets strategies formats settings diagnostics; do
    expect 0 list "$table"
    holds "list $table has lines" test "$(wc -l <"$out")" -ge 1
done
expect 0 list settings
awk '{ print $1 }' "$out" | grep '^[a-z_]*\.\|^num_k_tiles$' >"$scratch/settings"
holds 'list settings names all settings' test "$(wc -l <"$scratch/settings")" -ge 60
# A setting that is listed is one that --set knows: an impossible value is not an unknown path.
while IFS= read -r path; do
    expect 2 compile pingpong --set "$path=impossible"
    warns 'E010[458]'
done <"$scratch/settings"
expect 0 list diagnostics
holds 'codes are unique and sorted by kind' \
    test "$(awk '{ print $1 }' "$out" | sort -u | wc -l)" -eq "$(wc -l <"$out")"

# ---------------------------------------------------------------- outputs

part 'the three built-ins in every format'
# A schedule in JSON has phases but no blocks, so its text is another.
for kernel in pingpong fourwave single_buffer; do
    expect 0 emit "$kernel" --format json -o "$scratch/$kernel.json"
    for format in text json dot; do
        expect 0 emit "$kernel" --format "$format"
        cp "$out" "$scratch/$kernel.$format"
        expect 0 emit "$kernel" --format "$format"
        same "two runs of $kernel as $format" "$scratch/$kernel.$format" "$out"
        [ "$format" = dot ] && continue
        expect 0 compile "$kernel" --format "$format"
        same "compile and emit $kernel as $format" "$scratch/$kernel.$format" "$out"
        expect 0 emit "$scratch/$kernel.json" --format "$format"
        cp "$out" "$scratch/again.$format"
        expect 0 compile "$scratch/$kernel.json" --format "$format"
        same "compile and emit $kernel.json as $format" "$scratch/again.$format" "$out"
    done
    same "$kernel from JSON as JSON" "$scratch/$kernel.json" "$scratch/again.json"
    for phase in prologue kernel epilogue; do
        grep -A 5 "^$phase, " "$scratch/$kernel.text" | head -n 1 >"$scratch/a"
        holds "$kernel from JSON has the $phase" grep -qxf "$scratch/a" "$scratch/again.text"
    done
    holds "$kernel.json is JSON" valid_json "$scratch/$kernel.json"
    expect 0 emit "$kernel" --format c --allow-unsafe -o "$scratch/$kernel.h"
    expect 0 emit "$scratch/$kernel.json" --format c --allow-unsafe
    says "swp emit $kernel.json --format c --allow-unsafe"
    sed "s/$kernel.json/$kernel/" "$out" >"$scratch/a"
    same "$kernel from JSON as C header" "$scratch/$kernel.h" "$scratch/a"
    expect 0 emit "$scratch/$kernel.json" --format dot
    same "$kernel from JSON as dot" "$scratch/$kernel.dot" "$out"
    if command -v dot >/dev/null; then
        holds "$kernel.dot parses" dot -Tsvg "$scratch/$kernel.dot" -o "$scratch/$kernel.svg"
        holds "$kernel.svg is XML" python3 -c \
            'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$scratch/$kernel.svg"
    fi
    expect 0 compile "$kernel"
    same "text is the default of compile" "$scratch/$kernel.text" "$out"
done
quoted=(emit "$scratch/it's one.json" --format c --allow-unsafe)
cp "$scratch/pingpong.json" "${quoted[1]}"
expect 0 "${quoted[@]}"
says "swp emit 'it'\"'\"'s one.json' --format c --allow-unsafe"
long=geometry.block=$(printf '%020000d' 256),256,64
for _ in {1..60}; do
    quoted+=(--set "$long")
done
quoted[1]=pingpong
expect 0 "${quoted[@]}"
holds 'a command of more than 1 MiB is printed whole' [ "$(wc -c <"$out")" -gt 1200000 ]
command -v dot >/dev/null || skipped+=('graphviz is not installed: dot output not parsed')
for words in '--set schedule.max_vgpr=96' '--target mi355x'; do
    # shellcheck disable=SC2086
    expect 2 compile "$scratch/pingpong.json" $words
    warns 'E0909'
done
penalty=(--set schedule.lds_contention_penalty=20 --set schedule.max_vgpr=96)
expect 0 compile pingpong "${penalty[@]}" --format json
cp "$out" "$scratch/penalty.json"
expect 0 compile pingpong "${penalty[@]}" --format json
same 'two searches' "$scratch/penalty.json" "$out"

part 'standard input'
for kernel in pingpong fourwave single_buffer; do
    expect 0 compile "kernels/$kernel.yaml" --format json
    cp "$out" "$scratch/from_file"
    expect 0 compile - --format json <"kernels/$kernel.yaml"
    same "$kernel.yaml on standard input" "$scratch/from_file" "$out"
    expect 0 compile - --format json <"$scratch/$kernel.json"
    same "$kernel.json on standard input" "$scratch/$kernel.json" "$out"
done
expect 2 compile - </dev/null
expect 2 compile - <<<'swp: 2'
warns '^<stdin>:1:6: error\[E'
expect 2 compile - <&-
mkdir -p "$scratch/names" && echo 'garbage: 1' >"$scratch/names/pingpong"
checks=$((checks + 1))
(cd "$scratch/names" && "$SWP" compile pingpong) >"$out" 2>"$err" ||
    fail 'a built-in wins over a file of its name'
checks=$((checks + 1))
(cd "$scratch/names" && ! "$SWP" compile ./pingpong) >"$out" 2>"$err" ||
    fail './NAME is the file of a built-in'"'"'s name'

part '-o'
mkdir "$scratch/d"
expect 0 compile pingpong --format json -o "$scratch/d/a"
same '-o writes what standard output shows' "$scratch/pingpong.json" "$scratch/d/a"
holds 'nothing on standard output with -o' test ! -s "$out"
for length in 3 100000; do
    head -c "$length" /dev/zero >"$scratch/d/a"
    expect 0 compile pingpong --format json --output="$scratch/d/a"
    same '-o replaces a file whole' "$scratch/pingpong.json" "$scratch/d/a"
done
holds_only 'no leftovers' a
chmod 640 "$scratch/d/a"
expect 0 compile pingpong --format json -o"$scratch/d/a"
holds '-o keeps the mode of a file' test "$(stat -c %a "$scratch/d/a")" = 640
rm "$scratch/d/a" && ln -s ../linked "$scratch/d/a" && echo old >"$scratch/linked"
expect 0 compile pingpong --format json -o "$scratch/d/a"
holds '-o follows a symbolic link' test -L "$scratch/d/a"
same '-o writes behind a symbolic link' "$scratch/pingpong.json" "$scratch/linked"
rm "$scratch/d/a" && echo old >"$scratch/d/a" && cp "$scratch/d/a" "$scratch/old"
expect 1 compile pingpong --set schedule.max_vgpr=95 -o "$scratch/d/a"
same 'status 1 leaves the file alone' "$scratch/old" "$scratch/d/a"
expect 2 compile pingpong --set pipeline.depth=3 -o "$scratch/d/a"
same 'status 2 leaves the file alone' "$scratch/old" "$scratch/d/a"
expect 1 compile pingpong --set schedule.max_vgpr=95 -o "$scratch/d/b"
expect 2 compile pingpong --set pipeline.depth=3 -o "$scratch/d/b"
expect 2 compile no_such_file.yaml -o "$scratch/d/b"
holds_only 'refusals make no file' a
expect 2 compile pingpong -o "$scratch/d/none/b"
expect 2 compile pingpong -o "$scratch/d/a/b"
expect 2 compile pingpong -o "$scratch/d"
expect 2 compile pingpong -o ''
holds_only 'impossible paths make no file' a
expect 0 compile pingpong -o - --format json
same '-o - is standard output' "$scratch/pingpong.json" "$out"
expect 0 compile pingpong -o /dev/null
if [ -c /dev/full ]; then
    expect 2 compile pingpong -o /dev/full
    warns 'E0908.*/dev/full'
    for words in 'compile pingpong' 'list' 'new name' 'help' '--version'; do
        checks=$((checks + 1))
        # shellcheck disable=SC2086
        "$SWP" $words >/dev/full 2>"$err"
        judge 2 $? "swp $words >/dev/full"
    done
else
    skipped+=('there is no /dev/full')
fi
checks=$((checks + 1))
: >"$out"
"$SWP" compile pingpong >&- 2>"$err"
judge 2 $? 'standard output closed'
checks=$((checks + 1))
"$SWP" compile pingpong --format json 2>"$err" | head -c 10 >/dev/null
holds 'a reader that leaves ends the command quietly' test ! -s "$err"
as_nobody=()
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
chmod 711 "$scratch" && chmod 555 "$scratch/d" && chmod 444 "$scratch/d/a"
if [ "$(id -u)" -ne 0 ] || { [ ${#as_nobody[@]} -gt 0 ] &&
    "${as_nobody[@]}" "$SWP" --version >/dev/null 2>&1; }; then
    for file in a b; do
        checks=$((checks + 1)) status=0
        "${as_nobody[@]}" "$SWP" compile pingpong -o "$scratch/d/$file" >"$out" 2>"$err" || status=$?
        judge 2 "$status" "swp compile pingpong -o FILE in a read-only folder ($file)"
        warns 'E0908'
    done
    same 'a read-only file stays' "$scratch/old" "$scratch/d/a"
else
    skipped+=('run as root without another user: no unwritable folder')
fi
chmod 755 "$scratch/d"
holds_only 'a read-only folder stays as it was' a

# ---------------------------------------------------------------- diagnostics

part 'diagnostics'
cat >"$scratch/wrong.yaml" <<'YAML'
swp: 1
kernel: pingpong
pipelne: {max_globals: 1}
schedule:
  max_vgpr: many
  max_vgpr: 96
YAML
expect 2 compile "$scratch/wrong.yaml"
warns 'wrong.yaml:3:1: error\[E0102\]: '
warns '^    3 | pipelne: {max_globals: 1}$'
warns '^      | ^$'
warns '^  hint: .*pipeline'
holds 'all errors of a file are reported' test "$(grep -c 'error\[' "$err")" -ge 2
holds 'no colour in a file' test -z "$(grep $'\033' "$err")"
expect 2 compile "$scratch/wrong.yaml" --color always
warns $'\033\\['
expect 2 compile "$scratch/wrong.yaml" --diagnostics json
holds 'diagnostics are JSON lines' valid_diagnostics "$err"
hostile=$scratch/$'we"ird\\ \n\t\xff\x01.yaml'
cp "$scratch/wrong.yaml" "$hostile"
for words in "$hostile" "no such"$'\n\xff\x1b[31m' no_such_file.yaml '' -; do
    expect 2 compile "$words" --diagnostics json </dev/null
    holds "diagnostics of \`$(printf %q "$words")\` are JSON lines" valid_diagnostics "$err"
done
expect 2 compile "no such"$'\x1b[31m.yaml'
holds 'no escape of the input reaches the terminal' test -z "$(grep $'\033' "$err")"
expect 0 compile pingpong --set schedule.wait_vm_last=3 --diagnostics json
holds 'warnings are JSON lines' valid_diagnostics "$err"
warns '"severity": "warning"'
expect 0 compile pingpong --set schedule.wait_vm_last=3
warns 'warning\[W0201\]'
for words in '' '--nope' 'nope' 'compile' 'compile a b' 'emit pingpong' 'list nope' 'help nope'; do
    # shellcheck disable=SC2086
    expect 2 $words --diagnostics json
done
expect 2 compile --diagnostics=json --nope
holds 'usage errors are JSON lines' valid_diagnostics "$err"

# ---------------------------------------------------------------- new

part 'new'
for start in pingpong fourwave single_buffer body; do
    expect 0 new fresh --from "$start"
    cp "$out" "$scratch/fresh.yaml"
    expect 0 new fresh --from "$start" -o "$scratch/d/fresh.yaml"
    same "new -o" "$scratch/fresh.yaml" "$scratch/d/fresh.yaml"
    expect 0 compile "$scratch/fresh.yaml" --format json
    if [ "$start" = fourwave ]; then
        warns 'warning\[W0702\]' # as published it is not safe
    else
        holds "a new $start compiles without a word" test ! -s "$err"
    fi
    cp "$out" "$scratch/fresh.json"
    if [ "$start" != body ]; then
        sed "s/^  \"name\": \"fresh\"/  \"name\": \"$start\"/" "$scratch/fresh.json" >"$scratch/a"
        same "a new $start is the built-in" "$scratch/$start.json" "$scratch/a"
    fi
    # The settings in comments have the value that they have anyway.
    sed -E '/^# Every setting/,/^# A loop of your own/ s/^# (  |[a-z]+:$|num_k_tiles:)/\1/' "$scratch/fresh.yaml" \
        >"$scratch/uncommented.yaml"
    expect 0 compile "$scratch/uncommented.yaml" --format json
    # A tile shape that is stated is on record; its counts are stated, too, and win.
    sed '/^  "geometry": {/,/^  },/d' "$scratch/fresh.json" >"$scratch/a"
    sed '/^  "geometry": {/,/^  },/d' "$out" >"$scratch/b"
    same "a new $start with every setting stated" "$scratch/a" "$scratch/b"
done
expect 0 new fresh
cp "$out" "$scratch/fresh.yaml"
expect 0 new fresh --from pingpong
same 'pingpong is the start by default' "$scratch/fresh.yaml" "$out"
expect 0 new fresh --from gemm_tile
cp "$out" "$scratch/fresh.yaml"
expect 0 compile "$scratch/fresh.yaml" --set variables.bk=128 --format json
holds 'a new gemm_tile with another tile compiles without a word' test ! -s "$err"
cp "$out" "$scratch/given.json"
sed 's/^  bk: 64$/  bk: 128/' "$scratch/fresh.yaml" >"$scratch/edited.yaml"
expect 0 compile "$scratch/edited.yaml" --format json
same 'a variable that is given and one that is edited' "$scratch/given.json" "$out"
expect 2 compile "$scratch/fresh.yaml" --set variables.kb=128
warns '^--set:1:11: error\[E0102\]'

# ---------------------------------------------------------------- limits and signals

part 'limits'
for value in 0 -1 1e9 nan inf 0x10 . '' 1s; do
    expect 2 compile pingpong --time-limit "$value"
    expect 2 compile pingpong --time-limit="$value"
done
for value in 0 -1 1.5 x '' 18446744073709551616 1e3; do
    expect 2 compile pingpong --work-limit "$value"
    expect 2 compile pingpong --work-limit="$value"
done
for value in 1 0.5 .5 3600; do
    expect 0 compile pingpong --time-limit "$value"
done
for value in 1 18446744073709551615; do
    expect 0 compile pingpong --work-limit "$value"
done
limited=(compile "$hard" --work-limit 20000 --time-limit 600 --format json)
expect 3 "${limited[@]}"
warns 'warning\[W0401\]'
holds 'what status 3 gives is JSON' valid_json "$out"
says '"optimal": false'
cp "$out" "$scratch/limited.json"
expect 3 "${limited[@]}"
same '--work-limit is reproducible' "$scratch/limited.json" "$out"
echo old >"$scratch/d/best"
expect 3 "${limited[@]}" -o "$scratch/d/best"
same 'status 3 writes the best so far, whole' "$scratch/limited.json" "$scratch/d/best"
expect 0 compile "$scratch/limited.json" --format json
same 'a best so far is an input too' "$scratch/limited.json" "$out"
expect 3 compile "$hard" --time-limit 1
warns 'warning\[W0401\]'
expect 3 compile "$hard" --time-limit 1 --format json
says '"optimal": false'

part 'signals'
checks=$((checks + 3))
python3 - "$SWP" "$hard" "$scratch/d/interrupted" >"$out" 2>"$err" <<'PYTHON' ||
import json, signal, subprocess, sys, time
swp, hard, path = sys.argv[1:]
began = time.monotonic()
with subprocess.Popen([swp, "compile", hard, "--time-limit", "60", "--format", "json", "-o", path],
                      stderr=subprocess.PIPE) as run:
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=50)[1].decode()
status, seconds = run.returncode, time.monotonic() - began
print(f"status {status} after {seconds:.1f} s: {said}")
with open(path, encoding="utf-8") as file:
    metrics = json.load(file)["metrics"]
good = status == 3 and seconds < 30 and "W0401" in said and metrics["makespan"] > 0
sys.exit(0 if good and not metrics["optimal"] else 1)
PYTHON
    fail 'Ctrl-C keeps the best so far, with status 3' "$(head -n 5 "$out")"
checks=$((checks + 1))
python3 - "$SWP" "$hard" "$scratch/d/interrupted" >"$out" 2>"$err" <<'PYTHON' ||
import os, signal, subprocess, sys, time
swp, hard, path = sys.argv[1:]
before = open(path, "rb").read()
def end(number):
    """The status of a search that gets the signal, and whether it left the file alone."""
    with subprocess.Popen([swp, "compile", hard, "--time-limit", "60", "-o", path],
                          stderr=subprocess.DEVNULL) as run:
        time.sleep(2)
        run.send_signal(number)
        run.wait(timeout=50)
    print(f"status {run.returncode}")
    return run.returncode, open(path, "rb").read() == before

killed = end(signal.SIGKILL)
sys.exit(0 if killed == (-signal.SIGKILL, True) and end(signal.SIGTERM) == (3, False) else 1)
PYTHON
    fail 'a killed search leaves the file alone, and SIGTERM writes the best' "$(head -n 5 "$out")"
checks=$((checks + 3))
python3 - "$SWP" >"$out" 2>"$err" <<'PYTHON' ||
import json, signal, subprocess, sys, time

def stopped_after(seconds):
    """Whether the signal ends the command with the runs so far. A busy machine may not have begun them."""
    with subprocess.Popen([sys.argv[1], "run", "pingpong", "--n", "2..4096", "--seeds", "1000000",
                           "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        time.sleep(seconds)
        run.send_signal(signal.SIGINT)
        text, said = (output.decode() for output in run.communicate(timeout=50))
    print(f"status {run.returncode} after {seconds} s: {said}")
    runs = json.loads(text or "{}")
    return run.returncode == 3 and "W0401" in said and runs.get("stopped") and runs.get("runs")

sys.exit(0 if any(stopped_after(seconds) for seconds in (2, 10, 30)) else 1)
PYTHON
    fail 'Ctrl-C ends runs with what there is' "$(head -n 5 "$out")"
python3 - "$SWP" >"$out" 2>"$err" <<'PYTHON' ||
import signal, subprocess, sys, time
with subprocess.Popen([sys.argv[1], "compile", "pingpong", "--format", "json"],
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pipesize=4096) as run:
    run.stdout.read(1)
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    run.wait(timeout=50)
print(f"status {run.returncode}")
sys.exit(0 if run.returncode == 3 else 1)
PYTHON
    fail 'Ctrl-C ends a result that nobody reads' "$(head -n 5 "$out")"
python3 - "$SWP" "$scratch/d/none" >"$out" 2>"$err" <<'PYTHON' ||
import os, signal, subprocess, sys, time
swp, path = sys.argv[1:]

def waiting(*words, number=None):
    """The status of a command whose standard input says nothing."""
    ours, theirs = os.pipe()
    with subprocess.Popen([swp, *words, "-o", path], stdin=ours, stderr=subprocess.PIPE) as run:
        time.sleep(0.5)
        if number:
            run.send_signal(number)
        said = run.communicate(timeout=50)[1].decode()
    os.close(ours), os.close(theirs)
    print(words, run.returncode, said)
    return run.returncode == 3 and "E0918" in said and not os.path.exists(path)

commands = (("compile", "-"), ("verify", "-"), ("run", "-"), ("simulate", "-"), ("explain", "-"),
            ("emit", "-", "--format", "c"), ("diff", "-", "pingpong"), ("audit", "-"), ("solve", "-"),
            ("check-certificate", "-", path + ".answers", path + ".certificates"))
good = [waiting(*words, number=signal.SIGINT) for words in commands]
good += [waiting(*words, "--time-limit", "0.1") for words in commands]
good.append(waiting("compile", "-", number=signal.SIGTERM))
sys.exit(0 if all(good) else 1)
PYTHON
    fail 'Ctrl-C and the time limit end the wait for an input' "$(head -n 5 "$out")"

part 'terminals'
checks=$((checks + 3))
python3 - "$SWP" "$hard" >"$out" 2>"$err" <<'PYTHON' ||
import os, pty, subprocess, sys
swp, hard = sys.argv[1:]

def shown(*words, **variables):
    """What `swp WORDS` shows on a terminal."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen([swp, *words], stdout=subprocess.DEVNULL, stderr=theirs,
                           env=dict(os.environ, TERM="xterm", **variables))
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:  # the other end is closed
        pass
    run.wait()
    os.close(ours)
    return text

searching = shown("compile", hard, "--time-limit", "2")
wrong = shown("compile", "no_such_builtin")
plain = shown("compile", "no_such_builtin", NO_COLOR="1")
print(searching, wrong, plain, sep="\n")
last = searching.rfind(b"Ctrl-C keeps the best")
good = (last >= 0 and b"\r\033[K" in searching[last:]
        and b"\033[1;31m" in wrong and b"\033[" not in plain)
sys.exit(0 if good else 1)
PYTHON
    fail 'progress and colours on a terminal' "$(head -n 5 "$out")"
holds_only 'no leftovers at all' a best fresh.yaml interrupted

# ---------------------------------------------------------------- safety and cycles

# shellcheck source=tests/cli/verify.sh
. "$here/verify.sh"

# ---------------------------------------------------------------- reasons and comparisons

# shellcheck source=tests/cli/explain.sh
. "$here/explain.sh"
# Sanitizers need more memory than what that allows, and minutes.
# shellcheck source=tests/cli/sizes.sh
[ -n "${SWP_SANITIZE:-}" ] || . "$here/sizes.sh"
# shellcheck source=tests/cli/diff.sh
. "$here/diff.sh"
# shellcheck source=tests/cli/solve.sh
. "$here/solve.sh"
# shellcheck source=tests/cli/files.sh
. "$here/files.sh"
# shellcheck source=tests/cli/certificate.sh
. "$here/certificate.sh"

# ----------------------------------------------------------------

for reason in "${skipped[@]}"; do
    printf 'cli: skipped: %s\n' "$reason"
done
printf 'cli: %d checks, %d failed\n' "$checks" "$failures"
[ "$failures" -eq 0 ]
