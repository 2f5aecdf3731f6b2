# SPDX-License-Identifier: Apache-2.0
"""Python objects as the text of a description, with the way back from a line and column to the object."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any


class Layout:
    """Flow YAML, a line for each key and each element: JSON, but that the reader of descriptions takes it."""

    def __init__(self, description: Mapping[str, Any]):
        self._lines: list[str] = []
        self._paths: list[str] = []
        self._put(description, "", "", "")

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def path_at(self) -> Callable[[int, int], str]:
        """Which value stands at a line and column."""
        paths = self._paths

        def path(line: int, _column: int) -> str:
            return paths[line - 1] if 0 < line <= len(paths) else ""

        return path

    def _line(self, path: str, text: str) -> None:
        self._paths.append(path)
        self._lines.append(text)

    def _put(self, value: Any, path: str, before: str, after: str) -> None:
        if isinstance(value, Mapping):
            inner = [
                (f"{json.dumps(_key(key))}: ", f"{path}.{key}" if path else str(key), each)
                for key, each in value.items()
            ]
            self._put_all(path, before + "{", inner, "}" + after)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            self._put_all(path, before + "[", [("", f"{path}[{i}]", each) for i, each in enumerate(value)], "]" + after)
        else:
            self._line(path, before + _scalar(value, path) + after)

    def _put_all(self, path: str, opening: str, inner: list[tuple[str, str, Any]], closing: str) -> None:
        self._line(path, opening)
        for i, (label, inner_path, each) in enumerate(inner):
            self._put(each, inner_path, label, "," if i + 1 < len(inner) else "")
        self._line(path, closing)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"a key of a description is text, not {key!r}")


def _scalar(value: Any, path: str) -> str:
    """Whole numbers of other libraries, such as NumPy's, are taken for what they are."""
    if value is None or isinstance(value, (str, bool)):
        return json.dumps(value)
    try:
        return str(index(value))
    except TypeError:
        raise TypeError(
            f"{path}: {value!r} is a {type(value).__name__}; a description is made of mappings, lists, text, "
            "whole numbers and truths"
        ) from None
