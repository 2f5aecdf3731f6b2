/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values that arguments take in the runs of a kernel: first all are 1 or 2, then one at a time takes many values, then all
 * take values of chance.
 */
#include "audit/ptx/exploration.h"

#include "base/random.h"

enum {
    MOST_UNIT = 2048,           /* elements of a pass that are looked for */
    BASES = 2,                  /* values of the others, from 1 */
    SOME_PASSES = 8,            /* values of one of several arguments, from 0 */
    MOST_MIXED = 256,           /* runs with values of chance of all arguments */
    MOST_MIXED_STEPS = 1 << 19, /* of one of them */
    MOST_NEGATIVE_STEPS = 1 << 17,
};

static bool counts_groups(const swp_ptx_argument *argument)
{
    return argument->param < 0 && argument->offset >= SWP_PTX_NCTAID;
}

uint64_t swp_ptx_base_value(const swp_ptx_argument *argument, int base)
{
    if (argument->param < 0)
        return counts_groups(argument);
    if (argument->is_bytes)
        return argument->value;
    return (uint64_t)base * (uint64_t)(argument->unit > 1 ? argument->unit : 1);
}

static swp_status dry_run_with(swp_ptx_exploration *t, swp_ptx_argument *argument, int64_t value)
{
    argument->value = (uint64_t)value;
    return swp_ptx_dry_run(t);
}

/* How many elements a pass takes, of an argument that counts these: one more makes the run longer. */
static swp_status find_unit(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    argument->unit = 1;
    SWP_TRY(dry_run_with(t, argument, 1));
    const int64_t first = t->last_steps;
    int64_t second = first;
    for (int unit = 1; unit <= MOST_UNIT && !t->restarts; unit *= 2) {
        SWP_TRY(dry_run_with(t, argument, unit + 1));
        if (t->last_steps == first)
            continue;
        argument->unit = unit;
        second = t->last_steps;
        break;
    }
    if (t->restarts)
        return SWP_OK;
    SWP_TRY(dry_run_with(t, argument, (int64_t)SWP_PTX_MOST_PASSES * argument->unit));
    argument->is_count |= second > first && t->last_steps > second;
    return SWP_OK;
}

/* How many work groups there are in a dimension; NULL: the kernel does not ask. */
static swp_ptx_argument *find_groups(swp_ptx_exploration *t, int64_t dimension)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->given && !argument->stated && argument->param < 0 &&
            argument->offset == SWP_PTX_NCTAID + dimension)
            return argument;
    }
    return NULL;
}

/* There is a work group of this number. */
static void make_room(swp_ptx_exploration *t, const swp_ptx_argument *argument)
{
    if (argument->param >= 0 || counts_groups(argument))
        return;
    swp_ptx_argument *groups = find_groups(t, argument->offset - SWP_PTX_CTAID);
    if (groups && groups->value <= argument->value)
        groups->value = argument->value + 1;
}

/* Of all runs, where several arguments decide the flow. */
static int64_t most_steps_of_several(const swp_ptx_exploration *t)
{
    return SWP_PTX_MOST_ALL_STEPS / (t->tries ? 8 : 1);
}

static swp_status run_values(swp_ptx_exploration *t, swp_ptx_argument *argument, int first,
                             int most)
{
    const int64_t most_steps =
        swp_ptx_count_free(t) <= 1 ? SWP_PTX_MOST_PROOF_STEPS : most_steps_of_several(t);
    for (int unit = 1; unit <= argument->unit; unit += argument->unit > 1 ? argument->unit - 1 : 1)
        for (int i = first; i <= most; i++) {
            t->too_long |= t->steps > most_steps;
            if (swp_ptx_stops(t) || t->too_long)
                return SWP_OK;
            argument->value = (uint64_t)i * (uint64_t)unit;
            make_room(t, argument);
            SWP_TRY(swp_ptx_run_both(t));
        }
    return SWP_OK;
}

/* Whether there is nothing that speaks against all runs being in order. */
static bool is_clean(const swp_ptx_exploration *t)
{
    return !swp_ptx_stops(t) && !t->too_long && !t->unlike && t->undecided < 0 && t->runs &&
           !t->doubt.detail && !t->faulty && !t->equations.changed;
}

/* Runs of a few passes, and of more where it is not shown that they are like these. */
static swp_status run_lengths(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    const bool proves = swp_ptx_count_free(t) <= 1;
    t->shown = false;
    SWP_TRY(run_values(t, argument, 1, SOME_PASSES));
    if (proves && is_clean(t))
        SWP_TRY(swp_ptx_show_longer(t, argument, SOME_PASSES + 1, true, &t->shown, &t->shown_most));
    return proves && !t->shown ? run_values(t, argument, SOME_PASSES + 1, SWP_PTX_MOST_PASSES)
                               : SWP_OK;
}

swp_status swp_ptx_vary(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    const uint64_t kept = argument->value;
    argument->unit = 1;
    for (int choice = 0; choice < swp_ptx_choices(t) && argument->unit == 1; choice++) {
        swp_ptx_choose(t, choice);
        if (argument->param >= 0 && !t->restarts)
            SWP_TRY(find_unit(t, argument));
    }
    SWP_TRY(run_lengths(t, argument));
    argument->value = 0;
    if (!swp_ptx_stops(t) && !counts_groups(argument))
        SWP_TRY(swp_ptx_run_both(t));
    /* A difference may be negative, where it is not taken for a large number. */
    t->most_steps = MOST_NEGATIVE_STEPS;
    for (int back = 1; back <= 2 && argument->param == SWP_PTX_TERM; back++) {
        argument->value = 0 - (uint64_t)back * (uint64_t)argument->unit;
        if (!t->ends && !t->restarts)
            SWP_TRY(swp_ptx_run_both(t));
    }
    t->most_steps = 0;
    argument->value = kept;
    return SWP_OK;
}

/* Few of what a number counts, some, or the elements of whole tiles and one more or less. */
static uint64_t draw(swp_ptx_exploration *t)
{
    const uint64_t kind = swp_random_below(&t->random, 4);
    if (kind > 1)
        return 1 + swp_random_below(&t->random, 3);
    if (kind)
        return 1 + swp_random_below(&t->random, 12);
    const uint64_t tile = UINT64_C(64) << swp_random_below(&t->random, 2);
    return tile * (1 + swp_random_below(&t->random, 8)) + swp_random_below(&t->random, 3) - 1;
}

/* How many work groups there are in a dimension, where the kernel asks; else some. */
static uint64_t groups_of(swp_ptx_exploration *t, int64_t dimension)
{
    const swp_ptx_argument *groups = find_groups(t, dimension);
    return groups ? groups->value : SOME_PASSES;
}

static void draw_all(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->stated || argument->is_bytes)
            continue;
        if (argument->param >= 0)
            argument->value = draw(t);
        else if (counts_groups(argument))
            argument->value = 1 + swp_random_below(&t->random, 4);
    }
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->stated || argument->param >= 0 || counts_groups(argument))
            continue;
        argument->value = swp_random_below(
            &t->random, argument->groups ? (uint64_t)argument->groups
                                         : groups_of(t, argument->offset - SWP_PTX_CTAID));
    }
}

/* What shows only where several arguments are more than a few at a time. */
static swp_status run_mixed(swp_ptx_exploration *t)
{
    t->most_steps = MOST_MIXED_STEPS;
    for (int i = 0; i < MOST_MIXED && t->steps < most_steps_of_several(t); i++) {
        if (t->ends || t->restarts)
            break;
        draw_all(t);
        SWP_TRY(swp_ptx_run_both(t));
    }
    t->most_steps = 0;
    return SWP_OK;
}

/* Before anything is judged: with less than a pass a kernel need not be right. */
static swp_status find_units(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count && !t->restarts; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        const uint64_t kept = argument->value;
        if (!swp_ptx_is_free(argument) || argument->param < 0)
            continue;
        SWP_TRY(find_unit(t, argument));
        argument->value = kept;
    }
    return SWP_OK;
}

static swp_status run_base(swp_ptx_exploration *t, int base)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (!t->arguments.items[i].stated)
            t->arguments.items[i].value = swp_ptx_base_value(&t->arguments.items[i], base);
    SWP_TRY(swp_ptx_dry_run(t));
    if (base == 1 && !t->restarts)
        SWP_TRY(find_units(t));
    for (int i = 0; i < t->arguments.count; i++)
        if (!t->arguments.items[i].stated)
            t->arguments.items[i].value = swp_ptx_base_value(&t->arguments.items[i], base);
    if (!t->restarts)
        SWP_TRY(swp_ptx_run_both(t));
    for (int i = 0; i < t->arguments.count && !t->ends && !t->restarts; i++)
        if (swp_ptx_is_free(&t->arguments.items[i]))
            SWP_TRY(swp_ptx_vary(t, &t->arguments.items[i]));
    return SWP_OK;
}

swp_status swp_ptx_run_bases(swp_ptx_exploration *t)
{
    for (int base = 1; base <= BASES && !t->ends && !t->restarts; base++)
        SWP_TRY(run_base(t, base));
    if (!t->ends && !t->restarts)
        SWP_TRY(run_mixed(t));
    return SWP_OK;
}
