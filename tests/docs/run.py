#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README and the manual against the command, the headers and the sources.

    SWP=path/to/swp tests/docs/run.py [--update] [NAME.md]...

SWP is the command in its build directory; the library that C examples are linked with lies beside it.
NAME.md limits the check of examples to these files. --update writes the table of docs/settings.md anew.

What a fenced block of Markdown says after its language decides how it is checked:

    ```yaml [NAME.yaml] [kernel=BUILTIN] [code=E0304,...]
        A description that compiles without a diagnostic, or with exactly these codes. NAME.yaml keeps
        it for later `console` blocks of the same file. kernel= puts `swp: 1` and `kernel: BUILTIN`
        before it, for the blocks that show settings alone.
    ```yaml fragment [NAME.yaml]
        Not checked, but kept.
    ```console
        A session: lines `$ swp ...` are run, what follows each is its whole output. `...` on a line of
        its own stands for any number of lines, within a line for any part of it. Compilers may be called, too;
        where one is missing, commands about what it makes are not run, and that is said.
    ```c complete
        A program: compiled, linked, run; it must exit with status 0. A `text` block marked `output`
        after it is what it prints.
    ```c fragment
        Not compiled.
    ```python
        Not run here: python/tests/test_manual.py does.
"""

import ast
import fnmatch
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(TOP, "build", "dev", "swp")))
BUILD = os.path.dirname(SWP)
BUILTINS = ("single_buffer", "pingpong", "fourwave")
FIGURES = set(os.listdir(os.path.join(TOP, "docs", "figures")))
# Sources that a sentence may name by a pattern rather than by a path.
PATTERN = re.compile(r"[*<>{}…]|NAME|FOLDER|\.\.\.")

# What they make: where one is not here, commands about that are not run.
COMPILERS = {"nvcc": ".cu", "clang-22": ".s"}

failures = []
shown = set()
done = 0


def check(holds, where, what):
    global done
    done += 1
    if not holds:
        failures.append(f"{where}: {what}")
    return bool(holds)


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def swp(*words, **options):
    return subprocess.run([SWP, *words], capture_output=True, text=True, check=False, **options)


def listed(table):
    result = swp("list", table)
    if result.returncode:
        sys.exit(f"swp list {table}: {result.stderr}")
    return result.stdout.splitlines()


def documents():
    chapters = sorted(name for name in os.listdir(os.path.join(TOP, "docs")) if name.endswith(".md"))
    return ["README.md"] + [f"docs/{name}" for name in chapters]


# --- fenced blocks -------------------------------------------------------------------------------

class Block:
    def __init__(self, path, line, info):
        words = info.split()
        self.path, self.line = path, line
        self.language, self.words = (words or [""])[0], words[1:]
        self.lines = []

    @property
    def where(self):
        return f"{self.path}:{self.line}"

    @property
    def text(self):
        return "".join(f"{line}\n" for line in self.lines)

    def option(self, name):
        for word in self.words:
            if word.startswith(f"{name}="):
                return word[len(name) + 1:]
        return None


def blocks_of(path):
    """The fenced blocks of a file, in order; and its text without them."""
    blocks, prose, fence = [], [], None
    for number, line in enumerate(read(path).splitlines(), 1):
        if fence is None and line.startswith("```"):
            fence = Block(path, number, line[3:])
            blocks.append(fence)
        elif fence is not None and line.rstrip() == "```":
            fence = None
        elif fence is not None:
            fence.lines.append(line)
        else:
            prose.append((number, line))
    check(fence is None, path, "a fenced block has no end")
    return blocks, prose


# --- examples ------------------------------------------------------------------------------------

def codes_in(text):
    return sorted(set(re.findall(r"(?:error|warning)\[([EW]\d{4})\]", text)))


def check_for_others(block):
    """swp takes ${...} without quotes anywhere; the manual quotes it where editors and other programs ask for that."""
    try:
        yaml.safe_load(block.text)
    except yaml.YAMLError as error:
        check(False, block.where, f"is no YAML to others: {error}")


def check_yaml(block, scratch):
    text, kernel = block.text, block.option("kernel")
    if kernel:
        text = f"swp: 1\nkernel: {kernel}\n{text}"
    names = [word for word in block.words if word.endswith(".yaml")]
    name = names[0] if names else "example.yaml"
    with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
        file.write(text)
    if "fragment" in block.words:
        return
    wanted = sorted((block.option("code") or "").split(",")) if block.option("code") else []
    if yaml and not wanted:
        check_for_others(block)
    result = swp("compile", name, cwd=scratch)
    check(codes_in(result.stderr) == wanted and (wanted or result.returncode == 0), block.where,
          f"wanted {wanted or 'no diagnostic'}, exit status is {result.returncode}\n"
          + result.stderr)


def matches(wanted, got):
    """Whether output is as a session shows it, with `...` for what it leaves out."""
    parts, skip = [], False
    for line in wanted:
        if line.strip() == "...":
            skip = True
            continue
        pattern = r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("..."))
        parts.append((r"(?:[^\n]*\n)*?" if skip else "") + pattern + r"[ ]*\n")
        skip = False
    pattern = "".join(parts) + (r"(?:[^\n]*\n)*" if skip else "")
    return re.fullmatch(pattern, got) is not None


def sessions(block):
    """Pairs (command, the lines that follow it)."""
    steps = []
    for line in block.lines:
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif steps:
            if steps[-1][0].endswith("\\"):
                steps[-1][0] = steps[-1][0][:-1] + line
            else:
                steps[-1][1].append(line)
    return steps


def check_console(block, scratch, environment, missing):
    for command, output in sessions(block):
        first = shlex.split(command)[0] if command else ""
        if not check(first in ("swp", "echo", "diff", "cp", "sed", *COMPILERS), block.where,
                     f"`{command}` is no session with swp: mark the block `sh`"):
            continue
        if first in COMPILERS and not shutil.which(first, path=environment["PATH"]):
            missing.append(first)
        if any(COMPILERS[name] in command for name in missing):
            continue
        result = subprocess.run(["bash", "-c", f"exec 2>&1; {command}"], cwd=scratch,
                                env=environment, capture_output=True, text=True, check=False)
        while output and not output[-1].strip():
            output.pop()
        check(matches(output, result.stdout), block.where,
              f"$ {command}\n{result.stdout}(exit status {result.returncode})")


def build_cache():
    """What the build was made with: its compiler and sanitizers."""
    found = {}
    try:
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            for line in file:
                match = re.match(r"(CMAKE_C_COMPILER|SWP_SANITIZE):[A-Z]+=(.*)", line)
                if match:
                    found[match[1]] = match[2]
    except OSError:
        pass
    return found


def compiler():
    cache = build_cache()
    cc = os.environ.get("CC") or cache.get("CMAKE_C_COMPILER") or "cc"
    if not shutil.which(cc) or not os.path.exists(os.path.join(BUILD, "libswp.a")):
        return None
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
             f"-I{os.path.join(TOP, 'include')}"]
    if cache.get("SWP_SANITIZE"):
        flags.append(f"-fsanitize={cache['SWP_SANITIZE']}")
    said = subprocess.run(["pkg-config", "--static", "--libs", os.path.join(BUILD, "swp.pc")],
                          capture_output=True, text=True, check=False).stdout.split()
    libraries = [word for word in said if word != "-lswp" and not word.startswith("-L")]
    return [cc, *flags], [os.path.join(BUILD, "libswp.a"), *libraries]


def check_program(block, following, scratch, tools):
    """Compiles, links and runs; the next block may hold what it prints."""
    if not check(block.words in (["complete"], ["fragment"]), block.where,
                 "mark a C block `complete` or `fragment`"):
        return
    if block.words == ["fragment"] or tools is None:
        return
    source, program = os.path.join(scratch, "example.c"), os.path.join(scratch, "example")
    with open(source, "w", encoding="utf-8") as file:
        file.write(block.text)
    before, after = tools
    result = subprocess.run([*before, source, *after, "-o", program], capture_output=True, text=True,
                            check=False)
    if not check(result.returncode == 0, block.where, f"does not compile\n{result.stderr}"):
        return
    result = subprocess.run([program], cwd=scratch, capture_output=True, text=True, check=False)
    check(result.returncode == 0, block.where,
          f"exit status {result.returncode}\n{result.stdout}{result.stderr}")
    if following and following.language == "text" and "output" in following.words:
        check(matches(following.lines, result.stdout), following.where,
              f"the program prints\n{result.stdout}")


def check_tutorial(scratch):
    """Its descriptions end up as those of the folder that its kernels and figures are from."""
    for name in ("norm.yaml", "norm_amd.yaml"):
        with open(os.path.join(scratch, name), encoding="utf-8") as file:
            check(read(f"examples/tutorial/{name}").partition("\n")[2] == file.read(), "docs/tutorial.md",
                  f"its {name} is not that of examples/tutorial")


def check_examples(path, blocks, tools):
    with tempfile.TemporaryDirectory() as scratch:
        missing = []
        for name in ("examples", "kernels", "targets", "tests"):
            os.symlink(os.path.join(TOP, name), os.path.join(scratch, name))
        environment = dict(os.environ, TERM="dumb",
                           PATH=os.pathsep.join([BUILD, os.environ["PATH"], "/usr/local/cuda/bin"]))
        for block, following in zip(blocks, [*blocks[1:], None]):
            if block.language == "yaml":
                check_yaml(block, scratch)
            elif block.language == "console":
                check_console(block, scratch, environment, missing)
            elif block.language == "c":
                check_program(block, following, scratch, tools)
            else:
                check(block.language in ("text", "sh", "cmake", "json", "dot", "python"), block.where,
                      f"a block of an unknown language `{block.language}`")
        if path == "docs/tutorial.md":
            check_tutorial(scratch)
        for name in missing:
            print(f"{path}: no {name} here, so commands about *{COMPILERS[name]} are not run")


# --- tables --------------------------------------------------------------------------------------

@functools.cache
def setting_rows():
    """Rows (path, default, values, meaning) as `swp list settings` prints them."""
    lines = listed("settings")
    header = lines[0]
    starts = [header.index(word) for word in ("SETTING", "DEFAULT", "VALUES", "MEANING")]
    rows = []
    for line in lines[1:]:
        if not line.strip():
            break
        ends = starts[1:] + [len(line)]
        rows.append(tuple(line[a:b].strip() for a, b in zip(starts, ends)))
    return rows


def cells(line):
    """The cells of a row of a Markdown table, without code marks."""
    inner = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return tuple(cell.strip().strip("`").replace("\\|", "|") for cell in inner)


def setting_line(row):
    path, default, values, meaning = (cell.replace("|", "\\|") for cell in row)
    return f"| `{path}` | `{default}` | {values} | {meaning} |"


def check_settings(update):
    path, rows = "docs/settings.md", setting_rows()
    is_row = re.compile(r"\| `(?:[a-z_]+\.)?[a-z0-9_]+` \| `")
    lines = read(path).splitlines()
    found = [i for i, line in enumerate(lines) if is_row.match(line)]
    if update and found:
        lines[found[0]:found[-1] + 1] = [setting_line(row) for row in rows]
        with open(os.path.join(TOP, path), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        found = [i for i, line in enumerate(lines) if is_row.match(line)]
    shown = [cells(lines[i]) for i in found]
    check([row[0] for row in shown] == [row[0] for row in rows], path,
          "the table has other settings, or another order, than `swp list settings`: "
          f"{sorted({row[0] for row in shown} ^ {row[0] for row in rows})}")
    known = {row[0]: row for row in rows}
    for row in shown:
        check(row == known.get(row[0]), path, f"{row}\n  but the command has {known.get(row[0])}")


def check_codes():
    path = "docs/diagnostics.md"
    codes = [line.split()[0] for line in listed("diagnostics") if re.match(r"[EW]\d{4} ", line)]
    shown = re.findall(r"^#+ ([EW]\d{4})\b", read(path), re.MULTILINE)
    check(shown == codes, path, "the headings are not the codes of `swp list diagnostics`, in their "
          f"order: {sorted(set(shown) ^ set(codes))}")
    return codes


def sections_of_codes():
    """(code, its section's text) in docs/diagnostics.md."""
    parts = re.split(r"^#+ ([EW]\d{4})\b.*$", read("docs/diagnostics.md"), flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


def check_code_examples(codes):
    """A section that shows a diagnostic shows its own."""
    for code, text in sections_of_codes():
        others = [shown for shown in codes_in(text) if shown not in codes]
        check(not others, "docs/diagnostics.md", f"{code} shows unknown codes {others}")
        if codes_in(text):
            check(code in codes_in(text), "docs/diagnostics.md", f"the example of {code} shows "
                  f"{codes_in(text)}")


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def check_json_keys():
    words = set(re.findall(r"`\"?([a-z0-9_]+)\"?`", read("docs/json.md")))
    settings = {row[0].split(".")[-1] for row in setting_rows()}
    for kernel in BUILTINS:
        schedule = json.loads(swp("compile", kernel, "--format", "json").stdout)
        for key in sorted(set(keys_of(schedule))):
            check(key in words or key in settings, "docs/json.md", f"has no key `{key}`")
    # Shapes of reports name their keys in quotes; hazards are verification's.
    shown = set(re.findall(r'"([a-z_]+)"', read("docs/json.md") + read("docs/verification.md")))
    for report in (("explain", "fourwave"), ("diff", "fourwave", "pingpong")):
        keys = set(keys_of(json.loads(swp(*report, "--format", "json").stdout)))
        for key in sorted(keys):
            check(key in shown, "docs/json.md", f"has no key `{key}` of swp {report[0]}")


# --- the man page --------------------------------------------------------------------------------

def check_man_page():
    page = read("docs/man/swp.1").replace("\\-", "-")
    overview = swp("--help").stdout
    commands = re.findall(r"^  ([a-z-]+) +[a-z]", overview.split("Subcommands:")[1].split("\n\n")[0],
                          re.MULTILINE)
    check(commands, "swp --help", "lists no subcommands")
    synopsis = page.split(".Sh SYNOPSIS", 1)[1].split("\n.Sh ", 1)[0]
    for command in commands:
        check(re.search(rf"^\.Cm {command}$", synopsis, re.MULTILINE), "docs/man/swp.1",
              f"its synopsis lacks the subcommand {command}")
        check(re.search(rf"^\.It Cm {command}\b", page, re.MULTILINE), "docs/man/swp.1",
              f"does not name the subcommand {command}")
        options = swp("help", command).stdout.split("Options:")[1].split("\n\n")[0]
        for option in set(re.findall(r"^ +(?:-(\w), )?", options, re.MULTILINE)) - {""}:
            check(re.search(rf"\bFl {option}\b", page), "docs/man/swp.1", f"does not name -{option}")
        for option in re.findall(r"--([a-z-]+)(?= |$)", options):
            check(re.search(rf"\bFl -{option}\b", page), "docs/man/swp.1",
                  f"does not name --{option}")
    kinds = re.findall(r'^    X\(SWP_\w+, \d+, "(\w+)"', read("include/swp/verify.h"), re.MULTILINE)
    for kind in kinds:
        check(re.search(rf"^\.Cm {kind}\b", page, re.MULTILINE), "docs/man/swp.1", f"does not name the hazard {kind}")
    check("stale_read" in kinds, "include/swp/verify.h", "has no kinds of hazards")
    statuses = re.findall(r"^  (\d)  ", overview.split("Exit status:")[1], re.MULTILINE)
    for status in statuses:
        check(re.search(rf"^\.It {status}$", page, re.MULTILINE), "docs/man/swp.1",
              f"does not explain exit status {status}")


# --- names, paths and links ----------------------------------------------------------------------

def all_text(*folders):
    parts = []
    for folder in folders:
        for root, _, names in os.walk(os.path.join(TOP, folder)):
            for name in names:
                if name.endswith((".h", ".c", ".cmake", ".txt", ".json", ".in", ".sh")):
                    parts.append(read(os.path.relpath(os.path.join(root, name), TOP)))
    return "\n".join(parts)


def words_of(text):
    return set(re.findall(r"\w+", text))


def check_identifiers(path, text, header_words, build_words, build_functions):
    for name in sorted(set(re.findall(r"\bswp_[a-z0-9_]+\b", text))):
        if re.search(rf"\b{re.escape(name)}(?:\.[a-z]+\b|\*)", text) or name.endswith("_"):
            continue  # a file name or a pattern
        check(name in header_words or name in build_functions, path,
              f"`{name}` is in no public header, and no function for CMake")
    for name in sorted(set(re.findall(r"\bSWP_[A-Z0-9_]+\b", text))):
        if not name.endswith("_"):
            check(name in header_words or name in build_words, path,
                  f"`{name}` is neither in a public header nor in the build")


def check_settings_named(path, text):
    """`section.field` in code marks is a setting."""
    known = {row[0] for row in setting_rows()}
    for name in sorted(set(re.findall(
            r"(?<![\w.])(?:pipeline|schedule|machine|geometry|hints)\.[a-z][a-z0-9_]*", text))):
        if not name.endswith((".c", ".h", ".yaml", ".json")):
            check(name in known, path, f"`{name}` is no setting")


def anchor_of(heading):
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


@functools.cache
def anchors(path):
    return {anchor_of(line.lstrip("#")) for line in read(path).splitlines() if line.startswith("#")}


@functools.cache
def left_out():
    """What a clone or an sdist is without: patterns of names in the source tree."""
    excluded = re.search(r"^sdist\.exclude = (\[.*\])$", read("pyproject.toml"), re.MULTILINE)
    return [*ast.literal_eval(excluded[1]), "build"]


def is_everywhere(full):
    """Whether a link leads there in a checkout, in an sdist and on a code host, which follows no symbolic links."""
    name = os.path.relpath(full, TOP)
    folders = [name[:match.start()] for match in re.finditer("/", name)] + [name]
    return name == "." or not any(os.path.islink(os.path.join(TOP, folder)) or fnmatch.fnmatch(folder, pattern)
                                  for folder in folders for pattern in left_out())


def check_links(path, prose):
    for number, line in prose:
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            full = os.path.normpath(os.path.join(TOP, os.path.dirname(path), name)) if name \
                else os.path.join(TOP, path)
            if not check(os.path.exists(full), f"{path}:{number}", f"no file for the link {target}"):
                continue
            check(is_everywhere(full), f"{path}:{number}",
                  f"{target} is a symbolic link, or is not in an sdist (pyproject.toml)")
            if "figures/" in name:
                shown.add(os.path.basename(name))
            if anchor and full.endswith(".md"):
                check(anchor in anchors(os.path.relpath(full, TOP)), f"{path}:{number}",
                      f"no heading for the link {target}")


def check_paths(path, prose):
    """Paths of the source tree in code marks."""
    roots = ("src", "include", "cli", "tests", "kernels", "docs", "bench", "scripts", "cmake")
    for number, line in prose:
        for name in re.findall(r"`((?:" + "|".join(roots) + r")/[^`\s]*)`", line):
            if not PATTERN.search(name):
                check(os.path.exists(os.path.join(TOP, name)), f"{path}:{number}",
                      f"there is no {name}")


def check_headers_mapped():
    """Each public header stands in docs/mapping.md, and each public function and type there or where warp roles are."""
    text = read("docs/mapping.md")
    named = set(re.findall(r"\bswp_\w+", text + read("docs/roles-reference.md")))
    for header in sorted(os.listdir(os.path.join(TOP, "include", "swp"))):
        check(f"swp/{header}" in text, "docs/mapping.md", f"does not name include/swp/{header}")
        source = re.sub(r"/\*.*?\*/", "", read(f"include/swp/{header}"), flags=re.DOTALL)
        for name in re.findall(r"\bSWP_API\b[^;{]*?\b(swp_\w+)\s*\(|\}\s*(swp_\w+);", source):
            check("".join(name) in named, "docs/mapping.md", f"does not name {''.join(name)} of include/swp/{header}")


def check_index():
    """Each page is one click from the table of contents, and stands in its lists of pages once at the most."""
    text = read("docs/index.md")
    pages = re.findall(r"^\| \[[^]]*\]\(([\w-]+\.md)\)", text, re.MULTILINE)
    links = re.findall(r"\]\(([\w-]+\.md)", text)
    for name in sorted(os.listdir(os.path.join(TOP, "docs"))):
        if name.endswith(".md") and name != "index.md":
            check(name in links, "docs/index.md", f"does not lead to {name}")
            check(pages.count(name) <= 1, "docs/index.md", f"lists {name} {pages.count(name)} times")


def check_functions_mapped():
    """Each public function and struct stands somewhere in the manual."""
    manual = words_of("\n".join(read(path) for path in documents()))
    for header in sorted(os.listdir(os.path.join(TOP, "include", "swp"))):
        text = re.sub(r"/\*.*?\*/", "", read(f"include/swp/{header}"), flags=re.DOTALL)
        names = re.findall(r"^SWP_API[^;(]*?\b(swp_\w+)\(", text, re.MULTILINE)
        names += re.findall(r"^typedef (?:struct|enum) (swp_\w+)", text, re.MULTILINE)
        for name in names:
            check(name in manual, f"include/swp/{header}",
                  f"`{name}` is nowhere in the manual")


def check_rules():
    """The rules of the proof stand in its chapter as in their table."""
    for page, table in (("docs/verification.md", "src/verify/bodies/rules.h"),
                        ("docs/roles-proof.md", "src/happens_before/rules.h")):
        rows = re.findall(r'^    X\(\w+, "(.*?)"\)', read(table), re.MULTILINE)
        section = read(page).split("## The rules", 1)[1].split("\n## ", 1)[0]
        check(rows == re.findall(r"^- (.*)", section, re.MULTILINE), page,
              f"its rules are not those of {table}")


def main(arguments):
    update = "--update" in arguments
    chosen = [name for name in arguments if name.endswith(".md")]
    header_words = words_of(all_text("include"))
    build = all_text("cmake", "tests") + "".join(
        map(read, ("CMakeLists.txt", "CMakePresets.json", "Makefile", "src/emit/c/machine.c")))
    build_words, build_functions = words_of(build), set(re.findall(r"function\((\w+) ", build))
    tools = compiler()
    check_settings(update)
    check_code_examples(check_codes())
    check_json_keys()
    check_man_page()
    check_headers_mapped()
    check_index()
    check_functions_mapped()
    check_rules()
    counts = {}
    for path in documents():
        blocks, prose = blocks_of(path)
        text = read(path)
        check_links(path, prose)
        check_paths(path, prose)
        check_identifiers(path, text, header_words, build_words, build_functions)
        check_settings_named(path, "\n".join(line for _, line in prose))
        if chosen and os.path.basename(path) not in chosen:
            continue
        check_examples(path, blocks, tools)
        for block in blocks:
            counts[block.language] = counts.get(block.language, 0) + 1
    check(shown == FIGURES, "docs/figures", f"no page shows {', '.join(sorted(FIGURES - shown))}")
    for failure in failures:
        print(f"FAIL {failure}")
    examples = ", ".join(f"{counts.get(name, 0)} {name}" for name in ("yaml", "console", "c"))
    skipped = "" if tools else "; no compiler or no libswp.a beside the command: C is not compiled"
    print(f"docs: {done} checks, {len(failures)} failed; blocks: {examples}{skipped}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
