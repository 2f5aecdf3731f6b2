/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the phases of a pipeline and what a schedule says beside them, and derives its synchronisation. */
#include "lower/loop_schedule.h"
#include "pipeline/slot_choices.h"

#include "ir/gemm_labels.h"
#include "ir/loop_copy.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "lower/roles.h"
#include "swp/target.h"
#include "sync/ends.h"
#include "target/names.h"
#include "target/roles.h"

static const char *name_of_tag(const swp_loop *loop, int tag)
{
    const size_t op = (size_t)swp_loop_op_of_tag(tag);
    return !swp_infrastructure_name(tag) && op < loop->op_count ? loop->ops[op].name : "";
}

static swp_status fill_names(swp_loop_writer *w)
{
    const char *target = swp_target_proper_name(w->options->target ? w->options->target : "");
    w->out->name = w->loop->name;
    SWP_TRY(swp_ir_loop_copy_name(w->ctx, &target));
    w->out->target = target;
    SWP_TRY(SWP_TAKE(w->ctx, SWP_SCHEDULE_TAGS, &w->out->op_names));
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        w->out->op_names[tag] = name_of_tag(w->loop, tag);
    return SWP_OK;
}

/* An op whose dataflow says what it means. */
static swp_op op_for(const swp_loop_writer *w, int index, int iteration)
{
    swp_op out = swp_op_none();
    out.tag = swp_tag_of_loop_op(index);
    out.iteration = iteration;
    out.latency = (int)w->loop->ops[index].latency;
    return out;
}

static swp_status write_phase(swp_loop_writer *w, swp_phase phase, const swp_loop_steps *steps,
                              swp_entry_list *out)
{
    swp_entry_builder b = swp_entry_builder_new(w->ctx, phase);
    for (size_t i = 0; i < steps->count; i++)
        SWP_TRY(swp_entry_builder_emit(&b, op_for(w, steps->items[i].op, steps->items[i].iteration),
                                       false));
    *out = b.entries;
    return SWP_OK;
}

/* What it does with LDS: 0 is nothing. */
static int access_of(const swp_loop_writer *w, const swp_op *op)
{
    const swp_loop_op *o = &w->loop->ops[swp_loop_op_of_tag(op->tag)];
    const int makes = swp_ir_loop_makes_in(w->loop, o, SWP_SPACE_SHARED) ? 1 : 0;
    const int reads = swp_ir_loop_reads_in(w->loop, o, SWP_SPACE_SHARED) ? 2 : 0;
    return makes | reads;
}

/*
 * A barrier before each run of ops that write LDS, and each run of those that read it. Where they go is for the derivation to
 * find; their number is how many it may place.
 */
static swp_status add_barriers(swp_loop_writer *w)
{
    swp_entry_builder b = swp_entry_builder_new(w->ctx, SWP_KERNEL);
    swp_entry_list *kernel = &w->out->streams[0].kernel;
    int before = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_entry *entry = &kernel->items[i];
        const int access = access_of(w, &entry->op);
        if (access && access != before)
            SWP_TRY(swp_entry_builder_emit(&b, swp_op_barrier(), false));
        before = access;
        SWP_TRY(swp_entry_builder_emit(&b, entry->op, entry->is_prefetch));
    }
    *kernel = b.entries;
    return SWP_OK;
}

static swp_status write_phases(swp_loop_writer *w)
{
    swp_stream *out = &w->out->streams[0];
    swp_tails *tails = &out->tails;
    const swp_loop_phases *p = &w->phases;
    SWP_TRY(write_phase(w, SWP_PROLOGUE, &p->prologue, &out->prologue));
    SWP_TRY(write_phase(w, SWP_KERNEL, &p->kernel, &out->kernel));
    SWP_TRY(write_phase(w, SWP_EPILOGUE, &p->epilogues[0], &out->epilogue));
    tails->epilogue_count = (size_t)p->unroll - 1;
    tails->straight_count = (size_t)p->least;
    SWP_TRY(SWP_TAKE(w->ctx, tails->epilogue_count, &tails->epilogues));
    SWP_TRY(SWP_TAKE(w->ctx, tails->straight_count, &tails->straight));
    for (int r = 1; r < p->unroll; r++)
        SWP_TRY(write_phase(w, SWP_EPILOGUE, &p->epilogues[r], &tails->epilogues[r - 1]));
    for (int n = 0; n < p->least; n++)
        SWP_TRY(write_phase(w, SWP_EPILOGUE, &p->straight[n], &tails->straight[n]));
    return SWP_OK;
}

static swp_status write_body(swp_loop_writer *w)
{
    for (int i = 0; i < (int)w->loop->op_count; i++) {
        SWP_TRY(SWP_PUSH(w->ctx, &w->out->body, op_for(w, i, 0)));
        SWP_TRY(SWP_PUSH(w->ctx, &w->out->order, i));
    }
    return swp_ir_gemm_label_body(w->ctx, w->loop, &w->out->body);
}

static void fill_config(swp_loop_writer *w)
{
    swp_schedule *out = w->out;
    out->config = swp_pipeline_config_default();
    out->schedule = swp_schedule_config_default();
    out->schedule.sync = SWP_SYNC_DERIVED;
    out->schedule.sync_goal = w->options->sync_goal;
    out->schedule.sync_pace = w->options->sync_pace;
    out->config.m_mmas = 1;
    out->config.n_mmas = 1;
    out->machine = w->options->machine;
    out->pipeline = w->pipeline;
    out->output_tiles = w->loop->output_tiles;
    out->loop = (swp_loop_shape){.tiles_per_pass = w->phases.unroll,
                                 .min_tiles = w->phases.least,
                                 .multiple = 1,
                                 .m_mmas = out->config.m_mmas,
                                 .n_mmas = out->config.n_mmas,
                                 .placement = SWP_PLACE_K_OFFSET};
    out->metrics = (swp_metrics){.makespan = -1,
                                 .lower_bound = -1,
                                 .vgpr_peak = -1,
                                 .work = w->pipeline->work,
                                 .stopped = w->ctx->stopped,
                                 .wait_lgkm_first = -1,
                                 .wait_vm_last = -1};
}

static swp_status fill_dataflow(swp_loop_writer *w)
{
    swp_loop_dataflow *dataflow = NULL;
    SWP_TRY(SWP_TAKE(w->ctx, 1, &dataflow));
    *dataflow = (swp_loop_dataflow){w->loop, w->pipeline->slots};
    w->out->dataflow = dataflow;
    return SWP_OK;
}

enum { MOST_CONSTANT = 8, MOST_ASKED = 1024 };

/*
 * Rings of different slots come back together only after many iterations. Mbarriers know their turns, so with warp roles
 * slots of shared memory may be counted as the loop runs; registers have no index.
 */
static bool slots_rotate(const swp_loop_writer *w)
{
    const int *slots = w->pipeline->slots;
    int most = 1;
    for (size_t v = 0; v < w->loop->value_count; v++) {
        if (slots[v] > 1 && w->loop->values[v].space != SWP_SPACE_SHARED)
            return false;
        most = slots[v] > most ? slots[v] : most;
    }
    const int unroll = swp_pipeline_unroll(w->loop, slots, MOST_ASKED);
    return swp_ir_loop_has_roles(w->loop) && unroll > MOST_CONSTANT && unroll > most;
}

/* The mbarriers are beside the values. */
static void count_fit(const swp_loop_writer *w)
{
    const swp_loop_options *o = w->options;
    const swp_target *named = o->target ? swp_target_find(o->target) : NULL;
    const swp_target *target = o->limits ? o->limits : named;
    const int64_t *bytes = w->pipeline->bytes;
    if (target)
        w->pipeline->resident_fit =
            swp_loop_fit(target, &o->machine, w->loop,
                         bytes[SWP_SPACE_SHARED] + swp_target_mbarrier_bytes(w->out),
                         bytes[SWP_SPACE_REGISTERS]);
}

static swp_status derive_kernel(swp_loop_writer *w)
{
    const swp_schedule_config *config = &w->out->schedule;
    SWP_TRY(write_phases(w));
    SWP_TRY(add_barriers(w));
    SWP_TRY(swp_sync_derive_kernel(w->ctx, w->out, config->sync_goal, config->sync_pace,
                                   &w->written->kernel, &w->out->sync));
    w->ctx->stopped = w->ctx->stopped || (w->written->kernel.cut && !w->out->sync.optimal);
    return SWP_OK;
}

static swp_status drop_ends(swp_loop_writer *w)
{
    return swp_sync_drop_ends(w->ctx, w->out, &w->written->kernel, &w->out->sync);
}

static swp_status derive(swp_loop_writer *w)
{
    if (swp_ir_loop_has_roles(w->loop))
        return swp_lower_role_streams(w);
    SWP_TRY(derive_kernel(w));
    return w->waits == SWP_FEWEST_WAITS ? drop_ends(w) : SWP_OK;
}

static swp_status write(swp_loop_writer *w)
{
    SWP_TRY(swp_loop_expand(w->ctx, w->pipeline, slots_rotate(w), &w->phases));
    SWP_TRY(fill_names(w));
    fill_config(w);
    SWP_TRY(fill_dataflow(w));
    SWP_TRY(write_body(w));
    SWP_TRY(derive(w));
    count_fit(w);
    return SWP_OK;
}

static swp_status go_on_from(swp_loop_writer *w, const swp_candidate *all_waits)
{
    *w->out = *all_waits->schedule;
    *w->written = all_waits->written;
    return drop_ends(w);
}

swp_status swp_lower_loop_schedule(swp_context *ctx, const swp_loop_options *options,
                                   const swp_loop_and_pipeline *given, swp_schedule *out,
                                   swp_written *written)
{
    swp_loop_writer writer = {.ctx = ctx,
                              .options = options,
                              .loop = given->loop,
                              .pipeline = given->pipeline,
                              .out = out,
                              .waits = given->waits,
                              .written = written};
    *written = (swp_written){0};
    SWP_TRY(given->all_waits ? go_on_from(&writer, given->all_waits) : write(&writer));
    out->metrics.stopped = ctx->stopped;
    return SWP_OK;
}
