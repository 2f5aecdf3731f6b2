# SPDX-License-Identifier: Apache-2.0
"""Random configurations and bodies, and how to ask the command or the batch driver about them."""

import random

from ops import COMPUTE, FRAGMENT_LOAD, GLOBAL_LOAD, GLOBAL_MEM, LDS, MMA_UNIT, NONE, VALU
from schedulers import NO_VGPR_LIMIT

FLAGS = ("auto_waits", "auto_drain", "lgkm_after_last", "minimal_barriers", "omit_mma_set_prio",
         "global_before_frag", "barrier_before_pre_ops", "inter_block_lgkm_drain",
         "partial_prologue_drain", "wrap_waits_with_sched_barrier")
STRATEGIES = ("identity", "greedy", "csp")
# An exact search with a penalty takes the oracle about a second; a run shares a few.
SEARCHES_PER_RUN = 6


def _flag_sets(rng):
    """Every combination of the flags, in a random order, again and again."""
    while True:
        numbers = list(range(1 << len(FLAGS)))
        rng.shuffle(numbers)
        for bits in numbers:
            yield {f"schedule.{name}": "true" if bits >> i & 1 else "false"
                   for i, name in enumerate(FLAGS)}


def _mask(rng):
    """A mask in one of the three ways to write it."""
    value = rng.choice((0, 1, 0b10100110, 0xff, 0x55, 0xaa, (1 << 64) - 1, 1 << 63,
                        rng.getrandbits(8), rng.getrandbits(8), rng.getrandbits(16)))
    return rng.choice((str, hex, bin))(value)


def _some(rng, settings, odds, **paths):
    """Sets each path with the odds; a path is its section, two underscores, its name."""
    for name, choose in paths.items():
        if rng.random() < odds:
            settings[name.replace("__", ".")] = str(choose())


def _common(rng, settings):
    """Settings of both double-buffered kernels, each of which may stay at its default."""
    counts = (0, 1, 2, 4, 6, 8, 16)
    _some(rng, settings, 0.35,
          schedule__sched_barrier_mask=lambda: _mask(rng),
          schedule__drain_lgkm_mask=lambda: _mask(rng),
          schedule__wait_lgkm_first=lambda: rng.choice((0, 3, 8, 15, 254, 255, 255)),
          schedule__wait_vm_last=lambda: rng.choice((0, 1, 6, 12, 63, 65535)),
          schedule__lgkm_per_load_a=lambda: rng.choice(counts),
          schedule__lgkm_per_load_b=lambda: rng.choice(counts),
          pipeline__lgkm_per_load_a=lambda: rng.choice(counts),
          pipeline__lgkm_per_load_b=lambda: rng.choice(counts),
          pipeline__vm_per_load_a=lambda: rng.choice(counts + (63, 65535)),
          pipeline__vm_per_load_b=lambda: rng.choice(counts + (63, 65535)),
          pipeline__warp_stagger=lambda: rng.choice(
              ("none", "auto", "fixed(0)", "fixed(3)", f"fixed({rng.randrange(40)})")))
    _some(rng, settings, 0.12,
          pipeline__ch0_match_field=lambda: rng.choice((0, 1)),
          pipeline__ch1_match_field=lambda: rng.choice((0, 1)),
          pipeline__heavy=lambda: rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 1024)),
          pipeline__light=lambda: rng.choice((0, 1, 2, 3, 4, 6)),
          pipeline__prefetch=lambda: rng.choice((0, 1, 2)),
          pipeline__drain_passes=lambda: rng.choice((0, 2, 3)),
          pipeline__mma_latency=lambda: rng.choice((0, 8, 64)),
          pipeline__mma_serial=lambda: rng.choice(("true", "false")))
    _some(rng, settings, 0.03,
          pipeline__cross_stage_rotation=lambda: rng.choice(("true", "false")),
          pipeline__m_mmas=lambda: rng.choice((1, 2, 4)),
          pipeline__n_mmas=lambda: rng.choice((1, 2, 4)),
          pipeline__depth=lambda: rng.choice((1, 2, 3)),
          pipeline__num_partitions=lambda: rng.choice((1, 2, 3)))
    settings["pipeline.max_globals"] = str(rng.choice((0, 0, 1, 1, 1, 2, 3)))
    if rng.random() < 0.3:
        settings["pipeline.frag_order"] = rng.choice(("b_before_a", "a_before_b"))


def _geometry(rng, settings):
    """A shape, more often a possible one than not."""
    settings["geometry.block"] = ",".join(str(rng.choice(sizes)) for sizes in (
        (64, 128, 128, 256, 256, 192, 320, 96, 100), (64, 128, 128, 256, 256, 192, 320, 96),
        (16, 32, 64, 64, 128, 256, 48)))
    if rng.random() < 0.8:
        settings["geometry.mma"] = rng.choice(
            ("16,16,32", "32,32,16", "16,16,128", "32,32,64", "16,16,16", "32,32,8", "4,4,4",
             "16,16,4", "64,64,1"))
    if rng.random() < 0.8:
        settings["geometry.elem_bytes"] = str(rng.choice((1, 1, 2, 2, 4, 3, 8, 16)))


def _searches(rng):
    """The few (penalty, budget) of a run whose answers need a search."""
    return [(rng.choice((1, 2, 5, 10, 15, 20, 25, 30, 40, 60)),
             rng.choice((NO_VGPR_LIMIT, NO_VGPR_LIMIT, 96, 97, 95, 128)))
            for _ in range(SEARCHES_PER_RUN)]


def _pingpong(rng, flags, searches):
    settings = dict(flags)
    if settings["schedule.minimal_barriers"] == "false" and rng.random() < 0.9:
        settings["schedule.omit_mma_set_prio"] = "false"  # else refused
    strategy = rng.choice(STRATEGIES + ("csp",))
    if strategy != "csp" or rng.random() < 0.5:
        settings["schedule.scheduling"] = strategy
    _common(rng, settings)
    if rng.random() < 0.15:
        _geometry(rng, settings)
    if strategy == "csp" and rng.random() < 0.15:
        penalty, budget = rng.choice(searches)
        for name in ("heavy", "light", "ch0_match_field", "ch1_match_field", "frag_order"):
            settings.pop(f"pipeline.{name}", None)
        settings["schedule.lds_contention_penalty"] = str(penalty)
        settings["schedule.max_vgpr"] = str(budget)
        settings["pipeline.max_globals"] = "1"
    elif rng.random() < 0.15:
        settings["schedule.max_vgpr"] = str(rng.choice((0, 40, 90, 95, 96, 97, 200)))
        if strategy != "csp":
            settings["schedule.lds_contention_penalty"] = str(rng.choice((0, 7, 60)))
    return ["pingpong", settings]


def _fourwave(rng, flags):
    settings = dict(flags)
    # Three of the flags are forced anyway; the fourth is refused without its companion.
    if rng.random() < 0.7:
        settings.pop("schedule.omit_mma_set_prio")
    if rng.random() < 0.2:
        settings["schedule.scheduling"] = rng.choice(STRATEGIES)
    _common(rng, settings)
    if rng.random() < 0.4:
        _geometry(rng, settings)
    return ["fourwave", settings]


def _single_buffer(rng, flags):
    settings = {path: value for path, value in flags.items() if rng.random() < 0.1}
    tiles = 2
    if rng.random() < 0.95:
        tiles = rng.randrange(1, 17)
        settings["num_k_tiles"] = str(tiles)
    small = (1, 2, 3, 4, 5, 8)
    _some(rng, settings, 0.3,
          hints__m_mmas=lambda: rng.choice(small), hints__n_mmas=lambda: rng.choice(small),
          hints__k_mmas=lambda: rng.choice(small), hints__mma_m=lambda: rng.choice((16, 32, 4)),
          hints__mma_n=lambda: rng.choice((16, 32, 4)),
          hints__a_loads=lambda: rng.choice((0, 1, 2, 3, 7)),
          hints__b_loads=lambda: rng.choice((0, 1, 2, 3, 7)))
    _some(rng, settings, 0.06,
          pipeline__warp_stagger=lambda: rng.choice(("none", "auto", "fixed(2)")),
          pipeline__vm_per_load_a=lambda: rng.choice((0, 1, 8)),
          pipeline__m_mmas=lambda: rng.choice((1, 4)),
          pipeline__max_globals=lambda: rng.choice((0, 1, 3)),
          pipeline__loop_carried=lambda: rng.choice(
              ("fragment_zero", "fragment_load:0", f"fragment_load:{tiles - 1}")),
          schedule__scheduling=lambda: rng.choice(STRATEGIES),
          schedule__lds_contention_penalty=lambda: rng.choice((0, 9)),
          geometry__elem_bytes=lambda: 2)
    return ["single_buffer", settings]


def random_cases(seed, count):
    """Cases [kernel, settings] for compile_kernel."""
    rng = random.Random(f"cases {seed}")
    pingpong_flags, fourwave_flags = _flag_sets(rng), _flag_sets(rng)
    searches, out = _searches(rng), []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.5:
            out.append(_pingpong(rng, next(pingpong_flags), searches))
        elif kind < 0.82:
            out.append(_fourwave(rng, next(fourwave_flags)))
        else:
            out.append(_single_buffer(rng, next(fourwave_flags)))
    return out


def search_key(case):
    """Equal for cases that share an exact search."""
    kernel, settings = case
    if kernel != "pingpong":
        return (kernel, settings.get("num_k_tiles"))
    return (kernel,) + tuple(settings.get(path) for path in (
        "schedule.lds_contention_penalty", "schedule.max_vgpr"))


def words_of(case):
    """The command's arguments for a case."""
    kernel, settings = case
    return ["compile", kernel, "--format", "json",
            *(word for path, value in settings.items() for word in ("--set", f"{path}={value}"))]


def command_of(case):
    """The same as a line for a shell."""
    words = words_of(case)
    return "swp " + " ".join(f"'{word}'" if set(word) & set("() ") else word for word in words)


def description_of(case):
    """The case as a YAML description."""
    kernel, settings = case
    sections, lines = {}, ["swp: 1", f"kernel: {kernel}"]
    for path, value in settings.items():
        section, _, name = path.rpartition(".")
        value = f"[{value}]" if "," in value else value
        if section:
            sections.setdefault(section, []).append(f"  {name}: {value}")
        else:
            lines.append(f"{name}: {value}")
    for section, fields in sections.items():
        lines += [f"{section}:", *fields]
    return "\n".join(lines) + "\n"


def question_of_case(case):
    """The batch driver's line for a case."""
    kernel, settings = case
    return "\t".join(["compile", kernel, *(f"{p}={v}" for p, v in settings.items())])


# ---------------------------------------------------------------- bodies

KINDS = ((COMPUTE, MMA_UNIT), (COMPUTE, MMA_UNIT), (GLOBAL_LOAD, GLOBAL_MEM),
         (FRAGMENT_LOAD, LDS), (6, VALU), (NONE, NONE))
CALLS = ("simple_greedy", "greedy", "optimal", "optimal_with_halves", "optimal_with_halves")
# Larger ones take the oracle's search minutes now and then.
MOST_SEARCHED, MOST_GREEDY = 12, 60


def _random_ops(rng, count, halves):
    latencies = rng.choice(((0, 1, 3, 7, 10), (1,), (16, 20, 200), (1, 2, 3, 4, 5, 6, 7, 8)))
    registers = rng.choice(((0,), (0, 0, 1, 4), (1, 2, 3, 8)))
    ops = []
    for i in range(count):
        role, resource = rng.choice(KINDS)
        if halves and i in (count // 2 - 1, count - 1) and rng.random() < 0.95:
            role, resource = KINDS[0]
        if rng.random() < 0.03:
            role, resource = rng.choice(KINDS)[0], rng.choice(KINDS)[1]
        ops.append({"tag": i % 128, "role": role, "resource": resource,
                    "latency": rng.choice(latencies), "vgpr_def": rng.choice(registers),
                    "vgpr_kill": rng.choice(registers)})
    return ops


def _random_edges(rng, count, halves):
    """Mostly acyclic; sometimes against the declaration order, sometimes an error."""
    rank = list(range(count))
    if rng.random() < (0.15 if halves else 0.4):
        rng.shuffle(rank)
    density = rng.choice((0.05, 0.15, 0.3)) * 10 / max(count, 10)
    edges = [[p, c, rng.randrange(3), rng.choice((0, 0, 0, 1, 2))]
             for p in range(count) for c in range(count)
             if rank[p] < rank[c] and rng.random() < density]
    if rng.random() < 0.04 and count:
        wrong = rng.choice(([0, count, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1],
                            [count - 1, 0, 0, 0], [0, 0, 0, -1]))
        edges.append(wrong)
    return edges


def _blocks_per_half(rng, ops):
    half = len(ops) // 2
    computes = sum(op["role"] == COMPUTE for op in ops[:half])
    return max(1, computes if rng.random() < 0.95 else computes + rng.choice((-1, 1)))


def random_bodies(seed, count):
    """Cases for oracle.solve_body."""
    rng, out = random.Random(f"bodies {seed}"), []
    for _ in range(count):
        call = rng.choice(CALLS)
        searched = call.startswith("optimal")
        halves = call in ("greedy", "optimal_with_halves")
        size = rng.randrange(1, MOST_SEARCHED if searched else MOST_GREEDY)
        if halves:
            size += size % 2
        ops = _random_ops(rng, size, halves)
        out.append({"call": call, "ops": ops, "edges": _random_edges(rng, size, halves),
                    "lds_contention_penalty": rng.choice((0, 0, 1, 5, 13, 60)),
                    "max_vgpr": rng.choice((NO_VGPR_LIMIT, NO_VGPR_LIMIT, 20, 12, 8, 5)),
                    "max_globals_per_block": rng.choice((0, 0, 1, 2)),
                    "blocks_per_half": _blocks_per_half(rng, ops)})
    return out


def question_of_body(case):
    """The batch driver's line for a body."""
    keys = ("role", "resource", "latency", "vgpr_def", "vgpr_kill")
    ops = " ".join(",".join(str(op[key]) for key in keys) for op in case["ops"])
    edges = " ".join(",".join(map(str, edge)) for edge in case["edges"])
    return "\t".join(["solve", case["call"], str(case["lds_contention_penalty"]),
                      str(case["max_vgpr"]), str(case["max_globals_per_block"]),
                      str(case["blocks_per_half"]), ops, edges])
