/* SPDX-License-Identifier: Apache-2.0 */
/* What several steps of building a program share. */
#ifndef SWP_LOWER_BLOCKS_H
#define SWP_LOWER_BLOCKS_H

#include "swp/program.h"

/* Whether the mask asks for a drain here and there is something to drain between. */
bool swp_lower_block_drains(const swp_mma_block *block, uint64_t drain_lgkm_mask, size_t index);

/* Whether a fragment of the block is of another channel than its first load: auto_drain's rule. */
bool swp_lower_block_reads_other_channel(const swp_mma_block *block);

/* An lgkm wait joins the entry wait where barriers are minimal, else stands before the MMA. */
void swp_lower_block_set_lgkm_wait(swp_mma_block *block, const swp_schedule_config *sched,
                                   swp_op merged, swp_op alone);

#endif
