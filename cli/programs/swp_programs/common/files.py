# SPDX-License-Identifier: Apache-2.0
"""Writes a file whole or not at all; standard output, a device or a pipe is no file to replace."""
import os
import signal
import sys

from .refusal import Refused


def write_into(path, text):
    if path is None:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who closed the pipe has seen enough: as other commands end
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def replace(path, text):
    beside = f"{path}.new"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def write_out(path, text, hint=None):
    """None and "-" are standard output."""
    path = None if path in (None, "-") else path
    is_no_file = path is None or os.path.exists(path) and not os.path.isfile(path)
    try:
        (write_into if is_no_file else replace)(path, text)
    except OSError as error:
        what = "standard output" if path is None else path
        raise Refused(f"{what} cannot be written: {error.strerror}", hint) from error
