# SPDX-License-Identifier: Apache-2.0
"""Compiled schedules, and what the judges of the library say of them."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Union

from . import _api, records
from ._calls import DEFAULT_WORK, Limits, ProgressOption, Session, WorkLimit, encoded
from ._decode import Record, decode
from ._library import lib
from .descriptions import Setting, Source, open_description
from .errors import Diagnostic, InfeasibleError, InvalidError

Acceptance = Union[str, records.Hazard]
"""A hazard that is known and taken, as "kind:phase:entry", with warp roles "kind:role:phase:entry", or as it is."""

Timing = Literal[
    "early", "late", "loads_late", "reads_late", "ahead", "behind", "victim", "race", "adversarial", "random",
]  # fmt: skip
"""docs/verification.md, "Runs"."""

Proof = Literal["wanted", "required", "waived"]
_DEMANDS: dict[str, int] = {
    "required": _api.SWP_PROOF_REQUIRED,
    "wanted": _api.SWP_PROOF_WANTED,
    "waived": _api.SWP_PROOF_WAIVED,
}


@dataclass(frozen=True, kw_only=True)
class _Report(Record):
    """A result with the text that the command would print, which is its `str`."""

    text: str = field(default="", repr=False, compare=False)
    warnings: tuple[Diagnostic, ...] = field(default=(), repr=False, compare=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Verdict(_Report):
    """Whether a schedule computes its loop, for every number of tiles and every timing. True where nothing is wrong
    but what was accepted."""

    safe: bool
    """No hazard at all, accepted ones included."""
    accepted: int
    passes_explored: int
    hazards: tuple[records.Hazard, ...]

    def __bool__(self) -> bool:
        return all(each.accepted for each in self.hazards)


@dataclass(frozen=True, kw_only=True)
class Simulation(_Report):
    """Cycles by the in-order model, and where it stalls. In the steady state `passes` passes take `cycles`."""

    cycles: int
    passes: int
    cycles_per_pass: float
    prologue_cycles: int
    epilogue_cycles: int
    units: tuple[records.Unit, ...]
    stalls: tuple[records.Stall, ...]
    instances: tuple[records.Instance, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Runs(_Report):
    """What runs on small matrices came to. True where all went right."""

    right: bool
    timing: str
    runs: int
    wrong: int
    stopped: bool
    sizes: tuple[records.RunSize, ...]
    first: records.WrongRun | None

    def __bool__(self) -> bool:
        return self.right


@dataclass(frozen=True, kw_only=True)
class Explanation(_Report):
    """Why each wait and barrier is there, and what keeps each op from starting earlier."""

    hazards: int
    """That the schedule has as it is."""
    sync: tuple[records.SyncReason, ...]
    order: tuple[records.OrderReason, ...]
    unexplained: str | None
    interval: int | None = None
    held_by: records.HeldBy | None = None


@dataclass(frozen=True, kw_only=True)
class Diff(_Report):
    """Two schedules aligned entry by entry, and what each difference does. Without warp roles the rows stand in
    `prologue`, `kernel` and `epilogue`, else in `roles`."""

    alike: bool
    little_in_common: bool
    stopped: bool
    a: records.DiffSide
    b: records.DiffSide
    effect: records.Effect
    settings: tuple[records.DiffSetting, ...]
    forms: tuple[records.DiffForm, ...] = ()
    phases: records.DiffPhases | None = None
    prologue: tuple[records.DiffRow, ...] = ()
    kernel: tuple[records.DiffRow, ...] = ()
    epilogue: tuple[records.DiffRow, ...] = ()
    roles: tuple[records.DiffRole, ...] = ()


def _reported(kind: Any, session: Session, text: str, data: Mapping[str, Any], **more: Any) -> Any:
    rows = {key: value for key, value in data.items() if key != "swp"}
    return decode(kind, {**rows, "text": text, "warnings": session.warn(), **more})


class _Acceptances:
    """Hazards as the library takes them. What they point to lives as long as this."""

    def __init__(self, accepted: Iterable[Acceptance]):
        given = list(accepted)
        self.rows = (_api.swp_acceptance * len(given))()
        for row, each in zip(self.rows, given):
            self._fill(row, each)

    @staticmethod
    def _fill(row: Any, each: Acceptance) -> None:
        kinds = {value: number for number, value in _names(lib.swp_hazard_name, _api.SWP_ACCUMULATOR_IN_FLIGHT)}
        phases = {value: number for number, value in _names(lib.swp_phase_name, _api.SWP_DRAIN)}
        if isinstance(each, str):
            parts = each.split(":")
            role = parts.pop(1) if len(parts) == 4 else None
            if len(parts) != 3 or parts[0] not in kinds or parts[1] not in phases or not parts[2].isdigit():
                raise ValueError(
                    f"{each!r} is no hazard: write kind:phase:entry, with warp roles kind:role:phase:entry"
                )
            kind, phase, entry = parts[0], parts[1], int(parts[2])
        else:
            kind, role, phase, entry = each.kind, each.role, each.phase, each.entry
        row.kind = kinds[kind]
        row.at = _api.swp_entry_ref(phases[phase], entry)
        row.role = encoded(role)

    def __len__(self) -> int:
        return len(self.rows)


def _names(name: Any, last: int) -> list[tuple[int, str]]:
    return [(number, name(number).decode()) for number in range(last + 1)]


class Schedule:
    """A compiled schedule: lists of entries for each warp role, and how they came about.

    >>> import swp
    >>> schedule = swp.compile("pingpong")
    >>> schedule.name, schedule.target, len(schedule.kernel)
    ('pingpong', 'mi355x', 70)
    >>> schedule.kernel[2].name, schedule.kernel[2].k_offset
    ('LOAD_A', 'k_prev')
    >>> schedule.metrics.makespan
    420
    """

    def __init__(self, handle: Any, warnings: tuple[Diagnostic, ...], origin: str):
        """Not to be called: `swp.compile` and `swp.load` make schedules."""
        self._handle = handle
        self._origin = origin
        self.warnings = warnings
        """What the compiler warned of."""
        weakref.finalize(self, lib.swp_schedule_free, handle)

    @classmethod
    def from_json(cls, text: str, *, file: str = "<json>") -> Schedule:
        """The schedule of what `emit("json")` or `swp compile --format json` wrote, perhaps edited since."""
        session = Session()
        session.add_source(file, text)
        handle = ctypes.POINTER(_api.swp_schedule)()
        raw = text.encode("utf-8", "surrogateescape")
        session.call(lib.swp_schedule_read_json, raw, len(raw), encoded(file), ctypes.byref(handle))
        return cls(handle, session.warn(), file)

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.emit("json"))
        return data

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the schedule as Python objects (docs/json.md)."""
        copy: dict[str, Any] = json.loads(self.emit("json"))
        return copy

    @property
    def name(self) -> str:
        return str(self._data["name"])

    @property
    def target(self) -> str:
        """Its name; "" where it is not known."""
        return str(self._data.get("target", ""))

    @property
    def config(self) -> Mapping[str, Setting]:
        """The settings of docs/settings.md, "pipeline"."""
        return dict(self._data["config"])

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The settings of docs/settings.md, "schedule"."""
        return dict(self._data["schedule"])

    @property
    def machine(self) -> Mapping[str, Setting]:
        """The settings of docs/settings.md, "machine"."""
        return dict(self._data["machine"])

    @property
    def geometry(self) -> Mapping[str, int] | None:
        """The tile of a work group and of an instruction in elements; None where it is not known."""
        return self._data.get("geometry")

    @cached_property
    def loop(self) -> records.LoopShape:
        """How passes map to K tiles or iterations."""
        return decode(records.LoopShape, self._data["loop"])

    @cached_property
    def roles(self) -> tuple[records.Role, ...]:
        """The lists of each warp role; without warp roles there is one, without a name."""
        if "roles" in self._data:
            return tuple(decode(records.Role, each) for each in self._data["roles"])
        lists = ("prologue", "kernel", "epilogue", "epilogues", "straight")
        rows = {key: self._data[key] for key in lists if key in self._data}
        nested = {"epilogues", "straight"} & rows.keys()
        return (decode(records.Role, {**rows, **{key: rows[key] for key in nested}}),)

    def role(self, name: str) -> records.Role:
        """The warp role of that name."""
        for each in self.roles:
            if each.name == name:
                return each
        raise KeyError(f"{name!r} is none of the roles {', '.join(repr(each.name) for each in self.roles)}")

    def _only(self) -> records.Role:
        if len(self.roles) == 1:
            return self.roles[0]
        names = ", ".join(each.name for each in self.roles)
        raise ValueError(f"{self.name} has several warp roles, {names}, each with its lists: see `roles`")

    @property
    def prologue(self) -> tuple[records.Entry, ...]:
        """Of the only role."""
        return self._only().prologue

    @property
    def kernel(self) -> tuple[records.Entry, ...]:
        """Of the only role: what the loop repeats."""
        return self._only().kernel

    @property
    def epilogue(self) -> tuple[records.Entry, ...]:
        """Of the only role."""
        return self._only().epilogue

    @cached_property
    def sync_objects(self) -> tuple[records.SyncObject, ...]:
        """What orders the instances of warp roles."""
        return tuple(decode(records.SyncObject, each) for each in self._data.get("sync_objects", ()))

    @cached_property
    def pipeline(self) -> records.Pipeline | None:
        """Of a loop: interval, slots, stages, and what is proven of them."""
        found = self._data.get("pipeline")
        return decode(records.Pipeline, found) if found else None

    @cached_property
    def body(self) -> tuple[records.Op, ...]:
        return tuple(decode(records.Op, each) for each in self._data.get("body", ()))

    @cached_property
    def edges(self) -> tuple[records.Edge, ...]:
        """Dependences between ops of the body."""
        return tuple(decode(records.Edge, each) for each in self._data.get("edges", ()))

    @property
    def order(self) -> tuple[int, ...]:
        """Indices into the body: what comes first, second …"""
        return tuple(self._data.get("order", ()))

    @cached_property
    def metrics(self) -> records.Metrics:
        return decode(records.Metrics, self._data["metrics"])

    @cached_property
    def sync(self) -> records.Sync | None:
        """Figures of derived synchronisation, where it is derived."""
        found = self._data.get("sync")
        return decode(records.Sync, found) if found else None

    @cached_property
    def by_figures(self) -> records.CountedCycles | None:
        """Of a body that was compiled with a target file: cycles by the file's figures."""
        found = self._data.get("by_figures")
        return decode(records.CountedCycles, found) if found else None

    @cached_property
    def role_sync(self) -> records.RoleSync | None:
        """With warp roles: what their instances execute in a pass to wait for one another."""
        found = self._data.get("role_sync")
        return decode(records.RoleSync, found) if found else None

    def verify(
        self,
        *,
        accept: Iterable[Acceptance] = (),
        repairs: bool = True,
        time_limit: float | None = None,
        progress: ProgressOption = None,
    ) -> Verdict:
        """Proves that the schedule computes its loop, or says how it goes wrong.

        `repairs`: try edits until one is found that takes a hazard away, for its hint.

        >>> import swp
        >>> swp.compile("fourwave", proof="waived").verify().hazards[0].hint
        'set wait of kernel entry 1 (wait_lgkm) to 0'
        """
        session = Session(Limits(time_limit, None, progress))
        accepted = _Acceptances(accept)
        verdict = _api.swp_verdict()
        session.call(lib.swp_verify, self._handle, accepted.rows, len(accepted), ctypes.byref(verdict))
        if verdict.hazards.count:
            self._add_slack(session.limits, verdict)
            if repairs:
                session.call(lib.swp_verify_repairs, self._handle, ctypes.byref(verdict))
        found: Verdict = self._report(Verdict, session, lib.swp_verdict_text, lib.swp_verdict_json, verdict)
        return found

    def _add_slack(self, limits: Limits, verdict: _api.swp_verdict) -> None:
        """What the cycle model cannot count has none, and that is no news."""
        Session(limits).status(lib.swp_simulate_slack, self._handle, ctypes.byref(verdict))

    def _report(self, kind: Any, session: Session, as_text: Any, as_json: Any, result: Any) -> Any:
        text = session.text(as_text, self._handle, ctypes.byref(result))
        data = json.loads(session.text(as_json, self._handle, ctypes.byref(result)))
        return _reported(kind, session, text, data)

    def simulate(
        self,
        *,
        occupancy_global: int = 0,
        occupancy_lds: int = 0,
        load_latency: int = 100,
        time_limit: float | None = None,
    ) -> Simulation:
        """Counts cycles. `occupancy_global` and `occupancy_lds`: cycles that an access holds its unit; `load_latency`:
        percent of its latency that a load takes, from 100.

        >>> import swp
        >>> swp.compile("pingpong").simulate().cycles_per_pass
        454.0
        """
        session = Session(Limits(time_limit))
        options = _api.swp_simulate_options(
            occupancy_global, occupancy_lds, load_latency_percent=load_latency
        )
        simulation = _api.swp_simulation()
        session.call(lib.swp_simulate, self._handle, ctypes.byref(options), ctypes.byref(simulation))
        found: Simulation = self._report(
            Simulation, session, lib.swp_simulation_text, lib.swp_simulation_json, simulation
        )
        return found

    def run(
        self,
        n: int | tuple[int, int] | None = None,
        *,
        seeds: int = 64,
        timing: Timing = "adversarial",
        waves: int | None = None,
        time_limit: float | None = None,
    ) -> Runs:
        """Executes the schedule on small matrices, with timings that the machine permits.

        `n`: K tiles or iterations, or least and most (default: all that the loop takes up to 12); `seeds`: runs of each
        number; `waves` of each warp group (default: those of the machine, two at most).

        >>> import swp
        >>> swp.compile("pingpong").run(4, seeds=2).wrong
        0
        """
        session = Session(Limits(time_limit))
        timings = {value: number for number, value in _names(lib.swp_timing_name, _api.SWP_TIMING_COUNT - 1)}
        if timing not in timings:
            raise ValueError(f"{timing!r} is no timing: choose one of {', '.join(timings)}")
        least, most = n if isinstance(n, tuple) else (n or 0, n or 0)
        sweep = _api.swp_run_sweep(n is not None, least, most, seeds, waves or 0, timings[timing])
        summary = _api.swp_run_summary()
        session.call(lib.swp_run_many, self._handle, ctypes.byref(sweep), ctypes.byref(summary))
        text = session.text(lib.swp_run_summary_text, self._handle, ctypes.byref(summary))
        data = json.loads(session.text(lib.swp_run_summary_json, ctypes.byref(summary)))
        found: Runs = _reported(Runs, session, text, data)
        return found

    def counterexample(self, hazard: records.Hazard | None = None, *, time_limit: float | None = None) -> str:
        """An execution that shows a hazard, by default the first: JSON for `replay` and `swp run --replay`.

        Raises InfeasibleError where no execution that was tried goes wrong, and ValueError without a hazard.
        """
        session = Session(Limits(time_limit))
        verdict = _api.swp_verdict()
        session.call(lib.swp_verify, self._handle, None, 0, ctypes.byref(verdict))
        wanted = self._find(session, verdict, hazard)
        example = _api.swp_counterexample()
        session.call(lib.swp_counterexample_find, self._handle, ctypes.byref(wanted), ctypes.byref(example))
        return session.text(lib.swp_counterexample_write, ctypes.byref(example))

    def _find(self, session: Session, verdict: Any, hazard: records.Hazard | None) -> Any:
        """The hazard of a verdict that a record is about; they stand in the same order."""
        data = json.loads(session.text(lib.swp_verdict_json, self._handle, ctypes.byref(verdict)))
        for i, row in enumerate(data["hazards"]):
            each = decode(records.Hazard, row)
            if hazard is None or (each.kind, each.role, each.list, each.entry) == (
                hazard.kind, hazard.role, hazard.list, hazard.entry,
            ):  # fmt: skip
                return verdict.hazards.items[i]
        raise ValueError(f"{self.name} has no such hazard" if hazard else f"{self.name} is safe")

    def replay(self, counterexample: str) -> str:
        """What the execution of a counterexample shows, in words."""
        session = Session()
        session.add_source("<counterexample>", counterexample)
        example = _api.swp_counterexample()
        outcome = _api.swp_run_outcome()
        raw = counterexample.encode()
        session.call(lib.swp_counterexample_read, raw, len(raw), encoded("<counterexample>"), ctypes.byref(example))
        session.call(lib.swp_counterexample_replay, self._handle, ctypes.byref(example), ctypes.byref(outcome))
        return session.text(lib.swp_run_outcome_text, self._handle, ctypes.byref(outcome))

    def explain(self, *, time_limit: float | None = None, progress: ProgressOption = None) -> Explanation:
        """Says what each wait and barrier is there for, and what holds each op."""
        session = Session(Limits(time_limit, None, progress))
        sync = _api.swp_explanation_list()
        order = _api.swp_order_reason_list()
        session.call(lib.swp_explain, self._handle, ctypes.byref(sync))
        session.call(lib.swp_explain_order, self._handle, ctypes.byref(order))
        both = (self._handle, ctypes.byref(sync), ctypes.byref(order))
        text = session.text(lib.swp_explanation_text, *both)
        data = json.loads(session.text(lib.swp_explanation_json, *both))
        found: Explanation = _reported(Explanation, session, text, data)
        return found

    def emit(self, format: str) -> str:
        """The schedule in any format of `swp.formats()`."""
        row = lib.swp_emit_format_find(encoded(format))
        if not row:
            raise ValueError(f"there is no format {format!r}: choose one of {', '.join(formats())}")
        return Session().text(row.contents.emit, self._handle)

    def header(
        self,
        *,
        prefix: str | None = None,
        accept: Iterable[Acceptance] = (),
        allow_unsafe: bool = False,
        time_limit: float | None = None,
    ) -> str:
        """A C header with the main loop as calls of macros, for C, C++, HIP and CUDA (docs/c-header.md).

        `prefix` of all its macros (default: the name in capitals). Raises InfeasibleError for a schedule that is not
        proven safe, but for hazards in `accept` or with `allow_unsafe`.

        >>> import swp
        >>> "#define GEMM_KERNEL(ctx, kb)" in swp.compile("pingpong").header(prefix="GEMM")
        True
        """
        session = Session(Limits(time_limit))
        accepted = _Acceptances(accept)
        options = _api.swp_c_header_options(
            prefix=encoded(prefix), input=encoded(self._origin), accepted=accepted.rows, accepted_count=len(accepted),
            allow_unsafe=allow_unsafe,
        )  # fmt: skip
        text = session.text(lib.swp_emit_c_header, self._handle, ctypes.byref(options))
        session.warn()
        return text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its JSON, which `swp.load` and the command read."""
        Path(path).write_text(self.emit("json"), encoding="utf-8")

    def __str__(self) -> str:
        return self.emit("text")

    def __repr__(self) -> str:
        return f"<swp.Schedule {self.name} for {self.target or 'any target'}>"

    def _repr_html_(self) -> str | None:
        """In a notebook: the figure, where this build draws one."""
        return self.emit("svg") if "svg" in formats() else None


def formats() -> tuple[str, ...]:
    """The names of the formats of `Schedule.emit`.

    >>> import swp
    >>> {"text", "json", "c", "dot"} <= set(swp.formats())
    True
    """
    count = ctypes.c_size_t()
    rows = lib.swp_emit_formats(ctypes.byref(count))
    return tuple(rows[i].name.decode() for i in range(count.value))


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a "description", a "schedule" or a "problem", as Python objects.

    >>> import swp
    >>> swp.schema("description")["properties"]["swp"]["const"]
    1
    """
    found: dict[str, Any] = json.loads(Session().text(lib.swp_schema_json, encoded(name)))
    return found


def builtins() -> dict[str, str]:
    """The built-in schedules, with what they are.

    >>> import swp
    >>> swp.builtins()["pingpong"]
    'matmul with two staggered warp groups'
    """
    return _table(lib.swp_builtins)


def targets() -> dict[str, str]:
    """The machines, with what they are."""
    return _table(lib.swp_targets)


def _table(accessor: Any) -> dict[str, str]:
    count = ctypes.c_size_t()
    rows = accessor(ctypes.byref(count))
    return {rows[i].contents.name.decode(): rows[i].contents.meaning.decode() for i in range(count.value)}


def compile(
    source: Source,
    *,
    settings: Mapping[str, Setting] | None = None,
    target: str | None = None,
    proof: Proof = "wanted",
    accept: Iterable[Acceptance] = (),
    time_limit: float | None = None,
    work_limit: WorkLimit = DEFAULT_WORK,
    progress: ProgressOption = None,
) -> Schedule:
    """Compiles a description into a schedule.

    `source`: a built-in's name (`swp.builtins()`), a path, YAML (text with a line break), a description as Python
    objects, or a `swp.Loop`. `settings`: paths to values as of `swp list settings`, or `variables.NAME` of a file.
    `proof`: a schedule that is not proven safe is refused ("required"), taken with a SwpWarning ("wanted") or taken
    ("waived"). A search ends with its best so far after `work_limit`: the work of some seconds, such as "60s", or a
    number of nodes, the same on every machine; None: no limit. `time_limit` in seconds by the clock, in place of
    seconds of work; all else ends at twice that. `progress`: a function of a `swp.Progress`, or False for no line on
    a terminal.

    >>> import swp
    >>> swp.compile("pingpong", settings={"schedule.lds_contention_penalty": 16}).metrics.makespan
    464
    >>> try:
    ...     swp.compile("pingpong", settings={"schedule.max_vgpr": 64})
    ... except swp.InfeasibleError as error:
    ...     print(error.code, error.hint)
    E0401 raise schedule.max_vgpr
    """
    if proof not in _DEMANDS:
        raise ValueError(f"{proof!r} is no demand: choose one of {', '.join(_DEMANDS)}")
    session = Session(Limits(time_limit, work_limit, progress))
    origin = source if isinstance(source, str) and "\n" not in source else _origin(source)
    description = open_description(session, source, settings, target)
    handle = ctypes.POINTER(_api.swp_schedule)()
    session.call(lib.swp_description_compile, description, ctypes.byref(handle))
    schedule = Schedule(handle, (), origin)
    _demand_proof(session, schedule, proof, accept)
    schedule.warnings = session.warn()
    return schedule


def _origin(source: Source) -> str:
    return os.fspath(source) if isinstance(source, os.PathLike) else "FILE"


def _demand_proof(session: Session, schedule: Schedule, proof: Proof, accept: Iterable[Acceptance]) -> None:
    accepted = _Acceptances(accept)
    if proof == "waived":
        return
    verdict = _api.swp_verdict()
    judged = ctypes.c_bool()
    status = session.status(
        lib.swp_verdict_demand, schedule._handle, accepted.rows, len(accepted), encoded(schedule._origin),
        _DEMANDS[proof], ctypes.byref(verdict), ctypes.byref(judged),
    )  # fmt: skip
    # A proof that a limit ended, and that was only wanted, is a warning.
    if status == _api.SWP_STOPPED and proof == "wanted":
        return
    if status != _api.SWP_OK:
        kind = InfeasibleError if status == _api.SWP_INFEASIBLE else InvalidError
        raise kind(session.diagnostics())


def load(path: str | os.PathLike[str]) -> Schedule:
    """The schedule of a file of JSON."""
    return Schedule.from_json(Path(path).read_text(encoding="utf-8"), file=str(path))


def diff(
    a: Schedule,
    b: Schedule,
    *,
    occupancy_global: int = 0,
    occupancy_lds: int = 0,
    time_limit: float | None = None,
    work_limit: WorkLimit = DEFAULT_WORK,
    progress: ProgressOption = None,
) -> Diff:
    """Compares two schedules, and says what each difference does by itself.

    >>> import swp
    >>> a = swp.compile("fourwave", proof="waived")
    >>> b = swp.compile("fourwave", settings={"schedule.sync": "derived"})
    >>> swp.diff(a, b).effect.safe
    True
    """
    session = Session(Limits(time_limit, work_limit, progress))
    options = _api.swp_simulate_options(occupancy_global, occupancy_lds)
    result = _api.swp_diff()
    session.call(lib.swp_diff_schedules, a._handle, b._handle, ctypes.byref(options), ctypes.byref(result))
    text = session.text(lib.swp_diff_text, ctypes.byref(result))
    data = json.loads(session.text(lib.swp_diff_json, ctypes.byref(result)))
    found: Diff = _reported(Diff, session, text, data)
    return found
