// SPDX-License-Identifier: Apache-2.0
// An outside program: valid C11 and C++17, built only against what was installed. It compiles the
// ping-pong built-in, then the same loop as a definition of its own, and compares the two.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <swp/swp.h>

static int checks;

static void check(bool good, const char *what, swp_context *ctx)
{
    checks++;
    if (good)
        return;
    fprintf(stderr, "FAIL %s\n", what);
    size_t count = 0;
    const swp_diag *diags = ctx ? swp_context_diags(ctx, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "     %s: %s\n", diags[i].code, diags[i].message);
    exit(1);
}

// What the costs of the target call them.
enum { A = 0, B = 1, FRAG_A = 3, FRAG_B = 4, MMA = 5 };

#ifdef __cplusplus
// C++17 has no designated initialisers, so here the functions do without the macros.
static swp_op_args op(int tag, int channel, int stage, int subtile, swp_k_offset k_offset)
{
    swp_op_args args = {};
    args.tag = tag;
    args.channel = channel;
    args.stage = stage;
    args.subtile = subtile;
    args.k_offset = k_offset;
    return args;
}

static void add_half(swp_body *body, int half)
{
    const swp_k_offset k = half ? SWP_K1 : SWP_K0;
    swp_body_load(body, op(A, 0, 1 - half, 1, half ? SWP_K0 : SWP_K_PREV));
    swp_body_load(body, op(A, 0, half, 0, k));
    swp_body_load(body, op(B, 1, half, 0, k));
    swp_body_load(body, op(B, 1, half, 1, k));
    swp_body_fan(body, 2, op(FRAG_A, 0, half, 0, SWP_K_NONE));
    swp_body_fan(body, 2, op(FRAG_B, 1, half, 0, SWP_K_NONE));
    swp_body_grid(body, 2, 2, op(MMA, -1, 0, 0, SWP_K_NONE));
}
#else
static void add_half(swp_body *body, int half)
{
    const swp_k_offset k = half ? SWP_K1 : SWP_K0;
    swp_load(body, A, .channel = 0, .stage = 1 - half, .subtile = 1,
             .k_offset = half ? SWP_K0 : SWP_K_PREV);
    swp_load(body, A, .channel = 0, .stage = half, .subtile = 0, .k_offset = k);
    swp_load(body, B, .channel = 1, .stage = half, .subtile = 0, .k_offset = k);
    swp_load(body, B, .channel = 1, .stage = half, .subtile = 1, .k_offset = k);
    swp_fan(body, 2, FRAG_A, .channel = 0, .stage = half);
    swp_fan(body, 2, FRAG_B, .channel = 1, .stage = half);
    swp_grid(body, 2, 2, MMA);
}
#endif

static swp_status config(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    (void)ctx;
    *out = ((const swp_target_profile *)self)->pipeline;
    return SWP_OK;
}

static swp_status build_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_target_profile *target = (const swp_target_profile *)self;
    swp_op_list ops = {NULL, 0, 0};
    swp_body *body = swp_body_new(ctx);
    if (!body)
        return SWP_OUT_OF_MEMORY;
    add_half(body, 0);
    add_half(body, 1);
    const swp_status status = swp_body_done(body, &ops);
    if (status != SWP_OK)
        return status;
    swp_annotate_ops(ops.items, ops.count, &target->cost_model);
    return swp_double_buffer_reorder(ctx, ops.items, ops.count, &target->pipeline, out);
}

static swp_status schedule_config(const void *self, swp_context *ctx, swp_schedule_config *out)
{
    (void)self;
    (void)ctx;
    *out = swp_schedule_config_default();
    out->scheduling = SWP_CSP;
    return SWP_OK;
}

static const char *name_of(const void *user, int tag)
{
    (void)user;
    return tag == MMA ? "multiply" : NULL;
}

static swp_schedule *compile_own(swp_context *ctx)
{
    const swp_target_profile target = swp_mi355x_target(4, 4, 1);
    swp_pipeline_schedule definition;
    memset(&definition, 0, sizeof definition);
    definition.self = &target;
    definition.name = "own";
    definition.op_namer.name = name_of;
    definition.config = config;
    definition.build_body = build_body;
    definition.schedule_config = schedule_config;
    swp_schedule *schedule = NULL;
    check(swp_compile_schedule(ctx, &definition, &schedule) == SWP_OK, "own definition", ctx);
    return schedule;
}

static swp_schedule *compile_pingpong(swp_context *ctx)
{
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    swp_schedule *schedule = NULL;
    check(swp_compile_schedule(ctx, &definition, &schedule) == SWP_OK, "ping-pong", ctx);
    return schedule;
}

static bool same_op(const swp_op *a, const swp_op *b)
{
    return a->tag == b->tag && a->stage == b->stage && a->subtile == b->subtile &&
           a->k_offset == b->k_offset && a->channel == b->channel && a->role == b->role &&
           a->wait_value == b->wait_value;
}

static void compare(const swp_schedule *a, const swp_schedule *b, swp_phase phase)
{
    const swp_entry_list *x = swp_schedule_phase(a, phase);
    const swp_entry_list *y = swp_schedule_phase(b, phase);
    check(x->count == y->count, swp_phase_name(phase), NULL);
    for (size_t i = 0; i < x->count; i++)
        check(same_op(&x->items[i].op, &y->items[i].op) &&
                  x->items[i].is_prefetch == y->items[i].is_prefetch,
              swp_phase_name(phase), NULL);
}

// A refused definition says why and leaves nothing to free.
static void refuse(swp_context *ctx)
{
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    kernel.options.schedule.max_vgpr = 95;
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    swp_schedule *schedule = NULL;
    size_t count = 0;
    check(swp_compile_schedule(ctx, &definition, &schedule) == SWP_INFEASIBLE, "budget", ctx);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    check(!schedule && count > 0 && !strcmp(diags[count - 1].code, "E0401"), "its code", ctx);
}

static void read_json_back(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_emit_format *json = swp_emit_format_find("json");
    char *text = NULL;
    char *again = NULL;
    size_t length = 0;
    size_t length_again = 0;
    swp_schedule *copy = NULL;
    check(json && json->emit(ctx, schedule, &text, &length) == SWP_OK, "json", ctx);
    check(swp_schedule_read_json(ctx, text, length, "own.json", &copy) == SWP_OK, "reading", ctx);
    check(json->emit(ctx, copy, &again, &length_again) == SWP_OK, "json again", ctx);
    check(length == length_again && !memcmp(text, again, length), "the same bytes", ctx);
    swp_schedule_free(copy);
}

int main(void)
{
    check(!strcmp(swp_version(), EXPECTED_VERSION), swp_version(), NULL);
    swp_context *ctx = swp_context_new(NULL);
    check(ctx != NULL, "context", NULL);
    swp_schedule *own = compile_own(ctx);
    swp_schedule *pingpong = compile_pingpong(ctx);
    compare(own, pingpong, SWP_PROLOGUE);
    compare(own, pingpong, SWP_KERNEL);
    compare(own, pingpong, SWP_EPILOGUE);
    check(swp_schedule_phase(own, SWP_KERNEL)->count == 70 && own->metrics.makespan == 420,
          "the published numbers", ctx);
    check(!strcmp(swp_schedule_op_name(own, MMA), "multiply"), "an own name", ctx);
    read_json_back(ctx, own);
    refuse(ctx);
    swp_context_free(ctx);
    // A schedule outlives its context.
    check(own->warp_stagger_index == pingpong->warp_stagger_index, "stagger", NULL);
    swp_schedule_free(own);
    swp_schedule_free(pingpong);
    printf("swp %s: %d checks\n", swp_version(), checks);
    return 0;
}
