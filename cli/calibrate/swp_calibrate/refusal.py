# SPDX-License-Identifier: Apache-2.0
"""What ends the command."""


class Refused(Exception):
    """A message, and a hint or None."""

    def __init__(self, message, hint=None):
        super().__init__(message)
        self.hint = hint
