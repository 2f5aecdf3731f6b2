/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of a dataflow's ops that find another tile than they want. */
#include "base/context.h"
#include "run/operands.h"

static bool brings(const swp_run_step *step, const swp_run_operand *wanted)
{
    const swp_run_operand *written =
        swp_run_find_operand(&step->writes, wanted->in_lds, wanted->index);
    return written && written->tile == wanted->tile;
}

/*
 * What was to bring the wanted tile and has not taken effect, if that tile never was there; else what
 * brought the one that was found.
 */
static void find_other(const swp_run_machine *m, const swp_run_operand *wanted,
                       const swp_run_cell *cell, swp_wrong_operand *found)
{
    const swp_run_thread *w = &m->threads[found->wave];
    int late = -1;
    bool was_there = wanted->tile < 0;
    for (size_t i = 0; i < w->steps->count && !was_there; i++) {
        const int access = w->access_of_step[i];
        if (!brings(&w->steps->items[i], wanted))
            continue;
        was_there = access >= 0 && m->accesses[access].done;
        late = late < 0 ? (int)i : late;
    }
    found->too_late = !was_there && late >= 0;
    found->has_other = found->too_late || cell->thread != SWP_RUN_NOBODY;
    if (found->too_late)
        found->other = swp_run_instance(m, found->wave, late);
    else if (cell->thread != SWP_RUN_NOBODY)
        found->other = swp_run_instance(m, cell->thread, cell->step);
}

swp_status swp_run_check_read(swp_run_machine *m, int index, const swp_run_operand *wanted,
                              int share, const swp_run_cell *cell)
{
    swp_wrong_operand_list *list = &m->outcome->operands;
    const swp_run_access *access = &m->accesses[index];
    const swp_run_place *place = wanted->in_lds ? &m->program->places.items[wanted->index]
                                                : &m->program->registers.items[wanted->index];
    if (cell->tile == wanted->tile || list->count == SWP_RUN_MOST_FOUND)
        return SWP_OK;
    swp_wrong_operand found = {.reader = swp_run_instance(m, access->instance, access->step),
                               .wave = share,
                               .channel = -1,
                               .stage = -1,
                               .subtile = -1,
                               .value = place->channel,
                               .slot = wanted->in_lds ? place->stage : place->subtile,
                               .wanted = wanted->tile,
                               .found = cell->tile};
    find_other(m, wanted, cell, &found);
    return SWP_PUSH(m->ctx, list, found);
}
