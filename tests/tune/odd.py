#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""swp tune with what nobody planned for: outputs of measuring commands, logs and spaces.

    odd.py [--seed N] [--count N]

Every output is a measurement or a failure, whose log reads back and whose reports are JSON; every space is one, or is refused with a message.
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import random
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "cli/programs"))
sys.dont_write_bytecode = True

from swp_programs.common.refusal import Refused  # noqa: E402
from swp_programs.tune.measuring import measure_variant  # noqa: E402
from swp_programs.tune.log import Log  # noqa: E402
from swp_programs.tune.reports import report  # noqa: E402
from swp_programs.tune.space import Space  # noqa: E402

HEADER = {"tune": 1, "space": "0123456789abcdef", "swp": "swp 0"}
VARIANT = {"variant": 0, "settings": {"variables.bn": "128"}, "work": 1, "fingerprint": "f", "cycles": 1.0, "late_cycles": 1.0}
ODD = ['""', '"\\ud800"', '"\\u0000"', '"\\u001b[31m"', "null", "true", "false", "0", "-1", "1e308", "1e-308", "1e400", "-1e400", "NaN", "Infinity",
       "1" * 400, "1" * 5000, "[]", "{}", "[[]]", "[1, 2]", "[0.1]", "[1e308, 1e308]", "[1e-320]", "[true]", '["0.1"]', "[null]", "[NaN]",
       '"' + "x" * 100000 + '"', "[" * 3000 + "]" * 3000, '"\\u2028"', '"\u2028\x85\x0b"']
KEYS = ["seconds", "error", "device", "clock", "took", "round", "variant", "failed", "settings", "\\ud800", ""]
LINES = ["", "noise", "{", "}", "[1]", "[" * 100000, '{"seconds": [0.1]', "\x00", "\r", "\ufeff", "{}", "nan", '{"seconds": [0.1, 0.2]}']
SPACE = {"description": "pingpong", "set": {"schedule.max_vgpr": [128]}, "work": "2"}
YAML = ["''", '"a\\0b"', '"\\ud800"', "null", "true", ".nan", ".inf", "-1", "0x" + "f" * 6000, "2020-99-99", "2020-01-01", "[]", "{}", "[[1]]", "[1, 1]",
        "{a: [1], 2: [1]}", "{2020-01-01: [1]}", "{null: [1]}", "&a [*a]", "[" * 2000 + "]" * 2000, "!!binary aGk=", "!!set {a}", "12:30:45",
        "9" * 400, "bn+" * 5000 + "bn", "(" * 500 + "1" + ")" * 500, "1*" * 3000 + "9", "True", "1**9", "'{header}'", "a: b: c", "\t", "%x", "'"]


def strictly(text):
    return json.loads(text, parse_constant=lambda constant: sys.exit(f"{constant} in JSON"))


def reports_of(path):
    for form in ("text", "json", "kernel-tuner"):
        out = path.with_suffix(f".{form}")
        report([str(path)], form, str(out))
        text = out.read_text(encoding="utf-8")
        assert form != "text" or all(c.isprintable() or c == "\n" for c in text), text[:200]
        if form != "text":
            strictly(text)


def an_output(draw):
    lines = [draw.choice(LINES) for _ in range(draw.randrange(3))]
    members = ", ".join(f'"{draw.choice(KEYS)}": {draw.choice(ODD)}' for _ in range(draw.randrange(5)))
    figures = draw.choice(["", '"seconds": [0.1, 0.2], ', '"seconds": [1e308], '])
    return "\n".join([*lines, "{" + figures + members + "}", *[draw.choice(LINES) for _ in range(draw.randrange(2))]])


class Given:
    """As much of a space as measuring asks for."""

    def __init__(self, folder):
        self.folder, self.measure_limit, self.measure = folder, 10, "cat output # {header}"


def check_output(folder, output):
    (folder / "output").write_bytes(output.encode("utf-8", "surrogatepass"))
    path = folder / "log.jsonl"
    path.unlink(missing_ok=True)
    log = Log(str(path), HEADER)
    log.add(VARIANT)
    log.add(measure_variant(Given(folder), VARIANT, 0, 1, folder))
    log.file.close()
    for line in path.read_text(encoding="ascii").splitlines():
        strictly(line)
    assert Log(str(path), HEADER).records == log.records
    reports_of(path)
    return log.records[1]


def check_log(folder, line):
    """A log of an earlier version, or of something else: read, or refused."""
    path = folder / "old.jsonl"
    path.write_text(f"{json.dumps(HEADER)}\n{json.dumps(VARIANT)}\n{line}\n", encoding="utf-8", errors="surrogatepass")
    with contextlib.suppress(Refused):
        reports_of(path)
        return True
    return False


def check_space(folder, text):
    path = folder / "space.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        space = Space(str(path))
        list(space.variants())
        return True
    except Refused as refused:
        assert str(refused)
        return False


def a_space(draw):
    said = {key: json.dumps(value) for key, value in SPACE.items()} | {"swp": "1", "measure": '": {header}"'}
    keys = [*said, "options", "prefix", "keep", "rounds", "parts", "measure_limit", "work", "variables"]
    for _ in range(draw.randrange(1, 3)):
        said[draw.choice(keys)] = draw.choice(YAML)
    if draw.random() < 0.3:
        said["set"] = "{" + draw.choice(["bn", '"a\\0"', "1", "[a]", "*b", '"\\ud800"']) + ": " + draw.choice(YAML) + "}"
    return "".join(f"{key}: {value}\n" for key, value in said.items())


def check_known(folder):
    for output, wanted in (('{"error": "\\ud800"}', "failed"), ('{"seconds": [1e308, 1e308]}', "failed"), ('{"seconds": [0.1, 0.2], "error": ""}', "failed"),
                           ('{"seconds": [0.1, 0.2], "error": null}', "seconds"), ('{"seconds": [0.1], "device": "\u2028"}', "seconds"),
                           ('{"seconds": [1e-320]}', "failed")):
        record = check_output(folder, output)
        assert wanted in record and {"failed", "seconds"} - {wanted} - set(record), (output, record)
    assert check_log(folder, '{"variant": 0, "round": 0, "repeats": 1, "at": "", "took": 0.1, "failed": "error: \\ud800"}'), "a log of before"
    assert not check_log(folder, '{"variant": 0, "round": 0, "took": 0.1, "seconds": [Infinity]}')
    assert not check_log(folder, "[" * 100000)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", "1")))
    parser.add_argument("--count", type=int, default=2000 if os.environ.get("SWP_FULL") else 60)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    spaces = measured = 0
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stderr(io.StringIO()) as said:
        folder = pathlib.Path(scratch)
        try:
            check_known(folder)
            for _ in range(given.count):
                measured += "seconds" in check_output(folder, an_output(draw))
                check_log(folder, an_output(draw))
                spaces += check_space(folder, a_space(draw))
        except BaseException:
            sys.__stderr__.write(f"seed {given.seed}\n{said.getvalue()}")
            raise
    print(f"seed {given.seed}: of {given.count} outputs {measured} are measurements, of as many spaces {spaces} are some")


if __name__ == "__main__":
    main()
