/* SPDX-License-Identifier: Apache-2.0 */
/* Slots beyond those that an interval needs, for orders whose waits cost less (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_LOWER_MORE_SLOTS_H
#define SWP_LOWER_MORE_SLOTS_H

#include "swp/loop.h"

/* Whether a pass has few enough iterations for them. */
bool swp_lower_is_short(const swp_loop *loop, const int *slots);

/* The next number of slots that a value may have and that there is room for; false if there is none. */
bool swp_lower_raise_slots(const swp_loop *loop, int *slots, int value);

/* As many as possible, of all values in turn. */
void swp_lower_raise_all_slots(const swp_loop *loop, int *slots);

#endif
