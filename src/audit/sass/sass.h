/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of NVIDIA's machine code, from sm_80 on. */
#ifndef SWP_AUDIT_SASS_SASS_H
#define SWP_AUDIT_SASS_SASS_H

#include "audit/code/front_end.h"

extern const swp_front_end swp_sass_front_end;

/* What an instruction does besides what its kind says (swp_insn.value). */
typedef enum swp_sass_effect {
    SWP_SASS_NONE,
    SWP_SASS_STORES,      /* to shared memory, by a thread itself */
    SWP_SASS_LEAVES,      /* ends some threads */
    SWP_SASS_TRAPS,       /* ends the grid with an error */
    SWP_SASS_CALLS,       /* code elsewhere that returns; `target_name` says where it is */
    SWP_SASS_TABLE,       /* goes on at one of the places that `target_name` lists */
    SWP_SASS_IF_CONVERGED /* a branch that only converged warps take, whose threads are together */
} swp_sass_effect;

/* The largest number of groups of copies that a wait may leave outstanding, and one more. */
enum { SWP_SASS_MOST_GROUPS = 1 << 16 };

/*
 * What an instruction does. One that is not known, or that only some threads carry out of those that a
 * schedule is made of, is an unknown one. The number of a barrier is its value_number.
 */
void swp_sass_decode(swp_slice text, int line, swp_insn *out);

#endif
