/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline and its certificate while they are judged (loop.c): what is claimed (loop_claims.c), and what is left open (loop_open.c). */
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
    int *least; /* slots of each value */
    int *most;
} swp_loop_check;

/* What a cheaper or faster pipeline would have: bytes at most, stages at most (0: any), an interval below. */
typedef struct swp_loop_question {
    swp_slot_space space;
    int64_t stages;
    int64_t bound;
} swp_loop_question;

/* Bytes that a pipeline may have of a space at most; -1: any. */
int64_t swp_certify_budget_of(const swp_loop *loop, swp_space space);

/*
 * `*open` is a way to share slots out that no part refutes, NULL if there is none; `*roles` are the roles that leave it
 * open, NULL where the loop says all.
 */
swp_status swp_certify_find_open(swp_loop_check *c, const swp_loop_question *asked,
                                 const int **open, int **roles);

/* Whether parts prove what is said to be least. */
swp_status swp_certify_judge_claims(swp_loop_check *c);

#endif
