/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds a pipeline and its certificate while they are judged (loop.c): what is claimed
 * (loop_claims.c), and what is left open (loop_open.c).
 */
#ifndef SWP_CERTIFY_LOOP_CHECK_H
#define SWP_CERTIFY_LOOP_CHECK_H

#include "certify/judgement.h"
#include "certify/loop_cover.h"
#include "swp/certify_loop.h"

/* A pipeline and its certificate. */
typedef struct swp_loop_check {
    swp_context *ctx;
    swp_judgement judgement;
    const swp_loop *loop;  /* with the roles of the pipeline… */
    const swp_loop *given; /* …and as it leaves them open */
    const swp_loop_answer *answer;
    const swp_loop_certificate *certificate;
    swp_certificate_report *report;
    int *least; /* least and most slots of each value */
    int *most;
} swp_loop_check;

/*
 * Asks for a cheaper or faster pipeline: within so many bytes and stages (0: any), at an interval
 * below `bound`.
 */
typedef struct swp_loop_question {
    swp_slot_space space;
    int64_t stages;
    int64_t bound;
} swp_loop_question;

/* Returns how many bytes of a space a pipeline may have; -1: any number. */
int64_t swp_certify_budget_of(const swp_loop *loop, swp_space space);

/*
 * Looks for slots of each value that no part refutes; `*open` is NULL if there are none. `*roles`
 * are the roles that leave them open, or NULL if the loop states all roles.
 */
swp_status swp_certify_find_open(swp_loop_check *c, const swp_loop_question *asked,
                                 const int **open, int **roles);

/* Finds out whether the parts prove all that the pipeline says to be least. */
swp_status swp_certify_judge_claims(swp_loop_check *c);

#endif
