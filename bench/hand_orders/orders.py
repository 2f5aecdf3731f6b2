# SPDX-License-Identifier: Apache-2.0
"""The orders in which published kernels issue the ops of the loops in this folder, which name their sources.

Each function gives one turn of the kernel's loop, op by op: its name and how many iterations it is ahead of the oldest. `slots`
says which values have more than one slot there.
"""

import itertools


def slots(most):
    """Patterns of values and how many slots they have; all others have one."""
    def note(order):
        order.slots = most
        return order
    return note


@slots({"[ab]3_1": 2})
def ck_v3():
    products = (f"MMA_{m}_{n}_{k}_{i}" for k, m, n, i in itertools.product(range(2), range(4), range(4), range(2)))
    for part in (t + str(p) for t in "AB" for p in range(4)):
        yield f"WRITE_{part}", 1
        yield next(products), 0
        yield f"LOAD_{part}", 2
        yield from ((next(products), 0) for _ in range(6))
    reads = [f"READ_{t}{m}_{k}" for k in range(2) for t in "AB" for m in range(4)]
    for first in range(0, len(reads), 2):
        yield from ((read, 1) for read in reads[first:first + 2])
        yield next(products), 0


@slots({"[ABabr]*": 2})
def ck_v4():
    products = (f"MMA_{m}_{n}_{k}_{i}" for k, m, n, i in itertools.product(range(4), range(2), range(2), range(2)))
    reads = (f"READ_{t}{m}_{k}" for k in range(4) for t in "AB" for m in range(2))
    for part in (t + str(p) for t in "AB" for p in range(4)):
        for _ in range(2):
            yield next(reads), 1
            yield next(products), 0
        yield f"WRITE_{part}", 2
        yield next(products), 0
        yield f"LOAD_{part}", 4
        yield next(products), 0


@slots({})
def triton_pingpong():
    clusters = [["LOAD_A+1", "READ_A0", "READ_B0"], ["LOAD_B+1", "READ_A1", "READ_B1"],
                ["READ_A2", "READ_B2", "READ_A3", "READ_B3"], ["WRITE_A+1", "WRITE_B+1"]]
    for k, memory in enumerate(clusters):
        for name in memory:
            yield name.removesuffix("+1"), int(name.endswith("+1"))
        yield f"DOT_{k}", 0


@slots({"[AB]?": 2})
def hipkittens_8wave():
    """The early place of the next tile's first fragment of B, which one of the two halves of its loop has."""
    return [("READ_A0", 0), ("LOAD_A1", 1), ("MMA_00", 0),
            ("READ_B1", 0), ("LOAD_B0", 2), ("MMA_01", 0),
            ("READ_A1", 0), ("LOAD_A0", 2), ("MMA_10", 0),
            ("READ_B0", 1), ("LOAD_B1", 2), ("MMA_11", 0)]


@slots({"[AB]*": 2})
def hipkittens_4wave():
    #            loads, two ahead; fragments and how far ahead; quarter of the tile
    quarters = [("A0", "B1", 0, "00"), ("B0", "A1", 0, "01"), ("B1", "A0", 1, "10"), ("A1", "B0", 1, "11")]
    for load, read, ahead, quarter in quarters:
        products = (f"MMA_{quarter}_{r}_{s}" for r, s in itertools.product(range(4), repeat=2))
        yield next(products), 0
        yield next(products), 0
        for part in range(4):
            yield f"LOAD_{load}_{part}", 2
            for i in range(2):
                yield f"READ_{read}_{part}_{i}", ahead
                yield next(products), 0
                if part > 0:
                    yield next(products), 0


@slots({"[AB]": 3})
def cutlass_sm80():
    reads = ["B{}", "A{}_0", "A{}_1", "A{}_2", "A{}_3"]
    yield from ((f"READ_{read.format(1)}", 0) for read in reads)
    yield from ((f"MMA_0_{r}", 0) for r in range(4))
    yield from [("LOAD_A", 2), ("LOAD_B", 2)]
    yield from ((f"READ_{read.format(0)}", 1) for read in reads)
    yield from ((f"MMA_1_{r}", 0) for r in range(4))


@slots({"[ABG]": 4})
def marlin():
    for k in range(2):
        yield from ((f"READ_{t}{1 - k}", k) for t in "GAB")
        if k == 0:
            yield from ((f"LOAD_{t}", 3) for t in "ABG")
        for j in range(4):
            yield f"UNPACK_{k}_{j}", 0
            yield f"MMA_{k}_{j}", 0


@slots({})
def flash_attention_2():
    return [("LOAD_V", 0), ("QK", 0), ("LOAD_K", 1), ("ROW_MAX", 0), ("RESCALE", 0), ("EXP", 0), ("ROW_SUM", 0), ("PV", 0)]


@slots({"[KV]": 2, "scale": 2})
def flash_attention_3():
    return [("QK", 1), ("PV", 0), ("ROW_MAX", 1), ("LOAD_K", 3), ("EXP", 1), ("ROW_SUM", 1), ("RESCALE", 1), ("CONVERT", 1),
            ("LOAD_V", 2)]


@slots({"[AB]": 5, "SA": 5})
def deepgemm():
    return [("READ_S", 0), ("MMA", 0), ("PROMOTE", 0), ("LOAD_A", 5), ("LOAD_SA", 5), ("LOAD_B", 5)]


@slots({"[AB]": 4})
def cutlass_sm90():
    yield from ((f"MMA_{k}", 1) for k in range(4))
    yield from [("LOAD_A", 4), ("LOAD_B", 4)]


ALL = [ck_v3, ck_v4, triton_pingpong, hipkittens_8wave, hipkittens_4wave, cutlass_sm80, marlin, flash_attention_2,
       flash_attention_3, deepgemm, cutlass_sm90]
