# SPDX-License-Identifier: Apache-2.0
"""Exit statuses, those of `swp`."""

DONE, NO, BAD, STOPPED = 0, 1, 2, 3
