# SPDX-License-Identifier: Apache-2.0
"""Reads a log's records, and refuses those that swp tune does not write."""
import json
import pathlib
import statistics

from ..common.refusal import Refused
from ..common.texts import whole_texts
from .numbers import is_number, is_time, is_work


def are_texts(record, *keys):
    return all(isinstance(record.get(key, ""), str) for key in keys)


def is_of_variant(record):
    cycles = [record[key] for key in ("cycles", "late_cycles") if key in record]
    is_ranked = is_work(record.get("work")) and all(map(is_number, cycles))
    settings = record.get("settings")
    is_set = isinstance(settings, dict) and all(isinstance(value, str) for value in settings.values())
    return is_set and are_texts(record, "illegal", "no_cycles", "fingerprint") and ("illegal" in record or is_ranked)


def is_duration(value):
    return value == 0 or is_time(value)


def is_of_round(record):
    seconds = record.get("seconds", [])
    is_timed = isinstance(seconds, list) and bool(seconds) and all(map(is_time, seconds))
    is_whole = isinstance(record["round"], int) and (is_timed or "failed" in record) and is_duration(record.get("took", 0))
    return is_whole and are_texts(record, "at", "failed", "device", "clock")


def refuse_broken(path, records):
    """Records that swp tune does not write: of a log that something else has changed."""
    compiled = set()
    for line, record in enumerate(records[1:], 2):
        number = record.get("variant")
        is_whole = isinstance(number, int) and (is_of_round(record) and number in compiled if "round" in record
                                                else is_of_variant(record))
        if not is_whole:
            raise Refused(f"{path}:{line}: neither a variant nor a measurement of one above", "delete the line, and run the same command")
        compiled.add(number)


def read_log(path):
    """Its header, its records, and how many bytes of it are whole lines."""
    try:
        data = pathlib.Path(path).read_bytes()
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from error
    end = data.rfind(b"\n") + 1
    records = []
    for number, line in enumerate(data[:end].splitlines(), 1):
        try:
            record = whole_texts(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise Refused(f"{path}:{number}: no JSON: {error}", "is it a log of swp tune?") from error
        if not isinstance(record, dict):
            raise Refused(f"{path}:{number}: no object", "is it a log of swp tune?")
        records.append(record)
    if not records or "tune" not in records[0]:
        raise Refused(f"{path} is no log of swp tune")
    refuse_broken(path, records)
    return records[0], records[1:], end


def figure_of(record):
    for key in ("failed", "illegal"):
        if key in record:
            return f"{key}: {record[key]}"
    if "seconds" in record:
        return f"{statistics.median(record['seconds']):.4e} s, median of {len(record['seconds'])}"
    return f"{record.get('cycles', 'no')} cycles, fingerprint {record.get('fingerprint', 'none')}"


class Distinct:
    """Each record once, by its variant and its round, -1 where it was compiled; refuses two that differ."""

    def __init__(self):
        self.records, self.places = {}, {}

    def take(self, record, place):
        key = number, round_number = record["variant"], record.get("round", -1)
        if self.records.setdefault(key, record) != record:
            what = f"variant {number}" + (f", round {round_number + 1}" if round_number >= 0 else "")
            raise Refused(f"{what} is there twice, and differs: {figure_of(self.records[key])} ({self.places[key]}), "
                          f"and {figure_of(record)} ({place})", "leave one of the logs out, or delete one of the lines")
        self.places.setdefault(key, place)


# What may not differ within a log, as far as the measuring command says it.
MADE_ON = {"device": "on", "clock": "at"}


class MadeOn:
    """The machine of a log's records, and how it was set."""

    def __init__(self):
        self.found = dict.fromkeys(MADE_ON)

    def take(self, record, what, log, hint=None):
        for key, word in MADE_ON.items():
            here, there = record.get(key), self.found[key]
            if here and there and here != there:
                raise Refused(f"{what}measured {word} {here}, {log} {word} {there}", hint)
            self.found[key] = there or here
