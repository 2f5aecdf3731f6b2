# SPDX-License-Identifier: Apache-2.0
"""Finds tags and names of types that sources have twice, in their texts without comments."""

import collections
import os
import re

PREFIXES = ("swp_", "cli_")
# Between the keyword and the tag: attributes, by macros or not.
ARGUMENTS = r"\((?:[^{};()]|\((?:[^{};()]|\([^{};()]*\))*\))*\)"
TAG = re.compile(r"\b(?:struct|union|enum)\s+(?:\w+(?:\s*" + ARGUMENTS + r"\s*|\s+))*?(\w+)\s*\{")
INNERMOST = re.compile(r"\{[^{}]*\}|\[[^][]*\]|\((?!\s*\*)[^()]*\)")


def typedef_names(text):
    """Returns the names of typedefs that differ from the tag of their type."""
    for found in re.finditer(r"\btypedef\b", text):
        depth, end = 0, found.end()
        while end < len(text) and (depth or text[end] != ";"):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        tag = re.match(r"\s*(?:const\s+)?(?:struct|union|enum)\s+(\w+)", text[found.end():end])
        declaration, count = text[found.end():end], 1
        while count:
            declaration, count = INNERMOST.subn(" ", declaration)
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration)
        for declarator in [pointer[1]] if pointer else declaration.replace("__attribute__", " ").split(","):
            name = re.findall(r"\w+", declarator)
            if name and not (tag and name[-1] == tag[1]):
                yield name[-1]


def is_shared(tag, paths):
    """Returns whether a reader who looks for the tag may take one of its types for another."""
    folders = [os.path.dirname(path) for path in paths]
    return (tag.startswith(PREFIXES) or any(path.endswith(".h") for path in paths)
            or len(folders) > len(set(folders)))


def check_tags(texts):
    """A tag belongs to one type; without a prefix, to one local type of a folder, as static functions do."""
    places = collections.defaultdict(list)
    for path, text in texts.items():
        for tag in {*TAG.findall(text), *typedef_names(text)}:
            if tag.startswith(PREFIXES) or not path.startswith("tests/"):
                places[tag].append(path)
    for tag, paths in sorted(places.items()):
        if len(paths) > 1 and is_shared(tag, paths):
            yield f"the tag {tag} names a type in each of {', '.join(paths)}"
