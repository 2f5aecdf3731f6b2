/* SPDX-License-Identifier: Apache-2.0 */
/* For which turns or iterations a warp role has an entry in a run, and for which it may lack one. */
#ifndef SWP_VERIFY_ROLE_TURNS_H
#define SWP_VERIFY_ROLE_TURNS_H

#include "verify/role_candidates.h"

/* Those that are tried in one place. */
enum { SWP_MOST_ROLE_TURNS = 16 };

typedef struct swp_role_turns {
    int items[SWP_MOST_ROLE_TURNS]; /* as an entry of the list states them */
    int count;
    bool are_missing; /* the role has the entry for turns before and after */
} swp_role_turns;

/*
 * Turns that the role leaves out. Where it leaves out none, the one before its first and the one behind its last; where it has no
 * such entry, any that may be meant.
 */
void swp_verify_role_find_turns(const swp_role_finder *f, const swp_role_list *list,
                                const swp_op *op, swp_role_turns *out);

/* Whether the kernel, written out for several iterations, has the entry for all of them but one. */
bool swp_verify_role_lacks_one(const swp_role_finder *f, const swp_role_list *list,
                               const swp_op *op);

#endif
