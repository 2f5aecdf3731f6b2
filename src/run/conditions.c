/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that do not always run: in which iterations an instance of a warp role leaves one out, and what that does. */
#include "run/ops.h"

#include "base/context.h"
#include "run/values.h"

static bool is_left_out(const swp_run_machine *m, int instance, int row, int op)
{
    uint64_t drawn = swp_run_mix(m->conditions, (uint64_t)op);
    drawn = swp_run_mix(drawn, (uint64_t)(int64_t)row);
    drawn = swp_run_mix(drawn, (uint64_t)instance);
    return m->conditions != 0 && drawn % 2 == 1;
}

bool swp_run_leaves_out(const swp_run_machine *m, int instance, const swp_run_step *step)
{
    return step->may_not_run && is_left_out(m, instance, step->tile, step->op);
}

swp_status swp_run_find_left_out(const swp_run_machine *m, const bool *const **out)
{
    const swp_loop *loop = m->program->dataflow->loop;
    const size_t waves = (size_t)m->program->waves;
    bool *all = NULL;
    const bool **by_instance = NULL;
    SWP_TRY(SWP_TAKE(m->ctx, waves, &by_instance));
    SWP_TRY(SWP_TAKE(m->ctx, waves * (size_t)m->program->rows * loop->op_count, &all));
    *out = by_instance;
    for (int instance = 0; instance < (int)waves; instance++) {
        by_instance[instance] = all;
        for (int row = 0; row < m->program->rows; row++)
            for (int op = 0; op < (int)loop->op_count; op++)
                *all++ =
                    loop->ops[op].when.kind != SWP_WHEN_ALWAYS && is_left_out(m, instance, row, op);
    }
    return SWP_OK;
}

/* What an update would have read of the register; NULL: it has none. */
static const swp_run_operand *source_of(const swp_run_step *step, int index)
{
    for (size_t i = 0; i < step->reads.count; i++) {
        const swp_run_operand *read = &step->reads.items[i];
        if (!read->in_lds && read->update && read->index == index)
            return read;
    }
    return NULL;
}

/* What is on its way to the register is then the next version; what is there is at once. */
static void pass_on(swp_run_machine *m, int thread, const swp_run_step *step,
                    const swp_run_operand *made)
{
    swp_run_thread *t = &m->threads[thread];
    const int maker = t->states[made->index].last_maker;
    swp_run_access *access = maker < 0 ? NULL : &m->accesses[maker];
    swp_run_cell *now = &t->registers[made->index];
    const swp_run_operand *source = source_of(step, made->index);
    if (access && !access->done && swp_run_step_of(m, access)->is_awaited) {
        access->is_passed_on = true;
        access->passed_on = made->tile;
    } else if (source && now->tile == source->tile) {
        now->tile = made->tile;
    }
}

void swp_run_leave_out(swp_run_machine *m, int thread, const swp_run_step *step)
{
    const size_t ops = m->program->dataflow->loop->op_count;
    for (size_t i = 0; i < step->writes.count; i++)
        pass_on(m, thread, step, &step->writes.items[i]);
    if (!step->is_outside)
        m->threads[thread].left_out[(size_t)step->tile * ops + (size_t)step->op] = true;
}
