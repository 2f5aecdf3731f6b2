#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command and the solvers against the oracle, on random configurations and bodies.

    SWP=path/to/swp oracle/run.py

SWP_SEED chooses the cases (default 1; 0: by the time), SWP_CASES and SWP_BODIES how many.
SWP_BATCH is the batch driver (default: tests/oracle_batch beside SWP). Where both refuse, the
messages are not compared.
"""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import check_golden
import check_search
import configs
import oracle
from ops import SpecError
from plain import differences, plain

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", ".."))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(TOP, "build", "dev", "swp")))
BATCH = os.path.abspath(os.environ.get(
    "SWP_BATCH", os.path.join(os.path.dirname(SWP), "tests", "oracle_batch")))
DEFAULT_CASES, DEFAULT_BODIES, COMMAND_CASES, SHOWN = 600, 1000, 20, 5
INVALID, INFEASIBLE = 1, 2  # swp_status
EXIT_OF = {INVALID: 2, INFEASIBLE: 1}


def ask_batch(questions):
    """Answers of the batch driver, as text and line by line."""
    done = subprocess.run([BATCH], input="".join(q + "\n" for q in questions).encode(),
                          capture_output=True, check=False)
    lines = done.stdout.decode().splitlines()
    if done.returncode or done.stderr or len(lines) != len(questions):
        at = questions[len(lines)] if len(lines) < len(questions) else "the end"
        raise SystemExit(f"oracle: {BATCH} ended with status {done.returncode} at {at}\n"
                         + done.stderr.decode(errors="replace"))
    return lines


def oracle_answer(case):
    """The oracle's answer, or {"error": ...} where the specification refuses."""
    try:
        if isinstance(case, dict):
            return oracle.solve_body(case)
        return oracle.compile_kernel(*case)
    except SpecError as error:
        return {"error": str(error)}


def oracle_answers(cases, key):
    """All answers, on every core; cases of one key stay together, so that searches are shared."""
    groups = {}
    for index, case in enumerate(cases):
        groups.setdefault(key(case), []).append(index)
    answers = [None] * len(cases)
    with ProcessPoolExecutor() as pool:
        jobs = [(indices, pool.submit(answer_group, [cases[i] for i in indices]))
                for indices in groups.values()]
        for indices, job in jobs:
            for index, answer in zip(indices, job.result()):
                answers[index] = answer
    return answers


def answer_group(cases):
    return [oracle_answer(case) for case in cases]


# ---------------------------------------------------------------- what is compared

def refusals(wanted, got):
    """Where exactly one side refuses: a list with one line; None where neither does."""
    if "error" in wanted and "error" in got:
        return []
    if "error" in wanted:
        return [f"accepted, but the oracle refuses: {wanted['error']}"]
    if "error" in got:
        return [f"refused ({got['code']}: {got['error']}), but the oracle accepts"]
    return None


def comparable(wanted, case):
    """What the specification defines of the oracle's answer: an unsearched order has no figures."""
    info = {key: value for key, value in wanted["info"].items() if key != "lower_bound"}
    if strategy_of(case) != "csp":
        info.pop("makespan", None)
        info.pop("vgpr_peak", None)
    return dict(wanted, info=info)


def strategy_of(case):
    """The strategy in force: only ping-pong lets a caller choose."""
    kernel, settings = case
    return settings.get("schedule.scheduling", "csp") if kernel == "pingpong" else "identity"


def bound_differences(case, wanted, got):
    """The bound printed is proven: at least the model's, and met, since the search was not ended."""
    if strategy_of(case) != "csp":
        return []
    metrics, least = got["metrics"], wanted["info"]["lower_bound"]
    if metrics["optimal"] and least <= metrics["lower_bound"] <= metrics["makespan"]:
        return []
    return [f"metrics {metrics}, but the model's bound is {least}"]


def prologue_costs(schedule):
    """Each load of the prologue carries vm_cost = vm_per_channel."""
    config = schedule["config"]
    if config["depth"] != 2:
        return []
    return [f"prologue[{i}]: vm_cost {row['vm_cost']}"
            for i, row in enumerate(schedule["prologue"]) if row["role"] == "global_load"
            and row["vm_cost"] != config["vm_per_load_a" if row["channel"] == 0
                                         else "vm_per_load_b"]]


def compare_case(case, wanted, got):
    refused = refusals(wanted, got)
    if refused is not None:
        return refused
    return (differences(comparable(wanted, case), plain(got))
            + bound_differences(case, wanted, got) + prologue_costs(got))


def compare_body(_case, wanted, got):
    refused = refusals(wanted, got)
    if refused is not None:
        return refused
    found = [f"{key}: {got[key]}, wanted {value}" for key, value in wanted.items()
             if got[key] != value]
    return found if got["optimal"] else found + ["not proven optimal"]


class Tally:
    """Counts of agreements and the first few disagreements in full."""

    def __init__(self, what):
        self.what, self.counts, self.failures = what, {}, 0

    def add(self, kind, label, found):
        kind = "disagree" if found else kind
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if not found:
            return
        self.failures += 1
        if self.failures <= SHOWN:
            print(f"FAIL {label}")
            for line in found[:8]:
                print("     ", line[:300])

    def print(self, seconds):
        counts = ", ".join(f"{n} {kind}" for kind, n in sorted(self.counts.items()))
        print(f"oracle: {sum(self.counts.values())} {self.what}: {counts} ({seconds:.1f} s)",
              flush=True)


def kind_of(answer):
    return "refused by both" if "error" in answer else "agree"


# ---------------------------------------------------------------- the parts

def run_cases(seed, count):
    """Random configurations of the built-ins."""
    start, tally = time.monotonic(), Tally("configurations")
    cases = configs.random_cases(seed, count)
    lines = ask_batch([configs.question_of_case(case) for case in cases])
    for case, line, wanted in zip(cases, lines, oracle_answers(cases, configs.search_key)):
        found = compare_case(case, wanted, json.loads(line))
        tally.add(kind_of(wanted), configs.command_of(case), found)
    tally.print(time.monotonic() - start)
    return tally.failures, cases, lines


def run_bodies(seed, count):
    """Random bodies through every order function."""
    start, tally = time.monotonic(), Tally("bodies")
    cases = configs.random_bodies(seed, count)
    questions = [configs.question_of_body(case) for case in cases]
    lines = ask_batch(questions)
    answers = oracle_answers(cases, lambda case: len(case["ops"]) * 31 + len(case["edges"]))
    for case, question, line, wanted in zip(cases, questions, lines, answers):
        found = compare_body(case, wanted, json.loads(line))
        tally.add(kind_of(wanted), repr(question), found)
    tally.print(time.monotonic() - start)
    return tally.failures


def command_output(words, text=None):
    return subprocess.run([SWP, *words], input=text, cwd=TOP, capture_output=True, check=False)


def command_differences(line, done):
    """The command's own answer against the batch driver's for the same settings."""
    answer = json.loads(line)
    status = EXIT_OF[answer["status"]] if "error" in answer else 0
    found = [] if done.returncode == status else \
        [f"exit status {done.returncode}, wanted {status}",
         done.stderr.decode(errors="replace")[:200]]
    wanted = "" if status else line
    if done.stdout.decode().replace("\n", "") != wanted:
        found.append("the output is not that of the library")
    return found


def run_commands(cases, lines):
    """Some of the cases through the command: by --set, and as a description on its input."""
    start, tally = time.monotonic(), Tally("runs of the command")
    step = max(1, len(cases) // COMMAND_CASES)
    for case, line in list(zip(cases, lines))[::step]:
        found = command_differences(line, command_output(configs.words_of(case)))
        tally.add("agree", configs.command_of(case), found)
        description = configs.description_of(case)
        found = command_differences(
            line, command_output(["compile", "-", "--format", "json"], description.encode()))
        tally.add("agree", "swp compile - --format json <<END\n" + description, found)
    tally.print(time.monotonic() - start)
    return tally.failures


def number(name, default):
    return int(os.environ.get(name) or default)


def main():
    for program in (SWP, BATCH):
        if not os.access(program, os.X_OK):
            print(f"oracle: {program} is not built; set SWP, and SWP_BATCH if it is elsewhere")
            return 2
    seed = number("SWP_SEED", 1) or int(time.time())
    print(f"oracle: SWP_SEED={seed}", flush=True)
    failures = check_golden.main(check_golden.GOLDEN_FOLDER)
    failures += check_search.main(100, seed)
    failed, cases, lines = run_cases(seed, number("SWP_CASES", DEFAULT_CASES))
    failures += failed
    failures += run_commands(cases, lines)
    failures += run_bodies(seed, number("SWP_BODIES", DEFAULT_BODIES))
    print(f"oracle: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
