# SPDX-License-Identifier: Apache-2.0
"""Whether some timing makes a program go wrong: a register used too early, or other stores than with another timing."""

import itertools
import random
from dataclasses import dataclass

from access import decode
from machine import Endless, Group, Timing, World, Wrong
from text import parse


@dataclass
class Judgement:
    wrong: bool
    reason: str = ""
    trace: list = None  # of the timing that shows it
    other: list = None  # of the one that it differs from
    undecided: bool = False  # some timing did not end


def timings(program, insns, rng, effort):
    """Extremes first: each wave ahead and behind, each access late; then a wave that stops before an access; then chance."""
    waves = range(program.waves)
    up, down = tuple(waves), tuple(reversed(waves))
    accesses = [pc for pc, insn in enumerate(insns) if insn.queue in ("vm", "ds", "sm") and "_store_" not in insn.name]
    orders = [up, down] + [(w, *[o for o in waves if o != w]) for w in waves] + [
        (*[o for o in waves if o != w], w) for w in waves]
    orders = list(dict.fromkeys(orders))
    for order in orders:
        yield Timing(order)
        yield Timing(order, soon=0)
    late = [Timing(order, held=frozenset([insns[pc].line])) for pc in accesses for order in (up, down)]
    stops = [Timing(rng.choice(orders), soon=rng.choice((0, 1)), pause=(w, pc)) for pc in accesses for w in waves]
    for some in (late, stops):
        rng.shuffle(some)
        yield from itertools.islice(some, effort)
    for seed in range(effort // 2):
        yield Timing(soon=rng.choice((0, 0.1, 0.5, 1)), seed=seed)


def explore(program, insns, world, effort):
    reference = None
    for timing in timings(program, insns, random.Random(world.seed), effort):
        group = Group(program, insns, world, timing)
        try:
            stored = group.run()
        except Wrong as wrong:
            return Judgement(True, str(wrong), group.trace)
        except Endless as endless:
            return Judgement(False, str(endless), group.trace, undecided=True)
        if reference is None:
            reference = stored, group.trace
        elif stored != reference[0]:
            wave = next(n for n, pair in enumerate(zip(stored, reference[0])) if pair[0] != pair[1])
            return Judgement(True, f"wave {wave} stores other values with another timing", group.trace, reference[1])
    return Judgement(False)


def judge(text, effort=24, worlds=3):
    program = parse(text)
    insns = [decode(line, statement) for line, statement in program.statements]
    judgement = Judgement(False)
    for seed in range(1, worlds + 1):
        judgement = explore(program, insns, World(seed), effort)
        if judgement.wrong or judgement.undecided:
            break
    return judgement


def told(trace):
    """A trace for people: one line per instruction, without arithmetic."""
    return "\n".join(f"  wave {wave} {what or 'runs':5} line {insn.line}: {insn.text}" for wave, what, insn in trace
                     if insn.queue or not insn.run)
