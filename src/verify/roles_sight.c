/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules about places of a loop without warp roles, once a look has found that its run breaks one: of each read the writes
 * in sight, and what it finds among them. What was told of counts as done (docs/loops-proof.md, "What an entry does").
 */
#include "happens_before/queues.h"
#include "verify/roles_pairs.h"

#include <inttypes.h>

/* Event -1 is before the run. */
typedef struct written {
    int event;
    int64_t tile;
    int overlapped; /* writes right before it that it may come before */
    bool told;
} written;

/* A read that has found its tile. */
typedef struct observed {
    int event;
    int64_t tile;
} observed;

typedef struct place {
    int value;
    int64_t slot;
    struct {
        written *items;
        size_t count;
        size_t capacity;
    } writes;
    struct {
        observed *items; /* of each op the last one */
        size_t count;
        size_t capacity;
    } reads;
    swp_happens_numbers early; /* events that write what was read before, which was told */
    struct {
        observed *items; /* of a cut: reads of tiles that what follows may still write */
        size_t count;
        size_t capacity;
    } pending;
} place;

/* All instances have the same ops in the same order. */
typedef struct sight {
    swp_role_judge *judge;
    swp_role_question question;
    place *places;
    int **steps; /* of each instance: the step of each event */
    int events;
    bool is_cut; /* more events follow */
} sight;

/* --- Events --- */

static const swp_happens_step *step_of(const sight *s, int event)
{
    return swp_happens_step_of(s->judge->run, 0, s->steps[0][event]);
}

static swp_status list_events(sight *s)
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

static swp_role_access access_of(const sight *s, int event, int instance, int which)
{
    const swp_happens_at at = {instance, s->steps[instance][event]};
    return (swp_role_access){at, swp_happens_step_of(s->judge->run, instance, at.step), which};
}

static int threads_of(const sight *s)
{
    return swp_verify_role_is_one_wave(s->judge->run->program) ? 1 : SWP_HAPPENS_DISTINCT_THREADS;
}

/* Whether what all waves did of one is over before any wave does the other. */
static bool is_before(const sight *s, int earlier, int later)
{
    const int instances = s->judge->run->program->count;
    const int threads = threads_of(s);
    for (int k = 0; earlier >= 0 && k < instances * instances * threads * threads; k++) {
        const int pair = k / (instances * instances);
        const swp_role_access a = access_of(s, earlier, k % instances, pair % threads);
        const swp_role_access b = access_of(s, later, k / instances % instances, pair / threads);
        if (!swp_verify_role_is_over(&s->question, &a, &b))
            return false;
    }
    return true;
}

/* Whether a wave's own earlier write has taken effect when it issues the later one, or does so before that. */
static bool is_settled(const sight *s, int earlier, int later)
{
    for (int i = 0; earlier >= 0 && i < s->judge->run->program->count; i++) {
        const swp_role_access a = access_of(s, earlier, i, 0);
        const swp_role_access b = access_of(s, later, i, 0);
        if (!swp_verify_role_is_over(&s->question, &a, &b))
            return false;
    }
    return true;
}

/* --- What is told --- */

static swp_status tell(const sight *s, const place *p, swp_hazard_kind kind, int event, int other)
{
    const swp_happens_at at = {0, s->steps[0][event]};
    const swp_happens_at with = {other < 0 ? -1 : 0, other < 0 ? -1 : s->steps[0][other]};
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(s->judge, kind, at, with, &hazard));
    if (!hazard)
        return SWP_OK;
    swp_verify_role_set_place(s->judge, hazard, p->value, p->slot);
    return swp_format(s->judge->ctx, (char **)&hazard->detail, "%s at %s[%" PRId64 "]",
                      swp_verify_role_name(s->judge, at, name),
                      s->judge->model->loop->values[p->value].name, p->slot);
}

static swp_status tell_at(const sight *s, const place *p, swp_hazard_kind kind, written *write,
                          int other)
{
    write->told = true;
    return tell(s, p, kind, write->event, other);
}

/* --- Reads --- */

/* Only what follows the newest write that is surely there, and what that overlaps, can be seen. */
static int first_seen(const sight *s, const place *p, int event)
{
    int i = (int)p->writes.count - 1;
    while (!is_before(s, p->writes.items[i].event, event))
        i--;
    return i - p->writes.items[i].overlapped;
}

/* The newest write of the tile since that one; -1: there is none. */
static int write_of(const place *p, int first, int64_t tile)
{
    for (int i = (int)p->writes.count - 1; i >= first; i--)
        if (p->writes.items[i].tile == tile)
            return i;
    return -1;
}

static int other_before(const place *p, int first, int at, int64_t tile)
{
    for (int i = at - 1; i >= first; i--)
        if (p->writes.items[i].tile != tile)
            return i;
    return -1;
}

static int other_behind(const sight *s, const place *p, const observed *read, int at, bool is_there)
{
    for (int i = at + 1; i < (int)p->writes.count; i++)
        if (p->writes.items[i].tile != read->tile &&
            is_before(s, p->writes.items[i].event, read->event) == is_there)
            return i;
    return -1;
}

/* Write `at` has the tile. May the read have seen another one? `*settled`: something was told. */
static swp_status judge_found(const sight *s, place *p, const observed *read, int first, int at,
                              bool *settled)
{
    written *write = &p->writes.items[at];
    const int older = other_before(p, first, at, read->tile);
    const bool is_there = is_before(s, write->event, read->event);
    const int overwriting = other_behind(s, p, read, at, false);
    const int newer = other_behind(s, p, read, at, true);
    *settled = true;
    if (older >= 0 && !is_there && !write->told) {
        write->told = true;
        return tell(s, p, SWP_STALE_READ, read->event, write->event);
    }
    if (overwriting >= 0)
        return tell_at(s, p, SWP_OVERWRITTEN, &p->writes.items[overwriting], read->event);
    if (older >= 0 && is_there && !write->told)
        return tell_at(s, p, SWP_WRITE_RACE, write, p->writes.items[older].event);
    if (newer >= 0)
        return tell_at(s, p, SWP_WRITE_RACE, &p->writes.items[newer],
                       p->writes.items[newer - 1].event);
    *settled = false;
    return SWP_OK;
}

static int64_t tile_of(const sight *s, int event, const swp_role_operand *operand)
{
    const int64_t version = step_of(s, event)->iteration - operand->distance;
    return version * s->judge->model->values[operand->value].makers + operand->part;
}

static const swp_role_op *op_of(const sight *s, int event)
{
    return &s->judge->model->ops[swp_loop_op_of_tag(step_of(s, event)->op->tag)];
}

/* Whether an event writes a tile of a value. */
static bool writes(const sight *s, int event, int value, int64_t tile)
{
    const swp_role_op *op = op_of(s, event);
    for (int t = 0; t < op->operand_count; t++)
        if (op->operands[t].value == value && op->operands[t].kind != SWP_ROLE_READS &&
            tile_of(s, event, &op->operands[t]) == tile)
            return true;
    return false;
}

static bool is_early(const place *p, int event)
{
    for (size_t i = 0; i < p->early.count; i++)
        if (p->early.items[i] == event)
            return true;
    return false;
}

/* The tile is only written after the read, if at all. The place counts as holding it once that was told. */
static swp_status judge_too_early(const sight *s, place *p, const observed *read)
{
    int later = read->event;
    while (later < s->events && !writes(s, later, p->value, read->tile))
        later++;
    if (later == s->events && s->is_cut)
        return SWP_PUSH(s->judge->run->ctx, &p->pending, *read);
    if (later == s->events)
        return tell(s, p, SWP_WRONG_TILE, read->event, p->writes.items[p->writes.count - 1].event);
    if (is_early(p, later))
        return SWP_OK;
    SWP_TRY(SWP_PUSH(s->judge->run->ctx, &p->early, later));
    return tell(s, p, SWP_STALE_READ, read->event, -1);
}

static swp_status observe(const sight *s, place *p, const observed *read)
{
    for (size_t r = 0; r < p->reads.count; r++)
        if (step_of(s, p->reads.items[r].event)->op->tag == step_of(s, read->event)->op->tag) {
            p->reads.items[r] = *read;
            return SWP_OK;
        }
    return SWP_PUSH(s->judge->run->ctx, &p->reads, *read);
}

static swp_status judge_read(const sight *s, place *p, const observed *read)
{
    const int first = first_seen(s, p, read->event);
    const int at = write_of(p, first, read->tile);
    bool settled = true;
    SWP_TRY(at >= 0 ? judge_found(s, p, read, first, at, &settled) : judge_too_early(s, p, read));
    return settled ? SWP_OK : observe(s, p, read);
}

/* --- Writes --- */

/* Reads that this write may overtake. */
static swp_status threaten_reads(const sight *s, place *p, written *write)
{
    size_t kept = 0;
    for (size_t r = 0; r < p->reads.count; r++) {
        const observed read = p->reads.items[r];
        if (read.tile == write->tile || is_before(s, read.event, write->event))
            p->reads.items[kept++] = read;
        else
            SWP_TRY(tell_at(s, p, SWP_OVERWRITTEN, write, read.event));
    }
    p->reads.count = kept;
    return SWP_OK;
}

static swp_status judge_write(const sight *s, place *p, int event, int64_t tile)
{
    written write = {.event = event, .tile = tile, .told = is_early(p, event)};
    SWP_TRY(threaten_reads(s, p, &write));
    while (write.overlapped < (int)p->writes.count &&
           !is_settled(s, p->writes.items[p->writes.count - 1 - (size_t)write.overlapped].event,
                       event))
        write.overlapped++;
    return SWP_PUSH(s->judge->run->ctx, &p->writes, write);
}

/* --- All --- */

/* Slot s holds the last tile of the version that many slots before the loop. */
static swp_status begin_places(sight *s)
{
    const swp_role_model *m = s->judge->model;
    SWP_TRY(SWP_TAKE(s->judge->run->ctx, (size_t)m->places, &s->places));
    for (int v = 0; v < (int)m->loop->value_count; v++)
        for (int slot = 0; slot < m->values[v].slots; slot++) {
            place *p = &s->places[m->values[v].first + slot];
            const int64_t version = (int64_t)slot - m->values[v].slots;
            const written before = {
                .event = -1, .tile = version * m->values[v].makers + m->values[v].makers - 1};
            p->value = v;
            p->slot = slot;
            SWP_TRY(SWP_PUSH(s->judge->run->ctx, &p->writes, before));
        }
    return SWP_OK;
}

static swp_status judge_event(const sight *s, int event)
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
            place *p = &s->places[value->first + swp_happens_rest(version, value->slots)];
            const int64_t tile = tile_of(s, event, operand);
            SWP_TRY(reads ? judge_read(s, p, &(observed){event, tile})
                          : judge_write(s, p, event, tile));
        }
    return SWP_OK;
}

static swp_status judge_events(sight *s)
{
    SWP_TRY(list_events(s));
    SWP_TRY(begin_places(s));
    for (int event = 0; event < s->events; event++)
        SWP_TRY(judge_event(s, event));
    return SWP_OK;
}

swp_status swp_verify_role_sight(swp_role_judge *judge)
{
    sight s = {.judge = judge, .question = {.judge = judge}};
    return judge_events(&s);
}

/* --- At a cut --- */

/* Whether it is over in all waves before whatever any of them does next. */
static bool is_past(const sight *s, int event)
{
    const swp_happens_run *run = s->judge->run;
    const int instances = run->program->count;
    const int threads = threads_of(s);
    for (int k = 0; event >= 0 && k < instances * instances * threads * threads; k++) {
        const int pair = k / (instances * instances);
        const int next = swp_happens_thread_of(k / instances % instances, pair / threads);
        const swp_role_access a = access_of(s, event, k % instances, pair % threads);
        if (!swp_happens_over_before(run, a.at.instance, a.which, a.at.step, 0, next,
                                     run->threads[next].step))
            return false;
    }
    return true;
}

/* The first write of a place that a read to come may see. */
static size_t first_in_sight(const sight *s, const place *p)
{
    size_t i = p->writes.count - 1;
    while (!is_past(s, p->writes.items[i].event))
        i--;
    return i - (size_t)p->writes.items[i].overlapped;
}

typedef struct visitor {
    swp_role_visit_seen *visit;
    void *user;
} visitor;

static swp_status visit_event(const sight *s, const visitor *v, swp_role_seen seen, int event)
{
    const int instances = s->judge->run->program->count;
    for (int i = 0; i < instances; i++) {
        seen.at = (swp_happens_at){i, event < 0 ? -1 : s->steps[i][event]};
        SWP_TRY(v->visit(v->user, &seen));
    }
    return SWP_OK;
}

static swp_status visit_place(const sight *s, const visitor *v, const place *p)
{
    const swp_role_seen of = {.value = p->value, .slot = p->slot};
    for (size_t i = first_in_sight(s, p); i < p->writes.count; i++) {
        const written *write = &p->writes.items[i];
        swp_role_seen seen = of;
        seen.sort = SWP_ROLE_SEEN_WRITE;
        seen.tile = write->tile;
        seen.overlapped = write->overlapped;
        seen.told = write->told;
        SWP_TRY(visit_event(s, v, seen, write->event));
    }
    for (size_t i = 0; i < p->reads.count + p->pending.count; i++) {
        const bool is_pending = i >= p->reads.count;
        const observed *read =
            is_pending ? &p->pending.items[i - p->reads.count] : &p->reads.items[i];
        swp_role_seen seen = of;
        if (!is_pending && is_past(s, read->event)) /* nothing overtakes it */
            continue;
        seen.sort = is_pending ? SWP_ROLE_SEEN_PENDING : SWP_ROLE_SEEN_READ;
        seen.tile = read->tile;
        SWP_TRY(visit_event(s, v, seen, read->event));
    }
    return SWP_OK;
}

swp_status swp_verify_role_see(swp_role_judge *judge, swp_role_visit_seen *visit, void *user)
{
    sight s = {.judge = judge, .question = {.judge = judge}, .is_cut = true};
    const visitor v = {visit, user};
    SWP_TRY(swp_verify_role_find_ends(judge));
    judge->is_looking = true;
    const swp_status status = judge_events(&s);
    judge->is_looking = false;
    SWP_TRY(status);
    for (int p = 0; p < judge->model->places; p++)
        SWP_TRY(visit_place(&s, &v, &s.places[p]));
    return SWP_OK;
}
