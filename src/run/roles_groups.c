/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix groups of an instance, bulk-store groups of a thread, and what must retire before what. */
#include "run/roles.h"

bool swp_run_has_accumulator(const swp_run_step *step, int index)
{
    const swp_run_operand *read = swp_run_find_operand(&step->reads, false, index);
    return (read && read->update) || swp_run_find_operand(&step->writes, false, index);
}

/* Whether the group of the operation is one that the wait is for. */
static bool is_awaited(const swp_run_machine *m, const swp_run_thread *thread, const swp_op *wait,
                       const swp_run_access *async)
{
    const bool is_matrix = wait->tag == SWP_TAG_MATRIX_WAIT;
    const int queue = is_matrix ? SWP_RUN_MATRIX_GROUP : SWP_RUN_STORE_GROUP;
    if (async->instance != thread->instance || swp_run_step_of(m, async)->queue != queue)
        return false;
    return async->group < thread->commits[is_matrix ? 0 : 1] - wait->wait_value;
}

int swp_run_awaited_async(const swp_run_machine *m, int thread)
{
    const swp_run_step *step = swp_run_next_step(m, thread);
    if (!step ||
        (step->source->tag != SWP_TAG_MATRIX_WAIT && step->source->tag != SWP_TAG_BULK_WAIT &&
         step->source->tag != SWP_TAG_BULK_WAIT_READ))
        return -1;
    const bool only_reads = step->source->tag == SWP_TAG_BULK_WAIT_READ;
    for (int i = 0; i < m->open_count; i++) {
        const swp_run_access *async = &m->accesses[m->open[i]];
        if (!(only_reads && async->is_read) && is_awaited(m, &m->threads[thread], step->source, async))
            return m->open[i];
    }
    return -1;
}

static bool follows(const swp_run_step *earlier, const swp_run_step *later)
{
    for (size_t i = 0; i < later->writes.count; i++) {
        const swp_run_operand *made = &later->writes.items[i];
        if (!made->in_lds && swp_run_has_accumulator(earlier, made->index))
            return true;
    }
    return false;
}

int swp_run_first_to_retire(const swp_run_machine *m, int async)
{
    const swp_run_access *a = &m->accesses[async];
    const bool is_matrix = swp_run_step_of(m, a)->queue == SWP_RUN_MATRIX_GROUP;
    for (int i = 0; is_matrix && i < m->open_count; i++) {
        const swp_run_access *earlier = &m->accesses[m->open[i]];
        if (m->open[i] == async)
            break;
        if (earlier->instance == a->instance &&
            swp_run_step_of(m, earlier)->queue == SWP_RUN_MATRIX_GROUP &&
            earlier->step < a->step &&
            follows(swp_run_step_of(m, earlier), swp_run_step_of(m, a)))
            return m->open[i];
    }
    return async;
}
