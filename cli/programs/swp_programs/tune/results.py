# SPDX-License-Identifier: Apache-2.0
"""What the records say of each variant."""
import math
import statistics


class Results:
    def __init__(self, records):
        self.variants, self.rounds = {}, {}
        for record in records:
            if "round" in record:
                self.rounds[record["variant"], record["round"]] = record
            elif "settings" in record:
                self.variants[record["variant"]] = record

    def legal(self):
        return [v for v in self.variants.values() if "illegal" not in v]

    def predicted(self, variant):
        """Cycles for a unit of work, and where loads are late; what has none comes last."""
        return tuple(variant[key] / variant["work"] if key in variant else math.inf for key in ("cycles", "late_cycles"))

    def last(self, number):
        rounds = [key for key in self.rounds if key[0] == number]
        return self.rounds[max(rounds, key=lambda key: key[1])] if rounds else None

    def seconds(self, number):
        """The median of its last round; None: not measured, or it failed."""
        last = self.last(number)
        return statistics.median(last["seconds"]) if last and "seconds" in last else None

    def ranking(self):
        """Measured variants, those of later rounds first, each by its seconds."""
        measured = [v for v in self.legal() if self.seconds(v["variant"]) is not None]
        return sorted(measured, key=lambda v: (-self.last(v["variant"])["round"], self.seconds(v["variant"]), v["variant"]))
