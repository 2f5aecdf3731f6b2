# SPDX-License-Identifier: Apache-2.0
"""Numbers of JSON, which may be integers that no float holds, and those that sums and quotients can be made of."""
import sys

# From a picosecond to thirty years: whatever is made of such times is a number again.
LEAST_SECONDS, MOST_SECONDS = 1e-12, 1e9
MOST_WORK = 1 << 53


def is_above_zero(value, most=sys.float_info.max):
    """Of a number as JSON has it."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most


def is_number(value):
    return value == 0 or is_above_zero(value)


def is_time(value):
    """Seconds that something took."""
    return is_above_zero(value, MOST_SECONDS) and value >= LEAST_SECONDS


def is_work(value):
    return isinstance(value, int) and is_above_zero(value, MOST_WORK)
