# SPDX-License-Identifier: Apache-2.0
"""Schedulers (docs/scheduling.md). The exact search implements the definition."""

from functools import lru_cache

from ops import (COMPUTE, GLOBAL_LOAD, GLOBAL_MEM, LDS, MMA_UNIT, VALU, SpecError)

NO_VGPR_LIMIT = 999999


class LoopBody:
    """LoopBody: ops, their d=0 graph, ASAP; construction validates."""

    def __init__(self, ops, edges):
        self.ops, self.edges, self.n = ops, edges, len(ops)
        self._check_fields()
        self.preds = [set() for _ in ops]
        self.succs = [set() for _ in ops]
        for edge in edges:
            if edge.distance == 0:
                self.preds[edge.consumer].add(edge.producer)
                self.succs[edge.producer].add(edge.consumer)
        self.topological = self._topological_order()
        self.asap = [0] * self.n
        for v in self.topological:
            self.asap[v] = max((self.asap[p] + ops[p].latency for p in self.preds[v]), default=0)

    def _check_fields(self):
        """validate and what is refused."""
        for index, op in enumerate(self.ops):
            if op.latency < 0 or op.vgpr_def < 0 or op.vgpr_kill < 0:
                raise SpecError(f"op {index}: negative latency or register count")
        for edge in self.edges:
            for index in (edge.producer, edge.consumer):
                if not 0 <= index < self.n:
                    raise SpecError(f"edge {edge.as_list()}: index out of range")
            if edge.distance < 0:
                raise SpecError(f"edge {edge.as_list()}: negative distance")
            if edge.distance == 0 and edge.producer == edge.consumer:
                raise SpecError(f"edge {edge.as_list()}: self-loop at distance 0")

    def _topological_order(self):
        """Ops in an order of the d=0 edges; a cycle is an error."""
        waiting = [len(p) for p in self.preds]
        order = [v for v in range(self.n) if not waiting[v]]
        for v in order:
            for s in self.succs[v]:
                waiting[s] -= 1
                if not waiting[s]:
                    order.append(s)
        if len(order) < self.n:
            raise SpecError("cycle of edges at distance 0")
        return order

    def respects_edges(self, order):
        place = {v: i for i, v in enumerate(order)}
        return all(place[p] < place[v] for v in range(self.n) for p in self.preds[v])


def evaluate_schedule(loop, order, penalty):
    """_evaluate_schedule of a legal order: (makespan, vgpr_peak)."""
    finish, free = {}, {MMA_UNIT: 0, VALU: 0}
    port, live, peak = 0, 0, 0
    for v in order:
        op = loop.ops[v]
        start = max((finish[p] for p in loop.preds[v]), default=0)
        start = max(start, free.get(op.resource, 0))
        if penalty > 0 and op.resource in (LDS, GLOBAL_MEM):
            start = max(start, port)
            port = start + penalty
        finish[v] = start + op.latency
        if op.resource in free:
            free[op.resource] = finish[v]
        live += op.vgpr_def
        peak = max(peak, live)
        live -= op.vgpr_kill
    return max(finish.values(), default=0), peak


def lower_bound(loop, penalty):
    """Lower bound on the makespan."""
    bound = max((loop.asap[v] + loop.ops[v].latency for v in range(loop.n)), default=0)
    for unit in (MMA_UNIT, VALU):
        users = [v for v in range(loop.n) if loop.ops[v].resource == unit]
        if users:
            bound = max(bound, min(loop.asap[v] for v in users)
                        + sum(loop.ops[v].latency for v in users))
    users = [op for op in loop.ops if op.resource in (LDS, GLOBAL_MEM)]
    if penalty > 0 and users:
        bound = max(bound, (len(users) - 1) * penalty + min(op.latency for op in users))
    return bound


def simple_greedy_schedule(loop):
    """simple_greedy_schedule: always the lowest-index ready op."""
    order, placed = [], set()
    while len(order) < loop.n:
        v = min(v for v in range(loop.n) if v not in placed and loop.preds[v] <= placed)
        order.append(v)
        placed.add(v)
    return order


def greedy_schedule(loop, blocks_per_half=None):
    """greedy_schedule: half by half, block by block, lowest-index ready op.

    A half with fewer COMPUTEs than blocks is none of the errors that the chapter lists, as long
    as its last op is a COMPUTE; construction then counts the blocks.
    """
    order, placed = [], set()
    halves = (range(0, loop.n // 2), range(loop.n // 2, loop.n))
    for half, members in enumerate(halves):
        blocks = blocks_per_half
        if blocks is None:
            blocks = sum(loop.ops[v].role == COMPUTE for v in members)
        for block in range(blocks):
            compute_placed = all(v in placed for v in members)
            while not compute_placed:
                ready = [v for v in members if v not in placed and loop.preds[v] <= placed]
                if not ready:
                    raise SpecError(f"greedy: half {half} block {block}: no op is ready")
                order.append(ready[0])
                placed.add(ready[0])
                compute_placed = loop.ops[ready[0]].role == COMPUTE
        left = [v for v in members if v not in placed]
        if left:
            raise SpecError(f"greedy: half {half}: ops {left} left after its last COMPUTE")
    return order


def obeys_halves(loop, order, max_globals):
    """The extra rules of optimal_schedule_with_halves for a whole order."""
    middle = loop.n // 2
    for first, last in ((0, middle), (middle, loop.n)):
        part = order[first:last]
        if not part or any(not first <= v < last for v in part):
            return False
        if loop.ops[part[-1]].role != COMPUTE:
            return False
        loads = 0
        for v in part:
            role = loop.ops[v].role
            loads = 0 if role == COMPUTE else loads + (role == GLOBAL_LOAD)
            if 0 < max_globals < loads:
                return False
    return True


class ExactSearch:
    """First legal order, lexicographically, within a makespan and a peak.

    Depth first in index order. A state is (placed ops, head of each unplaced op, loads since
    the last COMPUTE). The head of an op is the earliest start that placed ops leave it: not
    before its unit is free (which only gets later), nor before the longest path from the heads
    of its unplaced predecessors; once these are placed, the head is the start of the resource
    model. Nothing else of the past touches the future, so a state that failed once fails again.
    The cuts are lower bounds: head plus latency plus longest path after the op, and the work
    left on each unit, of which the k-th from the largest tail cannot end sooner than k turns.
    """

    def __init__(self, loop, penalty, halves, max_globals):
        self.loop, self.penalty = loop, penalty
        self.halves, self.max_globals = halves, max_globals if halves else 0
        self.all = (1 << loop.n) - 1
        self.pred_mask = [sum(1 << p for p in preds) for preds in loop.preds]
        self.latency = [op.latency for op in loop.ops]
        self.tail = [0] * loop.n
        for v in reversed(loop.topological):
            self.tail[v] = max((self.latency[s] + self.tail[s] for s in loop.succs[v]),
                               default=0)
        self.unit_of = [self._unit(op) for op in loop.ops]
        self.hold = [penalty if unit == 2 else op.latency
                     for op, unit in zip(loop.ops, self.unit_of)]
        self.users = [self._users(unit) for unit in range(3)]
        self.parts = self._parts()

    def _unit(self, op):
        """0 MMA, 1 VALU, 2 LDS port, -1 none."""
        if op.resource == MMA_UNIT:
            return 0
        if op.resource == VALU:
            return 1
        return 2 if self.penalty > 0 and op.resource in (LDS, GLOBAL_MEM) else -1

    def _users(self, unit):
        """Ops on a unit and what follows their start, the longest rest first."""
        users = [(v, self.latency[v] + self.tail[v]) for v in range(self.loop.n)
                 if self.unit_of[v] == unit]
        if unit != 2:
            return sorted(users, key=lambda user: -self.tail[user[0]])
        return sorted(users, key=lambda user: -user[1])

    def _parts(self):
        """Member masks of the parts whose ops stand together: two halves, or everything."""
        if not self.halves:
            return [self.all]
        first = (1 << self.loop.n // 2) - 1
        return [first, self.all & ~first]

    def first_order(self, makespan, peak):
        """The lexicographically first legal order within both limits, or None."""
        self.makespan, self.peak = makespan, peak
        self.failed, self.order = set(), []
        heads = tuple(self.loop.asap)
        if not self._can_end(0, heads):
            return None
        return list(self.order) if self._extend(0, heads, 0, 0) else None

    def _extend(self, placed, heads, loads, live):
        if placed == self.all:
            return True
        key = (placed, heads, loads)
        if key in self.failed:
            return False
        part = next(p for p in self.parts if placed & p != p)
        for v in range(self.loop.n):
            if part >> v & 1 and not placed >> v & 1 and not self.pred_mask[v] & ~placed:
                if self._try(v, placed, heads, loads, live, part):
                    return True
        self.failed.add(key)
        return False

    def _try(self, v, placed, heads, loads, live, part):
        """Place op v next and go on; False when nothing legal follows."""
        op = self.loop.ops[v]
        if live + op.vgpr_def > self.peak:
            return False
        after = placed | 1 << v
        if self.halves:
            if op.role == COMPUTE:
                loads = 0
            elif part & ~after == 0:
                return False
            elif op.role == GLOBAL_LOAD:
                loads += 1
                if 0 < self.max_globals < loads:
                    return False
        heads = self._place(v, after, heads)
        if heads is None or not self._can_end(after, heads):
            return False
        self.order.append(v)
        if self._extend(after, heads, loads, live + op.vgpr_def - op.vgpr_kill):
            return True
        self.order.pop()
        return False

    def _place(self, v, after, heads):
        """Heads once v is placed (0 for placed ops), or None where one is too late."""
        unit, busy = self.unit_of[v], heads[v] + self.hold[v]
        finish = heads[v] + self.latency[v]
        if finish + self.tail[v] > self.makespan:
            return None
        out = list(heads)
        out[v] = 0
        for s in self.loop.succs[v]:
            out[s] = max(out[s], finish)
        for u in self.loop.topological:
            if after >> u & 1:
                continue
            if unit >= 0 and self.unit_of[u] == unit and out[u] < busy:
                out[u] = busy
            end = out[u] + self.latency[u]
            if end + self.tail[u] > self.makespan:
                return None
            for s in self.loop.succs[u]:
                if out[s] < end:
                    out[s] = end
        return tuple(out)

    def _can_end(self, placed, heads):
        """False when the work left on some unit cannot end within the makespan."""
        for unit, users in enumerate(self.users):
            left = [user for user in users if not placed >> user[0] & 1]
            if not left:
                continue
            time = min(heads[v] for v, _ in left)
            for v, rest in left:
                if time + rest > self.makespan:
                    return False
                time += self.hold[v]
        return True


def _smallest(low, high, attempt):
    """Smallest limit in [low, high] for which attempt gives a value; attempt(high) does.

    attempt returns the value reached (at most the limit), or None.
    """
    while low < high:
        middle = (low + high) // 2
        reached = attempt(middle)
        if reached is None:
            low = middle + 1
        else:
            high = reached
    return high


def _exact(loop, seed, penalty, halves, max_globals, max_vgpr):
    """The answer of optimal_schedule and of its form with halves, by definition."""
    limit = float("inf") if max_vgpr >= NO_VGPR_LIMIT else max_vgpr
    bound, seed_value = lower_bound(loop, penalty), None
    if seed is not None:
        makespan, peak = evaluate_schedule(loop, seed, penalty)
        if makespan == bound and peak <= limit:
            return seed
        if peak <= limit and (not halves or obeys_halves(loop, seed, max_globals)):
            seed_value = (makespan, peak)
    search = ExactSearch(loop, penalty, halves, max_globals)
    best = seed_value
    if best is None:
        order = search.first_order(float("inf"), limit)
        if order is None:
            raise SpecError(f"no legal order within max_vgpr {max_vgpr}")
        best = evaluate_schedule(loop, order, penalty)
    best_peak = {best[0]: best[1]}

    def try_makespan(most):
        order = search.first_order(most, limit)
        if order is None:
            return None
        makespan, peak = evaluate_schedule(loop, order, penalty)
        best_peak[makespan] = min(peak, best_peak.get(makespan, peak))
        return makespan

    makespan = _smallest(bound, best[0], try_makespan)

    def try_peak(most):
        order = search.first_order(makespan, most)
        return None if order is None else evaluate_schedule(loop, order, penalty)[1]

    peak = _smallest(0, best_peak[makespan], try_peak)
    if seed_value == (makespan, peak):
        return seed
    return search.first_order(makespan, peak)


def optimal_schedule(loop, max_vgpr=NO_VGPR_LIMIT):
    """optimal_schedule."""
    return _exact(loop, simple_greedy_schedule(loop), 0, False, 0, max_vgpr)


def optimal_schedule_with_halves(loop, max_globals, penalty, max_vgpr, blocks_per_half=None):
    """optimal_schedule_with_halves; a batch solves equal problems once."""
    return list(_with_halves(tuple(loop.ops), tuple(loop.edges), max_globals, penalty, max_vgpr,
                             blocks_per_half))


@lru_cache(maxsize=4096)
def _with_halves(ops, edges, max_globals, penalty, max_vgpr, blocks_per_half):
    """The answer with halves. Where greedy has no answer there is no seed."""
    loop = LoopBody(ops, edges)
    if loop.n == 0:
        raise SpecError("no half of an empty body ends with a COMPUTE")
    try:
        seed = greedy_schedule(loop, blocks_per_half)
    except SpecError:
        seed = None
    return _exact(loop, seed, penalty, True, max_globals, max_vgpr)
