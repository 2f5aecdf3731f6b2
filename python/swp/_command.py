# SPDX-License-Identifier: Apache-2.0
"""The command `swp` of a wheel: the program lies beside the library."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    program = Path(__file__).with_name("swp")
    os.execv(program, ["swp", *sys.argv[1:]])
