# SPDX-License-Identifier: Apache-2.0
"""Descriptions in every form come to the same schedules as by the command, and settings count."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import swp
from conftest import ROOT
from swp.descriptions import Source


def test_builtins_are_what_the_command_compiles() -> None:
    command = os.environ.get("SWP")
    if not command:
        pytest.skip("SWP does not name the command")
    for name in ("single_buffer", "pingpong", "gemm_fragments", "gemm_ws"):
        # The clock ends neither of them, however busy the machine is.
        words = [command, "compile", name, "--format", "json", "--work-limit", "100000000"]
        printed = subprocess.run(words, check=True, capture_output=True)
        assert swp.compile(name, work_limit=100_000_000).emit("json") == printed.stdout.decode(), name


def test_a_path_text_objects_and_a_loop_are_one_description(tmp_path: Path, small_loop: Mapping[str, Any]) -> None:
    text = json.dumps(small_loop, indent=1)
    path = tmp_path / "small.yaml"
    path.write_text(text)
    loop = swp.Loop("small", target="mi355x", units={"global_mem": 1})
    loop.unit("valu")
    loop.value("x", bytes=4096, slots=(1, 8))
    loop.value("sum", space="registers", bytes=4)
    loop.op("LOAD", latency=264, uses={"global_mem": 64}, completion="counter", writes=["x"])
    loop.op("ADD", latency=40, uses={"valu": 32}, reads=["x"], updates=["sum"])
    wanted = swp.compile(path).emit("json")
    sources: list[Source] = [str(path), text, small_loop, loop]
    for source in sources:
        assert swp.compile(source).emit("json") == wanted


def test_what_an_op_writes_has_equally_many_slots() -> None:
    loop = swp.Loop("alike", target="mi355x", units={"memory": 1, "valu": 1})
    for name in ("x", "y"):
        loop.value(name, bytes=1024)
    loop.value("sum", space="registers", bytes=4)
    loop.op("LOAD", latency=264, uses={"memory": 64}, completion="counter", writes=["x", "y"], slots=(1, 8))
    loop.op("ADD", latency=40, uses={"valu": 32}, reads=["x"], updates=["sum"])
    loop.op("LATE", latency=40, uses={"valu": 8}, reads=[{"value": "y", "before": 2}], updates=["sum"])
    pipeline = swp.compile(loop).pipeline
    assert pipeline
    slots = {value.name: value.slots for value in pipeline.values}
    assert slots["x"] == slots["y"] > 2


def test_descriptions_of_the_repository_compile() -> None:
    paths = sorted((ROOT / "kernels").glob("*.yaml"))
    assert len(paths) >= 9
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", swp.SwpWarning)  # of searches that the limit ends
        for path in paths:
            assert swp.compile(path, proof="waived", work_limit=200).name == path.stem


def test_settings_of_each_kind() -> None:
    schedule = swp.compile(
        "pingpong",
        settings={"geometry.block": (256, 256, 64), "schedule.auto_waits": False, "schedule.scheduling": "greedy",
                  "schedule.sched_barrier_mask": 0x50, "schedule.max_vgpr": 128},
        proof="waived",
    )  # fmt: skip
    assert schedule.geometry and schedule.geometry["block_m"] == 256
    assert schedule.settings["auto_waits"] is False
    assert schedule.settings["scheduling"] == "greedy"
    assert schedule.settings["sched_barrier_mask"] == "0x50"


def test_variables_of_a_file() -> None:
    path = ROOT / "kernels" / "gemm_ws.yaml"
    schedule = swp.compile(path, settings={"variables.bk": 32}, target="h100")
    assert schedule.pipeline and schedule.pipeline.interval == 512
    assert schedule.target == "sm_90"


def test_numbers_of_other_libraries(small_loop: Mapping[str, Any]) -> None:
    class Integer:
        def __index__(self) -> int:
            return 2048

    small_loop["loop"]["values"][0]["bytes"] = Integer()
    schedule = swp.compile(small_loop)
    assert schedule.pipeline and schedule.pipeline.values[0].bytes % 2048 == 0


def test_a_stopped_search_has_its_best_so_far() -> None:
    with pytest.warns(swp.SwpWarning) as seen:
        schedule = swp.compile("attention_fwd", work_limit=50, proof="waived")
    assert schedule.pipeline and schedule.pipeline.interval == 2048
    assert schedule.warnings[0].code in str(seen[0].message)
    assert seen[0].filename == __file__


def test_a_schedule_that_is_not_safe() -> None:
    with pytest.warns(swp.SwpWarning, match="W0702"):
        unsafe = swp.compile("fourwave")
    with pytest.raises(swp.InfeasibleError, match="E0703"):
        swp.compile("fourwave", proof="required")
    accepted = unsafe.verify(repairs=False).hazards
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        swp.compile("fourwave", proof="required", accept=accepted)


def test_json_comes_back(tmp_path: Path, roles: swp.Schedule) -> None:
    path = tmp_path / "gemm_ws.json"
    roles.save(path)
    again = swp.load(path)
    assert again.emit("json") == path.read_text()
    assert again.roles == roles.roles and again.pipeline == roles.pipeline
