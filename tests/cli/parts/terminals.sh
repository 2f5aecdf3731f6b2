# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Progress and colours; run.sh sources it.

checks=$((checks + 5))
python3 - "$SWP" "$hard" >"$out" 2>"$err" <<'PYTHON' ||
import os, pty, re, subprocess, sys
swp, hard = sys.argv[1:]
try:
    for end in pty.openpty():
        os.close(end)
except OSError:
    sys.exit(77)

def shown(*words, stream="stderr", **variables):
    """What `swp WORDS` shows on a terminal to which one of its streams goes."""
    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    run = subprocess.Popen([swp, *words], **streams, env=dict(os.environ, TERM="xterm", **variables))
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
running = shown("run", "pingpong", "--seeds", "1000000", "--time-limit", "2")
report = shown("compile", "gemm_ws", stream="stdout")
plain_report = shown("compile", "gemm_ws", stream="stdout", NO_COLOR="1")
print(report, plain_report, searching, wrong, plain, running, sep="\n")
last = searching.rfind(b"Ctrl-C keeps the best")
good = (last >= 0 and b"\r\033[K" in searching[last:]
        and b"\033[1;31m" in wrong and b"\033[" not in plain
        and b"\033[1;32msafe\033[0m" in report and b"safe" in plain_report and b"\033[" not in plain_report
        and re.search(rb"at work for \d+ s \(Ctrl-C stops\)\033\[\?7h\r\033\[K\033\[1mswp", running))
sys.exit(0 if good else 1)
PYTHON
    if [ $? -eq 77 ]; then
        checks=$((checks - 4))
        skipped+=('there are no pseudo-terminals (is /dev/pts mounted?): progress and colours are not tested')
    else
        fail 'progress and colours on a terminal' "$(head -n 5 "$out")"
    fi

# In a log there are plain lines, the first one after 15 seconds: that takes long, so a campaign alone waits for it.
if [ -n "${SWP_FULL:-}" ]; then
    checks=$((checks + 1))
    "$SWP" compile "$hard" --time-limit 17 >"$out" 2>"$err" || true
    if ! grep -q '^swp: bound [0-9]*, best ' "$err" || grep -q $'\033' "$err"; then
        fail 'progress in a log' "$(head -n 5 "$err")"
    fi
fi
