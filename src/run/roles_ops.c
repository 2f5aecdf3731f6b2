/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of warp roles read and make: ordinary ones at once, the others from issue to retirement. */
#include "run/roles.h"

#include "base/context.h"
#include "run/dataflow.h"
#include "run/sequential.h"

static int value_of(const swp_run_machine *m, const swp_run_operand *operand)
{
    const swp_run_program *program = m->program;
    return operand->in_lds ? program->places.items[operand->index].channel
                           : program->registers.items[operand->index].channel;
}

static bool accesses(const swp_run_machine *m, const swp_run_operand *operand, int instance,
                     int share)
{
    return swp_run_accesses_share(m->program, value_of(m, operand), instance, share);
}

/* What the op comes to is added, so that one that is done twice shows. */
static void note_result(swp_run_machine *m, int thread, const swp_run_step *step, uint64_t sum)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    if (!step->is_outside)
        m->threads[thread].results[(size_t)step->tile * ops + (size_t)step->op] += sum;
}

static swp_run_cell content_of(const swp_run_machine *m, const swp_run_operand *made, int thread,
                                  int step, uint64_t sum)
{
    return (swp_run_cell){.number = swp_run_made(sum, value_of(m, made)),
                             .tile = made->tile,
                             .thread = thread,
                             .step = step};
}

static void write_register(swp_run_machine *m, int thread, const swp_run_operand *made,
                           swp_run_cell content)
{
    swp_run_thread *t = &m->threads[thread];
    t->states[made->index].before = t->registers[made->index];
    t->registers[made->index] = content;
}

/* --- Ordinary ops --- */

static void access_all(swp_run_machine *m, int thread, const swp_run_operand_list *list,
                       swp_run_last_access access)
{
    swp_run_thread *t = &m->threads[thread];
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].in_lds)
            continue;
        swp_run_register_state *state = &t->states[list->items[i].index];
        state->access = access;
        state->accessed_at = t->next;
    }
}

static void access_registers(swp_run_machine *m, int thread, const swp_run_step *step,
                             swp_run_last_access access)
{
    access_all(m, thread, &step->reads, access);
    access_all(m, thread, &step->writes, access);
}

static swp_status read_all(swp_run_machine *m, int thread, const swp_run_step *step, uint64_t *sum)
{
    const swp_run_thread *t = &m->threads[thread];
    uint64_t number = 0;
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        if (!read->in_lds) {
            SWP_TRY(swp_run_read_register(m, thread, t->next, read, &number));
            *sum = swp_run_mix(*sum, number);
        }
        for (int share = 0; read->in_lds && share < m->program->waves; share++) {
            if (!accesses(m, read, t->instance, share))
                continue;
            SWP_TRY(swp_run_read_share(m, thread, t->next, read, share, &number));
            *sum = swp_run_mix(*sum, number);
        }
    }
    return SWP_OK;
}

swp_status swp_run_do_ordinary(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const swp_run_thread *t = &m->threads[thread];
    const bool by_one = step->source->by == SWP_ONE_THREAD;
    uint64_t sum = swp_run_begin_result(m->seed, step->op, step->tile, t->instance);
    SWP_TRY(read_all(m, thread, step, &sum));
    access_registers(m, thread, step, SWP_RUN_ACCESSED_BY_ORDINARY);
    for (size_t i = 0; i < step->writes.count; i++) {
        const swp_run_operand *made = &step->writes.items[i];
        const swp_run_cell content = content_of(m, made, thread, t->next, sum);
        if (made->in_lds)
            swp_run_write_part(m, thread, made, content, by_one);
        else
            write_register(m, thread, made, content);
    }
    note_result(m, thread, step, sum);
    m->outcome->accesses++;
    return SWP_OK;
}

/* --- Asynchronous operations --- */

static swp_status new_async(swp_run_machine *m, int thread, const swp_run_step *step, int to)
{
    const swp_run_thread *t = &m->threads[thread];
    const bool is_matrix = step->queue == SWP_RUN_MATRIX_GROUP;
    const size_t reads = step->reads.count;
    swp_run_access *async = &m->accesses[m->access_count];
    *async = (swp_run_access){.instance = t->instance,
                             .step = t->next,
                             .to = to,
                             .issued_at = m->clock,
                             .group = t->commits[is_matrix ? 0 : 1]};
    SWP_TRY(SWP_TAKE(m->ctx, reads * (size_t)m->program->waves, &async->shares));
    SWP_TRY(SWP_TAKE(m->ctx, reads * SWP_RUN_LANES, &async->registers));
    *swp_run_access_at(m, t->instance, t->next, to) = m->access_count;
    swp_run_open_access(m, m->access_count++);
    return SWP_OK;
}

/* What it reads of shared places now; at the first of its reads, or joined to what it read before. */
static swp_status read_shares(swp_run_machine *m, const swp_run_access *async,
                              const swp_run_step *step, bool is_first)
{
    const int waves = m->program->waves;
    uint64_t number = 0;
    for (size_t i = 0; i < step->reads.count; i++)
        for (int share = 0; step->reads.items[i].in_lds && share < waves; share++) {
            if (!accesses(m, &step->reads.items[i], async->instance, share))
                continue;
            uint64_t *kept = &async->shares[i * (size_t)waves + (size_t)share];
            SWP_TRY(swp_run_read_share(m, async->instance * SWP_RUN_LANES, async->step,
                                       &step->reads.items[i], share, &number));
            *kept = is_first ? number : swp_run_both(*kept, number);
        }
    return SWP_OK;
}

/* Of an accumulator that others before it still make, it is the value at the end that counts. */
static swp_status read_registers(swp_run_machine *m, const swp_run_access *async, int lane,
                                 const swp_run_step *step, bool is_first)
{
    const int thread = async->instance * SWP_RUN_LANES + lane;
    uint64_t number = 0;
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        uint64_t *kept = &async->registers[i * SWP_RUN_LANES + (size_t)lane];
        if (read->in_lds ||
            (is_first && read->update && swp_run_is_in_flight(m, thread, async->step, read->index)))
            continue;
        SWP_TRY(swp_run_read_register(m, thread, async->step, read, &number));
        *kept = *kept == 0 ? number : swp_run_both(*kept, number);
    }
    return SWP_OK;
}

static swp_status begin_to(swp_run_machine *m, int thread, const swp_run_step *step, int to)
{
    const swp_run_thread *t = &m->threads[thread];
    const int *index = swp_run_access_at(m, t->instance, t->next, to);
    const bool is_new = *index < 0;
    if (is_new)
        SWP_TRY(new_async(m, thread, step, to));
    swp_run_access *async = &m->accesses[*index];
    if (is_new)
        SWP_TRY(read_shares(m, async, step, true));
    SWP_TRY(read_registers(m, async, t->lane, step, true));
    async->issued |= 1 << t->lane;
    return SWP_OK;
}

swp_status swp_run_begin_async(swp_run_machine *m, int thread, const swp_run_step *step)
{
    for (int to = 0; to < m->ranks; to++)
        if (swp_run_goes_to(m, m->threads[thread].instance, step, to))
            SWP_TRY(begin_to(m, thread, step, to));
    access_registers(m, thread, step, SWP_RUN_ACCESSED_BY_MATRIX);
    return SWP_OK;
}

static uint64_t result_of(const swp_run_machine *m, const swp_run_access *async, int lane,
                          const swp_run_step *step)
{
    const size_t waves = (size_t)m->program->waves;
    uint64_t sum = swp_run_begin_result(m->seed, step->op, step->tile, async->instance);
    for (size_t i = 0; i < step->reads.count; i++) {
        if (!step->reads.items[i].in_lds)
            sum = swp_run_mix(sum, async->registers[i * SWP_RUN_LANES + (size_t)lane]);
        for (size_t share = 0; step->reads.items[i].in_lds && share < waves; share++)
            if (accesses(m, &step->reads.items[i], async->instance, (int)share))
                sum = swp_run_mix(sum, async->shares[i * waves + share]);
    }
    return sum;
}

swp_run_cell swp_run_copied(const swp_run_machine *m, const swp_run_access *async,
                               const swp_run_operand *made)
{
    const swp_run_step *step = swp_run_step_of(m, async);
    return content_of(m, made, async->instance * SWP_RUN_LANES, async->step,
                      result_of(m, async, 0, step));
}

static void make(swp_run_machine *m, const swp_run_access *async, int lane, const swp_run_step *step,
                 uint64_t sum)
{
    const int thread = async->instance * SWP_RUN_LANES + lane;
    for (size_t i = 0; i < step->writes.count; i++) {
        const swp_run_operand *made = &step->writes.items[i];
        const swp_run_cell content = content_of(m, made, thread, async->step, sum);
        if (made->in_lds)
            swp_run_land_copy(m, async, made, content);
        else
            write_register(m, thread, made, content);
    }
    if (async->to == swp_run_rank_of(m, async->instance)) /* a multicast is one op */
        note_result(m, thread, step, sum);
}

swp_status swp_run_end_async(swp_run_machine *m, const swp_run_access *async)
{
    const swp_run_step *step = swp_run_step_of(m, async);
    SWP_TRY(read_shares(m, async, step, false));
    for (int lane = 0; lane < SWP_RUN_LANES; lane++)
        if ((async->issued >> lane & 1) != 0) {
            SWP_TRY(read_registers(m, async, lane, step, false));
            make(m, async, lane, step, result_of(m, async, lane, step));
        }
    m->outcome->accesses++;
    return SWP_OK;
}
