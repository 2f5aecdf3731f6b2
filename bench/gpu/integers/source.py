# SPDX-License-Identifier: Apache-2.0
"""Writes the CUDA source of a schedule on integers: what each op of its header does, and its loop as a table."""

import re

SHARED_BUDGET = 112 * 1024  # of a block, so that two share an SM
CHUNK = 16
MOST_CHUNKS = 8
MOST_BEFORE = 3  # iterations that reference.h remembers, less the one under way

GEMM_ROLES = ("global_load", "shared_store", "fragment_load", "compute")


class Unsupported(Exception):
    """What this harness has no integers for."""


class Operand:
    """What an op reads: a version of a register value, or a place that load number `load` fills."""

    def __init__(self, value=0, load=-1, before=0):
        self.row = (value, load, before)


class Op:
    """A row of the table: what the sequential loop does."""

    def __init__(self, reads, makes=(), sum_=-1, stores=False):
        self.reads, self.makes, self.sum, self.stores = reads, makes, sum_, stores


class Kernel:
    """The macros and the table of a schedule; subclasses fill them in."""

    def __init__(self, schedule, prefix):
        self.schedule, self.prefix = schedule, prefix
        machine = schedule["machine"]
        self.groups = machine["groups"]
        self.threads = 32 * machine["groups"] * machine["waves_per_group"]
        self.macros, self.registers, self.ops = [], [], []
        self.places = self.loads = self.values = self.sums = 0
        self.build()
        place = self.threads * CHUNK
        self.chunks = max(1, min(MOST_CHUNKS, SHARED_BUDGET // (self.places * place)))

    def macro(self, op, parameters, statements):
        body = "".join(f"        {s}; \\\n" for s in ["pause(k.common)", *statements])
        self.macros.append(
            f"#define {self.prefix}_{op}(k, {', '.join(parameters)}) \\\n    do {{ \\\n{body}    }} while (0)\n"
        )


def register(name):
    """The member that holds the slots of a register value."""
    return "v_" + re.sub(r"\W", "_", name)


class Loop(Kernel):
    """A schedule with a dataflow: macros (ctx, i, slot...)."""

    def build(self):
        self.dataflow = self.schedule["dataflow"]
        self.value = {v["value"]: dict(v) for v in self.dataflow["values"]}
        for name, value in self.value.items():
            value["number"] = self.values
            self.values += 1
            if value["space"] == "shared":
                value["first_place"] = self.places
                self.places += value["slots"]
            else:
                self.registers.append(f"uint4 {register(name)}[{value['slots']}]")
        for op in self.dataflow["ops"]:
            self.add(op)

    def shared(self, name):
        return self.value[name]["space"] == "shared"

    def add(self, op):
        made = op["writes"] + op["updates"]
        if any(self.shared(name) for name in made):
            self.add_load(op, made)
        else:
            self.add_work(op)

    def add_load(self, op, made):
        if op["reads"] or op["updates"] or len(made) != 1 or "load" in self.value[made[0]]:
            raise Unsupported(f"{op['op']} makes a shared value of something else than global memory")
        value = self.value[made[0]]
        value["load"] = self.loads
        self.loads += 1
        self.macro(
            op["op"],
            ["i", "made"],
            [f"copy_place(k.common, {value['first_place']} + (made), {value['load']}, i)"],
        )

    def add_work(self, op):
        number, parameters, sources = len(self.ops), [], []
        statements = [f"uint4 sum_ = begin({number}, i)"]
        makes = [self.value[name]["number"] for name in op["writes"] + op["updates"]]
        results = []
        for name in op["writes"] + op["updates"]:
            parameters.append(f"new_{register(name)}")
            results.append(f"k.{register(name)}[new_{register(name)}] = sum_")
            if name not in op["updates"]:
                continue
            old = f"new_{register(name)}"
            if self.value[name]["slots"] > 1:
                old = f"old_{register(name)}"
                parameters.append(old)
            statements.append(f"add(sum_, k.{register(name)}[{old}])")
            sources.append(Operand(self.value[name]["number"]))
        for read in op["reads"]:
            name, before = (read, 0) if isinstance(read, str) else (read["value"], read["before"])
            parameter = f"{register(name)}_{before}"
            parameters.append(parameter)
            value = self.value[name]
            if before > MOST_BEFORE:
                raise Unsupported(f"{op['op']} reads a version of {before} iterations before")
            if self.shared(name):
                statements.append(f"add(sum_, read_place(k.common, {value['first_place']} + ({parameter})))")
                sources.append(Operand(load=value["load"], before=before))
            else:
                statements.append(f"add(sum_, k.{register(name)}[{parameter}])")
                sources.append(Operand(value["number"], before=before))
        if makes:
            results.append(f"add(k.sums[{self.sums}], sum_)")
            self.ops.append(Op(sources, makes, self.sums))
            self.sums += 1
        else:
            results += ["store_result(k.common, i, sum_)", "k.common.loads.count()"]
            self.ops.append(Op(sources, stores=True))
        self.macro(op["op"], ["i", *parameters], statements + results)


class Gemm(Kernel):
    """A schedule of loads, fragment loads and MMAs: macros (ctx, stage, subtile, tile)."""

    def build(self):
        lists = [self.schedule["prologue"], self.schedule["kernel"], self.schedule["epilogue"]]
        entries = [e for phase in lists for e in phase if e["role"] in GEMM_ROLES]
        self.role = {e["name"]: (e["role"], e["channel"]) for e in entries}
        fragments = {(e["channel"], e["subtile"]) for e in entries if e["role"] == "fragment_load"}
        self.channels = 1 + max(channel for channel, _ in fragments)
        self.parts = 1 + max(part for _, part in fragments)
        self.stages = 1 + max(e["stage"] for e in entries if e["role"] == "fragment_load")
        self.through_registers = any(role == "shared_store" for role, _ in self.role.values())
        self.places = self.channels * self.stages * self.parts
        self.loads = self.channels * self.parts
        cells = {(e["stage"], e["subtile"]) for e in entries if e["role"] == "compute"}
        self.rows, self.columns = (1 + max(cell[i] for cell in cells) for i in (0, 1))
        self.registers = [
            f"uint4 fragments[{self.channels}][{self.parts}]",
            f"uint4 accumulators[{self.rows * self.columns}]",
        ]
        if self.through_registers:
            self.registers.append(f"uint4 staged[{self.parts}][CHUNKS]")
        for name, (role, channel) in self.role.items():
            self.macro(name, ["stage", "part", "tile"], getattr(self, role)(channel))
        self.add_cells(cells)

    def place(self, channel, part="(part)"):
        return f"({channel * self.stages} + (stage)) * {self.parts} + {part}"

    def global_load(self, channel):
        if self.through_registers:
            parts = [f"load_registers(k.common, k.staged[{p}], {p}, tile)" for p in range(self.parts)]
            return [*parts, "k.common.loads.count()"]
        return [f"copy_place(k.common, {self.place(channel)}, {channel * self.parts} + (part), tile)"]

    def shared_store(self, channel):
        return [f"store_registers(k.common, {self.place(channel, p)}, k.staged[{p}])" for p in range(self.parts)]

    def fragment_load(self, channel):
        return [f"k.fragments[{channel}][part] = read_place(k.common, {self.place(channel)})"]

    def compute(self, _):
        cell = f"(stage) * {self.columns} + (part)"
        of_row = "stage" if self.channels > 1 else "part"
        return [
            f"const int cell_ = {cell}",
            "uint4 sum_ = begin(cell_, tile)",
            "add(sum_, k.accumulators[cell_])",
            f"add(sum_, k.fragments[0][{of_row}])",
            f"add(sum_, k.fragments[{self.channels - 1}][part])",
            "k.accumulators[cell_] = sum_",
            "add(k.sums[cell_], sum_)",
        ]

    def add_cells(self, cells):
        if len(cells) != self.rows * self.columns:
            raise Unsupported("the grid of MMAs has holes")
        for row in range(self.rows):
            for column in range(self.columns):
                cell = row * self.columns + column
                a = row if self.channels > 1 else column
                b = (self.channels - 1) * self.parts + column
                self.ops.append(Op([Operand(cell), Operand(load=a), Operand(load=b)], [cell], cell))
        self.values = self.sums = self.rows * self.columns


def c_list(rows):
    return "{" + ", ".join(rows) + "}"


def table_row(number, op):
    reads = [f"{{{value}, {load}, {before}}}" for value, load, before in (r.row for r in op.reads)]
    makes = [str(m) for m in op.makes]
    return (
        f"    {{{number}, {len(reads)}, {c_list(reads or ['{0, 0, 0}'])}, {len(makes)}, {c_list(makes or ['0'])}, "
        f"{op.sum}, {str(op.stores).lower()}}},\n"
    )


def prefix_of(header):
    return re.search(r"^#define (\w+)_MIN_TILES ", header, re.M).group(1)


def source(schedule, header_text, name):
    """The source of kernel NAME, which includes NAME.h."""
    prefix = prefix_of(header_text)
    kernel = (Loop if schedule.get("dataflow") else Gemm)(schedule, prefix)
    stores = str(any(op.stores for op in kernel.ops)).lower()
    define_waits = "" if "SWP_WAITS_ARE_CUDA\n#endif" in header_text else "#define DEFINE_WAITS\n"
    registers = "".join(f"    {r};\n" for r in kernel.registers)
    table = "".join(table_row(n, op) for n, op in enumerate(kernel.ops))
    return f"""/* Generated by bench/gpu/integers. */
enum {{ THREADS = {kernel.threads}, CHUNKS = {kernel.chunks}, GROUPS = {kernel.groups}, PLACES = {kernel.places} }};
{define_waits}#include "integers.h"
#include "{name}.h"

struct kernel_state {{
    thread_state common;
{registers}    uint4 sums[{kernel.sums}];
}};

{"".join(kernel.macros)}
static __global__ void __launch_bounds__(THREADS) run_integers(launch l)
{{
    extern __shared__ uint4 shared[];
    kernel_state k = {{}};
    start(k.common, l, shared, PLACES);
    {prefix}_RUN(k, l.tiles, int(threadIdx.x) / (THREADS / GROUPS));
    finish(k.common, l, k.sums);
}}

static const op ops[] = {{
{table}}};

static int legal(int n)
{{
    return {prefix}_TILES_OK(n);
}}

extern "C" const kernel {name};
const kernel {name} = {{"{name}", run_integers, legal, ops, {len(kernel.ops)}, {kernel.values}, {kernel.loads},
                       {kernel.sums}, {stores}, THREADS, CHUNKS, PLACES}};
"""
