#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: times.py libgemm.so [--rounds N] [--json OUT] [--alone]

Times the kernels of libgemm.so, cuBLAS (through torch.mm) and Triton side by side: bf16 in and out, fp32
accumulation, random reals, one process, one CUDA graph of several products for each contestant, all in
turn in every round, so that clocks and heat are alike. The operands of a graph rotate among several sets
that together exceed the L2 cache. Prints TFLOP/s by the median round, the spread of the middle half of
the rounds, and the ratio to cuBLAS.

--alone: each by itself until the clock has settled, 8192 x 8192 x 8192, with the clock and the power drawn.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import time

import torch

SHAPES = [(2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (4096, 14336, 4096), (16384, 2048, 8192)]
SETS_BYTES = 4 * 60e6  # several times the L2 cache of an H200
GRAPH_SECONDS = 6e-3
GUESS = 500e12  # FLOP/s, for the length of a graph
QUICK_ROUNDS = 3  # to choose among Triton's configurations
WARM_UP = 3
SETTLE_SECONDS = 1.0
ALONE_ROUNDS = 30


class Problem(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in "abc"] + [
        (name, ctypes.c_int) for name in ("m", "n", "k", "lda", "ldb", "ldc")]


def own_kernels(path):
    library = ctypes.CDLL(os.path.abspath(path))  # a name without a slash would be looked for in the system's folders
    library.gemm_name.restype = ctypes.c_char_p
    library.gemm_launch.argtypes = [ctypes.c_int, ctypes.POINTER(Problem), ctypes.c_void_p]

    def launcher(index):
        def launch(a, b, c):
            problem = Problem(a.data_ptr(), b.data_ptr(), c.data_ptr(), a.shape[0], b.shape[0], a.shape[1],
                              a.stride(0), b.stride(0), c.stride(0))
            stream = torch.cuda.current_stream().cuda_stream
            error = library.gemm_launch(index, ctypes.byref(problem), stream)
            if error:
                sys.exit(f"{library.gemm_name(index).decode()}: CUDA error {error}")

        return launch

    return {library.gemm_name(i).decode(): launcher(i) for i in range(library.gemm_count())}


def cublas(a, b, c):
    torch.mm(a, b.t(), out=c)


def reals(rows, columns):
    return torch.empty(rows, columns, device="cuda").uniform_(-1, 1).bfloat16()


def operands(m, n, k):
    count = max(2, round(SETS_BYTES / (2 * (m * k + n * k + m * n))) + 1)
    return [(reals(m, k), reals(n, k), reals(m, n)) for _ in range(count)]


def products_of(shape, sets):
    m, n, k = shape
    wanted = GRAPH_SECONDS * GUESS / (2 * m * n * k)
    return max(1, round(wanted / len(sets))) * len(sets)


def capture(launch, sets, products):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        launch(*sets[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(products):
            launch(*sets[i % len(sets)])
    for _ in range(WARM_UP):
        graph.replay()
    torch.cuda.synchronize()
    return graph


def seconds(graph):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    graph.replay()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def in_turn(graphs, rounds):
    """Seconds of every round of each graph; each round begins with another one."""
    names = list(graphs)
    times = {name: [] for name in names}
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            times[name].append(seconds(graphs[name]))
    return times


def check(name, launch, sets, expected):
    a, b, c = sets[0]
    c.fill_(float("nan"))
    launch(a, b, c)
    off = ((c.float() - expected).norm() / expected.norm()).item()
    if not off < 1e-2:
        sys.exit(f"{name}: wrong by {off:.3g} of the result's norm")


def best_triton(sets, products):
    try:
        import triton
        import triton_gemm
    except ImportError as error:
        print(f"no Triton here: {error}")
        return {}
    found = triton_gemm.usable(*sets[0], report=print)
    graphs = {c: capture(launch, sets, products) for c, launch in found}
    times = in_turn(graphs, QUICK_ROUNDS)
    best = min(times, key=lambda c: statistics.median(times[c]))
    name = "triton %s" % triton.__version__
    print(f"{name}: best of {len(found)} configurations {best} (BM, BN, BK, warps, stages)")
    return {name: dict(found)[best]}


def time_shape(shape, own, rounds):
    sets = operands(*shape)
    products = products_of(shape, sets)
    m, n, k = shape
    print(f"\n{m} x {n} x {k}: {products} products a round on {len(sets)} sets, {rounds} rounds")
    contestants = {"cublas": cublas, **best_triton(sets, products), **own}
    expected = torch.mm(sets[0][0].float(), sets[0][1].float().t())
    for name, launch in contestants.items():
        check(name, launch, sets, expected)
    del expected
    graphs = {name: capture(launch, sets, products) for name, launch in contestants.items()}
    times = in_turn(graphs, rounds)
    flop = 2 * m * n * k * products
    rates = {name: sorted(flop / t / 1e12 for t in times[name]) for name in times}
    report(rates)
    return rates


def time_alone(shape, own):
    sets = operands(*shape)
    products = products_of(shape, sets)
    m, n, k = shape
    print(f"{m} x {n} x {k}, each alone for {SETTLE_SECONDS} s first\n{'':24} TFLOP/s   MHz    W")
    for name, launch in {"cublas": cublas, **own}.items():
        graph = capture(launch, sets, products)
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end:
            seconds(graph)
        times, clocks, watts = [], [], []
        for _ in range(ALONE_ROUNDS):
            times.append(seconds(graph))
            clocks.append(torch.cuda.clock_rate())
            watts.append(torch.cuda.power_draw() / 1e3)
        rate = 2 * m * n * k * products / statistics.median(times) / 1e12
        print(f"{name:24} {rate:7.1f} {statistics.median(clocks):5.0f} {statistics.median(watts):4.0f}")


def report(rates):
    reference = statistics.median(rates["cublas"])
    print(f"{'':24} TFLOP/s  middle half     of cuBLAS")
    for name, values in sorted(rates.items(), key=lambda row: -statistics.median(row[1])):
        median, quarter = statistics.median(values), len(values) // 4
        print(f"{name:24} {median:7.1f}  {values[quarter]:6.1f} - {values[-1 - quarter]:6.1f}  "
              f"{median / reference:8.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--json")
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    own = own_kernels(arguments.library)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    if arguments.alone:
        time_alone((8192, 8192, 8192), own)
        return
    rates = {"x".join(map(str, shape)): time_shape(shape, own, arguments.rounds) for shape in SHAPES}
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rates, file)


main()
