# SPDX-License-Identifier: Apache-2.0
"""Loops as they are written without a thought of what retires in order: five kinds, each by seeds (bench/wide_loops.py)."""

import random


class Draft:
    """What a loop has so far."""

    def __init__(self, seed, target, **units):
        self.random = random.Random(seed)
        self.target = target
        self.units = units
        self.values = []
        self.ops = []

    def among(self, *choices):
        return self.random.choice(choices)

    def some(self, least, most):
        return self.random.randint(least, most)

    def chance(self, probability):
        return self.random.random() < probability

    def value(self, name, space, slots=None, size=4096):
        own = "" if slots is None else f", slots: {slots}"
        self.values.append(f"    - {{value: {name}, space: {space}, bytes: {size}{own}}}")
        return name

    def op(self, name, latency, uses=None, completion=None, accesses=None, **flow):
        text = f"    - {{op: {name}, latency: {latency}"
        if uses:
            text += f", uses: {{{', '.join(f'{unit}: {held}' for unit, held in uses.items())}}}"
        if completion:
            text += f", completion: {completion}"
        if accesses:
            text += f", accesses: {accesses}"
        for key, names in flow.items():
            text += f", {key}: [{', '.join(names)}]"
        self.ops.append(text + "}")

    def text(self, name):
        units = ", ".join(f"{unit}: {capacity}" for unit, capacity in self.units.items())
        return "\n".join(["swp: 1", f"name: {name}", f"target: {self.target}", "loop:", f"  units: {{{units}}}",
                          "  values:", *self.values, "  ops:", *self.ops]) + "\n"


def short_long(d):
    """Short loads behind long ones on vmcnt, some by LDS, some straight to registers."""
    d.value("mem", "global")
    reads = []
    for k in range(d.some(2, 5)):
        latency, accesses = d.among(150, 200, 300, 600, 900, 1200), d.some(1, 4)
        if d.chance(0.5):
            d.value(f"T{k}", "shared", [1, d.some(2, 4)])
            reads.append(d.value(f"t{k}", "registers", d.some(1, 2)))
            d.op(f"LOAD_T{k}", latency, None, "counter", accesses, reads=["mem"], writes=[f"T{k}"])
            d.op(f"FRAG_T{k}", d.among(40, 64, 120), None, "counter", d.some(1, 4), reads=[f"T{k}"], writes=[f"t{k}"])
            continue
        d.value(f"r{k}", "registers", [1, d.some(2, 4)])
        d.op(f"LOAD_r{k}", latency, None, "counter", accesses, reads=["mem"], writes=[f"r{k}"])
        if d.chance(0.4):
            d.value(f"x{k}", "registers", d.some(1, 3))
            d.op(f"CVT_{k}", 16, {"valu": 16}, reads=[f"r{k}"], writes=[f"x{k}"])
            reads.append(f"x{k}")
        else:
            reads.append(f"r{k}")
    for k in range(d.some(3, 8)):
        cycles = d.among(24, 32, 48, 64)
        d.value(f"c{k}", "registers")
        d.op(f"MMA_{k}", cycles, {"mma": cycles}, reads=d.random.sample(reads, min(2, len(reads))), updates=[f"c{k}"])


def mixed_async(d):
    """One stream of sm_90: tensor copies on mbarriers, cp.async in groups, groups of wgmma, loads of LDS."""
    tiles, scales, scaled = [], [], []
    for k in range(d.some(1, 3)):
        tiles.append(d.value(f"A{k}", "shared", [1, d.some(2, 4)], 8192))
        latency = d.among(500, 700, 1000)
        d.op(f"TMA_{k}", latency, {"tma": d.among(64, 96, 128)}, "copy_mbarrier", writes=[f"A{k}"])
    for k in range(d.some(1, 2)):
        scales.append(d.value(f"S{k}", "shared", [1, d.some(2, 4)], 1024))
        d.op(f"CPA_{k}", d.among(300, 450, 800), None, "copy_group", d.some(1, 2), writes=[f"S{k}"])
    for k, scale in enumerate(scales):
        scaled.append(d.value(f"s{k}", "registers", d.some(1, 2), 1024))
        d.op(f"LDS_{k}", 30, None, "counter", 1, reads=[scale], writes=[f"s{k}"])
    for k in range(d.some(2, 5)):
        cycles = d.among(96, 128, 192, 256)
        slots = d.among(None, None, 1, 2)
        reads = d.random.sample(tiles, min(2, len(tiles)))
        if d.chance(0.5):
            d.value(f"acc{k}", "registers", slots, 16384)
            d.op(f"WG_{k}", cycles + 28, {"mma": cycles}, "matrix_group", reads=reads, updates=[f"acc{k}"])
            continue
        d.value(f"acc{k}", "registers", [1, 2], 16384)
        d.op(f"WG_{k}", cycles + 28, {"mma": cycles}, "matrix_group", reads=reads, writes=[f"acc{k}"])
        d.value(f"sum{k}", "registers", None, 16384)
        work = d.among(64, 96, 128)
        d.op(f"SCALE_{k}", work + 4, {"alu": work}, reads=[f"acc{k}", d.among(*scaled)], updates=[f"sum{k}"])
    if d.chance(0.5):
        d.value("y", "registers", 1, 1024)
        d.value("out", "registers", None, 1024)
        d.op("MIX", 40, {"alu": 32}, reads=[scaled[0]], writes=["y"])
        d.op("ADD", 8, {"alu": 8}, reads=["y"], updates=["out"])


def ten_on_one(d):
    """Nine or ten ops of one unit, some of which read what others make, and registers with one slot."""
    made = []
    for k in range(d.some(2, 4)):
        d.value(f"T{k}", "shared", [1, d.some(1, 3)])
        made.append(d.value(f"t{k}", "registers", 1))
        latency, memory = d.among(200, 350, 500, 800), d.some(10, 60)
        d.op(f"LOAD_{k}", latency, {"global_mem": memory}, "counter", d.some(1, 6), writes=[f"T{k}"])
        latency, lds = d.among(48, 80, 120), d.some(8, 40)
        d.op(f"FRAG_{k}", latency, {"lds": lds}, "counter", d.some(1, 8), reads=[f"T{k}"], writes=[f"t{k}"])
    for k in range(d.among(9, 10)):
        cycles = d.among(16, 20, 28, 36, 44)
        reads = d.random.sample(made, min(len(made), d.some(1, 2)))
        if d.chance(0.6):
            made.append(d.value(f"m{k}", "registers", 1))
            d.op(f"V_{k}", cycles + d.among(0, 4, 8), {"valu": cycles}, reads=reads, writes=[f"m{k}"])
        else:
            d.value(f"s{k}", "registers")
            d.op(f"V_{k}", cycles, {"valu": cycles}, reads=reads, updates=[f"s{k}"])
    for k in range(d.some(2, 4)):
        cycles = d.among(32, 64, 80)
        d.value(f"c{k}", "registers")
        d.op(f"MMA_{k}", cycles, {"mma": cycles}, reads=d.random.sample(made, 2), updates=[f"c{k}"])


def no_divide(d):
    """Amounts that do not divide what a unit holds, and a store."""
    d.units = {"port": d.among(3, 5, 7), "mma": 1, "bus": d.among(4, 5)}
    d.value("mem", "global")
    tiles = []
    for k in range(d.some(2, 5)):
        d.value(f"T{k}", "shared", [1, d.some(2, 3)])
        tiles.append(d.value(f"t{k}", "registers", d.some(1, 2)))
        latency, bus = d.among(250, 400, 650), [d.some(2, 3), d.among(30, 50)]
        d.op(f"LOAD_{k}", latency, {"bus": bus}, "counter", d.some(1, 5), reads=["mem"], writes=[f"T{k}"])
        latency, port = d.among(40, 72, 100), [d.some(2, 3), d.among(24, 40)]
        d.op(f"FRAG_{k}", latency, {"port": port}, "counter", d.among(2, 4, 7), reads=[f"T{k}"], writes=[f"t{k}"])
    for k in range(d.some(3, 6)):
        cycles = d.among(24, 40, 56)
        d.value(f"c{k}", "registers")
        uses = {"mma": cycles, "port": [d.some(1, 2), 16]}
        d.op(f"MMA_{k}", cycles, uses, reads=d.random.sample(tiles, 2), updates=[f"c{k}"])
    if d.chance(0.7):
        d.value("out", "global")
        d.value("q", "registers", d.some(1, 2))
        d.op("PACK", 24, {"port": [2, 12]}, reads=[tiles[0]], writes=["q"])
        d.op("STORE", d.among(200, 500), {"bus": [2, 20]}, "counter", d.some(1, 3), reads=["q"], writes=["out"])


def two_full(d):
    """Two units with hardly a cycle to spare, registers with one slot, and an exchange by LDS."""
    tiles, cycles = [], []
    for k in range(d.some(2, 4)):
        d.value(f"T{k}", "shared", [1, d.some(2, 4)])
        tiles.append(d.value(f"t{k}", "registers", 1))
        d.op(f"LOAD_{k}", d.among(300, 500, 900), None, "counter", d.some(1, 4), writes=[f"T{k}"])
        d.op(f"FRAG_{k}", d.among(40, 64, 96), None, "counter", d.some(1, 4), reads=[f"T{k}"], writes=[f"t{k}"])
    count = d.some(4, 6)
    for k in range(count):
        cycles.append(d.among(32, 48, 64))
        d.value(f"p{k}", "registers", 1)
        d.op(f"QK_{k}", cycles[k], {"mma": cycles[k]}, reads=d.random.sample(tiles, 2), writes=[f"p{k}"])
    left = sum(cycles)
    for k in range(count):
        work = left if k == count - 1 else min(left - 8 * (count - 1 - k), d.among(32, 48, 64))
        left -= work
        if d.chance(0.4):
            d.value(f"s{k}", "registers")
            d.op(f"EXP_{k}", work, {"valu": work}, reads=[f"p{k}"], updates=[f"s{k}"])
            continue
        d.value(f"X{k}", "shared", [1, 2])
        for register in (f"e{k}", f"x{k}"):
            d.value(register, "registers", 1)
        d.value(f"d{k}", "registers")
        d.op(f"EXP_{k}", work, {"valu": work}, reads=[f"p{k}"], writes=[f"e{k}"])
        d.op(f"PUT_{k}", 30, None, "lgkmcnt", 1, reads=[f"e{k}"], writes=[f"X{k}"])
        d.op(f"GET_{k}", 40, None, "lgkmcnt", 1, reads=[f"X{k}"], writes=[f"x{k}"])
        d.op(f"ADD_{k}", 1, reads=[f"x{k}"], updates=[f"d{k}"])


KINDS = [(short_long, "mi355x", {"mma": 1, "valu": 1}), (mixed_async, "sm_90", {"tma": 1, "mma": 1, "alu": 1}),
         (ten_on_one, "mi355x", {"mma": 1, "valu": 1, "global_mem": 1, "lds": 1}), (no_divide, "mi355x", {}),
         (two_full, "mi355x", {"mma": 1, "valu": 1})]


def loops(each):
    """So many of each kind: names and texts."""
    for kind, target, units in KINDS:
        for seed in range(each):
            name = f"{kind.__name__}{seed}"
            draft = Draft(f"{kind.__name__} {seed}", target, **units)
            kind(draft)
            yield name, draft.text(name)
