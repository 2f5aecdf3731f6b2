# SPDX-License-Identifier: Apache-2.0
"""What several tests take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import swp

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def small_loop() -> Mapping[str, Any]:
    """A description as Python objects that compiles in a moment."""
    return {
        "swp": 1,
        "name": "small",
        "target": "mi355x",
        "loop": {
            "units": {"global_mem": 1, "valu": 1},
            "values": [
                {"value": "x", "space": "shared", "bytes": 4096, "slots": [1, 8]},
                {"value": "sum", "space": "registers", "bytes": 4},
            ],
            "ops": [
                {"op": "LOAD", "latency": 264, "uses": {"global_mem": 64}, "completion": "counter", "writes": ["x"]},
                {"op": "ADD", "latency": 40, "uses": {"valu": 32}, "reads": ["x"], "updates": ["sum"]},
            ],
        },
    }


@pytest.fixture(scope="session")
def pingpong() -> swp.Schedule:
    return swp.compile("pingpong")


@pytest.fixture(scope="session")
def unsafe() -> swp.Schedule:
    """With eight hazards that its authors know."""
    return swp.compile("fourwave", proof="waived")


@pytest.fixture(scope="session")
def roles() -> swp.Schedule:
    """With warp roles."""
    return swp.compile("gemm_ws")
