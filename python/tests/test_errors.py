# SPDX-License-Identifier: Apache-2.0
"""Exceptions say what, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import swp


def test_a_file_is_quoted_as_the_command_does(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("swp: 1\nkernel: pingpong\nschedule: {max_vgr: 96}\n")
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile(path)
    error = raised.value
    assert error.first and (error.code, error.first.line, error.first.column) == ("E0102", 3, 12)
    assert error.first.file == str(path)
    assert "max_vgpr" in error.hint
    assert str(error).splitlines()[:3] == [
        f"{path}:3:12: error[E0102]: {error.first.message}",
        "    3 | schedule: {max_vgr: 96}",
        "      |            ^",
    ]
    assert isinstance(error, ValueError)


def test_all_errors_are_there(tmp_path: Path) -> None:
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile("swp: 1\nkernel: pingpongg\nschedule: {max_vgr: 96, scheduling: best}\n")
    assert len([each for each in raised.value.diagnostics if each.severity == "error"]) == 3
    assert {each.file for each in raised.value.diagnostics} == {"<text>"}


def test_objects_have_paths_for_places(small_loop: Mapping[str, Any]) -> None:
    small_loop["loop"]["ops"][1]["reads"] = ["y"]
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile(small_loop)
    assert raised.value.first and raised.value.first.path == "loop.ops[1].reads[0]"
    assert str(raised.value).startswith("<description>: loop.ops[1].reads[0]: error[E0106]: ")


def test_objects_that_no_description_has(small_loop: Mapping[str, Any]) -> None:
    small_loop["loop"]["ops"][0]["latency"] = 2.5
    with pytest.raises(TypeError, match=r"loop\.ops\[0\]\.latency: 2\.5 is a float"):
        swp.compile(small_loop)
    with pytest.raises(TypeError, match="a key of a description is text, not 1"):
        swp.compile({1: 1})  # type: ignore[dict-item]


def test_settings_and_targets_have_places() -> None:
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile("pingpong", settings={"schedule.max_vgpr": 96, "schedule.max_vgr": 64})
    assert raised.value.first and raised.value.first.file == "settings['schedule.max_vgr']"
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile("pingpong", target="mi35x")
    assert raised.value.first and raised.value.first.file == "target"
    assert "mi355x" in raised.value.hint


def test_names_that_are_none() -> None:
    with pytest.raises(swp.InvalidError) as raised:
        swp.compile("pingpnog")
    assert "pingpong" in raised.value.hint
    with pytest.raises(FileNotFoundError):
        swp.compile("no/such/file.yaml")
    with pytest.raises(ValueError, match="NUL"):
        swp.compile("ping\0pong")
    with pytest.raises(ValueError, match="choose one of"):
        swp.compile("pingpong", proof="maybe")  # type: ignore[arg-type]


def test_infeasible() -> None:
    with pytest.raises(swp.InfeasibleError) as raised:
        swp.compile("pingpong", settings={"schedule.max_vgpr": 64})
    assert (raised.value.code, raised.value.hint) == ("E0401", "raise schedule.max_vgpr")


def test_text_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(b"swp: 1\nname: \xff\nkernel: pingpong\n")
    with pytest.raises(swp.InvalidError):
        swp.compile(path)


def test_bad_json() -> None:
    with pytest.raises(swp.InvalidError) as raised:
        swp.Schedule.from_json('{"swp": 1,\n "name": 3}', file="edited.json")
    assert raised.value.first and raised.value.first.file == "edited.json"
