# SPDX-License-Identifier: Apache-2.0
"""What the tests of the C header count and write."""

import os

failures, done = [], 0


def check(holds, what):
    global done
    done += 1
    if not holds:
        failures.append(what)
    return bool(holds)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
