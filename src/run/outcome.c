/* SPDX-License-Identifier: Apache-2.0 */
/* Compares accumulators with the sequential product, and says which symptom a run has. */
#include "run/outcome.h"

#include "base/context.h"
#include "ir/roles.h"
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

const char *swp_run_meaning(const swp_schedule *schedule, swp_symptom symptom)
{
    if (schedule->dataflow && symptom == SWP_WRONG_VALUE)
        return "a result that is not the loop's";
    if (schedule->dataflow && symptom == SWP_NO_SYMPTOM)
        return "every result is right";
    if (schedule->dataflow && symptom == SWP_TILE_OUTSIDE)
        return "an op for an iteration that does not exist";
    if (swp_ir_has_roles(schedule) && symptom == SWP_WAITS_FOR_EVER)
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

static swp_status find_stuck(swp_run_machine *m)
{
    for (int wave = 0; wave < m->program->waves; wave++)
        if (swp_run_waits(m, wave)) {
            const swp_instance at = swp_run_instance(m, wave, m->threads[wave].next - 1);
            SWP_TRY(SWP_PUSH(m->ctx, &m->outcome->stuck, at));
        }
    return SWP_OK;
}

static swp_symptom symptom_of(const swp_run_outcome *outcome)
{
    if (outcome->stuck.count)
        return SWP_WAITS_FOR_EVER;
    if (outcome->values.count)
        return SWP_WRONG_VALUE;
    if (outcome->outside.count)
        return SWP_TILE_OUTSIDE;
    if (outcome->passed.count)
        return SWP_COUNTER_PASSED;
    if (outcome->unready.count)
        return SWP_REGISTER_IN_FLIGHT;
    return outcome->other_tiles ? SWP_OTHER_TILE : SWP_NO_SYMPTOM;
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

swp_status swp_run_judge(swp_run_machine *m)
{
    SWP_TRY(find_stuck(m));
    if (m->program->dataflow)
        SWP_TRY(swp_run_compare_results(m));
    for (int a = 0; a < m->program->accumulators; a++) {
        const swp_run_matrix expected = swp_run_expected(m->program, m->seed, a);
        for (int wave = 0; wave < m->program->waves; wave++)
            if (!swp_run_next_step(m, wave))
                SWP_TRY(compare(m, wave, a, &expected));
    }
    for (int wave = 0; wave < m->program->waves; wave++)
        if (swp_run_next_step(m, wave))
            SWP_TRY(compare_unfinished(m, wave));
    m->outcome->symptom = symptom_of(m->outcome);
    m->outcome->n = m->program->n;
    m->outcome->passes = m->program->passes;
    m->outcome->waves = m->program->waves;
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
