# SPDX-License-Identifier: Apache-2.0
"""Numbers of JSON, which may be integers that no float holds."""
import sys


def is_above_zero(value):
    """Of a number as JSON has it, which may be an integer that no float holds."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= sys.float_info.max


def is_number(value):
    return value == 0 or is_above_zero(value)
