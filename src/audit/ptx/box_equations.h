/* SPDX-License-Identifier: Apache-2.0 */
/* Equations of boxes compared with each other: what one says of another, and what follows from all of them. */
#ifndef SWP_AUDIT_PTX_BOX_EQUATIONS_H
#define SWP_AUDIT_PTX_BOX_EQUATIONS_H

#include "audit/ptx/run.h"

/* How many bytes, where that does not follow: what does may be any other number, and then contradicts. */
#define SWP_PTX_UNKNOWN_SIZE INT64_MIN

/* --- two of them --- */

bool swp_ptx_have_same_copies(const swp_ptx_equation *a, const swp_ptx_equation *b);
/* The same copies bring the same bytes each time, and fewer of them fewer bytes. */
bool swp_ptx_contradict(const swp_ptx_equation *a, const swp_ptx_equation *b);
bool swp_ptx_share_map(const swp_ptx_equation *a, const swp_ptx_equation *b);

/* --- all of them --- */

/* Where a map stands among the sizes; their number: it does not. */
size_t swp_ptx_index_of_map(const swp_ptx_sizes *sizes, uint64_t map);
/*
 * How many bytes copies bring together, where that follows from what has been said of others. `exact`:
 * it is a number of whole bytes.
 */
swp_status swp_ptx_follow_bytes(swp_context *ctx, const swp_ptx_equations *equations,
                                const swp_ptx_equation *asked, int64_t *bytes, bool *exact);
/* What copies of boxes that are all stated bring together; unknown: some is not. */
int64_t swp_ptx_stated_bytes(const swp_ptx_equations *equations, const swp_ptx_equation *equation);

/* --- contradictions (box_contradictions.c) --- */

/* Whether a phase agrees with each other one, and with all of them; a fault, or a doubt, where it does not. */
swp_status swp_ptx_check_equation(swp_ptx_run *run, const swp_ptx_equation *equation, bool *agrees);
/* A phase that agrees with others, and leaves no box for some map. */
swp_status swp_ptx_report_size(swp_ptx_run *run, const swp_ptx_equation *equation);

#endif
