/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows that longer runs of a kernel are like shorter ones, by induction over periods of its loops (docs/audit.md, "Runs of
 * any length").
 *
 * With n = first + period passes each lane takes branches that it takes with n = first as well, up to one, and, behind a
 * period of more of them, the same ones again. Both ends of that period are states in which all warps can stand at one
 * time. The run is followed with n = first + period + period * (before + after): up to the period's start; then with
 * registers as they are after so many periods before; then, with none to come, to the end. It holds for all numbers of
 * periods where every branch, address, count and parity is the same whatever these numbers are, and the period leads from a
 * state to the same one, a period later.
 *
 * A lane may go through a period of more several times: at the loop of each output tile, say. What a loop has left is a linear
 * function of the periods that it had, `before`; the next loop has as many, of which some have been and some are to come.
 * So in numbers that are left `before` becomes `before + after`, and the next loop is followed like the first one.
 */
#include "audit/ptx/induction.h"
#include "audit/ptx/contents.h"
#include "base/names.h"

#include <string.h>

enum {
    MOST_PERIODS = 1 << 20,
    MOST_PERIODS_OF_GROUPS = 1 << 16,
    MOST_ADDRESS_BITS = 47,
    MOST_ATTEMPTS = 6,
    MOST_BACK = 12,
    MOST_BACK_TOGETHER = 4,
    LONG_PERIOD = 12 /* passes: fewer go round more than once before a period is looked at */
};

static swp_status new_run(const swp_ptx_induction *n, swp_ptx_run **out)
{
    SWP_TRY(SWP_TAKE(n->ctx, 1, out));
    **out = *n->form;
    (*out)->ctx = n->ctx;
    return swp_ptx_run_begin(*out);
}

/* A run of so many passes, whatever the elements of the last one are. */
static swp_status record(const swp_ptx_induction *n, int value, swp_ptx_run **out)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)value;
    SWP_TRY(new_run(n, &run));
    run->records = true;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    *out = run;
    return SWP_OK;
}

static swp_status begin(const swp_ptx_induction *n, swp_ptx_run **run)
{
    n->argument->value = (uint64_t)n->value + (uint64_t)n->period;
    return new_run(n, run);
}

/* The growth of registers in the period of a stage, from a run as it is, which goes on to the period's end. */
static swp_status measure(swp_ptx_induction *n, int stage, swp_ptx_run *plain, bool *holds)
{
    swp_ptx_run *start = NULL;
    swp_ptx_hold(n, stage, false, plain);
    SWP_TRY(swp_ptx_go_to_hold(plain, holds));
    if (!*holds)
        return SWP_OK;
    SWP_TRY(swp_ptx_copy_run(n->ctx, plain, &start));
    swp_ptx_hold(n, stage, true, plain);
    SWP_TRY(swp_ptx_go_to_hold(plain, holds));
    n->later = plain;
    return *holds ? swp_ptx_find_growths(n, start, plain) : SWP_OK;
}

/* From the start of a stage over any number of periods. `again`: registers or bytes were lost that had been followed. */
static swp_status follow(swp_ptx_induction *n, int stage, swp_ptx_run **state, bool *holds,
                         bool *again)
{
    swp_ptx_run *run = NULL;
    swp_ptx_run *start = NULL;
    *again = false;
    SWP_TRY(swp_ptx_copy_run(n->ctx, *state, &run));
    swp_ptx_generalise(n, run);
    SWP_TRY(swp_ptx_copy_run(n->ctx, run, &start));
    swp_ptx_hold(n, stage, true, run);
    SWP_TRY(swp_ptx_go_to_hold(run, holds));
    if (!*holds)
        return SWP_OK;
    n->later = run;
    *again = swp_ptx_find_lost(n, start, run) || !swp_ptx_bytes_stay(start, run);
    *holds = !*again;
    if (*holds)
        SWP_TRY(swp_ptx_compare_orders(start, run, holds));
    *holds &= run->deepest_wait < SWP_PTX_TOLD_GROUPS;
    if (!*holds)
        return SWP_OK;
    swp_ptx_end_periods(run);
    *state = run;
    return SWP_OK;
}

static swp_status show_stage(swp_ptx_induction *n, int stage, swp_ptx_run *plain, swp_ptx_run **run,
                             bool *holds)
{
    bool again = true;
    SWP_TRY(measure(n, stage, plain, holds));
    if (!*holds)
        return SWP_OK;
    swp_ptx_hold(n, stage, false, *run);
    SWP_TRY(swp_ptx_go_to_hold(*run, holds));
    for (int i = 0; i < MOST_ATTEMPTS && *holds && again; i++) {
        SWP_TRY(follow(n, stage, run, holds, &again));
        *holds |= again;
    }
    *holds &= !again;
    return SWP_OK;
}

static bool has_ended(const swp_ptx_run *run)
{
    return run && run->outcome == SWP_PTX_ENDED && run->undecided < 0 && !run->unwritten.high &&
           !run->doubt.detail;
}

static swp_status follow_to_end(swp_ptx_run *run, bool *holds)
{
    swp_ptx_release(run);
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    *holds = has_ended(run) && run->deepest_wait < SWP_PTX_TOLD_GROUPS;
    return SWP_OK;
}

static swp_status show_stages(swp_ptx_induction *n, bool *holds)
{
    swp_ptx_run *plain = NULL;
    swp_ptx_run *run = NULL;
    SWP_TRY(begin(n, &plain));
    SWP_TRY(begin(n, &run));
    run->counts.most[SWP_PTX_BEFORE] = run->counts.most[SWP_PTX_TO_COME] = n->most;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    *holds = true;
    for (int stage = 0; stage < n->stages && *holds; stage++) {
        if (stage)
            swp_ptx_begin_periods(n, run);
        SWP_TRY(show_stage(n, stage, plain, &run, holds));
    }
    return *holds ? follow_to_end(run, holds) : SWP_OK;
}

/* What is only needed meanwhile is let go. */
static swp_status show_with_leader(swp_ptx_induction *n, bool *holds)
{
    swp_context inner;
    swp_context *outer = n->ctx;
    SWP_TRY(swp_scope_open(outer, &inner));
    n->ctx = &inner;
    const swp_status status = show_stages(n, holds);
    n->ctx = outer;
    swp_scope_close(&inner);
    return status;
}

/* Whether runs get no longer: what the argument is compared with is behind. */
static bool is_settled(const swp_ptx_induction *n)
{
    bool same = true;
    for (int w = 0; w < n->shorter->warp_count && same; w++)
        same = swp_ptx_go_alike(&n->shorter->warps[w], &n->longer->warps[w]);
    return same;
}

/* Whether a warp behind the leader goes the same way. */
static bool is_like_another(const swp_ptx_induction *n)
{
    const swp_ptx_warp *leader = &n->longer->warps[n->leader];
    bool like = false;
    for (const swp_ptx_warp *other = leader + 1;
         other < n->longer->warps + n->longer->warp_count && !like; other++)
        like = swp_ptx_go_alike(other, leader);
    return like;
}

/* Whether a warp before the leader goes the same way: it would show the same. */
static bool goes_like_another(const swp_ptx_induction *n)
{
    const swp_ptx_warp *leader = &n->longer->warps[n->leader];
    bool like = false;
    for (const swp_ptx_warp *other = n->longer->warps; other < leader && !like; other++)
        like = swp_ptx_go_alike(other, leader);
    return like;
}

/* Other warps go on while the leader is held; who never waits would come to the end, and is held with the leader. */
static swp_status show_with(swp_ptx_induction *n, bool *holds)
{
    n->together = false;
    SWP_TRY(show_with_leader(n, holds));
    n->together = !*holds && n->back <= MOST_BACK_TOGETHER && is_like_another(n);
    if (n->together)
        SWP_TRY(show_with_leader(n, holds));
    return SWP_OK;
}

/* A run from its start to its end, whatever the periods before and the elements of the last pass are. */
static swp_status follow_whole(swp_ptx_induction *n, int64_t periods, bool *holds)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)n->value;
    SWP_TRY(new_run(n, &run));
    run->counts.most[SWP_PTX_BEFORE] = periods;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    *holds = has_ended(run);
    return SWP_OK;
}

/* All values of the argument that are `value`, and some periods more. */
static swp_status show(swp_ptx_induction *n, bool *holds)
{
    bool ended = false;
    int value = n->from;
    do {
        SWP_TRY(record(n, value, &n->shorter));
        ended = has_ended(n->shorter);
        value += n->period;
    } while (value <= n->value && ended);
    SWP_TRY(record(n, n->value + n->period, &n->longer));
    ended = ended && n->longer && n->longer->outcome == SWP_PTX_ENDED &&
            (!n->strict || swp_ptx_all_have_stretches(n));
    *holds = false;
    n->stages = 0;
    if (ended && is_settled(n)) {
        n->most = n->argument->bits == 64 ? (INT64_C(1) << MOST_ADDRESS_BITS) / n->period : n->most;
        return follow_whole(n, n->most, holds);
    }
    for (n->back = 1; n->back <= MOST_BACK && ended && !*holds; n->back++)
        for (n->leader = 0; n->leader < n->shorter->warp_count && !*holds; n->leader++)
            if (!goes_like_another(n) && swp_ptx_find_stages(n))
                SWP_TRY(show_with(n, holds));
    return SWP_OK;
}

/* A number of a work group counts tiles, of many elements each. */
static int most_periods(const swp_ptx_argument *argument)
{
    return argument->param < 0 ? MOST_PERIODS_OF_GROUPS : MOST_PERIODS;
}

/* `period`: of passes; 0: only so many of them. `most`: lowered to the values for which it holds. */
static swp_status show_within(const swp_ptx_run *form, swp_ptx_argument *argument, int passes,
                              int period, bool strict, int64_t *most, bool *holds)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(form->outer, &inner));
    swp_ptx_induction n = {.ctx = &inner,
                           .form = form,
                           .argument = argument,
                           .from = (passes - 1) * argument->unit + 1,
                           .period = period * argument->unit,
                           .strict = strict,
                           .most = most_periods(argument) / argument->unit};
    /* A loop that is unrolled by the period comes to be as it stays only when all of it has been executed. */
    n.value = n.from + (strict && period > LONG_PERIOD ? n.period : 0);
    argument->slope[SWP_PTX_BEFORE] = argument->slope[SWP_PTX_TO_COME] = n.period;
    argument->slope[SWP_PTX_ELEMENTS] = 1;
    const swp_status status = period ? show(&n, holds) : follow_whole(&n, 0, holds);
    if (period && n.most * n.period < *most)
        *most = n.most * n.period;
    swp_scope_close(&inner);
    return status;
}

/* For all values from the first one on: those of each rest by the period. */
static swp_status show_all(const swp_ptx_run *form, swp_ptx_argument *argument, int first,
                           int period, bool strict, bool *holds, int64_t *most)
{
    *holds = true;
    *most = INT64_MAX;
    for (int rest = 0; rest < period && *holds; rest++)
        SWP_TRY(show_within(form, argument, first + rest, period, strict, most, holds));
    return SWP_OK;
}

static swp_status show_form(const swp_ptx_run *form, swp_ptx_argument *argument, int first,
                            bool *repeats, int64_t *most)
{
    /* Twice the slots of rings, and what loops are unrolled by, by who wrote them and then by the compiler. */
    static const int periods[] = {8, 12, 16, 24, 20, 48};
    bool is_short = true;
    for (int passes = 1; passes < first && is_short && argument->unit > 1; passes++)
        SWP_TRY(show_within(form, argument, passes, 0, false, most, &is_short));
    *repeats = false;
    /* First those with which runs look alike. */
    for (int strict = 1; strict >= 0; strict--)
        for (size_t i = 0; i < SWP_COUNT_OF(periods) && is_short && !*repeats; i++)
            SWP_TRY(show_all(form, argument, first, periods[i], strict, repeats, most));
    return SWP_OK;
}

swp_status swp_ptx_prove_by_induction(const swp_ptx_run *form, swp_ptx_argument *argument,
                                      int first, bool *repeats, int64_t *most)
{
    const uint64_t kept = argument->value;
    swp_ptx_run *hurried = NULL;
    SWP_TRY(show_form(form, argument, first, repeats, most));
    if (!*repeats) {
        SWP_TRY(SWP_TAKE(form->outer, 1, &hurried));
        *hurried = *form;
        hurried->hurries = true;
        SWP_TRY(show_form(hurried, argument, first, repeats, most));
    }
    argument->value = kept;
    return SWP_OK;
}
