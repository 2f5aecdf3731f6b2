#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of kernels/cuda/hopper on this machine's GPU, from PyTorch.

usage: hopper.py LIBRARY correct|stress
       hopper.py LIBRARY time|alone [--rounds N] [--json FILE] [--variants NAME,...]

  correct  every kind of tail, stride, epilogue and special value against float64
  time     GEMM beside cuBLAS, attention beside cuDNN and FlashAttention-2: CUDA graphs of a few milliseconds, in
           turn and in an order of chance, medians and spread
  alone    each by itself for a second, in turns, with the clock and the power that it settles at
  stress   2000 runs beside copies that fill the memory system; each result must have the same bits
"""
import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

GEMMS = [(4096, 4096, 4096), (8192, 8192, 8192), (4096, 14336, 4096), (16384, 2048, 8192), (2048, 2048, 2048)]
ATTENTIONS = [(4, 16, 4096), (2, 16, 8192), (1, 16, 16384)]  # batches, heads, length
GRAPH_SECONDS = 4e-3
RATES = {"bf16": 7e14, "e4m3": 12e14, "attention": 6e14}  # about, to size the graphs


def operands(m, n, k, kind):
    of = {"bf16": torch.bfloat16, "e4m3": torch.float8_e4m3fn}[kind]
    return [torch.rand(rows, k, device="cuda").mul(2).sub(1).to(of) for rows in (m, n)]


def variants_of(kind):
    """Of bf16, e4m3 or e4m3_promoted: what stands behind that in a name is the block and what is special."""
    return [name for name in swp_kernels.gemm_variants()
            if name.startswith(kind) and name[len(kind) + 1:][:1].isdigit()]


def by_variant(kind, a, b, c):
    return {name: lambda name=name: swp_kernels.gemm(a, b, out=c, variant=name)
            for name in variants_of(kind) if name in also_timed}


def gemm_problems():
    one = torch.ones((), device="cuda")
    for m, n, k in GEMMS:
        c = torch.empty((m, n), device="cuda", dtype=torch.bfloat16)
        a, b = operands(m, n, k, "bf16")
        yield f"bf16 {m} x {n} x {k}", 2 * m * n * k, RATES["bf16"], {
            "cuBLAS": lambda a=a, b=b, c=c: torch.mm(a, b.T, out=c),
            "swp": lambda a=a, b=b, c=c: swp_kernels.gemm(a, b, out=c),
        } | by_variant("bf16", a, b, c)
    for fast in (True, False):
        for m, n, k in GEMMS[:2] + GEMMS[3:4]:
            c = torch.empty((m, n), device="cuda", dtype=torch.bfloat16)
            a, b = operands(m, n, k, "e4m3")
            yield f"e4m3 {'fast' if fast else 'promoted'} {m} x {n} x {k}", 2 * m * n * k, RATES["e4m3"], {
                "cuBLAS": lambda a=a, b=b, c=c, fast=fast: torch._scaled_mm(
                    a, b.T, one, one, out_dtype=torch.bfloat16, use_fast_accum=fast, out=c),
                "swp": lambda a=a, b=b, c=c, fast=fast: swp_kernels.gemm(a, b, out=c, fast_sums=fast),
            } | by_variant("e4m3" if fast else "e4m3_promoted", a, b, c)


def attention_problems():
    for dim in (128, 64):
        for causal in (False, True):
            for batches, heads, length in ATTENTIONS:
                q, k, v = [torch.randn(batches, heads, length, dim, device="cuda").bfloat16() for _ in range(3)]
                o = torch.empty_like(q)

                def library(backend, q=q, k=k, v=v, causal=causal):
                    with sdpa_kernel(backend):
                        F.scaled_dot_product_attention(q, k, v, is_causal=causal)

                yield (f"attention {batches} x {heads} x {length} x {dim}{' causal' if causal else ''}",
                       4 * batches * heads * length * length * dim // (2 if causal else 1), RATES["attention"], {
                           "cuDNN": lambda library=library: library(SDPBackend.CUDNN_ATTENTION),
                           "FA2": lambda library=library: library(SDPBackend.FLASH_ATTENTION),
                           "swp": lambda q=q, k=k, v=v, o=o, causal=causal: swp_kernels.attention(
                               q, k, v, causal=causal, out=o),
                       })


def problems():
    yield from gemm_problems()
    yield from attention_problems()


def graph_of(function, repeats):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        function()
        torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(repeats):
            function()
    return graph


def replay_seconds(graph, repeats):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    graph.replay()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e-3 / repeats


def time_all(rounds):
    results = []
    for name, flops, rate, kernels in problems():
        repeats = max(1, round(GRAPH_SECONDS * rate / flops))
        graphs = {kernel: graph_of(function, repeats) for kernel, function in kernels.items()}
        seconds = {kernel: [] for kernel in graphs}
        for turn in range(rounds + 2):
            for kernel, graph in random.sample(list(graphs.items()), len(graphs)):
                took = replay_seconds(graph, repeats)
                if turn >= 2:
                    seconds[kernel].append(took)
        medians = {kernel: statistics.median(times) for kernel, times in seconds.items()}
        base = medians[next(iter(kernels))]
        row = {"problem": name, "tflops": {}, "ratio": {}, "spread": {}}
        for kernel, median in medians.items():
            quartiles = statistics.quantiles(seconds[kernel], n=4)
            row["tflops"][kernel] = flops / median / 1e12
            row["ratio"][kernel] = base / median
            row["spread"][kernel] = (quartiles[2] - quartiles[0]) / median
        results.append(row)
        print(f"{name:42}" + "  ".join(f"{kernel} {row['tflops'][kernel]:6.0f} ({row['ratio'][kernel]:.3f}, "
                                       f"{100 * row['spread'][kernel]:.1f} %)" for kernel in medians), flush=True)
    return results


def clock_and_power(stop, readings):
    query = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits"]
    while not stop.is_set():
        said = subprocess.run(query, capture_output=True, text=True, check=False).stdout.split(",")
        if len(said) == 2:
            readings.append((float(said[0]), float(said[1])))


def settle(graph, repeats, seconds):
    """What a replay takes after half of that time, the clock, the power."""
    stop, readings, times = threading.Event(), [], []
    watcher = threading.Thread(target=clock_and_power, args=(stop, readings))
    watcher.start()
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        times.append(replay_seconds(graph, repeats))
    stop.set()
    watcher.join()
    clock, power = (statistics.median(r[i] for r in readings[-3:]) if readings else 0 for i in (0, 1))
    return statistics.median(times[len(times) // 2:]), clock, power


def alone(rounds, seconds=1.0):
    """In turn, as the first one on a cool GPU is the fastest."""
    results = []
    for name, flops, rate, kernels in problems():
        if "8192 x 8192" not in name and "16384 x" not in name:
            continue
        repeats = max(1, round(0.02 * rate / flops))
        graphs = {kernel: graph_of(function, repeats) for kernel, function in kernels.items()}
        seen = {kernel: [] for kernel in graphs}
        for _ in range(rounds):
            for kernel, graph in random.sample(list(graphs.items()), len(graphs)):
                seen[kernel].append(settle(graph, repeats, seconds))
        base = statistics.median(took for took, _, _ in seen[next(iter(kernels))])
        for kernel, turns in seen.items():
            took, clock, power = (statistics.median(of) for of in zip(*turns))
            quartiles = statistics.quantiles([turn[0] for turn in turns], n=4)
            row = {"problem": name, "kernel": kernel, "tflops": flops / took / 1e12, "ratio": base / took,
                   "spread": (quartiles[2] - quartiles[0]) / took, "mhz": clock, "watts": power}
            results.append(row)
            print(f"{name:42}{kernel:18}{row['tflops']:6.0f} TFLOP/s ({row['ratio']:.3f}, {100 * row['spread']:.1f} %) "
                  f"at {clock:.0f} MHz, {power:.0f} W", flush=True)
    return results


def error_of(found, expected):
    return ((found.double() - expected).norm() / expected.norm().clamp_min(1e-30)).item()


def ways_of(kind):
    by_size = {"bf16": {"bf16": {}}, "e4m3": {"e4m3": {}, "e4m3 promoted": {"fast_sums": False}}}[kind]
    return by_size | {name: {"variant": name} for name in swp_kernels.gemm_variants() if name.startswith(kind)}


def correct_gemms():
    sizes = [(1, 8, 16), (128, 256, 64), (129, 264, 80), (127, 40, 4096), (1000, 1016, 1040), (4096, 512, 16)]
    for kind in ("bf16", "e4m3"):
        for m, n, k in sizes:
            for way, choice in ways_of(kind).items():
                a, b = operands(m, n, k, kind)
                bias = torch.randn(n, device="cuda").bfloat16()
                scale = torch.tensor([0.5], device="cuda")
                exact = a.double() @ b.double().T
                plain = error_of(swp_kernels.gemm(a, b, **choice), exact)
                full = error_of(swp_kernels.gemm(a, b, None, scale, scale, bias, "gelu", **choice),
                                F.gelu(exact * 0.25 + bias.double()))
                yield f"{way} {m} x {n} x {k}: {plain:.1e}, epilogue {full:.1e}", \
                    plain < 4e-3 and full < 4e-3
    one = torch.ones((), device="cuda")
    for kind in ("bf16", "e4m3"):
        a, b = (x.float() for x in operands(256, 256, 256, "bf16"))
        a[7, 9] = float("nan")
        if kind == "bf16":  # e4m3 has none
            a[3, 5], b[11, 13] = float("inf"), float("-inf")
        a, b = (x.to({"bf16": torch.bfloat16, "e4m3": torch.float8_e4m3fn}[kind]) for x in (a, b))
        expected = torch.mm(a, b.T) if kind == "bf16" else torch._scaled_mm(  # pylint: disable=protected-access
            a, b.T, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
        for name, how in ways_of(kind).items():
            yield f"{name}, special values", are_alike(swp_kernels.gemm(a, b, **how), expected)


def are_alike(found, expected):
    """The same places have NaN, and the same infinities."""
    return all(torch.equal(of(found), of(expected)) for of in (torch.isnan, torch.isposinf, torch.isneginf))


def exact_attention(q, k, v, causal):
    scores = q.double() @ k.double().transpose(2, 3) * q.shape[3]**-0.5
    if causal:
        seen = torch.ones(scores.shape[2:], device="cuda", dtype=torch.bool).tril(k.shape[2] - q.shape[2])
        scores = scores.masked_fill(~seen, float("-inf"))
    return scores.softmax(3).nan_to_num() @ v.double(), scores.logsumexp(3)


def correct_attentions():
    for dim in (64, 128):
        for queries, keys, causal in [(1, 1, False), (128, 128, True), (130, 257, False), (200, 390, True),
                                      (300, 170, True), (2048, 2048, True), (1000, 4096, False)]:
            q, k, v = [torch.randn(2, 3, length, dim, device="cuda").bfloat16() for length in (queries, keys, keys)]
            o, lse = swp_kernels.attention(q, k, v, causal=causal, log_sum_exp=True)
            expected, sums = exact_attention(q, k, v, causal)
            far = torch.where(lse == sums, 0.0, (lse - sums).abs()).max().item()  # minus infinity where no key is seen
            yield (f"attention {queries} x {keys} x {dim}{' causal' if causal else ''}: {error_of(o, expected):.1e}, "
                   f"log-sum-exp {far:.1e}"), error_of(o, expected) < 6e-3 and far < 1e-3
        for which, value, causal in itertools.product("qkv", ("nan", "inf", "-inf"), (False, True)):
            operands_of = {name: torch.randn(1, 2, 384, dim, device="cuda").bfloat16() for name in "qkv"}
            operands_of[which][0, 1, 200, 5] = float(value)
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                expected = F.scaled_dot_product_attention(*operands_of.values(), is_causal=causal)
            found = swp_kernels.attention(*operands_of.values(), causal=causal)[0]
            yield (f"attention {dim}{' causal' if causal else ''}, {value} in {which}: "
                   f"{found.isnan().sum()} NaN, cuDNN {expected.isnan().sum()}"), are_alike(found, expected)
        # Rows whose scores are all below 0, and those that grow by far more than a rescaling waits for.
        for scale in (1, 30):
            q, k, v = [torch.randn(2, 3, 1000, dim, device="cuda").mul(scale).bfloat16() for _ in range(3)]
            q -= scale / 2
            o, lse = swp_kernels.attention(q, k, v, causal=True, log_sum_exp=True)
            expected, sums = exact_attention(q, k, v, True)
            far = ((lse.double() - sums).abs() / (1 + sums.abs())).max().item()
            yield (f"attention 1000 x 1000 x {dim} causal, operands about {scale}: {error_of(o, expected):.1e}, "
                   f"log-sum-exp {far:.1e} of it"), error_of(o, expected) < 8e-3 and far < 1e-3


def correct():
    bad = 0
    for check in (correct_gemms, correct_attentions):
        for text, right in check():
            print(("ok    " if right else "WRONG ") + text, flush=True)
            bad += not right
    return bad


def stress(runs=2000):
    source = torch.empty(1 << 28, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)
    disturbance = torch.cuda.Stream()
    bad = 0
    functions = {}
    for name in swp_kernels.gemm_variants():
        a, b = operands(1000, 1016, 2064, name.split("_")[0])
        functions[name] = lambda a=a, b=b, name=name: swp_kernels.gemm(a, b, variant=name)
    for dim in (64, 128):
        for causal in (False, True):
            q, k, v = [torch.randn(2, 40, 777, dim, device="cuda").bfloat16() for _ in range(3)]
            functions[f"attention {dim}{' causal' if causal else ''}"] = (
                lambda q=q, k=k, v=v, causal=causal: swp_kernels.attention(q, k, v, causal=causal)[0])
    for name, function in functions.items():
        expected, wrong = function(), 0
        for _ in range(runs):
            with torch.cuda.stream(disturbance):
                target[:random.randrange(1, 1 << 28)].copy_(source[:1], non_blocking=True)
            wrong += not torch.equal(function(), expected)
        print(f"{name}: {wrong} of {runs} runs wrong", flush=True)
        bad += wrong
    return bad


def main():
    global swp_kernels, also_timed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("mode", choices=["correct", "time", "alone", "stress"])
    parser.add_argument("--rounds", type=int, help="2 or more; default: 21 of time, 7 of alone")
    parser.add_argument("--json", metavar="FILE", help="where the figures of time or alone go, too")
    parser.add_argument("--variants", metavar="NAME,...", default="", help="time these GEMMs, too, or `all` of them")
    arguments = parser.parse_args()
    if arguments.mode in ("correct", "stress") and (arguments.rounds is not None or arguments.json or arguments.variants):
        parser.error(f"{arguments.mode} takes no options")
    if arguments.rounds is not None and arguments.rounds < 2:
        parser.error("a spread needs two rounds")
    if not os.path.isfile(arguments.library):
        parser.error(f"{arguments.library} is no file; docs/kernels.md says how libswp_kernels.so is made")
    os.environ["SWP_KERNELS"] = arguments.library
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, os.path.join(here, "../../kernels/cuda/hopper"))
    import swp_kernels
    known = swp_kernels.gemm_variants()
    also_timed = known if arguments.variants == "all" else [name for name in arguments.variants.split(",") if name]
    if not set(also_timed) <= set(known):
        parser.error(f"the variants are {', '.join(known)}")
    torch.manual_seed(1)
    random.seed(1)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
          f"cuDNN {torch.backends.cudnn.version()}", flush=True)
    if arguments.mode in ("correct", "stress"):
        return 1 if {"correct": correct, "stress": stress}[arguments.mode]() else 0
    results = time_all(arguments.rounds or 21) if arguments.mode == "time" else alone(arguments.rounds or 7)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
