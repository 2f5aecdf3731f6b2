/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the least of each objective: it asks whether a pipeline better than the best one exists,
 * until there is none.
 */
#include "pipeline/objectives.h"

#include "base/budget.h"
#include "ir/roles.h"
#include "pipeline/questions.h"

/* Asks for one less until there is none. */
static swp_status least_bytes(swp_loop_search *s, swp_space space, swp_loop_limits *limits,
                              bool *proven)
{
    bool exists = true;
    SWP_TRY(swp_pipeline_raise_least(s, space, limits));
    while (exists && s->best.bytes[space] > 0) {
        limits->bytes[space] = s->best.bytes[space] - 1;
        SWP_TRY(swp_pipeline_better(s, limits, &exists, proven));
    }
    *proven = *proven || s->best.bytes[space] == 0;
    limits->bytes[space] = s->best.bytes[space];
    return SWP_OK;
}

static swp_status least_stages(swp_loop_search *s, swp_loop_limits *limits, bool *proven)
{
    bool exists = true;
    *proven = true;
    while (exists && s->best.stages > 1) {
        limits->stages = s->best.stages - 1;
        SWP_TRY(swp_pipeline_better(s, limits, &exists, proven));
    }
    *proven = *proven || s->best.stages == 1;
    limits->stages = s->best.stages;
    return SWP_OK;
}

/* Asks about each objective in its order, until a question stays open. */
static swp_status minimise_once(swp_loop_search *s, swp_pipeline *out)
{
    swp_loop_limits limits = swp_pipeline_no_limits();
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = s->loop->objectives[i];
        bool *proven = &out->proven[objective];
        if (objective == SWP_LEAST_STAGES)
            SWP_TRY(least_stages(s, &limits, proven));
        else
            SWP_TRY(least_bytes(
                s, objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS, &limits,
                proven));
    }
    return SWP_OK;
}

static bool all_proven(const swp_pipeline *p)
{
    bool proven = true;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        proven = proven && p->proven[i];
    return proven;
}

/* A question that is asked again may take more work by this factor. */
enum { FIRST_QUESTION = 2000, MORE_WORK = 4 };

/*
 * This is a share of the time. Proofs about bytes and stages are worth less than an order with
 * fewer waits, which is searched later.
 */
static const double most_share = 0.25;

static void allow(swp_loop_search *s)
{
    swp_limits *limits = &s->ctx->limits;
    swp_pipeline_allow(s, SWP_LOOP_OBJECTIVES);
    if (limits->seconds <= 0 || limits->work > 0 || swp_ir_loop_has_roles(s->loop))
        return;
    const double ends = swp_search_clock(s->ctx) - s->ctx->began + most_share * s->limits.seconds;
    if (ends < limits->seconds)
        limits->seconds = ends;
}

/*
 * A hard question must not delay the others. So all are asked with little work, then the open ones
 * with more.
 */
swp_status swp_pipeline_minimise(swp_loop_search *s, swp_pipeline *out)
{
    allow(s);
    for (s->question_work = 0;;
         s->question_work = s->question_work ? s->question_work * MORE_WORK : FIRST_QUESTION) {
        s->cut = false;
        SWP_TRY(minimise_once(s, out));
        if (all_proven(out) || !s->cut || !swp_pipeline_may_ask(s))
            return SWP_OK;
    }
}
