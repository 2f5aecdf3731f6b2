/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about what others access: fences, writes of a place in their order, and accumulators. */
#include "run/watch.h"

#include "base/context.h"
#include "run/dataflow.h"

/* --- Places that others access --- */

static swp_status add_uses(swp_run_machine *m, int role, int index,
                           const swp_run_operand_list *operands, bool is_write)
{
    for (size_t i = 0; i < operands->count; i++) {
        const swp_run_operand *operand = &operands->items[i];
        const swp_run_step *step = &m->program->lists[role].items[index];
        const swp_run_place_use use = {role, index, operand->tile, is_write,
                                       swp_run_is_queued(step)};
        if (operand->in_lds)
            SWP_TRY(SWP_PUSH(m->ctx, &m->uses[operand->index], use));
    }
    return SWP_OK;
}

swp_status swp_run_note_uses(swp_run_machine *m)
{
    const swp_run_program *program = m->program;
    SWP_TRY(SWP_TAKE(m->ctx, program->places.count, &m->uses));
    for (int role = 0; role < (int)m->schedule->stream_count; role++)
        for (size_t i = 0; i < program->lists[role].count; i++) {
            const swp_run_step *step = &program->lists[role].items[i];
            if (step->action != SWP_RUN_OP)
                continue;
            SWP_TRY(add_uses(m, role, (int)i, &step->reads, false));
            SWP_TRY(add_uses(m, role, (int)i, &step->writes, true));
        }
    return SWP_OK;
}

/*
 * Whether both access one share of the place. A multicast copy accesses that of its rank in the memory of each; all else
 * that accesses its value all shares in its own.
 */
static bool meet(const swp_run_machine *m, const swp_run_operand *operand, int thread, int user,
                 const swp_run_step *use)
{
    const int value = m->program->places.items[operand->index].channel;
    const swp_run_sharing *sharing = m->program->sharing;
    const int maker = sharing->maker[value];
    const int instances[] = {m->threads[thread].instance, m->threads[user].instance};
    const bool is_multicast = swp_run_is_multicast(m, swp_run_next_step(m, thread));
    if (instances[0] == instances[1] || is_multicast != swp_run_is_multicast(m, use))
        return true;
    if (is_multicast || swp_run_rank_of(m, instances[0]) != swp_run_rank_of(m, instances[1]))
        return false;
    return maker < 0 || sharing->role_of_instance[instances[0]] != maker ||
           sharing->role_of_instance[instances[1]] != maker;
}

/* What a use by a thread, that comes before, breaks. */
typedef struct broken_use {
    swp_symptom rule;
    bool (*is_broken)(const swp_run_machine *m, int thread, int user, const swp_run_place_use *use);
} broken_use;

/* What the thread has yet to do is not fenced either. */
static bool is_unfenced(const swp_run_machine *m, int thread, int user,
                        const swp_run_place_use *use)
{
    (void)thread;
    return !use->is_async && m->threads[user].fenced < use->step;
}

/* In a rank whose memory both access. */
static bool is_to_come(const swp_run_machine *m, int thread, int user, const swp_run_place_use *use)
{
    const swp_run_thread *t = &m->threads[user];
    const swp_run_thread *later = &m->threads[thread];
    if (!use->is_async)
        return t->next <= use->step;
    for (int to = 0; to < m->ranks; to++) {
        const int async = *swp_run_access_at(m, t->instance, use->step, to);
        if (swp_run_goes_to(m, t->instance, &t->steps->items[use->step], to) &&
            swp_run_goes_to(m, later->instance, swp_run_next_step(m, thread), to) &&
            (async < 0 || !m->accesses[async].done))
            return true;
    }
    return false;
}

static const broken_use unfenced = {SWP_BREAKS_UNFENCED, is_unfenced};
static const broken_use race = {SWP_BREAKS_WRITE_RACE, is_to_come};

static swp_status watch_use(swp_run_machine *m, int thread, const swp_run_operand *operand,
                            const swp_run_place_use *use, broken_use what)
{
    const int *first = &m->program->sharing->first_instance[use->role];
    const int step = m->threads[thread].next;
    for (int other = first[0] * m->lanes; other < first[1] * m->lanes; other++)
        if (swp_run_executes(m, other, &m->threads[other].steps->items[use->step]) &&
            meet(m, operand, thread, other, &m->threads[other].steps->items[use->step]) &&
            what.is_broken(m, thread, other, use))
            return swp_run_break(m, what.rule, thread, step, other, use->step);
    return SWP_OK;
}

static swp_status watch_uses(swp_run_machine *m, int thread, const swp_run_operand *operand,
                             int tile, bool reads_too, broken_use what)
{
    const swp_run_place_uses *uses = &m->uses[operand->index];
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].tile == tile && (uses->items[i].is_write || reads_too))
            SWP_TRY(watch_use(m, thread, operand, &uses->items[i], what));
    return SWP_OK;
}

static swp_status watch_read_places(swp_run_machine *m, int thread, const swp_run_step *step)
{
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        if (read->in_lds)
            SWP_TRY(watch_uses(m, thread, read, read->tile, false, unfenced));
    }
    return SWP_OK;
}

/* A later maker of a version writes over what the one before it made, the first over another version. */
static int tile_replaced(const swp_run_machine *m, const swp_run_operand *made)
{
    const swp_loop_dataflow *dataflow = m->program->dataflow;
    const int value = m->program->places.items[made->index].channel;
    const int makers = swp_run_makers(dataflow->loop, value);
    const int version = swp_run_version_of(dataflow->loop, value, made->tile);
    return made->tile > version * makers
               ? made->tile - 1
               : swp_run_last_tile(dataflow->loop, value, version - dataflow->slots[value]);
}

static swp_status watch_written_places(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const bool fence_reads = m->schedule->machine.fence_reads;
    for (size_t i = 0; i < step->writes.count; i++) {
        const swp_run_operand *made = &step->writes.items[i];
        if (!made->in_lds)
            continue;
        const int value = m->program->places.items[made->index].channel;
        const int replaced = tile_replaced(m, made);
        if (swp_run_is_queued(step))
            SWP_TRY(watch_uses(m, thread, made, replaced, fence_reads, unfenced));
        if (swp_run_is_read(m->program->dataflow->loop, value))
            SWP_TRY(watch_uses(m, thread, made, replaced, false, race));
    }
    return SWP_OK;
}

/* --- Registers --- */

static swp_status watch_registers(swp_run_machine *m, int thread, const swp_run_operand_list *list)
{
    const swp_run_thread *t = &m->threads[thread];
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].in_lds)
            continue;
        const swp_run_register_state *state = &t->states[list->items[i].index];
        const bool is_accessed = state->access == SWP_RUN_ACCESSED_BY_ORDINARY;
        if (state->access != SWP_RUN_ACCESSED_BY_MATRIX &&
            t->reg_fenced < (is_accessed ? state->accessed_at : 0))
            SWP_TRY(swp_run_break(m, SWP_BREAKS_UNFENCED, thread, t->next,
                                  is_accessed ? thread : SWP_RUN_NOBODY, state->accessed_at));
    }
    return SWP_OK;
}

static swp_status watch_flight(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const swp_run_thread *t = &m->threads[thread];
    for (int i = 0; i < m->open_count; i++) {
        const swp_run_access *async = &m->accesses[m->open[i]];
        if (async->instance == t->instance && (async->issued >> t->lane & 1) != 0 &&
            swp_run_step_of(m, async)->queue == SWP_RUN_MATRIX_GROUP &&
            swp_run_meets_register(m, &t->steps->items[async->step], step))
            SWP_TRY(swp_run_break(m, SWP_BREAKS_ACCUMULATOR, thread, t->next, thread, async->step));
    }
    return SWP_OK;
}

swp_status swp_run_watch_accesses(swp_run_machine *m, int thread, const swp_run_step *step)
{
    SWP_TRY(watch_flight(m, thread, step));
    SWP_TRY(watch_written_places(m, thread, step));
    if (!swp_run_is_queued(step))
        return SWP_OK;
    SWP_TRY(watch_read_places(m, thread, step));
    if (step->queue != SWP_RUN_MATRIX_GROUP)
        return SWP_OK;
    SWP_TRY(watch_registers(m, thread, &step->reads));
    return watch_registers(m, thread, &step->writes);
}
