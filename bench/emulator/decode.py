# SPDX-License-Identifier: Apache-2.0
"""An instruction of a line of assembly."""

import collections
import re

from .lds_access import parse_ds
from .operands import Operand
from .refusal import Refused
from .scalar import scalar_insn
from .scalar_load import parse_scalar_load
from .vector import vector_insn
from .vector_access import parse_scratch, parse_vm

# `run` is what the instruction does to a wave; of an access, which has a `queue`, it gives what is to happen when that
# is done, and `own` are the registers that are written then. `registers` are all; `reads` and `writes` say what a
# result is made of, where that is not an access.
Insn = collections.namedtuple("Insn", "text line name run queue registers own reads writes is_data target wait",
                              defaults=(None, None, *[frozenset()] * 4, False, None, None))

QUIET = re.compile(r"s_nop|s_setprio|s_sleep|s_sched\w*|s_setreg\w*|s_icache\w*|buffer_wbl2|buffer_inv")
COMPARES = re.compile(r"[sv]_cmpx?k?_|s_bitcmp")  # either answer is one that data may have
KEEPS = re.compile(r"writelane|bitset|addk|mulk|swap|_sdwa")  # the result is made of what was there, too


def queue_of(name):
    prefixes = {"ds_": "ds", "scratch_": "vm", "global_": "vm", "buffer_": "vm", "s_load": "sm"}
    return next((queue for prefix, queue in prefixes.items() if name.startswith(prefix)), None)


def access_of(name, ops, text):
    if name.startswith("ds_"):
        return parse_ds(name, ops, text)
    if name.startswith("s_load"):
        return parse_scalar_load(name, ops)
    return parse_scratch(name, ops, text) if name.startswith("scratch_") else parse_vm(name, ops, text)


def loads_registers(name, text):
    loads = any(word in name for word in ("load", "read", "permute", "_rtn_"))
    returns = loads or ("atomic" in name and re.search(r"\bsc0\b", text))
    return returns and not re.search(r"\blds\b|_lds_", text)


def registers_of(ops):
    return set().union(*(op.registers() for op in ops))


def decode(line, text):
    name, _, rest = text.partition(" ")
    name, rest = re.sub(r"_e(32|64)$", "", name), rest.strip()
    if name == "s_waitcnt":
        wait = {counter: int(count) for counter, count in re.findall(r"(\w+)\((\d+)\)", rest)}
        if not wait:
            raise Refused(text)
        return Insn(text, line, name, wait=wait)
    if name.startswith(("s_cbranch", "s_branch")):
        return Insn(text, line, name, target=rest)
    if QUIET.fullmatch(name) or name in ("s_barrier", "s_endpgm"):
        return Insn(text, line, name)
    words = [word.strip() for word in re.split(r",(?![^\[]*\])", rest)]
    ops = [Operand(word.split()[0]) for word in words if word and not re.match(r"\w+:", word)]
    if queue := queue_of(name):
        return Insn(text, line, name, access_of(name, ops, text), queue, registers_of(ops),
                    registers_of(ops[:1]) if loads_registers(name, text) else set())
    run, is_data = (scalar_insn(name, ops), False) if name.startswith("s_") else vector_insn(name, ops, text)
    results = 0 if COMPARES.match(name) else 2 if "swap" in name else 1
    sources = ops if KEEPS.search(name) else ops[results:]
    return Insn(text, line, name, run, None, registers_of(ops), set(), registers_of(sources),
                registers_of(ops[:results]), is_data)
