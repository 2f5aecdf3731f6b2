/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what a run came to with what the loop computes, and says which symptom it has. */
#include "run/outcome.h"

#include "base/context.h"
#include "run/results.h"

#include <string.h>

/* Two waves of a group stand for any larger number (docs/verification.md, "The machine"). */
enum { STANDING_FOR_MORE = 2 };

int swp_run_waves_per_group(const swp_schedule *schedule, int asked)
{
    const int waves = schedule->machine.waves_per_group;
    if (asked > 0)
        return asked;
    return waves < STANDING_FOR_MORE ? waves : STANDING_FOR_MORE;
}

const char *swp_run_meaning(const swp_schedule *schedule, const swp_run_outcome *outcome,
                            swp_symptom symptom)
{
    if (schedule->dataflow && symptom == SWP_WRONG_VALUE)
        return "a result that is not the loop's";
    if (schedule->dataflow && symptom == SWP_NO_SYMPTOM)
        return "every result is right";
    if (schedule->dataflow && symptom == SWP_TILE_OUTSIDE)
        return "an op for an iteration that does not exist";
    if (outcome->has_roles && symptom == SWP_WAITS_FOR_EVER)
        return "a thread that waits for ever";
    return swp_symptom_meaning(symptom);
}

static swp_status compare(swp_run_machine *m, int wave, int accumulator,
                          const swp_run_matrix *expected)
{
    const swp_run_matrix *got = &m->threads[wave].accumulators[accumulator];
    const int columns = m->program->next_tile ? 1 : m->program->schedule->loop.n_mmas;
    for (int i = 0; i < SWP_RUN_SIDE; i++)
        for (int j = 0; j < SWP_RUN_SIDE; j++) {
            if (got->values[i][j] == expected->values[i][j])
                continue;
            const swp_wrong_value wrong = {.wave = wave,
                                           .row = accumulator / columns,
                                           .column = accumulator % columns,
                                           .i = i,
                                           .j = j,
                                           .got = got->values[i][j],
                                           .expected = expected->values[i][j]};
            return SWP_PUSH(m->ctx, &m->outcome->values, wrong);
        }
    return SWP_OK;
}

/* Threads of an instance at one entry are told once. */
static bool is_told(const swp_instance_list *list, const swp_instance *at)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].wave == at->wave && list->items[i].phase == at->phase &&
            list->items[i].entry == at->entry && list->items[i].pass == at->pass)
            return true;
    return false;
}

/* A wave has gone past the barrier at which it waits. */
static swp_status find_stuck(swp_run_machine *m)
{
    const bool behind = m->program->manner->waits_behind;
    for (int thread = 0; thread < m->thread_count; thread++) {
        if (behind ? !swp_run_next_step(m, thread) : !swp_run_waits(m, thread))
            continue;
        const int next = m->threads[thread].next;
        const swp_instance at = swp_run_instance(m, thread, behind ? next : next - 1);
        if (!is_told(&m->outcome->stuck, &at))
            SWP_TRY(SWP_PUSH(m->ctx, &m->outcome->stuck, at));
    }
    return SWP_OK;
}

/* The order in which a run is judged. */
static const swp_symptom judged[] = {
    SWP_BREAKS_ARRIVALS,  SWP_BREAKS_NAMED_BARRIER, SWP_BREAKS_PHASE_ALIAS, SWP_WAITS_FOR_EVER,
    SWP_BREAKS_LOST_PEER, SWP_BREAKS_UNFENCED,      SWP_BREAKS_ACCUMULATOR, SWP_WRONG_VALUE,
    SWP_TILE_OUTSIDE,     SWP_COUNTER_PASSED,       SWP_REGISTER_IN_FLIGHT, SWP_OTHER_TILE,
    SWP_BREAKS_WRITE_RACE};
enum { JUDGED = sizeof judged / sizeof *judged };

bool swp_run_breaks(const swp_run_outcome *outcome, swp_symptom rule)
{
    for (size_t i = 0; i < outcome->broken.count; i++)
        if (outcome->broken.items[i].rule == rule)
            return true;
    return false;
}

bool swp_run_has_symptom(const swp_run_outcome *outcome, swp_symptom symptom)
{
    switch (symptom) {
    case SWP_TILE_OUTSIDE:
        return outcome->outside.count > 0;
    case SWP_WAITS_FOR_EVER:
        return outcome->stuck.count > 0;
    case SWP_COUNTER_PASSED:
        return outcome->passed.count > 0;
    case SWP_WRONG_VALUE:
        return outcome->values.count > 0;
    case SWP_REGISTER_IN_FLIGHT:
        return outcome->unready.count > 0;
    case SWP_OTHER_TILE:
        return outcome->other_tiles > 0;
    case SWP_BREAKS_ARRIVALS:
    case SWP_BREAKS_NAMED_BARRIER:
    case SWP_BREAKS_PHASE_ALIAS:
    case SWP_BREAKS_LOST_PEER:
    case SWP_BREAKS_UNFENCED:
    case SWP_BREAKS_ACCUMULATOR:
    case SWP_BREAKS_WRITE_RACE:
        return swp_run_breaks(outcome, symptom);
    case SWP_NO_SYMPTOM:
    case SWP_SYMPTOM_COUNT:
        break;
    }
    return outcome->symptom == symptom;
}

static swp_symptom symptom_of(const swp_run_outcome *outcome)
{
    for (int i = 0; i < JUDGED; i++)
        if (swp_run_has_symptom(outcome, judged[i]))
            return judged[i];
    return SWP_NO_SYMPTOM;
}

/* Whether every product has one COMPUTE, so that each is known to be there for its tile. */
static bool tiles_are_known(const swp_run_program *program)
{
    const int sums = program->next_tile ? program->slices : program->accumulators;
    for (int i = 0; i < sums; i++)
        if (program->products[i] != program->n)
            return false;
    return true;
}

/* A wave that waits for ever has the products that it has come to. */
static swp_status compare_unfinished(swp_run_machine *m, int wave)
{
    const swp_run_thread *w = &m->threads[wave];
    for (int a = 0; a < m->program->accumulators && tiles_are_known(m->program); a++) {
        const swp_run_matrix expected =
            swp_run_expected_so_far(m->program, m->seed, a, w->steps, (size_t)w->next);
        SWP_TRY(compare(m, wave, a, &expected));
    }
    return SWP_OK;
}

static swp_status compare_accumulators(swp_run_machine *m)
{
    for (int a = 0; a < m->program->accumulators; a++) {
        const swp_run_matrix expected = swp_run_expected(m->program, m->seed, a);
        for (int wave = 0; wave < m->program->waves; wave++)
            if (!swp_run_next_step(m, wave))
                SWP_TRY(compare(m, wave, a, &expected));
    }
    for (int wave = 0; wave < m->program->waves; wave++)
        if (swp_run_next_step(m, wave))
            SWP_TRY(compare_unfinished(m, wave));
    return SWP_OK;
}

swp_status swp_run_judge(swp_run_machine *m)
{
    swp_run_outcome *outcome = m->outcome;
    SWP_TRY(find_stuck(m));
    SWP_TRY(m->program->dataflow ? swp_run_compare_results(m) : compare_accumulators(m));
    outcome->symptom = symptom_of(outcome);
    outcome->n = m->program->n;
    outcome->tiles = m->program->extent.tiles;
    outcome->tile_count = m->program->extent.tile_count;
    outcome->passes = m->program->passes;
    outcome->waves = m->program->waves;
    outcome->has_roles = m->program->manner->has_names;
    return SWP_OK;
}

static swp_status keep(swp_context *ctx, void **items, size_t count, size_t size, size_t *capacity)
{
    void *kept = NULL;
    SWP_TRY(swp_take(ctx, count, size, &kept));
    if (count)
        memcpy(kept, *items, count * size);
    *items = kept;
    *capacity = count;
    return SWP_OK;
}

static swp_status keep_tiles(swp_context *ctx, swp_run_outcome *outcome)
{
    int *tiles = NULL;
    if (!outcome->tiles)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, (size_t)outcome->tile_count, &tiles));
    for (int tile = 0; tile < outcome->tile_count; tile++)
        tiles[tile] = outcome->tiles[tile];
    outcome->tiles = tiles;
    return SWP_OK;
}

#define KEEP(list)                                                                                 \
    SWP_TRY(keep(ctx, (void **)&(list)->items, (list)->count, sizeof *(list)->items,               \
                 &(list)->capacity))

swp_status swp_run_keep(swp_context *ctx, swp_run_outcome *outcome)
{
    KEEP(&outcome->values);
    KEEP(&outcome->operands);
    KEEP(&outcome->outside);
    KEEP(&outcome->stuck);
    KEEP(&outcome->passed);
    KEEP(&outcome->unready);
    KEEP(&outcome->broken);
    return keep_tiles(ctx, outcome);
}
