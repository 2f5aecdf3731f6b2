#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit --advice`: what it advises holds, each by itself and all at once.

    SWP=path/to/swp tests/audit/advice.py FILE.s...     tries what it advises of these files (bench/audit_triton.py writes some)
"""

import re
import sys

import checks
from checks import audit, check, expect, path_of, read, replace
from waves import ARGUMENTS, COPY, LGKM, MEET, READ, VM, WRITE, kernel

USE, USE_4 = "v_mov_b32_e32 v9, v3", "v_mov_b32_e32 v10, v4"
TWO_READS = ("ds_read_b32 v3, v1", "ds_read_b32 v4, v1")
TWO_LOADS = ("global_load_dword v3, v1, s[4:5]", "global_load_dword v4, v1, s[4:5] offset:4")
STORE = "global_store_dword v1, v5, s[4:5]"
SAFE_READ = (LGKM, MEET, READ, LGKM, USE)

# (what, lines, what becomes of which of them: {index: what to write instead}, what the descriptor says besides)
CASES = [
    ("nothing too strong", (WRITE, *SAFE_READ), {}),
    ("two barriers", (WRITE, LGKM, MEET, MEET, READ, LGKM, USE), {2: ""}),
    ("a wait twice", (WRITE, LGKM, LGKM, MEET, READ, LGKM, USE), {1: ""}),
    ("one weaker", (*TWO_READS, LGKM, USE, LGKM, USE_4), {2: "s_waitcnt lgkmcnt(1)"}),
    ("as a number", (*TWO_READS, "s_waitcnt 0xc07f", USE, LGKM, USE_4), {2: "s_waitcnt lgkmcnt(1)"}),
    ("with expcnt", (*TWO_READS, "s_waitcnt expcnt(0) & lgkmcnt(0)", USE, LGKM, USE_4),
     {2: "s_waitcnt expcnt(0) lgkmcnt(1)"}),
    ("with expcnt as a number", (*TWO_READS, "s_waitcnt 0xc00f", USE, LGKM, USE_4), {2: "s_waitcnt expcnt(0) lgkmcnt(1)"}),
    ("one of two counters", (*TWO_READS, "s_waitcnt vmcnt(0) lgkmcnt(1)", USE, LGKM, USE_4), {2: "s_waitcnt lgkmcnt(1)"}),
    ("a load", (*TWO_LOADS, VM, USE, VM, USE_4, WRITE, *SAFE_READ), {2: "s_waitcnt vmcnt(1)"}),
    ("a load to LDS", (*TWO_LOADS, COPY, VM, MEET, READ, LGKM, USE, USE_4), {}),
    ("a load to LDS that nobody reads", (*TWO_LOADS, COPY, VM, USE, USE_4), {3: "s_waitcnt vmcnt(1)"}),
    # Others may count on the end of a store.
    ("a store", (STORE, *TWO_LOADS, VM, USE, VM, USE_4, WRITE, *SAFE_READ), {3: "s_waitcnt vmcnt(1)"}),
    ("a store last", (*TWO_LOADS, STORE, VM, USE, USE_4, WRITE, *SAFE_READ), {}),
    # Other work groups may count on the order of loads.
    ("a scope", (*TWO_LOADS[:1], TWO_LOADS[1] + " sc1", VM, USE, VM, USE_4, WRITE, *SAFE_READ), {}),
    ("an invalidation", (*TWO_LOADS, VM, "buffer_inv sc1", USE, USE_4, WRITE, *SAFE_READ), {}),
    ("an atomic", (*TWO_LOADS, VM, USE, VM, USE_4, "global_atomic_add v1, v5, s[4:5]", WRITE, *SAFE_READ), {}),
    ("waves of several units", (*TWO_LOADS, VM, USE, VM, USE_4, WRITE, *SAFE_READ), {}, "\t\t.amdhsa_tg_split 1\n"),
    # A barrier may order what waves store and load.
    ("a barrier between stores and loads", (STORE, VM, MEET, *TWO_LOADS, VM, USE, USE_4, WRITE, *SAFE_READ), {}),
    ("a barrier between loads and stores", (*TWO_LOADS, VM, USE, USE_4, MEET, STORE, WRITE, *SAFE_READ), {}),
    ("a barrier between loads", (TWO_LOADS[0], VM, USE, MEET, TWO_LOADS[1], VM, USE_4, WRITE, *SAFE_READ), {3: ""}),
    # One of them is enough.
    ("two barriers between stores and loads",
     (STORE, VM, MEET, WRITE, LGKM, MEET, READ, LGKM, USE, *TWO_LOADS, VM, USE, USE_4), {2: ""}),
]


def apply(lines, advice):
    """The text with what is advised."""
    lines = list(lines)
    for one in advice:
        at = one["at"]["line"] - 1
        if not check(one["at"]["text"] in lines[at], f"line {at + 1} is {lines[at]!r}, not {one['at']}"):
            continue
        lines[at] = f"\t{one['enough']}\n"
    return "".join(lines)


def check_advice(text, where):
    """The report of a text, after checks that what it advises holds."""
    report = expect("no_fault", text, where, "--advice")
    advice = report.get("advice", [])
    lines = text.splitlines(keepends=True)
    for part in [advice] * (len(advice) > 0) + [[one] for one in advice] * (len(advice) > 1):
        edited = expect("no_fault", apply(lines, part), f"{where}: with {part}")
        check(len(edited.get("assumptions", [])) <= len(report["assumptions"]),
              f"{where}: with {part}: {edited.get('assumptions')}")
    return report


def check_cases():
    for what, lines, wanted, *descriptor in CASES:
        # What the head loads is used.
        text = kernel(("s_mov_b32 s20, s4", *lines), ARGUMENTS + "".join(descriptor))
        report = check_advice(text, f"advice: {what}")
        first = text.splitlines().index("\ts_mov_b32 s20, s4") + 2
        found = {one["at"]["line"] - first: one["enough"] for one in report.get("advice", [])}
        check(found == wanted, f"advice: {what}: {found}, wanted {wanted}")


# --- cycles ----------------------------------------------------------------------------------------

LATENCIES = {"ds_": ("lgkmcnt", 20), "buffer_load": ("vmcnt", 200), "global_load": ("vmcnt", 200)}
PASSES = 64


def cycles_a_pass(lines):
    """One wave, an instruction a cycle, in a loop whose accesses end in order; in the steady state."""
    now, starts = 0, []
    flight = {"lgkmcnt": [], "vmcnt": []}
    matrix_free = 0
    for _ in range(PASSES):
        starts.append(now)
        for line in lines:
            timed = next((LATENCIES[name] for name in LATENCIES if line.startswith(name)), None)
            waits = re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", line) if line.startswith("s_waitcnt") else [None]
            for wait in waits:
                if wait:
                    outstanding = flight[wait[0]]
                    done = outstanding[:len(outstanding) - int(wait[1])]
                    now = max([now, *done])
                if timed:
                    ends = flight[timed[0]]
                    ends.append(max([now + timed[1], *ends[-1:]]))
                if line.startswith("v_mfma"):
                    now = max(now, matrix_free)
                    matrix_free = now + 16
                now += 1
    return (starts[-1] - starts[PASSES // 2]) / (PASSES - 1 - PASSES // 2)


def loop_of(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[lines.index(".Lloop:") + 1:next(i for i, line in enumerate(lines) if "s_cbranch" in line) + 1]


def check_cycles():
    ready = read(path_of("ready.s"))
    check(check_advice(ready, "ready.s")["paces"] == [], "ready.s: there is nothing to advise, but a pace")
    use = "\tv_add_u32_e32 v2, v1, v2\n"
    mfma = "\tv_mfma_f32_16x16x16_bf16 v[12:15], v[8:9], v[10:11], v[12:15]\n"
    for what, edited in (("vmcnt", replace(ready, use, "\ts_waitcnt vmcnt(0)\n" + use)),
                         ("both", replace(ready, "\ts_waitcnt lgkmcnt(0)\n\tv_add", "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\tv_add")),
                         ("beside a product", replace(ready, use, "\ts_waitcnt vmcnt(0)\n" + use + 3 * mfma)),
                         ("lgkmcnt", replace(ready, "\ts_add_i32", "\ts_waitcnt lgkmcnt(0)\n\ts_add_i32"))):
        report = check_advice(edited, f"cycles: {what}")
        if not check(len(report.get("advice", [])) == 1 and len(report["paces"]) == 1, f"cycles: {what}: {report}"):
            continue
        lines = edited.splitlines(keepends=True)
        wanted = [cycles_a_pass(loop_of(edited)), cycles_a_pass(loop_of(apply(lines, report["advice"])))]
        pace = report["paces"][0]
        check([pace["cycles"], pace["advised_cycles"]] == wanted, f"cycles: {what}: {pace}, wanted {wanted}")
        check(report["advice"][0]["cycles"] == wanted[0] - wanted[1], f"cycles: {what}: {report['advice']}")


def turn(to, read):
    return (f"s_add_i32 m0, s9, {to}", COPY, VM, MEET, read, LGKM, USE, MEET)


def check_alike():
    """Of two waits either may go while the other one stands, and both may be weaker: that is fewer cycles."""
    text = kernel(("s_mov_b32 s10, 64", COPY, ".Lloop:", *turn(1024, READ), *turn(0, READ + " offset:1024"), "s_add_i32 s10, s10, -1", "s_cmp_lg_u32 s10, 0",
                   "s_cbranch_scc1 .Lloop"))
    report = check_advice(text, "two waits alike")
    check([one["enough"] for one in report.get("advice", [])] == ["s_waitcnt vmcnt(1)"] * 2, f"two waits alike: {report.get('advice')}")
    wanted = [cycles_a_pass(loop_of(text)), cycles_a_pass(loop_of(apply(text.splitlines(keepends=True), report.get("advice", []))))]
    pace = report["paces"][0] if report.get("paces") else {}
    check([pace.get("cycles"), pace.get("advised_cycles")] == wanted, f"two waits alike: {pace}, wanted {wanted}")


def check_all_advice():
    check_cases()
    check_cycles()
    check_alike()
    _, report = audit(kernel((WRITE, MEET, READ, LGKM, USE)), "--advice")
    check(report["answer"] == "fault" and "advice" not in report, f"advice on what is wrong: {report}")
    status, _ = audit(kernel((WRITE, *SAFE_READ)), "--advice", "--schedule", "fourwave")
    check(status == 2, f"advice against a schedule: status {status}")


def main(files):
    total = 0
    for file in files:
        text = read(file)
        status, report = audit(text)
        if status == 0 and report["answer"] == "no_fault":
            total += len(check_advice(text, file)["advice"])
    for failure in checks.failures:
        print(f"FAIL {failure}")
    print(f"advice: {total} pieces, {len(checks.failures)} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
