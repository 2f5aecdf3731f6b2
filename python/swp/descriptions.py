# SPDX-License-Identifier: Apache-2.0
"""What is to be scheduled: a built-in, a file, YAML, Python objects, or a loop that is built op by op."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, Literal, Union

from . import _api
from ._calls import Session, encoded
from ._layout import Layout
from ._library import lib

Setting = Union[int, bool, str, Sequence[int]]
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Loop"]
"""A built-in's name or YAML (text with a line break); a path; a description as Python objects; a loop."""

_VARIABLES = "variables."


def _value(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    return ",".join(str(index(each)) for each in value)


class _Settings:
    """The settings of a call as the library takes them, each in a place of its own."""

    def __init__(self, session: Session, settings: Mapping[str, Setting]):
        self.session = session
        self.values = {path: _value(value) for path, value in settings.items()}
        for path, value in self.values.items():
            session.add_source(self._file(path), f"{path}={value}")

    @staticmethod
    def _file(path: str) -> str:
        return f"settings[{path!r}]"

    def place(self, path: str, column: int = 1) -> _api.swp_place:
        file = encoded(self._file(path))
        self.session.keep.append(file)
        return _api.swp_place(file, 1, column)

    def variables(self) -> Any:
        """Those that a file has to be read with."""
        names = [path for path in self.values if path.startswith(_VARIABLES)]
        array = (_api.swp_variable * len(names))()
        for row, path in zip(array, names):
            row.name = encoded(path[len(_VARIABLES) :])
            row.value = encoded(self.values[path])
            row.place = self.place(path, len(_VARIABLES) + 1)
            row.value_place = self.place(path, len(path) + 2)
        return array

    def apply(self, description: ctypes.c_void_p, variables_too: bool) -> None:
        for path, value in self.values.items():
            if variables_too or not path.startswith(_VARIABLES):
                self.session.call(lib.swp_description_set, description, encoded(path), encoded(value), self.place(path))


def _is_builtin(name: str) -> bool:
    return bool(lib.swp_builtin_find(encoded(name)))


def _text_of(source: Source) -> tuple[str | None, str, Layout | None]:
    """YAML and what diagnostics call it, or None and the name of a built-in."""
    if isinstance(source, Loop):
        source = source.description()
    if isinstance(source, Mapping):
        layout = Layout(source)
        return layout.text, "<description>", layout
    if isinstance(source, str) and "\n" in source:
        return source, "<text>", None
    if isinstance(source, str) and (_is_builtin(source) or not _looks_like_path(source)):
        return None, source, None
    path = Path(source)
    return path.read_text(encoding="utf-8", errors="surrogateescape"), str(path), None


def _looks_like_path(name: str) -> bool:
    """A name without a dot or slash that is no file can only be meant for a built-in."""
    return "." in name or "/" in name or os.path.exists(name)


def open_description(
    session: Session, source: Source, settings: Mapping[str, Setting] | None, target: str | None
) -> ctypes.c_void_p:
    """A description of the library with settings and target applied."""
    text, name, layout = _text_of(source)
    given = _Settings(session, settings or {})
    description = ctypes.c_void_p()
    if text is None:
        session.call(lib.swp_description_from_builtin, encoded(name), ctypes.byref(description))
    else:
        session.add_source(name, text, layout.path_at() if layout else None)
        variables = given.variables()
        raw = text.encode("utf-8", "surrogateescape")
        chosen = lib.swp_target_find(encoded(target)) if target is not None else None
        session.call(
            lib.swp_description_read_yaml_with,
            raw, len(raw), encoded(name), variables, len(variables), chosen, ctypes.byref(description),
        )  # fmt: skip
    given.apply(description, variables_too=text is None)
    if target is not None:
        session.add_source("target", target)
        session.call(
            lib.swp_description_set_target, description, encoded(target), _api.swp_place(encoded("target"), 1, 1)
        )
    return description


Completion = Literal[
    "none", "counter", "group", "mbarrier", "vmcnt", "lgkmcnt", "copy_group", "matrix_group", "copy_mbarrier",
    "matrix_mbarrier", "store_group",
]  # fmt: skip
Operand = Union[str, Mapping[str, Any]]


class Loop:
    """One logical iteration of a loop, built op by op, in sequential order; `swp.compile` finds its pipeline.

    >>> import swp
    >>> loop = swp.Loop("dot", target="mi355x", units={"global_mem": 1, "valu": 1})
    >>> loop.value("x", bytes=4096, slots=(1, 8))
    >>> loop.value("sum", space="registers", bytes=4)
    >>> loop.op("LOAD", latency=264, uses={"global_mem": 64}, completion="counter", writes=["x"])
    >>> loop.op("ADD", latency=40, uses={"valu": 32}, reads=["x"], updates=["sum"])
    >>> swp.compile(loop).pipeline.interval
    64
    """

    def __init__(
        self,
        name: str,
        *,
        target: str | None = None,
        units: Mapping[str, int | Mapping[str, int]] | None = None,
        signal: int | None = None,
        cluster: int | None = None,
        resident_work_groups: int | tuple[int, int] | None = None,
        shared_bytes: int | None = None,
        lane_registers: int | None = None,
        objectives: Sequence[Literal["shared", "registers", "stages"]] | None = None,
        output_tiles: bool | None = None,
        machine: Mapping[str, Setting] | None = None,
        schedule: Mapping[str, Setting] | None = None,
    ):
        """`units`: names to capacities, or to `{"rate": capacity}`; the other arguments are the keys of docs/loops.md, "The format"."""
        self._top = _given(swp=1, name=name, target=target, machine=machine, schedule=schedule)
        self._loop = _given(
            units=dict(units or {}), signal=signal, cluster=cluster,
            resident_work_groups=resident_work_groups, shared_bytes=shared_bytes,
            lane_registers=lane_registers, objectives=objectives, output_tiles=output_tiles,
        )  # fmt: skip
        self._roles: list[dict[str, Any]] = []
        self._values: list[dict[str, Any]] = []
        self._ops: list[dict[str, Any]] = []

    def unit(self, name: str, capacity: int = 1, *, rate: bool = False) -> None:
        """A unit that ops use: so many amounts at a time. A `rate`, such as a bandwidth, is shared by all that use it."""
        self._loop["units"][name] = {"rate": capacity} if rate else capacity

    def role(
        self, name: str, *, warps: int | None = None, instances: int | None = None, registers: int | None = None
    ) -> None:
        """A warp role, which runs the ops that name it. `warps` of each instance, `registers` of 32 bits a thread."""
        self._roles.append(_given(role=name, warps=warps, instances=instances, registers=registers))

    def value(
        self,
        name: str,
        *,
        space: Literal["shared", "registers", "global"] = "shared",
        bytes: int | None = None,
        slots: int | tuple[int, int] | None = None,
        bytes_of: Literal["work_group", "wave"] | None = None,
    ) -> None:
        """A value of which each iteration makes a version. `bytes` of a slot; `slots`: how many, or least and most."""
        slots_given = list(slots) if isinstance(slots, tuple) else slots
        self._values.append(_given(value=name, space=space, bytes=bytes, slots=slots_given, bytes_of=bytes_of))

    def op(
        self,
        name: str,
        *,
        latency: int,
        uses: Mapping[str, int | tuple[int, int]] | None = None,
        completion: Completion | None = None,
        read_cycles: int | None = None,
        issue: int | None = None,
        accesses: int | None = None,
        role: str | Sequence[str] | None = None,
        reads: Iterable[Operand] = (),
        writes: Iterable[str] = (),
        slots: int | tuple[int, int] | None = None,
        updates: Iterable[Operand] = (),
        when: str | Mapping[str, int] | None = None,
        clock: Literal["pass", "tile"] | None = None,
        multicast: bool | None = None,
    ) -> None:
        """The next op. `latency`, `read_cycles`, `issue` in cycles; `uses`: units to cycles or (amount, cycles).

        `slots`: all that it writes has equally many, so many or (least, most).
        """
        used = {unit: list(each) if isinstance(each, tuple) else each for unit, each in (uses or {}).items()}
        self._ops.append(
            _given(
                op=name,
                latency=latency,
                uses=used or None,
                completion=completion,
                read_cycles=read_cycles,
                issue=issue,
                accesses=accesses,
                role=role,
                reads=list(reads) or None,
                writes=list(writes) or None,
                slots=list(slots) if isinstance(slots, tuple) else slots,
                updates=list(updates) or None,
                when=when,
                clock=clock,
                multicast=multicast,
            )
        )

    def description(self) -> dict[str, Any]:
        """The same as Python objects: what a file of YAML would hold."""
        lists = _given(roles=self._roles or None, values=self._values or None, ops=self._ops)
        return {**self._top, "loop": {**self._loop, **lists}}


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}
