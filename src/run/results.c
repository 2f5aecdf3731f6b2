/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the results of a dataflow's ops with those of the loop done in sequence. */
#include "run/results.h"

#include "base/context.h"
#include "run/sequential.h"
#include "run/sync.h"

/* So many digits of a content tell it from others, and can be read. */
enum { SHOWN = 1000000000 };

/*
 * Of a wave that has not ended. The elected thread of an instance executes every entry, another one those of all; what
 * is in flight may wait for threads that never come.
 */
static bool is_to_come(const swp_run_machine *m, int thread)
{
    if (swp_run_next_step(m, thread))
        return true;
    return m->lanes > 1 && (m->threads[thread].lane > 0 || m->outcome->stuck.count);
}

static swp_status compare(swp_run_machine *m, int thread, int op, int row, uint64_t right)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    const uint64_t got = m->threads[thread].results[(size_t)row * ops + (size_t)op];
    if (got == right || (got == 0 && is_to_come(m, thread)))
        return SWP_OK;
    const swp_instance who = swp_run_who(m, thread);
    const swp_wrong_value wrong = {.kind = SWP_WRONG_RESULT,
                                   .wave = who.wave,
                                   .op = op,
                                   .iteration = row,
                                   .role = who.role,
                                   .instance = who.instance,
                                   .thread = who.thread,
                                   .is_in_cluster = who.is_in_cluster,
                                   .rank = who.rank,
                                   .got = (int64_t)(got % SHOWN),
                                   .expected = (int64_t)(right % SHOWN)};
    return SWP_PUSH(m->ctx, &m->outcome->values, wrong);
}

/* By wave what it left out, by instance of a warp role what the seed says. */
static swp_status find_left_out(const swp_run_machine *m, const bool *const **out)
{
    const bool **by_wave = NULL;
    if (m->program->manner->leaves_out_by_seed)
        return swp_run_find_left_out(m, out);
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->program->waves, &by_wave));
    for (int wave = 0; wave < m->program->waves; wave++)
        by_wave[wave] = m->threads[wave].left_out;
    *out = by_wave;
    return SWP_OK;
}

static swp_status expect_results(const swp_run_machine *m, const uint64_t **out)
{
    const bool *const *left_out = NULL;
    SWP_TRY(find_left_out(m, &left_out));
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

swp_status swp_run_compare_results(swp_run_machine *m)
{
    const uint64_t *expected = NULL;
    SWP_TRY(expect_results(m, &expected));
    for (int row = 0; row < m->program->rows; row++)
        for (int op = 0; op < (int)m->program->dataflow->loop->op_count; op++)
            if (row < times(m, op))
                SWP_TRY(compare_row(m, row, op, expected));
    return SWP_OK;
}
