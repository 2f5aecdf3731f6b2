# SPDX-License-Identifier: Apache-2.0
"""The shared library that the package calls, loaded once."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from . import _api


def _load() -> ctypes.CDLL:
    # A wheel has a library of its own; a distribution's package takes the distribution's.
    beside = Path(__file__).with_name("libswp.so")
    library = ctypes.CDLL(os.environ.get("SWP_LIBRARY", str(beside) if beside.exists() else _api.SONAME))
    _api.declare(library)
    return library


lib = _load()


def version() -> str:
    """The version of the library, such as "0.2.0".

    >>> import swp
    >>> swp.version() == swp.__version__
    True
    """
    return str(lib.swp_version().decode())
