# SPDX-License-Identifier: Apache-2.0
"""Steps that know nothing of what a line is for: most do harm, and some make programs that nobody would write."""

import re

from way import TEMPS, Line

CONDITIONS = ("s_cmp_eq_u32 s8, 0", "s_cmp_lt_u32 s8, 2", "s_bitcmp1_b32 s8, 0", "s_cmp_eq_u32 s60, 0", "s_cmp_lt_u32 s12, 3",
              "s_bitcmp1_b32 s2, 0", "s_cmp_eq_u32 s31, 1", "s_cmp_lg_u32 s30, 0")


def label_of(line):
    return line.text[:-1] if line.text.endswith(":") else None


def later_labels(lines, at):
    return [label_of(line) for line in lines[at + 1:] if label_of(line)]


def movable(shape, lines):
    return [i for i in range(shape.prologue, len(lines) - 2) if not label_of(lines[i]) and lines[i].tag != "branch"]


def retarget(shape, lines, rng):
    at = rng.choice([i for i, line in enumerate(lines) if "branch" in line.text] or [0])
    labels = later_labels(lines, at)
    if labels and "branch" in lines[at].text:
        lines[at].text = f"{lines[at].text.split()[0]} {rng.choice(labels)}"


def another_way(shape, lines, rng):
    """A branch ahead, to where some other one goes."""
    at = rng.randrange(shape.prologue, len(lines) - 1)
    labels = later_labels(lines, at)
    if labels:
        name = rng.choice(("scc0", "scc1", "vccz", "vccnz"))
        condition = rng.choice(CONDITIONS) if "scc" in name else "v_cmp_gt_u32_e32 vcc, 64, v0"
        lines[at:at] = [Line(condition), Line(f"s_cbranch_{name} {rng.choice(labels)}", "branch")]


def swapped(shape, lines, rng):
    at = rng.choice(movable(shape, lines))
    to = min(max(shape.prologue, at + rng.choice((-3, -2, -1, 1, 2, 3, 8))), len(lines) - 2)
    lines.insert(to, lines.pop(at))


def dropped(shape, lines, rng):
    del lines[rng.choice(movable(shape, lines))]


def doubled(shape, lines, rng):
    at = rng.choice(movable(shape, lines))
    to = rng.randrange(shape.prologue, len(lines) - 1)
    lines.insert(to, Line(lines[at].text, lines[at].tag, lines[to].depth))


def lag(shape, lines, rng):
    """Some waves meet one barrier more here, the others there."""
    places = sorted(rng.randrange(shape.prologue, len(lines) - 1) for _ in range(2))
    condition = rng.choice(CONDITIONS[:4])
    for place, branch in zip(reversed(places), ("s_cbranch_scc0", "s_cbranch_scc1")):
        label = f".Llag{place}{branch[-1]}"
        lines[place:place] = [Line(condition), Line(f"{branch} {label}", "branch"), Line("s_barrier", "barrier", 1),
                              Line(f"{label}:")]


def early_end(shape, lines, rng):
    place = rng.randrange(shape.prologue, len(lines) - 1)
    label = f".Lend{place}"
    lines[place:place] = [Line(rng.choice(CONDITIONS)), Line(f"s_cbranch_scc{rng.randrange(2)} {label}", "branch"),
                          Line("s_endpgm", "end", 1), Line(f"{label}:")]


def over_a_load(shape, lines, rng):
    """A register that may be in flight is written, or a wait is for something else."""
    place, temp = rng.randrange(shape.prologue, len(lines) - 1), rng.choice(TEMPS)
    text = rng.choice((f"v_mov_b32_e32 {temp}, 7", f"global_load_dword {temp}, v1, s[4:5] offset:8",
                       "s_load_dword s30, s[4:5], 0x40", f"ds_read_b32 {temp}, v7", "s_mov_b32 m0, s63", "v_mov_b32_e32 v6, v1",
                       "v_readfirstlane_b32 s8, v10", "s_mov_b32 s9, 0", "v_add_u32_e32 v1, v1, v1"))
    lines.insert(place, Line(text, "", lines[place].depth))


def few_lanes(shape, lines, rng):
    """From here on, or for a while, some lanes only."""
    first = rng.randrange(shape.prologue, len(lines) - 1)
    last = rng.randrange(first, len(lines) - 1)
    mask = rng.choice(("1", "0", "vcc", "s[60:61]"))
    lines.insert(last, Line("s_mov_b64 exec, -1"))
    lines.insert(first, Line(f"s_mov_b64 exec, {mask}", "", 1))


def barrier_past_lanes(shape, lines, rng):
    """A barrier where exec is 0 in some waves: it counts, unless a branch passes it by."""
    place = rng.randrange(shape.prologue, len(lines) - 1)
    label, skip = f".Lexec{place}", rng.random() < 0.6
    lines[place:place] = [Line(f"v_cmp_gt_u32_e32 vcc, {rng.choice((32, 64, 128))}, v0"),
                          Line("s_and_saveexec_b64 s[50:51], vcc"),
                          *([Line(f"s_cbranch_execz {label}", "branch")] if skip else []), Line("s_barrier", "barrier", 1),
                          Line(f"{label}:"), Line("s_mov_b64 exec, s[50:51]")]


def numbers_swapped(shape, lines, rng):
    found = [i for i in movable(shape, lines) if re.search(r"offset:\d+|cnt\(\d+\)", lines[i].text)]
    if found:
        at = rng.choice(found)
        lines[at].text = re.sub(r"offset:\d+", f"offset:{shape.base(rng.randrange(4))}", lines[at].text)
        lines[at].text = re.sub(r"cnt\(\d+\)", f"cnt({rng.choice((0, 1, 2, 3, 15))})", lines[at].text)


STEPS = (retarget, another_way, another_way, swapped, swapped, dropped, doubled, lag, lag, early_end, over_a_load, few_lanes,
         barrier_past_lanes, numbers_swapped)
