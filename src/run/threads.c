/* SPDX-License-Identifier: Apache-2.0 */
/* Instances and the threads that stand for them: what each executes, and where it stands. */
#include "run/sync.h"

#include "ir/roles.h"

const swp_stream *swp_run_stream_of(const swp_run_machine *m, int instance)
{
    return &m->schedule->streams[m->program->sharing->role_of_instance[instance]];
}

int swp_run_rank_of(const swp_run_machine *m, int instance)
{
    return m->program->sharing->rank_of_instance[instance];
}

int swp_run_number_of(const swp_run_machine *m, int instance)
{
    return m->program->sharing->number_of_instance[instance];
}

int swp_run_weight(const swp_run_machine *m, int thread)
{
    const swp_run_thread *t = &m->threads[thread];
    const int others = swp_run_stream_of(m, t->instance)->warps * SWP_IR_WARP_THREADS - 1;
    return t->lane == 0 ? 1 : t->lane == 1 ? others / 2 : others - others / 2;
}

bool swp_run_executes(const swp_run_machine *m, int thread, const swp_run_step *step)
{
    const swp_run_thread *t = &m->threads[thread];
    return swp_ir_runs_in(step->source, swp_run_number_of(m, t->instance)) &&
           (t->lane == 0 || step->source->by == SWP_ALL_THREADS);
}

void swp_run_skip(const swp_run_machine *m, int thread)
{
    swp_run_thread *t = &m->threads[thread];
    while ((size_t)t->next < t->steps->count &&
           !swp_run_executes(m, thread, &t->steps->items[t->next]))
        t->next++;
}

void swp_run_go_on(swp_run_machine *m, int thread)
{
    m->threads[thread].next++;
    m->threads[thread].waits = false;
    swp_run_skip(m, thread);
}

bool swp_run_is_multicast(const swp_run_machine *m, const swp_run_step *step)
{
    return step->action == SWP_RUN_OP && m->program->dataflow->loop->ops[step->op].multicast;
}

bool swp_run_goes_to_all(const swp_run_machine *m, const swp_run_step *step)
{
    const swp_op *op = step->source;
    return swp_run_is_multicast(m, step) || (op->tag == SWP_TAG_ARRIVE && op->to == SWP_TO_ALL);
}

bool swp_run_goes_to(const swp_run_machine *m, int instance, const swp_run_step *step, int rank)
{
    return swp_run_goes_to_all(m, step) || rank == swp_run_rank_of(m, instance);
}

bool swp_run_has_rank_ended(const swp_run_machine *m, int rank)
{
    for (int thread = 0; thread < m->thread_count; thread++)
        if (swp_run_rank_of(m, m->threads[thread].instance) == rank && swp_run_next_step(m, thread))
            return false;
    return true;
}

bool swp_run_have_all_ended(const swp_run_machine *m)
{
    for (int thread = 0; thread < m->thread_count; thread++)
        if (swp_run_next_step(m, thread))
            return false;
    return true;
}
