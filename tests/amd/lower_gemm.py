# SPDX-License-Identifier: Apache-2.0
"""The source of a kernel for the header of a GEMM, whose entries have roles: loads, stores, fragment loads, MMAs.

A place in LDS has a chunk for each access of what writes it (access.h), a fragment a register for each access of its
load. An MMA is matrix instructions over all registers of both fragments, or pinned arithmetic.
"""

from source import INCLUDES, kernels_text, registers_of

UNSTATED = 2  # accesses of an op whose count nobody stated: "1+" in the header, and any number but 0 is safe


def entries_of(schedule):
    lists = [schedule["prologue"], schedule["kernel"], schedule["epilogue"]]
    return [e for entries in lists + (schedule.get("epilogues") or []) + (schedule.get("straight") or [])
            for e in entries]


class Lowering:
    def __init__(self, schedule):
        self.ops = {}
        self.entries = [e for e in entries_of(schedule) if e["role"] not in ("sync", "fence", "none")]
        for entry in self.entries:
            self.ops.setdefault(entry["name"], entry)
        machine = schedule["machine"]
        self.waves = machine["groups"] * machine["waves_per_group"]
        self.stores = any(e["role"] == "shared_store" for e in self.entries)
        self.most = {key: 1 + max(e[key] for e in self.entries if e["role"] != "compute")
                     for key in ("stage", "subtile")}
        self.rows = 1 + max(e["stage"] for e in self.entries if e["role"] == "compute")
        self.columns = 1 + max(e["subtile"] for e in self.entries if e["role"] == "compute")
        self.channels = 1 + max(e["channel"] for e in self.entries)
        writers = [e for e in self.entries if e["role"] == ("shared_store" if self.stores else "global_load")]
        self.chunks = max(self.accesses(e) for e in writers)

    @staticmethod
    def accesses(entry):
        return (entry["vm_cost"] if entry["role"] == "global_load" else entry["lgkm_cost"]) or UNSTATED

    def place(self, entry):
        first = entry["channel"] * self.most["stage"]
        return (f"((({first}u + (unsigned)(stage)) * {self.most['subtile']}u + (unsigned)(subtile)) * "
                f"{self.chunks}u * CHUNK)")

    def lds_bytes(self):
        return self.channels * self.most["stage"] * self.most["subtile"] * self.chunks * 256 * self.waves

    def statement(self, entry):
        count, place, channel = self.accesses(entry), self.place(entry), entry["channel"]
        if entry["role"] == "global_load" and self.stores:
            return f"load(&(c)->t, (c)->v.staged[{channel}][subtile], {count}, tile)"
        if entry["role"] == "global_load":
            return f"load_to_lds(&(c)->t, {place}, {count}, tile)"
        if entry["role"] == "shared_store":
            return f"write(&(c)->t, {place}, {count}, (c)->v.staged[{channel}][subtile], {self.staged_width()})"
        if entry["role"] == "fragment_load":
            return (f"read_all((c)->v.fragments[{channel}][subtile], "
                    f"{place} + seen(&(c)->t, {self.chunks}), {count})")
        b = "1" if self.channels > 1 else "0"
        a = "stage" if self.channels > 1 else "subtile"
        return (f"multiply((c)->v.sums[stage][subtile], (c)->v.fragments[0][{a}], "
                f"(c)->v.fragments[{b}][subtile], {self.fragment_width()})")

    def staged_width(self):
        return max([self.accesses(e) for e in self.entries if e["role"] == "global_load"])

    def fragment_width(self):
        return max(self.accesses(e) for e in self.entries if e["role"] == "fragment_load")

    def arrays(self):
        """(name, extents) of what is in registers."""
        parts = self.most["subtile"]
        staged = [("staged", [self.channels, parts, self.staged_width()])] if self.stores else []
        return staged + [("fragments", [self.channels, parts, self.fragment_width()]),
                         ("sums", [self.rows, self.columns, 4])]


def source_of(schedule, header, prefix):
    """The source of a kernel that includes `header`, whose names begin with `prefix`."""
    lowering = Lowering(schedule)
    values, first, last = registers_of(lowering.arrays())
    macros = "".join(f"#define {prefix}_{name}(c, stage, subtile, tile) {lowering.statement(entry)}\n"
                     for name, entry in lowering.ops.items())
    return (INCLUDES.format(waves=lowering.waves, lds_bytes=lowering.lds_bytes(), header=header) + values + macros +
            kernels_text(schedule, prefix, first, last))
