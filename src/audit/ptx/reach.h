/* SPDX-License-Identifier: Apache-2.0 */
/* What an ordinary access has of memory. */
#ifndef SWP_AUDIT_PTX_REACH_H
#define SWP_AUDIT_PTX_REACH_H

#include "audit/ptx/execute.h"

/* An access has so many bytes at the address of each of some lanes. */
typedef struct swp_ptx_reach {
    swp_ptx_value address;
    int64_t offset;
    int bytes;
    uint32_t lanes;
} swp_ptx_reach;

/* Whether a warp has it together, by rows. */
bool swp_ptx_is_matrix(const swp_ptx_insn *insn);

/*
 * Finds what is accessed at the address that the threads name, which is known. `room` is for 32 lanes. False: a stride is not
 * known, and is asked for.
 */
bool swp_ptx_find_reach(const swp_ptx_step *step, swp_ptx_reach *of, uint64_t *room);

#endif
