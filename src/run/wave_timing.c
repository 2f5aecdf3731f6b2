/* SPDX-License-Identifier: Apache-2.0 */
/* Policies that choose the next wave and which accesses land: early, late, a victim held back, a race, or any. */
#include "run/timing.h"

#include "base/context.h"

enum { NO_WAVE = -1, PERCENT = 100 };

/* What a timing prefers where the machine leaves a choice. */
typedef struct policy {
    bool late[2];          /* by what waits for them: accesses wait for what forces them */
    int ahead;             /* the wave that goes first */
    int behind;            /* the wave that goes last */
    swp_run_target victim; /* the access that waits longest */
} policy;

static const policy no_preference = {.ahead = NO_WAVE, .behind = NO_WAVE, .victim = {NO_WAVE, 0}};

static bool is_victim(const swp_run_machine *m, const policy *p, int access)
{
    const swp_run_access *a = &m->accesses[access];
    return a->instance == p->victim.thread && a->step == p->victim.step;
}

/* Whether the wave's next step would force the victim to take effect. */
static bool needs_victim(const swp_run_machine *m, const policy *p, int wave)
{
    const swp_run_step *step = swp_run_next_step(m, wave);
    if (p->victim.thread == NO_WAVE)
        return false;
    if (wave == p->victim.thread && m->threads[wave].next == p->victim.step && step &&
        !swp_run_is_queued(step))
        return swp_run_is_access(step);
    const int access = m->threads[p->victim.thread].access_of_step[p->victim.step];
    if (access < 0 || m->accesses[access].done)
        return false;
    return swp_run_must_do(m, wave, access);
}

static bool can_advance(const swp_run_machine *m, int wave)
{
    return swp_run_next_step(m, wave) && !swp_run_waits(m, wave);
}

/* How much a wave is put off. */
static int rank_of(const swp_run_machine *m, const policy *p, int wave)
{
    const int base = needs_victim(m, p, wave) ? 4 : 0;
    return base + (wave == p->ahead ? 0 : wave == p->behind ? 2 : 1);
}

/* The wave to go next, of equals the one whose turn it is; NO_WAVE if none can. */
static int choose(const swp_run_machine *m, const policy *p, int turn)
{
    int best = NO_WAVE;
    int best_rank = 0;
    for (int i = 0; i < m->program->waves; i++) {
        const int wave = (turn + i) % m->program->waves;
        if (!can_advance(m, wave))
            continue;
        const int rank = rank_of(m, p, wave);
        if (best == NO_WAVE || rank < best_rank) {
            best = wave;
            best_rank = rank;
        }
    }
    return best;
}

/* Accesses of the wave that need not wait take effect. */
static swp_status land_eager(swp_run_machine *m, const policy *p, int wave)
{
    for (int counter = 0; counter < SWP_RUN_QUEUES; counter++) {
        const swp_run_queue *queue = &m->threads[wave].queues[counter];
        for (int i = queue->head; !p->late[counter % 2] && i < queue->count; i++) {
            const int access = queue->items[i];
            if (swp_run_may_take_effect(m, access) && !is_victim(m, p, access))
                SWP_TRY(swp_run_take_effect(m, access));
        }
    }
    return SWP_OK;
}

static swp_status run_policy(swp_run_machine *m, const policy *p)
{
    int turn = 0;
    for (int wave = choose(m, p, turn); wave != NO_WAVE; wave = choose(m, p, turn)) {
        SWP_TRY(swp_run_advance(m, wave));
        SWP_TRY(land_eager(m, p, wave));
        turn = (wave + 1) % m->program->waves;
    }
    return swp_run_rest(m);
}

swp_status swp_run_delay(swp_run_machine *m, swp_run_target early, swp_run_target late, bool *raced)
{
    policy p = no_preference;
    p.victim = late;
    *raced = false;
    int turn = 0;
    while (m->threads[early.thread].next <= early.step) {
        const int wave = choose(m, &p, turn);
        if (wave == NO_WAVE || needs_victim(m, &p, wave))
            return SWP_OK;
        SWP_TRY(swp_run_advance(m, wave));
        SWP_TRY(land_eager(m, &p, wave));
        turn = (wave + 1) % m->program->waves;
    }
    return swp_run_race(m, early, late, raced);
}

/* One of the wave's accesses; false if it has none. */
static bool draw_access(const swp_run_machine *m, swp_run_random *random, swp_run_target *out)
{
    const int wave = swp_run_draw(random, m->program->waves);
    const swp_run_step_list *steps = m->threads[wave].steps;
    if (steps->count == 0)
        return false;
    const size_t first = (size_t)swp_run_draw(random, (int)steps->count);
    for (size_t i = 0; i < steps->count; i++) {
        const size_t step = (first + i) % steps->count;
        *out = (swp_run_target){wave, (int)step};
        if (swp_run_is_access(&steps->items[step]))
            return true;
    }
    return false;
}

/* Whether one of the list is in a place of the other one, or a register with `registers`. */
static bool has_common(const swp_run_operand_list *list, const swp_run_operand_list *other,
                       bool registers)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_run_operand *operand = &list->items[i];
        if ((operand->in_lds || registers) &&
            swp_run_find_operand(other, operand->in_lds, operand->index))
            return true;
    }
    return false;
}

/* One place, or a register that both write. */
static bool meet(const swp_run_step *a, const swp_run_step *b)
{
    return has_common(&a->writes, &b->writes, true) || has_common(&a->writes, &b->reads, false) ||
           has_common(&a->reads, &b->writes, false) || has_common(&a->reads, &b->reads, false);
}

/* An access of any wave to the same place or register, one of the last before the other one. */
static bool draw_rival(const swp_run_machine *m, swp_run_random *random, swp_run_target of,
                       swp_run_target *out)
{
    const swp_run_step *step = &m->threads[of.thread].steps->items[of.step];
    const int wave = swp_run_draw(random, m->program->waves);
    const swp_run_step_list *steps = m->threads[wave].steps;
    int skip = swp_run_draw(random, 3);
    for (int i = of.step; i >= 0; i--) {
        if ((size_t)i >= steps->count || (wave == of.thread && i == of.step) ||
            !swp_run_is_access(&steps->items[i]) || !meet(&steps->items[i], step))
            continue;
        *out = (swp_run_target){wave, i};
        if (skip-- == 0)
            break;
    }
    return out->thread != NO_WAVE;
}

static swp_status run_race(swp_run_machine *m, swp_run_random *random)
{
    swp_run_target early = {0, 0};
    swp_run_target late = {NO_WAVE, 0};
    bool raced = false;
    if (draw_access(m, random, &early) && draw_rival(m, random, early, &late))
        SWP_TRY(swp_run_race(m, early, late, &raced));
    return swp_run_rest(m);
}

/* Waves and accesses in any order, accesses more or less eager. */
static swp_status run_random(swp_run_machine *m, swp_run_random *random)
{
    const int eager = swp_run_draw(random, PERCENT + 1);
    for (int wave = choose(m, &no_preference, 0); wave != NO_WAVE;) {
        SWP_TRY(swp_run_advance(m, wave));
        for (int w = 0; w < m->program->waves; w++)
            for (int counter = 0; counter < SWP_RUN_QUEUES; counter++) {
                const swp_run_queue *queue = &m->threads[w].queues[counter];
                for (int i = queue->head; i < queue->count; i++)
                    if (swp_run_may_take_effect(m, queue->items[i]) &&
                        swp_run_draw(random, PERCENT) < eager)
                        SWP_TRY(swp_run_take_effect(m, queue->items[i]));
            }
        wave = choose(m, &no_preference, swp_run_draw(random, m->program->waves));
    }
    return swp_run_rest(m);
}

static policy policy_of(const swp_run_machine *m, swp_timing timing, swp_run_random *random)
{
    policy p = no_preference;
    const bool coin = swp_run_draw(random, 2) == 1;
    p.late[SWP_RUN_VM] = timing == SWP_TIMING_LATE || timing == SWP_TIMING_LOADS_LATE;
    p.late[SWP_RUN_LGKM] = timing == SWP_TIMING_LATE || timing == SWP_TIMING_READS_LATE;
    if (timing == SWP_TIMING_AHEAD || timing == SWP_TIMING_BEHIND) {
        p.late[SWP_RUN_VM] = coin;
        p.late[SWP_RUN_LGKM] = swp_run_draw(random, 2) == 1;
    }
    if (timing == SWP_TIMING_AHEAD)
        p.ahead = swp_run_draw(random, m->program->waves);
    if (timing == SWP_TIMING_BEHIND)
        p.behind = swp_run_draw(random, m->program->waves);
    if (timing == SWP_TIMING_VICTIM && draw_access(m, random, &p.victim)) {
        p.behind = coin ? p.victim.thread : NO_WAVE;
        p.late[SWP_RUN_VM] = swp_run_draw(random, 4) == 0;
        p.late[SWP_RUN_LGKM] = swp_run_draw(random, 4) == 0;
    }
    return p;
}

swp_status swp_run_with(swp_run_machine *m, swp_timing timing, uint64_t seed, swp_timing *chosen)
{
    swp_run_random random = {.seed = swp_run_mix(seed, 1)};
    timing = swp_run_timing_of(timing, seed);
    *chosen = timing;
    if (timing == SWP_TIMING_EARLY)
        return swp_run_rest(m);
    if (m->program->manner->waits_behind)
        return swp_run_roles_with(m, timing, &random);
    if (timing == SWP_TIMING_RANDOM)
        return run_random(m, &random);
    if (timing == SWP_TIMING_RACE)
        return run_race(m, &random);
    const policy p = policy_of(m, timing, &random);
    return run_policy(m, &p);
}
