# SPDX-License-Identifier: Apache-2.0
"""What schedules consist of and what is said of them: the names are those of the JSON (docs/json.md).

Counts are whole numbers, times are cycles, sizes are bytes; entries, ops and passes count from 0. None stands where a
figure does not apply. A warp role's `name` is the `role` of what happens in it; the `role` of an op is its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._decode import Record

Phase = Literal["prologue", "kernel", "epilogue", "begin", "end", "drain"]


@dataclass(frozen=True, kw_only=True)
class Op(Record):
    """An op of the body."""

    tag: int
    name: str
    stage: int
    """Slot in shared memory, or the row of an MMA."""
    subtile: int
    k_offset: str
    channel: int
    """0: A, 1: B, -1: neither."""
    role: str
    resource: str
    latency: int
    """Cycles."""
    vgpr_def: int
    vgpr_kill: int


@dataclass(frozen=True, kw_only=True)
class Entry(Record):
    """An op, a wait or a barrier in its place in a list; of a loop with `iteration`, of warp roles with `object`."""

    tag: int
    name: str
    role: str
    wait: int
    """n of a wait, the priority of a set_prio, the count of a sched_group_barrier; else 0."""
    subtile: int
    stage: int | None = None
    k_offset: str | None = None
    channel: int | None = None
    prefetch: bool | None = None
    vm_cost: int | None = None
    lgkm_cost: int | None = None
    iteration: int | None = None
    """Of a loop's op: iterations after the base of its list."""
    object: str | None = None
    """With warp roles: the mbarrier or named barrier that it works on."""
    slot: int | None = None
    slot_step: int | None = None
    bytes: int | None = None
    """That an arrival expects, or a copy brings."""
    by: Literal["all", "one"] | None = None
    instances: int | None = None
    """Bit i: instance i executes it; 0: all do."""
    to: Literal["own", "all"] | None = None


@dataclass(frozen=True, kw_only=True)
class Role(Record):
    """What the warps of one role run. A schedule without warp roles has one, whose name is ""."""

    prologue: tuple[Entry, ...]
    kernel: tuple[Entry, ...]
    epilogue: tuple[Entry, ...]
    name: str = ""
    warps: int | None = None
    instances: int | None = None
    registers: int | None = None
    """Of 32 bits a thread."""
    epilogues: tuple[tuple[Entry, ...], ...] = ()
    """Where a remainder of r iterations is left, the element r - 1 takes the place of `epilogue`."""
    straight: tuple[tuple[Entry, ...], ...] = ()
    """All of a run of fewer iterations than a pass needs: the element N for N of them."""
    begin: tuple[Entry, ...] = ()
    end: tuple[Entry, ...] = ()
    drain: tuple[Entry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Edge(Record):
    """A dependence between two ops of the body, or two entries of the kernel."""

    producer: int
    consumer: int
    kind: Literal["flow", "anti", "output"]
    distance: int
    """Passes."""


@dataclass(frozen=True, kw_only=True)
class LoopShape(Record):
    """How passes map to K tiles or iterations."""

    tiles_per_pass: int
    first_base: int
    min_tiles: int
    multiple: int
    m_mmas: int
    n_mmas: int
    placement: Literal["k_offset", "next_tile"]


@dataclass(frozen=True, kw_only=True)
class Metrics(Record):
    """Figures of the order of a body."""

    makespan: int | None
    """Cycles of one pass by the resource model."""
    lower_bound: int | None
    vgpr_peak: int | None
    optimal: bool
    seed: bool
    work: int
    wait_lgkm_first: int | None = None
    wait_vm_last: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sync(Record):
    """Figures of derived synchronisation."""

    barriers: int
    least_barriers: int
    cycles: int
    passes: int
    bound: int
    optimal: bool
    work: int


@dataclass(frozen=True, kw_only=True)
class CountedCycles(Record):
    """Cycles of the steady state by the figures of a target file."""

    cycles: int
    passes: int


@dataclass(frozen=True, kw_only=True)
class SyncObject(Record):
    """An mbarrier for each slot, or a named barrier for each."""

    name: str
    kind: Literal["mbarrier", "named_barrier"]
    slots: int
    arrivals: int
    threads: int
    clock: Literal["pass", "tile"] | None = None


@dataclass(frozen=True, kw_only=True)
class RoleSync(Record):
    """What the instances of warp roles execute in a pass to wait for one another."""

    mbarriers: int
    named_barriers: int
    waits: int
    arrivals: int
    group_waits: int
    fences: int


@dataclass(frozen=True, kw_only=True)
class Dependence(Record):
    """An edge of a pipeline's problem."""

    producer: str
    consumer: str
    why: Literal["reads", "replaces", "rewrites", "within"]
    value: str
    delay: int
    """Cycles."""
    distance: int
    """Iterations."""


@dataclass(frozen=True, kw_only=True)
class CoreUse(Record):
    """A use of a unit that has no room."""

    op: str
    unit: str
    amount: int
    cycles: int


@dataclass(frozen=True, kw_only=True)
class CoreSlots(Record):
    """How many slots a value has where there is no room."""

    value: str
    slots: int


@dataclass(frozen=True, kw_only=True)
class Core(Record):
    """Uses, slots and dependences that have no room together."""

    uses: tuple[CoreUse, ...]
    slots: tuple[CoreSlots, ...]
    dependences: tuple[Dependence, ...]
    minimal: bool
    """None of it can be given up."""


@dataclass(frozen=True, kw_only=True)
class Orders(Record):
    """Cycles of an iteration, with its waits, that no order of issue comes down to."""

    refuted: int
    in_order: tuple[str, ...]
    """Counters and groups whose accesses end in order."""
    slots: tuple[CoreSlots, ...]


@dataclass(frozen=True, kw_only=True)
class HeldBy(Record):
    """What no smaller interval has room for: a unit with the ops that fill it, a cycle of dependences, a refutation."""

    unit: str | None = None
    ops: tuple[str, ...] = ()
    weights: tuple[Mapping[str, int], ...] = ()
    most: int | None = None
    cycle: tuple[Dependence, ...] = ()
    refuted: int | None = None
    core: Core | None = None
    shifts: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Objective(Record):
    """What was saved at the least interval, in their order."""

    name: Literal["shared", "registers", "stages"]
    value: int
    proven: bool


@dataclass(frozen=True, kw_only=True)
class PipelineOp(Record):
    """When an op of the loop is issued."""

    name: str
    cycle: int
    """Of the interval."""
    stage: int
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class PipelineValue(Record):
    """What room a value of the loop takes."""

    name: str
    space: Literal["shared", "registers"]
    slots: int
    bytes: int
    """Of all slots."""


@dataclass(frozen=True, kw_only=True)
class PipelineRole(Record):
    """How the instances of a warp role share their work."""

    name: str
    shifts: tuple[int, ...]
    """Cycles by which each instance is behind the first."""
    registers: int
    """That the values of a thread take."""


@dataclass(frozen=True, kw_only=True)
class Pipeline(Record):
    """The pipeline of a loop, and what is proven of it."""

    interval: int
    """Cycles from the start of an iteration to that of the next one (the initiation interval)."""
    bound: int
    """Cycles: no pipeline has a smaller interval."""
    proven: bool
    held_by: HeldBy | None
    orders: Orders | None
    objectives: tuple[Objective, ...]
    ops: tuple[PipelineOp, ...]
    values: tuple[PipelineValue, ...]
    lanes: int | None = None
    lane_registers: int | None = None
    roles: tuple[PipelineRole, ...] = ()
    resident_work_groups: int = 1
    """Work groups that share a multiprocessor."""
    resident_fit: int | None = None
    """How many would fit; None: no target says it."""

    @property
    def stages(self) -> int:
        """How many iterations are in flight at a time, at most."""
        return 1 + max((each.stage for each in self.ops), default=0)


@dataclass(frozen=True, kw_only=True)
class Place(Record):
    """Where a hazard is: a slot in shared memory, a register, an accumulator, or the slot of a value."""

    channel: int | None = None
    stage: int | None = None
    subtile: int | None = None
    row: int | None = None
    column: int | None = None
    value: str | None = None
    slot: int | None = None


@dataclass(frozen=True, kw_only=True)
class Other(Record):
    """The second entry of a conflict, or what a stall waits for."""

    phase: Phase
    entry: int | None
    passes_before: int
    name: str | None = None
    list: str | None = None
    iteration: int | None = None
    role: str | None = None
    instance: int | None = None
    rank: int | None = None
    tile: int | None = None
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Hazard(Record):
    """How a schedule goes wrong."""

    kind: str
    phase: Phase
    entry: int
    name: str
    place: Place | None
    other: Other | None
    smallest_n: int
    """The least number of K tiles, or iterations, that shows it."""
    accepted: bool
    slack_cycles: int | None
    """0 or more: the latencies happen to prevent it, by so many cycles."""
    hint: str
    detail: str
    role: str | None = None
    instance: int | None = None
    rank: int | None = None
    object: str | None = None
    mbarrier_phase: int | None = None
    tiles: tuple[int, ...] | None = None
    tile: int | None = None
    list: str | None = None
    iteration: int | None = None


@dataclass(frozen=True, kw_only=True)
class Unit(Record):
    """How long a unit is busy in the steady state."""

    unit: str
    busy_cycles: int
    percent: float | None = None


@dataclass(frozen=True, kw_only=True)
class Stall(Record):
    """Cycles that a warp group, or an instance of a warp role, loses at a kernel entry in the steady state."""

    entry: int
    name: str
    cause: Literal["operand", "unit", "wait", "fence", "counter", "barrier", "crossing", "phase"]
    cycles: int
    other: Other | None
    group: int | None = None
    role: str | None = None
    instance: int | None = None
    object: str | None = None


@dataclass(frozen=True, kw_only=True)
class Instance(Record):
    """What an instance of a warp role does in the steady state."""

    role: str
    instance: int
    held_cycles: int
    units: tuple[Unit, ...]
    issues: tuple[int | None, ...]
    """When it issues each kernel entry; None: another instance does."""


@dataclass(frozen=True, kw_only=True)
class RunSize(Record):
    """The runs of one number of tiles."""

    n: int
    runs: int
    wrong: int


@dataclass(frozen=True, kw_only=True)
class WrongRun(Record):
    """The first run that went wrong; `run` as docs/verification.md, "Runs", has it."""

    seed: int
    timing: str
    run: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Partner(Record):
    """An entry that another one meets at an object, or whose group it waits for."""

    role: str
    entry: int
    name: str
    passes_later: int


@dataclass(frozen=True, kw_only=True)
class SyncReason(Record):
    """A wait or barrier, and what would go wrong without it."""

    phase: Phase
    list: str
    entry: int
    name: str
    wait: int
    may_leave: int | None
    """How many a wait may leave in flight; None: it has no count, is not needed or was not looked for."""
    needs: tuple[Hazard, ...] | None
    """(): no dependence needs it; None: it was not looked for."""
    role: str | None = None
    object: str | None = None
    partners: tuple[Partner, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OrderReason(Record):
    """What keeps an op from starting earlier."""

    op: int
    name: str
    start: int
    held_by: Literal["nothing", "edge", "unit"]
    holder: int | None
    after: int | None = None
    kind: str | None = None
    late: int | None = None
    stage: int | None = None
    unit: str | None = None
    dependence: Dependence | None = None


@dataclass(frozen=True, kw_only=True)
class DiffHazard(Record):
    """A hazard of A, of B or of a step between them."""

    kind: str
    phase: Phase
    a: int | None
    b: int | None
    name: str
    smallest_n: int
    role: str | None = None


@dataclass(frozen=True, kw_only=True)
class Effect(Record):
    """What a difference does: by how much there is more of something afterwards."""

    was_safe: bool | None
    safe: bool | None
    hazards: tuple[DiffHazard, ...]
    gone: tuple[DiffHazard, ...]
    barriers: int
    waits: int
    cycles_per_pass: float | None
    cycles_per_tile: float | None
    prologue_cycles: int | None
    epilogue_cycles: int | None


@dataclass(frozen=True, kw_only=True)
class DiffRow(Record):
    """A row of the alignment of a phase."""

    difference: Literal["alike", "changed", "removed", "added", "left", "moved"]
    a: int | None
    b: int | None
    name: str
    with_: Effect | None
    without: Effect | None


@dataclass(frozen=True, kw_only=True)
class DiffPhase(Record):
    """The differences of a phase, and what they do together."""

    differences: int
    with_: Effect | None
    without: Effect | None
    rows: tuple[DiffRow, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DiffRole(Record):
    """The phases of a warp role that has one name in both."""

    role: str | None
    prologue: DiffPhase
    kernel: DiffPhase
    epilogue: DiffPhase


@dataclass(frozen=True, kw_only=True)
class DiffPhases(Record):
    """The phases of schedules without warp roles."""

    prologue: DiffPhase
    kernel: DiffPhase
    epilogue: DiffPhase


@dataclass(frozen=True, kw_only=True)
class DiffSetting(Record):
    """A setting that differs."""

    path: str
    a: str
    b: str
    with_: Effect | None
    without: Effect | None


@dataclass(frozen=True, kw_only=True)
class DiffForm(Record):
    """Differences in a list that only some numbers of iterations run."""

    list: str
    differences: int


@dataclass(frozen=True, kw_only=True)
class DiffSide(Record):
    """What the judges say of A or of B."""

    name: str
    target: str
    safe: bool | None
    unjudged: str | None
    hazards: tuple[DiffHazard, ...]
    barriers_per_pass: int
    waits_per_pass: int
    tiles_per_pass: int
    unsimulated: str | None
    cycles_per_pass: float | None
    prologue_cycles: int | None
    epilogue_cycles: int | None
    units: tuple[Unit, ...]
    makespan: int | None
    vgpr_peak: int | None
    pipeline: Pipeline | None
    role_sync: RoleSync | None = None
