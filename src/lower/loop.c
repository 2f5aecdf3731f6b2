/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop to a schedule. */
#include "base/clock.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/gemm_labels.h"
#include "ir/loop_copy.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_warnings.h"
#include "swp/loop_compile.h"
#include "swp/sync.h"
#include "swp/target.h"
#include "target/names.h"

typedef struct compiler {
    swp_context *ctx; /* its arena is the schedule's */
    const swp_loop_options *options;
    swp_loop *loop; /* a copy, which lives as long as the schedule */
    swp_pipeline *pipeline;
    swp_loop_phases phases;
    swp_schedule *out;
} compiler;

static const char *name_of_tag(const swp_loop *loop, int tag)
{
    return (size_t)tag < loop->op_count ? loop->ops[tag].name : "";
}

static swp_status fill_names(compiler *c)
{
    const char *target = swp_target_proper_name(c->options->target ? c->options->target : "");
    c->out->name = c->loop->name;
    SWP_TRY(swp_ir_loop_copy_name(c->ctx, &target));
    c->out->target = target;
    SWP_TRY(SWP_TAKE(c->ctx, SWP_KERNEL_TAGS, &c->out->op_names));
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        c->out->op_names[tag] = name_of_tag(c->loop, tag);
    return SWP_OK;
}

/* An op whose dataflow says what it means. */
static swp_op op_for(const compiler *c, int index, int iteration)
{
    swp_op out = swp_op_none();
    out.tag = index;
    out.iteration = iteration;
    out.latency = (int)c->loop->ops[index].latency;
    return out;
}

static swp_status write_phase(compiler *c, swp_phase phase, const swp_loop_steps *steps,
                              swp_entry_list *out)
{
    swp_entry_builder b = swp_entry_builder_new(c->ctx, phase);
    for (size_t i = 0; i < steps->count; i++)
        SWP_TRY(swp_entry_builder_emit(&b, op_for(c, steps->items[i].op, steps->items[i].iteration),
                                       false));
    *out = b.entries;
    return SWP_OK;
}

/* What it does with LDS: 0 is nothing. */
static int access_of(const compiler *c, const swp_op *op)
{
    const swp_loop_op *o = &c->loop->ops[op->tag];
    int access = 0;
    for (size_t v = 0; v < c->loop->value_count; v++) {
        if (c->loop->values[v].space != SWP_SPACE_SHARED)
            continue;
        if (swp_ir_loop_makes(o, (int)v))
            access |= 1;
        for (size_t r = 0; r < o->read_count; r++)
            if (o->reads[r].value == (int)v)
                access |= 2;
    }
    return access;
}

/*
 * A barrier before each run of ops that write LDS, and each run of those that read it. Where they go is for the derivation to
 * find; their number is how many it may place.
 */
static swp_status add_barriers(compiler *c)
{
    swp_entry_builder b = swp_entry_builder_new(c->ctx, SWP_KERNEL);
    swp_entry_list *kernel = &c->out->streams[0].kernel;
    int before = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_entry *entry = &kernel->items[i];
        const int access = access_of(c, &entry->op);
        if (access && access != before)
            SWP_TRY(swp_entry_builder_emit(&b, swp_op_barrier(), false));
        before = access ? access : before;
        SWP_TRY(swp_entry_builder_emit(&b, entry->op, entry->is_prefetch));
    }
    *kernel = b.entries;
    return SWP_OK;
}

static swp_status write_phases(compiler *c)
{
    swp_stream *out = &c->out->streams[0];
    swp_tails *tails = &out->tails;
    const swp_loop_phases *p = &c->phases;
    SWP_TRY(write_phase(c, SWP_PROLOGUE, &p->prologue, &out->prologue));
    SWP_TRY(write_phase(c, SWP_KERNEL, &p->kernel, &out->kernel));
    SWP_TRY(write_phase(c, SWP_EPILOGUE, &p->epilogues[0], &out->epilogue));
    tails->epilogue_count = (size_t)p->unroll - 1;
    tails->straight_count = (size_t)p->least;
    SWP_TRY(SWP_TAKE(c->ctx, tails->epilogue_count, &tails->epilogues));
    SWP_TRY(SWP_TAKE(c->ctx, tails->straight_count, &tails->straight));
    for (int r = 1; r < p->unroll; r++)
        SWP_TRY(write_phase(c, SWP_EPILOGUE, &p->epilogues[r], &tails->epilogues[r - 1]));
    for (int n = 0; n < p->least; n++)
        SWP_TRY(write_phase(c, SWP_EPILOGUE, &p->straight[n], &tails->straight[n]));
    return SWP_OK;
}

static swp_status write_body(compiler *c)
{
    for (int i = 0; i < (int)c->loop->op_count; i++) {
        SWP_TRY(SWP_PUSH(c->ctx, &c->out->body, op_for(c, i, 0)));
        SWP_TRY(SWP_PUSH(c->ctx, &c->out->order, i));
    }
    return c->out->dataflow ? swp_ir_gemm_label_body(c->ctx, c->loop, &c->out->body) : SWP_OK;
}

static void fill_config(compiler *c)
{
    swp_schedule *out = c->out;
    out->config = swp_pipeline_config_default();
    out->schedule = swp_schedule_config_default();
    out->schedule.sync = SWP_SYNC_DERIVED;
    out->schedule.sync_goal = c->options->sync_goal;
    out->schedule.sync_pace = c->options->sync_pace;
    out->config.m_mmas = 1;
    out->config.n_mmas = 1;
    out->machine = c->options->machine;
    out->pipeline = c->pipeline;
    out->loop = (swp_loop_shape){.tiles_per_pass = c->phases.unroll,
                                 .min_tiles = c->phases.least,
                                 .multiple = 1,
                                 .m_mmas = out->config.m_mmas,
                                 .n_mmas = out->config.n_mmas,
                                 .placement = SWP_PLACE_K_OFFSET};
    out->metrics = (swp_metrics){.makespan = -1,
                                 .lower_bound = -1,
                                 .vgpr_peak = -1,
                                 .work = c->pipeline->work,
                                 .stopped = c->ctx->stopped,
                                 .wait_lgkm_first = -1,
                                 .wait_vm_last = -1};
}

static swp_status fill_dataflow(compiler *c)
{
    swp_loop_dataflow *dataflow = NULL;
    if (c->pipeline->why_no_model)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &dataflow));
    *dataflow = (swp_loop_dataflow){c->loop, c->pipeline->slots};
    c->out->dataflow = dataflow;
    return SWP_OK;
}

static swp_status compile(compiler *c, const swp_loop *loop)
{
    const swp_target *target = c->options->target ? swp_target_find(c->options->target) : NULL;
    SWP_TRY(swp_ir_loop_copy(c->ctx, loop, &c->loop));
    if (c->loop->op_count > SWP_KERNEL_TAGS)
        return swp_error(c->ctx, SWP_E0327, SWP_NOWHERE, "swp_pipeline_loop() takes more",
                         "%zu ops are more than the %d that a schedule has tags for",
                         c->loop->op_count, SWP_KERNEL_TAGS);
    SWP_TRY(swp_check_loop(c->ctx, c->loop));
    if (target)
        SWP_TRY(swp_loop_limit(c->ctx, target, &c->options->machine, c->loop));
    SWP_TRY(swp_ir_warn_of_loop(c->ctx, c->loop, &c->options->machine));
    SWP_TRY(SWP_TAKE(c->ctx, 1, &c->pipeline));
    SWP_TRY(swp_pipeline_loop(c->ctx, c->loop, c->pipeline));
    SWP_TRY(swp_loop_expand(c->ctx, c->pipeline, false, &c->phases));
    if (c->loop->role_count > 1)
        c->pipeline->why_no_model = "its ops have several roles";
    SWP_TRY(fill_names(c));
    fill_config(c);
    SWP_TRY(fill_dataflow(c));
    SWP_TRY(write_body(c));
    SWP_TRY(write_phases(c));
    if (c->pipeline->why_no_model)
        return SWP_OK;
    SWP_TRY(add_barriers(c));
    SWP_TRY(swp_derive_sync(c->ctx, c->out, c->out->schedule.sync_goal, c->out->schedule.sync_pace,
                            &c->out->sync));
    c->out->metrics.stopped = c->ctx->stopped;
    return SWP_OK;
}

swp_status swp_compile_loop(swp_context *ctx, const swp_loop *loop, const swp_loop_options *options,
                            swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && loop && out);
    static const swp_loop_options none = {0};
    swp_loop_options chosen = options ? *options : none;
    swp_context inner = *ctx;
    if (!options)
        chosen.machine = swp_machine_default();
    inner.arena = swp_arena_new(&ctx->arena->allocator);
    if (!inner.arena)
        return swp_out_of_memory(ctx);
    inner.stopped = false;
    inner.began = swp_clock();
    swp_schedule *schedule = NULL;
    swp_status status = SWP_TAKE(&inner, 1, &schedule);
    if (status == SWP_OK) {
        compiler c = {.ctx = &inner, .options = &chosen, .out = schedule};
        schedule->stream_count = 1;
        schedule->arena = inner.arena;
        status = compile(&c, loop);
    }
    if (status == SWP_OK)
        *out = schedule;
    else
        swp_arena_free(inner.arena);
    return status;
}
