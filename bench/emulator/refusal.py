# SPDX-License-Identifier: Apache-2.0
"""Why a program is not run to its end."""


class Refused(Exception):
    """What this program does not know."""


class Wrong(Exception):
    """A register that is used while its load is in flight."""
