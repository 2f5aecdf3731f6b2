# SPDX-License-Identifier: Apache-2.0
"""The examples in Python of the README and the manual, each page as one session."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import swp
from conftest import ROOT

PAGES = [
    path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if "```python\n" in path.read_text()
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Every other line is blanked, so that failures name the line of the page.
    lines: list[str] = []
    inside = False
    for line in page.read_text().splitlines():
        inside = line == "```python" or (inside and line != "```")
        lines.append(line if inside and line != "```python" else "")
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, page.name, str(page), 0)
    assert test.examples
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def test_every_public_name_is_in_the_manual() -> None:
    manual = (ROOT / "docs" / "python.md").read_text()
    words = set(re.findall(r"\w+", manual))
    assert not [name for name in swp.__all__ if name not in words]
    public = [name for name in vars(swp.Schedule) if not name.startswith("_")]
    assert not [name for name in public if name not in words]
