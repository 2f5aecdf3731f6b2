/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the longest paths between the nodes of each component at one interval, and derives the
 * times of all ops from those of the nodes.
 */
#include "solve/modulo_core.h"

#include "solve/paths.h"

/* More arcs of all components together would take too much memory and time. */
enum { MOST_ARCS = 4000000 };

static bool occupies_resources(const swp_problem_op *op)
{
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].cycles > 0)
            return true;
    return false;
}

static int nodes_of(const swp_modulo_core *core, int component)
{
    const swp_problem_graph *graph = core->graph;
    int count = 0;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        count += core->nodes[graph->members[m]] >= 0;
    return count;
}

static swp_status take_arcs(swp_context *ctx, swp_modulo_core *core, bool *fits)
{
    const swp_problem_graph *graph = core->graph;
    SWP_TRY(SWP_TAKE(ctx, (size_t)core->count + 1, &core->first));
    size_t total = 0;
    int node = 0;
    for (int c = 0; c < graph->component_count; c++) {
        const size_t others = (size_t)nodes_of(core, c);
        for (size_t i = 0; i < others; i++) {
            core->first[node++] = total;
            total += others - 1;
        }
        if (total > MOST_ARCS) {
            *fits = false;
            return SWP_OK;
        }
    }
    core->first[core->count] = total;
    SWP_TRY(SWP_TAKE(ctx, total, &core->arcs));
    return SWP_TAKE(ctx, total, &core->back_arcs);
}

swp_status swp_solve_modulo_core_new(swp_context *ctx, const swp_problem_graph *graph,
                                     swp_modulo_core *out, bool *fits)
{
    const swp_problem *problem = graph->problem;
    *out = (swp_modulo_core){.graph = graph, .budget = swp_budget_start(ctx, 0)};
    *fits = true;
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &out->nodes));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &out->earliest));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &out->length));
    /* Nodes are numbered by component. */
    for (size_t m = 0; m < problem->op_count; m++) {
        const int op = graph->members[m];
        out->nodes[op] = occupies_resources(&problem->ops[op]) ? out->count : -1;
        if (out->nodes[op] >= 0)
            out->ops[out->count++] = op;
    }
    return take_arcs(ctx, out, fits);
}

static void set_lengths(const swp_modulo_core *core, int component, int64_t length)
{
    const swp_problem_graph *graph = core->graph;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        core->length[graph->members[m]] = length;
}

static uint64_t edges_of(const swp_problem_graph *graph, int component)
{
    uint64_t edges = 0;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        edges += (uint64_t)(graph->first[graph->members[m] + 1] - graph->first[graph->members[m]]);
    return edges;
}

/* Finds the arcs of a component; returns false if the limits end that. */
static bool set_arcs(swp_modulo_core *core, int component)
{
    const swp_problem_graph *graph = core->graph;
    const int count = nodes_of(core, component);
    const uint64_t edges = edges_of(graph, component);
    const int begin = graph->member_first[component];
    int least = -1;
    for (int m = begin; m < graph->member_first[component + 1] && least < 0; m++)
        least = core->nodes[graph->members[m]];
    for (int node = least; count > 1 && node < least + count; node++) {
        if (!swp_budget_keep(&core->budget, edges))
            return false;
        set_lengths(core, component, SWP_NO_PATH);
        core->length[core->ops[node]] = 0;
        (void)swp_solve_paths_from(graph, core->interval, component, core->length);
        swp_core_arc *arc = &core->arcs[core->first[node]];
        for (int other = least; other < least + count; other++) {
            if (other == node)
                continue;
            const int64_t delay = core->length[core->ops[other]];
            *arc++ = (swp_core_arc){other, delay};
            core->back_arcs[core->first[other] + (size_t)(node - least) - (node > other ? 1 : 0)] =
                (swp_core_arc){node, delay};
        }
    }
    return true;
}

/* Returns the least multiple of `unit` that is not below `least`. */
static int64_t rounded_up(int64_t least, int64_t unit)
{
    return least >= 0 ? (least + unit - 1) / unit * unit : -(-least / unit) * unit;
}

/*
 * Returns how much later a component has to be. `need` holds for each op the time that earlier
 * components ask for.
 */
static int64_t least_delay(const swp_modulo_core *core, int component, const int64_t *need)
{
    const swp_problem_graph *graph = core->graph;
    int64_t least = INT64_MIN;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++) {
        const int op = graph->members[m];
        if (need[op] - core->length[op] > least)
            least = need[op] - core->length[op];
    }
    return least;
}

static void settle(const swp_modulo_core *core, int component, int64_t delay, int64_t *times)
{
    const swp_problem_graph *graph = core->graph;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        times[graph->members[m]] = core->length[graph->members[m]] + delay;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++) {
        const int op = graph->members[m];
        for (int e = graph->first[op]; e < graph->first[op + 1]; e++) {
            const swp_problem_edge *edge = &graph->problem->edges[graph->edges[e]];
            const int64_t least = times[op] + edge->delay - core->interval * edge->distance;
            if (graph->component[edge->consumer] != component && least > times[edge->consumer])
                times[edge->consumer] = least; /* what a later component needs, until it settles */
        }
    }
}

void swp_solve_modulo_core_settle(swp_modulo_core *core, int component, const int64_t *node_times,
                                  int64_t *times)
{
    const swp_problem_graph *graph = core->graph;
    const bool has_nodes = node_times && nodes_of(core, component) > 0;
    set_lengths(core, component, has_nodes ? SWP_NO_PATH : 0);
    for (int m = graph->member_first[component];
         has_nodes && m < graph->member_first[component + 1]; m++)
        if (core->nodes[graph->members[m]] >= 0)
            core->length[graph->members[m]] = node_times[core->nodes[graph->members[m]]];
    (void)swp_solve_paths_from(graph, core->interval, component, core->length);
    const int64_t least = least_delay(core, component, times);
    settle(core, component, rounded_up(least, has_nodes ? core->interval : 1), times);
}

bool swp_solve_modulo_core_set(swp_modulo_core *core, int64_t interval)
{
    core->interval = interval;
    for (int c = 0; c < core->graph->component_count; c++)
        if (!set_arcs(core, c))
            return false;
    for (size_t i = 0; i < core->graph->problem->op_count; i++)
        core->earliest[i] = 0;
    for (int c = 0; c < core->graph->component_count; c++)
        swp_solve_modulo_core_settle(core, c, NULL, core->earliest);
    return true;
}
