#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels for gfx942 and gfx950 with many of the timings that the machine allows: does any of them matter?

    audit_emulate.py [--effort N] [--seed S] [--sizes N...] FILE.s...

The status is 1 where one does, 2 where one file is not run to its end, else 0.
"""

import argparse
import sys

from emulator import Refused, explore, program_of


def status_of(path, options):
    try:
        with open(path, encoding="utf-8") as file:
            wrong = explore(program_of(file.read()), options.seed, options.effort, options.sizes).wrong
    except (Refused, OSError, UnicodeDecodeError) as error:
        print(f"{path}: not run: {error}")
        return 2
    print(f"{path}: {wrong or 'no timing matters'}")
    return 1 if wrong else 0


def add_options(parser):
    """What says how many runs there are."""
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", type=int, default=8, help="timings (default: 8)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 144],
                        help="all whole numbers among the arguments, in one run after the other (default: 256 144)")


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    options = parser.parse_args()
    return max(status_of(path, options) for path in options.files)


if __name__ == "__main__":
    sys.exit(main())
