# SPDX-License-Identifier: Apache-2.0
"""What `swp calibrate` is made of: tables of instructions, the microbenchmarks of them, and the figures of what these measure."""
