/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about registers of warp roles: unfenced (b), accumulator_in_flight and their wrong_tile. */
#include "verify/roles.h"

#include <inttypes.h>
#include <string.h>

typedef swp_role_place place;

typedef struct scanner {
    swp_role_judge *judge;
    int instance;
    int which; /* thread of it */
    place *places;
    int fence; /* the last matrix_fence; -1: none so far */
    swp_role_wrong_registers *wrong;
} scanner;

/* An operand in a register of the step that is looked at. */
typedef struct contact {
    int step;
    const swp_happens_step *at;
    const swp_role_operand *operand;
    int64_t version;
    int64_t tile;
    place *place;
} contact;

typedef swp_status contact_check(scanner *s, const contact *c);

static bool makes(swp_role_operand_kind kind)
{
    return kind == SWP_ROLE_UPDATES || kind == SWP_ROLE_WRITES;
}

/* By a wgmma: its registers A are read alone. */
static bool is_accumulator(swp_role_operand_kind kind)
{
    return kind != SWP_ROLE_READS;
}

static swp_status tell(const scanner *s, const contact *c, swp_hazard_kind kind, int other,
                       swp_hazard **hazard)
{
    SWP_TRY(swp_verify_role_tell(s->judge, kind, (swp_happens_at){s->instance, c->step},
                                 (swp_happens_at){s->instance, other}, hazard));
    if (*hazard)
        swp_verify_role_set_place(s->judge, *hazard, c->operand->value, c->version);
    return SWP_OK;
}

static const char *name_of(const scanner *s, int step, char name[SWP_ROLE_NAME_SIZE])
{
    return swp_verify_role_name(s->judge, (swp_happens_at){s->instance, step}, name);
}

static const char *value_of(const scanner *s, const contact *c)
{
    return s->judge->model->loop->values[c->operand->value].name;
}

/* --- The rules --- */

static bool is_unfenced(const scanner *s, const contact *c)
{
    const int accessed = c->place->accessed;
    return swp_happens_is_wgmma(c->at) && (accessed < 0 || !c->place->by_wgmma) &&
           s->fence <= accessed &&
           swp_verify_role_holds(s->judge, accessed < 0 ? SWP_HAPPENS_FIRST_FENCE
                                                        : SWP_HAPPENS_REGISTER_FENCE);
}

static swp_status check_fence(scanner *s, const contact *c)
{
    swp_hazard *hazard = NULL;
    char name[SWP_ROLE_NAME_SIZE];
    char before[SWP_ROLE_NAME_SIZE];
    const int accessed = c->place->accessed;
    if (!is_unfenced(s, c))
        return SWP_OK;
    SWP_TRY(tell(s, c, SWP_UNFENCED, accessed, &hazard));
    if (!hazard)
        return SWP_OK;
    if (accessed < 0)
        return swp_format(
            s->judge->ctx, (char **)&hazard->detail,
            "%s is the first to touch the registers of %s, with no matrix_fence before",
            name_of(s, c->step, name), value_of(s, c));
    return swp_format(s->judge->ctx, (char **)&hazard->detail,
                      "%s takes the registers of %s over from %s with no matrix_fence in between",
                      name_of(s, c->step, name), value_of(s, c), name_of(s, accessed, before));
}

static bool conflicts(const scanner *s, const contact *c, swp_role_operand_kind earlier)
{
    const swp_role_operand_kind later = c->operand->kind;
    const bool in_order = swp_verify_role_holds(s->judge, SWP_HAPPENS_ACCUMULATORS);
    if (in_order && swp_happens_is_wgmma(c->at) && is_accumulator(later) && is_accumulator(earlier))
        return false; /* the hardware keeps their order */
    if (makes(earlier))
        return swp_verify_role_holds(s->judge, SWP_HAPPENS_IN_FLIGHT);
    return makes(later) && swp_verify_role_holds(s->judge, SWP_HAPPENS_READ_IN_FLIGHT);
}

static swp_status tell_in_flight(const scanner *s, const contact *c, int wgmma, swp_hazard *hazard)
{
    char name[SWP_ROLE_NAME_SIZE];
    char before[SWP_ROLE_NAME_SIZE];
    return swp_format(s->judge->ctx, (char **)&hazard->detail,
                      "%s touches the registers of %s while %s may be in flight: no matrix_wait "
                      "before it retires that",
                      name_of(s, c->step, name), value_of(s, c), name_of(s, wgmma, before));
}

/* Of that kind of operand. */
static bool is_in_flight(const scanner *s, const contact *c, int kind)
{
    const swp_happens_run *run = s->judge->run;
    const int wgmma = c->place->newest[kind];
    return wgmma >= 0 && conflicts(s, c, (swp_role_operand_kind)kind) &&
           !swp_happens_over_before(run, s->instance, s->which, wgmma,
                                    swp_happens_rank_of(run, s->instance),
                                    swp_happens_thread_of(s->instance, s->which), c->step);
}

static swp_status check_in_flight(scanner *s, const contact *c)
{
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++) {
        const int wgmma = c->place->newest[kind];
        swp_hazard *hazard = NULL;
        if (!is_in_flight(s, c, kind))
            continue;
        SWP_TRY(tell(s, c, SWP_ACCUMULATOR_IN_FLIGHT, wgmma, &hazard));
        if (hazard)
            SWP_TRY(tell_in_flight(s, c, wgmma, hazard));
    }
    return SWP_OK;
}

static bool is_other_tile(const scanner *s, const contact *c)
{
    return s->judge->model->values[c->operand->value].makers > 0 && !makes(c->operand->kind) &&
           c->place->tile != c->tile && swp_verify_role_holds(s->judge, SWP_HAPPENS_OTHER_TILE);
}

static swp_status check_tile(scanner *s, const contact *c)
{
    const int makers = s->judge->model->values[c->operand->value].makers;
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    if (!is_other_tile(s, c))
        return SWP_OK;
    SWP_TRY(tell(s, c, SWP_WRONG_TILE, -1, &hazard));
    if (!hazard)
        return SWP_OK;
    if (s->judge->run->tiles)
        return swp_format(s->judge->ctx, (char **)&hazard->detail,
                          "%s wants another version of %s than its registers hold, which was made "
                          "last there before it",
                          name_of(s, c->step, name), value_of(s, c));
    return swp_format(s->judge->ctx, (char **)&hazard->detail,
                      "%s wants what iteration %" PRId64 " made of %s, and its registers hold what "
                      "iteration %" PRId64 " made",
                      name_of(s, c->step, name), c->version, value_of(s, c),
                      swp_happens_quotient(c->place->tile, makers));
}

/* What each of them would tell of. */
static swp_status look(scanner *s, const contact *c)
{
    s->wrong->unfenced |= is_unfenced(s, c);
    s->wrong->other_tile |= is_other_tile(s, c);
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
        s->wrong->in_flight |= is_in_flight(s, c, kind);
    return SWP_OK;
}

/* --- One thread --- */

static void keep(const contact *c)
{
    c->place->accessed = c->step;
    c->place->by_wgmma = swp_happens_is_wgmma(c->at);
    if (c->place->by_wgmma)
        c->place->newest[c->operand->kind] = c->step;
    if (makes(c->operand->kind))
        c->place->tile = c->tile;
}

/* What stands before iteration 0 of an output tile where ops of the tile clock write a register of passes. */
static int64_t cleared(int tile)
{
    return SWP_ROLE_CLEARED + tile;
}

/*
 * Of output tiles: what an op of the pass clock wants from before its tile. Where nobody clears it, that is what stood
 * there before the run.
 */
static void find_before(const swp_role_value *value, contact *c)
{
    const int64_t local = c->version - c->at->base;
    if (local >= 0 || makes(c->operand->kind))
        return;
    c->tile = value->is_cleared ? cleared(c->at->tile) : local * value->makers + value->makers - 1;
}

/* Of output tiles: what an op of the tile clock clears, or wants of what the passes of its tile made. */
static void find_last(const swp_role_judge *judge, const swp_role_value *value, contact *c)
{
    const swp_happens_sequence *sequence = judge->run->sequence;
    const int n = c->at->tile < sequence->count ? sequence->n[c->at->tile] : 0;
    c->version = c->at->base + (makes(c->operand->kind) ? 0 : n) - 1;
    if (!makes(c->operand->kind) && n > 0)
        c->tile = c->version * value->makers + value->makers - 1;
    else
        c->tile = value->is_cleared ? cleared(c->at->tile) : -1;
}

static contact contact_of(const scanner *s, int step, const swp_role_operand *operand)
{
    const swp_happens_step *at = swp_happens_step_of(s->judge->run, s->instance, step);
    const swp_role_value *value = &s->judge->model->values[operand->value];
    const int64_t version = swp_verify_role_version(s->judge, at, operand);
    contact c = {.step = step,
                 .at = at,
                 .operand = operand,
                 .version = version,
                 .tile = version * value->makers + operand->part};
    if (at->work->clock == SWP_TILE_CLOCK && value->makers > 0 && !value->is_of_tiles)
        find_last(s->judge, value, &c);
    else if (s->judge->run->tiles && value->makers > 0 && !value->is_of_tiles)
        find_before(value, &c);
    c.place = &s->places[value->first + (int)swp_happens_rest(c.version, value->slots)];
    return c;
}

/* All that the op finds is from before it. */
static swp_status scan_step(scanner *s, int step, contact_check *ask)
{
    const swp_happens_step *at = swp_happens_step_of(s->judge->run, s->instance, step);
    if (at->op->tag == SWP_TAG_MATRIX_FENCE)
        s->fence = step;
    if (!at->work || s->which >= swp_happens_threads_of(at))
        return SWP_OK;
    const swp_role_op *op = &s->judge->model->ops[swp_loop_op_of_tag(at->op->tag)];
    for (int keeps = 0; keeps < 2; keeps++)
        for (int t = 0; t < op->register_count; t++) {
            const contact c = contact_of(s, step, &op->operands[op->registers[t]]);
            if (keeps)
                keep(&c);
            else if (ask)
                SWP_TRY(ask(s, &c));
        }
    return SWP_OK;
}

/* Slot s holds the last tile of the version that many slots before the loop. */
static void clear(const scanner *s)
{
    const swp_role_model *m = s->judge->model;
    for (size_t v = 0; v < m->loop->value_count; v++)
        for (int slot = 0; slot < m->values[v].slots; slot++) {
            place *p = &s->places[m->values[v].first + slot];
            const int64_t version = (int64_t)slot - m->values[v].slots;
            *p = (place){.tile = version * m->values[v].makers + m->values[v].makers - 1,
                         .accessed = -1};
            for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
                p->newest[kind] = -1;
        }
}

swp_status swp_verify_role_registers_at(swp_role_judge *judge, int instance, int which,
                                        swp_role_place *places, int *fence)
{
    scanner s = {
        .judge = judge, .instance = instance, .which = which, .places = places, .fence = -1};
    const int end = judge->run->threads[swp_happens_thread_of(instance, which)].step;
    clear(&s);
    for (int step = 0; step < end; step++)
        SWP_TRY(scan_step(&s, step, NULL));
    *fence = s.fence;
    return SWP_OK;
}

static bool comes_to(const scanner *s, int step)
{
    const swp_happens_run *run = s->judge->run;
    return step < run->lengths[s->instance] &&
           swp_happens_issued(run, swp_happens_thread_of(s->instance, s->which), step);
}

/* --- All threads --- */

/* Where the scan of longer and longer runs stands. */
static swp_status go_on_from(scanner *s, size_t size)
{
    swp_role_progress *progress = s->judge->progress;
    swp_role_held *held = &progress->held[swp_happens_thread_of(s->instance, s->which)];
    const int settled = swp_verify_role_settled(s->judge, s->instance);
    if (!held->places) {
        SWP_TRY(swp_take(progress->ctx, 1, size, (void **)&held->places));
        memcpy(held->places, s->places, size);
        held->fence = -1;
    }
    memcpy(s->places, held->places, size);
    s->fence = held->fence;
    s->wrong = &progress->wrong;
    for (int step = swp_verify_role_first_step(s->judge, s->instance); step < settled; step++)
        SWP_TRY(scan_step(s, step, look));
    memcpy(held->places, s->places, size);
    held->fence = s->fence;
    return SWP_OK;
}

/* One look for all three rules, as most runs break none. */
static swp_status look_at_thread(scanner *s)
{
    clear(s);
    s->fence = -1;
    if (s->judge->progress)
        SWP_TRY(go_on_from(s, (size_t)s->judge->model->places * sizeof *s->places));
    s->wrong = &s->judge->wrong;
    for (int step = swp_verify_role_settled(s->judge, s->instance); comes_to(s, step); step++)
        SWP_TRY(scan_step(s, step, look));
    return SWP_OK;
}

static swp_status look_at_all(swp_role_judge *judge)
{
    scanner s = {.judge = judge};
    SWP_TRY(SWP_TAKE(judge->run->ctx, (size_t)judge->model->places, &s.places));
    for (s.instance = 0; s.instance < swp_verify_role_tellers(judge); s.instance++) {
        for (s.which = 0; s.which < SWP_HAPPENS_DISTINCT_THREADS; s.which++)
            SWP_TRY(look_at_thread(&s));
        swp_verify_role_judged_to(judge, s.instance);
    }
    if (judge->progress) {
        judge->wrong.unfenced |= judge->progress->wrong.unfenced;
        judge->wrong.in_flight |= judge->progress->wrong.in_flight;
        judge->wrong.other_tile |= judge->progress->wrong.other_tile;
    }
    return SWP_OK;
}

/* Of the whole run. */
static swp_status tell_all(swp_role_judge *judge, contact_check *ask)
{
    scanner s = {.judge = judge};
    SWP_TRY(SWP_TAKE(judge->run->ctx, (size_t)judge->model->places, &s.places));
    for (s.instance = 0; s.instance < swp_verify_role_tellers(judge); s.instance++)
        for (s.which = 0; s.which < SWP_HAPPENS_DISTINCT_THREADS; s.which++) {
            clear(&s);
            s.fence = -1;
            for (int step = 0; comes_to(&s, step); step++)
                SWP_TRY(scan_step(&s, step, ask));
        }
    return SWP_OK;
}

swp_status swp_verify_role_unfenced_registers(swp_role_judge *judge)
{
    SWP_TRY(look_at_all(judge));
    return judge->wrong.unfenced ? tell_all(judge, check_fence) : SWP_OK;
}

swp_status swp_verify_role_accumulators(swp_role_judge *judge)
{
    return judge->wrong.in_flight ? tell_all(judge, check_in_flight) : SWP_OK;
}

swp_status swp_verify_role_registers(swp_role_judge *judge)
{
    return judge->wrong.other_tile ? tell_all(judge, check_tile) : SWP_OK;
}
