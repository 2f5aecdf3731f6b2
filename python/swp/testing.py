# SPDX-License-Identifier: Apache-2.0
"""A fixture for pytest that fails with the story of what is wrong in a kernel. It needs no GPU.

    # conftest.py
    pytest_plugins = ["swp.testing"]

    # test_kernels.py
    def test_copy(audit_kernel):
        audit_kernel(copy.warmup(..., grid=(1,)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from .audits import Audit, Finding, Kernel, audit

KernelAuditor = Callable[..., Audit]


def _is_accepted(audited: Audit, finding: Finding, accept: Iterable[tuple[str, str]]) -> bool:
    kernel = audited.kernels[finding.kernel].name if finding.kernel is not None and audited.kernels else ""
    return any(kind == finding.kind and name in kernel for name, kind in accept)


def check(
    kernel: Kernel,
    *,
    launch: Mapping[str, Any] | None = None,
    file: str | None = None,
    strict: bool = False,
    accept: Iterable[tuple[str, str]] = (),
) -> Audit:
    """Audits a kernel, and fails the test where something is surely wrong.

    `strict`: also where it could not be decided. `accept`: (part of the kernel's name, kind) of findings that are known.
    """
    __tracebackhide__ = True
    audited = audit(kernel, launch=launch, file=file)
    accepted = list(accept)
    left = [each for each in audited.findings if not _is_accepted(audited, each, accepted)]
    doubts = any(not each.certain for each in left) or bool(audited.unknown_instructions)
    if any(each.certain for each in left) or (strict and doubts):
        pytest.fail(str(audited), pytrace=False)
    return audited


@pytest.fixture
def audit_kernel() -> KernelAuditor:
    """`swp.testing.check`, for tests that would rather not import it."""
    return check
