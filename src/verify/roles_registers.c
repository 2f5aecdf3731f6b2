/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules about registers: unfenced (b), accumulator_in_flight and their wrong_tile; without warp roles register_not_ready and
 * wrong_tile.
 */
#include "happens_before/queues.h"
#include "ir/effects.h"
#include "ir/loop_dataflow.h"
#include "verify/roles_scan.h"

#include <inttypes.h>
#include <string.h>

/* By a wgmma: its registers A are read alone. */
static bool is_accumulator(swp_role_operand_kind kind)
{
    return kind != SWP_ROLE_READS;
}

/* What a register in flight is called. */
static swp_hazard_kind in_flight_kind(const swp_role_scanner *s)
{
    return s->judge->run->program->is_flat ? SWP_REGISTER_NOT_READY : SWP_ACCUMULATOR_IN_FLIGHT;
}

static swp_status tell(const swp_role_scanner *s, const swp_role_contact *c, swp_hazard_kind kind,
                       int other, swp_hazard **hazard)
{
    SWP_TRY(swp_verify_role_tell(s->judge, kind, (swp_happens_at){s->instance, c->step},
                                 (swp_happens_at){s->instance, other}, hazard));
    if (*hazard)
        swp_verify_role_set_place(s->judge, *hazard, c->operand->value, c->version);
    return SWP_OK;
}

static const char *name_of(const swp_role_scanner *s, int step, char name[SWP_ROLE_NAME_SIZE])
{
    return swp_verify_role_name(s->judge, (swp_happens_at){s->instance, step}, name);
}

static const char *value_of(const swp_role_scanner *s, const swp_role_contact *c)
{
    return s->judge->model->loop->values[c->operand->value].name;
}

/* --- The rules --- */

static bool is_unfenced(const swp_role_scanner *s, const swp_role_contact *c)
{
    const int accessed = c->place->accessed;
    return swp_happens_is_wgmma(c->at) && !s->judge->run->program->is_flat &&
           (accessed < 0 || !c->place->by_wgmma) && s->fence <= accessed &&
           swp_verify_role_holds(s->judge, accessed < 0 ? SWP_HAPPENS_FIRST_FENCE
                                                        : SWP_HAPPENS_REGISTER_FENCE);
}

static swp_status check_fence(swp_role_scanner *s, const swp_role_contact *c)
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

/*
 * Without warp roles matrix instructions are in order where both sum up, and the later one goes on in the register that it
 * reads.
 */
static bool sums_up(const swp_role_scanner *s, const swp_role_contact *c,
                    swp_role_operand_kind earlier)
{
    const swp_loop *loop = s->judge->model->loop;
    const swp_happens_step *maker =
        swp_happens_step_of(s->judge->run, s->instance, c->place->newest[earlier]);
    const swp_role_operand *operand = c->operand;
    const bool is_first =
        operand->kind == SWP_ROLE_UPDATES ? operand->part == 0 : operand->distance > 0;
    const bool in_place = s->judge->model->values[operand->value].slots == 1 || !is_first;
    return in_place && operand->kind != SWP_ROLE_WRITES &&
           swp_ir_loop_is_in_order(loop, c->at->work) && swp_ir_loop_is_in_order(loop, maker->work);
}

/* Whether the hardware keeps their order. */
static bool is_in_order(const swp_role_scanner *s, const swp_role_contact *c,
                        swp_role_operand_kind earlier)
{
    const bool is_flat = s->judge->run->program->is_flat;
    return swp_verify_role_holds(s->judge, SWP_HAPPENS_ACCUMULATORS) &&
           is_accumulator(c->operand->kind) && is_accumulator(earlier) &&
           (is_flat ? sums_up(s, c, earlier) : swp_happens_is_wgmma(c->at));
}

static bool conflicts(const swp_role_scanner *s, const swp_role_contact *c,
                      swp_role_operand_kind earlier)
{
    const swp_role_operand_kind later = c->operand->kind;
    if (is_in_order(s, c, earlier))
        return false;
    if (swp_verify_role_makes(earlier))
        return swp_verify_role_holds(s->judge, SWP_HAPPENS_IN_FLIGHT);
    return swp_verify_role_makes(later) &&
           swp_verify_role_holds(s->judge, SWP_HAPPENS_READ_IN_FLIGHT);
}

static swp_status word_in_flight(const swp_role_scanner *s, const swp_role_contact *c, int wgmma,
                                 swp_hazard *hazard)
{
    if (s->judge->run->program->is_flat)
        return swp_verify_role_word(
            s->judge, hazard,
            (swp_role_about){c->operand->value, c->version, SWP_NO_TILE, SWP_NO_TILE, NULL});
    char name[SWP_ROLE_NAME_SIZE];
    char before[SWP_ROLE_NAME_SIZE];
    return swp_format(s->judge->ctx, (char **)&hazard->detail,
                      "%s touches the registers of %s while %s may be in flight: no matrix_wait "
                      "before it retires that",
                      name_of(s, c->step, name), value_of(s, c), name_of(s, wgmma, before));
}

/* Whether an operation on registers is over where the thread comes to a contact. */
static bool is_over(const swp_role_scanner *s, const swp_role_contact *c, int operation)
{
    const swp_happens_run *run = s->judge->run;
    return swp_happens_over_before(run, swp_happens_kind_of_groups(run), s->instance, s->which,
                                   operation, swp_happens_rank_of(run, s->instance),
                                   swp_happens_thread_of(s->instance, s->which), c->step) ||
           (run->program->is_flat && swp_happens_waits_alone(run, s->instance, c->step, operation));
}

/* Whether the newest operation with that kind of operand may be in flight. */
static bool is_in_flight(const swp_role_scanner *s, const swp_role_contact *c, int kind)
{
    const int newest = c->place->newest[kind];
    return newest >= 0 && conflicts(s, c, (swp_role_operand_kind)kind) &&
           !swp_happens_is_managed(s->judge->run,
                                   swp_happens_step_of(s->judge->run, s->instance, newest)) &&
           !is_over(s, c, newest);
}

/* Whether an access of a queue may still read what this one makes. */
static bool is_still_read(const swp_role_scanner *s, const swp_role_contact *c, int queue)
{
    const int reader = c->place->reader[queue];
    return reader >= 0 && swp_verify_role_makes(c->operand->kind) &&
           swp_verify_role_holds(s->judge, SWP_HAPPENS_READ_UNTIL_RETIRED) &&
           !is_over(s, c, reader);
}

/* Without warp roles what was told of counts as done. */
static bool is_told_once(const swp_role_scanner *s)
{
    return s->judge->run->program->is_flat;
}

static swp_status check_in_flight(swp_role_scanner *s, const swp_role_contact *c)
{
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++) {
        const int wgmma = c->place->newest[kind];
        swp_hazard *hazard = NULL;
        if (!is_in_flight(s, c, kind))
            continue;
        SWP_TRY(tell(s, c, in_flight_kind(s), wgmma, &hazard));
        if (hazard)
            SWP_TRY(word_in_flight(s, c, wgmma, hazard));
        if (is_told_once(s))
            c->place->newest[kind] = -1;
    }
    for (int queue = 0; queue < SWP_SYNC_OBJECTS; queue++) {
        swp_hazard *hazard = NULL;
        if (!is_still_read(s, c, queue))
            continue;
        SWP_TRY(tell(s, c, in_flight_kind(s), c->place->reader[queue], &hazard));
        if (hazard)
            SWP_TRY(word_in_flight(s, c, c->place->reader[queue], hazard));
        if (is_told_once(s))
            c->place->reader[queue] = -1;
    }
    return SWP_OK;
}

swp_status swp_verify_role_forget_told(swp_role_scanner *s, const swp_role_contact *c)
{
    if (!is_told_once(s))
        return SWP_OK;
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
        if (is_in_flight(s, c, kind))
            c->place->newest[kind] = -1;
    for (int queue = 0; queue < SWP_SYNC_OBJECTS; queue++)
        if (is_still_read(s, c, queue))
            c->place->reader[queue] = -1;
    if (!swp_verify_role_makes(c->operand->kind))
        c->place->wanted = c->tile;
    return SWP_OK;
}

static bool is_other_tile(const swp_role_scanner *s, const swp_role_contact *c)
{
    return s->judge->model->values[c->operand->value].makers > 0 &&
           !swp_verify_role_makes(c->operand->kind) && c->place->tile != c->tile &&
           swp_verify_role_holds(s->judge, SWP_HAPPENS_OTHER_TILE);
}

static swp_status check_tile(swp_role_scanner *s, const swp_role_contact *c)
{
    const int makers = s->judge->model->values[c->operand->value].makers;
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    const bool is_known = is_told_once(s) && c->place->wanted == c->tile;
    if (!swp_verify_role_makes(c->operand->kind))
        c->place->wanted = c->tile;
    if (is_known || !is_other_tile(s, c))
        return SWP_OK;
    SWP_TRY(tell(s, c, SWP_WRONG_TILE, is_told_once(s) ? c->place->made : -1, &hazard));
    if (!hazard)
        return SWP_OK;
    if (s->judge->run->program->is_flat)
        return swp_verify_role_word(
            s->judge, hazard,
            (swp_role_about){c->operand->value, c->version, c->tile, c->place->tile, NULL});
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
static swp_status look(swp_role_scanner *s, const swp_role_contact *c)
{
    s->wrong->unfenced |= is_unfenced(s, c);
    s->wrong->other_tile |= is_other_tile(s, c);
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
        s->wrong->in_flight |= is_in_flight(s, c, kind);
    for (int queue = 0; queue < SWP_SYNC_OBJECTS; queue++)
        s->wrong->in_flight |= is_still_read(s, c, queue);
    return SWP_OK;
}

/* --- All threads --- */

static bool comes_to(const swp_role_scanner *s, int step)
{
    const swp_happens_run *run = s->judge->run;
    return step < run->lengths[s->instance] &&
           (!s->judge->ends || step < s->judge->ends[s->instance]) &&
           swp_happens_issued(run, swp_happens_thread_of(s->instance, s->which), step);
}

/* Where the scan of longer and longer runs stands. */
static swp_status go_on_from(swp_role_scanner *s, size_t size)
{
    swp_role_progress *progress = s->judge->progress;
    swp_role_held *held = &progress->held[swp_happens_thread_of(s->instance, s->which)];
    const int settled = swp_verify_role_settled(s->judge, s->instance);
    if (!held->places) {
        SWP_TRY(swp_take(progress->ctx, 1, size, (void **)&held->places));
        for (int step = 0; step < swp_verify_role_first_step(s->judge, s->instance); step++)
            SWP_TRY(
                swp_verify_role_scan_step(s, step, NULL)); /* another judge has asked of these */
        memcpy(held->places, s->places, size);
        held->fence = s->fence;
    }
    memcpy(s->places, held->places, size);
    s->fence = held->fence;
    s->wrong = &progress->wrong;
    for (int step = swp_verify_role_first_step(s->judge, s->instance); step < settled; step++)
        SWP_TRY(swp_verify_role_scan_step(s, step, look));
    memcpy(held->places, s->places, size);
    held->fence = s->fence;
    return SWP_OK;
}

/* One look for all three rules, as most runs break none. */
static swp_status look_at_thread(swp_role_scanner *s)
{
    swp_verify_role_scan_from_start(s);
    if (s->judge->progress)
        SWP_TRY(go_on_from(s, (size_t)s->judge->model->places * sizeof *s->places));
    s->wrong = &s->judge->wrong;
    for (int step = swp_verify_role_settled(s->judge, s->instance); comes_to(s, step); step++)
        SWP_TRY(swp_verify_role_scan_step(s, step, look));
    return SWP_OK;
}

static swp_status look_at_all(swp_role_judge *judge)
{
    swp_role_scanner s;
    SWP_TRY(swp_verify_role_scan_begin(judge, &s));
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

/* Asks of the whole run. */
static swp_status tell_all(swp_role_judge *judge, swp_role_contact_check *ask)
{
    swp_role_scanner s;
    SWP_TRY(swp_verify_role_scan_begin(judge, &s));
    for (s.instance = 0; s.instance < swp_verify_role_tellers(judge); s.instance++)
        for (s.which = 0; s.which < SWP_HAPPENS_DISTINCT_THREADS; s.which++) {
            swp_verify_role_scan_from_start(&s);
            for (int step = 0; comes_to(&s, step); step++)
                SWP_TRY(swp_verify_role_scan_step(&s, step, ask));
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
