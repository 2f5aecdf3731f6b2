# SPDX-License-Identifier: Apache-2.0
"""One way through a program that is being written: its lines, and what may be in flight where it stands.

What is in flight where ways have met is a list of alternatives; a wait is as strong as the worst of them asks for.
"""

import copy
from dataclasses import dataclass, field

ACC, DATA, OWN, OTHER, ZERO, SHARED, FROM = "v2", "v5", "v1", "v6", "v7", "v9", "v8"
TEMPS = tuple(f"v{n}" for n in range(10, 16))
MOST_ALTERNATIVES = 5


@dataclass(eq=False)
class Line:
    text: str
    tag: str = ""
    depth: int = 0


@dataclass
class Shape:
    """What all of a program shares."""
    waves: int
    width: int  # bytes of a thread's place in a region of LDS
    target: str
    mask: int
    regions: int = 3
    busy: int = 3  # accesses in a row, at most
    deep: int = 3  # ways within ways
    labels: int = 0
    prologue: int = 0  # lines that make addresses

    def base(self, region):
        return region * 256 * self.width


def nothing_in_flight():
    return {"vm": [], "ds": [], "sm": []}


def touches(item, regions):
    """Whether something in flight, ("lds", region), ("reg", register[, region]) or ("store",), is in a region."""
    return item[0] == "lds" and item[1] in regions or item[0] == "reg" and bool(regions.intersection(item[2:]))


@dataclass
class Way:
    shape: Shape
    rng: object
    lines: list
    waves: frozenset  # those that may come here
    depth: int = 0
    loops: int = 0
    masked: bool = False  # some lanes may be off
    idle: bool = False  # only waits and barriers from here on
    ended: bool = False
    alternatives: list = field(default_factory=lambda: [nothing_in_flight()])

    def fork(self, waves):
        other = copy.copy(self)
        other.alternatives = copy.deepcopy(self.alternatives)
        other.waves, other.depth = waves, self.depth + 1
        other.idle = self.idle or self.rng.random() < 0.3
        return other

    def join(self, ways):
        """Goes on where the ways that did not end have met."""
        left = [way for way in ways if not way.ended]
        self.ended = not left
        self.waves = frozenset().union(*[way.waves for way in left])
        self.alternatives = []
        for alternative in (a for way in left for a in way.alternatives):
            if alternative not in self.alternatives:
                self.alternatives.append(alternative)
        if len(self.alternatives) > MOST_ALTERNATIVES:
            self.wait_all()

    def put(self, text, tag=""):
        self.lines.append(Line(text, tag, self.depth))

    def access(self, text, queue, item, tag="access"):
        self.put(text, tag)
        for alternative in self.alternatives:
            alternative[queue].append(item)

    def need(self, wanted):
        """Waits until nothing in flight is `wanted`."""
        vm, lgkm = self.enough(wanted)
        if vm is None and lgkm is None:
            return
        if self.rng.random() < 0.3:
            vm, lgkm = (None if n is None else 0 for n in (vm, lgkm))
        if self.rng.random() < 0.1:
            vm, lgkm = 0, 0
        counts = [f"{name}({n})" for name, n in (("vmcnt", vm), ("lgkmcnt", lgkm)) if n is not None]
        if len(counts) == 2 and self.rng.random() < 0.5:
            for count in counts:
                self.put(f"s_waitcnt {count}", "wait")
        else:
            self.put("s_waitcnt " + self.rng.choice((" ", ", ", " & ")).join(counts), "wait")
        for alternative in self.alternatives:
            if vm is not None:
                del alternative["vm"][:max(0, len(alternative["vm"]) - vm)]
            if lgkm is not None:
                alternative["sm"].clear()
                del alternative["ds"][:max(0, len(alternative["ds"]) - lgkm)]

    def enough(self, wanted):
        vm, lgkm = None, None
        for alternative in self.alternatives:
            for queue, items in alternative.items():
                late = [i for i, item in enumerate(items) if wanted(item)]
                if not late:
                    continue
                count = 0 if alternative["sm"] and queue != "vm" else len(items) - 1 - late[-1]
                if queue == "vm":
                    vm = count if vm is None else min(vm, count)
                else:
                    lgkm = count if lgkm is None else min(lgkm, count)
        if lgkm and any(alternative["sm"] for alternative in self.alternatives):
            lgkm = 0
        return vm, lgkm

    def wait_all(self):
        self.put("s_waitcnt " + self.rng.choice(("vmcnt(0) lgkmcnt(0)", "0")), "wait")
        self.alternatives = [nothing_in_flight()]

    def settle(self, region, queue):
        """Nothing in the queue may touch the region any more."""
        if any(touches(item, {region}) for alternative in self.alternatives for item in alternative[queue]):
            self.need(lambda item: touches(item, {region}))
