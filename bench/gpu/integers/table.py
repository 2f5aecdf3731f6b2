#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: table.py KERNELS RESULTS: what `check` counted beside what `swp verify` says. Fails if a safe one went wrong."""

import sys

ROW = "{:<44} {:<26} {:>8} {:>7} {:>13} {:>11} {:>7}"


def rows(path):
    with open(path, encoding="utf-8") as f:
        return [line.split() for line in f]


def main():
    verdict = {name: said for name, _, said in rows(sys.argv[1])}
    sums = {True: [0] * 6, False: [0] * 6}
    print(ROW.format("kernel", "swp verify", "launches", "wrong", "results", "wrong", "least N"))
    for name, *figures in rows(sys.argv[2]):
        launches, wrong_launches, results, wrong, least = map(int, figures)
        safe = verdict[name] == "safe"
        counted = [1, wrong_launches > 0, launches, wrong_launches, results, wrong]
        sums[safe] = [a + b for a, b in zip(sums[safe], counted)]
        least_wrong = least if least >= 0 else "-"
        print(ROW.format(name, verdict[name], launches, wrong_launches, results, wrong, least_wrong))
    for safe, word in ((True, "safe"), (False, "unsafe")):
        kernels, wrong_kernels, launches, wrong_launches, results, wrong = sums[safe]
        print(
            f"{word}: {kernels} kernels, {wrong_kernels} wrong; {launches} launches, {wrong_launches} wrong; "
            f"{results} results, {wrong} wrong"
        )
    if sums[True][0] + sums[False][0] == 0:
        return "table.py: no kernel ran: are the names right?"
    return sums[True][1] > 0


if __name__ == "__main__":
    sys.exit(main())
