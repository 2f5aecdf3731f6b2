/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules about places of a loop without warp roles, once a look has found that its run breaks one: of each read the writes
 * in sight, and what it finds among them. What was told of counts as done (docs/loops-proof.md, "What an entry does").
 */
#include "verify/roles_sight.h"
#include "happens_before/queues.h"

/* --- Events --- */

static const swp_happens_step *step_of(const swp_role_sight *s, int event)
{
    return swp_happens_step_of(s->judge->run, 0, s->steps[0][event]);
}

static swp_status list_events(swp_role_sight *s)
{
    const swp_happens_run *run = s->judge->run;
    const int instances = run->program->count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)instances, &s->steps));
    for (int i = 0; i < instances; i++) {
        const int end = s->judge->ends ? s->judge->ends[i] : run->lengths[i];
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)end + 1, &s->steps[i]));
        s->events = 0;
        for (int step = 0; step < end; step++)
            if (run->steps[i][step].work)
                s->steps[i][s->events++] = step;
    }
    return SWP_OK;
}

swp_role_access swp_verify_role_event_access(const swp_role_sight *s, int event, int instance,
                                             int which)
{
    const swp_happens_at at = {instance, s->steps[instance][event]};
    return (swp_role_access){at, swp_happens_step_of(s->judge->run, instance, at.step), which};
}

int swp_verify_role_event_threads(const swp_role_sight *s)
{
    return swp_verify_role_is_one_wave(s->judge->run->program) ? 1 : SWP_HAPPENS_DISTINCT_THREADS;
}

/* Whether what all waves did of one is over before any wave does the other. */
static bool is_before(const swp_role_sight *s, int earlier, int later)
{
    const int instances = s->judge->run->program->count;
    const int threads = swp_verify_role_event_threads(s);
    for (int k = 0; earlier >= 0 && k < instances * instances * threads * threads; k++) {
        const int pair = k / (instances * instances);
        const swp_role_access a =
            swp_verify_role_event_access(s, earlier, k % instances, pair % threads);
        const swp_role_access b =
            swp_verify_role_event_access(s, later, k / instances % instances, pair / threads);
        if (!swp_verify_role_is_over(&s->question, &a, &b))
            return false;
    }
    return true;
}

/* Whether a wave's own earlier write has taken effect when it issues the later one, or does so before that. */
static bool is_settled(const swp_role_sight *s, int earlier, int later)
{
    for (int i = 0; earlier >= 0 && i < s->judge->run->program->count; i++) {
        const swp_role_access a = swp_verify_role_event_access(s, earlier, i, 0);
        const swp_role_access b = swp_verify_role_event_access(s, later, i, 0);
        if (!swp_verify_role_is_over(&s->question, &a, &b))
            return false;
    }
    return true;
}

/* --- What is told --- */

/* What a read wants, and what it may find. */
typedef struct tiles {
    int64_t wanted;
    int64_t found;
} tiles;

static swp_status tell(const swp_role_sight *s, const swp_role_watched *p, swp_hazard_kind kind,
                       int event, int other, tiles of)
{
    const swp_happens_at at = {0, s->steps[0][event]};
    const swp_happens_at with = {other < 0 ? -1 : 0, other < 0 ? -1 : s->steps[0][other]};
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(s->judge, kind, at, with, &hazard));
    return hazard ? swp_verify_role_word(
                        s->judge, hazard,
                        (swp_role_about){p->value, p->slot, of.wanted, of.found, NULL})
                  : SWP_OK;
}

static swp_status tell_at(const swp_role_sight *s, const swp_role_watched *p, swp_hazard_kind kind,
                          swp_role_written *write, int other, tiles of)
{
    write->told = true;
    return tell(s, p, kind, write->event, other, of);
}

/* --- Reads --- */

/* Only what follows the newest write that is surely there, and what that overlaps, can be seen. */
static int first_seen(const swp_role_sight *s, const swp_role_watched *p, int event)
{
    int i = (int)p->writes.count - 1;
    while (!is_before(s, p->writes.items[i].event, event))
        i--;
    return i - p->writes.items[i].overlapped;
}

/* The newest write of the tile since that one; -1: there is none. */
static int write_of(const swp_role_watched *p, int first, int64_t tile)
{
    for (int i = (int)p->writes.count - 1; i >= first; i--)
        if (p->writes.items[i].tile == tile)
            return i;
    return -1;
}

static int other_before(const swp_role_watched *p, int first, int at, int64_t tile)
{
    for (int i = at - 1; i >= first; i--)
        if (p->writes.items[i].tile != tile)
            return i;
    return -1;
}

static int other_behind(const swp_role_sight *s, const swp_role_watched *p,
                        const swp_role_observed *read, int at, bool is_there)
{
    for (int i = at + 1; i < (int)p->writes.count; i++)
        if (p->writes.items[i].tile != read->tile &&
            is_before(s, p->writes.items[i].event, read->event) == is_there)
            return i;
    return -1;
}

/* Write `at` has the tile. May the read have seen another one? Then that is told, and `*is_told`. */
static swp_status judge_found(const swp_role_sight *s, swp_role_watched *p,
                              const swp_role_observed *read, int first, int at, bool *is_told)
{
    swp_role_written *write = &p->writes.items[at];
    const int older = other_before(p, first, at, read->tile);
    const bool is_there = is_before(s, write->event, read->event);
    const int overwriting = other_behind(s, p, read, at, false);
    const int newer = other_behind(s, p, read, at, true);
    *is_told = true;
    if (older >= 0 && !is_there && !write->told) {
        write->told = true;
        return tell(s, p, SWP_STALE_READ, read->event, write->event,
                    (tiles){read->tile, p->writes.items[older].tile});
    }
    if (overwriting >= 0)
        return tell_at(s, p, SWP_OVERWRITTEN, &p->writes.items[overwriting], read->event,
                       (tiles){read->tile, p->writes.items[overwriting].tile});
    if (older >= 0 && is_there && !write->told)
        return tell_at(s, p, SWP_WRITE_RACE, write, p->writes.items[older].event,
                       (tiles){read->tile, p->writes.items[older].tile});
    if (newer >= 0)
        return tell_at(s, p, SWP_WRITE_RACE, &p->writes.items[newer],
                       p->writes.items[newer - 1].event,
                       (tiles){read->tile, p->writes.items[newer].tile});
    *is_told = false;
    return SWP_OK;
}

static int64_t tile_of(const swp_role_sight *s, int event, const swp_role_operand *operand)
{
    const int64_t version = step_of(s, event)->iteration - operand->distance;
    return version * s->judge->model->values[operand->value].makers + operand->part;
}

static const swp_role_op *op_of(const swp_role_sight *s, int event)
{
    return &s->judge->model->ops[swp_loop_op_of_tag(step_of(s, event)->op->tag)];
}

/* Whether an event writes a tile of a value. */
static bool writes(const swp_role_sight *s, int event, int value, int64_t tile)
{
    const swp_role_op *op = op_of(s, event);
    for (int t = 0; t < op->operand_count; t++)
        if (op->operands[t].value == value && op->operands[t].kind != SWP_ROLE_READS &&
            tile_of(s, event, &op->operands[t]) == tile)
            return true;
    return false;
}

static bool is_early(const swp_role_watched *p, int event)
{
    for (size_t i = 0; i < p->early.count; i++)
        if (p->early.items[i] == event)
            return true;
    return false;
}

/* The tile is only written after the read, if at all. The place counts as holding it once that was told. */
static swp_status judge_too_early(const swp_role_sight *s, swp_role_watched *p,
                                  const swp_role_observed *read)
{
    const swp_role_written *newest = &p->writes.items[p->writes.count - 1];
    const tiles of = {read->tile, newest->tile};
    int later = read->event;
    while (later < s->events && !writes(s, later, p->value, read->tile))
        later++;
    if (later == s->events && s->is_cut)
        return SWP_PUSH(s->judge->run->ctx, &p->pending, *read);
    if (later == s->events)
        return tell(s, p, SWP_WRONG_TILE, read->event, newest->event, of);
    if (is_early(p, later))
        return SWP_OK;
    SWP_TRY(SWP_PUSH(s->judge->run->ctx, &p->early, later));
    return tell(s, p, SWP_STALE_READ, read->event, -1, of);
}

/* Whether a read is over as soon as a later one of the same op is. The use of a register may retire that one alone. */
static bool is_over_with(const swp_role_sight *s, int earlier, int later)
{
    const swp_happens_step *a = step_of(s, earlier);
    const swp_happens_step *b = step_of(s, later);
    return !swp_happens_is_queued(a) || b->retired_by < 0 ||
           (a->retired_by >= 0 && a->retired_by <= b->retired_by);
}

static swp_status observe(const swp_role_sight *s, swp_role_watched *p,
                          const swp_role_observed *read)
{
    for (size_t r = 0; r < p->reads.count; r++) {
        swp_role_observed *before = &p->reads.items[r];
        if (step_of(s, before->event)->op->tag == step_of(s, read->event)->op->tag &&
            is_over_with(s, before->event, read->event)) {
            *before = *read;
            return SWP_OK;
        }
    }
    return SWP_PUSH(s->judge->run->ctx, &p->reads, *read);
}

static swp_status judge_read(const swp_role_sight *s, swp_role_watched *p,
                             const swp_role_observed *read)
{
    const int first = first_seen(s, p, read->event);
    const int at = write_of(p, first, read->tile);
    bool is_told = true;
    SWP_TRY(at >= 0 ? judge_found(s, p, read, first, at, &is_told) : judge_too_early(s, p, read));
    return is_told ? SWP_OK : observe(s, p, read);
}

/* --- Writes --- */

/* Reads that this write may overtake. */
static swp_status threaten_reads(const swp_role_sight *s, swp_role_watched *p,
                                 swp_role_written *write)
{
    size_t kept = 0;
    for (size_t r = 0; r < p->reads.count; r++) {
        const swp_role_observed read = p->reads.items[r];
        if (read.tile == write->tile || is_before(s, read.event, write->event))
            p->reads.items[kept++] = read;
        else
            SWP_TRY(
                tell_at(s, p, SWP_OVERWRITTEN, write, read.event, (tiles){read.tile, write->tile}));
    }
    p->reads.count = kept;
    return SWP_OK;
}

static swp_status judge_write(const swp_role_sight *s, swp_role_watched *p, int event, int64_t tile)
{
    swp_role_written write = {.event = event, .tile = tile, .told = is_early(p, event)};
    SWP_TRY(threaten_reads(s, p, &write));
    while (write.overlapped < (int)p->writes.count &&
           !is_settled(s, p->writes.items[p->writes.count - 1 - (size_t)write.overlapped].event,
                       event))
        write.overlapped++;
    return SWP_PUSH(s->judge->run->ctx, &p->writes, write);
}

/* --- All --- */

/* Slot s holds the last tile of the version that many slots before the loop. */
static swp_status begin_places(swp_role_sight *s)
{
    const swp_role_model *m = s->judge->model;
    SWP_TRY(SWP_TAKE(s->judge->run->ctx, (size_t)m->places, &s->places));
    for (int v = 0; v < (int)m->loop->value_count; v++)
        for (int slot = 0; slot < m->values[v].slots; slot++) {
            swp_role_watched *p = &s->places[m->values[v].first + slot];
            const int64_t version = (int64_t)slot - m->values[v].slots;
            const swp_role_written before = {
                .event = -1, .tile = version * m->values[v].makers + m->values[v].makers - 1};
            p->value = v;
            p->slot = slot;
            SWP_TRY(SWP_PUSH(s->judge->run->ctx, &p->writes, before));
        }
    return SWP_OK;
}

static swp_status judge_event(const swp_role_sight *s, int event)
{
    const swp_role_op *op = op_of(s, event);
    for (int pass = 0; pass < 2; pass++) /* it reads, then it writes */
        for (int t = 0; t < op->operand_count; t++) {
            const swp_role_operand *operand = &op->operands[t];
            const swp_role_value *value = &s->judge->model->values[operand->value];
            const bool reads = operand->kind == SWP_ROLE_READS;
            const int64_t version = step_of(s, event)->iteration - operand->distance;
            if (!value->is_shared || value->makers == 0 || reads == (pass == 1))
                continue;
            swp_role_watched *p =
                &s->places[value->first + swp_happens_rest(version, value->slots)];
            const int64_t tile = tile_of(s, event, operand);
            SWP_TRY(reads ? judge_read(s, p, &(swp_role_observed){event, tile})
                          : judge_write(s, p, event, tile));
        }
    return SWP_OK;
}

swp_status swp_verify_role_watch(swp_role_sight *s)
{
    SWP_TRY(list_events(s));
    SWP_TRY(begin_places(s));
    for (int event = 0; event < s->events; event++)
        SWP_TRY(judge_event(s, event));
    return SWP_OK;
}

swp_status swp_verify_role_sight(swp_role_judge *judge)
{
    swp_role_sight s = {.judge = judge, .question = {.judge = judge}};
    return swp_verify_role_watch(&s);
}
