# SPDX-License-Identifier: Apache-2.0
"""What ends the command, and how it is told."""
import sys

from .texts import harmless


class Refused(Exception):
    """A message, and a hint or None."""

    def __init__(self, message, hint=None):
        super().__init__(message)
        self.hint = hint


def tell(message, hint=None):
    print(harmless(f"swp: error[E0912]: {message}" + (f"\n  hint: {hint}" if hint else "")), file=sys.stderr)
