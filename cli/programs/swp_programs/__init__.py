# SPDX-License-Identifier: Apache-2.0
"""What the programs swp-tune and swp-calibrate are made of."""
