# SPDX-License-Identifier: Apache-2.0
"""Calls of the library: a context with its limits and diagnostics, made interruptible."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

from . import _api
from ._library import lib
from .errors import (
    Diagnostic,
    InfeasibleError,
    InvalidError,
    OutOfMemoryError,
    StoppedError,
    SwpError,
    SwpWarning,
)


@dataclass(frozen=True)
class Progress:
    """How a long search stands."""

    seconds: float
    """Since the search began."""
    work: int
    """Search nodes visited."""
    best: int | None
    """Cycles of the best answer so far; None: none yet."""
    bound: int
    """Cycles: no answer has fewer, as far as is proven."""


ProgressOption = Union[bool, Callable[[Progress], None], None]

WorkLimit = Union[int, str, None]
"""Search nodes, or the work of some seconds as text such as "60s"; None: no limit."""

DEFAULT_WORK = "10s"

_EXCEPTIONS: dict[int, type[SwpError]] = {
    _api.SWP_INVALID: InvalidError,
    _api.SWP_INFEASIBLE: InfeasibleError,
    _api.SWP_STOPPED: StoppedError,
    _api.SWP_OUT_OF_MEMORY: OutOfMemoryError,
}

# A search that is over sooner than one can read needs no progress line.
_SILENT_SECONDS = 1.0


@dataclass
class Limits:
    """What the keyword arguments of long calls say."""

    time_limit: float | None = None
    work_limit: WorkLimit = None
    progress: ProgressOption = None


class _ProgressLine:
    """One line on a terminal or in a notebook, drawn again and again and taken away at the end."""

    def __init__(self) -> None:
        self.shown = False

    def __call__(self, progress: Progress) -> None:
        if progress.seconds < _SILENT_SECONDS:
            return
        best = "none yet" if progress.best is None else str(progress.best)
        line = f"bound {progress.bound}, best {best}, {progress.work} nodes, {progress.seconds:.1f} s"
        print(f"\r{line:<78}", end="", file=sys.stderr, flush=True)
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)


def _is_watched() -> bool:
    """Whether a person looks at what is printed."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


def _seconds_of(work: str) -> float:
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)s", work)
    seconds = float(match[1]) if match else 0
    if seconds <= 0:
        raise ValueError(f'{work!r} is no limit of work: give a number of nodes, or seconds above 0 such as "60s"')
    return seconds


class Session:
    """A context of the library for one task. It is freed when nothing refers to it, no running call either."""

    def __init__(self, limits: Limits | None = None):
        self.limits = limits or Limits()
        self.context = lib.swp_context_new(None)
        if not self.context:
            raise OutOfMemoryError([])
        weakref.finalize(self, lib.swp_context_free, self.context)
        self.stop = ctypes.c_int(0)
        self.failure: BaseException | None = None
        self.sources: dict[str, list[str]] = {}
        self.paths: dict[str, Callable[[int, int], str]] = {}
        self.keep: list[Any] = []
        self._line = _ProgressLine()
        self._set_limits()

    def _set_limits(self) -> None:
        limits = _api.swp_limits()
        seconds, work = self.limits.time_limit, self.limits.work_limit
        limits.nominal = seconds is None
        if seconds is not None:
            if seconds <= 0:
                raise ValueError(f"{seconds!r} is no time limit: give seconds above 0, or None")
            if isinstance(work, str) and work != DEFAULT_WORK:
                raise ValueError(f"a search has seconds by the clock or seconds of work, not {seconds!r} and {work!r}")
            limits.seconds = seconds
            limits.total_seconds = 2 * seconds
        elif isinstance(work, str):
            limits.seconds = _seconds_of(work)
        if isinstance(work, int):
            limits.work = work
        limits.interrupted = ctypes.cast(lib.swp_flag_is_raised, type(limits.interrupted))
        limits.user = ctypes.addressof(self.stop)
        report = self._reporter()
        if report:
            limits.progress = type(limits.progress)(report)
            self.keep.append(limits.progress)
        lib.swp_context_set_limits(self.context, ctypes.byref(limits))

    def _reporter(self) -> Callable[[Any, Any], None] | None:
        wanted = self.limits.progress
        show: Callable[[Progress], None] = self._line
        if wanted and not isinstance(wanted, bool):
            show = wanted
        if wanted is False or (wanted is None and not _is_watched()):
            return None
        # A closure over the session would keep it alive for ever, since the session owns the callback.
        session = weakref.proxy(self)

        def report(_user: Any, progress: Any) -> None:
            at = progress.contents
            try:
                show(Progress(at.seconds, at.work, None if at.best < 0 else at.best, at.bound))
            except BaseException as failure:
                session.failure = failure
                session.stop.value = 1

        return report

    def add_source(self, file: str, text: str, path_at: Callable[[int, int], str] | None = None) -> None:
        """What diagnostics with that file name quote."""
        self.sources[file] = text.splitlines()
        if path_at:
            self.paths[file] = path_at

    def status(self, function: Any, *arguments: Any) -> int:
        """Calls a function of this context with the GIL released, and obeys Ctrl-C while it runs."""
        try:
            status = self._interruptible(lambda: int(function(self.context, *arguments)))
        finally:
            self._line.clear()
        if self.failure:
            raise self.failure
        return status

    def call(self, function: Any, *arguments: Any) -> None:
        """The same of a function that has to succeed."""
        status = self.status(function, *arguments)
        if status != _api.SWP_OK:
            raise _EXCEPTIONS[status](self.diagnostics())

    def text(self, function: Any, *arguments: Any) -> str:
        """The text that a function writes."""
        text = ctypes.c_char_p()
        length = ctypes.c_size_t()
        self.call(function, *arguments, ctypes.byref(text), ctypes.byref(length))
        return ctypes.string_at(text, length.value).decode("utf-8", "surrogateescape")

    def _interruptible(self, work: Callable[[], int]) -> int:
        """In a thread of its own where this is the main one, which alone sees signals."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        result: list[int] = []
        ended = threading.Event()

        def body() -> None:
            try:
                result.append(work())
            except BaseException as failure:
                self.failure = failure
            ended.set()

        thread = threading.Thread(target=body, name="swp", daemon=True)
        interrupt: BaseException | None = None
        try:
            thread.start()
            ended.wait()
        except BaseException as seen:
            interrupt = seen
            self.stop.value = 1
        while thread.ident is not None and not ended.is_set():
            try:
                ended.wait()
            except BaseException as seen:
                interrupt = seen
        if interrupt:
            raise interrupt
        return result[0] if result else _api.SWP_INVALID

    def diagnostics(self) -> list[Diagnostic]:
        """All so far."""
        count = ctypes.c_size_t()
        rows = lib.swp_context_diags(self.context, ctypes.byref(count))
        return [self._diagnostic(rows[i]) for i in range(count.value)]

    def _diagnostic(self, row: Any) -> Diagnostic:
        place = row.place
        file = place.file.decode("utf-8", "surrogateescape") if place.file else None
        lines = self.sources.get(file or "", [])
        path_at = self.paths.get(file or "")
        return Diagnostic(
            severity="error" if row.severity == _api.SWP_ERROR else "warning",
            code=row.code.decode(),
            message=row.message.decode("utf-8", "replace"),
            hint=row.hint.decode("utf-8", "replace"),
            file=file,
            line=place.line,
            column=place.column,
            path=path_at(place.line, place.column) if path_at else None,
            source=lines[place.line - 1] if 0 < place.line <= len(lines) else "",
        )

    def warn(self) -> tuple[Diagnostic, ...]:
        """Issues the warnings so far as Python's, at the first caller outside of the package; returns them."""
        found = tuple(each for each in self.diagnostics() if each.severity == "warning")
        for each in found:
            warnings.warn(SwpWarning(each), stacklevel=_outside())
        return found


def _outside() -> int:
    """How many frames up the first one is that is none of the package's."""
    here = os.path.dirname(__file__)
    frame: Any = sys._getframe(1)
    level = 1
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == here:
        frame = frame.f_back
        level += 1
    return level


def encoded(text: str | None) -> bytes | None:
    """A text for the library. One with a NUL in it would be cut there."""
    if text is None:
        return None
    if "\0" in text:
        raise ValueError(f"a text with a NUL character: {text!r}")
    return text.encode("utf-8", "surrogateescape")
