/* SPDX-License-Identifier: Apache-2.0 */
/* compile_schedule: from a definition to a schedule (docs/schedules.md). */
#include "base/budget.h"
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "ir/check_body.h"
#include "lower/accesses.h"
#include "lower/explicit_blocks.h"
#include "lower/sync_choice.h"
#include "swp/compile.h"
#include "target/names.h"

#include <string.h>

typedef struct compiler {
    swp_context *ctx; /* its arena is the schedule's */
    const swp_pipeline_schedule *definition;
    const swp_sync_freedom *freedom; /* NULL: none */
    swp_schedule *out;
} compiler;

static swp_status ask_definition(compiler *c)
{
    const swp_pipeline_schedule *d = c->definition;
    swp_schedule *out = c->out;
    out->geometry = d->geometry;
    out->layout = d->layout;
    out->schedule = swp_schedule_config_default();
    out->machine = swp_machine_default();
    SWP_TRY(d->config(d->self, c->ctx, &out->config));
    if (d->schedule_config)
        SWP_TRY(d->schedule_config(d->self, c->ctx, &out->schedule));
    if (d->machine)
        SWP_TRY(d->machine(d->self, c->ctx, &out->machine));
    SWP_TRY(swp_pipeline_config_check(c->ctx, &out->config));
    SWP_TRY(swp_machine_check(c->ctx, &out->machine));
    SWP_TRY(d->build_body(d->self, c->ctx, &out->body));
    SWP_TRY(swp_ir_check_body(c->ctx, out->body.items, out->body.count, &out->config));
    SWP_TRY(swp_ir_check_meaning(c->ctx, out->body.items, out->body.count, &out->config));
    if (d->derive_edges)
        return d->derive_edges(d->self, c->ctx, &out->body, &out->edges);
    return swp_derive_edges_from_ops(c->ctx, out->body.items, out->body.count, &out->config,
                                     &out->edges);
}

static swp_status copy_names(compiler *c)
{
    const swp_pipeline_schedule *d = c->definition;
    const char *target = swp_target_proper_name(d->target ? d->target : "");
    char *copy = NULL;
    const char *schedule_name = d->name ? d->name : "";
    SWP_TRY(swp_copy_text(c->ctx, schedule_name, strlen(schedule_name), &copy));
    c->out->name = copy;
    SWP_TRY(swp_copy_text(c->ctx, target, strlen(target), &copy));
    c->out->target = copy;
    SWP_TRY(SWP_TAKE(c->ctx, SWP_KERNEL_TAGS, &c->out->op_names));
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++) {
        char buffer[SWP_OP_NAME_SIZE];
        const char *name = swp_op_name(&d->op_namer, tag, buffer);
        if (!swp_is_name(name))
            return swp_error(c->ctx, SWP_E0301, SWP_NOWHERE, SWP_NAME_HINT,
                             "the op of tag %d cannot be named `%s`", tag, name);
        SWP_TRY(swp_copy_text(c->ctx, name, strlen(name), &copy));
        c->out->op_names[tag] = copy;
    }
    return SWP_OK;
}

static swp_metrics metrics_of(const swp_built_program *built)
{
    return (swp_metrics){.makespan = built->solution.evaluation.makespan,
                         .lower_bound = built->solution.lower_bound,
                         .vgpr_peak = built->solution.evaluation.vgpr_peak,
                         .optimal = built->solution.outcome == SWP_OPTIMAL,
                         .seed = built->solution.is_seed,
                         .work = built->solution.work,
                         .wait_lgkm_first = built->waits.wait_lgkm_first,
                         .wait_vm_last = built->waits.wait_vm_last};
}

static swp_status compile_double_buffer(compiler *c)
{
    const swp_pipeline_schedule *d = c->definition;
    swp_schedule *out = c->out;
    swp_stream *stream = &out->streams[0];
    swp_built_program built = {0};
    swp_op_list bootstrap = {0};
    SWP_TRY(swp_build_kernel_program(c->ctx, out->body.items, out->body.count, &out->config,
                                     &out->schedule, &out->edges, &built));
    out->program = built.program;
    out->order = built.solution.order;
    out->metrics = metrics_of(&built);
    if (d->build_explicit_blocks)
        SWP_TRY(d->build_explicit_blocks(d->self, c->ctx, &out->body, &out->program,
                                         &out->program.explicit_blocks));
    SWP_TRY(swp_lower_check_explicit_blocks(c->ctx, &out->program));
    if (d->bootstrap_frags)
        SWP_TRY(d->bootstrap_frags(d->self, c->ctx, &bootstrap));
    SWP_TRY(swp_derive_prologue_from_program(c->ctx, &out->program, &out->config, &out->schedule,
                                             &bootstrap, &stream->prologue));
    SWP_TRY(swp_program_expand_to_list(c->ctx, &out->program, SWP_KERNEL, &stream->kernel));
    SWP_TRY(
        swp_derive_epilogue_from_program(c->ctx, &out->program, &out->config, &stream->epilogue));
    return swp_derive_kernel_deps(c->ctx, &out->program, &out->config, &stream->kernel,
                                  &out->kernel_deps);
}

static swp_status copy_edges(compiler *c)
{
    for (size_t i = 0; i < c->out->edges.count; i++)
        SWP_TRY(SWP_PUSH(c->ctx, &c->out->kernel_deps, c->out->edges.items[i]));
    return SWP_OK;
}

static swp_status check_edges(compiler *c)
{
    swp_loop_body graph = {0};
    SWP_TRY(
        swp_loop_body_init(c->ctx, c->out->body.items, c->out->body.count, &c->out->edges, &graph));
    return swp_loop_body_validate(c->ctx, &graph);
}

static swp_status kernel_as_it_stands(compiler *c)
{
    const swp_pipeline_schedule *d = c->definition;
    swp_schedule *out = c->out;
    swp_entry_list *entries = &out->streams[0].kernel;
    swp_entry_builder kernel = swp_entry_builder_new(c->ctx, SWP_KERNEL);
    for (size_t i = 0; i < out->body.count; i++) {
        SWP_TRY(swp_entry_builder_emit(&kernel, out->body.items[i], false));
        SWP_TRY(SWP_PUSH(c->ctx, &out->order, (int)i));
    }
    *entries = kernel.entries;
    if (d->transform_kernel)
        SWP_TRY(d->transform_kernel(d->self, c->ctx, &out->body, entries));
    for (size_t i = 0; i < entries->count; i++)
        entries->items[i].time_slot = (int)i;
    return SWP_OK;
}

static swp_status compile_single_buffer(compiler *c)
{
    swp_schedule *out = c->out;
    swp_stream *stream = &out->streams[0];
    const swp_op_list *body = &out->body;
    size_t steps = 0;
    out->metrics = (swp_metrics){.makespan = -1,
                                 .lower_bound = -1,
                                 .vgpr_peak = -1,
                                 .wait_lgkm_first = -1,
                                 .wait_vm_last = -1};
    SWP_TRY(swp_schedule_config_check(c->ctx, &out->schedule));
    SWP_TRY(check_edges(c));
    const swp_phase_step *recipe = swp_single_buffer_prologue_recipe(&steps);
    SWP_TRY(swp_apply_phase_recipe(c->ctx, recipe, steps, body->items, body->count, &out->config,
                                   SWP_PROLOGUE, &stream->prologue));
    SWP_TRY(kernel_as_it_stands(c));
    recipe = swp_single_buffer_epilogue_recipe(&steps);
    SWP_TRY(swp_apply_phase_recipe(c->ctx, recipe, steps, body->items, body->count, &out->config,
                                   SWP_EPILOGUE, &stream->epilogue));
    return copy_edges(c);
}

/* How passes map to tiles (docs/schedules.md, "How a kernel runs them"). */
static swp_loop_shape loop_shape(const swp_pipeline_config *config)
{
    if (config->depth == 1)
        return (swp_loop_shape){.tiles_per_pass = 1,
                                .first_base = 0,
                                .min_tiles = 2,
                                .multiple = 1,
                                .m_mmas = config->m_mmas,
                                .n_mmas = config->n_mmas,
                                .placement = SWP_PLACE_NEXT_TILE};
    return (swp_loop_shape){.tiles_per_pass = 2,
                            .first_base = 2,
                            .min_tiles = 2,
                            .multiple = 2,
                            .m_mmas = config->m_mmas,
                            .n_mmas = config->n_mmas,
                            .placement = SWP_PLACE_K_OFFSET};
}

/* A lag that the machine has without a stagger begins where the automatic stagger would. */
static int lag_prologue_index(const swp_schedule *schedule)
{
    swp_pipeline_config config = schedule->config;
    if (config.warp_stagger.rule == SWP_STAGGER_NONE)
        config.warp_stagger = swp_warp_stagger_auto();
    return swp_warp_stagger_index(schedule->body.items, schedule->body.count, &config,
                                  swp_schedule_phase(schedule, SWP_PROLOGUE)->count);
}

static void finish(swp_schedule *out)
{
    const size_t prologue = swp_schedule_phase(out, SWP_PROLOGUE)->count;
    out->loop = loop_shape(&out->config);
    out->warp_stagger_index =
        swp_warp_stagger_index(out->body.items, out->body.count, &out->config, prologue);
    if (out->machine.lag > 0)
        out->machine.lag_prologue_index = lag_prologue_index(out);
    out->lgkm_per_load_a =
        out->config.lgkm_per_load_a ? out->config.lgkm_per_load_a : out->schedule.lgkm_per_load_a;
    out->lgkm_per_load_b =
        out->config.lgkm_per_load_b ? out->config.lgkm_per_load_b : out->schedule.lgkm_per_load_b;
    swp_lower_state_accesses(out);
}

static swp_status compile(compiler *c)
{
    if (!c->definition->config || !c->definition->build_body)
        return swp_error(c->ctx, SWP_E0310, SWP_NOWHERE, "both are required; all else may be NULL",
                         "a schedule definition without %s",
                         c->definition->config ? "build_body" : "config");
    SWP_TRY(copy_names(c));
    SWP_TRY(ask_definition(c));
    if (c->out->config.depth == 1)
        SWP_TRY(compile_single_buffer(c));
    else
        SWP_TRY(compile_double_buffer(c));
    finish(c->out);
    SWP_TRY(swp_lower_choose_sync(c->ctx, c->freedom, c->out));
    c->out->metrics.stopped = c->ctx->stopped;
    return SWP_OK;
}

swp_status swp_lower_compile_body(swp_context *ctx, const swp_pipeline_schedule *definition,
                                  const swp_sync_freedom *freedom, swp_schedule **out)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(ctx, &inner));
    inner.op_namer = definition->op_namer;
    inner.stopped = false;
    inner.began = swp_search_clock(ctx);
    swp_schedule *schedule = NULL;
    swp_status status = SWP_TAKE(&inner, 1, &schedule);
    if (status == SWP_OK) {
        compiler c = {&inner, definition, freedom, schedule};
        schedule->stream_count = 1;
        schedule->arena = inner.arena;
        status = compile(&c);
    }
    if (status == SWP_OK)
        *out = schedule;
    else
        swp_scope_close(&inner);
    return swp_status_behind(ctx, status);
}

swp_status swp_compile_schedule(swp_context *ctx, const swp_pipeline_schedule *definition,
                                swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && definition && out);
    return swp_lower_compile_body(ctx, definition, NULL, out);
}
