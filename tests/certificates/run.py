#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `swp solve --certificate` writes against `swp check-certificate`, on random problems.

    SWP=path/to/swp tests/certificates/run.py [--cases N] [--seed N] [FILE.jsonl]...

Every optimal and infeasible answer has to have a certificate that is accepted, and the certificate of
one problem has to be refused for another with its name. FILEs of problems are checked too.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(TOP, "build", "dev", "swp")))


def uses(draw, resources):
    """At most one use a resource, so that no op asks for more than there is."""
    wanted = draw.sample(resources, draw.choice((0, 1, 1, 1, min(2, len(resources)))))
    return [{"resource": r["name"], "amount": draw.randint(1, r["capacity"]),
             "cycles": draw.choice((0, 1, 1, 2, 3, 5))} for r in wanted]


def legal(ops, edges):
    """Whether no cycle of distance 0 has a positive delay."""
    path = [[0 if i == j else None for j in range(len(ops))] for i in range(len(ops))]
    for edge in edges:
        if edge["distance"] == 0:
            a, b = edge["producer"], edge["consumer"]
            delay = edge.get("delay", ops[a]["latency"])
            path[a][b] = delay if path[a][b] is None else max(path[a][b], delay)
    for k, i, j in itertools.product(range(len(ops)), repeat=3):
        if path[i][k] is not None and path[k][j] is not None:
            there = path[i][k] + path[k][j]
            path[i][j] = there if path[i][j] is None else max(path[i][j], there)
    return all(path[i][i] <= 0 for i in range(len(ops)))


def problem(draw, name):
    """A legal one."""
    while True:
        drawn = any_problem(draw, name)
        if legal(drawn["ops"], drawn["edges"]):
            return drawn


def any_problem(draw, name):
    kind = draw.choice(("makespan", "modulo", "modulo"))
    resources = [{"name": f"r{i}", "capacity": draw.choice((1, 1, 2, 3, 7))}
                 for i in range(draw.randint(1, 3))]
    ops = [{"name": f"o{i}", "latency": draw.randint(0, 4), "uses": uses(draw, resources)}
           for i in range(draw.randint(0, 11))]
    edges, negative = [], draw.choice((0, 0, 0.3))
    for _ in range(draw.randint(0, 2 * len(ops)) if ops else 0):
        a, b = sorted(draw.choices(range(len(ops)), k=2))
        back = kind == "modulo" and draw.random() < 0.3
        edge = {"producer": b if back else a, "consumer": a if back else b,
                "distance": draw.randint(1, 2) if back or a == b and kind == "modulo" else 0}
        if draw.random() < negative:
            edge = {"producer": b, "consumer": a, "distance": 0, "delay": -draw.randint(0, 6)}
        elif a == b:
            edge["delay"] = min(edge["distance"], 1)
        edges.append(edge)
    return {"swp": 1, "name": name, "problem": kind, "resources": resources, "ops": ops,
            "edges": edges}


def swp(*words):
    return subprocess.run([SWP, *words], capture_output=True, text=True, check=False)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def check(problems, folder, options):
    """(problems, answers, verdicts): solved with certificates, and those checked."""
    answers, proofs = os.path.join(folder, "answers"), os.path.join(folder, "proofs")
    solved = swp("solve", problems, "--format", "json", "-o", answers, "--certificate", proofs,
                 *options)
    if not os.path.exists(answers):
        sys.exit(f"swp solve {problems}: {solved.stderr}")
    checked = swp("check-certificate", problems, answers, proofs, "--format", "json")
    return lines(answers), [json.loads(line) for line in checked.stdout.splitlines()], checked


def judge(path, folder, options):
    """Prints what went wrong with a file; returns how many things did, and the kinds of answers."""
    answers, verdicts, checked = check(path, folder, options)
    kinds, bad = {}, []
    if checked.returncode == 2 or len(verdicts) != len(answers):
        bad.append(f"{len(verdicts)} verdicts on {len(answers)} answers\n{checked.stderr}")
    for answer, verdict in zip(answers, verdicts):
        kind = answer["status"]
        if verdict["refutations"]:
            kind += " by refutation"
        kinds[kind] = kinds.get(kind, 0) + 1
        claims = answer["status"] in ("optimal", "infeasible")
        if verdict["verdict"] == "refused" or claims and verdict["verdict"] != "accepted":
            bad.append(f"{verdict}")
    for what in bad:
        print(f"FAIL {path}: {what}")
    return len(bad), kinds


def swapped(draw, count, folder):
    """Answers and certificates of problems for others of the same name: none proves too much."""
    paths = [os.path.join(folder, name) for name in ("one", "other")]
    optima = []
    for path in paths:
        with open(path, "w", encoding="utf-8") as file:
            for i in range(count):
                file.write(json.dumps(problem(draw, f"p{i}")) + "\n")
        answers, _, _ = check(path, folder, ("--work-limit", "20000"))
        optima.append({a["name"]: a for a in answers})
    # The answers and proofs in the folder are those of "other".
    checked = swp("check-certificate", paths[0], os.path.join(folder, "answers"),
                  os.path.join(folder, "proofs"), "--format", "json")
    bad = refused = 0
    for line in checked.stdout.splitlines():
        verdict = json.loads(line)
        refused += verdict["verdict"] == "refused"
        right = optima[0].get(verdict["name"], {})
        if verdict["verdict"] == "accepted" and verdict["status"] == "optimal" \
                and right.get("status") == "optimal" and right["value"] != verdict["value"]:
            bad += 1
            print(f"FAIL a certificate for another problem is accepted: {verdict}")
    if refused < count // 2:
        bad += 1
        print(f"FAIL only {refused} of {count} certificates for other problems are refused")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=int(os.environ.get("SWP_CASES", "150")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", "1")))
    parser.add_argument("files", nargs="*")
    asked = parser.parse_args()
    if "--certificate" not in swp("help", "solve").stdout:
        print("certificates: this swp solves without certificates; nothing is checked")
        return 0
    draw = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "problems")
        with open(path, "w", encoding="utf-8") as file:
            for i in range(asked.cases):
                file.write(json.dumps(problem(draw, f"p{i}")) + "\n")
        bad, kinds = judge(path, folder, ("--work-limit", "200000"))
        for given in asked.files:
            more, _ = judge(given, folder, ())
            bad += more
        bad += swapped(draw, asked.cases // 3, folder)
    print(f"certificates: seed {asked.seed}, {kinds}, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
