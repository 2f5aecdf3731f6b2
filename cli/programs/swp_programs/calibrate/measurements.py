# SPDX-License-Identifier: Apache-2.0
"""The measurements of a target: their names, and the calls that make them."""
from .instructions import COPIES, OPS, PAIRS
from .instructions_amd import AMD_OPS
from .targets import AMD, has


def name_of(op, warps):
    return f"{op}/{warps}"


def pair_of(first, second):
    return f"{first}+{second}"


def identifier(op):
    return f"op_{op}"


def measurements_of(architecture):
    """Each measurement's name, and the call that makes it."""
    if architecture in AMD:
        yield from ((name_of(op, waves), f"measure<{identifier(op)}>(name, {waves})") for op, row in AMD_OPS.items() for waves in row[0])
        yield "load_all", "measure_loads(name)"
        return
    ops = [op for op, row in OPS.items() if has(architecture, row[0])]
    for op in ops:
        for warps in OPS[op][1]:
            yield name_of(op, warps), f"measure<{identifier(op)}>(name, {warps})"
    for first, second in PAIRS:
        if first in ops and second in ops:
            yield pair_of(first, second), f"measure_pair<{identifier(first)}, {identifier(second)}>(name)"
    for name, (least, call) in COPIES.items():
        if has(architecture, least):
            yield name, call
