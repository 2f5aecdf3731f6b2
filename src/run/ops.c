/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a dataflow read and make: ordinary ones at once, the others from issue to retirement. */
#include "run/ops.h"

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
    return SWP_OK;
}

/* --- Asynchronous operations --- */

/*
 * Of warp roles an operation reads at its issue and again at its end, so that what is there at either shows. Of waves
 * timings choose the moment of each access: what it reads of registers it has at its issue, unless it reads them in
 * flight, and all else at its end.
 */
static bool reads_then(const swp_run_machine *m, const swp_run_step *step,
                       const swp_run_operand *read, bool at_issue)
{
    const bool is_captured = !read->in_lds && !step->reads_in_flight;
    return m->program->manner->reads_worst || is_captured == at_issue;
}

static void keep(uint64_t *kept, uint64_t number)
{
    *kept = *kept == 0 ? number : swp_run_both(*kept, number);
}

/* What it reads of shared places now; joined to what it read before. */
static swp_status read_shares(swp_run_machine *m, const swp_run_access *access,
                              const swp_run_step *step, bool at_issue)
{
    const int waves = m->program->waves;
    uint64_t number = 0;
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        for (int share = 0; read->in_lds && share < waves; share++) {
            if (!accesses(m, read, access->instance, share) || !reads_then(m, step, read, at_issue))
                continue;
            SWP_TRY(swp_run_read_share(m, access->instance * m->lanes, access->step, read, share,
                                       &number));
            keep(&access->shares[i * (size_t)waves + (size_t)share], number);
        }
    }
    return SWP_OK;
}

/* Of an accumulator that others before it still make, it is the value at the end that counts. */
static swp_status read_registers(swp_run_machine *m, const swp_run_access *access, int lane,
                                 const swp_run_step *step, bool at_issue)
{
    const int thread = access->instance * m->lanes + lane;
    uint64_t number = 0;
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        if (read->in_lds || !reads_then(m, step, read, at_issue) ||
            (at_issue && read->update &&
             swp_run_is_in_flight(m, thread, access->step, read->index)))
            continue;
        SWP_TRY(swp_run_read_register(m, thread, access->step, read, &number));
        keep(&access->registers[i * (size_t)m->lanes + (size_t)lane], number);
    }
    return SWP_OK;
}

static swp_status begin_to(swp_run_machine *m, int thread, const swp_run_step *step, int to)
{
    const swp_run_thread *t = &m->threads[thread];
    const int *index = swp_run_access_at(m, t->instance, t->next, to);
    const bool is_new = *index < 0;
    if (is_new)
        SWP_TRY(swp_run_new_access(m, thread, step, to));
    swp_run_access *access = &m->accesses[*index];
    if (is_new)
        SWP_TRY(read_shares(m, access, step, true));
    SWP_TRY(read_registers(m, access, t->lane, step, true));
    access->issued |= 1 << t->lane;
    swp_run_note_makers(m, *index);
    return SWP_OK;
}

swp_status swp_run_begin_op(swp_run_machine *m, int thread, const swp_run_step *step)
{
    for (int to = 0; to < m->ranks; to++)
        if (swp_run_goes_to(m, m->threads[thread].instance, step, to))
            SWP_TRY(begin_to(m, thread, step, to));
    access_registers(m, thread, step, SWP_RUN_ACCESSED_BY_MATRIX);
    return SWP_OK;
}

static uint64_t result_of(const swp_run_machine *m, const swp_run_access *access, int lane,
                          const swp_run_step *step)
{
    const size_t waves = (size_t)m->program->waves;
    uint64_t sum = swp_run_begin_result(m->seed, step->op, step->tile, access->instance);
    for (size_t i = 0; i < step->reads.count; i++) {
        if (!step->reads.items[i].in_lds)
            sum = swp_run_mix(sum, access->registers[i * (size_t)m->lanes + (size_t)lane]);
        for (size_t share = 0; step->reads.items[i].in_lds && share < waves; share++)
            if (accesses(m, &step->reads.items[i], access->instance, (int)share))
                sum = swp_run_mix(sum, access->shares[i * waves + share]);
    }
    return sum;
}

swp_run_cell swp_run_copied(const swp_run_machine *m, const swp_run_access *access,
                            const swp_run_operand *made)
{
    const swp_run_step *step = swp_run_step_of(m, access);
    return content_of(m, made, access->instance * m->lanes, access->step,
                      result_of(m, access, 0, step));
}

/* Who manages registers sees to it that what was made last is there, whatever lands last. */
static bool is_outdated(const swp_run_machine *m, int thread, const swp_run_step *step,
                        const swp_run_operand *made)
{
    const swp_run_thread *t = &m->threads[thread];
    if (m->limits->registers == SWP_REGISTERS_RAW || !step->is_awaited)
        return false;
    const int last = t->states[made->index].last_maker;
    return last >= 0 && swp_run_step_of(m, &m->accesses[last]) != step;
}

static void make(swp_run_machine *m, const swp_run_access *access, int lane,
                 const swp_run_step *step, uint64_t sum)
{
    const int thread = access->instance * m->lanes + lane;
    for (size_t i = 0; i < step->writes.count; i++) {
        const swp_run_operand *made = &step->writes.items[i];
        swp_run_cell content = content_of(m, made, thread, access->step, sum);
        content.tile = access->is_passed_on ? access->passed_on : made->tile;
        if (made->in_lds)
            swp_run_land_copy(m, access, made, content);
        else if (!is_outdated(m, thread, step, made))
            write_register(m, thread, made, content);
    }
    if (access->to == swp_run_rank_of(m, access->instance)) /* a multicast is one op */
        note_result(m, thread, step, sum);
}

swp_status swp_run_end_op(swp_run_machine *m, const swp_run_access *access)
{
    const swp_run_step *step = swp_run_step_of(m, access);
    SWP_TRY(read_shares(m, access, step, false));
    for (int lane = 0; lane < m->lanes; lane++)
        if ((access->issued >> lane & 1) != 0) {
            SWP_TRY(read_registers(m, access, lane, step, false));
            make(m, access, lane, step, result_of(m, access, lane, step));
        }
    return SWP_OK;
}
