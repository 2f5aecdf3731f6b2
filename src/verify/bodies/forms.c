/* SPDX-License-Identifier: Apache-2.0 */
/* Proves each form of a body's schedule, and takes together what is found. */
#include "verify/bodies/bodies.h"

#include "base/diag.h"

/*
 * Takes together what all forms found. They share prologue and kernel. For each entry there and each kind of hazard
 * `shared` says where in the list the hazard stands, counted from 1; 0: there is none.
 */
typedef struct merger {
    swp_context *ctx;
    swp_verdict *out;
    size_t *shared[SWP_EPILOGUE];
} merger;

static swp_status begin_merge(merger *m, const swp_schedule *schedule)
{
    for (int phase = SWP_PROLOGUE; phase < SWP_EPILOGUE; phase++)
        SWP_TRY(SWP_TAKE(
            m->ctx, (swp_schedule_phase(schedule, (swp_phase)phase)->count + 1) * SWP_HAZARD_KINDS,
            &m->shared[phase]));
    return SWP_OK;
}

/* Of a hazard that several forms share, in the lists that they share, the one with the least N stays. */
static swp_status merge_hazard(merger *m, const swp_hazard *new)
{
    swp_hazard_list *all = &m->out->hazards;
    size_t own = 0; /* in the epilogue none is shared */
    size_t *place = &own;
    if (new->at.phase != SWP_EPILOGUE)
        place = &m->shared[new->at.phase][new->at.entry *SWP_HAZARD_KINDS + (int)new->kind];
    if (*place > 0) {
        swp_hazard *same = &all->items[*place - 1];
        if (new->smallest_n < same->smallest_n)
            *same = *new;
        return SWP_OK;
    }
    *place = all->count + 1;
    return SWP_PUSH(m->ctx, all, *new);
}

static swp_status merge(merger *m, const swp_verdict *form)
{
    swp_verdict *out = m->out;
    out->safe = out->safe && form->safe;
    if (form->passes_explored > out->passes_explored)
        out->passes_explored = form->passes_explored;
    for (size_t i = 0; i < form->hazards.count; i++)
        SWP_TRY(merge_hazard(m, &form->hazards.items[i]));
    return SWP_OK;
}

swp_status swp_bodies_verify(swp_context *ctx, const swp_schedule *schedule, swp_rule rule,
                             swp_verdict *out)
{
    merger m = {.ctx = ctx, .out = out};
    *out = (swp_verdict){.safe = true};
    SWP_TRY(begin_merge(&m, schedule));
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        const swp_schedule form = swp_schedule_form(schedule, i);
        swp_verdict verdict;
        const swp_status status = swp_bodies_verify_form(ctx, &form, rule, &verdict);
        out->work += verdict.work;
        SWP_TRY(status);
        SWP_TRY(merge(&m, &verdict));
    }
    return SWP_OK;
}
