/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the results of a dataflow's ops with those of the loop done in sequence. */
#include "run/results.h"

#include "base/context.h"
#include "run/sequential.h"

/* So many digits of a content tell it from others, and can be read. */
enum { SHOWN = 1000000000 };

swp_status swp_run_note_result(swp_context *ctx, swp_run_outcome *outcome, swp_wrong_value wrong,
                               uint64_t got, uint64_t expected)
{
    wrong.got = (int64_t)(got % SHOWN);
    wrong.expected = (int64_t)(expected % SHOWN);
    return SWP_PUSH(ctx, &outcome->values, wrong);
}

static swp_status compare_iteration(swp_run_machine *m, const uint64_t *expected, int iteration)
{
    const int ops = (int)m->program->dataflow->loop->op_count;
    for (int op = 0; op < ops; op++)
        for (int wave = 0; wave < m->program->waves; wave++) {
            const size_t at = (size_t)iteration * (size_t)ops + (size_t)op;
            const uint64_t right =
                expected[(size_t)wave * (size_t)m->program->n * (size_t)ops + at];
            const uint64_t got = m->threads[wave].results[at];
            const bool is_to_come = got == 0 && swp_run_next_step(m, wave);
            const swp_wrong_value wrong = {
                .kind = SWP_WRONG_RESULT, .wave = wave, .op = op, .iteration = iteration};
            if (got != right && !is_to_come)
                SWP_TRY(swp_run_note_result(m->ctx, m->outcome, wrong, got, right));
        }
    return SWP_OK;
}

swp_status swp_run_compare_results(swp_run_machine *m)
{
    const uint64_t *expected = NULL;
    const bool **left_out = NULL;
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->program->waves, &left_out));
    for (int wave = 0; wave < m->program->waves; wave++)
        left_out[wave] = m->threads[wave].left_out;
    SWP_TRY(swp_run_sequence_of(m->ctx, m->program, m->seed, left_out, &expected));
    for (int iteration = 0; iteration < m->program->n; iteration++)
        SWP_TRY(compare_iteration(m, expected, iteration));
    return SWP_OK;
}
