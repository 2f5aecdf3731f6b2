/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with all the synchronisation that there can be: whatever their ops do, it is in order. */
#ifndef TEST_SUPPORT_SYNCHRONISED_H
#define TEST_SUPPORT_SYNCHRONISED_H

#include "swp/compile.h"

/* Waits for everything and a barrier on both sides of each entry, in all forms. */
swp_schedule synchronised(swp_context *ctx, const swp_schedule *schedule);

/* The same of one list, but with nothing between the entries from `first` to `last`; -1: everywhere. */
swp_entry_list synchronised_but(swp_context *ctx, const swp_entry_list *entries, int first,
                                int last);

#endif
