# SPDX-License-Identifier: Apache-2.0
"""Accesses to memory and the decoder of statements.

An access reads its source registers when it issues; what it does to LDS and to registers it does at one moment
between then and the wait that retires it. Loads from global memory find what nobody writes.
"""

import re
from dataclasses import dataclass
from typing import Callable

from isa import EXEC, LANES, M0, MASK, VCC, Insn, Operand, put_scalar, put_vector, scalar_insn, vector_insn

ATOMIC = {
    "add_u32": lambda old, data: old + data & MASK,
    "sub_u32": lambda old, data: old - data & MASK,
    "and_b32": lambda old, data: old & data,
    "or_b32": lambda old, data: old | data,
    "xor_b32": lambda old, data: old ^ data,
    "min_u32": min,
    "max_u32": max,
    "inc_u32": lambda old, data: 0 if old >= data else old + 1,
    "wrxchg_rtn_b32": lambda old, data: data,
}
DWORDS = {"b32": 1, "b64": 2, "b128": 4, "dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4, "dwordx8": 8}


@dataclass
class Flight:
    insn: Insn
    registers: dict  # register: in which lanes it will be written
    land: Callable  # does it


def load_scalar(insn, ops):
    count = DWORDS[insn.name.split("_")[-1]] if insn.name != "s_memtime" else 2
    insn.writes = list(range(ops[0].at, ops[0].at + count))
    insn.reads = sum((op.registers() for op in ops[1:]), [])

    def run(wave):
        if insn.name == "s_memtime":
            values = [wave.chance(), 0]
        else:
            address = ops[1].scalar(wave, 64) + ops[2].scalar(wave)
            values = [wave.memory(address + 4 * part) for part in range(count)]

        def land():
            for part, value in enumerate(values):
                put_scalar(wave, ops[0].at + part, value)
        return Flight(insn, dict.fromkeys(insn.writes, (True,) * len(LANES)), land)
    insn.run = run


def global_addresses(wave, ops, modifiers, buffer):
    """Where each lane finds its data, in global memory."""
    offset = modifiers.get("offset", 0)
    if buffer:
        base = (ops[1].scalar(wave, 64) & (1 << 48) - 1) + ops[2].scalar(wave)
    else:
        base = ops[1].scalar(wave, 64)
    return [base + offset + lane for lane in ops[0].lanes(wave)]


def access_global(insn, ops, modifiers):
    """global_ and buffer_, loads to registers and to LDS, and stores."""
    name, buffer = insn.name, insn.name.startswith("buffer_")
    count = DWORDS[name.split("_")[-1]]
    to_lds, store = "lds" in modifiers or "_lds_" in name, "_store_" in name
    address = ops if to_lds else ops[1:]
    if store and not buffer:
        ops[0], address = ops[1], [ops[0], ops[2]]
    insn.reads = sum((op.registers() for op in (ops if store or to_lds else ops[1:])), [])
    insn.reads += [M0] if to_lds else []
    insn.writes = [] if store or to_lds else list(range(ops[0].at, ops[0].at + count))

    def run(wave):
        on = wave.active()
        places = global_addresses(wave, address, modifiers, buffer)
        if store:
            wave.store([(place, [ops[0].lanes(wave, part)[i] for part in range(count)])
                        for i, place in enumerate(places) if on[i]])
            return Flight(insn, {}, lambda: None)
        data = [[wave.memory(place + 4 * part) for place in places] for part in range(count)]
        to = (wave.scalars[M0] & 0xffff) + modifiers.get("offset", 0)

        def land():
            for part, values in enumerate(data):
                if not to_lds:
                    put_vector(wave, ops[0].at + part, values, on)
                    continue
                for lane, value, yes in zip(LANES, values, on):
                    if yes:
                        wave.lds[to + 4 * count * lane + 4 * part] = value
        return Flight(insn, dict.fromkeys(insn.writes, tuple(on)), land)
    insn.run = run


def access_lds(insn, ops, modifiers):
    """ds_read, ds_write and atomics; the LDS is a dict of dwords."""
    what = insn.name[3:]
    two, read = "2" in what.split("_")[0], what.startswith("read")
    atomic = ATOMIC.get(what, ATOMIC.get(what.replace("_rtn", ""))) if not what.startswith(("read", "write")) else None
    returns = read or "_rtn" in what
    count = 1 if atomic else DWORDS[what.split("_")[-1]]
    offsets = [modifiers.get(f"offset{i}", 0) * 4 * count for i in range(2)] if two else [modifiers.get("offset", 0)]
    address, data = ops[1 if returns else 0], ops[2 if returns else 1:]
    insn.writes = ops[0].registers() if returns else []
    insn.reads = sum((op.registers() for op in ops[1 if returns else 0:]), [])

    def run(wave):
        on, places = wave.active(), list(address.lanes(wave))
        given = [[list(op.lanes(wave, part)) for part in range(count)] for op in data]

        def dword(i, n, part):
            place = places[i] + offsets[n] + 4 * part
            if returns:
                held = wave.lds.get(place)
                register = ops[0].at + n * count + part
                put_vector(wave, register, [wave.nothing(place) if held is None else held] * len(LANES),
                           [i == j for j in range(len(LANES))])
            if atomic:
                wave.lds[place] = atomic(wave.lds.get(place, wave.nothing(place)), given[0][0][i])
            elif not read:
                wave.lds[place] = given[n][part][i]

        def land():
            for i in range(len(LANES)):
                for n in range(len(offsets) if on[i] else 0):
                    for part in range(count):
                        dword(i, n, part)
        return Flight(insn, dict.fromkeys(insn.writes, tuple(on)), land)
    insn.run = run


def waits(text):
    """(vmcnt, lgkmcnt) that s_waitcnt lets stay."""
    argument = text.split(None, 1)[1]
    if re.fullmatch(r"(0x)?[0-9a-f]+", argument):
        bits = int(argument, 0)
        return bits & 15 | bits >> 14 << 4, bits >> 8 & 15
    found = {name: int(count, 0) for name, count in re.findall(r"(vmcnt|lgkmcnt)\((\w+)\)", argument)}
    return found.get("vmcnt", 63), found.get("lgkmcnt", 15)


def decode(line, text):
    """An instruction; ValueError or KeyError where it is none of those known here."""
    name, _, rest = text.partition(" ")
    insn = Insn(text, line, name)
    if name in ("s_nop", "s_barrier", "s_endpgm", "s_sleep", "s_setprio"):
        return insn
    if name == "s_waitcnt":
        insn.wait = waits(text)
        return insn
    if name == "s_branch" or name.startswith("s_cbranch_"):
        insn.target = rest
        insn.reads = [VCC, VCC + 1] if "vcc" in name else [EXEC, EXEC + 1] if "exec" in name else []
        return insn
    modifiers = {key: int(value or "1", 0) for key, value in re.findall(r"\b(offset[01]?|offen|lds)\b(?::(\w+))?", rest)}
    rest = re.sub(r"\b(offset[01]?:\w+|offen|lds)\b", "", rest)
    if name == "s_getreg_b32":
        insn.writes = Operand(rest.split(",")[0].strip()).registers()
        insn.run = lambda wave: put_scalar(wave, insn.writes[0], wave.chance())
        return insn
    ops = [Operand(op) for op in re.sub(r"\s+", " ", rest.replace(",", " ")).split()]
    if name.startswith(("s_load_", "s_memtime")):
        insn.queue = "sm"
        load_scalar(insn, ops)
    elif name.startswith("ds_"):
        insn.queue = "ds"
        access_lds(insn, ops, modifiers)
    elif name.startswith(("global_", "buffer_")):
        insn.queue = "vm"
        access_global(insn, ops, modifiers)
    elif name.startswith("v_"):
        vector_insn(insn, name, ops)
    else:
        scalar_insn(insn, name, ops)
    return insn
