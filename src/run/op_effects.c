/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a dataflow do. */
#include "run/effects.h"

#include "base/context.h"
#include "run/operands.h"
#include "run/sequential.h"

static swp_run_cell *cell_of(const swp_run_machine *m, const swp_run_operand *operand, int wave,
                             int share)
{
    return operand->in_lds ? swp_run_lds(m, operand->index, share, 0)
                           : swp_run_register(m, wave, operand->index, 0);
}

/* What takes in a register's value while it issues is not touched by who makes it again. */
static bool is_captured(const swp_run_step *step, const swp_run_operand *operand)
{
    return !operand->in_lds && !step->reads_in_flight;
}

static swp_status read_live(swp_run_machine *m, int access, const swp_run_operand *operand,
                            uint64_t *sum)
{
    const int wave = m->accesses[access].instance;
    for (int share = 0; share < m->program->waves; share++)
        if (share == wave || operand->in_lds) {
            const swp_run_cell *cell = cell_of(m, operand, wave, share);
            *sum = swp_run_mix(*sum, cell->number);
            SWP_TRY(swp_run_check_read(m, access, operand, share, cell));
        }
    return SWP_OK;
}

static swp_status capture(swp_run_machine *m, int index, const swp_run_step *step)
{
    swp_run_access *access = &m->accesses[index];
    const int wave = access->instance;
    SWP_TRY(SWP_TAKE(m->ctx, step->reads.count, &access->captured));
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *operand = &step->reads.items[i];
        if (!is_captured(step, operand))
            continue;
        access->captured[i] = *cell_of(m, operand, wave, wave);
        SWP_TRY(swp_run_check_read(m, index, operand, wave, &access->captured[i]));
    }
    return SWP_OK;
}

swp_status swp_run_op_issues(swp_run_machine *m, int index, const swp_run_step *step)
{
    const int wave = m->accesses[index].instance;
    SWP_TRY(capture(m, index, step));
    for (size_t i = 0; i < step->writes.count; i++)
        if (!step->writes.items[i].in_lds)
            m->threads[wave].states[step->writes.items[i].index].last_maker = index;
    return SWP_OK;
}

/* What is on its way to the register is then the next version; what is there is at once. */
static void pass_on(const swp_run_machine *m, int wave, const swp_run_operand *operand)
{
    const int maker = m->threads[wave].states[operand->index].last_maker;
    swp_run_access *access = maker < 0 ? NULL : &m->accesses[maker];
    if (access && !access->done && swp_run_step_of(m, access)->is_awaited) {
        access->is_passed_on = true;
        access->passed_on = operand->tile;
    } else {
        cell_of(m, operand, wave, wave)->tile = operand->tile;
    }
}

void swp_run_op_left_out(const swp_run_machine *m, int wave, const swp_run_step *step)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    for (size_t i = 0; i < step->writes.count; i++)
        pass_on(m, wave, &step->writes.items[i]);
    if (step->tile >= 0 && step->tile < m->program->n)
        m->threads[wave].left_out[(size_t)step->tile * ops + (size_t)step->op] = true;
}

/* Who manages registers sees to it that what was made last is there, whatever lands last. */
static bool is_outdated(const swp_run_machine *m, int index, const swp_run_step *step,
                        const swp_run_operand *operand)
{
    return m->limits->registers != SWP_REGISTERS_RAW && step->is_awaited && !operand->in_lds &&
           m->threads[m->accesses[index].instance].states[operand->index].last_maker != index;
}

static void write(swp_run_machine *m, int access, const swp_run_operand *operand, uint64_t sum)
{
    const swp_run_access *a = &m->accesses[access];
    const int wave = a->instance;
    const swp_run_place *place = operand->in_lds ? &m->program->places.items[operand->index]
                                                 : &m->program->registers.items[operand->index];
    *cell_of(m, operand, wave, wave) =
        (swp_run_cell){.number = swp_run_made(sum, place->channel),
                       .tile = a->is_passed_on ? a->passed_on : operand->tile,
                       .thread = wave,
                       .step = a->step};
}

/* What an op comes to is added, so that one that is done twice shows. */
swp_status swp_run_op_effect(swp_run_machine *m, int access, const swp_run_step *step)
{
    const swp_run_access *a = &m->accesses[access];
    const size_t ops = m->program->dataflow->loop->op_count;
    uint64_t sum = swp_run_begin_result(m->seed, step->op, step->tile, a->instance);
    for (size_t i = 0; i < step->reads.count; i++)
        if (is_captured(step, &step->reads.items[i]))
            sum = swp_run_mix(sum, a->captured[i].number);
        else
            SWP_TRY(read_live(m, access, &step->reads.items[i], &sum));
    for (size_t i = 0; i < step->writes.count; i++)
        if (!is_outdated(m, access, step, &step->writes.items[i]))
            write(m, access, &step->writes.items[i], sum);
    if (step->tile >= 0 && step->tile < m->program->n)
        m->threads[a->instance].results[(size_t)step->tile * ops + (size_t)step->op] += sum;
    return SWP_OK;
}
