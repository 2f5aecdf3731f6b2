/* SPDX-License-Identifier: Apache-2.0 */
/* What mbarriers and barriers are to whatever may follow a cut: the phases that may still be asked for, and open meetings. */
#include "verify/roles_state.h"

#include <stdlib.h>

/* Writes the waits for it in the order of instances, whichever was laid out first. */
static swp_status put_waits(swp_role_state_writer *w, int number)
{
    const swp_happens_phase *phase = &w->run->phases[number];
    const int kind = swp_happens_kind_of_object(w->run, phase->object);
    for (int i = 0; i < w->run->program->count; i++)
        for (size_t k = 0; k < phase->waits.count; k++) {
            const swp_happens_at at = phase->waits.items[k];
            if (at.instance != i || at.step >= w->latest[i] ||
                !swp_verify_role_wait_matters(w, i, at.step))
                continue;
            SWP_TRY(swp_verify_role_put(w, i));
            SWP_TRY(swp_verify_role_put(w, w->run->steps[i][at.step].op->by));
            SWP_TRY(swp_verify_role_put_returns(w, kind, i, at.step));
        }
    return swp_verify_role_put(w, -1);
}

static swp_status put_phase(swp_role_state_writer *w, int number)
{
    const swp_happens_phase *phase = &w->run->phases[number];
    const int before = phase->before;
    SWP_TRY(swp_verify_role_put(w, phase->object));
    SWP_TRY(swp_verify_role_put(w, phase->turn -
                                       w->now[swp_verify_role_object_clock(w, phase->object)]));
    SWP_TRY(swp_verify_role_put(w, phase->turn < 0));
    SWP_TRY(swp_verify_role_put(w, phase->completed));
    SWP_TRY(swp_verify_role_put(w, phase->arrivals));
    SWP_TRY(swp_verify_role_put(w, phase->expected));
    SWP_TRY(swp_verify_role_put(w, phase->brought));
    SWP_TRY(swp_verify_role_put(w, phase->operations));
    SWP_TRY(swp_verify_role_put(w, phase->pending));
    SWP_TRY(swp_verify_role_put(w, before < 0 ? 2 : w->run->phases[before].completed));
    SWP_TRY(put_waits(w, number));
    if (!swp_verify_role_clock_matters(w, number))
        return SWP_OK;
    if (w->lowered && phase->completed)
        SWP_TRY(swp_verify_role_copy_clock(w, phase->clock, &w->lowered->phases[number].handed_on));
    return swp_verify_role_put_clock(w, swp_happens_handed_on(phase), -1);
}

static int compare(const void *a, const void *b)
{
    const swp_happens_phase *x = *(const swp_happens_phase *const *)a;
    const swp_happens_phase *y = *(const swp_happens_phase *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

/* They are written in one order, whichever was laid out first. */
static swp_status put_phases(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    const swp_happens_phase **phases = NULL;
    size_t count = 0;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->phase_count, &phases));
    for (int p = 0; p < run->phase_count; p++)
        if (w->phases[p])
            phases[count++] = &run->phases[p];
    if (count > 0)
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
        qsort(phases, count, sizeof *phases, compare);
    for (size_t i = 0; i < count; i++)
        SWP_TRY(put_phase(w, (int)(phases[i] - run->phases)));
    return swp_verify_role_put(w, -1);
}

static swp_status put_barrier(swp_role_state_writer *w, int number)
{
    const swp_happens_barrier *barrier = &w->run->barriers[number];
    const int fewest = w->fewest[number];
    SWP_TRY(swp_verify_role_put(w, fewest == 0));
    for (int i = 0; i < w->run->program->count; i++)
        SWP_TRY(swp_verify_role_put(
            w, barrier->takes_part[i] ? (int)barrier->parts[i].count - fewest : -1));
    for (int m = fewest > 0 ? fewest - 1 : 0; m < (int)barrier->meetings.count; m++) {
        SWP_TRY(swp_verify_role_put(w, m - fewest));
        SWP_TRY(swp_verify_role_put(w, barrier->meetings.items[m].opened));
        SWP_TRY(swp_verify_role_put(w, barrier->meetings.items[m].pending));
        SWP_TRY(swp_verify_role_put_clock(w, barrier->meetings.items[m].clock, -1));
    }
    return SWP_OK;
}

swp_status swp_verify_role_put_objects(swp_role_state_writer *w)
{
    SWP_TRY(put_phases(w));
    for (int b = 0; b < w->run->barrier_count; b++)
        SWP_TRY(put_barrier(w, b));
    return SWP_OK;
}
