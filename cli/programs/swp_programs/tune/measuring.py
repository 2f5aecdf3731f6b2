# SPDX-License-Identifier: Apache-2.0
"""Measures a variant with the user's command."""
import datetime
import json
import os
import signal
import subprocess
import time

from ..common.refusal import Refused
from ..common.texts import whole_text
from .log import GOES_ON
from .numbers import LEAST_SECONDS, MOST_SECONDS, is_time

# What the shell says of a command that it cannot execute, or does not find.
CANNOT_RUN = (126, 127)

MOST_SAID = 500  # characters of an error that are kept


def measured_seconds(said):
    """The last JSON object of what the command printed."""
    for line in reversed(said.split("\n")):  # no other character ends a line of JSON
        try:
            result = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(result, dict):
            break
    else:
        raise ValueError("no JSON object on its output")
    error = result.get("error")
    if error is not None and error is not False:  # with figures beside it, too: they are of something that went wrong
        raise ValueError(f"error: {error}" if error != "" else "error: it does not say which")
    seconds = result.get("seconds")
    if not isinstance(seconds, list) or not seconds:
        raise ValueError("its JSON has no list `seconds`")
    if not all(is_time(s) for s in seconds):
        raise ValueError(f"`seconds` are not all from {LEAST_SECONDS:g} to {MOST_SECONDS:g}: {str(seconds)[:80]}")
    return result, [float(s) for s in seconds]


def kill_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended meanwhile


def measure_variant(space, record, round_number, repeats, folder):
    number = record["variant"]
    command = str(space.measure)
    for name, value in {"header": folder / f"{number}.h", "schedule": folder / f"{number}.json",
                        "repeats": repeats, "variant": number,
                        "settings": " ".join(f"{k}={v}" for k, v in record["settings"].items())}.items():
        command = command.replace("{" + name + "}", str(value))
    result = {"variant": number, "round": round_number, "repeats": repeats,
              "at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")}
    began = time.monotonic()
    with subprocess.Popen(["sh", "-c", command], cwd=space.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", start_new_session=True) as child:
        try:
            out, err = child.communicate(timeout=space.measure_limit * repeats)
        except subprocess.TimeoutExpired:
            kill_group(child)
            out = None
        except BaseException:
            kill_group(child)
            raise
    result["took"] = round(time.monotonic() - began, 3)
    if out is None:
        return result | {"failed": f"took longer than {space.measure_limit * repeats} s"}
    if child.returncode != 0:
        ended = f"exit status {child.returncode}" if child.returncode > 0 else f"signal {-child.returncode}"
        failed = f"{ended}: {err.strip()[-200:]}".removesuffix(": ")
        if child.returncode in CANNOT_RUN:
            raise Refused(f"`measure` cannot be run for variant {number}: {failed}", GOES_ON)
        return result | {"failed": failed}
    try:
        said, seconds = measured_seconds(out)
    except ValueError as error:
        return result | {"failed": whole_text(str(error))[:MOST_SAID]}
    if "{repeats}" in str(space.measure) and len(seconds) < repeats:
        raise Refused(f"`measure` printed {len(seconds)} of {repeats} figures for variant {number}: {str(seconds)[:80]}",
                      "`seconds` has one for each of {repeats}; leave {repeats} out where the command decides itself how often")
    result["seconds"] = seconds
    for key in ("device", "clock"):
        if isinstance(said.get(key), str):
            result[key] = whole_text(said[key])
    return result
