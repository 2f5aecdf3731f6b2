# SPDX-License-Identifier: Apache-2.0
"""The figures of a target that follow from what was measured, as a target file."""
from ..common.files import write_out
from ..common.refusal import Refused
from .instructions import COPY
from .measurements import measurements_of, name_of, pair_of
from .results import Runs
from .targets import AMD, has

HALF_ROW = 64  # bytes that the copies of halves have of a row
NOISY = 5.0  # percent between the quartiles
MOST = 1000000  # that a figure of a target file may be


def figures_of(runs, like):
    """Each figure's section and key, value, and the measurements that it follows from."""
    newer = like not in AMD and has(like, "sm_90")

    def cycles(key, name):
        yield key, runs.cycles(name), name

    def rate(key, op, amount):
        value, name = runs.rate(op, amount)
        yield key, value, name

    def rate_of_bytes(key, name):
        return key, 1 / runs.cycles(name), name

    def latency_of_tiles(key, one, many):
        """What a tile takes by itself, where all copy, more than one of many."""
        return key, COPY * (runs.cycles(one) - runs.cycles(many)), one

    if like in AMD:
        yield from cycles("load.latency", name_of("load_chain", 1))
        yield rate_of_bytes("load.bytes_per_cycle", "load_all")
        yield from cycles("shared.latency", name_of("lds_chain", 1))
        yield from rate("shared.bytes_per_cycle", "lds", 64 * 16)
        yield from cycles("mma.latency", name_of("mfma_chain", 1))
        yield from rate("mma.products_per_cycle", "mfma", 16 * 16 * 32)
        yield from cycles("vector.latency", name_of("fma_chain", 1))
        yield from rate("vector.lanes_per_cycle", "fma", 64)
        yield from rate("exp.lanes_per_cycle", "exp", 64)
        return
    yield from cycles("shared.latency", name_of("ld_shared_chain", 1))
    yield from rate("shared.bytes_per_cycle", "ld_shared", 512)
    yield from cycles("mma_sync.latency", name_of("mma_sync_chain", 1))
    yield from rate("mma_sync.products_per_cycle", "mma_sync", 16 * 8 * 16)
    yield from cycles("fragment.latency", name_of("ldmatrix_chain", 1))
    yield from rate("fragment.bytes_per_cycle", "ldmatrix", 512)
    yield latency_of_tiles("copy.latency", "copy_turns_beside_mma_sync", "copy_shared_beside_mma_sync")
    yield from cycles("copy.issue", name_of("cp_async", 1))
    beside = pair_of("ldmatrix", "mma_sync")
    if runs.cycles(beside) > 1:
        yield "fragment.mma_percent", 100 * (runs.cycles(beside) - 1), beside
    yield from cycles("vector.latency", name_of("fma_chain", 1))
    yield from rate("vector.lanes_per_cycle", "fma", 32)
    yield from rate("exp.lanes_per_cycle", "exp", 32)
    yield from cycles("sync.arrive", name_of("arrive", 1))
    yield from cycles("sync.barrier", name_of("bar_sync", 8))
    if not newer:
        yield rate_of_bytes("load.bytes_per_cycle", "copy_shared_beside_mma_sync")
    if has(runs.header["target"], "sm_90"):
        yield rate_of_bytes("load.memory_bytes_per_cycle", "bulk_all_memory")
    yield from cycles("sync.wait", name_of(*(("try_wait", 1) if newer else ("wait_group", 1))))
    if not newer:
        return
    yield latency_of_tiles("load.latency", "bulk_l2_turns_beside_wgmma", "bulk_shared_beside_wgmma")
    yield rate_of_bytes("load.bytes_per_cycle", "bulk_shared_beside_wgmma")
    yield "load.row_bytes", HALF_ROW * runs.cycles("bulk_halves_beside_wgmma") / runs.cycles("bulk_shared_beside_wgmma"), "bulk_halves_beside_wgmma"
    yield from cycles("sync.signal", name_of("signal", 2))
    yield from cycles("sync.fence", name_of("fence_async", 1))
    yield from cycles("mma.latency", name_of("wgmma_bf16_256_chain", 4))
    yield from rate("mma.products_per_cycle", "wgmma_bf16_256", 64 * 256 * 16 / 4)


def target_file(runs, like):
    header = runs.header
    lines = ["swp: 1", f"like: {like}", f"meaning: \"measured on an {header['device']}, driver {header.get('driver', 'unknown')}\""]
    section = None
    for key, value, name in sorted(figures_of(runs, like), key=lambda row: row[0]):
        if not 0 < value <= MOST:
            raise Refused(f"`{name}` makes {key} {value:g}", "measure it again: delete the line, and run run.sh")
        spread = runs.spread(name)
        source = (f"measurement: {header.get('date', 'unknown')}, {header['device']}, {name}, median of {runs.repeats(name)}, spread {spread:.1f} %"
                  + (", noisy" if spread > NOISY else ""))
        if key.split(".")[0] != section:
            section = key.split(".")[0]
            lines.append(f"{section}:")
        lines.append(f"  {key.split('.')[1]}: {{value: {max(1, round(value))}, source: \"{source}\"}}")
    return "\n".join(lines) + "\n"


def units_text(runs):
    """What pairs of instructions share, to be read by people."""
    lines = ["side by side, as part of the longer one's time alone: 1 shares nothing, 2 all"]
    lines += [f"  {name:32} {runs.cycles(name):.2f}" for name, _ in measurements_of(runs.header["target"]) if "+" in name]
    return "\n".join(lines) + "\n"


def write_target(paths, like, out):
    runs = Runs(paths)
    measured = runs.header["target"]
    if like and (measured in AMD or not has(measured, like)):
        raise Refused(f"{paths[0]} is of {measured}, which has not all of {like}", f"measure with the benchmarks of {like}")
    text = target_file(runs, like or measured)
    write_out(out, text)
    if out not in (None, "-"):
        write_out(None, units_text(runs))
