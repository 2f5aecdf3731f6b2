/* SPDX-License-Identifier: Apache-2.0 */
/* Every combination of what a block may hold, and its expansion (docs/schedules.md) written out. */
#ifndef TEST_SUPPORT_BLOCK_CASES_H
#define TEST_SUPPORT_BLOCK_CASES_H

#include "swp/program.h"

enum { BLOCK_FLAG_COMBINATIONS = 1 << 11, BLOCK_PRESENCE_COMBINATIONS = 1 << 4 };

/* Ops that a block points to. */
typedef struct block_ops {
    swp_op frags[3];
    swp_block_load loads[3];
} block_ops;

/* Distinct fragments and loads; every other load is a prefetch. */
block_ops block_ops_make(void);

/* Bit i of `flags` is flag i of SWP_BLOCK_FLAGS; of `present`: waits of entry, pre_sync, fused MMA. */
swp_mma_block block_case(block_ops *ops, unsigned flags, unsigned present, size_t frags,
                         size_t loads);

typedef struct expected_ops {
    swp_op ops[64];
    bool prefetch[64];
    size_t count;
    int mma;               /* position */
    int post_barrier_lgkm; /* position, -1: none */
} expected_ops;

/* The block's expansion, straight from the manual. */
expected_ops expected_expansion(const swp_mma_block *block);

/* What emit_minimal_barrier_block gives, straight from the manual. */
expected_ops expected_minimal_block(const swp_mma_block *block, bool wrap, bool global_before_frag);

#endif
