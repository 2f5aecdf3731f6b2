# SPDX-License-Identifier: Apache-2.0
"""Settings (docs/settings.md) and built-in kernels (docs/descriptions.md, "Built-ins")."""

from dataclasses import replace

from ops import (COMPUTE, FRAGMENT_LOAD, GLOBAL_LOAD, GLOBAL_MEM, K0, K1, K_PREV, LDS, MMA_UNIT,
                 SHARED_STORE, Op, OpCost, SpecError, annotate_ops, barrier,
                 derive_cross_stage_rotation_edges, derive_edges_from_ops,
                 filter_spurious_cross_stage_flow, sched_group_barrier)
from phases import (EPILOGUE_RECIPE, PROLOGUE_RECIPE, apply_phase_recipe, derive_epilogue,
                    derive_kernel, derive_kernel_deps, derive_prologue, double_buffer_reorder,
                    optimize_within_barriers, single_buffer_reorder, stagger_index)
from program import (CSP, GREEDY, IDENTITY, build_kernel_program, emit_minimal_barrier_block,
                     order_metrics)

# ---------------------------------------------------------------- settings

SCHEDULE_DEFAULTS = {  # ScheduleConfig
    "scheduling": IDENTITY, "sched_barrier_mask": 0b01010101, "auto_waits": True,
    "drain_lgkm_mask": 0, "auto_drain": False, "lds_contention_penalty": 0,
    "wait_lgkm_first": 8, "wait_vm_last": 6, "lgkm_per_load_a": 0, "lgkm_per_load_b": 0,
    "lgkm_after_last": False, "minimal_barriers": False, "omit_mma_set_prio": False,
    "max_vgpr": 999999, "global_before_frag": False, "barrier_before_pre_ops": False,
    "inter_block_lgkm_drain": False, "partial_prologue_drain": False,
    "wrap_waits_with_sched_barrier": False,
}

MI355X_DOUBLE_BUFFER = {  # mi355x_double_buffer(4, 4, 1)
    "depth": 2, "prefetch": 1, "drain_passes": 2, "prologue_fill": 1, "loop_carried": None,
    "heavy": 4, "light": 2, "max_globals": 1, "frag_order": 0, "m_mmas": 2, "n_mmas": 2,
    "num_partitions": 2, "mma_serial": True, "mma_latency": 16, "vm_per_load_a": 4,
    "vm_per_load_b": 4, "ch0_match_field": 0, "ch1_match_field": 1, "warp_stagger": "auto",
    "lgkm_per_load_a": 0, "lgkm_per_load_b": 0, "cross_stage_rotation": False,
}

MI355X_SINGLE_BUFFER = dict(MI355X_DOUBLE_BUFFER, depth=1, prologue_fill=0, loop_carried=0,
                            max_globals=0, num_partitions=1, warp_stagger="none")

HINT_DEFAULTS = {  # docs/settings.md, "hints and num_k_tiles"
    "m_mmas": 4, "n_mmas": 4, "k_mmas": 2, "mma_m": 16, "mma_n": 16, "a_loads": 2, "b_loads": 2,
}

GEOMETRY_DEFAULTS = {"block": [256, 256, 64], "mma": [16, 16, 32], "elem_bytes": 2}

STRATEGY_NAMES = {"identity": IDENTITY, "greedy": GREEDY, "csp": CSP}
FRAG_ORDER_NAMES = {"b_first": 0, "b_before_a": 0, "a_first": 1, "a_before_b": 1}


def _number(path, value):
    if isinstance(value, bool):
        raise SpecError(f"{path}: a number is wanted, not {value}")
    try:
        return value if isinstance(value, int) else int(str(value).strip(), 0)
    except ValueError:
        raise SpecError(f"{path}: {value!r} is not a number") from None


def _boolean(path, value):
    if isinstance(value, bool):
        return value
    if str(value) in ("true", "false"):
        return str(value) == "true"
    raise SpecError(f"{path}: {value!r} is neither true nor false")


def _at_least(path, value, least):
    if value < least:
        raise SpecError(f"{path}: {value} is below {least}")
    return value


def _choice(path, value, names):
    if str(value) in names:
        return names[str(value)]
    number = _number(path, value)
    if number not in names.values():
        raise SpecError(f"{path}: {value!r} is none of {sorted(names)}")
    return number


def _stagger(path, value):
    """WarpStaggerRule: none, auto, or an amount."""
    if value in ("none", "auto"):
        return value
    text = str(value)
    if not (text.startswith("fixed(") and text.endswith(")")):
        raise SpecError(f"{path}: {value!r} is none of none, auto, fixed(N)")
    return _at_least(path, _number(path, text[6:-1]), 0)


def _loop_carried(path, value):
    """LoopCarriedSpec: none, or the subtile of a fragment load."""
    if value in ("none", "fragment_zero"):
        return {"none": None, "fragment_zero": 0}[value]
    role, _, subtile = str(value).partition(":")
    if role != "fragment_load":
        raise SpecError(f"{path}: {value!r} (the oracle knows fragment loads only)")
    return _at_least(path, _number(path, subtile), 0)


def _parse_field(path, name, value, default):
    """One field of the two configs, by the type of its default."""
    if name == "scheduling":
        return _choice(path, value, STRATEGY_NAMES)
    if name == "frag_order":
        return _choice(path, value, FRAG_ORDER_NAMES)
    if name == "warp_stagger":
        return _stagger(path, value)
    if name == "loop_carried":
        return _loop_carried(path, value)
    if isinstance(default, bool):
        return _boolean(path, value)
    number = _at_least(path, _number(path, value), 0)
    if name in ("sched_barrier_mask", "drain_lgkm_mask") and number >> 64:
        raise SpecError(f"{path}: a bit beyond 63")
    if name in ("ch0_match_field", "ch1_match_field") and number > 1:
        raise SpecError(f"{path}: {number} is neither 0 nor 1")
    return number


def _triple(path, value):
    parts = value if isinstance(value, list) else str(value).strip("[]").split(",")
    if len(parts) != 3:
        raise SpecError(f"{path}: three numbers are wanted")
    return [_at_least(path, _number(path, part), 1) for part in parts]


class Settings:
    """The --set paths of docs/settings.md, sorted by what they set."""

    def __init__(self, settings):
        self.schedule, self.pipeline, self.geometry, self.hints = {}, {}, {}, {}
        self.num_k_tiles = None
        for path, value in settings.items():
            group, _, name = path.partition(".")
            if path == "num_k_tiles":
                self.num_k_tiles = _at_least(path, _number(path, value), 1)
            elif group == "schedule" and name in SCHEDULE_DEFAULTS:
                self.schedule[name] = _parse_field(path, name, value, SCHEDULE_DEFAULTS[name])
            elif group == "pipeline" and name in MI355X_DOUBLE_BUFFER:
                self.pipeline[name] = _parse_field(path, name, value,
                                                   MI355X_DOUBLE_BUFFER[name])
            elif group == "hints" and name in HINT_DEFAULTS:
                least = 0 if name in ("a_loads", "b_loads") else 1
                self.hints[name] = _at_least(path, _number(path, value), least)
            elif path in ("geometry.block", "geometry.mma"):
                self.geometry[name] = _triple(path, value)
            elif path == "geometry.elem_bytes":
                self.geometry[name] = _at_least(path, _number(path, value), 1)
            else:
                raise SpecError(f"unknown path {path}")

    def refuse(self, kernel, *groups):
        """Settings that a kernel has no use for are errors."""
        for group in groups:
            if getattr(self, group):
                raise SpecError(f"{kernel} has no {group}")


def check_config(config, sched):
    """Depth and partitions, contradictory knobs."""
    if (config["depth"], config["num_partitions"]) not in ((1, 1), (2, 2)):
        raise SpecError(f"depth {config['depth']} with {config['num_partitions']} partitions")
    if sched["omit_mma_set_prio"] and not sched["minimal_barriers"]:
        raise SpecError("omit_mma_set_prio without minimal_barriers")


# ---------------------------------------------------------------- geometry

def _exact(what, number, divisor):
    if number % divisor or number // divisor < 1:
        raise SpecError(f"{what}: {number} by {divisor} is not a whole number of at least 1")
    return number // divisor


def _even(what, number):
    if number % 2:
        raise SpecError(f"{what}: {number} is not a multiple of 2")
    return number


def _positive(what, number):
    if number < 1:
        raise SpecError(f"{what}: {number} is below 1")
    return number


def geometry_counts(geometry, warps, waves_m, waves_n):
    """KernelGeometry: vm_per_load and lgkm_per_load for both channels."""
    bm, bn, bk = geometry["block"]
    mma_m, mma_n, mma_k = geometry["mma"]
    elem = geometry["elem_bytes"]
    simd_width = _exact("16 bytes by elem_bytes", 16, elem)
    loads_per_row = _exact("BK by simd_width", bk, simd_width)
    rows_per_iter = _positive("rows_per_iter", warps * 64 // loads_per_row)
    num_k_mmas = _exact("BK by MMA_K", bk, mma_k)
    m_mmas = _even("MMAs in M", _exact("WM by MMA_M", _exact("BM", bm, waves_m), mma_m))
    n_mmas = _even("MMAs in N", _exact("WN by MMA_N", _exact("BN", bn, waves_n), mma_n))
    frag_w = _exact("MMA_M * MMA_K by 64", mma_m * mma_k, 64)
    lds_w = 16 if elem == 1 and mma_m == 16 and mma_k == 128 else frag_w
    per_fragment = _exact("frag_w by lds_w", frag_w, lds_w) * -(-lds_w * elem // 16)
    half_bm, half_bn = _exact("BM by 2", bm, 2), _exact("BN by 2", bn, 2)
    return {"vm_per_load_a": -(-half_bm // rows_per_iter),
            "vm_per_load_b": -(-half_bn // rows_per_iter),
            "lgkm_per_load_a": m_mmas // 2 * num_k_mmas * per_fragment,
            "lgkm_per_load_b": n_mmas // 2 * num_k_mmas * per_fragment}


# ---------------------------------------------------------------- double-buffer kernels

LOAD_A, LOAD_B, MMA_LOAD_A, MMA_LOAD_B, MMA = 0, 1, 3, 4, 5

MI355X_COSTS = {
    0: OpCost(GLOBAL_MEM, 200, GLOBAL_LOAD), 1: OpCost(GLOBAL_MEM, 200, GLOBAL_LOAD),
    2: OpCost(MMA_UNIT, 16, COMPUTE, 4), 5: OpCost(MMA_UNIT, 16, COMPUTE, 4),
    3: OpCost(LDS, 20, FRAGMENT_LOAD, 8), 4: OpCost(LDS, 20, FRAGMENT_LOAD, 8),
}


def load_op(channel, stage, subtile, k):
    return Op(LOAD_A if channel == 0 else LOAD_B, stage, subtile, k, channel=channel)


def frag_op(channel, stage, subtile):
    return Op(MMA_LOAD_A if channel == 0 else MMA_LOAD_B, stage, subtile, channel=channel)


def pingpong_logical_ops():
    """Ping-pong, half by half."""
    ops = []
    for half in (0, 1):
        k = K1 if half else K0
        ops += [load_op(0, 1 - half, 1, K0 if half else K_PREV), load_op(0, half, 0, k),
                load_op(1, half, 0, k), load_op(1, half, 1, k)]
        ops += [frag_op(0, half, s) for s in (0, 1)] + [frag_op(1, half, s) for s in (0, 1)]
        ops += [Op(MMA, row, column) for row in (0, 1) for column in (0, 1)]
    return ops


def fourwave_logical_ops():
    """declare_ops of Pipeline4Wave, in mini-iterations."""
    ops = []
    for half in (0, 1):
        k, other = (K1 if half else K0), 1 - half
        ops += [load_op(0, half, 0, k), frag_op(1, half, 1), Op(MMA, 0, 0),
                load_op(1, half, 0, k), frag_op(0, half, 1), Op(MMA, 0, 1),
                load_op(1, half, 1, k), frag_op(0, other, 0), Op(MMA, 1, 0),
                load_op(0, half, 1, k), frag_op(1, other, 0), Op(MMA, 1, 1)]
    return ops


def _double_buffer_result(body, edges, config, sched, bootstrap, explicit):
    """compile_schedule for depth 2."""
    program = build_kernel_program(body, config, sched, edges)
    if explicit:
        program.explicit = [emit_minimal_barrier_block(b, b.wrap_waits_with_sched_barrier)
                            for b in program.blocks]
    prologue = derive_prologue(program, sched, bootstrap)
    info = order_metrics(body, edges, program.order, sched["lds_contention_penalty"])
    info.update(wait_lgkm_first=program.wait_lgkm_first, wait_vm_last=program.wait_vm_last,
                order=program.order)
    return result(body, edges, prologue, derive_kernel(program), derive_epilogue(program),
                  derive_kernel_deps(program), config, info)


def compile_pingpong(settings):
    """Ping-pong: CSP, auto waits, MI355X."""
    settings.refuse("pingpong", "num_k_tiles", "hints")
    config = dict(MI355X_DOUBLE_BUFFER)
    if settings.geometry:
        config.update(geometry_counts({**GEOMETRY_DEFAULTS, **settings.geometry}, 8, 2, 4))
    config.update(settings.pipeline)
    sched = {**SCHEDULE_DEFAULTS, "scheduling": CSP, **settings.schedule}
    check_config(config, sched)
    _only_depth(config, 2)
    body = double_buffer_reorder(annotate_ops(pingpong_logical_ops(), MI355X_COSTS), config)
    edges = derive_edges_from_ops(body, config)
    return _double_buffer_result(body, edges, config, sched, [], False)


def compile_fourwave(settings):
    """Pipeline4Wave, with the settings that it forces."""
    settings.refuse("fourwave", "num_k_tiles", "hints")
    config = dict(MI355X_DOUBLE_BUFFER, warp_stagger="none", cross_stage_rotation=True)
    config.update(geometry_counts({**GEOMETRY_DEFAULTS, **settings.geometry}, 4, 2, 2))
    config.update(settings.pipeline)
    sched = {**SCHEDULE_DEFAULTS, **settings.schedule, "scheduling": IDENTITY,
             "minimal_barriers": True, "omit_mma_set_prio": True,
             "inter_block_lgkm_drain": True, "partial_prologue_drain": True}
    check_config(config, sched)
    _only_depth(config, 2)
    body = annotate_ops(fourwave_logical_ops(), MI355X_COSTS)
    edges = filter_spurious_cross_stage_flow(body, derive_edges_from_ops(body, config))
    edges += derive_cross_stage_rotation_edges(body)
    bootstrap = [replace(frag_op(channel, 0, 0), role=FRAGMENT_LOAD) for channel in (0, 1)]
    return _double_buffer_result(body, edges, config, sched, bootstrap, True)


def _only_depth(config, depth):
    if config["depth"] != depth:
        raise SpecError(f"this kernel has depth {depth} (the oracle knows no other)")


# ---------------------------------------------------------------- single buffer

SINGLE_BUFFER_COSTS = {
    0: OpCost(GLOBAL_MEM, 200, GLOBAL_LOAD), 1: OpCost(LDS, 20, SHARED_STORE),
    2: OpCost(LDS, 20, FRAGMENT_LOAD, 4), 3: OpCost(MMA_UNIT, 64, COMPUTE, 16),
}


def single_buffer_hints(body, hints, selector):
    """transform_kernel of the single-buffer matmul."""
    frags = [op for op in body if op.role == FRAGMENT_LOAD]
    reads_per_frag = hints["m_mmas"] + hints["n_mmas"]
    mmas = hints["m_mmas"] * hints["n_mmas"] * hints["k_mmas"]
    stores, reads = hints["a_loads"] + hints["b_loads"], reads_per_frag * len(frags)
    most = 1 if hints["mma_m"] == 32 and hints["mma_n"] == 32 else 2
    per_read = min(most, mmas // reads)
    remaining = mmas - per_read * reads
    read = [(0, 1), (3, per_read)] * reads_per_frag
    out = []
    for frag in frags:
        out += read if frag.subtile != selector else []
    for store in range(stores):
        share = remaining // stores + (store < remaining % stores)
        out += [(1, 1), (3, share // 2), (2, 1), (3, share - share // 2)]
    for frag in frags:
        out += read if frag.subtile == selector else []
    return [sched_group_barrier(mask, count) for mask, count in out]


def compile_single_buffer(settings):
    """Single-buffer matmul."""
    settings.refuse("single_buffer", "geometry")
    config = {**MI355X_SINGLE_BUFFER, **settings.pipeline}
    sched = {**SCHEDULE_DEFAULTS, **settings.schedule}
    check_config(config, sched)
    _only_depth(config, 1)
    tiles, selector = settings.num_k_tiles or 2, config["loop_carried"]
    ops = [Op(0, channel=0), Op(1, channel=0), barrier()]
    ops += [Op(2, subtile=t, channel=0) for t in range(tiles)]
    ops += [Op(3, subtile=t) for t in range(tiles)]
    body = single_buffer_reorder(annotate_ops(ops, SINGLE_BUFFER_COSTS), selector)
    body = optimize_within_barriers(body, config)
    edges = derive_edges_from_ops(body, config)
    hints = single_buffer_hints(body, {**HINT_DEFAULTS, **settings.hints}, selector)
    kernel = [(op, op.is_prefetch) for op in body] + [(op, False) for op in hints]
    return result(body, edges, apply_phase_recipe(PROLOGUE_RECIPE, body, selector), kernel,
                  apply_phase_recipe(EPILOGUE_RECIPE, body, selector), edges, config, {})


# ---------------------------------------------------------------- output

def _body_op(op):
    return {"tag": op.tag, "stage": op.stage, "subtile": op.subtile, "k": op.k,
            "channel": op.channel, "role": op.role, "resource": op.resource,
            "latency": op.latency, "vgpr_def": op.vgpr_def, "vgpr_kill": op.vgpr_kill}


def _entry(op, prefetch):
    return {"tag": op.tag, "stage": op.stage, "subtile": op.subtile, "k": op.k,
            "channel": op.channel, "wait": op.wait, "role": op.role, "prefetch": prefetch}


def result(body, edges, prologue, kernel, epilogue, deps, config, info):
    """The plain shape of the golden files."""
    return {"body": [_body_op(op) for op in body], "edges": [e.as_list() for e in edges],
            "prologue": [_entry(*e) for e in prologue], "kernel": [_entry(*e) for e in kernel],
            "epilogue": [_entry(*e) for e in epilogue],
            "kernel_deps": [e.as_list() for e in deps],
            "warp_stagger_index": stagger_index(config["warp_stagger"], prologue, body),
            "info": info}


KERNELS = {"single_buffer": compile_single_buffer, "pingpong": compile_pingpong,
           "fourwave": compile_fourwave}


def compile_kernel(kernel, settings):
    """One schedule for a kernel's name and a dict of --set paths."""
    if kernel not in KERNELS:
        raise SpecError(f"unknown kernel {kernel}")
    return KERNELS[kernel](Settings(settings))
