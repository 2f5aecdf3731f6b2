/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch that is stated may take ways through a kernel that say too little of the boxes of tensor maps: each phase of one copy
 * agrees with itself, whatever it expects. Other launches, with one of the stated arguments changed, take other ways, on which the
 * same maps are copied. What phases expect there has to agree with what they expect in this one.
 */
#include "audit/ptx/exploration.h"

enum {
    MOST_STEPS = 1 << 17,    /* of a run in another launch… */
    MOST_ALL_STEPS = 1 << 21 /* …and of all of them */
};

/* Other values of an argument, by number: more passes, or elements of them, and fewer; what is stated, where there is none. */
static uint64_t other_value(uint64_t stated, int number)
{
    switch (number) {
    case 0:
        return stated * 2;
    case 1:
        return stated + 1;
    case 2:
        return stated * 3;
    case 3:
        return stated * 4;
    case 4:
        return stated ? 1 : 0;
    case 5:
        return stated > 1 ? stated - 1 : stated;
    default:
        return stated * 8;
    }
}
enum { OTHER_VALUES = 7 };

static swp_status run_other(swp_ptx_exploration *t, int64_t *steps, swp_ptx_finding *found)
{
    swp_context inner;
    swp_ptx_run *run = NULL;
    SWP_TRY(swp_scope_open(t->ctx, &inner));
    swp_status status = SWP_TAKE(&inner, 1, &run);
    if (status == SWP_OK) {
        swp_ptx_set_up(t, &inner, false, run);
        run->is_dry = run->elsewhere = true;
        run->most_steps = MOST_STEPS;
        status = swp_ptx_run_follow(run);
        *steps += run->steps;
        *found = run->contradiction;
    }
    swp_scope_close(&inner);
    return status;
}

/* The first work group, and as many of what is not stated as a kernel is first tried with. */
static void begin(swp_ptx_arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++) {
        swp_ptx_argument *argument = &arguments->items[i];
        for (int count = 0; count < SWP_PTX_COUNTS; count++)
            argument->slope[count] = 0;
        if (!argument->stated)
            argument->value = swp_ptx_base_value(argument, 1);
    }
}

swp_status swp_ptx_compare_launches(swp_ptx_exploration *t)
{
    const swp_ptx_arguments kept = t->arguments;
    swp_ptx_finding found = {0};
    int64_t steps = 0;
    begin(&t->arguments);
    const swp_ptx_arguments first = t->arguments;
    for (int number = 0; number < OTHER_VALUES && t->sums.count && !found.detail; number++)
        for (int i = 0; i < first.count && steps < MOST_ALL_STEPS && !found.detail; i++) {
            const swp_ptx_argument *argument = &first.items[i];
            const uint64_t value = other_value(argument->value, number);
            if (!argument->stated || argument->param < 0 || value == argument->value)
                continue;
            t->arguments = first;
            t->arguments.items[i].value = value;
            SWP_TRY(run_other(t, &steps, &found));
        }
    if (found.detail)
        SWP_TRY(swp_ptx_add_finding(t, &found, false));
    t->ends |= found.detail != NULL;
    t->arguments = kept;
    return SWP_OK;
}
