# SPDX-License-Identifier: Apache-2.0
"""What a header calls, in order, against what a kernel runs (docs/schedules.md, "How a kernel runs them").

The expectation comes from the JSON of the schedule: tiles are counted as they are loaded and
multiplied in one run, where the header has constants.
"""

from schedules import identifier

ROLES_WITH_TILE = ("global_load", "shared_store", "compute")
K_MULTIPLE = {"k0": 0, "k1": 1, "k_next": 2, "k_prev": -1, "none": 0}
GROUP_MASKS = (0x100, 0x200, 0x20, 0x8)


class Run:
    """All entries that a wave of a group executes for n tiles, as lines."""

    def __init__(self, schedule, n, group):
        self.s, self.group = schedule, group
        self.loop, self.machine = schedule["loop"], schedule["machine"]
        self.lines, self.loaded, self.computed = [], 0, {}
        lags = self.machine["groups"] == 2 and self.machine["lag"] == 1
        self.prologue(lags)
        kb = self.loop["first_base"]
        for _ in range((n - self.loop["min_tiles"]) // self.loop["tiles_per_pass"]):
            self.phase("kernel", kb)
            kb += self.loop["tiles_per_pass"]
        self.phase("epilogue", n if self.loop["placement"] == "k_offset" else kb)
        if lags and self.machine["lag_end_barrier"] and group == 0:
            self.lines.append("barrier")

    def prologue(self, lags):
        entries = self.s["prologue"]
        for i in range(len(entries) + 1):
            if lags and self.group == 1 and i == self.machine["lag_prologue_index"]:
                self.lines.append("barrier")
            if i < len(entries):
                self.entry(entries[i], 0)
        if self.loop["placement"] == "k_offset" and self.s.get("loop_barrier", True):
            self.lines.append("barrier")

    def phase(self, name, kb):
        for entry in self.s[name]:
            self.entry(entry, kb)

    def entry(self, e, kb):
        name, wait = e["name"], e["wait"]
        if e["tag"] >= 128:
            self.lines.append({
                "barrier": "barrier", "schedule_barrier": "schedule_barrier 0",
                "wait_vm": f"wait_vm {min(wait, self.machine['vm_max'])}",
                "wait_lgkm": f"wait_lgkm {min(wait, self.machine['lgkm_max'])}",
                "set_prio": f"set_prio {wait}",
                "sched_group_barrier":
                    f"group_barrier {GROUP_MASKS[e['subtile'] % 4]} {wait} 0"}[name])
            return
        tile = f" tile {self.tile(e, kb)}" if e["role"] in ROLES_WITH_TILE else ""
        self.lines.append(f"{identifier(name)} {e['stage']} {e['subtile']}{tile}")

    def tile(self, e, kb):
        if e["role"] == "compute":
            place = (e["stage"], e["subtile"])
            self.computed[place] = self.computed.get(place, 0) + 1
            return self.computed[place] - 1
        if e["role"] == "shared_store":
            return self.loaded - 1  # what the last load staged
        if self.loop["placement"] == "next_tile":
            self.loaded += 1
            return self.loaded - 1
        return kb + K_MULTIPLE[e["k_offset"]]


TILE_COUNTS = range(-1, 13)


def takes(schedule, n):
    loop = schedule["loop"]
    return (n >= loop["min_tiles"] and n % loop["multiple"] == 0
            and (n - loop["min_tiles"]) % loop["tiles_per_pass"] == 0)


SYNC = r"""
#include <stdio.h>
#define SWP_WAIT_VM(n) printf("wait_vm %d\n", n)
#define SWP_WAIT_LGKM(n) printf("wait_lgkm %d\n", n)
#define SWP_BARRIER() printf("barrier\n")
#define SWP_SET_PRIO(n) printf("set_prio %d\n", n)
#define SWP_SCHED_BARRIER(mask) printf("schedule_barrier %d\n", mask)
#define SWP_SCHED_GROUP_BARRIER(mask, count, id) printf("group_barrier %d %d %d\n", mask, count, id)
#define SWP_BAD_TILES(ctx, n) printf("bad %d\n", n)
"""


def tracer(cases):
    """A program that prints every run: cases are pairs (name, schedule)."""
    text = [SYNC]
    for name, schedule in cases:
        prefix = name.upper()
        text.append(f'#include "{name}.h"\n')
        ops = {e["name"]: e["role"] for phase in ("prologue", "kernel", "epilogue")
               for e in schedule[phase] if e["tag"] < 128}
        for op, role in ops.items():
            macro, shows = identifier(op), role in ROLES_WITH_TILE
            text.append(f"#define {prefix}_{macro}(ctx, stage, subtile, tile) "
                        f'printf("{macro} %d %d{" tile %d" if shows else ""}\\n", stage, subtile'
                        f'{", tile" if shows else ""})\n')
    text.append("int main(void)\n{\n")
    for name, schedule in cases:
        text.append(f"    for (int n = {TILE_COUNTS[0]}; n <= {TILE_COUNTS[-1]}; n++)\n"
                    f"        for (int group = 0; group < {schedule['machine']['groups']}; group++) {{\n"
                    f'            printf("= {name} %d %d\\n", n, group);\n'
                    f"            {name.upper()}_RUN(0, n, group);\n        }}\n")
    text.append("    return 0;\n}\n")
    return "".join(text)


def expected(cases):
    lines = []
    for name, schedule in cases:
        for n in TILE_COUNTS:
            for group in range(schedule["machine"]["groups"]):
                lines.append(f"= {name} {n} {group}")
                lines += Run(schedule, n, group).lines if takes(schedule, n) else [f"bad {n}"]
    return lines
