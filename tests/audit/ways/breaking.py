# SPDX-License-Identifier: Apache-2.0
"""One step each that may break a right program: what is built in is named, and whether it does harm the judge says."""

import re

import shuffling
from way import ACC, DATA, OTHER, OWN, TEMPS, Line


def pick(lines, rng, holds):
    """Where a line is of which that holds, mostly one on a way that not all waves take."""
    found = [i for i, line in enumerate(lines) if holds(line)]
    parted = [i for i in found if lines[i].depth]
    return rng.choice(parted if parted and rng.random() < 0.7 else found) if found else None


def tagged(*tags):
    return lambda line: line.tag in tags


def before(line):
    """What says that an instruction is not there: a comment that ends behind it."""
    return Line(f"/* \n\t{line.text}\n*/ s_nop 0", line.tag, line.depth)


def no_wait(shape, lines, rng):
    at = pick(lines, rng, tagged("wait"))
    if at is not None:
        del lines[at]


def weak_wait(shape, lines, rng):
    at = pick(lines, rng, lambda line: line.tag == "wait" and "(" in line.text)
    if at is not None:
        more = rng.randrange(1, 3)
        lines[at].text = re.sub(r"\((\d+)\)", lambda count: f"({int(count[1]) + more})", lines[at].text)


def wait_on_one_way(shape, lines, rng):
    at = pick(lines, rng, tagged("wait"))
    arms = [i for i, line in enumerate(lines) if line.tag == "arm" and at is not None and i > at]
    if arms:
        lines.insert(rng.choice(arms[:4]) + 1, lines[at])
        del lines[at]


def late_wait(shape, lines, rng):
    """Behind what it was there for."""
    at = pick(lines, rng, tagged("wait"))
    if at is not None and at + 2 < len(lines) and not lines[at + 1].text.endswith(":"):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]


def no_barrier(shape, lines, rng):
    at = pick(lines, rng, tagged("barrier"))
    if at is not None:
        del lines[at]


def early_barrier(shape, lines, rng):
    at = pick(lines, rng, tagged("barrier"))
    if at is not None:
        line = lines.pop(at)
        lines.insert(max(at - rng.randrange(1, 4), 0), line)


def late_barrier(shape, lines, rng):
    at = pick(lines, rng, tagged("barrier"))
    if at is not None:
        line = lines.pop(at)
        lines.insert(min(at + rng.randrange(1, 4), len(lines) - 2), line)


def barrier_on_one_way(shape, lines, rng):
    at = pick(lines, rng, tagged("arm"))
    if at is not None:
        lines.insert(at + 1, Line("s_barrier", "barrier", lines[at].depth))


def stray_access(shape, lines, rng):
    """Somewhere on a way, to a place that is not its own."""
    at = pick(lines, rng, lambda line: line.tag in ("arm", "access", "use") and line.depth)
    if at is None:
        return
    base, depth = shape.base(rng.randrange(shape.regions)), lines[at].depth
    temp = rng.choice(TEMPS)
    kind = rng.randrange(4)
    if kind <= 1:
        new = [f"v_add_u32_e32 {DATA}, 0x77, {DATA}", f"ds_write_b32 {OTHER}, {DATA} offset:{base}", "s_waitcnt lgkmcnt(0)"]
    elif kind == 2:
        new = ["s_waitcnt 0", f"ds_read_b32 {temp}, {OTHER} offset:{base}", "s_waitcnt lgkmcnt(0)",
               f"v_add_u32_e32 {ACC}, {temp}, {ACC}"]
    else:
        new = [f"s_xor_b32 m0, s9, {shape.mask:#x}", f"s_add_u32 m0, m0, {base:#x}", "s_nop 0",
               f"global_load_lds_dword {OWN}, s[4:5]", "s_waitcnt vmcnt(0)"]
    lines[at + 1:at + 1] = [Line(text, "wait" if "waitcnt" in text else "access", depth) for text in new]


def other_atom(shape, lines, rng):
    at = pick(lines, rng, tagged("atom"))
    if at is not None:
        name = lines[at].text.split()[0]
        others = [other for other in ("ds_add_u32", "ds_and_b32", "ds_or_b32", "ds_xor_b32", "ds_min_u32", "ds_write_b32",
                                      "ds_sub_u32", "ds_inc_u32", "ds_max_u32") if other != name]
        lines[at].text = lines[at].text.replace(name, rng.choice(others))


def returning_atom(shape, lines, rng):
    at = pick(lines, rng, tagged("atom"))
    if at is not None:
        temp = rng.choice(TEMPS)
        name, rest = lines[at].text.split(" ", 1)
        stem, kind = name.rsplit("_", 1)
        lines[at].text = f"{stem}_rtn_{kind} {temp}, {rest}"
        new = ["s_waitcnt lgkmcnt(0)", f"v_add_u32_e32 {ACC}, {temp}, {ACC}"]
        lines[at + 1:at + 1] = [Line(text, "use", lines[at].depth) for text in new]


def trips_by_wave(shape, lines, rng):
    at = pick(lines, rng, tagged("trip"))
    if at is not None:
        counter = re.search(r"s2\d", lines[at].text)[0]
        how = rng.randrange(3)
        lines[at].text = (f"s_add_u32 {counter}, s8, 1", f"s_min_u32 {counter}, s61, 2",
                          f"s_and_b32 {counter}, s62, 1")[how]
        if how:
            lines.insert(at + 1, Line(f"s_add_u32 {counter}, {counter}, 1", "", lines[at].depth))


def other_place(shape, lines, rng):
    """An access to a place of its own goes to that of another thread."""
    at = pick(lines, rng, lambda line: line.tag == "access" and re.search(rf"\b{OWN}\b", line.text) and "ds_" in line.text)
    if at is not None:
        lines[at].text = re.sub(rf"\b{OWN}\b", OTHER, lines[at].text)


def other_m0(shape, lines, rng):
    at = pick(lines, rng, lambda line: line.text.startswith("s_add_u32 m0"))
    if at is not None:
        other = f"s_xor_b32 m0, m0, {shape.mask & ~127:#x}"
        lines.insert(at + 1, Line(other, "", lines[at].depth))


def hidden_instruction(shape, lines, rng):
    """Inside of a comment over several lines."""
    at = pick(lines, rng, tagged("wait", "barrier"))
    if at is not None:
        lines[at] = before(lines[at])


def shown_instruction(shape, lines, rng):
    """Behind a lone carriage return, which ends a comment."""
    at = pick(lines, rng, lambda line: line.tag in ("wait", "barrier", "use") and not re.search("[\r\n]", line.text))
    if at is not None:
        base = shape.base(rng.randrange(shape.regions))
        show = rng.choice((f"ds_write_b32 {OTHER}, v0 offset:{base}", "s_barrier", f"v_mov_b32_e32 {OWN}, {OTHER}",
                           "s_mov_b64 exec, 1", f"ds_read_b32 {rng.choice(TEMPS)}, {ACC}"))
        lines[at].text += f" {rng.choice((';', '//'))} once\r\t{show}"


def passed_by(shape, lines, rng):
    """One line stands on a way that some waves do not take."""
    at = pick(lines, rng, lambda line: line.tag in ("wait", "barrier") and not re.search("[\r\n]", line.text))
    if at is not None:
        how = rng.choice((f"s_cmp_eq_u32 s8, {rng.randrange(shape.waves)}", "s_bitcmp1_b32 s8, 0", "s_cmp_eq_u32 s63, 0",
                          "s_bitcmp1_b32 s60, 0"))
        label, line = f".Lpass{at}", lines[at]
        lines[at:at + 1] = [Line(how), Line(f"s_cbranch_scc{rng.randrange(2)} {label}", "branch"), line, Line(f"{label}:")]


STEPS = (no_wait, no_wait, weak_wait, wait_on_one_way, wait_on_one_way, late_wait, no_barrier, no_barrier, early_barrier,
         late_barrier, barrier_on_one_way, stray_access, stray_access, other_atom, returning_atom, trips_by_wave,
         other_place, other_m0, hidden_instruction, shown_instruction, passed_by, passed_by)


def broken(shape, lines, rng):
    """(name of the step, lines): a copy that one step changed."""
    while True:
        copies = [Line(line.text, line.tag, line.depth) for line in lines]
        step = rng.choice(STEPS if rng.random() < 0.6 else shuffling.STEPS)
        step(shape, copies, rng)
        if [line.text for line in copies] != [line.text for line in lines]:
            return step.__name__, copies
