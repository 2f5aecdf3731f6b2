# SPDX-License-Identifier: Apache-2.0
"""Which variants are compiled and measured, and how often."""
import statistics

from .compiling import compile_again, compile_variant
from .measuring import measure_variant
from .progress import Progress
from .results import Results

FINAL = 100  # the round of those that are left of all parts


def candidates(space, results, part):
    of_part = [v for v in results.legal() if v["variant"] % space.parts == part]
    of_part.sort(key=lambda v: (results.predicted(v), v["variant"]))
    return of_part if space.keep >= space.count() else of_part[:max(1, space.keep // space.parts)]


def survivors(results, of_round, keep):
    timed = [(results.rounds[v["variant"], r], v) for v, r in of_round]
    timed = [(statistics.median(t["seconds"]), v["variant"], v) for t, v in timed if "seconds" in t]
    return [v for _, _, v in sorted(timed, key=lambda entry: entry[:2])[:keep]]


class Tuner:
    def __init__(self, space, log, folder, shard):
        self.space, self.log, self.folder, self.shard = space, log, folder, shard
        self.progress = Progress()

    def results(self):
        return Results(self.log.records)

    def own_parts(self):
        first, count = self.shard
        return [part for part in range(self.space.parts) if part % count == first - 1]

    def compile_all(self):
        known, own = self.results().variants, set(self.own_parts())
        todo = [(n, s) for n, s in self.space.variants() if n % self.space.parts in own]
        self.progress.start()
        for done, (number, settings) in enumerate(todo):
            if number not in known:
                self.log.add(compile_variant(self.space, number, settings, self.folder))
            self.progress.show("compiled", done + 1, len(todo))

    def measure_round(self, variants, round_number, repeats):
        done_before = self.results().rounds
        self.progress.start()
        for done, variant in enumerate(variants):
            if (variant["variant"], round_number) not in done_before:
                if not (self.folder / f"{variant['variant']}.h").exists():
                    compile_again(self.space, variant, self.log.place_of(variant), self.folder)
                self.log.add(measure_variant(self.space, variant, round_number, repeats, self.folder))
            name = "final round" if round_number == FINAL else f"round {round_number + 1}"
            self.progress.show(f"{name}: measured", done + 1, len(variants))

    def measure_part(self, part):
        left, repeats = candidates(self.space, self.results(), part), self.space.repeats
        for round_number in range(self.space.rounds):
            if not left:
                return
            self.measure_round(left, round_number, repeats)
            left = survivors(self.results(), [(v, round_number) for v in left], max(1, len(left) // 3))
            repeats *= 3

    def measure_finalists(self):
        # By the rounds before: the final one may have been stopped in the middle.
        before = Results([r for r in self.log.records if r.get("round") != FINAL])
        finalists = before.ranking()[:self.space.finalists]
        if len(finalists) > 1 and self.space.parts > 1:
            self.measure_round(finalists, FINAL, self.space.repeats * 3**(self.space.rounds - 1))

    def tune(self):
        self.compile_all()
        if self.space.measure is None:
            return
        for part in self.own_parts():
            self.measure_part(part)
        if self.shard == (1, 1):
            self.measure_finalists()
