# SPDX-License-Identifier: Apache-2.0
"""swp.audit, and the fixture of swp.testing."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import swp
import swp.testing

ROOT = Path(__file__).resolve().parents[2]
RACE = ROOT / "examples" / "audit" / "race.ptx"
MENDED = ROOT / "examples" / "audit" / "mended.ptx"
RING = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry pass(.param .u32 n)
.maxntid 64, 1, 1
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    ld.param.u32 %r1, [n];
    setp.gt.u32 %p1, %r1, 100;
    @!%p1 bra $skip;
    barrier.cluster.arrive;
$skip:
    bar.sync 0;
    ret;
}
"""


def test_a_fault_has_two_instructions() -> None:
    found = swp.audit(RACE)
    assert not found and found.answer == "fault"
    assert found.kernels[0].name == "column_sum"
    assert found.findings[0].kind == "overwritten" and found.findings[0].certain
    assert found.findings[0].at is not None and found.findings[0].at.line == 52
    assert "race.ptx:52: fault[overwritten]" in str(found)


def test_mended_code_has_none() -> None:
    found = swp.audit(MENDED.read_text(), file="mended.ptx")
    assert found and found.file == "mended.ptx" and not found.findings
    assert found.kernels[0].shown


def test_a_launch_is_stated_by_name() -> None:
    found = swp.audit(MENDED, launch={"parameters": ["out", "in", "rows"], "arguments": {"rows": 8}, "grid": [4]})
    assert found
    assert any("rows is 8" in note.why for note in found.assumptions)


def test_a_launch_that_cannot_be() -> None:
    with pytest.raises(swp.InvalidError, match="no parameter is called"):
        swp.audit(MENDED, launch={"arguments": {"columns": 8}})
    with pytest.raises(swp.InvalidError, match="blok"):
        swp.audit(MENDED, launch={"blok": 128})


def test_a_compiled_kernel_of_triton() -> None:
    kernel = SimpleNamespace(asm={"ptx": RACE.read_text()}, metadata=SimpleNamespace(name="column_sum"))
    assert swp.audit(kernel).file == "column_sum.ptx"
    with pytest.raises(TypeError, match="no kernel"):
        swp.audit(SimpleNamespace(asm={}))


def test_a_compiled_kernel_of_cute_dsl() -> None:
    assert swp.audit(SimpleNamespace(__ptx__=RACE.read_text())).file == "kernel.ptx"
    with pytest.raises(TypeError, match="CUTE_DSL_KEEP=ptx"):
        swp.audit(SimpleNamespace(__ptx__=None))


def test_check_passes_what_is_right() -> None:
    assert swp.testing.check(MENDED)


def test_check_fails_with_the_story() -> None:
    with pytest.raises(pytest.fail.Exception, match="fault\\[overwritten\\]"):
        swp.testing.check(RACE)


def test_check_accepts_what_is_known() -> None:
    assert not swp.testing.check(RACE, accept=[("column_sum", "overwritten")])
    with pytest.raises(pytest.fail.Exception):
        swp.testing.check(RACE, accept=[("column_sum", "stale_read")])


def test_check_is_strict_where_asked() -> None:
    assert swp.testing.check(RING).answer == "unknown"
    with pytest.raises(pytest.fail.Exception, match="unknown"):
        swp.testing.check(RING, strict=True)


def test_the_fixture_of_a_project(tmp_path: Path) -> None:
    """What docs/audit.md says: a project's conftest names the plugin, its test takes the fixture."""
    import os
    import subprocess
    import sys

    (tmp_path / "conftest.py").write_text('pytest_plugins = ["swp.testing"]\n')
    (tmp_path / "test_kernels.py").write_text(
        "from pathlib import Path\n\n"
        f"def test_right(audit_kernel):\n    audit_kernel(Path({str(MENDED)!r}))\n\n"
        f"def test_wrong(audit_kernel):\n    audit_kernel(Path({str(RACE)!r}))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path)], capture_output=True, text=True, check=False,
        env=dict(os.environ), cwd=tmp_path,
    )  # fmt: skip
    assert "1 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "nothing orders these two" in ran.stdout
