# SPDX-License-Identifier: Apache-2.0
"""Programs that are right by construction: between barriers each region of LDS has a role that all waves keep to,
every way passes the same barriers or ends, and what a role ends with has been waited for."""

import itertools
import re

from acts import act, barrier, roles
from conditions import part
from way import DATA, OTHER, OWN, SHARED, TEMPS, ZERO, ACC, Shape, Way


def label(way):
    way.shape.labels += 1
    return f".L{way.shape.labels}"


def straight(way, config):
    if way.rng.random() < 0.02:  # more than lgkmcnt can count
        for _ in range(way.rng.randrange(14, 19)):
            act(way, config)
    for _ in range(way.rng.randrange(way.shape.busy + 1)):
        act(way, config)


def fork(way, body):
    """Two ways that each go through `body`, or one that does and one that passes by what no barrier is in."""
    otherwise, end = label(way), label(way)
    branch, holds, other = part(way)
    ways = [way.fork(holds), way.fork(other)]
    way.put(f"{branch} {otherwise}", "branch")
    for number, arm in enumerate(ways):
        if number:
            way.put(f"{otherwise}:")
        way.put("s_nop 0", "arm")
        body(arm)
        if not number and not arm.ended:
            way.put(f"s_branch {end}")
    way.put(f"{end}:")
    way.join(ways)


def leave(way):
    """Some waves end here, which waits for what they have in flight."""
    stay = label(way)
    branch, holds, other = part(way)
    way.put(f"{branch} {stay}", "branch")
    gone = way.fork(holds)
    gone.put(f"global_store_dword {OWN}, {ACC}, s[6:7]", "store")
    gone.put("s_endpgm", "end")
    way.put(f"{stay}:")
    way.waves = other


def some_lanes(way, body):
    """By exec: lanes below a number, passed by where there are none."""
    saved, end = f"s[{40 + 2 * way.depth}:{41 + 2 * way.depth}]", label(way)
    number = way.rng.choice((32, 64, 96, 128, 160))
    way.put(f"v_cmp_gt_u32_e32 vcc, {number:#x}, v0")
    way.put(f"s_and_saveexec_b64 {saved}, vcc")
    skip = way.rng.random() < 0.7
    if skip:
        way.put(f"s_cbranch_execz {end}", "branch")
    inside = way.fork(frozenset(wave for wave in way.waves if 64 * wave < number) if skip else way.waves)
    inside.masked = True
    waves = way.waves
    body(inside)
    way.put(f"{end}:")
    way.join([inside, way.fork(waves)] if skip else [inside])
    way.waves = waves
    way.put(f"s_mov_b64 exec, {saved}")


def trips(way, uniform):
    """Writes how often a loop goes round into its counter; `uniform` if all waves must agree."""
    counter = f"s{24 + way.loops}"
    kinds = [f"s_mov_b32 {counter}, {way.rng.choice((1, 2, 3))}", f"s_mov_b32 {counter}, s12",
             f"s_add_u32 {counter}, s12, 1"]
    if not uniform:
        kinds += [f"s_add_u32 {counter}, s8, 1"] * 2
    way.put(way.rng.choice(kinds), "trip")
    return counter


def loop(way, body, uniform):
    """What is in flight round the back edge is waited for at the head, or nothing is."""
    at_head = way.rng.random() < 0.5
    if not at_head:
        way.wait_all()
    counter, head, done = trips(way, uniform), label(way), label(way)
    way.put(f"{head}:")
    if at_head:
        way.wait_all()
    way.depth, way.loops = way.depth + 1, way.loops + 1
    if not uniform and way.rng.random() < 0.3:
        branch, _, _ = part(way)
        way.put(f"{branch} {done}", "branch")
        way.put("s_nop 0", "arm")
    body(way)
    way.depth, way.loops = way.depth - 1, way.loops - 1
    if not at_head:
        way.wait_all()
    way.put(f"s_sub_u32 {counter}, {counter}, 1")
    way.put(f"s_cmp_lg_u32 {counter}, 0")
    way.put(f"s_cbranch_scc1 {head}", "branch")
    way.put(f"{done}:")
    way.wait_all()


def acts(way, config):
    """Code between two barriers."""
    straight(way, config)
    kind = way.rng.random() if way.depth < way.shape.deep else 1
    if kind < 0.2:
        fork(way, lambda arm: acts(arm, config))
    elif kind < 0.3 and not way.masked:
        some_lanes(way, lambda inside: straight(inside, config))
    elif kind < 0.35 and way.loops < 2:
        loop(way, lambda inside: straight(inside, config), uniform=False)
    elif kind < 0.38 and not way.masked and way.depth < 2:
        leave(way)
    straight(way, config)


def barrier_of_some(way, k, branch):
    skip = label(way)
    way.put(f"s_cmp_ge_u32 s8, {k}")
    way.put(f"{branch} {skip}", "branch")
    way.put("s_barrier", "barrier")
    way.put(f"{skip}:")


def lagged(way, config):
    """The waves from a number on run one barrier behind the others, through the same code: a region that changes its
    role is left alone in between, by all."""
    k = way.rng.randrange(1, way.shape.waves)
    other = roles(way.rng, way.shape, config)
    between = tuple(a if a == b else "none" for a, b in zip(config, other))
    barrier_of_some(way, k, "s_cbranch_scc0")

    def passes(inside):
        for here, after in itertools.pairwise((config, between, other, between, config)):
            acts(inside, here)
            barrier(inside, here, after)
        acts(inside, config)

    if way.rng.random() < 0.5:
        loop(way, passes, uniform=True)
    else:
        passes(way)
    barrier_of_some(way, k, "s_cbranch_scc1")


def through(way, configs, more):
    """Code that passes the barriers between the configs, one after the other or on different ways; with `more` also
    others, in loops that all waves go round together."""
    while True:
        acts(way, configs[0])
        if len(configs) == 1:
            return
        kind = way.rng.random() if way.depth < way.shape.deep else 1
        if kind < 0.45:
            count = way.rng.randrange(2, len(configs) + 1)
            passed, configs = configs[:count], configs[count - 1:]
            fork(way, lambda arm: through(arm, passed, False))
        elif more and kind < 0.55 and way.loops < 1 and way.shape.waves > 1:
            lagged(way, configs[0])
        elif more and kind < 0.65 and way.loops < 1:
            between = [roles(way.rng, way.shape, configs[0]) for _ in range(way.rng.randrange(1, 3))]
            loop(way, lambda inside: through(inside, [configs[0], *between, configs[0]], True), uniform=True)
        else:
            barrier(way, configs[0], configs[1])
            configs = configs[1:]


def begin(way):
    shape, rng = way.shape, way.rng
    way.put("s_load_dwordx4 s[4:7], s[0:1], 0x0")
    way.put("s_load_dwordx2 s[12:13], s[0:1], 0x10")
    way.put("v_lshrrev_b32_e32 v3, 6, v0")
    way.put("v_readfirstlane_b32 s8, v3")
    way.put(f"s_lshl_b32 s9, s8, {8 if shape.width == 4 else 10}")
    way.put("s_mov_b32 m0, s9")
    way.put(f"v_lshlrev_b32_e32 {OWN}, {2 if shape.width == 4 else 4}, v0")
    way.put(f"v_xor_b32_e32 {OTHER}, {shape.mask:#x}, {OWN}")
    way.put(f"v_and_b32_e32 {SHARED}, {63 * shape.width & ~3:#x}, {OWN}")
    way.put(f"v_mov_b32_e32 {ZERO}, 0")
    way.put(f"v_add_u32_e32 {DATA}, {rng.randrange(65, 9999):#x}, v0")
    for register in (ACC, *TEMPS):
        way.put(f"v_mov_b32_e32 {register}, 0")
    way.put("s_waitcnt lgkmcnt(0)")
    for text in ("s_mov_b32 s16, s4", "s_mov_b32 s17, s5", "s_mov_b32 s18, -1", "s_mov_b32 s19, 0x27000"):
        way.put(text)


def leave_out_idle(shape, lines):
    """What the prologue writes and nothing reads."""
    body = "\n".join(line.text for line in lines[shape.prologue:])
    idle = [line for line in lines[:shape.prologue] if line.text.split()[1] in (f"{temp}," for temp in TEMPS)
            and line.text.split()[1][:-1] not in body or re.match(r"s_mov_b32 s1[6-9]", line.text) and "s[16:19]" not in body]
    lines[:] = [line for line in lines if line not in idle or line.tag]
    shape.prologue -= len(idle)


def attempt(rng):
    target, waves = rng.choice(("gfx942", "gfx950")), rng.choice((1, 2, 2, 2, 2, 3, 3, 4, 4))
    width = rng.choice((4, 16)) if target == "gfx950" else 4
    mask = rng.choice((0x40, 0x40, 0x80, 0xc0, 0x60)) * width
    shape = Shape(waves, width, target, mask, *(rng.choice((1, 1, 1, 2, 3)) for _ in range(3)))
    way = Way(shape, rng, [], frozenset(range(waves)))
    begin(way)
    shape.prologue = len(way.lines)
    configs = [roles(rng, shape)]
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        configs.append(roles(rng, shape, configs[-1]))
    through(way, configs, True)
    loaded = [temp for temp in TEMPS if any(temp in line.text for line in way.lines[shape.prologue:])]
    for temp in loaded:
        way.need(lambda item: item[:2] == ("reg", temp))
        way.put(f"v_add_u32_e32 {ACC}, {temp}, {ACC}", "use")
    way.put(f"global_store_dword {OWN}, {ACC}, s[6:7]", "store")
    way.put("s_endpgm", "end")
    leave_out_idle(shape, way.lines)
    return shape, way.lines


def generate(rng):
    """(shape, lines) of a program that parts on something and accesses LDS."""
    while True:
        shape, lines = attempt(rng)
        if any(line.depth for line in lines) and sum("ds_" in line.text or "lds" in line.text for line in lines) > 1:
            return shape, lines
