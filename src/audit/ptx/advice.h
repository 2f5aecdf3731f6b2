/* SPDX-License-Identifier: Apache-2.0 */
/* Fences and barriers of a kernel in PTX that may go, and waits and scopes that may be weaker. */
#ifndef SWP_AUDIT_PTX_ADVICE_H
#define SWP_AUDIT_PTX_ADVICE_H

#include "audit/ptx/exploration.h"

/* Whether nothing goes wrong in the kernel as it is edited now, and how much that takes for given. */
typedef swp_status swp_ptx_judge_again(swp_context *ctx, const swp_ptx_exploration *of, bool *holds,
                                       size_t *assumptions);

/*
 * Adds the advice on a kernel in which nothing is wrong, and for which so much was taken for given. The module is as it was
 * afterwards.
 */
swp_status swp_ptx_advise(const swp_ptx_exploration *t, swp_ptx_module *module, size_t assumptions,
                          swp_ptx_judge_again *judge);

/*
 * Whether threads may count on a barrier alone for the order of what they access in global memory, whose addresses are not
 * followed.
 */
swp_status swp_ptx_orders_globals(swp_context *ctx, const swp_ptx_module *module,
                                  const swp_ptx_kernel *kernel, int insn, bool *orders);

/* Whether a kernel tells other threads of what it has stored in global memory, or stores there what asynchronous copies may read. */
bool swp_ptx_tells_by_memory(const swp_ptx_module *module, const swp_ptx_kernel *kernel);
bool swp_ptx_stores_globals(const swp_ptx_module *module, const swp_ptx_kernel *kernel);

#endif
