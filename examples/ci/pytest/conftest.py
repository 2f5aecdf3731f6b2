# SPDX-License-Identifier: Apache-2.0
"""Makes `audit_kernel` known to the tests of this folder. None of them needs a GPU."""

pytest_plugins = ["swp.testing"]
