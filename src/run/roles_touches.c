/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about what ordinary instructions and operations in flight touch: fences, and accumulators. */
#include "run/roles_watch.h"

#include "base/context.h"
#include "run/dataflow.h"

/* --- Places that ordinary instructions touched --- */

/* Whether both touch one share of the place. */
static bool meet(const swp_run_roles *m, const swp_run_operand *operand, int instance, int user)
{
    const int value = m->program->places.items[operand->index].channel;
    const swp_run_sharing *sharing = m->program->sharing;
    const int maker = sharing->maker[value];
    return instance == user || maker < 0 || sharing->role_of_instance[instance] != maker ||
           sharing->role_of_instance[user] != maker;
}

/* A thread that did so and has not fenced it since; what it has yet to do is not fenced either. */
static swp_status watch_use(swp_run_roles *m, int thread, const swp_run_operand *operand,
                            const swp_run_place_use *use)
{
    const swp_run_sharing *sharing = m->program->sharing;
    const int step = m->threads[thread].next;
    for (int user = sharing->first_instance[use->role];
         user < sharing->first_instance[use->role + 1]; user++)
        for (int lane = 0; lane < SWP_RUN_LANES; lane++) {
            const int other = user * SWP_RUN_LANES + lane;
            const swp_run_thread *o = &m->threads[other];
            if (o->fenced < use->step && swp_run_executes(m, other, &o->steps->items[use->step]) &&
                meet(m, operand, m->threads[thread].instance, user))
                return swp_run_break(m, SWP_BREAKS_UNFENCED, thread, step, other, use->step);
        }
    return SWP_OK;
}

static swp_status watch_uses(swp_run_roles *m, int thread, const swp_run_operand *operand, int tile,
                             bool reads_too)
{
    const swp_run_place_uses *uses = &m->uses[operand->index];
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].tile == tile && (uses->items[i].is_write || reads_too))
            SWP_TRY(watch_use(m, thread, operand, &uses->items[i]));
    return SWP_OK;
}

static swp_status watch_places(swp_run_roles *m, int thread, const swp_run_step *step)
{
    for (size_t i = 0; i < step->reads.count; i++)
        if (step->reads.items[i].in_lds)
            SWP_TRY(watch_uses(m, thread, &step->reads.items[i], step->reads.items[i].tile, false));
    for (size_t i = 0; i < step->writes.count; i++) {
        const swp_run_operand *made = &step->writes.items[i];
        if (!made->in_lds)
            continue;
        const int value = m->program->places.items[made->index].channel;
        const int replaced = made->tile - m->program->dataflow->slots[value];
        SWP_TRY(watch_uses(m, thread, made, replaced, true));
    }
    return SWP_OK;
}

/* --- Registers --- */

static swp_status watch_registers(swp_run_roles *m, int thread, const swp_run_operand_list *list)
{
    const swp_run_thread *t = &m->threads[thread];
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].in_lds)
            continue;
        const swp_run_register_state *state = &t->registers[list->items[i].index];
        const bool is_touched = state->touch == SWP_RUN_TOUCHED_BY_ORDINARY;
        if (state->touch != SWP_RUN_TOUCHED_BY_MATRIX &&
            t->reg_fenced < (is_touched ? state->touched_at : 0))
            SWP_TRY(swp_run_break(m, SWP_BREAKS_UNFENCED, thread, t->next,
                                  is_touched ? thread : SWP_RUN_NOBODY, state->touched_at));
    }
    return SWP_OK;
}

static bool reads_register(const swp_run_step *step, int index, bool as_accumulator)
{
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        if (!read->in_lds && read->index == index && read->update == as_accumulator)
            return true;
    }
    return false;
}

/* Whether the later step reads or writes what the wgmma in flight writes, or writes what it reads. Accumulators of two wgmmas are in order. */
static bool collides(const swp_run_step *flying, const swp_run_step *later, bool is_matrix)
{
    for (size_t i = 0; i < flying->writes.count; i++) {
        const int index = flying->writes.items[i].index;
        if (reads_register(later, index, false) ||
            (!is_matrix && swp_run_has_accumulator(later, index)))
            return true;
    }
    for (size_t i = 0; i < flying->reads.count; i++) {
        const swp_run_operand *read = &flying->reads.items[i];
        if (!read->in_lds && !(read->update && is_matrix) &&
            swp_run_find_operand(&later->writes, false, read->index))
            return true;
    }
    return false;
}

static swp_status watch_flight(swp_run_roles *m, int thread, const swp_run_step *step)
{
    const swp_run_thread *t = &m->threads[thread];
    const bool is_matrix = swp_run_completion_of(m, step) == SWP_COMPLETION_MATRIX_GROUP;
    for (int i = 0; i < m->open_count; i++) {
        const swp_run_async *async = &m->asyncs[m->open[i]];
        if (async->instance == t->instance && (async->issued >> t->lane & 1) != 0 &&
            async->completion == SWP_COMPLETION_MATRIX_GROUP &&
            collides(&t->steps->items[async->step], step, is_matrix))
            SWP_TRY(swp_run_break(m, SWP_BREAKS_ACCUMULATOR, thread, t->next, thread, async->step));
    }
    return SWP_OK;
}

swp_status swp_run_watch_touches(swp_run_roles *m, int thread, const swp_run_step *step)
{
    SWP_TRY(watch_flight(m, thread, step));
    if (!swp_run_is_async(m, step))
        return SWP_OK;
    SWP_TRY(watch_places(m, thread, step));
    if (swp_run_completion_of(m, step) != SWP_COMPLETION_MATRIX_GROUP)
        return SWP_OK;
    SWP_TRY(watch_registers(m, thread, &step->reads));
    return watch_registers(m, thread, &step->writes);
}
