/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the shifts of instances: all of an interval, or those that seem good. */
#include "pipeline/shifts.h"

#include "ir/loop_instances.h"

bool swp_pipeline_next_shifts(const swp_loop *loop, int64_t interval, int64_t *shifts)
{
    for (int role = 0; role < (int)loop->role_count; role++) {
        int64_t *own = shifts + swp_ir_loop_first_shift(loop, role);
        const int count = swp_ir_loop_role_instances(loop, role) - 1;
        for (int i = count - 1; i >= 0; i--) {
            if (own[i] + 1 >= interval)
                continue;
            const int64_t next = own[i] + 1;
            for (int j = i; j < count; j++)
                own[j] = next;
            return true;
        }
        for (int i = 0; i < count; i++)
            own[i] = 0;
    }
    return false;
}

int64_t swp_pipeline_count_shifts(const swp_loop *loop, int64_t interval, int64_t most)
{
    int64_t count = 1;
    for (int role = 0; role < (int)loop->role_count; role++)
        /* Ways to choose so many of the interval's cycles, with repetition. */
        for (int i = 1; i < swp_ir_loop_role_instances(loop, role) && count <= most; i++) {
            if (interval > most)
                return most + 1;
            count = count * (interval + i - 1) / i;
        }
    return count;
}

void swp_pipeline_sort_shifts(int64_t *shifts, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && shifts[j] < shifts[j - 1]; j--) {
            const int64_t larger = shifts[j - 1];
            shifts[j - 1] = shifts[j];
            shifts[j] = larger;
        }
}

/* The op of a role that stands `place` behind its first, and again from there; -1: it has none. */
static int op_at(const swp_loop *loop, int role, int place)
{
    int count = 0;
    for (size_t op = 0; op < loop->op_count; op++)
        count += loop->ops[op].role == role;
    int left = count > 0 ? place % count : 0;
    for (int op = 0; op < (int)loop->op_count; op++)
        if (loop->ops[op].role == role && left-- == 0)
            return op;
    return -1;
}

static void shifts_of_op(const swp_loop *loop, const int64_t *times, int op, int64_t *own)
{
    for (int i = 1; i < swp_ir_loop_instances(loop, op); i++)
        own[i - 1] = times[swp_ir_loop_op_of(loop, op, i)] - times[op];
}

bool swp_pipeline_good_shifts(const swp_loop *loop, const int64_t *times, int64_t interval,
                              int index, int64_t *shifts)
{
    const int ops = times ? (int)loop->op_count : 0;
    for (int role = 0; role < (int)loop->role_count && index <= ops; role++) {
        int64_t *own = shifts + swp_ir_loop_first_shift(loop, role);
        const int instances = swp_ir_loop_role_instances(loop, role);
        const int op = index < ops ? op_at(loop, role, index) : -1;
        for (int i = 1; i < instances; i++)
            own[i - 1] = interval * i / instances;
        if (op < 0)
            continue;
        shifts_of_op(loop, times, op, own);
        for (int i = 1; i < instances; i++)
            own[i - 1] = (own[i - 1] % interval + interval) % interval;
        swp_pipeline_sort_shifts(own, instances - 1);
    }
    return index <= ops;
}

void swp_pipeline_shifts_of(const swp_loop *loop, const int64_t *times, int64_t *shifts)
{
    for (int role = 0; role < (int)loop->role_count; role++) {
        int64_t *own = shifts + swp_ir_loop_first_shift(loop, role);
        const int op = op_at(loop, role, 0);
        for (int i = 1; i < swp_ir_loop_role_instances(loop, role); i++)
            own[i - 1] = 0;
        if (op >= 0)
            shifts_of_op(loop, times, op, own);
    }
}
