/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what every thread's ops came to with the loop done in sequence, and names the symptom. */
#include "run/results.h"
#include "run/roles.h"

#include "base/context.h"
#include "run/outcome.h"
#include "run/sequential.h"

/* The order in which a run is judged; what is not in it comes behind. */
static const swp_symptom judged[] = {
    SWP_BREAKS_ARRIVALS,  SWP_BREAKS_NAMED_BARRIER, SWP_BREAKS_PHASE_ALIAS, SWP_WAITS_FOR_EVER,
    SWP_BREAKS_LOST_PEER, SWP_BREAKS_UNFENCED,      SWP_BREAKS_ACCUMULATOR,
};
enum { JUDGED = sizeof judged / sizeof *judged };

bool swp_run_breaks(const swp_run_outcome *outcome, swp_symptom rule)
{
    for (size_t i = 0; i < outcome->broken.count; i++)
        if (outcome->broken.items[i].rule == rule)
            return true;
    return false;
}

static bool shows(const swp_run_outcome *outcome, swp_symptom symptom)
{
    return symptom == SWP_WAITS_FOR_EVER ? outcome->stuck.count > 0
                                         : swp_run_breaks(outcome, symptom);
}

static swp_symptom symptom_of(const swp_run_outcome *outcome)
{
    for (int i = 0; i < JUDGED; i++)
        if (shows(outcome, judged[i]))
            return judged[i];
    if (outcome->values.count)
        return SWP_WRONG_VALUE;
    if (outcome->outside.count)
        return SWP_TILE_OUTSIDE;
    return shows(outcome, SWP_BREAKS_WRITE_RACE) ? SWP_BREAKS_WRITE_RACE : SWP_NO_SYMPTOM;
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

static swp_status find_stuck(swp_run_machine *m)
{
    for (int thread = 0; thread < m->thread_count; thread++) {
        if (!swp_run_next_step(m, thread))
            continue;
        const swp_instance at = swp_run_instance(m, thread, m->threads[thread].next);
        if (!is_told(&m->outcome->stuck, &at))
            SWP_TRY(SWP_PUSH(m->ctx, &m->outcome->stuck, at));
    }
    return SWP_OK;
}

/* The elected thread executes every entry of its instance; another one those of all. */
static bool is_to_come(const swp_run_machine *m, int thread)
{
    return m->threads[thread].lane > 0 || swp_run_next_step(m, thread) || m->outcome->stuck.count;
}

static swp_status compare(swp_run_machine *m, int thread, int op, int iteration, uint64_t right)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    const uint64_t got = m->threads[thread].results[(size_t)iteration * ops + (size_t)op];
    if (got == right || (got == 0 && is_to_come(m, thread)))
        return SWP_OK;
    const int instance = m->threads[thread].instance;
    const swp_wrong_value wrong = {.kind = SWP_WRONG_RESULT,
                                   .wave = instance,
                                   .op = op,
                                   .iteration = iteration,
                                   .role = swp_run_stream_of(m, instance)->name,
                                   .instance = swp_run_number_of(m, instance),
                                   .thread = m->threads[thread].lane,
                                   .is_in_cluster = m->ranks > 1,
                                   .rank = swp_run_rank_of(m, instance)};
    return swp_run_note_result(m->ctx, m->outcome, wrong, got, right);
}

static swp_status expect_results(const swp_run_machine *m, const uint64_t **out)
{
    const bool *const *left_out = NULL;
    SWP_TRY(swp_run_find_left_out(m, &left_out));
    return m->program->extent.tiles
               ? swp_run_tile_sequence_of(m->ctx, m->program, m->seed, left_out, out)
               : swp_run_sequence_of(m->ctx, m->program, m->seed, left_out, out);
}

/* How often the op is done: once for each iteration, or output tile. */
static int times(const swp_run_machine *m, int op)
{
    const bool is_of_tiles = m->program->dataflow->loop->ops[op].clock == SWP_TILE_CLOCK;
    return is_of_tiles ? m->program->extent.tile_count : m->program->n;
}

static swp_status compare_row(swp_run_machine *m, int row, int op, const uint64_t *expected)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    const swp_run_sharing *sharing = m->program->sharing;
    for (int thread = 0; thread < m->thread_count; thread++) {
        const size_t instance = (size_t)m->threads[thread].instance;
        const size_t done = instance * (size_t)m->program->rows + (size_t)row;
        if (sharing->role_of_instance[instance] == sharing->role_of_op[op])
            SWP_TRY(compare(m, thread, op, row, expected[done * ops + (size_t)op]));
    }
    return SWP_OK;
}

static swp_status compare_results(swp_run_machine *m)
{
    const uint64_t *expected = NULL;
    SWP_TRY(expect_results(m, &expected));
    for (int row = 0; row < m->program->rows; row++)
        for (int op = 0; op < (int)m->program->dataflow->loop->op_count; op++)
            if (row < times(m, op))
                SWP_TRY(compare_row(m, row, op, expected));
    return SWP_OK;
}

swp_status swp_run_roles_judge(swp_run_machine *m)
{
    swp_run_outcome *outcome = m->outcome;
    SWP_TRY(find_stuck(m));
    SWP_TRY(compare_results(m));
    outcome->symptom = symptom_of(outcome);
    outcome->n = m->program->n;
    outcome->tiles = m->program->extent.tiles;
    outcome->tile_count = m->program->extent.tile_count;
    outcome->passes = m->program->passes;
    outcome->waves = m->program->waves;
    outcome->has_roles = true;
    return SWP_OK;
}
