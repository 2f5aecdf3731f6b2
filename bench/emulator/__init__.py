# SPDX-License-Identifier: Apache-2.0
"""Runs a work group of an AMD kernel with many of the timings that the machine allows, to see whether they matter.

What addresses and branches are made of is computed as the manuals of CDNA3 and CDNA4 say. Of arithmetic on data only
that is kept which matters here: its result is a number that depends on all bits that it depends on, and on nothing
else, so that a value which comes too early, or from elsewhere, shows in what is stored. An access takes effect at any
moment between its issue and the wait that retires it: vector memory and LDS in order, scalar loads in any.

It shares nothing with `swp audit`, which it judges, and nothing with the interpreters of the tests.

A script that imports it where numpy is missing ends with the status by which ctest skips a test.
"""

import importlib.util
import sys

if not importlib.util.find_spec("numpy"):
    print("no numpy here: nothing is run")
    sys.exit(77)

from .program import program_of
from .refusal import Refused
from .timings import explore

__all__ = ["Refused", "explore", "program_of"]
