/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of all work groups of a launch whose grid is stated, as many at once as go one way, for all values of the one argument
 * that is not stated.
 */
#include "audit/ptx/exploration.h"

/* The one argument that decides the flow and has not been stated; NULL: there is none. */
static swp_ptx_argument *only_free(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (swp_ptx_is_free(&t->arguments.items[i]))
            return &t->arguments.items[i];
    return NULL;
}

/* The number of the work group in a dimension, where that decides the flow and all numbers are to be judged; else NULL. */
static swp_ptx_argument *number_of_group(swp_ptx_exploration *t, int dimension)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->given && argument->groups && argument->param < 0 &&
            argument->offset == SWP_PTX_CTAID + dimension)
            return argument;
    }
    return NULL;
}

swp_status swp_ptx_show_longer(swp_ptx_exploration *t, swp_ptx_argument *argument, int first,
                               bool few, bool *shown, int64_t *most)
{
    swp_ptx_run *form = NULL;
    *shown = true;
    *most = INT64_MAX;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &form));
    for (int choice = 0; choice < swp_ptx_choices(t) && *shown; choice++) {
        int64_t values = 0;
        swp_ptx_choose(t, choice);
        swp_ptx_set_up(t, t->ctx, false, form);
        SWP_TRY(swp_ptx_prove_by_induction(form, argument, first, few, shown, &values));
        *most = values < *most ? values : *most;
    }
    return SWP_OK;
}

static swp_status show_longer(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    int64_t most = t->shown_most;
    if (!t->shown)
        SWP_TRY(swp_ptx_show_longer(t, argument, SWP_PTX_MOST_PASSES + 1, false, &t->shown, &most));
    t->splits |= !t->shown && t->width > 1;
    t->unlike |= !t->shown && t->width <= 1;
    t->most = t->shown && (!t->most || most < t->most) ? most : t->most;
    return SWP_OK;
}

/* The work groups that the arguments say, for all values of the argument that is not stated. */
static swp_status run_groups(swp_ptx_exploration *t)
{
    swp_ptx_argument *argument = only_free(t);
    if (argument)
        argument->value = swp_ptx_base_value(argument, 1);
    /* Where copies write is looked for once: work groups have the same places. */
    if (!t->runs)
        SWP_TRY(swp_ptx_dry_run(t));
    if (!argument && !t->restarts)
        SWP_TRY(swp_ptx_run_both(t));
    if (!argument || swp_ptx_stops(t))
        return SWP_OK;
    SWP_TRY(swp_ptx_vary(t, argument));
    if (!swp_ptx_stops(t) && !t->too_long && !t->unlike && t->undecided < 0 && t->runs &&
        !t->terms && !t->doubt.detail && !t->faulty)
        SWP_TRY(show_longer(t, argument));
    return SWP_OK;
}

/* Runs tell of as many work groups at once as go one way: of all of them, or of halves of those, down to a single one. */
static swp_status run_range(swp_ptx_exploration *t, swp_ptx_argument *number)
{
    int first = 0;
    int width = number->groups;
    number->slope[SWP_PTX_GROUPS] = 1;
    while (first < number->groups && !t->ends && !t->restarts && !t->too_long) {
        t->too_long |= t->steps > SWP_PTX_MOST_LAUNCH_STEPS;
        number->value = (uint64_t)first;
        t->width = width;
        t->splits = false;
        SWP_TRY(run_groups(t));
        first += t->splits ? 0 : width;
        width = t->splits ? (width + 1) / 2 : number->groups - first;
    }
    t->width = 0;
    t->splits = false;
    return SWP_OK;
}

/* The next work group by the dimensions but one; false: that was the last. */
static bool step_groups(swp_ptx_exploration *t, const swp_ptx_argument *but)
{
    for (int d = 0; d < 3; d++) {
        swp_ptx_argument *number = number_of_group(t, d);
        if (!number || number == but)
            continue;
        number->value = (number->value + 1) % (uint64_t)number->groups;
        if (number->value)
            return true;
    }
    return false;
}

swp_status swp_ptx_run_launch(swp_ptx_exploration *t)
{
    swp_ptx_argument *range = NULL;
    for (int d = 0; d < 3; d++) {
        swp_ptx_argument *number = number_of_group(t, d);
        if (number)
            number->value = 0;
        if (number && (!range || number->groups > range->groups))
            range = number;
    }
    if (!range)
        return run_groups(t);
    do
        SWP_TRY(run_range(t, range));
    while (!t->ends && !t->restarts && !t->too_long && step_groups(t, range));
    return SWP_OK;
}
