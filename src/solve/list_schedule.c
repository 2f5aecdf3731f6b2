/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling by a heap of ready ops, on the profile of the resources. */
#include "solve/list_schedule.h"

/* A step takes some nanoseconds, and the profile that an op is placed on may be long. */
enum { STEPS_OF_ONE_OP = 256 };

static bool is_edge(const swp_problem_edge *edge)
{
    return edge->distance == 0 && edge->producer != edge->consumer;
}

/* Sorts the edges by one of their ends. */
static swp_status sort_edges(swp_context *ctx, const swp_problem *problem, bool by_consumer,
                             int **edges, int **first)
{
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 1, first));
    SWP_TRY(SWP_TAKE(ctx, problem->edge_count, edges));
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        if (is_edge(edge))
            (*first)[by_consumer ? edge->consumer : edge->producer]++;
    }
    int total = 0;
    for (size_t i = 0; i <= problem->op_count; i++) {
        total += (*first)[i];
        (*first)[i] = total;
    }
    for (size_t i = problem->edge_count; i-- > 0;) {
        const swp_problem_edge *edge = &problem->edges[i];
        if (is_edge(edge))
            (*edges)[--(*first)[by_consumer ? edge->consumer : edge->producer]] = (int)i;
    }
    return SWP_OK;
}

static void count_waiting(swp_list *list)
{
    for (int op = 0; op < list->count; op++)
        list->waiting[op] = list->in_first[op + 1] - list->in_first[op];
}

static bool sort_ops(swp_list *list)
{
    int done = 0;
    count_waiting(list);
    for (int op = 0; op < list->count; op++)
        if (list->waiting[op] == 0)
            list->order[done++] = op;
    for (int i = 0; i < done; i++)
        for (int e = list->out_first[list->order[i]]; e < list->out_first[list->order[i] + 1];
             e++) {
            const int to = list->problem->edges[list->out_edges[e]].consumer;
            if (--list->waiting[to] == 0)
                list->order[done++] = to;
        }
    return done == list->count;
}

static void set_heads_and_tails(swp_list *list)
{
    const swp_problem_edge *edges = list->problem->edges;
    for (int i = 0; i < list->count; i++) {
        const int op = list->order[i];
        for (int e = list->in_first[op]; e < list->in_first[op + 1]; e++) {
            const swp_problem_edge *edge = &edges[list->in_edges[e]];
            const int64_t head = list->head[edge->producer] + edge->delay;
            list->head[op] = head > list->head[op] ? head : list->head[op];
        }
    }
    for (int i = list->count - 1; i >= 0; i--) {
        const int op = list->order[i];
        list->tail[op] = list->problem->ops[op].latency;
        for (int e = list->out_first[op]; e < list->out_first[op + 1]; e++) {
            const swp_problem_edge *edge = &edges[list->out_edges[e]];
            const int64_t tail = list->tail[edge->consumer] + edge->delay;
            list->tail[op] = tail > list->tail[op] ? tail : list->tail[op];
        }
    }
}

swp_status swp_solve_list_new(swp_context *ctx, const swp_problem *problem, swp_list *out,
                              bool *acyclic)
{
    const size_t count = problem->op_count;
    *out = (swp_list){.problem = problem, .count = (int)count, .budget = swp_budget_start(ctx, 0)};
    SWP_TRY(sort_edges(ctx, problem, false, &out->out_edges, &out->out_first));
    SWP_TRY(sort_edges(ctx, problem, true, &out->in_edges, &out->in_first));
    SWP_TRY(SWP_TAKE(ctx, count, &out->order));
    SWP_TRY(SWP_TAKE(ctx, count, &out->tail));
    SWP_TRY(SWP_TAKE(ctx, count, &out->head));
    SWP_TRY(SWP_TAKE(ctx, count, &out->waiting));
    SWP_TRY(SWP_TAKE(ctx, count, &out->heap));
    SWP_TRY(SWP_TAKE(ctx, count, &out->key));
    SWP_TRY(SWP_TAKE(ctx, count, &out->by_time));
    SWP_TRY(swp_solve_profile_new(ctx, problem, 0, &out->profile));
    *acyclic = sort_ops(out);
    if (*acyclic)
        set_heads_and_tails(out);
    return SWP_OK;
}

static bool comes_first(const swp_list *list, int a, int b)
{
    const int64_t key_a = list->key[a];
    const int64_t key_b = list->key[b];
    return key_a < key_b || (key_a == key_b && a < b);
}

static void sift_down(swp_list *list, int at)
{
    int *heap = list->heap;
    for (;;) {
        int least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < list->heap_count; child++)
            if (comes_first(list, heap[child], heap[least]))
                least = child;
        if (least == at)
            return;
        const int moved = heap[at];
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

static void push_ready(swp_list *list, int op)
{
    int at = list->heap_count++;
    for (; at > 0 && comes_first(list, op, list->heap[(at - 1) / 2]); at = (at - 1) / 2)
        list->heap[at] = list->heap[(at - 1) / 2];
    list->heap[at] = op;
}

static int pop_ready(swp_list *list)
{
    const int op = list->heap[0];
    list->heap[0] = list->heap[--list->heap_count];
    sift_down(list, 0);
    return op;
}

static int64_t earliest(const swp_list *list, int op, const int64_t *times)
{
    int64_t time = 0;
    for (int e = list->in_first[op]; e < list->in_first[op + 1]; e++) {
        const swp_problem_edge *edge = &list->problem->edges[list->in_edges[e]];
        const int64_t least = times[edge->producer] + edge->delay;
        time = least > time ? least : time;
    }
    return time;
}

static int64_t latest(const swp_list *list, int op, const int64_t *times, int64_t makespan)
{
    int64_t time = makespan - list->problem->ops[op].latency;
    for (int e = list->out_first[op]; e < list->out_first[op + 1]; e++) {
        const swp_problem_edge *edge = &list->problem->edges[list->out_edges[e]];
        const int64_t most = times[edge->consumer] - edge->delay;
        time = most < time ? most : time;
    }
    return time;
}

static int64_t end_of(const swp_problem_op *op, int64_t time)
{
    int64_t cycles = 0;
    for (size_t u = 0; u < op->use_count; u++)
        cycles = op->uses[u].cycles > cycles ? op->uses[u].cycles : cycles;
    return time + cycles;
}

/* Places an op at the first time with room or, once the limits have ended, behind all that is placed. */
static swp_status place(swp_context *ctx, swp_list *list, int op, int64_t *end, int64_t *times)
{
    const int64_t from = earliest(list, op, times);
    times[op] = from > *end ? from : *end;
    if (swp_budget_keep(&list->budget, STEPS_OF_ONE_OP)) {
        (void)swp_solve_profile_first_fit(&list->profile, op, from, INT64_MAX, &times[op]);
        SWP_TRY(swp_solve_profile_add(ctx, &list->profile, op, times[op]));
    }
    const int64_t own = end_of(&list->problem->ops[op], times[op]);
    *end = own > *end ? own : *end;
    return SWP_OK;
}

swp_status swp_solve_list_generate(swp_context *ctx, swp_list *list, int64_t *times)
{
    int64_t end = 0;
    swp_solve_profile_clear(&list->profile, 0);
    count_waiting(list);
    list->heap_count = 0;
    for (int op = 0; op < list->count; op++)
        if (list->waiting[op] == 0)
            push_ready(list, op);
    while (list->heap_count > 0) {
        const int op = pop_ready(list);
        SWP_TRY(place(ctx, list, op, &end, times));
        for (int e = list->out_first[op]; e < list->out_first[op + 1]; e++) {
            const int to = list->problem->edges[list->out_edges[e]].consumer;
            if (--list->waiting[to] == 0)
                push_ready(list, to);
        }
    }
    return SWP_OK;
}

/* Sorts the ops by key. It borrows the heap, which is free between two generations. */
static void sort_by_key(swp_list *list)
{
    list->heap_count = 0;
    for (int op = 0; op < list->count; op++)
        push_ready(list, op);
    for (int i = 0; i < list->count; i++)
        list->by_time[i] = pop_ready(list);
}

swp_status swp_solve_list_justify(swp_context *ctx, swp_list *list, int64_t *times)
{
    const int64_t makespan = swp_solve_list_makespan(list, times);
    for (int op = 0; op < list->count; op++)
        list->key[op] = -(times[op] + list->problem->ops[op].latency);
    sort_by_key(list);
    for (int i = 0; i < list->count && swp_budget_keep(&list->budget, STEPS_OF_ONE_OP); i++) {
        const int op = list->by_time[i];
        SWP_TRY(swp_solve_profile_remove(ctx, &list->profile, op, times[op]));
        (void)swp_solve_profile_last_fit(&list->profile, op, latest(list, op, times, makespan),
                                         times[op], &times[op]);
        SWP_TRY(swp_solve_profile_add(ctx, &list->profile, op, times[op]));
    }
    for (int op = 0; op < list->count; op++)
        list->key[op] = times[op];
    sort_by_key(list);
    for (int i = 0; i < list->count && swp_budget_keep(&list->budget, STEPS_OF_ONE_OP); i++) {
        const int op = list->by_time[i];
        SWP_TRY(swp_solve_profile_remove(ctx, &list->profile, op, times[op]));
        (void)swp_solve_profile_first_fit(&list->profile, op, earliest(list, op, times), times[op],
                                          &times[op]);
        SWP_TRY(swp_solve_profile_add(ctx, &list->profile, op, times[op]));
    }
    return SWP_OK;
}

int64_t swp_solve_list_makespan(const swp_list *list, const int64_t *times)
{
    int64_t makespan = 0;
    for (int op = 0; op < list->count; op++) {
        const int64_t end = times[op] + list->problem->ops[op].latency;
        makespan = end > makespan ? end : makespan;
    }
    return makespan;
}
