#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: layers.py BUILD_DIR [TREE]

Holds TREE (this one) against its src/LAYERS: what its sources include, what the objects in BUILD_DIR link, how the
names begin that objects export and that another one links each, which types share a tag, and that nothing calls what
swp/reference.h declares.
"""

import collections
import fnmatch
import functools
import os
import re
import subprocess
import sys

TREE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SUFFIXES = (".c", ".h", ".cpp")
# Where an include is looked for behind the folder of who includes it.
ROOTS = ("src", "include", "cli", "tests/judges", "tests/support")
PUBLIC = "include"
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
        """Folders; what is outside of the layers may be used by nobody in them."""
        return user == used or (used in self.level and self.level[used] < self.level[user])


def folder_of(path):
    """The name in src/LAYERS: include/swp/ is `include`, what is below src/ goes without that."""
    if path.startswith(PUBLIC + "/"):
        return PUBLIC
    return os.path.dirname(path).removeprefix("src/")


def is_meant(path, patterns):
    """Whether a folder, a file without its suffix, or all of src/ is what one of the patterns of `never` says."""
    stem = os.path.splitext(path)[0].removeprefix("src/")
    return path.startswith("src/") and any(
        word == "src" or fnmatch.fnmatchcase(stem, word) or folder_of(path) == word for word in patterns)


def files_below(root, suffixes):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(folder, name)


STRING_OR_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL)
INCLUDE = r"^\s*#\s*(?:include|include_next|import)\b\s*"


@functools.cache
def text_of(path):
    """A source without its comments, each line of it as a whole."""
    with open(path, encoding="utf-8") as file:
        return STRING_OR_COMMENT.sub(lambda found: found[1] or " ", file.read().replace("\\\n", ""))


def included(tree, source):
    """The files of the tree that a source includes."""
    for name in re.findall(INCLUDE + r'["<]([^">]+)[">]', text_of(os.path.join(tree, source)), re.MULTILINE):
        for root in (os.path.dirname(source), *ROOTS):
            path = os.path.normpath(os.path.join(root, name))
            if os.path.isfile(os.path.join(tree, path)):
                yield path
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
    """Of each source that still exists the names that its object defines and needs; and what all other objects need."""
    sources, others = {}, []
    for path in files_below(build, ".o"):
        source = re.sub(r"CMakeFiles/[^/]+\.dir/|\.o$", "", os.path.relpath(path, build))
        if source.startswith(tuple(root + "/" for root in ROOTS)) and os.path.isfile(os.path.join(tree, source)):
            sources[path] = source
        else:
            others.append(path)
    listed = listed_symbols([*sources, *others]) if sources else {}
    outside = set().union(*(symbols_of(listed[path])[1] for path in others if path in listed))
    return {source: symbols_of(listed[path]) for path, source in sources.items()}, outside


def declared(header):
    return set(re.findall(r"\bSWP_API\b[^;{]*?\b(swp_\w+)\s*[(\[;]", text_of(header)))


def public_names(tree):
    return set().union(*map(declared, files_below(os.path.join(tree, PUBLIC), ".h")))


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
            yield f"{source} includes {name}, which is neither a header nor a source"
        if re.search(INCLUDE + r"[^\"<\s]", text_of(os.path.join(tree, source)), re.MULTILINE):
            yield f"{source} includes what a macro says"


def check_uses(layers, uses):
    for user in sorted(uses):
        for used, how in sorted(uses[user].items()):
            if folder_of(user) in layers.level and not layers.may_use(folder_of(user), folder_of(used)):
                yield f"{user} {how}{used}, which is not above it"


def check_never(layers, uses):
    for user, forbidden in layers.never:
        for word in (user, *forbidden):
            if not any(folder_of(path) == word or is_meant(path, [word]) for path in uses):
                yield f"src/LAYERS names {word} in a `never`, which is no source"
        found = reached([f for f in uses if folder_of(f) == user], uses)
        for path in sorted(found):
            if is_meant(path, forbidden):
                yield f"{user} must not reach {way_to(path, found)}"


def check_prefixes(layers, objects, public):
    for source, (defined, _) in sorted(objects.items()):
        prefix = layers.prefix.get(folder_of(source))
        for name in sorted(defined - public):
            if prefix and not name.startswith((prefix, "_Z")):  # C++'s names have their own spaces
                yield f"{source} exports {name}, which does not begin with {prefix}"


def check_linked(objects, outside, public):
    """What one file alone uses is static there, or nobody uses it."""
    users = collections.Counter(name for _, needed in objects.values() for name in needed)
    for source, (defined, _) in sorted(objects.items()):
        for name in sorted(defined - public - outside):
            if source.startswith("src/") and not users[name] and not name.startswith("_Z"):
                yield f"{source} exports {name}, which no other file links"


def check_reference(tree, objects):
    """What include/swp/reference.h declares is for code from elsewhere; its functions may call one another."""
    path = os.path.join(tree, "include", "swp", "reference.h")
    names = declared(path) if os.path.isfile(path) else set()
    for source, (defined, needed) in sorted(objects.items()):
        if source.startswith("src/") and not defined & names:
            for name in sorted(needed & names):
                yield f"{source} calls {name}, of which swp/reference.h says that nothing does"


def is_shared(tag, paths):
    """Whether a reader who looks for the tag may take one of its types for another."""
    folders = [os.path.dirname(path) for path in paths]
    return (tag.startswith(("swp_", "cli_")) or any(path.endswith(".h") for path in paths)
            or len(folders) > len(set(folders)))


def check_tags(tree):
    """A tag belongs to one type; without a prefix, to one local type of a folder, as static functions do."""
    places = collections.defaultdict(list)
    for part in (PUBLIC, "src", "cli"):
        for path in files_below(os.path.join(tree, part), SUFFIXES):
            text = text_of(path)
            tags = re.findall(r"\b(?:struct|union|enum)\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)\s*\{", text)
            for tag in {*tags, *re.findall(r"\}\s*(swp_\w+|cli_\w+)\s*;", text)}:
                places[tag].append(os.path.relpath(path, tree))
    for tag, paths in sorted(places.items()):
        if len(paths) > 1 and is_shared(tag, paths):
            yield f"the tag {tag} names a type in each of {', '.join(paths)}"


def links_of(objects, public):
    """What each source calls of which. What is outside of the layers may call what is public: there its way ends."""
    owner = {name: source for source, (defined, _) in objects.items() for name in defined}
    return {source: {owner[n]: f"calls {n} of " for n in needed
                     if n in owner and (source.startswith("src/") or n not in public)}
            for source, (_, needed) in objects.items()}


def check(layers, tree, sources, objects, outside):
    public = public_names(tree)
    includes = {s: set(included(tree, s)) for s in sources}
    links = links_of(objects, public)
    yield from check_includes(tree, sources, includes)
    includes = {s: {n for n in includes[s] if n.endswith(SUFFIXES)} for s in sources}
    yield from check_uses(layers, {s: dict.fromkeys(includes[s], "includes ") for s in sources})
    yield from check_uses(layers, links)
    yield from check_never(layers, {s: includes[s] | set(links.get(s, {})) for s in sources})
    yield from check_prefixes(layers, objects, public)
    yield from check_linked(objects, outside, public)
    yield from check_reference(tree, objects)
    yield from check_tags(tree)


def main(build, tree=TREE):
    layers = Layers(os.path.join(tree, "src", "LAYERS"))
    sources = [os.path.relpath(path, tree) for root in ROOTS for path in files_below(os.path.join(tree, root), SUFFIXES)]
    faults = list(check_folders(layers, {folder_of(s) for s in sources if s.startswith(("src/", PUBLIC + "/"))}))
    objects, outside = ({}, set()) if faults else read_objects(tree, build)
    if not faults and not objects:
        sys.exit(f"layers.py: no objects of {tree} in {build}")
    faults = faults or list(check(layers, tree, sources, objects, outside))
    for fault in faults:
        print(fault)
    print(f"layers: {len(sources)} sources, {len(objects)} objects, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
