/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts that differ only in what comes before what, and are taken for one: the nodes that roles_common_order.c looks at. */
#ifndef SWP_VERIFY_ROLES_COMMON_ORDER_H
#define SWP_VERIFY_ROLES_COMMON_ORDER_H

#include "verify/roles_cuts.h"

/* Cuts that are taken for one. */
typedef struct swp_role_cut_node {
    swp_role_cut cut; /* the first of them */
    int *known;       /* what each clock knows in all of them */
    int *asked;   /* of each instance of the run to it: steps that the rules have been asked of */
    bool is_less; /* than in the run to the first of them */
    bool is_open; /* it is less than when it was looked at */
} swp_role_cut_node;

typedef struct swp_role_interpreter {
    swp_role_prover *prover;
    swp_context *scratch;
    const swp_happens_tiles *tiles;
    swp_key_index states;
    struct {
        swp_role_cut_node *items;
        size_t count;
        size_t capacity;
    } nodes;
    swp_role_cuts open;
    swp_role_lists_reach reach;
    const swp_role_patience *patience;
    int looks;
    swp_role_cut wrong; /* a sequence by which something is told, perhaps as too little is known */
    bool is_wrong;
} swp_role_interpreter;

/* A node that is looked at, and the run to it, with no more known there than in all of its cuts. */
typedef struct swp_role_look {
    swp_role_interpreter *in;
    const swp_role_cut *from;
    swp_happens_sequence before; /* what stands in front of it */
    swp_happens_run run;
    swp_role_progress progress;
    bool is_less; /* known there than in the cut of the run */
} swp_role_look;

/*
 * A cut to which a run has come from a look; NULL: from the start. Where it is the first of its node, the runs that go on from
 * there begin just so, but for what was lowered on the way.
 */
swp_status swp_verify_role_arrive(swp_role_interpreter *in, const swp_role_look *from,
                                  const swp_role_cut *cut, swp_role_judge *judge, bool *is_first);

#endif
