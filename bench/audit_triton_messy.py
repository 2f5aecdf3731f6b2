# SPDX-License-Identifier: Apache-2.0
"""Twenty kernels in Triton that were written without the audit in mind, messier than those of audit_triton.py: several loops, pointers
that a loop carries, atomics, locks, gathers, chained products, tensor copies.

    audit_triton_messy.py FOLDER [ARCH...]    writes FOLDER/ARCH_NAME.s or .ptx
"""

import sys
import warnings

from audit_triton import TARGETS, tl, triton, write_cases


@triton.jit
def swapped_pointers(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Even tiles of k come from one matrix, odd ones from the other."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    even = a + rows[:, None] * k + depth[None, :]
    odd = b + rows[:, None] * k + depth[None, :]
    at = c + depth[:, None] * n + columns[None, :]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, k, BK):
        sums += tl.dot(tl.load(even), tl.load(at))
        even, odd = odd + BK, even + BK
        at += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def gated_mlp(x, w, v, y, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    gate = tl.zeros((BM, BN), dtype=tl.float32)
    up = tl.zeros((BM, BN), dtype=tl.float32)
    squares = tl.zeros((BM,), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        depth = i * BK + tl.arange(0, BK)
        left = tl.load(x + rows[:, None] * k + depth[None, :], mask=(rows[:, None] < m) & (depth[None, :] < k), other=0.0)
        inside = (depth[:, None] < k) & (columns[None, :] < n)
        gate = tl.dot(left, tl.load(w + depth[:, None] * n + columns[None, :], mask=inside, other=0.0), gate)
        up = tl.dot(left, tl.load(v + depth[:, None] * n + columns[None, :], mask=inside, other=0.0), up)
        squares += tl.sum(left.to(tl.float32) * left.to(tl.float32), 1)
    scale = tl.rsqrt(squares / k + 1e-6)[:, None]
    gate *= scale
    out = gate * tl.sigmoid(gate) * up * scale
    tl.store(y + rows[:, None] * n + columns[None, :], out.to(tl.bfloat16), mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def router(x, w, choice, counts, m, k, E: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    """The two best of E experts for each row, and how many rows each expert gets."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    experts = tl.arange(0, E)
    scores = tl.zeros((BM, E), dtype=tl.float32)
    for i in range(0, k, BK):
        depth = i + tl.arange(0, BK)
        scores += tl.dot(tl.load(x + rows[:, None] * k + depth[None, :], mask=rows[:, None] < m, other=0.0),
                         tl.load(w + experts[None, :] * k + depth[:, None]))
    for which in tl.static_range(2):
        best = tl.argmax(scores, 1)
        tl.store(choice + rows * 2 + which, best, mask=rows < m)
        hit = (experts[None, :] == best[:, None]) & (rows[:, None] < m)
        tl.atomic_add(counts + experts, tl.sum(hit.to(tl.int32), 0))
        scores = tl.where(experts[None, :] == best[:, None], -float("inf"), scores)


@triton.jit
def block_sparse(a, first, where, b, c, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The blocks of a row of A are listed in memory; two of them are multiplied at a time."""
    row = tl.program_id(0)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    begin = tl.load(first + row)
    end = tl.load(first + row + 1)
    inner = tl.arange(0, BM)[:, None] * BK + tl.arange(0, BK)[None, :]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(begin, end):
        block = tl.load(where + at)
        depth = block * BK + tl.arange(0, BK)
        sums = tl.dot(tl.load(a + at * BM * BK + inner), tl.load(b + depth[:, None] * n + columns[None, :]), sums)
    out = row * BM + tl.arange(0, BM)
    tl.store(c + out[:, None] * n + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def segment_sum(x, segment, y, n, width, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Rows are added up by their segment, in order; what a program has at its ends is added atomically."""
    columns = tl.arange(0, WIDTH)
    start = tl.program_id(0) * BLOCK
    last = tl.load(segment + start)
    sums = tl.zeros((WIDTH,), dtype=tl.float32)
    at = start
    while at < min(start + BLOCK, n):
        now = tl.load(segment + at)
        if now != last:
            tl.atomic_add(y + last * width + columns, sums, mask=columns < width)
            sums = tl.zeros((WIDTH,), dtype=tl.float32)
            last = now
        sums += tl.load(x + at * width + columns, mask=columns < width, other=0.0)
        at += 1
    tl.atomic_add(y + last * width + columns, sums, mask=columns < width)


@triton.jit
def linear_attention(q, k, v, g, out, length, T: tl.constexpr, D: tl.constexpr):
    """In chunks, with a state that decays: four products in a loop, one of which another one reads."""
    base = tl.program_id(0) * length * D
    times = tl.arange(0, T)
    dims = tl.arange(0, D)
    state = tl.zeros((D, D), dtype=tl.float32)
    for start in range(0, length, T):
        at = base + (start + times)[:, None] * D + dims[None, :]
        query = tl.load(q + at)
        key = tl.load(k + at)
        value = tl.load(v + at)
        decay = tl.cumsum(tl.load(g + tl.program_id(0) * length + start + times), 0)
        scores = tl.dot(query, tl.trans(key)) * tl.exp(decay[:, None] - decay[None, :])
        scores = tl.where(times[:, None] >= times[None, :], scores, 0.0)
        result = tl.dot(scores.to(tl.bfloat16), value)
        result += tl.dot(query, state.to(tl.bfloat16)) * tl.exp(decay)[:, None]
        whole = tl.sum(tl.where(times == T - 1, decay, 0.0), 0)
        weighted = (value * tl.exp(whole - decay)[:, None]).to(tl.bfloat16)
        state = state * tl.exp(whole) + tl.dot(tl.trans(key), weighted)
        tl.store(out + at, result.to(tl.bfloat16))


@triton.jit
def capped_attention(q, k, v, lengths, slopes, out, heads, width, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Alibi, soft caps, lengths from memory; whole blocks in a first loop, the last ones in a second."""
    batch = tl.program_id(1) // heads
    base = tl.program_id(1) * width * D
    length = tl.load(lengths + batch)
    slope = tl.load(slopes + tl.program_id(1) % heads)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    dims = tl.arange(0, D)
    if tl.program_id(0) * BM >= length:
        return
    query = tl.load(q + base + rows[:, None] * D + dims[None, :], mask=rows[:, None] < length, other=0.0)
    top = tl.full((BM,), -1e30, dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    sums = tl.zeros((BM, D), dtype=tl.float32)
    whole = tl.program_id(0) * BM // BN * BN
    for start in range(0, whole, BN):
        keys = start + tl.arange(0, BN)
        scores = tl.dot(query, tl.load(k + base + keys[None, :] * D + dims[:, None])) * 0.125
        scores = 30.0 * (2.0 * tl.sigmoid(scores / 15.0) - 1.0) - slope * (rows[:, None] - keys[None, :])
        now = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp(scores - now[:, None])
        total = total * tl.exp(top - now) + tl.sum(powers, 1)
        sums = sums * tl.exp(top - now)[:, None] + tl.dot(powers.to(tl.bfloat16), tl.load(v + base + keys[:, None] * D + dims[None, :]))
        top = now
    for start in range(whole, min(length, tl.program_id(0) * BM + BM), BN):
        keys = start + tl.arange(0, BN)
        scores = tl.dot(query, tl.load(k + base + keys[None, :] * D + dims[:, None], mask=keys[None, :] < length, other=0.0)) * 0.125
        scores = 30.0 * (2.0 * tl.sigmoid(scores / 15.0) - 1.0) - slope * (rows[:, None] - keys[None, :])
        scores = tl.where((keys[None, :] <= rows[:, None]) & (keys[None, :] < length), scores, -1e30)
        now = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp(scores - now[:, None])
        total = total * tl.exp(top - now) + tl.sum(powers, 1)
        value = tl.load(v + base + keys[:, None] * D + dims[None, :], mask=keys[:, None] < length, other=0.0)
        sums = sums * tl.exp(top - now)[:, None] + tl.dot(powers.to(tl.bfloat16), value)
        top = now
    tl.store(out + base + rows[:, None] * D + dims[None, :], (sums / total[:, None]).to(tl.bfloat16), mask=rows[:, None] < length)


@triton.jit
def combine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def selective_scan(x, a, y, length, channels, T: tl.constexpr, C: tl.constexpr):
    """A recurrence over chunks: a scan in each, and what is carried from one to the next."""
    columns = tl.program_id(0) * C + tl.arange(0, C)
    times = tl.arange(0, T)
    carried = tl.zeros((C,), dtype=tl.float32)
    for start in range(0, length, T):
        at = (start + times)[:, None] * channels + columns[None, :]
        inside = ((start + times)[:, None] < length) & (columns[None, :] < channels)
        decay = tl.load(a + at, mask=inside, other=1.0)
        factors, states = tl.associative_scan((decay, tl.load(x + at, mask=inside, other=0.0)), 0, combine)
        states += factors * carried[None, :]
        tl.store(y + at, states, mask=inside)
        carried = tl.sum(tl.where(times[:, None] == T - 1, states, 0.0), 0)


@triton.jit
def flat_persistent(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """All passes of all output tiles in one loop."""
    tiles_n = tl.cdiv(n, BN)
    passes = tl.cdiv(k, BK)
    mine = tl.cdiv(tl.cdiv(m, BM) * tiles_n - tl.program_id(0), tl.num_programs(0))
    tile = tl.program_id(0) - tl.num_programs(0)
    i = -1
    rows = tl.arange(0, BM)
    columns = tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, passes * mine):
        i = tl.where(i == passes - 1, 0, i + 1)
        if i == 0:
            tile += tl.num_programs(0)
            rows = tile // tiles_n * BM + tl.arange(0, BM)
            columns = tile % tiles_n * BN + tl.arange(0, BN)
        sums = tl.dot(tl.load(a + rows[:, None] * k + (i * BK + depth)[None, :]),
                      tl.load(b + (i * BK + depth)[:, None] * n + columns[None, :]), sums)
        if i == passes - 1:
            tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16), mask=(rows[:, None] < m) & (columns[None, :] < n))
            sums = tl.zeros((BM, BN), dtype=tl.float32)


@triton.jit
def copied_persistent(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    tiles_n = tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, BM) * tiles_n, tl.num_programs(0), flatten=True):
        row = tile // tiles_n * BM
        column = tile % tiles_n * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for i in range(0, tl.cdiv(k, BK)):
            sums = tl.dot(a_tiles.load([row, i * BK]), b_tiles.load([column, i * BK]).T, sums)
        c_tiles.store([row, column], sums.to(tl.bfloat16))


@triton.jit
def copied_attention(q, k, v, out, length, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """By tensor copies, by warps that only copy; two products in a loop."""
    base = tl.program_id(1) * length
    q_tiles = tl.make_tensor_descriptor(q, [length * 64, D], [D, 1], [BM, D])
    k_tiles = tl.make_tensor_descriptor(k, [length * 64, D], [D, 1], [BN, D])
    v_tiles = tl.make_tensor_descriptor(v, [length * 64, D], [D, 1], [BN, D])
    out_tiles = tl.make_tensor_descriptor(out, [length * 64, D], [D, 1], [BM, D])
    query = q_tiles.load([base + tl.program_id(0) * BM, 0])
    top = tl.full((BM,), -1e30, dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    sums = tl.zeros((BM, D), dtype=tl.float32)
    for start in tl.range(0, length, BN, warp_specialize=True):
        scores = tl.dot(query, k_tiles.load([base + start, 0]).T) * 0.18
        now = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp2(scores - now[:, None])
        total = total * tl.exp2(top - now) + tl.sum(powers, 1)
        sums = tl.dot(powers.to(tl.bfloat16), v_tiles.load([base + start, 0]), sums * tl.exp2(top - now)[:, None])
        top = now
    out_tiles.store([base + tl.program_id(0) * BM, 0], (sums / total[:, None]).to(tl.bfloat16))


@triton.jit
def copied_split_k(a, b, c, m, n, k, SPLIT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor copies in, additions in memory by a tensor copy out."""
    a_tiles = tl.make_tensor_descriptor(a, [k, m], [m, 1], [BK, BM])
    b_tiles = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(tl.program_id(2), tl.cdiv(k, BK), SPLIT):
        sums += tl.dot(a_tiles.load([i * BK, tl.program_id(0) * BM]).T, b_tiles.load([i * BK, tl.program_id(1) * BN]))
    c_tiles.atomic_add([tl.program_id(0) * BM, tl.program_id(1) * BN], sums)


@triton.jit
def grouped(a, b, c, offsets, groups, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Products of so many rows each, one after the other on all programs."""
    tile = tl.program_id(0)
    before = 0
    for group in range(0, groups):
        begin = tl.load(offsets + group)
        end = tl.load(offsets + group + 1)
        tiles_n = tl.cdiv(n, BN)
        tiles = tl.cdiv(end - begin, BM) * tiles_n
        while tile < before + tiles:
            rows = begin + (tile - before) // tiles_n * BM + tl.arange(0, BM)
            columns = (tile - before) % tiles_n * BN + tl.arange(0, BN)
            sums = tl.zeros((BM, BN), dtype=tl.float32)
            for i in range(0, k, BK):
                depth = i + tl.arange(0, BK)
                x = tl.load(a + rows[:, None] * k + depth[None, :], mask=rows[:, None] < end, other=0.0)
                sums = tl.dot(x, tl.load(b + group * k * n + depth[:, None] * n + columns[None, :]), sums)
            tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16), mask=rows[:, None] < end)
            tile += tl.num_programs(0)
        before += tiles


@triton.jit
def norm_gradients(x, dy, w, dx, dw, lock, rows, columns, BLOCK: tl.constexpr):
    """Gradients of RMS norm; those of the weights behind a lock."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    weights = tl.load(w + at, mask=inside, other=0.0)
    mine = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * columns + at, mask=inside, other=0.0)
        back = tl.load(dy + row * columns + at, mask=inside, other=0.0)
        scale = tl.rsqrt(tl.sum(values * values, 0) / columns + 1e-6)
        normal = values * scale
        shared = tl.sum(normal * back * weights, 0) / columns
        tl.store(dx + row * columns + at, (back * weights - normal * shared) * scale, mask=inside)
        mine += back * normal
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    mine += tl.load(dw + at, mask=inside, other=0.0)
    tl.store(dw + at, mine, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def matrix_power(x, y, times, N: tl.constexpr):
    """A product whose both factors are the result of the last one."""
    at = tl.program_id(0) * N * N + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    power = tl.load(x + at)
    for _ in range(0, times):
        power = tl.dot(power, power).to(tl.bfloat16)
        power = (power / tl.max(tl.abs(power.to(tl.float32)))).to(tl.bfloat16)
    tl.store(y + at, power)


@triton.jit
def triangular_solve(a, b, x, N: tl.constexpr, W: tl.constexpr):
    """Row after row: each needs those before, which are selected by masks and sums."""
    rows = tl.arange(0, N)
    columns = tl.arange(0, W)
    right = tl.load(b + tl.program_id(0) * N * W + rows[:, None] * W + columns[None, :])
    for row in range(0, N):
        line = tl.load(a + tl.program_id(0) * N * N + rows * N + row)
        pivot = tl.sum(tl.where(rows == row, line, 0.0), 0)
        solved = tl.sum(tl.where(rows[:, None] == row, right, 0.0), 0) / pivot
        right = tl.where(rows[:, None] == row, solved[None, :], tl.where(rows[:, None] > row, right - line[:, None] * solved[None, :], right))
    tl.store(x + tl.program_id(0) * N * W + rows[:, None] * W + columns[None, :], right)


@triton.jit
def hadamard(x, y, N: tl.constexpr, LOG: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    values = tl.load(x + at).to(tl.float32)
    for step in tl.static_range(LOG):
        partner = tl.gather(values, tl.arange(0, N) ^ (1 << step), 0)
        values = tl.where((tl.arange(0, N) & (1 << step)) == 0, values + partner, partner - values)
    top = tl.max(tl.abs(values), 0)
    tl.store(y + at, (values / top * 127.0).to(tl.int8))


@triton.jit
def four_bit(x, w, scales, y, m, n, k, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Weights of four bits, two in a byte; a scale for a group of k, in a loop of its own."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for group in range(0, k // GROUP):
        part = tl.zeros((BM, BN), dtype=tl.float32)
        for i in range(0, GROUP, BK):
            depth = group * GROUP + i + tl.arange(0, BK)
            half = (group * GROUP + i) // 2 + tl.arange(0, BK // 2)
            packed = tl.load(w + columns[:, None] * (k // 2) + half[None, :])
            weights = tl.join((packed & 15).to(tl.int8) - 8, ((packed >> 4) & 15).to(tl.int8) - 8)
            weights = tl.reshape(weights, (BN, BK)).to(tl.bfloat16)
            left = tl.load(x + rows[:, None] * k + depth[None, :], mask=rows[:, None] < m, other=0.0)
            part = tl.dot(left, tl.trans(weights), part)
        sums += part * tl.load(scales + group * n + columns)[None, :]
    tl.store(y + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16), mask=rows[:, None] < m)


@triton.jit
def last_one_sums(x, parts, counter, y, n, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    """Each program sums a part; the last one to be done sums the parts."""
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + at, mask=at < n, other=0.0)
    tl.store(parts + tl.program_id(0), tl.sum(sums, 0))
    before = tl.atomic_add(counter, 1, sem="acq_rel")
    if before == tl.num_programs(0) - 1:
        all_parts = tl.arange(0, PARTS)
        values = tl.load(parts + all_parts, mask=all_parts < tl.num_programs(0), other=0.0, volatile=True)
        order = tl.sort(values)
        tl.store(y, tl.sum(order, 0))
        tl.store(counter, 0)


@triton.jit
def sorted_lookup(keys, n, wanted, table, y, count, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    """Where each wanted key is, by halving, and the table's rows there, weighted and summed."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    key = tl.load(wanted + at, mask=at < count, other=0)
    low = tl.zeros((BLOCK,), dtype=tl.int32)
    high = tl.zeros((BLOCK,), dtype=tl.int32) + n
    while tl.max(high - low, 0) > 0:
        middle = (low + high) // 2
        less = tl.load(keys + middle, mask=(middle < n) & (low < high), other=0) < key
        low = tl.where(less & (low < high), middle + 1, low)
        high = tl.where(less | (low >= high), high, middle)
    columns = tl.arange(0, WIDTH)
    found = tl.load(table + low[:, None] * WIDTH + columns[None, :], mask=(low[:, None] < n) & (at[:, None] < count), other=0.0)
    counts = tl.histogram(low & 63, 64)
    tl.atomic_max(y + WIDTH + tl.arange(0, 64), counts)
    tl.atomic_add(y + columns, tl.sum(found, 0).to(tl.int32))


TILES = {"BM": 128, "BN": 128, "BK": 64}


def kernel(function, pointers, integers, constants):
    """Pointers as "NAMES TYPE, …"; all else is Triton's default."""
    signature = {}
    for group in pointers.split(", "):
        *names, kind = group.split()
        signature |= dict.fromkeys(names, "*" + kind)
    return function.__name__, function, signature | dict.fromkeys(integers.split(), "i32"), constants, {}


CASES = (
    kernel(swapped_pointers, "a b c bf16", "n k", TILES),
    kernel(gated_mlp, "x w v y bf16", "m n k", {"BM": 64, "BN": 64, "BK": 32}),
    kernel(router, "x w bf16, choice counts i32", "m k", {"E": 64, "BM": 64, "BK": 64}),
    kernel(block_sparse, "a b c bf16, first where i32", "n", {"BM": 64, "BN": 128, "BK": 64}),
    kernel(segment_sum, "x y fp32, segment i32", "n width", {"BLOCK": 64, "WIDTH": 256}),
    kernel(linear_attention, "q k v out bf16, g fp32", "length", {"T": 64, "D": 64}),
    kernel(capped_attention, "q k v out bf16, lengths i32, slopes fp32", "heads width", {"BM": 64, "BN": 64, "D": 64}),
    kernel(selective_scan, "x a y fp32", "length channels", {"T": 64, "C": 32}),
    kernel(flat_persistent, "a b c bf16", "m n k", TILES),
    kernel(copied_persistent, "a b c bf16", "m n k", TILES),
    kernel(copied_attention, "q k v out bf16", "length", {"BM": 128, "BN": 64, "D": 64}),
    kernel(copied_split_k, "a b bf16, c fp32", "m n k", {"SPLIT": 4, "BM": 64, "BN": 64, "BK": 64}),
    kernel(grouped, "a b c bf16, offsets i32", "groups n k", {"BM": 64, "BN": 128, "BK": 32}),
    kernel(norm_gradients, "x dy w dx dw fp32, lock i32", "rows columns", {"BLOCK": 2048}),
    kernel(matrix_power, "x y bf16", "times", {"N": 64}),
    kernel(triangular_solve, "a b x fp32", "", {"N": 64, "W": 64}),
    kernel(hadamard, "x bf16, y i8", "", {"N": 1024, "LOG": 10}),
    kernel(four_bit, "x y bf16, w i8, scales fp32", "m n k", {"GROUP": 128, "BM": 64, "BN": 64, "BK": 64}),
    kernel(last_one_sums, "x parts y fp32, counter i32", "n", {"BLOCK": 1024, "PARTS": 256}),
    kernel(sorted_lookup, "keys wanted y i32, table fp32", "n count", {"BLOCK": 256, "WIDTH": 32}),
)


def main(folder, *archs):
    write_cases(folder, ((arch, one) for arch in archs or TARGETS for one in CASES))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
