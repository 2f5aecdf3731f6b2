# SPDX-License-Identifier: Apache-2.0
"""Audits of kernels in PTX, and of AMD's assembly: does the code wait for what it uses?"""

from __future__ import annotations

import ctypes
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Union

from . import _api
from ._calls import Limits, Session, encoded
from ._decode import Record, decode
from ._library import lib
from .errors import Diagnostic

Kernel = Union[str, Path, Any]
"""PTX or assembly as text, a file of it, or a kernel that Triton, CuTe DSL or TileLang has compiled."""

Answer = Literal["no_fault", "fault", "unknown"]


@dataclass(frozen=True, kw_only=True)
class SourceLine(Record):
    """A line of the source that an instruction was compiled from."""

    file: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Site(Record):
    """An instruction."""

    line: int
    text: str | None = None
    source: SourceLine | None = None
    caller: SourceLine | None = None


@dataclass(frozen=True, kw_only=True)
class Copy(Record):
    """Where else it is the same fault."""

    kernel: int
    at: Site | None
    other: Site | None


@dataclass(frozen=True, kw_only=True)
class Finding(Record):
    """Two accesses of which one may come too early, and the like."""

    kind: str
    certain: bool
    kernel: int | None
    place: str
    at: Site | None
    other: Site | None
    wait: Site | None
    enough: str
    detail: str
    hint: str
    earlier_pass: bool = False
    accepted: str | None = None
    also: tuple[Copy, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    """Something that is not known, or taken for given."""

    at: Site | None
    why: str


@dataclass(frozen=True, kw_only=True)
class AuditedKernel(Record):
    """A kernel in PTX, and what is said of it."""

    name: str
    symbol: str
    line: int
    answer: Answer
    faults: int
    unknown: int
    shown: str
    not_shown: str


@dataclass(frozen=True, kw_only=True)
class Audit(Record):
    """What an audit comes to. True where nothing is wrong in any timing; its `str` is what the command prints."""

    file: str
    target: str
    answer: Answer
    instructions: int
    kernels: tuple[AuditedKernel, ...] = ()
    findings: tuple[Finding, ...] = ()
    unknown_instructions: tuple[Note, ...] = ()
    assumptions: tuple[Note, ...] = ()
    text: str = field(default="", repr=False, compare=False)
    warnings: tuple[Diagnostic, ...] = field(default=(), repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.answer == "no_fault"

    def __str__(self) -> str:
        return self.text


def _of_triton(kernel: Any) -> tuple[str, str] | None:
    """`kernel.warmup(...)`, whose `asm` has what each stage made."""
    assembly = getattr(kernel, "asm", None)
    name = str(getattr(getattr(kernel, "metadata", None), "name", "kernel"))
    for stage, ending in (("ptx", "ptx"), ("amdgcn", "s")):
        if isinstance(assembly, Mapping) and stage in assembly:
            return str(assembly[stage]), f"{name}.{ending}"
    return None


def _of_cute(kernel: Any) -> tuple[str, str] | None:
    """`cute.compile(...)`, which keeps PTX where the environment has CUTE_DSL_KEEP=ptx."""
    if not hasattr(kernel, "__ptx__"):
        return None
    if not kernel.__ptx__:
        raise TypeError("the kernel of CuTe DSL has no PTX: set CUTE_DSL_KEEP=ptx before cutlass is imported")
    return str(kernel.__ptx__), "kernel.ptx"


def _of_tilelang(kernel: Any) -> tuple[str, str] | None:
    """`tilelang.lower(...)` or `tilelang.compile(...)`, whose source in CUDA nvcc makes PTX of."""
    artifact = getattr(kernel, "artifact", kernel)
    if not hasattr(artifact, "kernel_source") or not hasattr(artifact, "target"):
        return None
    nvcc = importlib.import_module("tilelang.contrib.nvcc")
    with artifact.target:
        ptx = nvcc.get_ptx_from_source(artifact.kernel_source)
    return ptx if isinstance(ptx, str) else bytes(ptx).decode(), "kernel.ptx"


def _text_of(kernel: Kernel, file: str | None) -> tuple[str, str]:
    """The text, and the name that it has in what is said of it."""
    if isinstance(kernel, Path):
        return kernel.read_text(encoding="utf-8", errors="surrogateescape"), file or str(kernel)
    if isinstance(kernel, str):
        return kernel, file or "<text>"
    for read in (_of_triton, _of_cute, _of_tilelang):
        found = read(kernel)
        if found is not None:
            return found[0], file or found[1]
    raise TypeError(
        f"{type(kernel).__name__} is no kernel: give PTX as text, a path, or what Triton, CuTe DSL or TileLang has compiled"
    )


def _read_launch(session: Session, launch: Mapping[str, Any] | None) -> Any:
    """The launch as the library has it; it lies in the session's memory."""
    out = _api.swp_audit_launch()
    if launch is not None:
        text = json.dumps({"swp_audit_launch": 1, **launch})
        session.add_source("<launch>", text)
        raw = text.encode("utf-8", "surrogateescape")
        session.call(lib.swp_audit_launch_read, raw, len(raw), encoded("<launch>"), ctypes.byref(out))
    return out


def audit(
    kernel: Kernel,
    *,
    launch: Mapping[str, Any] | None = None,
    file: str | None = None,
    first: bool = False,
    time_limit: float | None = None,
) -> Audit:
    """Judges each kernel of a text: is there a timing in which it goes wrong?

    `kernel`: PTX or AMD's assembly as text, a `Path`, or what Triton, CuTe DSL or TileLang has compiled. `launch`: what is
    known of the launch, with the keys of docs/audit.md, "A launch as a file". `first`: one finding of each kernel is enough.

    Raises InvalidError for a text that is not read, or a launch that no kernel of it can have.
    """
    text, name = _text_of(kernel, file)
    session = Session(Limits(time_limit, None, False))
    session.add_source(name, text)
    options = _api.swp_audit_options()
    options.first = first
    options.launch = _read_launch(session, launch)
    report = _api.swp_audit_report()
    raw = text.encode("utf-8", "surrogateescape")
    called = encoded(name)
    session.keep.append(called)
    session.call(lib.swp_audit_with, raw, len(raw), called, ctypes.byref(options), ctypes.byref(report))
    printed = session.text(lib.swp_audit_text, ctypes.byref(report))
    data = json.loads(session.text(lib.swp_audit_json, ctypes.byref(report)))
    rows = {key: value for key, value in data.items() if key not in ("swp", "loops", "launch")}
    return decode(Audit, {**rows, "text": printed, "warnings": session.warn()})
