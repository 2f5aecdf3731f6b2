/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_TARGET_SM_80_H
#define SWP_TARGET_SM_80_H

#include "swp/target.h"

/*
 * Of 32 bits: those of a thread, and those of an SM or a block of threads (NVIDIA, CUDA C++ programming guide, table of
 * technical specifications per compute capability, as is the shared memory of a block: 163 KiB of 8.0, 227 of 9.0).
 */
enum { SWP_SM_LANE_REGISTERS = 255, SWP_SM_REGISTER_FILE = 65536 };

extern const swp_target swp_target_sm_80;

#endif
