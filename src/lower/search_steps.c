/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the limits of a search among steps of more and more work. What each may take does not depend on the limits. */
#include "lower/search_steps.h"

#include "pipeline/shares.h"

/* Four steps come to just below the default of the command. */
static const double first_seconds = 0.009;
enum { MORE = 10 };

/* Nodes: 1, then 100, 300, 1,000, 3,000 and so on, of which the last one within the limit is the last step. */
enum { FIRST_WORK = 1, SECOND_WORK = 100 };

/* A step of which less than this part is left finds nothing. */
static const double least_part = 0.3;

void swp_lower_begin_steps(const swp_context *ctx, swp_search_steps *steps)
{
    const swp_limits *limits = &ctx->limits;
    *steps = (swp_search_steps){0};
    if (limits->work > 0)
        steps->work = FIRST_WORK;
    else if (limits->seconds > 0)
        steps->seconds = first_seconds;
    if (limits->seconds > 0)
        steps->ends = swp_search_began(ctx) + swp_pipeline_seconds_of(limits, SWP_LOOP_REST);
}

static bool is_interrupted(const swp_context *ctx)
{
    return ctx->limits.interrupted && ctx->limits.interrupted(ctx->limits.user);
}

/* Whether the next step is worth its beginning. */
static bool is_within(const swp_context *ctx, const swp_search_steps *s)
{
    if (s->none_left || is_interrupted(ctx))
        return false;
    if (s->work > 0 && s->work > ctx->limits.work)
        return false;
    return s->ends <= 0 || s->ends - swp_search_clock(ctx) >= least_part * s->seconds;
}

static uint64_t more_work(uint64_t work)
{
    uint64_t power = SECOND_WORK;
    if (work < power)
        return work == 0 ? 0 : power;
    while (power * MORE <= work)
        power *= MORE;
    return work == power ? 3 * power : power * MORE;
}

static void go_on(swp_search_steps *s)
{
    s->none_left = s->work == 0 && s->seconds <= 0;
    s->work = more_work(s->work);
    s->seconds *= MORE;
}

bool swp_lower_next_step(const swp_context *ctx, swp_search_steps *s, bool has_answer,
                         swp_context *own)
{
    const bool is_first = s->seconds <= first_seconds && s->work <= FIRST_WORK && !s->none_left;
    if (!is_first && !is_within(ctx, s))
        return false;
    *own = *ctx;
    own->began = swp_search_clock(ctx);
    own->search_ends = s->ends;
    own->limits.work = s->work;
    if (s->seconds > 0)
        own->limits.seconds = s->seconds;
    if (has_answer && ctx->deadline) {
        s->deadline = *ctx->deadline;
        if (s->ends > 0 && (s->deadline.ends <= 0 || s->ends < s->deadline.ends))
            s->deadline.ends = s->ends;
        own->deadline = &s->deadline;
    }
    go_on(s);
    return true;
}

void swp_lower_end_step(const swp_context *ctx, const swp_context *own)
{
    if (own->deadline == ctx->deadline)
        return;
    const double ends = ctx->deadline->ends;
    *ctx->deadline = *own->deadline;
    ctx->deadline->ends = ends;
    ctx->deadline->over = false;
}

bool swp_lower_steps_are_over(const swp_context *own)
{
    return own->search_ends > 0 && swp_search_clock(own) > own->search_ends;
}
