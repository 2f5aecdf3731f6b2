# SPDX-License-Identifier: Apache-2.0
"""Does to the JSON of a schedule with warp roles what a hint of `swp verify` says, by its words alone."""
import copy
import json
import re

PLACE = r"(?P<role>\S+) (?P<list>\S+) entry (?P<at>\d+) \((?P<name>[^)]*)\)"
END = r"at the end of the (?P<role>\S+) (?P<list>[a-z_0-9]+)"
WORDS = ("by", "object", "to")
FIRST_TAG = 134  # docs/json.md
SYNC = ("arrive arrive_expect wait_phase named_sync named_arrive matrix_commit matrix_wait bulk_commit bulk_wait "
        "bulk_wait_read fence_async matrix_fence cluster_arrive cluster_wait").split()


def list_of(document, place):
    role = next(r for r in document["roles"] if r["name"] == place["role"])
    kind, _, number = place["list"].partition("_")
    if kind == "straight":
        return role["straight"][int(number)]
    return role["epilogues"][int(number) - 1] if number else role[kind]


def value_of(member, text):
    return text if member in WORDS else int(text)


def entries_of(document):
    for role in document["roles"]:
        for name in ("prologue", "kernel", "epilogue", "begin", "end", "drain"):
            yield from role.get(name, [])
        for lists in role["epilogues"], role["straight"]:
            for entries in lists:
                yield from entries


def entry_of(document, text):
    """`NAME [N] (MEMBER VALUE, ...)`; an op of the loop is as another entry of its name."""
    name, wait, members = re.fullmatch(r"(\S+)(?: (\d+))? \((.*)\)", text).groups()
    entry = copy.deepcopy(next(e for e in entries_of(document) if e["name"] == name or name in SYNC))
    if name in SYNC:
        entry.update({"tag": FIRST_TAG + SYNC.index(name), "name": name, "role": "sync"})
    entry.update({"iteration": 0, "object": "", "slot": 0, "slot_step": 0, "bytes": 0, "instances": 0})
    entry["wait"] = int(wait or 0)
    if "to" in entry:
        entry["to"] = "own"
    for member in members.split(", "):
        key, value = member.split(" ")
        entry[key] = value_of(key, value)
    return entry


def insert(document, rest):
    found = re.fullmatch(rf"(?P<op>.*?\)) before {PLACE}", rest) or re.fullmatch(rf"(?P<op>.*?\)) {END}", rest)
    entries = list_of(document, found)
    at = int(found["at"]) if "at" in found.re.groupindex else len(entries)
    entries.insert(at, entry_of(document, found["op"]))


def move(document, rest):
    first, _, second = rest.partition(") before ")
    if not second:
        first, _, second = rest.partition(") at ")
    found = re.fullmatch(PLACE, first + ")")
    behind = re.fullmatch(PLACE, second)
    entries = list_of(document, found)
    to = int(behind["at"]) if behind else len(entries)
    moved = entries.pop(int(found["at"]))
    entries.insert(to - (to > int(found["at"])), moved)


def remove(document, rest):
    found = re.fullmatch(PLACE, rest)
    del list_of(document, found)[int(found["at"])]


def replace(document, rest):
    found = re.fullmatch(rf"{PLACE} by (?P<op>.*)", rest)
    list_of(document, found)[int(found["at"])] = entry_of(document, found["op"])


def assign(document, rest):
    if found := re.fullmatch(r"(\S+) of sync object (\S+) to (\d+)", rest):
        next(o for o in document["sync_objects"] if o["name"] == found[2])[found[1]] = int(found[3])
    elif found := re.fullmatch(r"slots of value (\S+) to (\d+)", rest):
        next(v for v in document["dataflow"]["values"] if v["value"] == found[1])["slots"] = int(found[2])
    else:
        found = re.fullmatch(rf"(?P<member>\S+) of {PLACE} to (?P<value>\S+)", rest)
        entry = list_of(document, found)[int(found["at"])]
        entry[found["member"]] = value_of(found["member"], found["value"])


EDITS = {"insert": insert, "set": assign, "move": move, "remove": remove, "replace": replace}


def apply(text, hint):
    """The text of the file after the hint; None if the hint names no edit."""
    word, _, rest = hint.partition(" ")
    if word not in EDITS:
        return None
    document = json.loads(text)
    EDITS[word](document, rest.split("; then verify again")[0])
    return json.dumps(document, indent=1)
