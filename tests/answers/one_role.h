/* SPDX-License-Identifier: Apache-2.0 */
/* Flat loops that can be written as one warp role, and the same schedule with roles. */
#ifndef TEST_ANSWERS_ONE_ROLE_H
#define TEST_ANSWERS_ONE_ROLE_H

#include "random.h"

#include "swp/compile.h"
#include "swp/verify.h"

typedef struct one_role_pair {
    swp_context *ctx; /* owns all but `derived` */
    swp_schedule *derived;
    swp_schedule flat;
    swp_schedule role;
    int **entry_of; /* of each list: the flat entry behind each one of the role; -1: none */
} one_role_pair;

/*
 * A random loop whose ops are ordinary or wgmmas, with edits of its waits and barriers, in both forms. Of the role the
 * warp groups are instances, and barriers that the flat form hides are entries.
 * @return false where the loop has no schedule
 */
bool one_role_pair_new(one_role_pair *pair, test_random *random);

/* The flat entry of a hazard of the role. */
int one_role_entry(const one_role_pair *pair, const swp_hazard *hazard);

void one_role_pair_free(one_role_pair *pair);

#endif
