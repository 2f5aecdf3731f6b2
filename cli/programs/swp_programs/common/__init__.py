# SPDX-License-Identifier: Apache-2.0
"""What the programs in Python have in common."""
