# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# `-o`; run.sh sources it.

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
# A reader that leaves is no bad usage: the command ends as others do, by SIGPIPE, and says nothing.
for words in 'compile pingpong --format json' 'list diagnostics' 'help compile' 'schema schedule' '--version'; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    "$SWP" $words 2>"$err" | true
    status=${PIPESTATUS[0]}
    case $status in
    0 | 141) ;;
    *) fail "swp $words, which nobody reads" "exit status $status, wanted 141, or 0 where all was written" ;;
    esac
    holds "swp $words says nothing to nobody" test ! -s "$err"
done
checks=$((checks + 1))
python3 - "$SWP" <<'PYTHON' || fail 'a pipe that is closed from the start' 'ends by something else than SIGPIPE'
import os, signal, subprocess, sys
reads, writes = os.pipe()
os.close(reads)
run = subprocess.run([sys.argv[1], "compile", "pingpong"], stdout=writes, stderr=subprocess.PIPE, check=False)
sys.exit(0 if run.returncode == -signal.SIGPIPE and not run.stderr else 1)
PYTHON
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
