/* SPDX-License-Identifier: Apache-2.0 */
/* What a GEMM's loads, stores, fragment loads and COMPUTEs do. */
#include "run/ops.h"

#include "base/context.h"
#include "run/operands.h"

/* A store reads its source registers when it issues. */
swp_status swp_run_store_issues(swp_run_machine *m, int index, const swp_run_step *step)
{
    swp_run_access *access = &m->accesses[index];
    const int wave = access->instance;
    const int source = step->reads.items[0].index;
    SWP_TRY(swp_run_check_operand(m, wave, step, source));
    SWP_TRY(SWP_TAKE(m->ctx, (size_t)m->program->slices, &access->captured));
    for (int slice = 0; slice < m->program->slices; slice++)
        access->captured[slice] = *swp_run_register(m, wave, source, slice);
    return SWP_OK;
}

swp_status swp_run_compute(swp_run_machine *m, int wave, const swp_run_step *step)
{
    const swp_run_operand *reads = step->reads.items;
    swp_run_matrix *sum = &m->threads[wave].accumulators[step->accumulator];
    for (int share = 0; share < m->program->waves; share++) {
        const int64_t *a = swp_run_register(m, wave, reads[0].index, share)->values;
        const int64_t *b = m->program->next_tile
                               ? a + SWP_RUN_SIDE
                               : swp_run_register(m, wave, reads[1].index, share)->values;
        swp_run_add_product(sum, a, b);
    }
    for (size_t i = 0; i < step->reads.count; i++)
        SWP_TRY(swp_run_check_operand(m, wave, step, reads[i].index));
    return SWP_OK;
}

static swp_run_cell written_by(swp_run_cell cell, const swp_run_access *access)
{
    cell.thread = access->instance;
    cell.step = access->step;
    return cell;
}

static void load(swp_run_machine *m, int index, const swp_run_step *step)
{
    const int wave = m->accesses[index].instance;
    const int to = step->writes.items[0].index;
    if (m->program->next_tile) {
        for (int slice = 0; slice < m->program->slices; slice++)
            *swp_run_register(m, wave, to, slice) =
                written_by(swp_run_share(m->seed, 0, slice, step->tile, wave), &m->accesses[index]);
        m->threads[wave].states[to].filled_by = index;
        return;
    }
    const swp_run_place *place = &m->program->places.items[to];
    *swp_run_lds(m, to, wave, 0) =
        written_by(swp_run_share(m->seed, place->channel, place->subtile, step->tile, wave),
                   &m->accesses[index]);
}

static void read_fragment(swp_run_machine *m, int index, const swp_run_step *step)
{
    const int wave = m->accesses[index].instance;
    const int from = step->reads.items[0].index;
    const int to = step->writes.items[0].index;
    for (int share = 0; share < m->program->waves; share++)
        *swp_run_register(m, wave, to, share) = *swp_run_lds(m, from, share, step->slice);
    m->threads[wave].states[to].filled_by = index;
}

static void store(swp_run_machine *m, int index, const swp_run_step *step)
{
    const swp_run_access *access = &m->accesses[index];
    for (int slice = 0; slice < m->program->slices; slice++)
        *swp_run_lds(m, step->writes.items[0].index, access->instance, slice) =
            written_by(access->captured[slice], access);
}

void swp_run_kind_effect(swp_run_machine *m, int index, const swp_run_step *step)
{
    if (step->action == SWP_RUN_LOAD)
        load(m, index, step);
    else if (step->action == SWP_RUN_FRAGMENT)
        read_fragment(m, index, step);
    else
        store(m, index, step);
}
