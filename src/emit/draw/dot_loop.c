/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the dependences of one iteration of a loop for Graphviz: ops by stage, edges with what they carry. */
#include "emit/draw/dot_loop.h"

#include "ir/loop_dataflow.h"
#include "ir/schedule.h"
#include "swp/simulate.h"

#include <inttypes.h>

typedef struct drawing {
    swp_text *text;
    const swp_loop *loop;
    const swp_pipeline *pipeline; /* NULL: the schedule was read, so stages are not known */
    const swp_schedule *schedule;
    swp_simulation simulated; /* where there is no pipeline… */
    const int64_t *issues;    /* …of the one stream; NULL: nobody knows */
    swp_loop_problem dependences;
} drawing;

static const char *fill_of(const swp_loop *loop, const swp_loop_op *op)
{
    if (swp_ir_loop_makes_in(loop, op, SWP_SPACE_SHARED))
        return "#f6c28b";
    return swp_ir_loop_reads_in(loop, op, SWP_SPACE_SHARED) ? "#a8d5ba" : "#9ec5e8";
}

static const char *style_of(swp_loop_edge_kind kind)
{
    switch (kind) {
    case SWP_LOOP_REPLACES:
        return "dashed";
    case SWP_LOOP_REWRITES:
        return "dotted";
    case SWP_LOOP_READS:
    case SWP_LOOP_WITHIN:
        break;
    }
    return "solid";
}

/* Returns when the kernel first issues the op, or -1 if it does not or the cycle is unknown. */
static int64_t simulated_cycle(const drawing *d, size_t index)
{
    const swp_entry_list *kernel = swp_schedule_phase(d->schedule, SWP_KERNEL);
    int64_t first = -1;
    for (size_t i = 0; i < kernel->count && d->issues; i++)
        if (kernel->items[i].op.tag == swp_tag_of_loop_op((int)index) &&
            (first < 0 || d->issues[i] < first))
            first = d->issues[i];
    return first;
}

static void add_node(const drawing *d, size_t index)
{
    const int64_t cycle = d->pipeline ? d->pipeline->answer.times[index] % d->pipeline->answer.value
                                      : simulated_cycle(d, index);
    const swp_loop_op *op = &d->loop->ops[index];
    swp_text_format(d->text, "    op%zu [label=\"%s", index, op->name);
    if (d->loop->role_count > 1)
        swp_text_format(d->text, " (%s)", d->loop->roles[op->role].name);
    if (cycle >= 0)
        swp_text_format(d->text, "\\ncycle %" PRId64, cycle);
    swp_text_format(d->text, "\\ntakes %" PRId64 "\", fillcolor=\"%s\"];\n", op->latency,
                    fill_of(d->loop, op));
}

static void add_stage(const drawing *d, int stage)
{
    swp_text_format(d->text, "  subgraph cluster_stage%d {\n    label=\"stage %d\";\n", stage,
                    stage);
    for (size_t i = 0; i < d->loop->op_count; i++)
        if (d->pipeline->stage[i] == stage)
            add_node(d, i);
    swp_text_format(d->text, "  }\n");
}

static void add_nodes(const drawing *d)
{
    if (!d->pipeline) {
        for (size_t i = 0; i < d->loop->op_count; i++)
            add_node(d, i);
        return;
    }
    for (int stage = 0; stage < d->pipeline->stages; stage++)
        add_stage(d, stage);
}

static bool is_tight(const drawing *d, const swp_problem_edge *e)
{
    return d->pipeline && swp_ir_loop_is_tight(d->pipeline, e);
}

static void add_label(const drawing *d, size_t index)
{
    const swp_problem_edge *e = &d->dependences.problem.edges[index];
    const swp_loop_edge *meaning = &d->dependences.edges[index];
    swp_text_format(d->text, "%s %s\\nafter %" PRId64, swp_loop_edge_name(meaning->kind),
                    d->loop->values[meaning->value].name, e->delay);
    if (e->distance > 0)
        swp_text_format(d->text, ", %" PRId64 " iteration%s later", e->distance,
                        swp_plural(e->distance));
}

static bool is_own(const swp_problem_edge *e, int op)
{
    return e->producer == op && e->consumer == op;
}

/* Adds all other edges from an op to itself to its label, since several lines would hide their labels. */
static void add_other_own(const drawing *d, size_t index)
{
    const swp_problem *problem = &d->dependences.problem;
    for (size_t i = index + 1; i < problem->edge_count; i++) {
        if (!is_own(&problem->edges[i], problem->edges[index].producer))
            continue;
        swp_text_format(d->text, "\\n");
        add_label(d, i);
    }
}

static bool is_told(const drawing *d, size_t index)
{
    const swp_problem_edge *edges = d->dependences.problem.edges;
    const int op = edges[index].producer;
    for (size_t i = 0; i < index && op == edges[index].consumer; i++)
        if (is_own(&edges[i], op))
            return true;
    return false;
}

static bool has_none_to_spare(const drawing *d, size_t index)
{
    const swp_problem *problem = &d->dependences.problem;
    const swp_problem_edge *e = &problem->edges[index];
    bool tight = is_tight(d, e);
    for (size_t i = index + 1; i < problem->edge_count && e->producer == e->consumer; i++)
        tight =
            tight || (is_own(&problem->edges[i], e->producer) && is_tight(d, &problem->edges[i]));
    return tight;
}

/* An edge to a later iteration may point upwards, so it must not shape the layout. */
static void add_edge(const drawing *d, size_t index)
{
    const swp_problem_edge *e = &d->dependences.problem.edges[index];
    const int ops = (int)d->loop->op_count;
    if (e->producer >= ops || e->consumer >= ops ||
        is_told(d, index)) /* the other instances are alike */
        return;
    swp_text_format(d->text, "  op%d -> op%d [style=\"%s%s\", label=\"", e->producer, e->consumer,
                    style_of(d->dependences.edges[index].kind),
                    has_none_to_spare(d, index) ? ",bold" : "");
    add_label(d, index);
    if (e->producer == e->consumer)
        add_other_own(d, index);
    swp_text_format(d->text, "\"");
    if (e->distance > 0)
        swp_text_format(d->text, ", color=\"#c0662f\", fontcolor=\"#c0662f\", constraint=false");
    swp_text_format(d->text, "];\n");
}

static void add_title(const drawing *d)
{
    swp_text_format(d->text, "  label=\"%s: one iteration", d->loop->name);
    if (d->pipeline)
        swp_text_format(d->text, ", begun every %" PRId64 " cycle%s", d->pipeline->answer.value,
                        swp_plural(d->pipeline->answer.value));
    else if (d->issues)
        swp_text_format(
            d->text,
            ", %.2f cycles as simulated; cycles are those of its first call in a pass "
            "of %d iteration%s",
            (double)d->simulated.cycles / d->simulated.passes / d->schedule->loop.tiles_per_pass,
            d->schedule->loop.tiles_per_pass, swp_plural(d->schedule->loop.tiles_per_pass));
    swp_text_format(d->text,
                    ".\\nSolid: reads, dashed: replaces, dotted: rewrites, each after so many "
                    "cycles%s.\\nOrange makes shared values, green reads them, blue has registers "
                    "only.\";\n",
                    d->pipeline ? "; bold: with none to spare" : "");
}

static swp_status draw(drawing *d)
{
    const swp_pipeline *p = d->pipeline;
    SWP_TRY(swp_loop_dependences(d->text->ctx, d->loop, p ? p->slots : d->schedule->dataflow->slots,
                                 &d->dependences));
    add_title(d);
    add_nodes(d);
    for (size_t i = 0; i < d->dependences.problem.edge_count; i++)
        add_edge(d, i);
    return SWP_OK;
}

/* A schedule that cannot be simulated is drawn without cycles. */
swp_status swp_emit_dot_loop(swp_text *text, const swp_schedule *schedule)
{
    const swp_pipeline *p = schedule->pipeline;
    drawing d = {.text = text,
                 .loop = p ? p->loop : schedule->dataflow->loop,
                 .pipeline = p,
                 .schedule = schedule};
    if (p)
        return draw(&d);
    swp_context *scratch = swp_context_within(text->ctx);
    if (!scratch)
        return swp_out_of_memory(text->ctx);
    swp_status status = swp_simulate(scratch, schedule, NULL, &d.simulated);
    if (status == SWP_OK && schedule->stream_count == 1)
        d.issues = d.simulated.groups[0].issues;
    if (swp_ends_work(status))
        status = swp_pass_on(text->ctx, status);
    else
        status = draw(&d);
    swp_context_free(scratch);
    return status;
}
