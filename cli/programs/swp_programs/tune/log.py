# SPDX-License-Identifier: Apache-2.0
"""The log: one JSON object a line, only ever added to, by one process at a time."""
import errno
import fcntl
import json
import os
import sys

from ..common.refusal import Refused
from .records import Distinct, MadeOn, read_log

GOES_ON = "what the log has is kept; the same command goes on"

# What a file system without locks says, as NFS mounted without them does.
CANNOT_LOCK = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


def line_of(record):
    return (json.dumps(record, allow_nan=False) + "\n").encode()


def is_begun(path, header):
    """Whether a log is there, and more of it than the beginning of its first line, as a full disk leaves it."""
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        begin = file.read(len(line_of(header)))
    return b"\n" in begin or not line_of(header).startswith(begin)


def lock(file, path):
    """Until this process ends, however it does: the commands that it runs do not inherit the lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Refused(f"{path} is in use by another swp tune", "a log is one process's at a time: wait for it, or give another file") from error
    except OSError as error:
        if error.errno not in CANNOT_LOCK:
            raise
        print(f"swp tune: {path} cannot be locked ({error.strerror}): see to it that no other swp tune adds to it", file=sys.stderr)


class Log:
    def __init__(self, path, header):
        self.path, self.records, self.made_on = path, [], MadeOn()
        try:
            self.open(header)
        except OSError as error:
            raise Refused(f"{path} cannot be opened: {error.strerror}") from error

    def open(self, header):
        path = self.path
        if os.path.exists(path) and not os.path.isfile(path):
            raise Refused(f"{path} is no file", "a log is read again when the same command goes on")
        self.file = open(path, "ab", buffering=0)
        lock(self.file, path)
        if is_begun(path, header):
            found, self.records, whole_bytes = read_log(path)
            for key, value in header.items():
                if found.get(key) != value:
                    raise Refused(f"{path} is of another {key}: {found.get(key)}, here {value}",
                                  "give another --log, or go on where it was begun")
            distinct = Distinct()
            for line, record in enumerate(self.records, 2):
                distinct.take(record, f"{path}:{line}")
                self.made_on.take(record, f"{path} was ", "and before that", "a log is of one machine")
            self.file.truncate(whole_bytes)  # what a run that was killed had not finished
        else:
            self.file.truncate(0)
            self.write(header)

    def write(self, record):
        line = line_of(record)
        try:
            while line:
                line = line[self.file.write(line):]
            os.fsync(self.file.fileno())
        except OSError as error:
            raise Refused(f"{self.path} cannot be written: {error.strerror}", GOES_ON) from error

    def place_of(self, record):
        return f"{self.path}:{self.records.index(record) + 2}"

    def add(self, record):
        self.made_on.take(record, "", "but the log", "give another --log")
        self.write(record)
        self.records.append(record)
