/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix groups of an instance, and bulk-store groups of a thread. */
#include "run/sync.h"

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
        if (!(only_reads && async->is_read) &&
            is_awaited(m, &m->threads[thread], step->source, async))
            return m->open[i];
    }
    return -1;
}
