/* SPDX-License-Identifier: Apache-2.0 */
/* What two ops have to do with each other by the places that they read and make. */
#ifndef SWP_SYNC_ACCESSES_H
#define SWP_SYNC_ACCESSES_H

#include "sync/dataflow.h"

/* What an op reads or makes of a place; NULL: nothing. */
const swp_placed *swp_sync_reads_place(const swp_data_op *op, int place);
const swp_placed *swp_sync_makes_place(const swp_data_op *op, int place);

/* The last position before that one which makes the place; SWP_NO_POSITION: none does. */
int swp_sync_last_maker(const swp_dataflow *flow, int position, int place);

/* The next one after it. */
int swp_sync_next_maker(const swp_dataflow *flow, int position, int place);

/* The tile that the maker at a position makes of a place, in the tiles of pass 0. */
int swp_sync_made_tile(const swp_dataflow *flow, int position, int place);

/* Whether the op at a position waits, by itself, for the access at an earlier one that it reads. */
bool swp_sync_waits_for(const swp_dataflow *flow, int later, int earlier);

/*
 * Whether of two ops with a register in common the earlier one must be retired before the later one
 * issues, and nothing but the schedule sees to it.
 */
bool swp_sync_must_find_done(const swp_dataflow *flow, const swp_data_op *later,
                             const swp_data_op *earlier);

#endif
