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

Insn = collections.namedtuple("Insn", "text line name run queue registers own target wait")


QUIET = re.compile(r"s_nop|s_setprio|s_sleep|s_sched\w*|s_setreg\w*|s_icache\w*|buffer_wbl2|buffer_inv")


def decode(line, text):
    name, _, rest = text.partition(" ")
    name, rest = re.sub(r"_e(32|64)$", "", name), rest.strip()
    wait, target, queue, run, own = None, None, None, None, set()
    if name == "s_waitcnt":
        wait = {counter: int(count) for counter, count in re.findall(r"(\w+)\((\d+)\)", rest)}
        if not wait:
            raise Refused(text)
        return Insn(text, line, name, None, None, set(), own, None, wait)
    if name.startswith(("s_cbranch", "s_branch")):
        return Insn(text, line, name, None, None, set(), own, rest, None)
    if QUIET.fullmatch(name) or name in ("s_barrier", "s_endpgm"):
        return Insn(text, line, name, None, None, set(), own, None, None)
    words = [word.strip() for word in re.split(r",(?![^\[]*\])", rest)]
    ops = [Operand(word.split()[0]) for word in words if word and not re.match(r"\w+:", word)]
    if name.startswith("ds_"):
        queue, run = "ds", parse_ds(name, ops, text)
    elif name.startswith("scratch_"):
        queue, run = "vm", parse_scratch(name, ops, text)
    elif name.startswith(("global_", "buffer_")):
        queue, run = "vm", parse_vm(name, ops, text)
    elif name.startswith("s_load"):
        queue, run = "sm", parse_scalar_load(name, ops)
    else:
        run = scalar_insn(name, ops) if name.startswith("s_") else vector_insn(name, ops, text)
    used = set().union(*(op.registers() for op in ops))
    loads = any(word in name for word in ("load", "read", "permute", "_rtn_"))
    returns = loads or ("atomic" in name and re.search(r"\bsc0\b", text))
    if queue and returns and not re.search(r"\blds\b|_lds_", text):
        own = ops[0].registers()
    return Insn(text, line, name, run, queue, used, own, target, wait)
