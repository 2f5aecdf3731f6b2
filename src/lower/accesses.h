/* SPDX-License-Identifier: Apache-2.0 */
/* The counted accesses of ops that do not state their own. */
#ifndef SWP_LOWER_ACCESSES_H
#define SWP_LOWER_ACCESSES_H

#include "swp/compile.h"

/*
 * States the counted accesses of every load, store and fragment load of the phases
 * (docs/verification.md, "What an op does") where the op does not state its own.
 */
void swp_lower_state_accesses(swp_schedule *schedule);

#endif
