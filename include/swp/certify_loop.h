/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file certify_loop.h  Checking certificates of pipelines of loops (docs/certificates.md, "Checking loops").
 *
 * What certify.h is for one problem: nothing is shared with the solver, nor with what turns a loop into
 * problems. The dependences are derived here once more, and that the refuted ways to share slots out leave
 * none open is found out here.
 */
#ifndef SWP_CERTIFY_LOOP_H
#define SWP_CERTIFY_LOOP_H

#include "swp/certify.h"
#include "swp/loop.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a schedule says of its pipeline: the times, and what is claimed to be least. */
typedef struct swp_loop_answer {
    int64_t interval;
    int64_t bound; /**< claimed: no interval is smaller; the interval itself where it is least */
    const int64_t *times; /**< of each op, 0 or more */
    size_t time_count;
    const int *roles;      /**< of each op, where the loop leaves any open; else NULL */
    const int64_t *shifts; /**< of the instances of each role but its first, role by role */
    size_t shift_count;
    const int *slots; /**< of each value */
    size_t slot_count;
    int64_t costs[SWP_OBJECTIVE_COUNT]; /**< by objective: bytes, bytes, stages */
    bool least[SWP_OBJECTIVE_COUNT];    /**< by objective: claimed, given those before it */
    int resident; /**< work groups that share a multiprocessor, for which the loop has to be described */
} swp_loop_answer;

/** With these slots and stages no interval is below the bound, as the steps prove. */
typedef struct swp_loop_certificate_part {
    swp_loop_refutation claim;
    size_t slot_count;     /**< numbers that `claim.slots` has */
    size_t role_count;     /**< numbers that `claim.roles` has */
    const int64_t *shifts; /**< for which it holds; NULL: for all */
    size_t shift_count;
    const swp_certificate_step *steps;
    size_t step_count;
    swp_place place;
} swp_loop_certificate_part;

/** A certificate, as its lines say it. */
typedef struct swp_loop_certificate {
    const char *name; /**< of its loop */
    int64_t interval;
    const swp_loop_certificate_part *parts;
    size_t part_count;
    swp_place place;
} swp_loop_certificate;

/**
 * Checks a pipeline and its certificate, within the limits of the context.
 * @param loop         one that swp_check_loop() accepts
 * @param certificate  NULL: there is none, and only the pipeline is judged
 * @param report       its `claims` say what is least; its value is the interval
 * @return as swp_certificate_check()
 */
SWP_API swp_status swp_loop_certificate_check(swp_context *ctx, const swp_loop *loop,
                                              const swp_loop_answer *answer,
                                              const swp_loop_certificate *certificate,
                                              swp_certificate_report *report);

/** Reads a certificate. Its formulas and proofs are left where they are. Absent in core-only builds. */
SWP_API swp_status swp_loop_certificate_read(swp_context *ctx, const swp_problem_text *text,
                                             swp_loop_certificate *out);

/**
 * Reads the `pipeline` of a schedule's JSON, without judging it. Absent in core-only builds.
 * @return SWP_INVALID, with a diagnostic, if it is not of a loop with these ops, values and objectives
 */
SWP_API swp_status swp_loop_answer_read_json(swp_context *ctx, const swp_problem_text *text,
                                             const swp_loop *loop, swp_loop_answer *out);

#ifdef __cplusplus
}
#endif
#endif
