/* SPDX-License-Identifier: Apache-2.0 */
/* How many slots a value needs at given times: no version is replaced before all instances have read it. */
#include "ir/loop_dataflow.h"
#include "ir/loop_delays.h"
#include "ir/loop_instances.h"

#include <limits.h>

static int64_t divide_up(int64_t a, int64_t b)
{
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Times of the ops of a problem, at an interval. */
typedef struct schedule {
    const swp_loop *loop;
    const int64_t *times;
    int64_t interval;
} schedule;

/* The cycles by which any instance's `from` is issued behind any `to` that depends on it. */
static int64_t most_behind(const schedule *s, int from, int to)
{
    const bool within = s->loop->ops[from].role == s->loop->ops[to].role;
    int64_t most = s->times[from] - s->times[to];
    for (int i = 0; i < swp_ir_loop_instances(s->loop, from); i++)
        for (int j = within ? i : 0; j < (within ? i + 1 : swp_ir_loop_instances(s->loop, to));
             j++) {
            const int64_t behind = s->times[swp_ir_loop_op_of(s->loop, from, i)] -
                                   s->times[swp_ir_loop_op_of(s->loop, to, j)];
            most = behind > most ? behind : most;
        }
    return most;
}

/* Slots - distance intervals from `from` must reach past its delay. */
static int slots_for(const schedule *s, int from, int64_t delay, int to, int distance)
{
    const int64_t slots = distance + divide_up(most_behind(s, from, to) + delay, s->interval);
    return slots < INT_MAX ? (int)slots : INT_MAX; /* more than anybody may have */
}

static int slots_for_reads(const schedule *s, int value)
{
    const swp_loop *loop = s->loop;
    const int first = swp_ir_loop_first_maker(loop, value);
    int needed = 0;
    for (int i = 0; i < (int)loop->op_count; i++)
        for (size_t r = 0; r < loop->ops[i].read_count; r++) {
            const swp_loop_read *read = &loop->ops[i].reads[r];
            if (read->value == value)
                needed = larger(needed, slots_for(s, i, swp_ir_until_read(loop, i, value, first),
                                                  first, read->distance));
        }
    return needed;
}

/* For what is updated, and for the last maker. */
static int slots_for_makers(const schedule *s, int value)
{
    const swp_loop *loop = s->loop;
    const int first = swp_ir_loop_first_maker(loop, value);
    const int last = swp_ir_loop_last_maker(loop, value);
    const bool in_place = swp_ir_loop_most_slots(loop, value) == 1;
    int needed =
        slots_for(s, last, swp_ir_until_remade(loop, value, last, first, in_place), first, 0);
    for (int i = 0; i < (int)loop->op_count; i++)
        if (swp_ir_loop_updates(&loop->ops[i], value))
            needed = larger(
                needed,
                slots_for(s, i, swp_ir_until_updated(loop, i, value, first, in_place), first, 0));
    return needed;
}

/* It cannot stay in the slot that its first update still reads. */
static bool must_move(const swp_loop *loop, int value, const int64_t *times)
{
    const int first = swp_ir_loop_first_maker(loop, value);
    const int next = swp_ir_loop_maker_after(loop, value, first);
    return swp_ir_loop_updates(&loop->ops[first], value) && next != SWP_NO_OP &&
           times[next] < times[first] + swp_ir_until_updated(loop, first, value, next, true);
}

int swp_ir_loop_needed_slots(const swp_loop *loop, int value, const int64_t *times,
                             int64_t interval)
{
    const int first = swp_ir_loop_first_maker(loop, value);
    const int least = swp_ir_loop_least_slots(loop, value);
    const schedule s = {loop, times, interval};
    if (first == SWP_NO_OP)
        return least;
    int needed = larger(least, slots_for_reads(&s, value));
    needed = larger(needed, slots_for_makers(&s, value));
    if (must_move(loop, value, times))
        needed = larger(needed, 2);
    if (needed < 2 || !swp_ir_loop_updates(&loop->ops[first], value))
        return needed;
    return larger(needed,
                  slots_for(&s, first, swp_ir_until_read(loop, first, value, first), first, 1));
}

void swp_ir_loop_need_slots(const swp_loop *loop, const int64_t *times, int64_t interval,
                            int *slots)
{
    for (int v = 0; v < (int)loop->value_count; v++)
        slots[v] = swp_ir_loop_needed_slots(loop, v, times, interval);
    for (size_t o = 0; o < loop->op_count; o++) {
        const swp_loop_op *op = &loop->ops[o];
        int most = 0;
        for (size_t i = 0; op->most_slots > 0 && i < op->write_count; i++)
            most = larger(most, slots[op->writes[i]]);
        for (size_t i = 0; op->most_slots > 0 && i < op->write_count; i++)
            slots[op->writes[i]] = most;
    }
}
