/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel judged with several numbers of threads, as its file does not say how many it has. */
#ifndef SWP_AUDIT_PTX_BLOCK_TRIALS_H
#define SWP_AUDIT_PTX_BLOCK_TRIALS_H

#include "audit/ptx/block_sizes.h"
#include "audit/ptx/exploration.h"

/* Judges a kernel as it is, with its number of threads. */
typedef swp_status swp_ptx_judgement(swp_ptx_exploration *t);

/*
 * Judges it with each size: what is wrong in all of them is a fault, what is wrong in some is none that is certain, and says in
 * which. Where each size has faults of its own, these are certain: the kernel is wrong with any. A size in which threads
 * cannot meet at a barrier is none of the kernel's, if there is another.
 */
swp_status swp_ptx_try_block_sizes(swp_ptx_exploration *t, const swp_ptx_block_sizes *sizes,
                                   swp_ptx_judgement *judge);

#endif
