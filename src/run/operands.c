/* SPDX-License-Identifier: Apache-2.0 */
/* Looks through accesses done and in flight for the one that an operand should have seen. */
#include "run/operands.h"

#include "base/context.h"

enum { NO_ACCESS = -1 };

/* What looks for the two accesses works on. */
typedef struct search {
    const swp_run_machine *m;
    int wave;
    const swp_run_step *step;
    int index; /* of the register */
    int cell;
    swp_wrong_operand found;
} search;

static void set_other(search *s, int wave, int step, bool too_late)
{
    s->found.has_other = true;
    s->found.other = swp_run_instance(s->m, wave, step);
    s->found.too_late = too_late;
}

static void set_other_access(search *s, int access, bool too_late)
{
    const swp_run_access *a = &s->m->accesses[access];
    set_other(s, a->instance, a->step, too_late);
}

/* The access in flight that will write the register; only raw registers are read before. */
static int access_in_flight(const search *s)
{
    const swp_run_machine *m = s->m;
    for (int counter = 0; counter < SWP_RUN_QUEUES; counter++) {
        const swp_run_queue *queue = &m->threads[s->wave].queues[counter];
        for (int i = queue->count; i-- > queue->head;) {
            const swp_run_access *access = &m->accesses[queue->items[i]];
            const swp_run_step *step = swp_run_step_of(m, access);
            if (!access->done && swp_run_find_operand(&step->writes, false, s->index))
                return queue->items[i];
        }
    }
    return NO_ACCESS;
}

/* The step of a wave that brings the wanted tile to a place in LDS; -1: none. */
static int step_that_brings(const search *s, int wave, int place)
{
    const swp_run_step_list *steps = s->m->threads[wave].steps;
    for (size_t i = 0; i < steps->count; i++) {
        const swp_run_step *step = &steps->items[i];
        if ((step->action == SWP_RUN_LOAD || step->action == SWP_RUN_STORE) &&
            step->tile == s->step->tile && swp_run_find_operand(&step->writes, true, place))
            return (int)i;
    }
    return -1;
}

/* `reader` read the place: was what it wanted not there yet, or no longer? */
static void look_at_place(search *s, const swp_run_access *reader, int place, int wave)
{
    const swp_run_machine *m = s->m;
    const swp_run_cell *cell = swp_run_register(m, s->wave, s->index, s->cell);
    const int bringer = step_that_brings(s, wave, place);
    const int access = bringer < 0 ? NO_ACCESS : m->threads[wave].access_of_step[bringer];
    const bool in_time = access != NO_ACCESS && m->accesses[access].done &&
                         m->accesses[access].done_at < reader->done_at;
    s->found.reader = swp_run_instance(m, reader->instance, reader->step);
    s->found.stage = m->program->places.items[place].stage;
    if (bringer >= 0 && !in_time)
        set_other(s, wave, bringer, true);
    else if (cell->thread != SWP_RUN_NOBODY)
        set_other(s, cell->thread, cell->step, false);
}

static void look(search *s)
{
    const swp_run_machine *m = s->m;
    const swp_run_thread *w = &m->threads[s->wave];
    const int pending = access_in_flight(s);
    const int filler = w->states[s->index].filled_by;
    s->found.reader = swp_run_instance(m, s->wave, w->next);
    if (pending != NO_ACCESS) {
        set_other_access(s, pending, true);
        return;
    }
    if (filler == NO_ACCESS)
        return;
    const swp_run_access *reader = &m->accesses[filler];
    const swp_run_step *step = swp_run_step_of(m, reader);
    if (step->action == SWP_RUN_FRAGMENT)
        look_at_place(s, reader, step->reads.items[0].index, s->cell);
    else
        set_other_access(s, filler, false);
}

/* Where products are missing or double, which tile a COMPUTE is there for is anybody's guess. */
static bool tile_is_known(const swp_run_machine *m, const swp_run_step *step)
{
    const swp_run_program *program = m->program;
    if (step->action != SWP_RUN_COMPUTE)
        return true;
    const int number = program->next_tile
                           ? program->registers.items[step->reads.items[0].index].subtile
                           : step->accumulator;
    return program->products[number] == program->n;
}

static bool same_instance(const swp_instance *a, const swp_instance *b)
{
    return a->phase == b->phase && a->entry == b->entry && a->pass == b->pass && a->wave == b->wave;
}

/* What a fragment load reads wrong, every COMPUTE that takes the fragment finds again. */
static bool is_known(const swp_wrong_operand_list *list, const swp_wrong_operand *found)
{
    for (size_t i = 0; i < list->count; i++)
        if (same_instance(&list->items[i].reader, &found->reader))
            return true;
    return false;
}

static swp_status note_operand(swp_run_machine *m, int wave, const swp_run_step *step, int index,
                               int cell)
{
    swp_wrong_operand_list *list = &m->outcome->operands;
    const swp_run_place *place = &m->program->registers.items[index];
    search s = {.m = m, .wave = wave, .step = step, .index = index, .cell = cell};
    s.found = (swp_wrong_operand){.value = -1,
                                  .wave = step->action == SWP_RUN_STORE ? wave : cell,
                                  .channel = place->channel,
                                  .stage = -1,
                                  .subtile = place->subtile,
                                  .slot = -1,
                                  .wanted = step->tile,
                                  .found = swp_run_register(m, wave, index, cell)->tile};
    m->outcome->other_tiles += step->action == SWP_RUN_COMPUTE;
    if (list->count == SWP_RUN_MOST_FOUND)
        return SWP_OK;
    look(&s);
    return is_known(list, &s.found) ? SWP_OK : SWP_PUSH(m->ctx, list, s.found);
}

swp_status swp_run_check_operand(swp_run_machine *m, int wave, const swp_run_step *step, int index)
{
    if (!tile_is_known(m, step))
        return SWP_OK;
    const int cells = step->action == SWP_RUN_STORE ? 1 : m->program->waves;
    for (int cell = 0; cell < cells; cell++)
        if (swp_run_register(m, wave, index, cell)->tile != step->tile)
            return note_operand(m, wave, step, index, cell);
    return SWP_OK;
}

static bool is_in_use(const swp_run_machine *m, int wave, const swp_run_step *step)
{
    for (int counter = 0; counter < SWP_RUN_QUEUES; counter++) {
        const swp_run_queue *queue = &m->threads[wave].queues[counter];
        for (int i = queue->head; i < queue->count; i++) {
            const swp_run_access *access = &m->accesses[queue->items[i]];
            if (!access->done && swp_run_meets_register(m, swp_run_step_of(m, access), step))
                return true;
        }
    }
    return false;
}

swp_status swp_run_check_ready(swp_run_machine *m, int wave)
{
    swp_instance_list *list = &m->outcome->unready;
    if (list->count == SWP_RUN_MOST_FOUND || !is_in_use(m, wave, swp_run_next_step(m, wave)))
        return SWP_OK;
    const swp_instance at = swp_run_instance(m, wave, m->threads[wave].next);
    return SWP_PUSH(m->ctx, list, at);
}
