# SPDX-License-Identifier: Apache-2.0
"""The targets that there are microbenchmarks for, and what their compilers call them."""

ARCHITECTURES = {"sm_80": "arch=compute_80,code=sm_80", "sm_90": "arch=compute_90a,code=sm_90a"}
AMD = {"mi355x": "gfx950"}


def has(architecture, least):
    return list(ARCHITECTURES).index(architecture) >= list(ARCHITECTURES).index(least)
