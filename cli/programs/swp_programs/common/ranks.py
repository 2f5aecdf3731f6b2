# SPDX-License-Identifier: Apache-2.0
"""Compares rankings."""
import itertools
import math


def kendall(pairs):
    """tau-b of two rankings."""
    agree = ties_a = ties_b = 0
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        agree += (a > c) - (a < c) if (b > d) else -((a > c) - (a < c)) if (b < d) else 0
        ties_a += a == c
        ties_b += b == d
    count = len(pairs) * (len(pairs) - 1) / 2
    below = math.sqrt((count - ties_a) * (count - ties_b))
    return agree / below if below else None
