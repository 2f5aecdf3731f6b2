/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two accesses of one place made to meet in the wrong order. That alone may show nothing, where
 * further writes bring the tile that the read wants: those which cannot wait until after it go
 * before a write of another tile.
 */
#include "base/context.h"
#include "run/timing.h"

enum { NO_STEP = -1 };

static const swp_run_step *step_of(const swp_run_machine *m, swp_run_target target)
{
    return &m->threads[target.thread].steps->items[target.step];
}

static bool writes_place(const swp_run_step *step, int place)
{
    return swp_run_find_operand(&step->writes, true, place) != NULL;
}

/* What one of the two writes where the other one reads, or writes too; NULL: nothing. */
static const swp_run_operand *find_meeting(const swp_run_step *writer, const swp_run_step *other)
{
    for (size_t i = 0; i < writer->writes.count; i++) {
        const swp_run_operand *written = &writer->writes.items[i];
        if (written->in_lds && (swp_run_find_operand(&other->reads, true, written->index) ||
                                writes_place(other, written->index)))
            return written;
    }
    return NULL;
}

/*
 * A read hurried before a write misses that write's tile; a write hurried before a read brings a
 * tile that is not the read's; of two writes the hurried one brings the right tile.
 */
static swp_run_conflict conflict_of(const swp_run_machine *m, swp_run_target early,
                                    swp_run_target late)
{
    const swp_run_step *first = step_of(m, early);
    const swp_run_step *second = step_of(m, late);
    const swp_run_operand *written = find_meeting(first, second);
    if (!written)
        written = find_meeting(second, first);
    if (!written)
        return (swp_run_conflict){0};
    const bool early_writes = writes_place(first, written->index);
    const bool late_writes = writes_place(second, written->index);
    return (swp_run_conflict){.wanted = true,
                              .wave = early_writes ? early.thread : late.thread,
                              .place = written->index,
                              .tile = written->tile,
                              .tile_is_right = !early_writes || late_writes,
                              .early_writes = early_writes,
                              .late_writes = late_writes,
                              .spared = early_writes ? NO_STEP : late.step};
}

bool swp_run_brings(const swp_run_machine *m, int access, bool right_tile)
{
    const swp_run_conflict *c = &m->conflict;
    const swp_run_access *a = &m->accesses[access];
    if (!c->wanted || a->done || a->instance != c->wave || a->step == c->spared)
        return false;
    const swp_run_operand *written =
        swp_run_find_operand(&swp_run_step_of(m, a)->writes, true, c->place);
    return written && ((written->tile == c->tile) == c->tile_is_right) == right_tile;
}

static bool is_done(const swp_run_machine *m, swp_run_target target)
{
    const int access = m->threads[target.thread].access_of_step[target.step];
    return access >= 0 && m->accesses[access].done;
}

/* What a read finds last is of another tile, if that is in flight; not from step `but`. */
static swp_status land_wrong(swp_run_machine *m, int but)
{
    for (int access = swp_run_oldest_open(m); access < m->access_count; access++)
        if (m->accesses[access].step != but && swp_run_brings(m, access, false))
            SWP_TRY(swp_run_land(m, access));
    return SWP_OK;
}

/*
 * Of writes by one wave that are in flight together the late one is to be the last. Those issued
 * after the early one would be, so the two are held back until the wave needs one of them.
 */
static swp_status issue_further_writes(swp_run_machine *m, swp_run_target early,
                                       swp_run_target late)
{
    const swp_run_thread *wave = &m->threads[early.thread];
    const int first = wave->access_of_step[early.step];
    const int last = wave->access_of_step[late.step];
    const int place = m->conflict.place;
    bool moves = early.thread == late.thread && first >= 0 && last >= 0 &&
                 !m->accesses[last].done && !m->accesses[first].done;
    if (!moves)
        return SWP_OK;
    for (const swp_run_step *next = swp_run_next_step(m, early.thread);
         moves && next &&
         (!swp_run_find_operand(&next->reads, true, place) || writes_place(next, place)) &&
         !swp_run_must_do(m, early.thread, first) && !swp_run_must_do(m, early.thread, last);
         next = swp_run_next_step(m, early.thread))
        SWP_TRY(swp_run_reach(m, (swp_run_target){early.thread, wave->next}, &moves));
    return land_wrong(m, late.step);
}

/* The overtaken read finds what overtook it before another write comes. */
static swp_status finish_read(swp_run_machine *m, swp_run_target late)
{
    bool reached = false;
    if (!m->conflict.wanted || m->conflict.late_writes)
        return SWP_OK;
    SWP_TRY(swp_run_reach(m, late, &reached));
    return reached ? swp_run_land(m, m->threads[late.thread].access_of_step[late.step]) : SWP_OK;
}

/* What reads as it issues finds the wrong tile if that was there before. */
static swp_status issue_early(swp_run_machine *m, swp_run_target early, bool *raced)
{
    if (m->conflict.wanted && !m->conflict.early_writes && !swp_run_is_queued(step_of(m, early))) {
        SWP_TRY(swp_run_help_to(m, early, SWP_RUN_BEFORE, raced));
        if (*raced)
            SWP_TRY(land_wrong(m, NO_STEP));
    }
    return swp_run_reach(m, early, raced);
}

swp_status swp_run_race(swp_run_machine *m, swp_run_target early, swp_run_target late, bool *raced)
{
    m->conflict = conflict_of(m, early, late);
    SWP_TRY(issue_early(m, early, raced));
    const int access = m->threads[early.thread].access_of_step[early.step];
    if (*raced && !m->conflict.early_writes)
        SWP_TRY(land_wrong(m, NO_STEP));
    else if (*raced && m->conflict.late_writes)
        SWP_TRY(issue_further_writes(m, early, late));
    if (*raced && access >= 0)
        SWP_TRY(swp_run_land(m, access));
    *raced = *raced && !is_done(m, late);
    return *raced ? finish_read(m, late) : SWP_OK;
}
