# SPDX-License-Identifier: Apache-2.0
"""How fast an order of a loop's ops is on one stream that issues in order, if it waits for nothing but what it must.

Written from docs/loops.md ("Dependences") and docs/loops-proof.md ("What an entry does") alone. An op issues no
sooner than the one before it, when what it reads is there and the slots that it makes are free. What is asynchronous
then queues for its units while others issue. Waits, barriers, counters and the cycles of an issue cost nothing, so no machine of this
model is faster with the order.
"""

import math

ITERATIONS = 96
COUNTED = ("counter", "vmcnt", "lgkmcnt")  # they read registers when they issue


class Order:
    """A loop, as `dataflow` in the JSON of its schedule, with the slots that it may have."""

    def __init__(self, dataflow, slots):
        self.ops = {op["op"]: op for op in dataflow["ops"]}
        self.place = {name: i for i, name in enumerate(self.ops)}
        self.slots = slots
        self.space = {v["value"]: v["space"] for v in dataflow["values"]}
        self.free = {u["unit"]: [0] * u["capacity"] for u in dataflow["units"]}
        self.makers, self.readers = {}, {}
        for name, op in self.ops.items():
            for value in op["writes"] + [update_of(u)[0] for u in op["updates"]]:
                self.makers.setdefault(value, []).append(name)
            for read in op["reads"]:
                self.readers.setdefault(read["value"], []).append((name, read["before"]))
        self.times = {}

    def times_of(self, name, iteration):
        """When the op was issued for an iteration, and when it had its units."""
        if iteration < 0:
            return -math.inf, -math.inf
        if (name, iteration) not in self.times:
            raise ValueError(f"{name} of iteration {iteration} is needed before it is issued")
        return self.times[name, iteration]

    def there(self, name, iteration, latency=0):
        return self.times_of(name, iteration)[1] + (latency or self.ops[name]["latency"])

    def has_read(self, name, value, iteration):
        issued, begun = self.times_of(name, iteration)
        op = self.ops[name]
        if op["completion"] in COUNTED and self.space[value] == "registers":
            return issued + op["read_cycles"]
        return begun + (op["read_cycles"] or (0 if op["completion"] == "none" else op["latency"]))

    def maker_before(self, value, name, iteration):
        """The last op that made the value before this one does its work, and its iteration."""
        before = [m for m in self.makers[value] if self.place[m] < self.place[name]]
        return (before[-1], iteration) if before else (self.makers[value][-1], iteration - 1)

    def reads_there(self, name, iteration):
        for read in self.ops[name]["reads"]:
            value, before = read["value"], read["before"]
            if value in self.makers:
                maker = self.makers[value][-1], iteration - before
                if before == 0:
                    maker = self.maker_before(value, name, iteration)
                yield self.there(*maker, read.get("latency", 0))

    def slot_free(self, name, value, iteration):
        """When all that used the slot of the version are done with it, of an op that makes it first."""
        old = iteration - self.slots[value]
        for reader, before in self.readers.get(value, []):
            yield self.has_read(reader, value, old + before)
        yield from (self.has_read(m, value, old) for m in self.makers[value])

    def version_read(self, name, value, iteration):
        """When those have read it that want it before the op changes it."""
        maker, _ = self.maker_before(value, name, iteration)
        for reader, before in self.readers.get(value, []):
            if before == 0 and self.place[maker] < self.place[reader] < self.place[name]:
                yield self.has_read(reader, value, iteration)

    def may_issue(self, name, iteration):
        op = self.ops[name]
        yield from self.reads_there(name, iteration)
        for value in op["writes"]:
            yield from self.slot_free(name, value, iteration)
            yield self.there(self.makers[value][-1], iteration - self.slots[value])
        for value, latency in map(update_of, op["updates"]):
            maker, of = self.maker_before(value, name, iteration)
            yield self.there(maker, of, latency)
            if self.makers[value][0] != name:
                yield from self.version_read(name, value, iteration)
            elif not latency:
                yield from self.slot_free(name, value, iteration)

    def issue(self, name, iteration, now):
        """Returns when it issues; one that is synchronous waits for its units there."""
        op = self.ops[name]
        issued = max([now, *self.may_issue(name, iteration)])
        begins = issued
        for use in op["uses"]:
            begins = max(begins, sorted(self.free[use["unit"]])[use["amount"] - 1])
        for use in op["uses"]:
            units = sorted(self.free[use["unit"]])
            self.free[use["unit"]] = units[use["amount"]:] + [begins + use["cycles"]] * use["amount"]
        if op["completion"] == "none":
            issued = begins
        self.times[name, iteration] = issued, begins
        return issued


def update_of(update):
    return (update, 0) if isinstance(update, str) else (update["value"], update.get("latency", 0))


def interval(dataflow, slots, order):
    """Cycles an iteration in the steady state."""
    loop, now, begins = Order(dataflow, slots), 0, []
    for turn in range(-max(ahead for _, ahead in order), ITERATIONS):
        for name, ahead in order:
            if turn + ahead >= 0:
                now = loop.issue(name, turn + ahead, now)
        begins.append(now)
    return (begins[-1] - begins[-1 - ITERATIONS // 2]) / (ITERATIONS // 2)
