/* SPDX-License-Identifier: Apache-2.0 */
/* Lists shifts of instances: all shifts within an interval, or those that seem good. */
#include "pipeline/shifts.h"

#include "ir/loop_instances.h"
#include "ir/loop_issue.h"

#include <string.h>

/* So many parts of the interval are tried as shifts, whatever the ops suggest. */
enum { EIGHTHS = 8 };

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
        /* Counts the ways to choose cycles of the interval, with repetition. */
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

/* Returns the op that is `place` after the role's first, counted cyclically, or -1 if the role has none. */
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

static void shift_equally(const swp_loop *loop, int role, int64_t interval, int64_t *own)
{
    const int instances = swp_ir_loop_role_instances(loop, role);
    for (int i = 1; i < instances; i++)
        own[i - 1] = interval * i / instances;
}

static void wrap(const swp_loop *loop, int role, int64_t interval, int64_t *own)
{
    const int count = swp_ir_loop_role_instances(loop, role) - 1;
    for (int i = 0; i < count; i++)
        own[i] = (own[i] % interval + interval) % interval;
    swp_pipeline_sort_shifts(own, count);
}

static void shift_role(const swp_loop *loop, const int64_t *times, int64_t interval, int role,
                       int place, int64_t *own)
{
    const int count = swp_ir_loop_role_instances(loop, role) - 1;
    const int op = place < 0 ? -1 : op_at(loop, role, place);
    shift_equally(loop, role, interval, own);
    if (op < 0)
        return;
    if (times)
        shifts_of_op(loop, times, op, own);
    else if (swp_ir_loop_longest_use(&loop->ops[op]) > 0)
        for (int i = 0; i < count; i++)
            own[i] = (i + 1) * swp_ir_loop_longest_use(&loop->ops[op]);
    wrap(loop, role, interval, own);
}

static bool is_listed(const swp_shift_list *list, const int64_t *shifts, size_t length)
{
    for (size_t i = 0; i < list->count; i++)
        if (memcmp(list->items + i * length, shifts, length * sizeof *shifts) == 0)
            return true;
    return false;
}

/* Adds the shifts of the op that is `place` after the first of each role; -1 adds equal shifts. */
static void list_shifts(const swp_loop *loop, const int64_t *times, int64_t interval, int place,
                        swp_shift_list *list)
{
    const size_t length = (size_t)swp_ir_loop_shifts(loop);
    int64_t *shifts = list->items + list->count * length;
    for (int role = 0; role < (int)loop->role_count; role++)
        shift_role(loop, times, interval, role, place,
                   shifts + swp_ir_loop_first_shift(loop, role));
    list->count += !is_listed(list, shifts, length);
}

/* Adds shifts by which each instance is so many eighths of the interval after the one before. */
static void list_eighths(const swp_loop *loop, int64_t interval, int eighths, swp_shift_list *list)
{
    const size_t length = (size_t)swp_ir_loop_shifts(loop);
    int64_t *shifts = list->items + list->count * length;
    for (int role = 0; role < (int)loop->role_count; role++) {
        int64_t *own = shifts + swp_ir_loop_first_shift(loop, role);
        for (int i = 1; i < swp_ir_loop_role_instances(loop, role); i++)
            own[i - 1] = interval * eighths / EIGHTHS * i;
        wrap(loop, role, interval, own);
    }
    list->count += !is_listed(list, shifts, length);
}

swp_status swp_pipeline_good_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, swp_shift_list *out)
{
    const int ops = (int)loop->op_count;
    const size_t most = 2 * loop->op_count + 1 + EIGHTHS;
    *out = (swp_shift_list){0};
    SWP_TRY(SWP_TAKE(ctx, most * (size_t)swp_ir_loop_shifts(loop), &out->items));
    for (int place = 0; times && place < ops; place++)
        list_shifts(loop, times, interval, place, out);
    for (int place = -1; place < ops; place++)
        list_shifts(loop, NULL, interval, place, out);
    for (int eighths = 0; eighths < EIGHTHS; eighths++)
        list_eighths(loop, interval, eighths, out);
    return SWP_OK;
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

swp_status swp_pipeline_fill_shifts(swp_context *ctx, swp_pipeline *pipeline)
{
    int64_t *shifts = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_shifts(pipeline->loop), &shifts));
    swp_pipeline_shifts_of(pipeline->loop, pipeline->answer.times, shifts);
    pipeline->shifts = shifts;
    return SWP_OK;
}
