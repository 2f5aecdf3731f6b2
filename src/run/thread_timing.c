/* SPDX-License-Identifier: Apache-2.0 */
/* Timings of runs with warp roles: which thread moves next, and when what is in flight is retired. */
#include "run/sync.h"

#include "base/context.h"
#include "run/timing.h"

enum { PERCENT = 100 };

/* What a timing prefers where the machine leaves a choice. */
typedef struct role_timing_policy {
    bool late_copies;
    bool late_others; /* wgmmas and bulk stores */
    int behind;       /* the thread that goes last… */
    bool with_others; /* …with all of its instance; SWP_RUN_NOBODY: none does */
    int victim_of;    /* instance whose operation is retired last… */
    int victim_step;  /* …as this step */
} role_timing_policy;

static const role_timing_policy no_preference = {.behind = SWP_RUN_NOBODY,
                                                 .victim_of = SWP_RUN_NOBODY};

static bool is_behind(const swp_run_machine *m, const role_timing_policy *p, int thread)
{
    if (p->behind == SWP_RUN_NOBODY)
        return false;
    return p->with_others ? thread / m->lanes == p->behind / m->lanes : thread == p->behind;
}

static bool is_victim(const swp_run_machine *m, const role_timing_policy *p, int async)
{
    return m->accesses[async].instance == p->victim_of && m->accesses[async].step == p->victim_step;
}

/* Of those that may move the one whose turn it is; SWP_RUN_NOBODY. */
static int choose(const swp_run_machine *m, const role_timing_policy *p, int turn, bool behind)
{
    for (int i = 0; i < m->thread_count; i++) {
        const int thread = (turn + i) % m->thread_count;
        if (is_behind(m, p, thread) == behind && swp_run_may_issue(m, thread))
            return thread;
    }
    return SWP_RUN_NOBODY;
}

static bool is_late(const swp_run_machine *m, const role_timing_policy *p, int async)
{
    const bool is_copy = swp_run_step_of(m, &m->accesses[async])->queue == SWP_RUN_COPY_MBARRIER;
    return (is_copy ? p->late_copies : p->late_others) || is_victim(m, p, async);
}

/* Whatever may be retired and does not wait for what forces it. */
static swp_status retire_eager(swp_run_machine *m, const role_timing_policy *p)
{
    for (int i = 0; i < m->open_count;) {
        const int async = m->open[i];
        if (is_late(m, p, async) || !swp_run_may_take_effect(m, async))
            i++;
        else
            SWP_TRY(swp_run_take_effect(m, async));
    }
    return SWP_OK;
}

/* Whether the thread stands at a wait that the operation holds up. */
static bool is_for(const swp_run_machine *m, int thread, int async)
{
    const swp_run_step *wait = m->threads[thread].waits ? swp_run_next_step(m, thread) : NULL;
    if (!wait)
        return false;
    if (wait->source->tag != SWP_TAG_WAIT_PHASE) {
        const int awaited = swp_run_awaited_async(m, thread);
        return awaited >= 0 && swp_run_first_in_order(m, awaited) == async;
    }
    const swp_run_access *a = &m->accesses[async];
    return swp_run_step_of(m, a)->queue == SWP_RUN_COPY_MBARRIER &&
           swp_run_mbarrier_of(m, a->to, swp_run_step_of(m, a)) ==
               swp_run_mbarrier_of(m, swp_run_rank_of(m, m->threads[thread].instance), wait);
}

/* What nobody waits for stays in flight: one that somebody does, but for the victim. */
static swp_status retire_awaited(swp_run_machine *m, const role_timing_policy *p, bool *retired)
{
    for (int thread = 0; thread < m->thread_count; thread++)
        for (int i = 0; i < m->open_count && !*retired; i++) {
            const int async = m->open[i];
            if (is_victim(m, p, async) || !is_for(m, thread, async) ||
                !swp_run_may_take_effect(m, async))
                continue;
            *retired = true;
            SWP_TRY(swp_run_take_effect(m, async));
        }
    return SWP_OK;
}

/* One operation, the victim only if it is asked for. */
static swp_status retire_one(swp_run_machine *m, const role_timing_policy *p, bool victim,
                             bool *retired)
{
    if (!victim)
        SWP_TRY(retire_awaited(m, p, retired));
    for (int i = 0; i < m->open_count && !*retired; i++) {
        const int async = m->open[i];
        if (is_victim(m, p, async) != victim || !swp_run_may_take_effect(m, async))
            continue;
        *retired = true;
        SWP_TRY(swp_run_take_effect(m, async));
    }
    return SWP_OK;
}

static swp_status move_and_retire(swp_run_machine *m, const role_timing_policy *p, int thread,
                                  int *turn)
{
    *turn = (thread + 1) % m->thread_count;
    SWP_TRY(swp_run_issue(m, thread));
    return retire_eager(m, p);
}

/* What no thread waits for is retired behind the end of all, or of those that end. */
static swp_status retire_rest(swp_run_machine *m)
{
    bool retired = true;
    while (retired) {
        retired = false;
        SWP_TRY(retire_one(m, &no_preference, false, &retired));
    }
    return SWP_OK;
}

static swp_status run_policy(swp_run_machine *m, const role_timing_policy *p)
{
    int turn = 0;
    bool moved = true;
    SWP_TRY(retire_eager(m, p));
    while (moved && !swp_run_have_all_ended(m)) {
        int thread = choose(m, p, turn, false);
        moved = thread != SWP_RUN_NOBODY;
        if (!moved)
            SWP_TRY(retire_one(m, p, false, &moved));
        if (!moved) {
            thread = choose(m, p, turn, true);
            moved = thread != SWP_RUN_NOBODY;
        }
        if (!moved)
            SWP_TRY(retire_one(m, p, true, &moved));
        if (thread != SWP_RUN_NOBODY)
            SWP_TRY(move_and_retire(m, p, thread, &turn));
    }
    return retire_rest(m);
}

swp_status swp_run_rest_late(swp_run_machine *m)
{
    role_timing_policy p = no_preference;
    p.late_copies = true;
    p.late_others = true;
    return run_policy(m, &p);
}

swp_status swp_run_with_last(swp_run_machine *m, int thread)
{
    role_timing_policy p = no_preference;
    p.behind = thread;
    return run_policy(m, &p);
}

/* One thread as far ahead as can be, or to one step; then all others, early or late. */
static swp_status run_ahead(swp_run_machine *m, swp_run_random *random, bool to_end)
{
    role_timing_policy p = no_preference;
    const int instance = swp_run_draw(random, m->program->waves);
    const int lane = swp_run_draw(random, 2) ? 0 : swp_run_draw(random, m->lanes);
    const int thread = instance * m->lanes + lane;
    const int steps = (int)m->threads[thread].steps->count;
    const int step = to_end || steps == 0 ? steps : swp_run_draw(random, steps);
    bool reached = false;
    p.late_copies = swp_run_draw(random, 2) == 1;
    p.late_others = swp_run_draw(random, 2) == 1;
    SWP_TRY(swp_run_help_to(m, (swp_run_target){thread, step}, SWP_RUN_RETURNED, &reached));
    return run_policy(m, &p);
}

/* Threads and operations in any order, the latter more or less eager. */
static swp_status run_random(swp_run_machine *m, swp_run_random *random)
{
    const int eager = swp_run_draw(random, PERCENT + 1);
    bool moved = true;
    while (moved && !swp_run_have_all_ended(m)) {
        const int turn = swp_run_draw(random, m->thread_count);
        const int thread = choose(m, &no_preference, turn, false);
        const int async =
            m->open_count ? m->open[swp_run_draw(random, m->open_count)] : SWP_RUN_NOBODY;
        moved = thread != SWP_RUN_NOBODY;
        if (moved)
            SWP_TRY(swp_run_issue(m, thread));
        else
            SWP_TRY(retire_one(m, &no_preference, false, &moved));
        if (async != SWP_RUN_NOBODY && swp_run_draw(random, PERCENT) < eager &&
            swp_run_may_take_effect(m, async))
            SWP_TRY(swp_run_take_effect(m, async));
    }
    return retire_rest(m);
}

/* An operation of any instance that has one behind a step drawn. */
static void draw_victim(const swp_run_machine *m, swp_run_random *random, role_timing_policy *p)
{
    const int instance = swp_run_draw(random, m->program->waves);
    const swp_run_step_list *steps = swp_run_list_of(m->program, instance);
    const int first = steps->count ? swp_run_draw(random, (int)steps->count) : 0;
    for (int i = 0; i < (int)steps->count; i++) {
        const int step = (first + i) % (int)steps->count;
        if (!swp_run_is_queued(&steps->items[step]))
            continue;
        p->victim_of = instance;
        p->victim_step = step;
        return;
    }
}

static role_timing_policy policy_of(const swp_run_machine *m, swp_timing timing,
                                    swp_run_random *random)
{
    role_timing_policy p = no_preference;
    p.late_copies = timing == SWP_TIMING_LATE || timing == SWP_TIMING_LOADS_LATE;
    p.late_others = timing == SWP_TIMING_LATE || timing == SWP_TIMING_READS_LATE;
    if (timing == SWP_TIMING_BEHIND) {
        p.behind = swp_run_draw(random, m->thread_count);
        p.with_others = swp_run_draw(random, 2) == 1;
        p.late_copies = swp_run_draw(random, 2) == 1;
        p.late_others = swp_run_draw(random, 2) == 1;
    }
    if (timing == SWP_TIMING_VICTIM) {
        draw_victim(m, random, &p);
        if (swp_run_draw(random, 2) && p.victim_of >= 0)
            p.behind = p.victim_of * m->lanes + swp_run_draw(random, m->lanes);
    }
    return p;
}

swp_status swp_run_roles_with(swp_run_machine *m, swp_timing timing, swp_run_random *random)
{
    if (timing == SWP_TIMING_RANDOM)
        return run_random(m, random);
    if (timing == SWP_TIMING_AHEAD || timing == SWP_TIMING_RACE)
        return run_ahead(m, random, timing == SWP_TIMING_AHEAD);
    const role_timing_policy p = policy_of(m, timing, random);
    return run_policy(m, &p);
}
