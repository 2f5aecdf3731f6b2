# SPDX-License-Identifier: Apache-2.0
"""What every solver of the comparison is told about a problem, and what it answers.

A model is a function solve(statement, seconds) -> (status, value): "optimal", "feasible" or
"unknown". All get the same edges, windows, horizon (of a greedy schedule) and, for a modulo problem,
the same intervals to try, from the same bound upward.
"""

import json
import resource
import sys
import time


class Statement:
    def __init__(self, problem):
        self.name = problem["name"]
        self.modulo = problem["problem"] == "modulo"
        self.capacity = [resource["capacity"] for resource in problem["resources"]]
        index = {resource["name"]: i for i, resource in enumerate(problem["resources"])}
        self.latency = [op["latency"] for op in problem["ops"]]
        self.uses = [[(index[use["resource"]], use["amount"], use["cycles"]) for use in op["uses"]
                      if use["cycles"] > 0] for op in problem["ops"]]
        self.edges = [(edge["producer"], edge["consumer"],
                       edge.get("delay", self.latency[edge["producer"]]), edge.get("distance", 0))
                      for edge in problem["edges"]]
        self.ops = range(len(self.latency))
        if self.modulo:
            self.bound = max(1, self.resource_bound(), self.cycle_bound())
        else:
            self.horizon = self.greedy()
            self.head, self.tail = self.windows()
            self.bound = max([h + t for h, t in zip(self.head, self.tail)], default=0)

    def resource_bound(self):
        load = [0] * len(self.capacity)
        for uses in self.uses:
            for resource, amount, cycles in uses:
                load[resource] += amount * cycles
        return max([-(-l // c) for l, c in zip(load, self.capacity)], default=0)

    def longest(self, interval):
        """Earliest times at an interval; None where a cycle is positive."""
        times = [0] * len(self.latency)
        for _ in range(len(times) + 1):
            moved = False
            for p, c, delay, distance in self.edges:
                if times[p] + delay - interval * distance > times[c]:
                    times[c] = times[p] + delay - interval * distance
                    moved = True
            if not moved:
                return times
        return None

    def cycle_bound(self):
        low, high = 1, sum(self.latency) + sum(abs(e[2]) for e in self.edges) + 1
        while low < high:
            middle = (low + high) // 2
            if self.longest(middle) is None:
                low = middle + 1
            else:
                high = middle
        return low

    def windows(self):
        head = self.longest(0)
        tail = list(self.latency)
        for _ in self.ops:
            moved = False
            for p, c, delay, _ in self.edges:
                if tail[c] + delay > tail[p]:
                    tail[p] = tail[c] + delay
                    moved = True
            if not moved:
                break
        return head, tail

    def greedy(self):
        """The makespan of a list schedule, longest tail first: the horizon for all."""
        head, tail = self.windows()
        times, taken = {}, [dict() for _ in self.capacity]
        for op in sorted(self.ops, key=lambda i: (-tail[i], head[i], i)):
            t = max([times[p] + d for p, c, d, _ in self.edges if c == op and p in times], default=0)
            while any(taken[r].get(t + k, 0) + a > self.capacity[r]
                      for r, a, cycles in self.uses[op] for k in range(cycles)):
                t += 1
            times[op] = t
            for r, a, cycles in self.uses[op]:
                for k in range(cycles):
                    taken[r][t + k] = taken[r].get(t + k, 0) + a
        ok = all(times[c] >= times[p] + d for p, c, d, _ in self.edges)
        end = max([t + self.latency[op] for op, t in times.items()], default=0)
        return end if ok else sum(self.latency) + sum(abs(e[2]) for e in self.edges)

    def span(self, interval):
        """Iterations that times of a modulo schedule need at most."""
        earliest = self.longest(interval)
        return max(earliest, default=0) // interval + 2


def processor_seconds():
    """Of this process and of what it has run."""
    own, others = (resource.getrusage(who) for who in
                   (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def main(solve, solve_interval):
    """Runs a model on the problem of standard input; argument 1 is its time limit in seconds."""
    statement = Statement(json.load(sys.stdin))
    limit = float(sys.argv[1])
    began = time.monotonic()
    processor_began = processor_seconds()
    if statement.modulo:
        status, value = "unknown", None
        for interval in range(statement.bound, statement.bound + 1000):
            left = limit - (time.monotonic() - began)
            found = solve_interval(statement, interval, left) if left > 0 else None
            if found is None:
                break
            if found:
                status, value = "optimal", interval
                break
    else:
        status, value = solve(statement, limit)
    print(json.dumps({"status": status, "value": value, "seconds": processor_seconds() - processor_began}))
