# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C, SIGTERM and SIGKILL; run.sh sources it.

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
import concurrent.futures, os, signal, subprocess, sys, time
swp, path = sys.argv[1:]

def catches(process, number):
    """Whether the process has a handler for the signal, which it has not yet on a busy machine."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        caught = next(line.split()[1] for line in file if line.startswith("SigCgt"))
    return int(caught, 16) >> (number - 1) & 1

def waiting(*words, number=None):
    """The status of a command whose standard input says nothing."""
    ours, theirs = os.pipe()
    with subprocess.Popen([swp, *words, "-o", path], stdin=ours, stderr=subprocess.PIPE) as run:
        if number:
            while run.poll() is None and not catches(run.pid, number):
                time.sleep(0.1)
            time.sleep(0.5)
            run.send_signal(number)
        said = run.communicate(timeout=50)[1].decode()
    os.close(ours), os.close(theirs)
    print(words, run.returncode, said)
    return run.returncode == 3 and "E0918" in said and not os.path.exists(path)

commands = (("compile", "-"), ("verify", "-"), ("run", "-"), ("simulate", "-"), ("explain", "-"),
            ("emit", "-", "--format", "c"), ("diff", "-", "pingpong"), ("audit", "-"), ("solve", "-"),
            ("check-certificate", "-", path + ".answers", path + ".certificates"))
calls = [(words, signal.SIGINT) for words in commands]
calls += [((*words, "--time-limit", "0.1"), None) for words in commands]
calls.append((("compile", "-"), signal.SIGTERM))
with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
    good = list(pool.map(lambda call: waiting(*call[0], number=call[1]), calls))
sys.exit(0 if all(good) else 1)
PYTHON
    fail 'Ctrl-C and the time limit end the wait for an input' "$(head -n 5 "$out")"
holds_only 'no leftovers' interrupted
