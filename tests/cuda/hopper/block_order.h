/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_HOPPER_BLOCK_ORDER_H
#define TEST_CUDA_HOPPER_BLOCK_ORDER_H

/* How many orders of the blocks of attention miss a block, or give a work group too many. */
int wrong_block_orders();

#endif
