# SPDX-License-Identifier: Apache-2.0
"""What ptxas keeps of warp roles: machine code written here from a schedule's JSON, as it is and with faults."""

import itertools
import json
import os
import re
import subprocess
import tempfile

from checks import SWP, audit, check, path_of

# As ptxas writes them; {p} is a condition. A copy is two instructions, a group of wgmmas three.
OPERATIONS = {
    "arrive": "{p}SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R8+URZ+0x20], RZ",
    "arrive_expect": "{p}SYNCS.ARRIVE.TRANS64 RZ, [R8+URZ], R7",
    "wait_phase": "SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [R8+URZ], R3",
    "matrix_fence": "WARPGROUP.ARRIVE",
    "matrix_wait": "WARPGROUP.DEPBAR.LE gsb0, {wait:#x}",
    "fence_async": "FENCE.VIEW.ASYNC.S",
    "bulk_commit": "{p}UTMACMDFLUSH",
    "bulk_wait": "{p}DEPBAR.LE SB0, {wait:#x}",
    "bulk_wait_read": "{p}DEPBAR.LE SB0, {wait:#x}",
    "named_sync": "BAR.SYNC.DEFER_BLOCKING R5, 0x80",
    "named_arrive": "BAR.ARV R5, 0x80",
    "barrier": "BAR.SYNC.DEFER_BLOCKING 0x0",
}
COPY = ["{p}UTMALDG.2D [UR20], [UR8]"] * 2
STORE = ["{p}UTMASTG.2D [UR20], [UR8]"]
WGMMA = ["HGMMA.64x256x16.F32.BF16 R24, gdesc[UR12], R24"] * 3


class Writer:
    """Instructions and labels, in the form of nvdisasm -c."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.lines = []
        self.retries = []
        self.labels = 0

    def label(self):
        self.labels += 1
        return f".L_x_{self.labels}"

    def put(self, *texts):
        self.lines += texts

    def put_wait(self):
        """A first try, and the loop of those after it far below."""
        again, on = self.label(), self.label()
        self.put(OPERATIONS["wait_phase"], f"@!P1 BRA `({again})", on + ":")
        self.retries += [again + ":", OPERATIONS["wait_phase"], f"@!P1 BRA `({again})", f"BRA `({on})"]

    def completion(self, entry):
        op = next((op for op in self.schedule["dataflow"]["ops"] if op["op"] == entry["name"]), {})
        return op.get("completion", "none")

    def put_entry(self, entry):
        name = entry["name"]
        if name == "wait_phase":
            self.put_wait()
        elif name == "matrix_commit":
            at = max(i for i, line in enumerate(self.lines) if "HGMMA" in line)
            self.lines[at] += ", gsb0"
        else:
            kinds = {"copy_mbarrier": COPY, "matrix_group": WGMMA, "store_group": STORE}
            texts = ([OPERATIONS[name]] if name in OPERATIONS
                     else kinds.get(self.completion(entry), ["FFMA R1, R2, R3, R4"]))
            condition = "@P0 " if entry["by"] == "one" else ""
            self.put(*(text.format(p=condition, wait=entry["wait"]) for text in texts))

    def put_list(self, entries):
        """What one thread does stands in a branch, where it waits, and on a condition where not."""
        for one, group in itertools.groupby(entries, lambda entry: entry["by"] == "one"):
            group = list(group)
            skip = self.label() if one and any(e["name"] == "wait_phase" for e in group) else None
            if skip:
                self.put(f"@!P0 BRA `({skip})")
            for entry in group:
                self.put_entry(entry)
            if skip:
                self.put(skip + ":")

    def put_tile(self, role):
        end, loop, epilogue = self.label(), self.label(), self.label()
        forms = [(self.label(), entries) for entries in role.get("straight", []) + role.get("epilogues", [])]
        straight = forms[:len(role.get("straight", []))]
        tails = forms[len(straight):]
        for name, _ in straight:
            self.put(f"@P2 BRA `({name})")
        self.put_list(role["prologue"])
        self.put(loop + ":", f"@P2 BRA `({epilogue})")
        self.put_list(role["kernel"])
        self.put(f"BRA `({loop})", epilogue + ":")
        for name, _ in tails:
            self.put(f"@P2 BRA `({name})")
        self.put_list(role["epilogue"])
        self.put(f"BRA `({end})")
        for name, entries in forms:
            self.put(name + ":")
            self.put_list(entries)
            self.put(f"BRA `({end})")
        self.put(end + ":")

    def put_role(self, role):
        again, drain = self.label(), self.label()
        if self.schedule.get("output_tiles"):
            self.put(again + ":", f"@P2 BRA `({drain})")
            self.put_list(role.get("begin", []))
            self.put_tile(role)
            self.put_list(role.get("end", []))
            self.put(f"BRA `({again})", drain + ":")
            self.put_list(role.get("drain", []))
        else:
            self.put_tile(role)
        self.put("EXIT")

    def text(self):
        skip = self.label()
        mbarriers = sum(o["slots"] for o in self.schedule["sync_objects"] if o["kind"] == "mbarrier")
        self.put(f"@!P0 BRA `({skip})", *["SYNCS.EXCH.64 URZ, [UR7], UR4"] * mbarriers, "FENCE.VIEW.ASYNC.S",
                 skip + ":", "BAR.SYNC.DEFER_BLOCKING 0x0")
        names = [self.label() for _ in self.schedule["roles"]]
        for name in names:
            self.put(f"@P3 BRA `({name})")
        self.put("EXIT")
        for name, role in zip(names, self.schedule["roles"]):
            self.put(name + ":")
            self.put_role(role)
        return assemble(self.lines + self.retries)


def assemble(lines):
    out = ["\t.target\tsm_90a", ".text.kernel:"]
    address = 0
    for line in lines:
        if line.endswith(":"):
            out.append(line)
        else:
            out.append(f"        /*{address:04x}*/  {line} ;")
            address += 16
    return "\n".join(out) + "\n"


EVENT = re.compile(r"SYNCS|UTMA|HGMMA|WARPGROUP|FENCE|BAR\.|DEPBAR")


def code_of(line):
    return line.split("*/", 1)[1].strip()


def with_line(lines, at, code):
    edited = list(lines)
    edited[at] = f"        {lines[at].split('*/', 1)[0].strip()}*/  {code}"
    return edited


def faults(text):
    """(what, code) with each event gone, each wait weaker, each group one that does not end, neighbours exchanged."""
    lines = text.splitlines()
    retry = False
    events = []
    for i, line in enumerate(lines):
        retry = line.startswith(".L_") or (retry and "BRA" in line)
        if "/*" in line and EVENT.search(line):
            events.append(i)
    for i in events:
        code = code_of(lines[i])
        yield f"without {code}", with_line(lines, i, "NOP ;")
        if "DEPBAR" in code:
            weaker = re.sub(r"0x(\w+) ;", lambda m: f"{int(m[1], 16) + 1:#x} ;", code)
            yield f"weaker {code}", with_line(lines, i, weaker)
        if "gsb0" in code and "HGMMA" in code:
            yield f"open {code}", with_line(lines, i, code.replace(", gsb0", ""))
    for a, b in zip(events, events[1:]):
        one, other = code_of(lines[a]), code_of(lines[b])
        if b == a + 1 and one.split(" ")[-3:] != other.split(" ")[-3:] and "TRYWAIT" not in one + other:
            yield f"{one} behind {other}", with_line(with_line(lines, a, other), b, one)


def check_program(arguments, step):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "schedule.json")
        made = subprocess.run([SWP, "emit", *arguments, "--format", "json", "-o", path], check=False,
                              capture_output=True, text=True)
        if not check(made.returncode == 0, f"{arguments}: {made.stderr}"):
            return
        with open(path, encoding="utf-8") as file:
            text = Writer(json.load(file)).text()

        def against(answer, edited, what):
            status, report = audit(edited, "--schedule", path)
            got = report["answer"] if isinstance(report, dict) else report
            check(got == answer and status == (answer != "kept"), f"{arguments}, {what}: {got}")
            return report

        against("kept", text, "as it is")
        more = against("kept", text.replace("WARPGROUP.DEPBAR.LE gsb0, 0x1", "WARPGROUP.DEPBAR.LE gsb0, 0x0"),
                       "waits for all groups")
        check(not "gsb0, 0x1" in text or [c["kind"] for c in more["changes"]] == ["rewaited"],
              f"{arguments}: {more['changes']}")
        against("unknown", text.replace("@P0 ", "").replace("WARPGROUP.ARRIVE", "@P0 WARPGROUP.ARRIVE", 1),
                "a fence for some threads")
        against("unknown", text.replace("EXIT ;", "LDGSTS.E [R1], [R2.64] ;", 1), "another copy")
        for number, (what, lines) in enumerate(faults(text)):
            if number % step == 0:
                against("unknown", "\n".join(lines) + "\n", what)


def check_role_sass(step):
    check_program(["gemm_ws"], step)
    check_program(["attention_ws"], 2 * step)
    check_program([path_of("../../kernels/cuda/hopper/gemm.yaml")], step)
