/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the single-buffered matmul (docs/descriptions.md, "Built-ins"). */
#include "swp/swp.h"

#include "base/require.h"
#include "kernels/builtin.h"

/* The kinds of instructions that a sched_group_barrier groups. */
enum { DS_READ = 0, DS_WRITE = 1, VMEM_READ = 2, MFMA = 3 };

static const char *op_name(const void *user, int tag)
{
    (void)user;
    switch (tag) {
#define NAME(constant, number, name)                                                               \
    case number:                                                                                   \
        return name;
        SWP_SINGLE_BUFFER_TAGS(NAME)
#undef NAME
    default:
        return NULL;
    }
}

static swp_status declare_ops(swp_context *ctx, int num_k_tiles, swp_op_list *out)
{
    swp_body *b = swp_body_new(ctx);
    if (!b)
        return SWP_OUT_OF_MEMORY;
    swp_load(b, SWP_LOAD_DRAM, .channel = 0, .k_offset = SWP_K_NONE);
    swp_store(b, SWP_STORE_SMEM, .channel = 0);
    swp_body_barrier(b);
    swp_fan(b, num_k_tiles, SWP_LOAD_FRAG, .channel = 0);
    swp_fan(b, num_k_tiles, SWP_COMPUTE_FRAG, .channel = -1);
    return swp_body_done(b, out);
}

static swp_status check_parameters(swp_context *ctx, const swp_single_buffer *kernel)
{
    const swp_settings settings = {.hints = kernel->hints, .num_k_tiles = kernel->num_k_tiles};
    const swp_status status = swp_settings_check(ctx, SWP_SECTION_KERNEL, &settings);
    return status == SWP_OK ? swp_settings_check(ctx, SWP_SECTION_HINTS, &settings) : status;
}

static swp_status build_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_single_buffer *kernel = self;
    const swp_pipeline_config *pipeline = &kernel->options.target.pipeline;
    swp_op_list ops = {0};
    swp_op_list reordered = {0};
    swp_status status = check_parameters(ctx, kernel);
    if (status == SWP_OK)
        status = declare_ops(ctx, kernel->num_k_tiles, &ops);
    if (status != SWP_OK)
        return status;
    swp_annotate_ops(ops.items, ops.count, &kernel->options.target.cost_model);
    status = swp_single_buffer_reorder(ctx, ops.items, ops.count, pipeline, &reordered);
    if (status != SWP_OK)
        return status;
    return swp_optimize_within_barriers(ctx, reordered.items, reordered.count, pipeline, out);
}

/* Appends hints to the kernel's entries; the first failure sticks. */
typedef struct hinter {
    swp_context *ctx;
    swp_entry_list *kernel;
    swp_status status;
} hinter;

static void hint(hinter *h, int mask, int count)
{
    const swp_entry entry = {swp_op_sched_group_barrier(mask, count), (int)h->kernel->count,
                             SWP_KERNEL, false};
    if (h->status == SWP_OK)
        h->status = swp_entry_list_push(h->ctx, h->kernel, entry);
}

static void hint_reads(hinter *h, int reads, int mmas_per_read)
{
    for (int i = 0; i < reads; i++) {
        hint(h, DS_READ, 1);
        hint(h, MFMA, mmas_per_read);
    }
}

/* The stores share the MMAs that no read covers; the first stores take the remainder. */
static void hint_stores(hinter *h, int stores, int mmas)
{
    for (int i = 0; i < stores; i++) {
        const int share = mmas / stores + (i < mmas % stores);
        hint(h, DS_WRITE, 1);
        hint(h, MFMA, share / 2);
        hint(h, VMEM_READ, 1);
        hint(h, MFMA, share - share / 2);
    }
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static swp_status transform_kernel(const void *self, swp_context *ctx, const swp_op_list *body,
                                   swp_entry_list *kernel)
{
    const swp_single_buffer *k = self;
    const swp_mma_hints *hints = &k->hints;
    hinter h = {ctx, kernel, SWP_OK};
    int frags = 0;
    int carried = 0;
    for (size_t i = 0; i < body->count; i++) {
        if (body->items[i].role != SWP_FRAGMENT_LOAD)
            continue;
        frags++;
        carried += swp_is_loop_carried(&k->options.target.pipeline, &body->items[i]);
    }
    const int reads_per_frag = hints->m_mmas + hints->n_mmas;
    const int reads = reads_per_frag * frags;
    const int mmas = hints->m_mmas * hints->n_mmas * hints->k_mmas;
    const int wanted = hints->mma_m == 32 && hints->mma_n == 32 ? 1 : 2;
    const int mmas_per_read = reads > 0 ? lesser(wanted, mmas / reads) : 0;
    hint_reads(&h, reads_per_frag * (frags - carried), mmas_per_read);
    hint_stores(&h, hints->a_loads + hints->b_loads, mmas - mmas_per_read * reads);
    hint_reads(&h, reads_per_frag * carried, mmas_per_read);
    return h.status;
}

static void set_machine(swp_machine *out)
{
    out->barrier = SWP_BARRIER_FENCED;
}

void swp_single_buffer_init(swp_single_buffer *kernel, int num_k_tiles)
{
    SWP_REQUIRE_OR(, kernel);
    *kernel = (swp_single_buffer){.options = {.target = swp_mi355x_single_buffer_target(),
                                              .schedule = swp_schedule_config_default(),
                                              .machine = swp_machine_default()},
                                  .num_k_tiles = num_k_tiles,
                                  .hints = swp_mma_hints_default()};
    set_machine(&kernel->options.machine);
}

swp_pipeline_schedule swp_single_buffer_schedule(const swp_single_buffer *kernel)
{
    SWP_REQUIRE_OR((swp_pipeline_schedule){0}, kernel);
    return (swp_pipeline_schedule){.self = kernel,
                                   .name = "single_buffer",
                                   .target = "mi355x",
                                   .op_namer = {op_name, NULL},
                                   .config = swp_kernels_config,
                                   .build_body = build_body,
                                   .schedule_config = swp_kernels_schedule_config,
                                   .transform_kernel = transform_kernel,
                                   .machine = swp_kernels_machine};
}

static void defaults(const swp_target *target, swp_settings *settings)
{
    settings->pipeline = target->single_buffer().pipeline;
    set_machine(&settings->machine);
}

static swp_status define(swp_context *ctx, const swp_target *target, const swp_settings *settings,
                         swp_pipeline_schedule *out)
{
    swp_single_buffer *kernel = swp_context_take(ctx, sizeof *kernel);
    if (!kernel)
        return SWP_OUT_OF_MEMORY;
    const swp_target_profile profile = target->single_buffer();
    *kernel = (swp_single_buffer){.options = swp_kernels_options_from(&profile, settings),
                                  .num_k_tiles = settings->num_k_tiles,
                                  .hints = settings->hints};
    *out = swp_single_buffer_schedule(kernel);
    out->target = target->name;
    return SWP_OK;
}

const swp_builtin swp_kernels_single_buffer_builtin = {
    .name = "single_buffer",
    .meaning = "matmul through registers and one LDS buffer",
    .depth = 1,
    .defaults = defaults,
    .define = define};
