#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: layers.py BUILD_DIR [TREE]

Holds TREE (this one) against its src/LAYERS: what its sources include, what the objects in BUILD_DIR link and what
headers call, how the names begin that objects export and that another one links each, which types share a tag, and that
nothing calls what swp/reference.h declares. It does not see a tag or a name that a macro stands for or pastes together,
nor a function that its folder hands up as a pointer at run time.
"""

import collections
import fnmatch
import functools
import os
import re
import subprocess
import sys

from tags import check_tags

TREE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SUFFIXES = (".c", ".h", ".cpp", ".c.in")  # A template's object is named as if it were the source.
# An include is looked for here after the folder of the file that has it.
ROOTS = ("src", "include", "cli", "tests/judges", "tests/support")
PUBLIC = "include"
# Names that sanitizers and coverage put into objects.
INSTRUMENTS = ("__odr_asan", "__asan", "__ubsan", "__sanitizer", "__gcov", "__llvm", "__start_", "__stop_", "DW.ref.")


class Layers:
    """Reads the table: the line and the prefix of each folder, and whom it must not reach."""

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
        """Returns whether a folder may use another one; no folder of the layers may use what is outside of them."""
        return user == used or (used in self.level and self.level[used] < self.level[user])


def folder_of(path):
    """Returns the name in src/LAYERS: include/swp/ is `include`, and a path below src/ loses that part."""
    if path.startswith(PUBLIC + "/"):
        return PUBLIC
    return os.path.dirname(path).removeprefix("src/")


def is_meant(path, patterns):
    """Returns whether a pattern of `never` matches: a folder, a file without its suffix, or all of src/."""
    stem = os.path.splitext(path)[0].removeprefix("src/")
    return path.startswith("src/") and any(
        word == "src" or fnmatch.fnmatchcase(stem, word) or folder_of(path) == word for word in patterns)


def files_below(root, suffixes):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(folder, name)


STRING_OR_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL)
INCLUDE = r"^\s*(?:#|%:|\?\?=)\s*(?:include|include_next|import)\b\s*"


@functools.cache
def text_of(path):
    """Returns the whole lines of a source, without its comments."""
    with open(path, encoding="utf-8") as file:
        return STRING_OR_COMMENT.sub(lambda found: found[1] or " ", re.sub(r"(?:\\|\?\?/)\n", "", file.read()))


def included(tree, source):
    """Returns the files of the tree that a source includes."""
    for name in re.findall(INCLUDE + r'["<]([^">]+)[">]', text_of(os.path.join(tree, source)), re.MULTILINE):
        for root in (os.path.dirname(source), *ROOTS):
            path = os.path.normpath(os.path.join(root, name))
            if os.path.isfile(os.path.join(tree, path)):
                yield path
                break


def listed_symbols(paths):
    """Asks nm about all objects in one process, since starting one for each takes far longer."""
    listing = subprocess.run(["nm", "--extern-only", "--format=posix", "--print-file-name", *paths], capture_output=True,
                             text=True, check=True).stdout
    lines = {path: [] for path in paths}
    for line in listing.splitlines():
        path, symbol = line.split(": ", 1)
        lines[path].append(symbol)
    return lines


def symbols_of(lines):
    """Returns the (defined, needed) names of an object."""
    names = [line.split()[:2] for line in lines if not line.startswith(INSTRUMENTS)]
    return {n for n, kind in names if kind not in "Uwv"}, {n for n, kind in names if kind in "Uwv"}


def read_objects(tree, build):
    """Returns the names that the object of each existing source defines and needs, and what all other objects need."""
    sources, others = {}, []
    for path in files_below(build, ".o"):
        name = re.sub(r"CMakeFiles/[^/]+\.dir/|\.o$", "", os.path.relpath(path, build))
        source = next((s for s in (name, name + ".in") if os.path.isfile(os.path.join(tree, s))), None)
        if source and source.startswith(tuple(root + "/" for root in ROOTS)):
            sources[path] = source
        else:
            others.append(path)
    listed = listed_symbols([*sources, *others]) if sources else {}
    outside = set().union(*(symbols_of(listed[path])[1] for path in others if path in listed))
    return {source: symbols_of(listed[path]) for path, source in sources.items()}, outside, made(build, sources)


def made(build, sources):
    """Returns when each source was compiled. At None, it is when the newest one was, or the build was configured."""
    times = {source: os.path.getmtime(path) for path, source in sources.items()}
    ninja = os.path.join(build, "build.ninja")
    times[None] = max([*times.values(), os.path.getmtime(ninja) if os.path.isfile(ninja) else 0])
    return times


def declared(header):
    return set(re.findall(r"\bSWP_API\b[^;{]*?\b(swp_\w+)\s*[(\[;]", text_of(header)))


def names_of_header(text):
    """Returns the names of a header's macros and functions, and those in their bodies."""
    macros = re.findall(r"^\s*(?:#|%:|\?\?=)\s*define\s+(\w+)(.*)", text, re.MULTILINE)
    inlines = re.findall(r"\binline\b[^;{]*?\b(swp_\w+)\s*\([^;{]*\{", text)
    depth, bodies = 0, [body for _, body in macros]
    for part in re.split(r"([{}])", text):
        depth += {"{": 1, "}": -1}.get(part, 0)
        bodies += [part] if depth else []
    return {n for n in [*(name for name, _ in macros), *inlines] if n.lower().startswith("swp_")}, {
        word for body in bodies for word in re.findall(r"\w+", STRING_OR_COMMENT.sub(" ", body))}


def public_names(tree):
    return set().union(*map(declared, files_below(os.path.join(tree, PUBLIC), ".h")))


def reached(starts, uses):
    """Returns each thing that is reached, with the one that it was reached from."""
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
    """Names what this lint cannot follow: includes of other files, or by macro."""
    for source in sources:
        for name in sorted(includes[source] - set(sources)):
            yield f"{source} includes {name}, which is neither a header nor a source of these folders"
        if re.search(INCLUDE + r"[^\"<\s]", text_of(os.path.join(tree, source)), re.MULTILINE):
            yield f"{source} includes what a macro says"


def check_fresh(tree, sources, includes, times):
    """
    An object older than its source or than a header of it says nothing of either. What this build leaves out, and a template,
    whose source is written anew only where it changes, must be older than the build.
    """
    stale = []
    changed = {source: os.path.getmtime(os.path.join(tree, source)) for source in sources}
    for source in sources:
        time = times[None if source.endswith(".in") else source if source in times else None]
        newer = [s for s in reached([source], includes) if changed[s] > time]
        if newer and not source.endswith(".h"):
            stale.append(f"{source} is to be compiled again: {newer[0]} is newer than its object")
    if stale:
        yield min(stale) + (f"; so are {len(stale) - 1} more" if stale[1:] else "")


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
    """Refuses a function that is used only in its own file and is not static there, or that nobody uses."""
    users = collections.Counter(name for _, needed in objects.values() for name in needed)
    for source, (defined, _) in sorted(objects.items()):
        for name in sorted(defined - public - outside):
            if source.startswith("src/") and not users[name] and not name.startswith("_Z"):
                yield f"{source} exports {name}, which no other file links"


def check_reference(tree, objects):
    """Refuses calls of what include/swp/reference.h declares, which is for code from elsewhere, but for its own."""
    path = os.path.join(tree, "include", "swp", "reference.h")
    names = declared(path) if os.path.isfile(path) else set()
    for source, (defined, needed) in sorted(objects.items()):
        if source.startswith("src/") and not defined & names:
            for name in sorted(needed & names):
                yield f"{source} calls {name}, of which swp/reference.h says that nothing does"


def links_of(objects, public):
    """Returns what each source calls of which. Code outside of the layers may call public functions, where its way ends."""
    owner = {name: source for source, (defined, _) in objects.items() for name in defined}
    return {source: {owner[n]: f"calls {n} of " for n in needed
                     if n in owner and (source.startswith("src/") or n not in public)}
            for source, (_, needed) in objects.items()}


def header_links(tree, objects, public):
    """Returns what the functions and macros of headers call if they are used, whoever includes what they call."""
    owner = {name: source for source, (defined, _) in objects.items() for name in defined if name.startswith("swp_")}
    headers = [path for root in ROOTS for path in files_below(os.path.join(tree, root), ".h")]
    names = {os.path.relpath(path, tree): names_of_header(text_of(path)) for path in headers}
    for header, (defined, _) in names.items():
        owner.update(dict.fromkeys(defined, header))
    return {header: {owner[n]: f"calls {n} of " for n in sorted(needed - public) if n in owner and owner[n] != header}
            for header, (_, needed) in names.items()}


def check(layers, tree, sources, objects, outside, times):
    public = public_names(tree)
    includes = {s: set(included(tree, s)) for s in sources}
    links = links_of(objects, public) | header_links(tree, objects, public)
    yield from check_includes(tree, sources, includes)
    includes = {s: includes[s] & set(sources) for s in sources}
    yield from check_fresh(tree, sources, includes, times)
    yield from check_uses(layers, {s: dict.fromkeys(includes[s], "includes ") for s in sources})
    yield from check_uses(layers, links)
    yield from check_never(layers, {s: includes[s] | set(links.get(s, {})) for s in sources})
    yield from check_prefixes(layers, objects, public)
    yield from check_linked(objects, outside, public)
    yield from check_reference(tree, objects)
    yield from check_tags({source: text_of(os.path.join(tree, source)) for source in sources})


def main(build, tree=TREE):
    layers = Layers(os.path.join(tree, "src", "LAYERS"))
    sources = [os.path.relpath(path, tree) for root in ROOTS for path in files_below(os.path.join(tree, root), SUFFIXES)]
    faults = list(check_folders(layers, {folder_of(s) for s in sources if s.startswith(("src/", PUBLIC + "/"))}))
    objects, outside, times = ({}, set(), {}) if faults else read_objects(tree, build)
    if not faults and not objects:
        sys.exit(f"layers.py: no objects of {tree} in {build}")
    faults = faults or list(check(layers, tree, sources, objects, outside, times))
    for fault in faults:
        print(fault)
    print(f"layers: {len(sources)} sources, {len(objects)} objects, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
