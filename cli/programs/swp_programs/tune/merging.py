# SPDX-License-Identifier: Apache-2.0
"""Joins logs of one space."""
import json
import os

from ..common.files import write_out
from ..common.refusal import Refused
from ..common.status import DONE
from .log import lock
from .records import Distinct, MadeOn, read_log

AS_THEY_WERE = "the logs are as they were"


def merged(paths):
    """The header and the records of several logs of one space."""
    header, distinct, made_on = None, Distinct(), MadeOn()
    for path in paths:
        found, of_log, _ = read_log(path)
        for key in ("tune", "space", "swp"):
            if header and header.get(key) != found.get(key):
                raise Refused(f"{path} is of another {key} than {paths[0]}: {found.get(key)}, {header.get(key)}")
        header = header or found
        for line, record in enumerate(of_log, 2):
            made_on.take(record, f"{path} was ", "another log")
            distinct.take(record, f"{path}:{line}")
    ordered = [distinct.records[key] for key in sorted(distinct.records, key=lambda key: (key[1] >= 0, key[1], key[0]))]
    return header, ordered


def merge(paths, out):
    header, records = merged(paths)
    if out and os.path.isfile(out):
        with open(out, "ab") as file:
            lock(file, out)  # to replace the log of a run would lose what it still adds
    write_out(out, "".join(json.dumps(record, allow_nan=False) + "\n" for record in [header, *records]), AS_THEY_WERE)
    return DONE
