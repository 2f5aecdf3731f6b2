# SPDX-License-Identifier: Apache-2.0
"""Software-pipelined schedules for GPU kernels: describe a loop, compile, prove, simulate and emit its schedule.

>>> import swp
>>> schedule = swp.compile("gemm_ws")
>>> schedule.pipeline.interval, schedule.pipeline.held_by.unit
(1024, 'mma_unit')
>>> bool(schedule.verify())
True

docs/python.md is the manual's chapter.
"""

from ._calls import Progress
from ._library import version
from .audits import Audit, audit
from .descriptions import Loop
from .errors import (
    Diagnostic,
    InfeasibleError,
    InvalidError,
    OutOfMemoryError,
    StoppedError,
    SwpError,
    SwpWarning,
)  # fmt: skip
from .problems import Answer, solve
from .records import Entry, Hazard, Pipeline, Role
from .schedules import (
    Diff,
    Explanation,
    Runs,
    Schedule,
    Simulation,
    Verdict,
    builtins,
    compile,
    diff,
    formats,
    load,
    schema,
    targets,
)  # fmt: skip

__version__ = version()

__all__ = [
    "Answer", "Audit", "Diagnostic", "Diff", "Entry", "Explanation", "Hazard", "InfeasibleError", "InvalidError", "Loop",
    "OutOfMemoryError", "Pipeline", "Progress", "Role", "Runs", "Schedule", "Simulation", "StoppedError", "SwpError",
    "SwpWarning", "Verdict", "audit", "builtins", "compile", "diff", "formats", "load", "schema", "solve", "targets", "version",
]  # fmt: skip
