/* SPDX-License-Identifier: Apache-2.0 */
/* Whether each op of a loop is done once for each iteration of a run, and for no other. */
#ifndef SWP_BODIES_EXACTLY_ONCE_H
#define SWP_BODIES_EXACTLY_ONCE_H

#include "verify/bodies/findings.h"

/* What a run leaves out. */
typedef struct swp_missing_op {
    int op;
    int iteration;
    int passes; /* of the shortest run that does */
} swp_missing_op;

/* Reports work that is missing, double or out of range, each with the least N. */
swp_status swp_bodies_count_exactly_once(swp_findings *findings);

/* The first op and iteration that the shortest run leaves out. @return whether there is one */
bool swp_bodies_find_missing_op(const swp_model *model, swp_missing_op *out);

#endif
