# SPDX-License-Identifier: Apache-2.0
"""Programs, by the assembly that a compiler wrote."""

import collections
import re

from .decode import decode
from .lanes import LANES

Program = collections.namedtuple("Program", "insns labels waves user arguments ids")


def number_in(text, key, otherwise=0):
    found = re.search(rf"\.{key}:? +(\d+)", text)
    return int(found[1]) if found else otherwise


USER = (("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg_segment_ptr", 2), ("dispatch_id", 2), ("flat_scratch_init", 2),
        ("private_segment_size", 1))


def read_arguments(text):
    """(offset, bytes, kind) of each of the kernel's own."""
    rows, offset, size = [], 0, 0
    for line in text.splitlines():
        word = line.replace("- ", "  ").strip()
        if word.startswith(".offset:"):
            offset = int(word.split()[1])
        elif word.startswith(".size:"):
            size = int(word.split()[1])
        elif word.startswith(".value_kind:"):
            rows.append((offset, size, word.split()[1]))
    return rows


def program_of(text):
    insns, labels = [], {}
    body = text[text.index("@function"):]
    first = text[:text.index("@function")].count("\n")
    for number, line in enumerate(body.splitlines(), first + 1):
        code = line.split(";")[0].strip()
        if code.startswith((".section", ".Lfunc_end", ".amdhsa_kernel")):
            break
        if code.endswith(":"):
            labels[code[:-1]] = len(insns)
        elif code and not code.startswith(".") and number > first + 1:
            insns.append(decode(number, code))
    user = [name for name, count in USER if number_in(text, f"amdhsa_user_sgpr_{name}") for _ in range(count)]
    user += ["preload"] * number_in(text, "amdhsa_user_sgpr_kernarg_preload_length")
    return Program(insns, labels, number_in(text, "max_flat_workgroup_size", 256) // LANES, user, read_arguments(text),
                   [axis for axis in "xyz" if number_in(text, f"amdhsa_system_sgpr_workgroup_id_{axis}")])


def arguments_of(program, size):
    out = bytearray(512)
    for index, (offset, length, kind) in enumerate(program.arguments):
        known = {"global_buffer": (index + 1) << 36, "by_value": size, "hidden_group_size_x": program.waves * LANES}
        value = known.get(kind, int(kind.startswith(("hidden_block_count", "hidden_group_size"))))
        out[offset:offset + length] = value.to_bytes(length, "little")
    return bytes(out)
