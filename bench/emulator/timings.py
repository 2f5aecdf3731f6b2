# SPDX-License-Identifier: Apache-2.0
"""Timings of a work group: in which order waves run, and how soon their accesses are done."""

import collections
import random

from .group import Group
from .refusal import Wrong

Timing = collections.namedtuple("Timing", "order soon seed")
Result = collections.namedtuple("Result", "wrong stored")


def timings(program, seed, effort):
    """First those in which all waves, or half of them, are as quick or as slow as can be."""
    up = tuple(range(program.waves))
    quick, slow, half = (1,) * program.waves, (0,) * program.waves, program.waves // 2
    corners = [(up, quick), (up[::-1], slow), (up, quick[:half] + slow[half:]), (up[::-1], slow[:half] + quick[half:]),
               (up, slow), (up[::-1], quick)]
    for order, soon in corners[:effort]:
        yield Timing(order, soon, 0)
    rng = random.Random(seed)
    for i in range(effort - len(corners)):
        order, together = tuple(rng.sample(up, len(up))) if i % 2 else (), rng.random() < 0.5
        soon = rng.choice((0, 0.02, 0.2))
        yield Timing(order, tuple(soon if together else rng.choice((0, 0.02, 0.2, 1)) for _ in up), rng.random())


def explore(program, seed, effort, sizes=(256, 144)):
    """Whether a timing matters, and what is stored if none does. All whole numbers among the arguments are one size."""
    found = []
    for size in sizes:
        stored = None
        for timing in timings(program, seed, effort):
            try:
                now = Group(program, timing, size, seed).run()
            except Wrong as wrong:
                return Result(str(wrong), None)
            if stored is not None and now != stored:
                return Result(f"with {timing} it stores other values", None)
            stored = now
        found.append(stored)
    return Result("", found)
