# SPDX-License-Identifier: Apache-2.0
"""Scalar loads, which may be done in any order."""

from .lanes import signed


def parse_scalar_load(name, ops):
    words = {"s_load_dword": 1}.get(name) or int(name.removeprefix("s_load_dwordx"))

    def run(w):
        base = ops[1].wide(w) + signed(ops[2].word(w))
        return lambda: [w.s.__setitem__(ops[0].at + i, w.memory.scalar(base + 4 * i)) for i in range(words)]
    return run
