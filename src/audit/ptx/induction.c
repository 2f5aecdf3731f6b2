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

enum { MOST_ATTEMPTS = 6 };

static swp_status new_run(const swp_ptx_induction *n, swp_ptx_run **out)
{
    SWP_TRY(SWP_TAKE(n->ctx, 1, out));
    **out = *n->form;
    (*out)->ctx = n->ctx;
    (*out)->must_decide = true;
    return swp_ptx_run_begin(*out);
}

swp_status swp_ptx_record_run(swp_ptx_induction *n, int value, swp_ptx_run **out)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)value;
    SWP_TRY(new_run(n, &run));
    run->records = true;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    n->steps += run->steps;
    *out = run;
    return SWP_OK;
}

static swp_status begin(const swp_ptx_induction *n, swp_ptx_run **run)
{
    n->argument->value = (uint64_t)n->value + (uint64_t)n->period;
    SWP_TRY(new_run(n, run));
    (*run)->told_groups = n->longer->deepest_wait;
    return SWP_OK;
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
    n->steps += run->steps - start->steps;
    *again = swp_ptx_find_lost(n, start, run) || !swp_ptx_bytes_stay(start, run);
    *holds = !*again;
    if (*holds)
        SWP_TRY(swp_ptx_compare_orders(start, run, holds));
    *holds &= run->deepest_wait <= run->told_groups;
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

bool swp_ptx_has_ended(const swp_ptx_run *run)
{
    return run && run->outcome == SWP_PTX_ENDED && run->undecided < 0 && !run->unwritten.high &&
           !run->doubt.detail;
}

static swp_status follow_to_end(swp_ptx_run *run, bool *holds)
{
    swp_ptx_release(run);
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    *holds = swp_ptx_has_ended(run) && run->deepest_wait <= run->told_groups;
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
    if (*holds)
        SWP_TRY(follow_to_end(run, holds));
    n->steps += plain->steps + run->steps;
    return SWP_OK;
}

/* What is only needed meanwhile is let go. */
swp_status swp_ptx_show_with_leader(swp_ptx_induction *n, bool *holds)
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

swp_status swp_ptx_follow_whole(swp_ptx_induction *n, int64_t periods, bool *holds)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)n->value;
    SWP_TRY(new_run(n, &run));
    run->counts.most[SWP_PTX_BEFORE] = periods;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    *holds = swp_ptx_has_ended(run);
    return SWP_OK;
}
