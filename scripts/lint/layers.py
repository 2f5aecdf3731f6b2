#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: layers.py BUILD_DIR [TREE]

Holds TREE (this one) against its src/LAYERS: what its sources include, what the objects in BUILD_DIR link, how the
names begin that objects export, that no two types share a tag, and that nothing calls what swp/reference.h declares.
"""

import collections
import functools
import os
import re
import subprocess
import sys

TREE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SUFFIXES = (".c", ".h", ".cpp")
# Names that sanitizers and coverage put into objects.
INSTRUMENTS = ("__odr_asan", "__asan", "__ubsan", "__sanitizer", "__gcov", "__llvm", "__start_", "__stop_", "DW.ref.")


class Layers:
    """The table: the line and the prefix of each folder, and whom it must not reach."""

    def __init__(self, path):
        self.level, self.prefix, self.never = {}, {}, []
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                words = line.split("#")[0].split()
                if words and words[0] == "layer":
                    for word in words[1:]:
                        folder, self.prefix[folder] = word.split(":")
                        self.level[folder] = number
                elif words and words[0] == "never":
                    self.never.append((words[1].rstrip(":"), words[2:]))
                elif words:
                    sys.exit(f"{path}:{number}: neither `layer` nor `never`")

    def may_use(self, user, used):
        return user == used or self.level[used] < self.level[user]


def files_below(root, suffixes):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(folder, name)


@functools.cache
def text_of(path):
    """A source without its comments."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.DOTALL)


def included(tree, source):
    """The files below src/ that a source includes."""
    top = os.path.join(tree, "src")
    for name in re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', text_of(source), re.MULTILINE):
        for root in (top, os.path.dirname(source)):
            path = os.path.normpath(os.path.join(root, name))
            if os.path.isfile(path) and path.startswith(top + os.sep):
                yield os.path.relpath(path, top)
                break


def listed_symbols(paths):
    """What nm says of each object, from one process: to start one for each takes far longer."""
    listing = subprocess.run(["nm", "--extern-only", "--format=posix", "--print-file-name", *paths], capture_output=True,
                             text=True, check=True).stdout
    lines = {path: [] for path in paths}
    for line in listing.splitlines():
        path, symbol = line.split(": ", 1)
        lines[path].append(symbol)
    return lines


def symbols_of(lines):
    """(defined, needed) names of an object."""
    names = [line.split()[:2] for line in lines if not line.startswith(INSTRUMENTS)]
    return {n for n, kind in names if kind not in "Uwv"}, {n for n, kind in names if kind in "Uwv"}


def read_objects(tree, build):
    """Of each source that still exists the names that its object defines and needs."""
    sources = {}
    for path in files_below(build, ".o"):
        source = re.search(r"(?:^|/)src/(.*)\.o$", os.path.relpath(path, build))
        if source and os.path.isfile(os.path.join(tree, "src", source[1])):
            sources[path] = source[1]
    listed = listed_symbols(list(sources)) if sources else {}
    return {source: symbols_of(listed[path]) for path, source in sources.items()}


def declared(header):
    return set(re.findall(r"\bSWP_API\b[^;{]*?\b(swp_\w+)\s*[(\[;]", text_of(header)))


def public_names(tree):
    return set().union(*map(declared, files_below(os.path.join(tree, "include"), ".h")))


def reached(starts, uses):
    """Each thing reached, with the one that it was reached from."""
    found = {start: None for start in starts}
    todo = list(starts)
    while todo:
        here = todo.pop()
        for there in sorted(uses[here]):
            if there not in found:
                found[there] = here
                todo.append(there)
    return found


def way_to(target, found):
    way = []
    while target:
        way.append(target)
        target = found[target]
    return " <- ".join(way)


def check_folders(layers, folders):
    for folder in sorted(folders - set(layers.level)):
        yield f"src/{folder} is on no line of src/LAYERS"
    for folder in sorted(set(layers.level) - folders):
        yield f"src/LAYERS has {folder}, which holds no source"


def check_includes(tree, sources, includes):
    """What this lint cannot follow: includes of other files, or by macro."""
    for source in sources:
        for name in sorted(n for n in includes[source] if not n.endswith(SUFFIXES)):
            yield f"src/{source} includes {name}, which is neither a header nor a source"
        if re.search(r"^\s*#\s*include\s+[^\"<\s]", text_of(os.path.join(tree, "src", source)), re.MULTILINE):
            yield f"src/{source} includes what a macro says"


def check_outside(layers, tree):
    """Folders outside of src/ that must not include some of it."""
    for user, forbidden in layers.never:
        if user in layers.level:
            continue
        for path in files_below(os.path.join(tree, user), SUFFIXES):
            for name in included(tree, path):
                if "src" in forbidden or os.path.dirname(name) in forbidden or os.path.splitext(name)[0] in forbidden:
                    yield f"{os.path.relpath(path, tree)} includes src/{name}"


def check_uses(layers, kind, uses):
    for user in sorted(uses):
        for used, how in sorted(uses[user].items()):
            if not layers.may_use(os.path.dirname(user), os.path.dirname(used)):
                yield f"src/{user} {kind} {how} of src/{used}, which is not above it"


def check_never(layers, uses):
    for user, forbidden in layers.never:
        if user not in layers.level:
            continue
        found = reached([f for f in uses if os.path.dirname(f) == user], uses)
        for path in sorted(found):
            if os.path.dirname(path) in forbidden or os.path.splitext(path)[0] in forbidden:
                yield f"src/{user} must not reach {way_to(path, found)}"


def check_prefixes(layers, objects, public):
    for source, (defined, _) in sorted(objects.items()):
        prefix = layers.prefix[os.path.dirname(source)]
        for name in sorted(defined - public):
            if not name.startswith((prefix, "_Z")):  # C++'s names have their own spaces
                yield f"src/{source} exports {name}, which does not begin with {prefix}"


def check_reference(tree, objects):
    """What include/swp/reference.h declares is for code from elsewhere; its functions may call one another."""
    path = os.path.join(tree, "include", "swp", "reference.h")
    names = declared(path) if os.path.isfile(path) else set()
    for source, (defined, needed) in sorted(objects.items()):
        if not defined & names:
            for name in sorted(needed & names):
                yield f"src/{source} calls {name}, of which swp/reference.h says that nothing does"


def check_tags(tree):
    """A tag of the project belongs to one type; one without the prefix may be local to several sources."""
    places = collections.defaultdict(list)
    for part in ("include", "src", "cli"):
        for path in files_below(os.path.join(tree, part), SUFFIXES):
            text = text_of(path)
            tags = re.findall(r"\b(?:struct|union|enum)\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)\s*\{", text)
            for tag in {*tags, *re.findall(r"\}\s*(swp_\w+|cli_\w+)\s*;", text)}:
                places[tag].append(os.path.relpath(path, tree))
    for tag, paths in sorted(places.items()):
        if len(paths) > 1 and (tag.startswith(("swp_", "cli_")) or any(p.endswith(".h") for p in paths)):
            yield f"the tag {tag} names a type in each of {', '.join(paths)}"


def main(build, tree=TREE):
    layers = Layers(os.path.join(tree, "src", "LAYERS"))
    root = os.path.join(tree, "src")
    sources = [os.path.relpath(path, root) for path in files_below(root, SUFFIXES)]
    faults = list(check_folders(layers, {os.path.dirname(source) for source in sources}))
    if not faults:
        objects = read_objects(tree, build)
        if not objects:
            sys.exit(f"layers.py: no objects of {root} in {build}")
        owner = {name: source for source, (defined, _) in objects.items() for name in defined}
        includes = {s: {i: f"includes {i}" for i in included(tree, os.path.join(root, s))} for s in sources}
        links = {s: {owner[n]: n for n in needed if n in owner} for s, (_, needed) in objects.items()}
        faults += check_includes(tree, sources, includes)
        includes = {s: {n: how for n, how in includes[s].items() if n.endswith(SUFFIXES)} for s in sources}
        both = {s: set(includes[s]) | set(links.get(s, {})) for s in sources}
        faults += check_uses(layers, "includes", {s: {i: i for i in includes[s]} for s in sources})
        faults += check_uses(layers, "calls", links)
        faults += check_never(layers, both)
        faults += check_outside(layers, tree)
        faults += check_prefixes(layers, objects, public_names(tree))
        faults += check_reference(tree, objects)
        faults += check_tags(tree)
    for fault in faults:
        print(fault)
    print(f"layers: {len(sources)} sources, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
