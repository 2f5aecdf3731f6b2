/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what the ops of an iteration have of a rate. */
#include "ir/loop_rates.h"

#include "ir/loop_instances.h"

bool swp_ir_loop_is_rate(const swp_loop *loop, int unit)
{
    return loop->rates && loop->rates[unit];
}

bool swp_ir_loop_has_rates(const swp_loop *loop)
{
    for (int u = 0; u < (int)loop->unit_count; u++)
        if (swp_ir_loop_is_rate(loop, u))
            return true;
    return false;
}

static int64_t limited(int64_t amount)
{
    return amount > SWP_PROBLEM_MOST ? SWP_PROBLEM_MOST + 1 : amount;
}

int64_t swp_ir_loop_work_on(const swp_loop *loop, int op, int unit)
{
    const swp_loop_op *o = &loop->ops[op];
    int64_t work = 0;
    for (size_t i = 0; i < o->use_count; i++) {
        const swp_problem_use *use = &o->uses[i];
        if (use->resource != unit || use->cycles == 0)
            continue;
        if (use->amount > SWP_PROBLEM_MOST / use->cycles)
            return SWP_PROBLEM_MOST + 1;
        work = limited(work + use->amount * use->cycles);
    }
    const int64_t capacity = loop->units[unit].capacity;
    return work / capacity + (work % capacity != 0);
}

/* The op that has most of a rate in an iteration, and what all instances of all ops have of it. */
static int busiest(const swp_loop *loop, int unit, int64_t *all)
{
    int most = 0;
    *all = 0;
    for (int op = 0; op < (int)loop->op_count; op++) {
        const int64_t work = swp_ir_loop_work_on(loop, op, unit);
        for (int i = 0; i < swp_ir_loop_instances(loop, op); i++)
            *all = limited(*all + work);
        if (work > swp_ir_loop_work_on(loop, most, unit))
            most = op;
    }
    return most;
}

void swp_ir_loop_join_rates(const swp_loop *loop, int op, int instance, swp_problem_use *uses,
                            size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        const int unit = uses[i].resource;
        bool again = false;
        int64_t all = 0;
        if (!swp_ir_loop_is_rate(loop, unit)) {
            uses[kept++] = uses[i];
            continue;
        }
        for (size_t k = 0; k < kept; k++)
            again = again || uses[k].resource == unit;
        if (!again && instance == 0 && busiest(loop, unit, &all) == op)
            uses[kept++] = (swp_problem_use){unit, loop->units[unit].capacity, all};
    }
    *count = kept;
}
