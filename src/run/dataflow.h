/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a dataflow read and make (docs/loops-proof.md, "What an entry does"). */
#ifndef SWP_RUN_DATAFLOW_H
#define SWP_RUN_DATAFLOW_H

#include "run/steps.h"
#include "swp/loop.h"

/*
 * Versions are counted in the clock of their value, and so are the ops that make them. What an op of the tile clock
 * makes of a value of the pass clock is no version: it has a tile of its own for each output tile.
 */
enum { SWP_RUN_CLEARED = -(1 << 28) };
static inline int swp_run_cleared(int output_tile)
{
    return SWP_RUN_CLEARED - output_tile;
}

/* How many ops of an iteration before `op` write or update the value. */
int swp_run_makers_before(const swp_loop *loop, int value, int op);
/* How many ops of an iteration do; 0: an input of the loop. */
int swp_run_makers(const swp_loop *loop, int value);

/* The last tile of a version; an input has one tile. */
int swp_run_last_tile(const swp_loop *loop, int value, int version);

/* The version that a tile belongs to. */
int swp_run_version_of(const swp_loop *loop, int value, int tile);

/* Whether an op wants what was written last: it reads the value or updates it. */
bool swp_run_is_read(const swp_loop *loop, int value);

bool swp_run_in_lds(const swp_loop *loop, int value);

/*
 * Whether ops of a wave, or an instance, read the share that another one has of a value: of shared values all, but of
 * what its own role makes an instance reads its own alone, and an input is one share. Registers are each one's own.
 */
bool swp_run_accesses_share(const swp_run_program *program, int value, int wave, int share);

/* Whether an update reads the tile before. Of a shared value a thread of a warp role reads nothing but what it writes over. */
bool swp_run_update_reads(const swp_run_program *program, int value);

#endif
