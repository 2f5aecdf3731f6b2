# SPDX-License-Identifier: Apache-2.0
"""Scheduling problems as data, and their answers (docs/solving.md)."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import _api
from ._calls import DEFAULT_WORK, Limits, ProgressOption, Session, WorkLimit, encoded
from ._decode import Record, decode
from ._library import lib


@dataclass(frozen=True, kw_only=True)
class Answer(Record):
    """What is known of a problem. Times are cycles, from 0."""

    name: str
    status: Literal["optimal", "feasible", "infeasible", "unknown"]
    value: int | None
    """The makespan or the initiation interval, in cycles; None: no schedule."""
    bound: int | None
    """Cycles: no schedule has a smaller value."""
    times: tuple[int, ...] | None
    """Issue of each op; None: no schedule."""
    bound_kind: str | None = None
    seconds: float | None = None
    work: int | None = None


def solve(
    problem: str | Mapping[str, Any],
    *,
    time_limit: float | None = None,
    work_limit: WorkLimit = DEFAULT_WORK,
    progress: ProgressOption = None,
) -> Answer:
    """Solves a makespan or modulo problem, as text in JSON or as Python objects, within the limits.

    >>> import swp
    >>> swp.solve({
    ...     "swp": 1, "name": "two", "problem": "modulo", "resources": [{"name": "alu", "capacity": 1}],
    ...     "ops": [{"name": n, "latency": 2, "uses": [{"resource": "alu", "amount": 1, "cycles": 2}]} for n in "ab"],
    ...     "edges": [{"producer": 0, "consumer": 1, "distance": 0}],
    ... }).value
    4
    """
    text = problem if isinstance(problem, str) else json.dumps(problem)
    session = Session(Limits(time_limit, work_limit, progress))
    session.add_source("<problem>", text)
    raw = text.encode("utf-8", "surrogateescape")
    place = _api.swp_place(encoded("<problem>"), 1, 1)
    read = _api.swp_problem()
    session.call(
        lib.swp_problem_read_json, ctypes.byref(_api.swp_problem_text(raw, len(raw), place)), ctypes.byref(read)
    )
    answer = _api.swp_answer()
    session.call(lib.swp_solve_problem, ctypes.byref(read), ctypes.byref(answer))
    found = json.loads(session.text(lib.swp_answer_json, ctypes.byref(read), ctypes.byref(answer)))
    return decode(Answer, found)
