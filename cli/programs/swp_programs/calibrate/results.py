# SPDX-License-Identifier: Apache-2.0
"""Reads what run.sh has written, of one or several runs on one kind of device, and refuses what is not whole or lies."""
import json
import pathlib
import statistics
import sys

from ..common.refusal import Refused
from .instructions import OPS
from .instructions_amd import AMD_OPS
from .measurements import measurements_of, name_of
from .targets import AMD, ARCHITECTURES


def number_of(record, key, where):
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= sys.float_info.max:
        raise Refused(f"{where}: `{key}` is {repr(value)[:80]}", "a number, 0 or above; measure it again: delete the line, and run run.sh")
    return float(value)


def repeats_of(record, where):
    repeats = number_of(record, "repeats", where)
    if repeats < 1 or repeats != int(repeats):
        raise Refused(f"{where}: `repeats` is {record['repeats']!r}", "a whole number, 1 or above, as run.sh writes it")
    return int(repeats)


def refuse_texts(header, path):
    """What the sources of figures quote."""
    for key in ("device", "driver", "date"):
        text = header.get(key, "" if key == "device" else "unknown")
        if not isinstance(text, str) or not text or not text.isprintable() or set(text) & set('"\\'):
            raise Refused(f"{path}:1: `{key}` is {text!r}", "a text without quotes, as run.sh writes it")


def records_of(path):
    """With the numbers of their lines."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Refused(f"{path}:{number}: no JSON: {line[:40]!r}", "delete the file, and run run.sh" if number == 1
                          else "delete the line, and run run.sh again: it goes on") from error


def read_results(path):
    """The header and, by name, cycles, spread and the repeats that they are of."""
    records = list(records_of(path))
    header = records[0][1] if records and isinstance(records[0][1], dict) else {}
    if header.get("calibrate") != 1:
        raise Refused(f"{path} has no results of swp calibrate", "run.sh writes them")
    if header.get("target") not in (*ARCHITECTURES, *AMD):
        raise Refused(f"{path}:1: `target` is {header.get('target')!r}", f"one of {', '.join((*ARCHITECTURES, *AMD))}, as run.sh writes it")
    refuse_texts(header, path)
    found = {}
    for line, record in records[1:]:
        where = f"{path}:{line}"
        if not isinstance(record, dict) or not isinstance(record.get("name"), str):
            raise Refused(f"{where}: no measurement")
        if record["name"] in found:
            raise Refused(f"{where}: `{record['name']}` is there twice", "delete one of them")
        found[record["name"]] = (number_of(record, "cycles", where), number_of(record, "spread", where), repeats_of(record, where))
    missing = [name for name, _ in measurements_of(header["target"]) if name not in found]
    if missing:
        raise Refused(f"{path}: {len(missing)} measurements are missing, such as `{missing[0]}`", "run run.sh again: it goes on")
    return header, found


class Runs:
    """What one or several runs on one kind of device have measured."""

    def __init__(self, paths):
        read = [read_results(path) for path in paths]
        self.header = read[0][0]
        for path, (header, _) in zip(paths, read):
            for key in ("device", "target"):
                if header.get(key) != self.header.get(key):
                    raise Refused(f"{path} is of {header.get(key)}, {paths[0]} of {self.header.get(key)}", "one kind of device at a time")
        self.found = [found for _, found in read]

    def cycles(self, name):
        return statistics.median(found[name][0] for found in self.found)

    def repeats(self, name):
        return sum(found[name][2] for found in self.found)

    def spread(self, name):
        """In percent: of the noisiest run, or between the runs."""
        return max(max(found[name][1] for found in self.found), self.between(name))

    def between(self, name):
        values = [found[name][0] for found in self.found]
        return 100 * (max(values) - min(values)) / statistics.median(values) if statistics.median(values) else 0

    def rate(self, op, amount):
        """The most of `amount` a warp that all warps do in a cycle, and where that was measured."""
        of = AMD_OPS[op][0] if self.header["target"] in AMD else OPS[op][1]
        names = {warps: name_of(op, warps) for warps in of}
        for name in names.values():
            if self.cycles(name) == 0:
                raise Refused(f"`{name}` takes 0 cycles", "measure it again: delete the line, and run run.sh")
        best = max(names, key=lambda warps: warps * amount / self.cycles(names[warps]))
        return best * amount / self.cycles(names[best]), names[best]
