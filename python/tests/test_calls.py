# SPDX-License-Identifier: Apache-2.0
"""Long calls: Ctrl-C, progress, limits, threads, memory."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import swp
from swp._calls import Session


def long_problem(ops: int = 40) -> dict[str, Any]:
    """A modulo problem that no method ends in a minute: widths that hardly fit, delays across iterations."""
    state = 12345
    rows, edges = [], []
    for i in range(ops):
        state = (state * 1103515245 + 12345) % 2**31
        uses = [
            {"resource": f"r{j}", "amount": 1 + (state >> (3 * j)) % 7, "cycles": 1 + (state >> (5 + j)) % 9}
            for j in range(3)
        ]
        rows.append({"name": f"op{i}", "latency": 1 + state % 9, "uses": uses})
        if i > 2:
            edges.append({"producer": (state >> 4) % i, "consumer": i, "distance": 0})
            edges.append({"producer": i, "consumer": (state >> 7) % i, "distance": 2})
    resources = [{"name": f"r{j}", "capacity": 11} for j in range(3)]
    return {"swp": 1, "name": "long", "problem": "modulo", "resources": resources, "ops": rows, "edges": edges}


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Sends this process the signal of Ctrl-C."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_control_c_ends_a_search() -> None:
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.3):
        swp.solve(long_problem(), time_limit=60)
    # The package works as before.
    assert swp.solve(long_problem(4)).status == "optimal"


def test_control_c_meets_the_callers_handler() -> None:
    class Cancelled(Exception):
        pass

    def cancel(_number: int, _frame: Any) -> None:
        raise Cancelled

    before = signal.signal(signal.SIGINT, cancel)
    try:
        with pytest.raises(Cancelled), interrupted_after(0.3):
            swp.solve(long_problem(), time_limit=60)
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile() -> None:
    ticks: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    swp.solve(long_problem(), time_limit=0.5)
    ended.set()
    thread.join()
    assert len(ticks) > 5


def test_limits_end_a_search_with_what_is_known() -> None:
    answer = swp.solve(long_problem(), work_limit=500)
    assert answer.status in ("feasible", "unknown")
    again = swp.solve(long_problem(), work_limit=500)
    assert (again.value, again.bound, again.times) == (answer.value, answer.bound, answer.times)


def test_progress_is_told() -> None:
    seen: list[swp.Progress] = []
    swp.solve(long_problem(), time_limit=1, progress=seen.append)
    assert seen and seen[-1].work > 0 and seen[-1].bound > 0


def test_what_progress_raises_comes_out() -> None:
    def fail(_progress: swp.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        swp.solve(long_problem(), time_limit=60, progress=fail)


def test_the_progress_line_goes_away(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swp._calls._is_watched", lambda: True)
    monkeypatch.setattr("swp._calls._SILENT_SECONDS", 0.0)
    swp.solve(long_problem(), time_limit=0.6)
    written = capsys.readouterr().err
    assert "bound" in written and written.endswith("\r")


def test_threads_may_compile_side_by_side() -> None:
    results: list[str] = []

    def work() -> None:
        results.extend(swp.compile("pingpong").emit("json") for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 20 and len(set(results)) == 1


def test_contexts_and_schedules_are_freed() -> None:
    session = Session()
    schedule = swp.compile("pingpong")
    gone: list[weakref.ref[Any]] = [weakref.ref(session), weakref.ref(schedule)]
    gc.disable()
    try:
        del session, schedule
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_leaks() -> None:
    def work() -> None:
        schedule = swp.compile("gemm_ws")
        schedule.verify()
        schedule.simulate()
        with pytest.raises(swp.InvalidError):
            swp.compile("swp: 1\nkernel: nothing\n")

    for _ in range(5):
        work()
    before = resident()
    for _ in range(20):
        work()
    # What one round allocates is more than a megabyte.
    assert resident() - before < 8 << 20


def test_a_process_ends_while_schedules_are_alive() -> None:
    program = "import swp; a = swp.compile('pingpong'); b = a.verify()"
    ended = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
