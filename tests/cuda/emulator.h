/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_EMULATOR_H
#define TEST_CUDA_EMULATOR_H

#include <cstddef>
#include <cstdint>

/* When an asynchronous copy lands: as its group is committed, when a wait retires it, or either. */
enum class copy_timing { early, late, random };

void emulator_set(copy_timing when, unsigned seed);

/* For a thread that can only go on after something that another warp does. */
void wait_for_others();

/* For a copy that is being issued: whether it lands at once. */
bool lands_early();

/* The block's shared memory; an access beyond it ends the test. */
char *shared_at(uint32_t address, size_t bytes);

#endif
