/* SPDX-License-Identifier: Apache-2.0 */
/* A block with one of each: fragment, load, waits. */
#ifndef TEST_PROGRAM_FULL_BLOCK_H
#define TEST_PROGRAM_FULL_BLOCK_H

#include "ops.h"

#include "swp/program.h"

static inline swp_mma_block full_block(swp_op *frags, swp_block_load *loads)
{
    swp_mma_block block = swp_mma_block_new(mma_op(0, 0));
    frags[0] = frag_op(1, 0, 0);
    loads[0] = (swp_block_load){load_op(0, 1, 0, SWP_K0), true};
    block.frags = (swp_op_list){frags, 1, 1};
    block.globals = (swp_block_load_list){loads, 1, 1};
    block.entry_wait = swp_op_wait_vm(4);
    block.entry_wait_lgkm = swp_op_wait_lgkm(0);
    block.pre_sync = swp_op_wait_lgkm(8);
    return block;
}

#endif
