/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch that is stated may take ways through a kernel that say too little of the boxes of tensor maps: each phase of one copy
 * agrees with itself, whatever it expects. Other launches, with one of the stated arguments changed, take other ways, on which the
 * same maps are copied. What phases expect there has to agree with what they expect in this one.
 */
#include "audit/ptx/exploration.h"

#include "base/names.h"

enum {
    MOST_STEPS = 1 << 17,    /* of a run in another launch… */
    MOST_ALL_STEPS = 1 << 21 /* …and of all of them */
};

/* What an argument is besides what is stated: more passes, or elements of them, and fewer. */
static const struct {
    int64_t times;
    int64_t more;
} changes[] = {{2, 0}, {1, 1}, {3, 0}, {4, 0}, {0, 1}, {1, -1}, {8, 0}};

/* False: there is no such number above 0 of the argument's bits, or it is the one that is stated. */
static bool change_value(const swp_ptx_argument *argument, size_t number, uint64_t *out)
{
    const int64_t most = INT64_MAX >> (64 - argument->bits);
    const int64_t times = changes[number].times;
    const int64_t more = changes[number].more;
    const int64_t stated = (int64_t)argument->value;
    if (stated < 0 || stated > (times ? (most - (more > 0)) / times : most))
        return false;
    *out = (uint64_t)(stated * times + more);
    return stated * times + more > 0 && stated * times + more != stated;
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
    int64_t steps = 0;
    begin(&t->arguments);
    t->is_dry = t->is_elsewhere = true;
    t->most_steps = MOST_STEPS;
    const swp_ptx_arguments first = t->arguments;
    for (size_t number = 0;
         number < SWP_COUNT_OF(changes) && t->equations.count && !t->contradiction.detail; number++)
        for (int i = 0; i < first.count && steps < MOST_ALL_STEPS && !t->contradiction.detail;
             i++) {
            const swp_ptx_argument *argument = &first.items[i];
            uint64_t value = 0;
            if (!argument->stated || argument->param < 0 || !change_value(argument, number, &value))
                continue;
            t->arguments = first;
            t->arguments.items[i].value = value;
            SWP_TRY(swp_ptx_run_once(t, false));
            steps += t->last_steps;
        }
    t->is_dry = t->is_elsewhere = false;
    t->most_steps = 0;
    if (t->contradiction.detail)
        SWP_TRY(swp_ptx_add_finding(t, &t->contradiction, false));
    t->ends |= t->contradiction.detail != NULL;
    t->arguments = kept;
    return SWP_OK;
}
