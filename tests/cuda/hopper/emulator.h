/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_HOPPER_EMULATOR_H
#define TEST_CUDA_HOPPER_EMULATOR_H

/* When copies and wgmmas take effect: as they are issued, not before a wait needs them, or either. */
enum class timing { early, late, random };

void emulator_set(timing when, unsigned seed, int multiprocessors);

#endif
