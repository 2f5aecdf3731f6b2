/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the dependence graph for Graphviz: one pass of a body, or one iteration of a loop. */
#include "emit/draw/dot.h"
#include "emit/draw/dot_loop.h"
#include "ir/entry.h"
#include "ir/schedule.h"

#include "base/require.h"
#include "base/text.h"
#include "emit/text/row.h"

static const char *fill_of(swp_role role)
{
    switch (role) {
    case SWP_GLOBAL_LOAD:
        return "#f6c28b";
    case SWP_SHARED_STORE:
        return "#f2e394";
    case SWP_FRAGMENT_LOAD:
        return "#a8d5ba";
    case SWP_COMPUTE:
        return "#9ec5e8";
    case SWP_VALU_COMPUTE:
        return "#c9b6e4";
    case SWP_SYNC:
        return "#e8a0a0";
    case SWP_FENCE:
        return "#e3d0d8";
    case SWP_ROLE_NONE:
        break;
    }
    return "#dddddd";
}

static const char *style_of(swp_dep_kind kind)
{
    switch (kind) {
    case SWP_ANTI:
        return "dashed";
    case SWP_OUTPUT:
        return "dotted";
    case SWP_FLOW:
        break;
    }
    return "solid";
}

static void add_node(swp_text *text, const swp_schedule *schedule, size_t index)
{
    const swp_op *op = &schedule->body.items[index];
    swp_text_format(text, "    op%zu [label=\"%zu  %s", index, index,
                    swp_schedule_op_name(schedule, op->tag));
    if (swp_ir_is_work(op)) {
        const bool in_grid = op->role == SWP_COMPUTE && swp_ir_has_grid(schedule);
        swp_text_format(text, "\\n%s %d, %s %d", in_grid ? "row" : "slot", op->stage,
                        in_grid ? "col" : "sub", op->subtile);
    }
    if (op->k_offset != SWP_K_NONE)
        swp_text_format(text, ", %s", swp_emit_row_k(op->k_offset));
    swp_text_format(text, "\", fillcolor=\"%s\"];\n", fill_of(op->role));
}

static void add_nodes(swp_text *text, const swp_schedule *schedule)
{
    const size_t count = schedule->body.count;
    /* The first half of the ops is half 0, the rest half 1 (docs/descriptions.md, "body"). */
    const size_t halves = schedule->config.num_partitions == 2 ? 2 : 1;
    for (size_t half = 0; half < halves; half++) {
        if (halves == 2)
            swp_text_format(text, "  subgraph cluster_half%zu {\n    label=\"half %zu\";\n", half,
                            half);
        const size_t first = half * (count / halves);
        const size_t end = half + 1 == halves ? count : count / halves;
        for (size_t i = first; i < end; i++)
            add_node(text, schedule, i);
        if (halves == 2)
            swp_text_format(text, "  }\n");
    }
}

/* An edge to a later iteration may point upwards, so it must not shape the layout. */
static void add_edge(swp_text *text, const swp_edge *edge)
{
    swp_text_format(text, "  op%d -> op%d [style=%s", edge->producer, edge->consumer,
                    style_of(edge->kind));
    if (edge->distance > 0)
        swp_text_format(
            text, ", label=\"%d\", color=\"#c0662f\", fontcolor=\"#c0662f\", constraint=false",
            edge->distance);
    swp_text_format(text, "];\n");
}

static void add_body(swp_text *text, const swp_schedule *schedule)
{
    swp_text_format(text,
                    "  label=\"%s: one pass. Solid: flow, dashed: anti, dotted: output; a number: "
                    "iterations later.\";\n",
                    schedule->name);
    add_nodes(text, schedule);
    for (size_t i = 0; i < schedule->edges.count; i++)
        add_edge(text, &schedule->edges.items[i]);
}

swp_status swp_emit_dot(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    swp_text graph = {.ctx = ctx, .escape = SWP_ESCAPE_DOT};
    swp_text_format(&graph,
                    "digraph \"%s\" {\n"
                    "  fontname=\"Helvetica\";\n"
                    "  ranksep=0.9;\n"
                    "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", "
                    "fontsize=11];\n"
                    "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#555555\"];\n",
                    schedule->name);
    if (schedule->pipeline || schedule->dataflow)
        SWP_TRY(swp_emit_dot_loop(&graph, schedule));
    else
        add_body(&graph, schedule);
    swp_text_format(&graph, "}\n");
    return swp_text_end(&graph, text, length);
}
