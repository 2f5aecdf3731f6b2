# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of the library, and the exceptions that carry them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Diagnostic:
    """One error or warning: what, where, and what to do."""

    severity: Literal["warning", "error"]
    code: str
    """Stable, such as "E0312"; docs/diagnostics.md lists them all."""
    message: str
    hint: str
    """What to change; "" where there is nothing to say."""
    file: str | None
    """A path, "<text>", "<description>" for one made of Python objects, or "settings"; None: no place."""
    line: int
    """From 1; 0 without a place."""
    column: int
    """From 1; 0 without a place."""
    path: str | None
    """Of a description made of Python objects: which value, such as "body[3].stage"."""
    source: str
    """The line that it is about; "" where there is none."""

    def __str__(self) -> str:
        """As a compiler writes it: place, severity, code and message, the line with a caret, the hint."""
        lines = [f"{self._where()}{self.severity}[{self.code}]: {self.message}"]
        if self.source and not self.path:
            lines += [f"{self.line:5} | {self.source}", f"      | {' ' * (self.column - 1)}^"]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def _where(self) -> str:
        if not self.file:
            return ""
        return f"{self.file}: {self.path}: " if self.path else f"{self.file}:{self.line}:{self.column}: "


class SwpError(Exception):
    """What the library refused, or could not do. `diagnostics` holds every error and warning, in their order."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)) or "the library gave no reason")

    @property
    def first(self) -> Diagnostic | None:
        """The first error; None where there is none."""
        return next((each for each in self.diagnostics if each.severity == "error"), None)

    @property
    def code(self) -> str:
        """The code of the first error, "" where there is none."""
        return self.first.code if self.first else ""

    @property
    def hint(self) -> str:
        """The hint of the first error, "" where there is none."""
        return self.first.hint if self.first else ""


class InvalidError(SwpError, ValueError):
    """Bad input or configuration."""


class InfeasibleError(SwpError):
    """Proven: nothing meets the request, such as a register budget; or a schedule that is not safe was to be used."""


class StoppedError(SwpError, TimeoutError):
    """A limit of time or work ended it before there was any answer."""


class OutOfMemoryError(SwpError, MemoryError):
    """Memory ran out."""


class SwpWarning(UserWarning):
    """A warning of the library; `diagnostic` holds it."""

    def __init__(self, diagnostic: Diagnostic):
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))
