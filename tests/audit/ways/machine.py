# SPDX-License-Identifier: Apache-2.0
"""Some waves of one work group, run with one timing out of those that the machine allows.

An access that was issued lands at any moment before the wait that retires it: vector memory in order, LDS in order,
scalar loads in any order. `s_barrier` waits for no access, and for those waves only that have not ended; `s_endpgm`
waits for all accesses of its wave.
"""

import functools
import random
from collections import deque
from dataclasses import dataclass
from typing import Optional

from isa import EXEC, LANES, MASK, SAMPLE, V, VCC

ARGUMENTS, INPUT, OUTPUT = 1 << 28, 1 << 32, 2 << 32
VM_MOST, LGKM_MOST, STEPS = 63, 15, 6000


class Wrong(Exception):
    """What no timing may show: a register used while its load is in flight."""


class Endless(Exception):
    pass


@dataclass
class Timing:
    """`held` lands only when forced, all else with the chance `soon` after each step. The first wave of `order` that
    can run runs, or one at random for some steps; the wave in `pause` comes last from its instruction on."""
    order: tuple = ()
    soon: float = 1.0
    held: frozenset = frozenset()
    pause: Optional[tuple] = None
    seed: int = 0


class World:
    """What a launch finds: arguments, memory, and what registers and LDS held before."""

    def __init__(self, seed):
        self.seed = seed
        numbers = [random.Random(seed).choice((1, 2, 3, 5)) for _ in range(4)]
        self.arguments = [INPUT & MASK, INPUT >> 32, OUTPUT & MASK, OUTPUT >> 32, *numbers]
        self.before = {}

    def memory(self, address):
        if 0 <= address - ARGUMENTS < 4 * len(self.arguments):
            return self.arguments[(address - ARGUMENTS) // 4]
        return hash((self.seed, address)) & MASK

    def held_before(self, wave, count):
        if wave not in self.before:
            rng = random.Random(self.seed * 8 + wave)
            self.before[wave] = [rng.choice((0, 1, 2, MASK, rng.getrandbits(32))) for _ in range(count)]
        return self.before[wave]


@functools.cache
def lanes_of(low, high):
    return [bool((low | high << 32) >> lane & 1) for lane in LANES]


class Wave:
    def __init__(self, number, world, lds):
        self.number, self.world, self.lds = number, world, lds
        held = world.held_before(number, 128 + 64 * len(LANES))
        self.scalars = held[:128]
        self.vectors = [held[i:i + len(LANES)] for i in range(128, len(held), len(LANES))]
        self.vectors[0] = [64 * number + lane for lane in LANES]
        self.scalars[0:3] = ARGUMENTS, 0, world.seed  # of the work group
        self.scalars[EXEC:EXEC + 2] = MASK, MASK
        self.scc = held[3] & 1
        self.pc = self.chances = self.flying = 0
        self.ended = self.meets = self.paused = False
        self.queues = {"vm": deque(), "ds": deque(), "sm": deque()}
        self.stored = []
        self.memory = world.memory

    def mask(self, at):
        return self.scalars[at] | self.scalars[at + 1] << 32

    def active(self):
        return lanes_of(self.scalars[EXEC], self.scalars[EXEC + 1])

    def first(self):
        return next((i for i, on in enumerate(self.active()) if on), 0)

    def nothing(self, place):
        return hash((self.world.seed, -1, place)) & MASK

    def chance(self):
        self.chances += 1
        return hash((self.world.seed, self.number, self.chances)) & MASK

    def store(self, rows):
        self.stored += rows


class Group:
    def __init__(self, program, insns, world, timing):
        self.insns, self.labels, self.timing = insns, program.labels, timing
        self.lds, self.trace = {}, []
        self.waves = [Wave(n, world, self.lds) for n in range(program.waves)]
        self.rng = random.Random(timing.seed)
        self.turn, self.left = None, 0

    def check(self, wave, insn):
        """No register is used in a lane in which a load in flight writes it; loads of one queue write in order."""
        on = wave.active()
        if insn.name.startswith("v_readfirstlane"):
            on = [i == wave.first() for i in range(len(LANES))]
        for name, queue in wave.queues.items():
            for flight in queue:
                used = insn.reads if name == insn.queue and name != "sm" else insn.reads + insn.writes
                for register in used:
                    lanes = flight.registers.get(register)
                    if lanes and (register < V or any(a and b for a, b in zip(lanes, on))):
                        kind = f"v{register - V}" if register >= V else f"s{register}"
                        raise Wrong(f"wave {wave.number}: line {insn.line}, {insn.text}: {kind} may still be in flight "
                                    f"from line {flight.insn.line}, {flight.insn.text}")

    def land(self, wave, queue, at=0):
        flight = wave.queues[queue][at]
        del wave.queues[queue][at]
        wave.flying -= 1
        flight.land()
        self.trace.append((wave.number, "done", flight.insn))

    def wait(self, wave, vm, lgkm):
        queues = wave.queues
        while len(queues["vm"]) > vm:
            self.land(wave, "vm")
        while len(queues["ds"]) + len(queues["sm"]) > lgkm:
            self.land_lgkm(wave)

    def land_lgkm(self, wave):
        queues = wave.queues
        scalar = queues["sm"] and (not queues["ds"] or self.rng.random() < 0.5)
        self.land(wave, "sm" if scalar else "ds", self.rng.randrange(len(queues["sm"])) if scalar else 0)

    def land_some(self, wave):
        for name, queue in wave.queues.items():
            while queue and queue[0].insn.line not in self.timing.held and self.rng.random() < self.timing.soon:
                self.land(wave, name)

    def taken(self, wave, name):
        condition = name.removeprefix("s_cbranch_")
        if name == "s_branch":
            return True
        if condition.startswith("scc"):
            return wave.scc == int(condition[3])
        mask = wave.mask(VCC if condition.startswith("vcc") else EXEC) & SAMPLE
        return (mask == 0) == condition.endswith("z") if not condition.endswith("nz") else mask != 0

    def step(self, wave):
        insn = self.insns[wave.pc]
        if wave.flying:
            self.check(wave, insn)
        wave.pc += 1
        self.trace.append((wave.number, "", insn))
        if insn.queue:
            full = {"vm": (VM_MOST - 1, LGKM_MOST)}.get(insn.queue, (VM_MOST, LGKM_MOST - 1))
            self.wait(wave, *full)
            wave.queues[insn.queue].append(insn.run(wave))
            wave.flying += 1
        elif insn.run:
            insn.run(wave)
        elif insn.wait:
            self.wait(wave, *insn.wait)
        elif insn.target:
            wave.pc = self.labels[insn.target] if self.taken(wave, insn.name) else wave.pc
        elif insn.name == "s_barrier":
            wave.meets = True
            self.meet()
        elif insn.name == "s_endpgm":
            self.wait(wave, 0, 0)
            wave.ended = True
            self.meet()
        if wave.flying and self.timing.soon:
            self.land_some(wave)

    def meet(self):
        """Lets the waves that have not ended go on if all of them stand at a barrier."""
        left = [w for w in self.waves if not w.ended]
        if all(w.meets for w in left):
            for w in left:
                w.meets = False

    def pick(self):
        able = [w for w in self.waves if not w.ended and not w.meets]
        if self.timing.order:
            return min(able, key=self.rank)
        if self.left <= 0 or self.turn not in able:
            self.turn, self.left = self.rng.choice(able), self.rng.choice((1, 3, 10, 40))
        self.left -= 1
        return self.turn

    def rank(self, wave):
        if self.timing.pause and wave.number == self.timing.pause[0]:
            wave.paused = wave.paused or wave.pc == self.timing.pause[1]
            return (1 if wave.paused else -1), 0
        return 0, self.timing.order.index(wave.number)

    def run(self):
        """What the group stored, wave by wave."""
        wave, steps = self.pick(), 0
        while steps < STEPS:
            self.step(wave)
            steps += 1
            if wave.ended or wave.meets or self.timing.pause or not self.timing.order:
                if all(w.ended for w in self.waves):
                    return [w.stored for w in self.waves]
                wave = self.pick()
        raise Endless(f"more than {STEPS} instructions")
