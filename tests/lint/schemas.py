#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the schemas that `swp schema` prints against this repository, and against the readers.

    SWP=path/to/swp tests/lint/schemas.py

All descriptions and schedules of the repository that swp reads are valid by its schema, and so is what it writes of
the built-ins and the targets; keys and words that swp refuses are refused by the schema as well; and each mapping
has the same keys for both, which the readers' own hints say. Exits with 77 where Python has no jsonschema or no yaml.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import yaml
    from jsonschema import Draft202012Validator
except ImportError as absent:
    print(f"schemas: skipped: {absent} (apt-get install python3-jsonschema python3-yaml)")
    sys.exit(77)

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SWP = os.path.abspath(os.environ["SWP"])
NOBODYS = "zzzzzzzzzzzz"
# Codes of what a schema can see: unknown keys, missing ones, wrong types.
OF_FORM = {"E0102", "E0104", "E0107"}

# Numbers and truths that YAML has more spellings of than swp takes.
SPELT = {"setting_boolean_yes", "setting_hexadecimal_count", "setting_octal", "setting_underscores"}

checks = 0
failures = []


def check(good, what):
    global checks
    checks += 1
    if not good:
        failures.append(what)


def swp(*arguments):
    return subprocess.run([SWP, *arguments], capture_output=True, text=True, cwd=TOP)


def schema(name):
    found = json.loads(swp("schema", name).stdout)
    Draft202012Validator.check_schema(found)
    return found


class Reader(yaml.SafeLoader):
    """Takes text that looks like a date for text."""


Reader.yaml_implicit_resolvers = {
    letter: [row for row in rows if row[0] != "tag:yaml.org,2002:timestamp"]
    for letter, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text):
    """As swp reads it: ${...} before the brackets and braces of YAML (docs/descriptions.md, "Expressions")."""
    masked = re.sub(r"\$\{([^}\n]*)\}", lambda m: "$\ue000" + m[1].translate(RESERVED) + "\ue001", text)
    return unmask(yaml.load(masked, Reader))


RESERVED = {ord(a): 0xE010 + i for i, a in enumerate(",[]:#&*!|>'\"%@`? ")}
PLAIN = {0xE000: "{", 0xE001: "}", **{code: chr(letter) for letter, code in RESERVED.items()}}


def unmask(value):
    if isinstance(value, str):
        return value.translate(PLAIN)
    if isinstance(value, list):
        return [unmask(each) for each in value]
    if isinstance(value, dict):
        return {unmask(key): unmask(each) for key, each in value.items()}
    return value


def tracked(ending):
    listed = subprocess.run(["git", "ls-files", f"*{ending}"], cwd=TOP, capture_output=True, text=True, check=True)
    return listed.stdout.split()


def first_error(validator, value):
    found = next(validator.iter_errors(value), None)
    return f"{'/'.join(map(str, found.absolute_path))}: {found.message[:300]}" if found else None


def codes_of(path):
    """Codes of the errors with which swp refuses a description: none, if it is one."""
    lines = swp("compile", path, "--diagnostics", "json", "--work-limit", "1", "--time-limit", "5").stderr.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    return {row["code"] for row in rows if row["severity"] == "error"}


def check_descriptions(validator):
    """What swp takes is valid; what has but errors of form is not."""
    for path in tracked(".yaml"):
        # Neither targets, spaces for swp tune, nor what other programs read are descriptions.
        if path.startswith(("targets/", "examples/ci/")) or path.endswith("_space.yaml"):
            continue
        with open(os.path.join(TOP, path), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        codes = codes_of(path) if path.startswith("tests/") else set()
        if codes - OF_FORM or (codes and ("${" in text or "&" in text)):
            continue
        # What users start from is YAML for all programs.
        for_all = not path.startswith("tests/")
        try:
            value = yaml.load(text, Reader) if for_all else read_yaml(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            check(codes, f"{path}: is no YAML to other programs; is a ${{...}} between brackets without quotes?")
            continue
        error = first_error(validator, value)
        if not codes:
            check(not error, f"{path}: is taken, but not valid: {error}")
        elif os.path.splitext(os.path.basename(path))[0] not in SPELT:
            check(error, f"{path}: is refused with {', '.join(sorted(codes))}, but valid")


def check_schedules(validator):
    """Those of the repository, and what is written of the built-ins."""
    for path in tracked(".json"):
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            text = file.read()
        if '"kernel"' in text and '"swp"' in text and not path.startswith(("tests/bad_input", "tests/fuzz", "src/schema")):
            check(not first_error(validator, json.loads(text)), f"{path}: {first_error(validator, json.loads(text))}")
    for line in swp("list", "builtins").stdout.splitlines():
        name = line.split()[0]
        written = json.loads(swp("compile", name, "--format", "json", "--work-limit", "100").stdout)
        check(not first_error(validator, written), f"{name}: {first_error(validator, written)}")
        for key in written:
            edited = {**written, key + "s": written[key]}
            check(key + "s" in written or first_error(validator, edited), f"{name}: takes the key {key}s")


def check_problems(validator):
    """Each problem that swp takes, and none of those with a key too many."""
    taken = 0
    for path in tracked(".json"):
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            text = file.read()
        if '"problem"' in text and '"resources"' in text and not path.startswith("src/schema") and swp_takes(text):
            taken += 1
            value = json.loads(text)
            check(not first_error(validator, value), f"{path}: {first_error(validator, value)}")
            check(first_error(validator, {**value, NOBODYS: 1}), f"{path}: takes the key {NOBODYS}")
    check(taken >= 2, f"only {taken} problems are looked at")


def check_targets(target_schema):
    """What is printed of the built-in ones is valid, also without sources, but with no key too many; refused files
    are not."""
    validator = Draft202012Validator(target_schema)
    for written in yaml.safe_load_all(swp("list", "targets", "--format", "yaml").stdout):
        name = written["like"]
        check(not first_error(validator, written), f"{name}: {first_error(validator, written)}")
        check(first_error(validator, {**written, NOBODYS: 1}), f"{name}: takes the key {NOBODYS}")
        for section in (key for key, value in written.items() if isinstance(value, dict)):
            spoilt = {**written, section: {**written[section], NOBODYS: 1}}
            check(first_error(validator, spoilt), f"{name}: takes the key {section}.{NOBODYS}")
            bare = {key: figure["value"] for key, figure in written[section].items()}
            check(not first_error(validator, {**written, section: bare}), f"{name}: {section} takes no numbers")
    for path in tracked(".yaml"):
        if path.startswith("targets/"):
            with open(os.path.join(TOP, path), encoding="utf-8") as file:
                error = first_error(validator, yaml.safe_load(file))
            check(not error, f"{path}: {error}")
        elif path.startswith("tests/bad_input/targets/"):
            with open(os.path.join(TOP, path), encoding="utf-8") as file:
                value = yaml.safe_load(file)
            rows = swp("compile", "gemm_tile", "--target", path, "--diagnostics", "json").stderr.splitlines()
            codes = {json.loads(row)["code"] for row in rows}
            check(codes and (first_error(validator, value) or not codes & OF_FORM), f"{path}: is valid, but {codes}")


def swp_takes(problem):
    given = subprocess.run([SWP, "solve", "-", "--work-limit", "1"], input=problem, capture_output=True, text=True)
    return given.returncode != 2


# A description with the unknown key in every mapping that has keys of its own, and whose mapping that is.
EVERYWHERE = [
    ("loop", {"swp": 1, "name": "x", NOBODYS: 1, "loop": {
        NOBODYS: 1,
        "roles": [{"role": "r", NOBODYS: 1}],
        "values": [{"value": "a", "space": "shared", NOBODYS: 1}],
        "ops": [{"op": "o", "latency": 1, NOBODYS: 1, "when": {"every": 2, NOBODYS: 1},
                 "reads": [{"value": "a", NOBODYS: 1}]},
                {"op": "p", "latency": 1, "updates": [{"value": "a", NOBODYS: 1}]}]}}),
    ("body", {"swp": 1, "name": "x", "costs": {"a": {"role": "compute", NOBODYS: 1}},
              "body": [{"op": "a", NOBODYS: 1}], "edges": [{"producer": 0, "consumer": 0, NOBODYS: 1}],
              "pipeline": {NOBODYS: 1}, "schedule": {NOBODYS: 1}, "machine": {NOBODYS: 1}, "geometry": {NOBODYS: 1}}),
]  # fmt: skip


def keys_of_readers(description):
    """The keys of each mapping, as the hints of swp list them."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(description, file)
        file.flush()
        lines = swp("compile", file.name, "--diagnostics", "json").stderr.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    return [set(row["hint"][len("one of ") :].split(", ")) for row in rows if NOBODYS in row["message"]
            and row["hint"].startswith("one of ")]  # fmt: skip


def mappings_of(value):
    """The keys of each mapping with a fixed set of them, of a schema."""
    if isinstance(value, dict):
        if value.get("additionalProperties") is False:
            yield set(value["properties"]) - {"for", "do"}
        for each in value.values():
            yield from mappings_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from mappings_of(each)


def check_keys(description_schema):
    known = [frozenset(keys) for keys in mappings_of(description_schema)]
    for name, description in EVERYWHERE:
        found = keys_of_readers(description)
        check(len(found) >= 6, f"{name}: only {len(found)} mappings have hints")
        for keys in found:
            check(frozenset(keys) in known, f"{name}: no mapping of the schema has just {', '.join(sorted(keys))}")


def main():
    description = schema("description")
    check_descriptions(Draft202012Validator(description))
    check_schedules(Draft202012Validator(schema("schedule")))
    check_problems(Draft202012Validator(schema("problem")))
    check_targets(schema("target"))
    check_keys(description)
    for each in failures:
        print(f"FAIL {each}")
    print(f"schemas: {checks} checks, {len(failures)} failed")
    sys.exit(bool(failures))


main()
