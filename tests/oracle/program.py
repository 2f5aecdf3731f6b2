# SPDX-License-Identifier: Apache-2.0
"""From order to program (docs/schedules.md, "Blocks" to "Expansion")."""

from dataclasses import dataclass, field

from ops import (COMPUTE, FRAGMENT_LOAD, GLOBAL_LOAD, SpecError, barrier,
                 schedule_barrier, set_prio, wait_lgkm, wait_vm)
from schedulers import (LoopBody, evaluate_schedule, greedy_schedule, lower_bound,
                        optimal_schedule_with_halves)

IDENTITY, GREEDY, CSP = 0, 1, 2


@dataclass
class Block:
    """MMABlockSpec. loads holds pairs (op, prefetch flag)."""

    mma: object = None
    frags: list = field(default_factory=list)
    loads: list = field(default_factory=list)
    entry_wait: object = None
    entry_wait_lgkm: object = None
    pre_sync: object = None
    fused_mma: object = None
    pre_mma_barrier: bool = True
    pre_mma_set_prio: bool = True
    post_mma_barrier: bool = True
    post_mma_set_prio: bool = True
    post_barrier_lgkm: bool = True
    post_barrier_sched: bool = False
    trailing_sched_barrier: bool = False
    drain_lgkm_before_loads: bool = False
    global_before_frag: bool = False
    barrier_before_pre_ops: bool = False
    wrap_waits_with_sched_barrier: bool = False


@dataclass
class Program:
    """PipelineProgram with the facts that later stages print."""

    blocks: list
    config: dict
    order: list
    wait_lgkm_first: int
    wait_vm_last: int
    explicit: list = None

    @property
    def per_half(self):
        return self.config["m_mmas"] * self.config["n_mmas"]

    def half(self, h):
        return self.blocks[h * self.per_half:(h + 1) * self.per_half]

    def entries_of_block(self, i):
        """An explicit list is emitted as it is, never a prefetch; else the template."""
        if self.explicit and self.explicit[i]:
            return [(op, False) for op in self.explicit[i]]
        return expand(self.blocks[i])


def vm_cost(op, config):
    """vm_per_channel."""
    return config["vm_per_load_a"] if op.channel == 0 else config["vm_per_load_b"]


def _parse_blocks(ops, total_blocks):
    """Blocks in order; each takes ops until a COMPUTE."""
    blocks, current = [], Block()
    for index, op in enumerate(ops):
        if op.role == FRAGMENT_LOAD:
            current.frags.append(op)
        elif op.role == GLOBAL_LOAD:
            current.loads.append((op, op.is_prefetch))
        elif op.role == COMPUTE:
            current.mma = op
            blocks.append(current)
            current = Block()
        else:
            raise SpecError(f"op {index} has no place in a block")
    if current.frags or current.loads:
        raise SpecError("ops are left after the last COMPUTE")
    if len(blocks) != total_blocks:
        raise SpecError(f"{len(blocks)} blocks, but the config has {total_blocks}")
    return blocks


def construct(ops, config, sched):
    """Construction."""
    bph, parts = config["m_mmas"] * config["n_mmas"], config["num_partitions"]
    blocks = _parse_blocks(ops, bph * parts)
    total = sum(vm_cost(op, config) for b in blocks for op, prefetch in b.loads if prefetch)
    main_wait = total - total // parts
    for i, block in enumerate(blocks):
        half, position = divmod(i, bph)
        cross = [any(f.stage != half for f in b.frags)
                 for b in blocks[half * bph:(half + 1) * bph]]
        first_cross = cross[position] and not any(cross[:position])
        top_drain = position == 0 and any(cross)
        if first_cross or top_drain:
            block.entry_wait = wait_vm(main_wait)
        _set_waits(block, position, bph, first_cross, sched)
        _set_flags(block, i, position, first_cross, sched)
    return blocks


def _set_waits(block, position, bph, first_cross, sched):
    """The waits of one block, first case that applies."""
    minimal_entry = block.entry_wait is not None and sched["minimal_barriers"]
    if position == 0 and sched["wait_lgkm_first"] < 255:
        if minimal_entry:
            block.entry_wait_lgkm = wait_lgkm(0)
        else:
            block.pre_sync = wait_lgkm(sched["wait_lgkm_first"])
    elif first_cross:
        if minimal_entry:
            block.entry_wait_lgkm = wait_lgkm(0)
        else:
            block.pre_sync = wait_lgkm(0)
    elif position == bph - 1:
        block.pre_sync = wait_vm(sched["wait_vm_last"])
        block.post_barrier_lgkm = sched["lgkm_after_last"]
    elif sched["inter_block_lgkm_drain"]:
        block.entry_wait_lgkm = wait_lgkm(0)


def _set_flags(block, i, position, first_cross, sched):
    """The flags of block i."""
    block.trailing_sched_barrier = bool(sched["sched_barrier_mask"] >> i & 1)
    _set_drain(block, i, sched)
    if sched["minimal_barriers"]:
        block.pre_mma_barrier = block.post_mma_barrier = False
        block.post_mma_set_prio = block.post_barrier_lgkm = False
        block.pre_mma_set_prio = ((position == 0 or first_cross)
                                  and not sched["omit_mma_set_prio"])
    for name in ("global_before_frag", "barrier_before_pre_ops",
                 "wrap_waits_with_sched_barrier"):
        setattr(block, name, sched[name])


def _set_drain(block, i, sched):
    """drain = bit i of the mask, and both kinds of load are there."""
    block.drain_lgkm_before_loads = bool(sched["drain_lgkm_mask"] >> i & 1
                                         and block.frags and block.loads)


def redistribute(blocks, most, sched):
    """Redistribution: loads above max_globals move to blocks with fewer."""
    if most <= 0:
        return
    queue = []
    for block in blocks:
        while len(block.loads) > most:
            queue.append(block.loads.pop())
    for i, block in enumerate(blocks):
        if len(block.loads) < most:
            while queue and len(block.loads) < most:
                block.loads.append(queue.pop(0))
            _set_drain(block, i, sched)
    if queue:
        raise SpecError(f"redistribution: {len(queue)} loads left over")


def expand(block):
    """Expansion of a block by the template: pairs (op, prefetch)."""
    fence = [(schedule_barrier(), False)]
    entry = _entry_group(block)
    loads, sync = _load_section(block), _sync_section(block)
    if block.wrap_waits_with_sched_barrier:
        entry = fence + entry + fence if entry else []
        sync = fence + sync + fence if sync else []
    out = entry + (sync + loads if block.barrier_before_pre_ops else loads + sync)
    if block.pre_mma_set_prio:
        out.append((set_prio(1), False))
    out.append((block.mma, False))
    if block.fused_mma is not None:
        out.append((block.fused_mma, False))
    if block.post_mma_set_prio:
        out.append((set_prio(0), False))
    if block.post_mma_barrier:
        out.append((barrier(), False))
        if block.trailing_sched_barrier:
            out += fence
    return out


def _entry_group(block):
    """entry_wait, entry_wait_lgkm, barrier only with entry_wait."""
    group = [(op, False) for op in (block.entry_wait, block.entry_wait_lgkm) if op]
    if block.entry_wait is not None:
        group.append((barrier(), False))
    return group


def _load_section(block):
    """Fragment loads, drain, global loads; global_before_frag swaps the kinds."""
    first, second = [(op, False) for op in block.frags], list(block.loads)
    if block.global_before_frag:
        first, second = second, first
    drain = [(wait_lgkm(0), False)] if block.drain_lgkm_before_loads else []
    return first + drain + second


def _sync_section(block):
    """pre_sync and the pre-MMA barrier with what follows it."""
    out = [(block.pre_sync, False)] if block.pre_sync is not None else []
    if block.pre_mma_barrier:
        out.append((barrier(), False))
        if block.post_barrier_sched:
            out.append((schedule_barrier(), False))
        if block.post_barrier_lgkm:
            out.append((wait_lgkm(0), False))
    return out


def emit_minimal_barrier_block(block, wrap_waits, global_before_frag=False):
    """emit_minimal_barrier_block: a plain list of ops."""
    fence = [schedule_barrier()]
    entry = [op for op, _ in _entry_group(block)]
    first, second = list(block.frags), [op for op, _ in block.loads]
    if global_before_frag:
        first, second = second, first
    between = fence if first and second else []
    sync = [block.pre_sync] if block.pre_sync is not None else []
    if block.pre_mma_barrier:
        sync += [barrier()] + ([wait_lgkm(0)] if block.post_barrier_lgkm else [])
    if wrap_waits:
        entry = fence + entry + fence if entry else []
        sync = fence + sync + fence if sync else []
    return entry + first + between + second + sync + [block.mma]


# ---------------------------------------------------------- waits and checks

def lgkm_cost(op, config, sched):
    """Lgkm per channel, the config's if not 0, else the schedule's."""
    side = "a" if op.channel == 0 else "b"
    return config["lgkm_per_load_" + side] or sched["lgkm_per_load_" + side]


def derive_waits_from_blocks(blocks, config, sched):
    """derive_waits_from_blocks: (wait_lgkm_first, wait_vm_last)."""
    bph, firsts, lasts = config["m_mmas"] * config["n_mmas"], [], []
    for half in range(config["num_partitions"]):
        part = blocks[half * bph:(half + 1) * bph]
        firsts.append(sum(lgkm_cost(op, config, sched) for op, _ in part[0].loads))
        loads = [op for block in part for op, _ in block.loads]
        lasts.append(sum(vm_cost(op, config) for op in loads)
                     - sum(vm_cost(op, config) for op in loads if op.stage != half))
    return max(firsts), min(lasts)


def derive_drain_mask(blocks):
    """derive_drain_mask."""
    mask = 0
    for i, block in enumerate(blocks):
        if block.loads and any(f.channel != block.loads[0][0].channel for f in block.frags):
            mask |= 1 << i
    return mask


def _patch_waits(blocks, config, sched, lgkm_first, vm_last):
    """Patch of build_kernel_program: first and last block of each half."""
    bph = config["m_mmas"] * config["n_mmas"]
    for half in range(config["num_partitions"]):
        first, last = blocks[half * bph], blocks[(half + 1) * bph - 1]
        wait = wait_lgkm(0 if sched["barrier_before_pre_ops"] else lgkm_first)
        if sched["minimal_barriers"] and first.entry_wait is not None:
            first.entry_wait_lgkm, first.pre_sync = wait, None
        else:
            first.pre_sync = wait
        last.pre_sync = wait_vm(vm_last)


def verify_schedule(blocks, config):
    """verify_schedule, as far as construction leaves something to find."""
    bph, most = config["m_mmas"] * config["n_mmas"], config["max_globals"]
    loads = [op for block in blocks for op, _ in block.loads]
    if most > 0 and len(loads) >= most * len(blocks):
        for i, block in enumerate(blocks):
            if len(block.loads) != most:
                raise SpecError(f"verify: block {i} has {len(block.loads)} loads, not {most}")
    for half in range(config["num_partitions"]):
        part = blocks[half * bph:(half + 1) * bph]
        if not config["cross_stage_rotation"]:
            if any(f.stage != half for block in part for f in block.frags):
                raise SpecError(f"verify: half {half} has a fragment of another stage")
            if all(op.stage == half for block in part for op, _ in block.loads):
                raise SpecError(f"verify: half {half} has no load to the other stage")
        if config["warp_stagger"] != "none" and most == 0:
            _verify_stagger(part, half)
    if not any(prefetch for block in blocks for _, prefetch in block.loads):
        raise SpecError("verify: no prefetch load")


def _verify_stagger(part, half):
    """Last check of verify_schedule: no load just before a read of the same stage."""
    for position in range(1, len(part) - 1):
        block, following = part[position], part[position + 1]
        if (any(op.stage == half for op, _ in block.loads)
                and any(f.stage == half for f in following.frags)):
            raise SpecError(f"verify: half {half} block {position} loads the stage that the "
                            "next block reads")


def schedule_order(body, edges, config, sched):
    """The order by strategy."""
    if sched["scheduling"] == IDENTITY:
        return list(range(len(body)))
    loop = LoopBody(body, edges)
    bph = config["m_mmas"] * config["n_mmas"]
    if sched["scheduling"] == GREEDY:
        return greedy_schedule(loop, bph)
    return optimal_schedule_with_halves(loop, config["max_globals"],
                                        sched["lds_contention_penalty"], sched["max_vgpr"], bph)


def build_kernel_program(body, config, sched, edges):
    """build_kernel_program."""
    order = schedule_order(body, edges, config, sched)
    blocks = construct([body[v] for v in order], config, sched)
    redistribute(blocks, config["max_globals"], sched)
    lgkm_first, vm_last = sched["wait_lgkm_first"], sched["wait_vm_last"]
    if sched["auto_waits"]:
        lgkm_first, vm_last = derive_waits_from_blocks(blocks, config, sched)
        if sched["auto_drain"]:
            mask = derive_drain_mask(blocks)
            for i, block in enumerate(blocks):
                block.drain_lgkm_before_loads = bool(mask >> i & 1)
        _patch_waits(blocks, config, sched, lgkm_first, vm_last)
    verify_schedule(blocks, config)
    return Program(blocks, config, order, lgkm_first, vm_last)


def order_metrics(body, edges, order, penalty):
    """Makespan, peak and bound of an order; null makespan and peak where it breaks an edge."""
    loop = LoopBody(body, edges)
    makespan, peak = None, None
    if loop.respects_edges(order):
        makespan, peak = evaluate_schedule(loop, order, penalty)
    return {"makespan": makespan, "vgpr_peak": peak, "lower_bound": lower_bound(loop, penalty)}
