/* SPDX-License-Identifier: Apache-2.0 */
/* Asks whether a pipeline keeps within limits, and never asks again what is refuted. */
#include "pipeline/questions.h"

#include "ir/loop_dataflow.h"

/* Fewer slots are never easier; 0 means more than any number. */
static bool is_within(const int *slots, const int *others, size_t count)
{
    for (size_t v = 0; v < count; v++)
        if (others[v] != 0 && (slots[v] == 0 || slots[v] > others[v]))
            return false;
    return true;
}

static bool is_refuted(const swp_loop_search *s, const int *slots, int stages)
{
    for (size_t i = 0; i < s->refuted.count; i++) {
        const swp_loop_refutation *r = &s->refuted.items[i];
        const bool fewer = r->stages == 0 || (stages > 0 && stages <= r->stages);
        if (fewer && r->bound > s->interval && is_within(slots, r->slots, s->loop->value_count))
            return true;
    }
    return false;
}

/* `*over` says that a pipeline of these slots exists, but exceeds the room. */
static swp_status attempt(swp_loop_search *s, int *slots, int stages, bool *exists, bool *over,
                          bool *proven)
{
    const swp_solve_aim aim = {.most = s->interval, .at_once = s->question_work == 0};
    swp_answer answer = {0};
    swp_loop_best found;
    *exists = false;
    if (is_refuted(s, slots, stages))
        return SWP_OK;
    if (!swp_pipeline_may_ask(s)) {
        *proven = false;
        return SWP_OK;
    }
    SWP_TRY(swp_pipeline_solve(s, slots, stages, &aim, &answer));
    if (answer.times && answer.value <= s->interval) {
        SWP_TRY(swp_pipeline_describe_best(s, &answer, &found));
        *exists = swp_pipeline_fits(s, &found);
        *over = *over || !*exists;
        if (*exists)
            s->best = found;
        return SWP_OK;
    }
    const bool refuted = answer.status == SWP_ANSWER_INFEASIBLE || answer.bound > s->interval;
    *proven = *proven && refuted;
    return SWP_OK;
}

static swp_status ask(swp_loop_search *s, const swp_loop_limits *limits, bool *exists, bool *over,
                      bool *proven)
{
    swp_slot_list choices = {0};
    *exists = false;
    *over = false;
    SWP_TRY(swp_pipeline_slot_choices(s->ctx, s->loop, s->least, limits, &choices, proven));
    for (size_t i = 0; i < choices.count && !*exists && !*over; i++)
        SWP_TRY(attempt(s, choices.items[i], limits->stages, exists, over, proven));
    return SWP_OK;
}

/* The room rarely matters, and without it fewer slot counts have to be tried. */
swp_status swp_pipeline_better(swp_loop_search *s, const swp_loop_limits *limits, bool *exists,
                               bool *proven)
{
    const swp_loop_limits within = swp_pipeline_within_room(s, limits);
    bool over = false;
    SWP_TRY(ask(s, limits, exists, &over, proven));
    return over ? ask(s, &within, exists, &over, proven) : SWP_OK;
}

/* Returns the most slots that a value may have; 0 if it may have any number. */
static int most_of(const swp_loop *loop, int value)
{
    const int most = swp_ir_loop_most_slots(loop, value);
    return most < SWP_MOST_SLOTS ? most : 0;
}

static swp_status most_slots(swp_loop_search *s, int **out)
{
    SWP_TRY(SWP_TAKE(s->ctx, s->loop->value_count, out));
    for (int v = 0; v < (int)s->loop->value_count; v++)
        (*out)[v] = most_of(s->loop, v);
    return SWP_OK;
}

static swp_status raise_one(swp_loop_search *s, int value)
{
    bool exists = false;
    bool over = false;
    bool proven = true;
    while (!exists && !over && proven && s->least[value] < s->best.slots[value]) {
        int *slots = NULL;
        SWP_TRY(most_slots(s, &slots));
        slots[value] = s->least[value];
        SWP_TRY(attempt(s, slots, 0, &exists, &over, &proven));
        s->least[value] += !exists && !over && proven;
    }
    return SWP_OK;
}

/* A question about one value must not replace the best pipeline by one with more bytes. */
swp_status swp_pipeline_raise_least(swp_loop_search *s, swp_space space,
                                    const swp_loop_limits *limits)
{
    const swp_loop *loop = s->loop;
    const swp_loop_best before = s->best;
    bool exists = false;
    bool over = false;
    bool proven = true;
    int *slots = NULL;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == space && loop->values[v].bytes > 0)
            SWP_TRY(raise_one(s, v));
    SWP_TRY(most_slots(s, &slots));
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == space && loop->values[v].bytes > 0)
            slots[v] = s->least[v];
        else if (limits->bytes[loop->values[v].space] >= 0)
            slots[v] = before.slots[v];
    SWP_TRY(attempt(s, slots, limits->stages, &exists, &over, &proven));
    if (!exists || s->best.bytes[space] > before.bytes[space])
        s->best = before;
    return SWP_OK;
}
