# SPDX-License-Identifier: Apache-2.0
"""A work group that runs with one timing."""

import random

from .memory import Lds, Memory
from .operands import EXEC, VCC
from .program import arguments_of
from .refusal import Refused, Wrong
from .wave import Wave

STEPS = 400000


class Group:
    def __init__(self, program, timing, size, seed):
        self.program, self.timing = program, timing
        self.memory, lds = Memory(arguments_of(program, size)), Lds(seed)
        self.waves = [Wave(program, n, self.memory, lds, seed) for n in range(program.waves)]
        self.rng = random.Random(timing.seed)

    @staticmethod
    def land(wave, name, at=0):
        flight = wave.queues[name][at]
        del wave.queues[name][at]
        flight[1]()

    def retire(self, wave, vm, lgkm):
        queues = wave.queues
        while len(queues["vm"]) > vm:
            self.land(wave, "vm")
        while len(queues["ds"]) + len(queues["sm"]) > lgkm:
            scalar = queues["sm"] and (not queues["ds"] or self.rng.random() < 0.5)
            self.land(wave, "sm" if scalar else "ds", self.rng.randrange(len(queues["sm"])) if scalar else 0)

    @staticmethod
    def check(wave, insn):
        for name, queue in wave.queues.items():
            for flight in queue:
                used = insn.registers - insn.own if name == insn.queue and name != "sm" else insn.registers
                if used & flight[0].own:
                    raise Wrong(f"wave {wave.number}: line {insn.line}, {insn.text}: {sorted(used & flight[0].own)[0]} "
                                f"may be in flight from line {flight[0].line}")

    @staticmethod
    def follow_data(wave, insn):
        if insn.is_data or insn.reads & wave.data:
            wave.data |= insn.writes
        else:
            wave.data -= insn.writes
        wave.data -= insn.own

    @staticmethod
    def taken(wave, name):
        condition = name.removeprefix("s_cbranch_")
        if name == "s_branch":
            return True
        if condition.startswith("scc"):
            return wave.scc == int(condition[3])
        mask = wave.mask(VCC if condition.startswith("vcc") else EXEC)
        return mask != 0 if condition.endswith("nz") else mask == 0

    def step(self, wave):
        insn = self.program.insns[wave.pc]
        wave.pc += 1
        if insn.registers:
            self.check(wave, insn)
        if insn.queue:
            self.retire(wave, *((62, 15) if insn.queue == "vm" else (63, 14)))
            wave.queues[insn.queue].append((insn, insn.run(wave)))
            self.follow_data(wave, insn)
        elif insn.run:
            insn.run(wave)
            self.follow_data(wave, insn)
        elif insn.wait is not None:
            self.retire(wave, insn.wait.get("vmcnt", 63), insn.wait.get("lgkmcnt", 15))
        elif insn.target:
            wave.pc = self.program.labels[insn.target] if self.taken(wave, insn.name) else wave.pc
        elif insn.name in ("s_barrier", "s_endpgm"):
            wave.meets, wave.ended = insn.name == "s_barrier", insn.name == "s_endpgm"
            if wave.ended:
                self.retire(wave, 0, 0)
            left = [w for w in self.waves if not w.ended]
            if all(w.meets for w in left):
                for w in left:
                    w.meets = False
            return True
        soon = self.timing.soon[wave.number]
        for name, queue in wave.queues.items():
            while queue and soon and self.rng.random() < soon:
                self.land(wave, name)
        return False

    def run(self):
        steps, left, wave = 0, 0, None
        while steps < STEPS:
            able = [w for w in self.waves if not w.ended and not w.meets]
            if not able:
                return self.memory.stored
            if self.timing.order:
                wave, left = min(able, key=lambda w: self.timing.order.index(w.number)), STEPS
            else:
                wave, left = self.rng.choice(able), self.rng.choice((1, 5, 30, 200))
            while left > 0 and steps < STEPS:
                steps, left = steps + 1, left - 1
                if self.step(wave):
                    break
        raise Refused(f"more than {STEPS} instructions")
