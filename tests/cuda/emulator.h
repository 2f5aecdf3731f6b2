/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_EMULATOR_H
#define TEST_CUDA_EMULATOR_H

/* When an asynchronous copy lands: as its group is committed, when a wait retires it, or either. */
enum class copy_timing { early, late, random };

void emulator_set(copy_timing when, unsigned seed);

#endif
