# SPDX-License-Identifier: Apache-2.0
"""Phases (docs/schedules.md). A phase is a list of pairs (op, prefetch)."""

from dataclasses import dataclass, replace

from ops import (COMPUTE, FLOW, FRAGMENT_LOAD, GLOBAL_LOAD, K0, K1, SHARED_STORE, SYNC,
                 WAIT_LGKM, Edge, SpecError, barrier, derive_edges_from_ops, schedule_barrier,
                 wait_lgkm, wait_vm)
from program import Block, expand, vm_cost
from schedulers import LoopBody, optimal_schedule


# ---------------------------------------------------------------- double buffer

def derive_prologue(program, sched, bootstrap):
    """derive_prologue_from_program."""
    prefetch = [op for block in program.blocks for op, flag in block.loads if flag]
    stage0 = [replace(op, k=K0) for op in prefetch if op.stage == 0]
    stage1 = [replace(op, k=K1) for op in prefetch if op.stage == 1]
    if not sched["partial_prologue_drain"]:
        ops = stage0 + [wait_vm(0), barrier()] + stage1 + [wait_vm(0)]
        return [(op, False) for op in ops]
    loads = stage0 + stage1
    if len(bootstrap) > len(loads):
        raise SpecError(f"{len(bootstrap)} bootstrap fragments, {len(loads)} loads")
    costs = [vm_cost(op, program.config) for op in loads]
    ops = list(loads)
    for i, frag in enumerate(bootstrap):
        ops += [wait_vm(sum(costs) - sum(costs[:i + 1])), barrier(), frag]
    return [(op, False) for op in ops]


def derive_kernel(program):
    """The kernel phase: every block's entries in order."""
    return [e for i in range(len(program.blocks)) for e in program.entries_of_block(i)]


def _epilogue_block(block, drained):
    """What the epilogue keeps of a block."""
    return Block(mma=block.mma, frags=list(block.frags),
                 loads=[(op, False) for op, prefetch in block.loads if not prefetch],
                 entry_wait_lgkm=wait_lgkm(0), pre_sync=wait_vm(0) if drained else None,
                 pre_mma_barrier=block.pre_mma_barrier,
                 pre_mma_set_prio=block.pre_mma_set_prio,
                 post_mma_barrier=block.post_mma_barrier,
                 post_mma_set_prio=block.post_mma_set_prio,
                 post_barrier_lgkm=block.post_barrier_lgkm)


def _epilogue_half(part):
    """Drain start and fusion within one half."""
    starts = [i for i, b in enumerate(part) if any(prefetch for _, prefetch in b.loads)]
    drain_start = starts[0] if starts else len(part)
    blocks = [_epilogue_block(b, i >= drain_start) for i, b in enumerate(part)]
    out, i = [], 0
    while i < len(blocks):
        out.append(blocks[i])
        if i + 1 < len(blocks) and not blocks[i + 1].frags and not blocks[i + 1].loads:
            blocks[i].fused_mma = blocks[i + 1].mma
            i += 1
        i += 1
    return out


def derive_epilogue(program):
    """derive_epilogue_from_program."""
    blocks = []
    for half in range(program.config["num_partitions"]):
        blocks += _epilogue_half(program.half(half))
    blocks[-1].pre_sync = None
    return [e for block in blocks for e in expand(block)] + [(barrier(), False)]


def derive_kernel_deps(program):
    """Kernel deps of the double buffer."""
    deps, offset = [], 0
    for half in range(program.config["num_partitions"]):
        entries = []
        for i in range(half * program.per_half, (half + 1) * program.per_half):
            entries += [op for op, _ in program.entries_of_block(i)]
        mmas = [i for i, op in enumerate(entries) if op.role == COMPUTE]
        before = range(mmas[0])
        syncs = [i for i in before if entries[i].role == SYNC]
        waits = [i for i in before if entries[i].tag == WAIT_LGKM]
        pairs = [(found[0], mmas[0]) for found in (syncs, waits) if found]
        if len(mmas) >= 3:
            pairs += [(mmas[0], mmas[1]), (mmas[1], mmas[2])]
        deps += [Edge(offset + p, offset + c, FLOW, 0) for p, c in pairs]
        offset += len(entries)
    return deps


def stagger_index(rule, prologue, body):
    """Stagger index."""
    if rule == "none":
        return len(prologue) + 1
    if rule == "auto":
        return sum(op.role == GLOBAL_LOAD and op.is_prefetch and op.stage == 0 for op in body)
    return rule


# ---------------------------------------------------------------- single buffer

@dataclass(frozen=True)
class PhaseStep:
    """One step of a recipe: a fixed op, or ops of a role that pass a filter."""

    role: int = None
    which: str = "all"        # "all" or "first"
    carried: str = "any"      # "any", "only" or "exclude"
    fixed: object = None      # a factory of an infrastructure op


_FENCE, _BARRIER = PhaseStep(fixed=schedule_barrier), PhaseStep(fixed=barrier)

PROLOGUE_RECIPE = (
    PhaseStep(GLOBAL_LOAD, "first"), PhaseStep(SHARED_STORE, "first"), _BARRIER,
    PhaseStep(GLOBAL_LOAD, "first"), PhaseStep(FRAGMENT_LOAD, carried="only"), _FENCE,
)

EPILOGUE_RECIPE = (
    _FENCE, PhaseStep(FRAGMENT_LOAD, carried="exclude"), _BARRIER,
    PhaseStep(SHARED_STORE, "first"), PhaseStep(COMPUTE), _FENCE,
    _BARRIER, PhaseStep(FRAGMENT_LOAD), PhaseStep(COMPUTE), _FENCE,
)


def apply_phase_recipe(recipe, body, selector):
    """apply_phase_recipe."""
    out = []
    for step in recipe:
        if step.fixed is not None:
            out.append(step.fixed())
            continue
        found = [op for op in body if op.role == step.role]
        if step.carried != "any":
            found = [op for op in found if (op.subtile == selector) == (step.carried == "only")]
        out += found[:1] if step.which == "first" else found
    return [(op, False) for op in out]


def single_buffer_reorder(body, selector):
    """single_buffer_reorder."""
    def pick(role, carried=None):
        return [op for op in body if op.role == role
                and carried in (None, op.subtile == selector)]
    return (pick(FRAGMENT_LOAD, False) + pick(COMPUTE, True) + [barrier()] + pick(SHARED_STORE)
            + pick(GLOBAL_LOAD) + pick(COMPUTE, False) + [barrier()]
            + pick(FRAGMENT_LOAD, True))


def optimize_within_barriers(body, config):
    """optimize_within_barriers: each segment by optimal_schedule."""
    edges, out, segment = derive_edges_from_ops(body, config), [], []
    for index, op in enumerate(list(body) + [barrier()]):
        if op.tag != barrier().tag:
            segment.append(index)
            continue
        local = {v: i for i, v in enumerate(segment)}
        inside = [Edge(local[e.producer], local[e.consumer], e.kind, 0) for e in edges
                  if e.distance == 0 and e.producer in local and e.consumer in local]
        ops = [body[v] for v in segment]
        out += [ops[v] for v in optimal_schedule(LoopBody(ops, inside))]
        segment = []
        if index < len(body):
            out.append(op)
    return out


# ---------------------------------------------------------------- double buffer reorder

def mma_block_interleave(ops, config):
    """mma_block_interleave."""
    loads = [op for op in ops if op.role == GLOBAL_LOAD]
    frags = [op for op in ops if op.role == FRAGMENT_LOAD]
    rows, columns, out = set(), set(), []
    for mma in (op for op in ops if op.role == COMPUTE):
        new_row, new_column = mma.stage not in rows, mma.subtile not in columns
        rows.add(mma.stage)
        columns.add(mma.subtile)
        wanted = [(1, mma.subtile, new_column), (0, mma.stage, new_row)]
        if config["frag_order"] == 1:
            wanted.reverse()
        taken = []
        for channel, line, new in wanted:
            match = [f for f in frags if f.channel == channel and f.subtile == line]
            if new and match:
                frags.remove(match[0])
                taken.append(match[0])
        sizing = config["heavy"] if new_row else config["light"]
        available = max(0, sizing - len(taken) - 1)
        if config["max_globals"] > 0:
            available = min(max(available, 1), config["max_globals"])
        out += taken + loads[:available] + [mma]
        loads = loads[available:]
    if loads or frags:
        raise SpecError(f"interleave: {len(loads)} loads and {len(frags)} fragments left over")
    return out


def double_buffer_reorder(body, config):
    """double_buffer_reorder: mma_block_interleave for each half."""
    middle = len(body) // 2
    return (mma_block_interleave(body[:middle], config)
            + mma_block_interleave(body[middle:], config))
