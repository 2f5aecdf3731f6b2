# SPDX-License-Identifier: Apache-2.0
"""The space: what SPACE.yaml says."""
import ast
import hashlib
import itertools
import json
import math
import pathlib
import re

from ..common.refusal import Refused
from ..common.texts import is_whole_text, shown
from .numbers import MOST_WORK

try:
    import yaml
except ModuleNotFoundError:  # the help, reports and merging do without
    yaml = None

KEYS = {"swp", "description", "set", "options", "prefix", "work", "measure", "measure_limit", "keep", "rounds",
        "repeats", "parts", "finalists"}
MOST_VARIANTS = 1 << 20
WORK_HINT = "numbers and variables of `set`, with * and +"
BEYOND = 10 * MOST_WORK  # stands for all that is more, so that no product grows without end


def whole(space, key, default, least, most):
    value = space.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(f"`{key}` is {shown(value)}", f"a whole number from {least} to {most}")
    return value


def read_yaml(path):
    if not yaml:
        raise Refused("this Python has no PyYAML", "`apt-get install python3-yaml` or `pip install PyYAML`")
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        space = yaml.safe_load(text)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the latter two of dates and numbers that there are not
        raise Refused(f"{path}: {error}") from error
    except RecursionError as error:
        raise Refused(f"{path} has lists within lists, too many to be read") from error
    if not isinstance(space, dict):
        raise Refused(f"{path} is no mapping", "`swp: 1`, `description:`, `set:`, `measure:`")
    if "description" not in space and {"kernel", "loop", "body"} & set(map(str, space)):
        raise Refused(f"{path} is a description, not a space of variants", "`swp compile` takes it; a space names it under `description:`")
    return space


def as_word(value, what):
    """A scalar of YAML, as a command line or a file has it."""
    if value is None or isinstance(value, (dict, list)):
        raise Refused(f"`{what}` is {shown(value)}", "one word or number")
    try:
        text = word(value)
    except ValueError as error:
        raise Refused(f"`{what}` is {shown(value)}", "a number of fewer digits") from error
    if not is_whole_text(text):
        raise Refused(f"`{what}` is {shown(text)}, which no command can be given",
                      "leave out \\0, and \\ud800 to \\udfff, which stand for no character alone")
    return text


class Space:
    """What SPACE.yaml says."""

    def __init__(self, path):
        space = read_yaml(path)
        unknown = sorted(set(map(str, space)) - KEYS)
        if unknown:
            raise Refused(f"{path}: a space has no key `{unknown[0]}`", "one of " + ", ".join(sorted(KEYS)))
        if space.get("swp") != 1:
            raise Refused(f"{path}: `swp` is {shown(space['swp'])}" if "swp" in space else f"{path} needs the key `swp`",
                          "write `swp: 1`, the version of the format")
        self.folder = pathlib.Path(path).resolve().parent
        self.description = self.text(space, "description")
        self.is_builtin = not re.search("[./]", self.description)
        self.axes = self.read_axes(space)
        self.options = self.read_options(space)
        self.prefix = as_word(space.get("prefix", "KERNEL"), "prefix")
        self.work = as_word(space.get("work", "1"), "work")
        self.measure = as_word(space["measure"], "measure") if space.get("measure") is not None else None
        if self.measure is not None and "{header}" not in self.measure and "{schedule}" not in self.measure:
            raise Refused("`measure` has neither {header} nor {schedule}", "the variant's files stand for these")
        self.measure_limit = whole(space, "measure_limit", 60, 1, 86400)
        self.rounds = whole(space, "rounds", 3, 1, 10)
        self.repeats = whole(space, "repeats", 1, 1, 1000)
        self.parts = whole(space, "parts", 1, 1, 4096)
        self.finalists = whole(space, "finalists", 8, 1, 1000)
        self.keep = whole(space, "keep", self.count(), 1, MOST_VARIANTS)
        self.target = self.target_file()
        self.hash = self.fingerprint(space)
        self.work_of(next(self.variants())[1])

    @staticmethod
    def text(space, key):
        value = space.get(key)
        if not isinstance(value, str) or not value:
            raise Refused(f"`{key}` is {shown(value)}" if key in space else f"`{key}` is missing", f"`{key}: TEXT`")
        return as_word(value, key)

    @staticmethod
    def read_axes(space):
        axes = space.get("set")
        if not isinstance(axes, dict) or not axes:
            raise Refused("`set` is missing", "`set: {variables.bn: [128, 256]}`: every combination is a variant")
        words = {}
        for path, values in axes.items():
            name = f"set.{as_word(path, 'set')}"
            if not isinstance(path, str):
                raise Refused(f"`{name}` is no path of a setting", "`set: {variables.bn: [128, 256]}`")
            if not isinstance(values, list) or not values or any(isinstance(v, (dict, list)) for v in values):
                raise Refused(f"`{name}` is {shown(values)}", "a list of values, as --set takes them")
            words[path] = [as_word(value, name) for value in values]
            if len(set(words[path])) != len(values):
                raise Refused(f"`{name}` has a value twice")
        return words

    @staticmethod
    def read_options(space):
        options = space.get("options", [])
        if not isinstance(options, list):
            raise Refused(f"`options` is {shown(options)}", "a list of words: `options: [--time-limit, 10]`")
        return [as_word(option, "options") for option in options]

    def target_file(self):
        """The file that `options` name with --target, whose figures count; None: a name, or nothing."""
        names = [after for option, after in zip(self.options, self.options[1:]) if option == "--target"]
        names += [option.partition("=")[2] for option in self.options if option.startswith("--target=")]
        return names[-1] if names and names[-1].endswith((".yaml", ".yml")) else None

    def fingerprint(self, space):
        digest = hashlib.sha256(json.dumps(space, sort_keys=True, default=str).encode())
        for name in ([] if self.is_builtin else [self.description]) + ([self.target] if self.target else []):
            try:
                digest.update((self.folder / name).read_bytes())
            except OSError as error:
                raise Refused(f"{self.folder / name}: {error.strerror}") from error
        return digest.hexdigest()[:16]

    def count(self):
        count = math.prod(len(values) for values in self.axes.values())
        if count > MOST_VARIANTS:
            raise Refused(f"{count} variants are too many", f"at most {MOST_VARIANTS}: leave values out")
        return count

    def variants(self):
        for number, values in enumerate(itertools.product(*self.axes.values())):
            yield number, dict(zip(self.axes, values))

    def work_of(self, settings):
        """`work:`, a product of variables, so that blocks of several sizes can be compared."""
        names = {path.removeprefix("variables."): value for path, value in settings.items()}
        try:
            work = evaluate(ast.parse(self.work, mode="eval").body, names, self.work)
        except SyntaxError as error:
            raise Refused(f"`work: {shorter(self.work)}` cannot be read", WORK_HINT) from error
        except (RecursionError, MemoryError) as error:
            raise Refused(f"`work: {shorter(self.work)}` has too many operators", "some hundred can be read") from error
        if not 0 < work <= MOST_WORK:
            raise Refused(f"`work: {shorter(self.work)}` is {'0' if work == 0 else 'more than 2^53'} where {settings_text(settings)}",
                          "cycles are divided by it")
        return work


def word(value):
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def shorter(text):
    return text if len(text) <= 80 else f"{text[:77]}..."


def evaluate(node, names, text):
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
        a, b = evaluate(node.left, names, text), evaluate(node.right, names, text)
        return min(a * b if isinstance(node.op, ast.Mult) else a + b, BEYOND)
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return min(node.value, BEYOND)
    if isinstance(node, ast.Name) and str(names.get(node.id, "")).isdecimal():
        digits = names[node.id]
        return int(digits) if len(digits) < len(str(BEYOND)) else BEYOND
    raise Refused(f"`work: {shorter(text)}` cannot be read", WORK_HINT)


def settings_text(settings):
    return " ".join(f"{path}={value}" for path, value in settings.items())
