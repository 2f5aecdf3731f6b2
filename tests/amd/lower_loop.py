# SPDX-License-Identifier: Apache-2.0
"""The source of a kernel for the header of a loop with a dataflow: each op as the accesses that it counts.

A value in shared memory is as many chunks a slot as its maker has accesses (access.h); one in registers is as many
registers a slot as its widest maker has accesses. What is labelled as the MMA of a GEMM is matrix instructions over
all registers of both fragments, which the compiler keeps between barriers as it does not keep other arithmetic.
"""

import re

from source import INCLUDES, Unlowerable, kernels_text, registers_of

MOST_READ_PLACES = 4  # that the lanes of one access reach
SUMS = 4  # registers of a matrix instruction's accumulator


def chunk_bytes(machine):
    return 256 * machine["groups"] * machine["waves_per_group"]


class Lowering:
    def __init__(self, schedule):
        self.dataflow = schedule["dataflow"]
        self.machine = schedule["machine"]
        self.numbers = {v["value"]: n for n, v in enumerate(self.dataflow["values"])}
        self.values = {v["value"]: v for v in self.dataflow["values"]}
        self.mmas = {op["name"] for op in schedule["body"] if op["role"] == "compute"}
        self.widths = {name: self.width(name) for name in self.values}
        self.first_maker = {}
        for op in self.dataflow["ops"]:
            for value in op["writes"] + op["updates"]:
                self.first_maker.setdefault(value, op["op"])
        self.places, self.lds_bytes = self.lay_out()

    def is_shared(self, value):
        return self.values[value]["space"] == "shared"

    def width(self, value):
        makers = [o for o in self.dataflow["ops"] if value in o["writes"] + o["updates"]]
        if any(o["op"] in self.mmas for o in makers):
            return SUMS
        return max([o["accesses"] for o in makers if o["completion"] != "none"], default=1)

    def lay_out(self):
        """The first byte of each shared value, and the bytes of all."""
        places, end = {}, 0
        for name in filter(self.is_shared, self.values):
            places[name] = end
            end += self.values[name]["slots"] * self.widths[name] * chunk_bytes(self.machine)
        return places, max(end, 4)

    # --- what an op is called with, in the order of the header --------------------------------------

    def parameters(self, op):
        """(value, which version, its parameter) of what the op makes, changes and reads."""
        made = [(value, "new", f"w{n}") for n, value in enumerate(op["writes"])]
        for n, value in enumerate(op["updates"]):
            made.append((value, "new", f"u{n}"))
            if self.first_maker[value] == op["op"] and self.values[value]["slots"] > 1:
                made.append((value, "old", f"o{n}"))
        return made + [(r["value"], "read", f"r{n}") for n, r in enumerate(op["reads"])]

    def registers(self, value, slot):
        return f"v->v{self.numbers[value]}[{slot}]"

    def place(self, value, slot):
        return f"{self.places[value]}u + (unsigned){slot} * {self.widths[value]}u * CHUNK"

    # --- statements ---------------------------------------------------------------------------------

    def mixed(self, sources):
        """Statements that make `sum` of all registers of these (value, slot)."""
        lines = ["unsigned sum;", "COPY(sum, t->lane);"]
        for value, slot in sources:
            register = self.registers(value, slot)
            lines += [f"MIX(sum, {register}[{k}]);" for k in range(self.widths[value])]
        return lines

    def byte_read(self, sources):
        """Statements that make `byte`, the address that this lane reads of these (value, slot)."""
        if len(sources) > MOST_READ_PLACES:
            raise Unlowerable("reads more places than an access has lanes for")
        terms = [f"(chosen(t, {len(sources)}, {n}) & ({self.place(v, s)} + seen(t, {self.widths[v]})))"
                 for n, (v, s) in enumerate(sources)]
        return [f"const unsigned byte = {' | '.join(terms)};"]

    def asynchronous(self, op, makes, reads):
        """One access after the other, each counted; what it needs of registers is read first."""
        shared_reads = [(v, s) for v, s in reads if self.is_shared(v)]
        register_reads = [(v, s) for v, s in reads if not self.is_shared(v)]
        count = op["accesses"]
        if op["updates"] or len(makes) > 1 or (not makes and not register_reads):
            raise Unlowerable("an access of this kind is no one instruction")
        lines = self.mixed(register_reads) if register_reads else []
        what, width = "&sum", 1
        # An access takes a value's registers as they are if it takes all: what nobody reads clang does not load.
        if len(register_reads) == 1 and self.widths[register_reads[0][0]] <= count:
            (value, slot), width = register_reads[0], self.widths[register_reads[0][0]]
            what, lines = self.registers(value, slot), []
        if shared_reads:
            if not makes or self.is_shared(makes[0][0]):
                raise Unlowerable("from LDS to LDS")
            to = self.registers(*makes[0])
            return lines + self.byte_read(shared_reads) + [f"{to}[{k}] = read(byte);" for k in range(count)]
        if not makes:
            return lines + [f"store(t, {what}, {width}, {count}, i);"]
        address = f"i + nothing_of({what}, {width})" if register_reads else "i"
        if not self.is_shared(makes[0][0]):
            return lines + [f"load(t, {self.registers(*makes[0])}, {count}, {address});"]
        if register_reads and op["completion"] != "vmcnt" and not op.get("reads_global"):
            return lines + [f"write(t, {self.place(*makes[0])}, {count}, {what}, {width});"]
        return lines + [f"load_to_lds(t, {self.place(*makes[0])}, {count}, {address});"]

    def mma(self, makes, reads):
        width = min(self.widths[value] for value, _ in reads)
        sums, a, b = (self.registers(value, slot) for value, slot in makes + reads)
        return [f"multiply({sums}, {a}, {b}, {width});"]

    def synchronous(self, op, makes, old, reads):
        """All is read when it begins and made when it ends; accesses of its own are waited for in it."""
        shared_reads = [(v, s) for v, s in reads + old if self.is_shared(v)]
        lines = self.mixed([(v, s) for v, s in reads if not self.is_shared(v)])
        if shared_reads:
            lines += self.byte_read(shared_reads) + ["const unsigned found = read(byte);", "wait_for_lds();",
                                                  "MIX(sum, found);"]
        olds = dict(old)
        for value, slot in makes:
            if self.is_shared(value):
                lines.append(f"write(t, {self.place(value, slot)}, {self.widths[value]}, &sum, 1);")
                continue
            for k in range(self.widths[value]):
                register = f"{self.registers(value, slot)}[{k}]"
                if value in op["updates"]:
                    before = self.registers(value, olds.get(value, slot))
                    lines += [f"COPY({register}, {before}[{k}]);"] * (value in olds)
                    lines.append(f"MIX({register}, sum);")
                else:
                    lines.append(f"COPY({register}, sum);")
        if any(self.is_shared(value) for value, _ in makes):
            lines.append("wait_for_lds();")
        return lines

    def condition_text(self, op, prefix):
        """What the kernel says of an op that it is asked for: some iterations, the same in all lanes."""
        return f"#define {prefix}_WHEN_{op['op']}(c, i) ((i) % 3 == 1)\n" if op.get("when") == "user" else ""

    def op_text(self, op, prefix):
        parameters = self.parameters(op)
        makes = [(v, name) for v, which, name in parameters if which == "new"]
        old = [(v, name) for v, which, name in parameters if which == "old"]
        reads = [(v, name) for v, which, name in parameters if which == "read"]
        if op["op"] in self.mmas and not old:
            lines = self.mma(makes, reads)
        elif op["completion"] == "none":
            lines = self.synchronous(op, makes, old, reads)
        else:
            lines = self.asynchronous(op, makes, reads)
        names = [name for _, _, name in parameters]
        function = f"op_{re.sub(r'[^A-Za-z0-9_]', '_', op['op'])}"
        takes = ", ".join(f"int {name}" for name in ["i", *names])
        unused = " ".join(f"(void){name};" for name in ["t", "v", "i", *names])
        body = "\n    ".join([unused, *lines])
        arguments = ", ".join(["i", *names])
        return (f"INLINE void {function}(const thread *t, values *v, {takes})\n{{\n    {body}\n}}\n"
                f"#define {prefix}_{op['op']}(c, {arguments}) {function}(&(c)->t, &(c)->v, {arguments})\n")


def accesses_in(op, schedule):
    """Accesses of an op without completion to LDS, which it waits for itself."""
    lowering = Lowering(schedule)
    made = [v for v in op["writes"] + op["updates"] if lowering.is_shared(v)]
    reads = [v for v in [r["value"] for r in op["reads"]] + op["updates"] if lowering.is_shared(v)]
    return bool(reads) + sum(lowering.widths[v] for v in made)


def source_of(schedule, header, prefix):
    """The source of a kernel that includes `header`, whose names begin with `prefix`."""
    lowering = Lowering(schedule)
    registers = [v for v in lowering.values if not lowering.is_shared(v)]
    values, first, last = registers_of([(f"v{lowering.numbers[v]}", [lowering.values[v]["slots"], lowering.widths[v]])
                                        for v in registers])
    ops = [lowering.condition_text(op, prefix) + lowering.op_text(op, prefix) for op in lowering.dataflow["ops"]]
    waves = lowering.machine["groups"] * lowering.machine["waves_per_group"]
    return (INCLUDES.format(waves=waves, lds_bytes=lowering.lds_bytes, header=header) + values + "\n".join(ops) +
            kernels_text(schedule, prefix, first, last))
