# SPDX-License-Identifier: Apache-2.0
"""JSON objects of the library as records: dataclasses whose fields have the names of the keys."""

from __future__ import annotations

import keyword
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

R = TypeVar("R", bound="Record")
Decoder = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Record:
    """What all results have in common."""

    extra: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """Keys of the JSON that this version of the package has no field for."""


def decode(kind: type[R], value: Mapping[str, Any]) -> R:
    """A record of an object. A key that is a word of Python, such as `with`, is the field `with_`."""
    known = _decoders(kind)
    given: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, each in value.items():
        row = known.get(key)
        if row is None:
            extra[key] = each
        else:
            given[row[0]] = row[1](each) if row[1] and each is not None else each
    return kind(extra=extra, **given) if extra else kind(**given)


_known: dict[type[Record], dict[str, tuple[str, Decoder | None]]] = {}


def _decoders(kind: type[Record]) -> dict[str, tuple[str, Decoder | None]]:
    """Of each key its field, and what makes the field of its value."""
    if kind not in _known:
        hints = get_type_hints(kind)
        names = [each.name for each in fields(kind) if each.name != "extra"]
        _known[kind] = {_key(name): (name, _decoder(hints[name])) for name in names}
    return _known[kind]


def _key(name: str) -> str:
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _decoder(hint: Any) -> Decoder | None:
    """None: the value is taken as it is."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return lambda value: decode(hint, value)
    if get_origin(hint) in (Union, types.UnionType):
        inner = [each for each in map(_decoder, get_args(hint)) if each]
        return inner[0] if inner else None
    if get_origin(hint) is tuple:
        return _tuple_decoder(_decoder(get_args(hint)[0]))
    return None


def _tuple_decoder(element: Decoder | None) -> Decoder:
    if element is None:
        return tuple
    of_each: Decoder = element
    return lambda values: tuple(map(of_each, values))
