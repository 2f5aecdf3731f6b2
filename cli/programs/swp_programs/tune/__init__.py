# SPDX-License-Identifier: Apache-2.0
"""What `swp tune` is made of: the space, the log, compiling and measuring of variants, and reports."""
