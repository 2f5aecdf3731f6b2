/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the stream of a warp role an op stands for an iteration, and where the times of the pipeline say that it is done. */
#include "sync/roles.h"

#include "ir/loop_dataflow.h"

int swp_sync_roles_floor(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

int swp_sync_roles_step(const swp_role_plan *plan, int point)
{
    return swp_sync_roles_floor(point, 2 * plan->count);
}

int swp_sync_roles_step_of(const swp_roles *r, int op, int iteration)
{
    return iteration + r->pipeline->stage[op] - r->least;
}

int swp_sync_roles_iteration(const swp_roles *r, int op, int step)
{
    return step - r->pipeline->stage[op] + r->least;
}

int swp_sync_roles_before(const swp_roles *r, int op, int iteration)
{
    const swp_role_plan *plan = &r->plans[r->loop->ops[op].role];
    return 2 * (swp_sync_roles_step_of(r, op, iteration) * plan->count + r->position[op]);
}

int swp_sync_roles_after(const swp_roles *r, int op, int iteration)
{
    return swp_sync_roles_before(r, op, iteration) + 1;
}

swp_completion swp_sync_roles_completion(const swp_roles *r, int op)
{
    const swp_completion completion = r->loop->ops[op].completion;
    return completion == SWP_COMPLETION_UNSTATED ? SWP_COMPLETION_NONE : completion;
}

bool swp_sync_roles_is_asynchronous(const swp_roles *r, int op)
{
    return swp_sync_roles_completion(r, op) != SWP_COMPLETION_NONE;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What is issued at that very cycle and keeps the unit of a matrix op busy does not wait for it. */
static bool is_behind(const swp_roles *r, int op, int64_t time, int64_t done)
{
    return time > done ||
           (time == done && swp_sync_roles_completion(r, op) != SWP_COMPLETION_MATRIX_GROUP);
}

/*
 * `within` is how long after its reads the wait may come without holding up who makes the next version; beyond that
 * the two roles could wait for each other.
 */
int swp_sync_roles_retired(const swp_roles *r, int op, int iteration, int64_t within)
{
    const swp_loop_op *o = &r->loop->ops[op];
    const swp_role_plan *plan = &r->plans[o->role];
    if (plan->of_tiles) /* when that is nobody knows, but a tile gives back what it took */
        return 2 * (swp_sync_roles_step_of(r, op, iteration) + 1) * plan->count - 1;
    const int64_t interval = r->pipeline->answer.value;
    const int64_t read = o->read_cycles > 0 ? o->read_cycles : o->latency;
    const int64_t delay = larger(o->latency, read);
    const int step = swp_sync_roles_step_of(r, op, iteration);
    const int64_t issue = step * interval + r->pipeline->answer.times[op] % interval;
    const int64_t done = issue + (delay < read + within ? delay : read + within);
    int at = step * plan->count + r->position[op] + 1;
    for (;; at++) {
        const int next = plan->ops[at - swp_sync_roles_floor(at, plan->count) * plan->count];
        const int64_t time = swp_sync_roles_floor(at, plan->count) * interval +
                             r->pipeline->answer.times[next] % interval;
        if (is_behind(r, next, time, done))
            return 2 * at;
    }
}
