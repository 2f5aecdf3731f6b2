# SPDX-License-Identifier: Apache-2.0
"""Random loops of docs/loops.md's language, of the ops that gfx9 has an instruction for (lower_loop.py)."""

TARGETS = ["mi355x", "mi300x"]
UNITS = {"global_mem": 1, "lds": 1, "mma_unit": 1, "valu": 1}


class Loop:
    def __init__(self, random, number):
        self.random = random
        self.name = f"loop_{number}"
        self.values, self.ops = [], []
        self.shared, self.registers = [], []
        self.most_before = {}  # of each value
        self.unread = set()
        self.machine = {}
        self.target = random.choice(TARGETS)

    # --- values and ops -----------------------------------------------------------------------------

    def value(self, space):
        name = f"{'s' if space == 'shared' else 'r'}{len(self.values)}"
        text = f"value: {name}, space: {space}, bytes: {self.random.choice([256, 1024, 4096])}"
        choice = self.random.random()
        slots = self.random.choice([1, 2, 2, 2, 4])
        text += f", slots: {slots}" if choice < 0.4 else f", slots: [1, {slots}]"
        self.values.append(text)
        self.most_before[name] = slots - 1
        self.unread.add(name)
        (self.shared if space == "shared" else self.registers).append(name)
        return name

    def read(self, value):
        before = min(self.random.choice([0, 0, 0, 0, 1, 1, 2]), self.most_before[value])
        self.unread.discard(value)
        return f"{{value: {value}, before: {before}}}" if before else value

    def some(self, values, most):
        return self.random.sample(values, min(len(values), self.random.randint(1, most)))

    def op(self, name, unit, latency, completion, **members):
        latency = self.random.randint(1, latency)
        busy = self.random.randint(1, max(1, latency // 2))
        text = [f"op: {name}_{len(self.ops)}", f"uses: {{{unit}: {busy}}}", f"latency: {latency}"]
        if completion:
            text.append(f"completion: {completion}")
            text.append(f"accesses: {self.random.choice([1, 1, 1, 2, 3])}")
        if self.random.random() < 0.4:
            text.append(f"read_cycles: {self.random.randint(1 if completion else 0, latency)}")
        for key in ("reads", "writes", "updates"):
            if members.get(key):
                text.append(f"{key}: [{', '.join(members[key])}]")
        self.ops.append(", ".join(text))

    def load_to_lds(self):
        self.op("DMA", "global_mem", 400, "counter", writes=[self.value("shared")])

    def load(self):
        self.op("LOAD", "global_mem", 400, "counter", writes=[self.value("registers")])

    def gather(self):
        """A load whose address comes from a register."""
        reads = [self.read(v) for v in self.some(self.registers, 1)]
        self.op("GATHER", "global_mem", 400, "vmcnt", reads=reads, writes=[self.value("registers")])

    def store_to_lds(self):
        reads = [self.read(v) for v in self.some(self.registers, 2)]
        self.op("PUT", "lds", 60, "lgkmcnt", reads=reads, writes=[self.value("shared")])

    def fragment(self):
        reads = [self.read(v) for v in self.some(self.shared, 2)]
        for value in self.some(self.shared, 1):
            if self.most_before[value] and f"{{value: {value}, before: 1}}" not in reads and self.random.random() < 0.3:
                reads.append(f"{{value: {value}, before: 1}}")
                self.unread.discard(value)
        self.op("READ", "lds", 60, "counter", reads=reads, writes=[self.value("registers")])

    def compute(self):
        reads = [self.read(v) for v in self.some(self.registers, 3)]
        self.op("COMPUTE", "valu", 100, None, reads=reads, writes=[self.value("registers")])

    def accumulate(self):
        reads = [self.read(v) for v in self.some(self.registers, 2)]
        name = self.value("registers")
        self.op("SUM", "mma_unit", 100, None, reads=reads, updates=[name])

    def compute_from_lds(self):
        reads = [self.read(v) for v in self.some(self.shared, 2)]
        self.op("DOT", "mma_unit", 100, None, reads=reads, writes=[self.value("registers")])

    def store(self):
        reads = [self.read(v) for v in self.some(self.registers, 2)]
        self.op("STORE", "global_mem", 300, "counter", reads=reads)

    # --- the whole ----------------------------------------------------------------------------------

    def draw(self):
        self.random.choice([self.load_to_lds, self.load_to_lds, self.load])()
        for _ in range(self.random.randint(2, 5)):
            kinds = [self.load_to_lds, self.load]
            if self.shared:
                kinds += [self.fragment] * 4 + [self.compute_from_lds]
            if self.registers:
                kinds += [self.compute] * 3 + [self.accumulate] + [self.store] * 3 + [self.store_to_lds, self.gather]
            self.random.choice(kinds)()
        self.use_what_is_left()
        self.draw_machine()

    def use_what_is_left(self):
        """What nobody reads is read, or the compiler drops the access that brings it."""
        for value in [v for v in self.shared if v in self.unread]:
            self.op("READ", "lds", 60, "counter", reads=[self.read(value)], writes=[self.value("registers")])
        left = [v for v in self.registers if v in self.unread]
        while left:
            some, left = left[:3], left[3:]
            self.op("STORE", "global_mem", 300, "counter", reads=[self.read(v) for v in some])

    def draw_machine(self):
        self.machine = {"waves_per_group": self.random.choice([1, 2, 4, 4, 4])}
        if self.random.random() < 0.25:
            self.machine["barrier"] = "fenced"
        if self.random.random() < 0.2:
            self.machine["registers"] = "raw"

    def text(self):
        lines = ["swp: 1", f"name: {self.name}", f"target: {self.target}", "machine:"]
        lines += [f"  {key}: {value}" for key, value in self.machine.items()]
        lines += ["loop:", "  units: {" + ", ".join(f"{u}: {n}" for u, n in UNITS.items()) + "}", "  values:"]
        lines += [f"    - {{{value}}}" for value in self.values] + ["  ops:"]
        return "\n".join(lines + [f"    - {{{op}}}" for op in self.ops]) + "\n"


def random_loop(random, number):
    """The description of a loop, as YAML."""
    loop = Loop(random, number)
    loop.draw()
    return loop.text()
