/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread may do from where it is: read a register, or come behind a fence. */
#ifndef SWP_AUDIT_PTX_LIVENESS_H
#define SWP_AUDIT_PTX_LIVENESS_H

#include "audit/ptx/run.h"

/* Room for a search along the ways through a kernel. */
typedef struct swp_ptx_ways {
    int *items;
    int count;
    bool *seen;
} swp_ptx_ways;

swp_status swp_ptx_make_ways(swp_context *ctx, const swp_ptx_kernel *kernel, swp_ptx_ways *out);
/* Which instructions a thread may come to behind a fence for memory. */
swp_status swp_ptx_find_behind_fences(swp_context *ctx, const swp_ptx_module *module,
                                      swp_ptx_kernel *kernel);
bool swp_ptx_is_read_from(const swp_ptx_run *run, swp_ptx_ways *ways, int pc, int reg);

#endif
