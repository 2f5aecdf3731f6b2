/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads a kernel is tried with whose file does not say how many it has. */
#ifndef SWP_AUDIT_PTX_BLOCK_SIZES_H
#define SWP_AUDIT_PTX_BLOCK_SIZES_H

#include "audit/ptx/exploration.h"

enum { SWP_PTX_MOST_BLOCK_SIZES = 10 };

typedef struct swp_ptx_block_sizes {
    int items[SWP_PTX_MOST_BLOCK_SIZES]; /* in order */
    int count;
} swp_ptx_block_sizes;

/* Usual sizes, and those that the kernel's own arithmetic on the number of its thread asks for. */
swp_status swp_ptx_find_block_sizes(swp_context *ctx, const swp_ptx_module *module,
                                    const swp_ptx_kernel *kernel, swp_ptx_block_sizes *out);

/* "128, 256 and 512" */
swp_status swp_ptx_list_block_sizes(swp_context *ctx, const swp_ptx_block_sizes *sizes, char **out);

#endif
