#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [--look] [TEXT]...

Takes the rules of the judges of warp roles and of their executor away, one at a time, and runs the tests that should
notice: each has to fail. What the proof goes by has tests of its own (tests/property/test_rules.c, test_roles_rules.c).

A file *.rules names tests, `tests NAME[:ONLY]...`, where ONLY takes those of a test's functions, and sources, `file NAME`.
A `rule` of the source has pairs of lines: `- ` what stands there once, `+ ` what stands there without the rule. White
space is as good as any other, so that layout does not count.

--look only asks whether the sources have what the tables say. TEXT takes the rules of whose file or line it is a part. BUILD is the build that is changed: a source is compiled anew and linked before the
rest of each test program, beside what is built. First the tests run as in `make test`, then those of many random
programs with more of them. A test that crashes, or takes many times as long as it should, has noticed, too.
"""
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("BUILD", ROOT / "build/release")).resolve()
PROGRAMS = "1000"  # of a random test that has not noticed
SECONDS = {"": 20, PROGRAMS: 300}  # of processor time


@dataclass
class Rule:
    text: str
    file: str
    tests: list
    changes: list = field(default_factory=list)


def rules_of(path):
    tests, file, rules = [], None, []
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "tests":
            tests = rest.split()
        elif word == "file":
            file = rest
        elif word == "rule":
            rules.append(Rule(rest, file, tests))
        elif word == "-":
            rules[-1].changes.append([rest, ""])
        elif word == "+":
            rules[-1].changes[-1][1] = rest
    return rules


def without(text, rule):
    for old, new in rule.changes:
        pattern = r"\s+".join(re.escape(word) for word in old.split())
        if len(re.findall(pattern, text)) != 1:
            sys.exit(f"{rule.file} has `{old}` {len(re.findall(pattern, text))} times, of the rule: {rule.text}")
        text = re.sub(pattern, lambda _: new, text)
    return text


def compile_commands():
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return {str(Path(entry["file"]).resolve().relative_to(ROOT)): entry for entry in entries}


def compiled(rule, entry, folder):
    """The object of the source without the rule."""
    source = folder / Path(rule.file).name
    source.write_text(without((ROOT / rule.file).read_text(), rule))
    command = shlex.split(entry["command"])
    command[command.index(entry["file"])] = str(source)
    command[command.index("-o") + 1] = str(folder / "without.o")
    command[-1:-1] = ["-w", "-I", str((ROOT / rule.file).parent)]
    subprocess.run(command, cwd=entry["directory"], check=True)
    return folder / "without.o"


def link_command(program):
    said = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", f"tests/{program}"], capture_output=True, text=True,
                          check=True)
    line = said.stdout.splitlines()[-1]
    command = shlex.split(next(part for part in line.split(" && ") if f" -o tests/{program} " in part))
    return command


def link(program, command, thing, folder):
    """A test program with the object in place of that of its archive: what is found first is taken."""
    command = list(command)
    at = command.index("-o")
    command[at:at + 2] = [str(thing), "-o", str(folder / program)]
    subprocess.run(command, cwd=BUILD, check=True)


def program_of(test):
    return "tests_property" if test.startswith("property") else "_".join(["tests", *test.split("_")[:2]])


def fails(test, only, programs, folder):
    name = folder / test
    if not name.exists():
        name.symlink_to(folder / program_of(test))
    environment = {key: value for key, value in os.environ.items() if key != "SWP_FULL"}
    environment |= {"SWP_ONLY": only} if only else {}
    environment |= {"SWP_CASES": programs} if programs else {}
    limit = SECONDS[programs]
    return subprocess.run([str(name)], cwd=ROOT, env=environment, capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))).returncode != 0


def who_notices(rule, commands, links):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        thing = compiled(rule, commands[rule.file], folder)
        linked = set()
        for programs in ("", PROGRAMS):
            for test in rule.tests:
                test, _, only = test.partition(":")
                if programs and not test.startswith("property"):
                    continue
                program = program_of(test)
                if program not in linked:
                    link(program, links.setdefault(program, link_command(program)), thing, folder)
                    linked.add(program)
                if fails(test, only, programs, folder):
                    return " ".join([test, only]).strip() + (f", of {programs} programs" if programs else "")
    return None


def main():
    only_look = "--look" in sys.argv
    texts = [text for text in sys.argv[1:] if text != "--look"]
    rules = [rule for path in sorted(HERE.glob("*.rules")) for rule in rules_of(path)]
    rules = [rule for rule in rules if not texts or any(text in f"{rule.file}: {rule.text}" for text in texts)]
    for rule in rules:
        without((ROOT / rule.file).read_text(), rule)
    if only_look:
        return 0
    commands, links, missed = compile_commands(), {}, 0
    for test in sorted({test for rule in rules for test in rule.tests}):
        if fails(*test.partition(":")[::2], "", BUILD / "tests"):
            sys.exit(f"{test} fails with all rules")
    for rule in rules:
        test = who_notices(rule, commands, links)
        missed += test is None
        print(f"{rule.file}: without \"{rule.text}\": {test or 'NO TEST FAILS'}", flush=True)
    print(f"{len(rules)} rules, {missed} of them missed by the tests")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
