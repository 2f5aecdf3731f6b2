/* SPDX-License-Identifier: Apache-2.0 */
/* Judges an answer by the definition of its problem. */
#ifndef SWP_CERTIFY_ANSWER_H
#define SWP_CERTIFY_ANSWER_H

#include "certify/judgement.h"
#include "swp/problem.h"

/*
 * Refuses an answer whose times break an edge or overfill a resource, whose value is not theirs, or
 * which contradicts itself.
 */
swp_status swp_certify_judge_answer(swp_context *ctx, swp_judgement *judgement,
                                    const swp_problem *problem, const swp_answer *answer);

#endif
