/* SPDX-License-Identifier: Apache-2.0 */
/* Adds units, values and ops to built-in loops, with the costs of a target. */
#include "kernels/loop_maker.h"

#include "target/figures.h"

enum { CONSUMERS = 2 };

int64_t swp_kernels_share(int64_t work, int64_t each)
{
    return (work + each - 1) / each;
}

int64_t swp_kernels_figure(const swp_loop_maker *m, swp_target_figure figure)
{
    return swp_target_value_of(m->target, figure);
}

swp_completion swp_kernels_mma_completion(const swp_loop_maker *m)
{
    if (m->consumer)
        return SWP_COMPLETION_MATRIX_GROUP;
    return m->target->mma_is_async ? SWP_COMPLETION_GROUP : SWP_COMPLETION_NONE;
}

static void add_units(swp_loop_maker *m)
{
    m->memory = swp_loop_add_unit(m->b, "global_mem", 1);
    m->lds = swp_loop_add_unit(m->b, "lds", 1);
    m->mma = swp_loop_add_unit(m->b, "mma_unit", 1);
    m->valu = swp_loop_add_unit(m->b, "valu", 1);
    m->exps = m->target->exp_apart ? swp_loop_add_unit(m->b, "sfu", 1) : m->valu;
}

void swp_kernels_add_roles(swp_loop_maker *m, int producer_registers, int consumer_registers,
                           int64_t kept)
{
    enum { SLOTS = 4 };
    m->producer = swp_loop_add_role(
        m->b, (swp_loop_role){.name = "producer", .warps = 1, .registers = producer_registers});
    m->consumer = swp_loop_add_role(m->b, (swp_loop_role){.name = "consumer",
                                                          .warps = 4,
                                                          .instances = CONSUMERS,
                                                          .registers = consumer_registers});
    m->signal = swp_kernels_figure(m, SWP_TARGET_SYNC_SIGNAL);
    if (m->most_slots == 0)
        m->most_slots = SLOTS;
    if (m->shared_bytes == 0)
        m->shared_bytes = swp_kernels_figure(m, SWP_TARGET_GROUP_BYTES) - kept;
}

int swp_kernels_add_tile(swp_loop_maker *m, const char *name, int64_t bytes)
{
    return swp_value(m->b, name, .space = SWP_SPACE_SHARED, .bytes = bytes,
                     .most_slots = m->most_slots);
}

int swp_kernels_add_registers(swp_loop_maker *m, const char *name, int64_t bytes)
{
    return swp_value(m->b, name, .space = SWP_SPACE_REGISTERS, .bytes = bytes);
}

void swp_kernels_add_load(swp_loop_maker *m, swp_loop_op_args op, int64_t bytes)
{
    const int64_t cycles = swp_kernels_share(bytes, swp_kernels_figure(m, SWP_TARGET_LOAD_BYTES));
    op.uses[0].unit = m->memory;
    op.uses[0].cycles = cycles;
    op.latency = swp_kernels_figure(m, SWP_TARGET_LOAD_LATENCY) + cycles;
    op.role = m->producer;
    op.completion = m->producer            ? SWP_COMPLETION_COPY_MBARRIER
                    : m->target->mbarriers ? SWP_COMPLETION_MBARRIER
                                           : SWP_COMPLETION_COUNTER;
    swp_loop_add_op(m->b, op);
}

/* Returns an instance's share of the work, in units of `each`. */
static int64_t of_instance(const swp_loop_maker *m, int64_t work, int64_t each)
{
    return swp_kernels_share(work, each * (m->consumer ? CONSUMERS : 1));
}

static void add_tile_op(swp_loop_maker *m, swp_loop_op_args op, int unit, int64_t cycles,
                        int64_t latency)
{
    op.role = m->consumer;
    op.uses[0].unit = unit;
    op.uses[0].cycles = cycles;
    op.read_cycles = cycles;
    op.latency = cycles + latency;
    swp_loop_add_op(m->b, op);
}

int64_t swp_kernels_issue(const swp_loop_maker *m, int64_t lanes, int instructions)
{
    return m->consumer ? instructions *
                             of_instance(m, lanes, swp_kernels_figure(m, SWP_TARGET_VECTOR_LANES))
                       : 0;
}

int64_t swp_kernels_issue_exponentials(const swp_loop_maker *m, int64_t lanes, int instructions)
{
    return m->consumer ? of_instance(m, lanes, swp_kernels_figure(m, SWP_TARGET_EXP_LANES)) +
                             swp_kernels_issue(m, lanes, instructions)
                       : 0;
}

void swp_kernels_add_vector_op(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes)
{
    add_tile_op(m, op, m->valu,
                of_instance(m, lanes, swp_kernels_figure(m, SWP_TARGET_VECTOR_LANES)),
                swp_kernels_figure(m, SWP_TARGET_VECTOR_LATENCY));
}

void swp_kernels_add_exponentials(swp_loop_maker *m, swp_loop_op_args op, int64_t count)
{
    add_tile_op(m, op, m->exps, of_instance(m, count, swp_kernels_figure(m, SWP_TARGET_EXP_LANES)),
                swp_kernels_figure(m, SWP_TARGET_VECTOR_LATENCY));
}

void swp_kernels_add_matrix_op(swp_loop_maker *m, swp_loop_op_args op, int64_t products)
{
    op.completion = swp_kernels_mma_completion(m);
    add_tile_op(m, op, m->mma,
                of_instance(m, products, swp_kernels_figure(m, SWP_TARGET_MMA_PRODUCTS)),
                swp_kernels_figure(m, SWP_TARGET_MMA_LATENCY));
}

void swp_kernels_add_matrix_op_in_turns(swp_loop_maker *m, swp_loop_op_args op, int64_t products)
{
    const int64_t cycles = of_instance(m, products, swp_kernels_figure(m, SWP_TARGET_MMA_PRODUCTS));
    op.role = m->consumer;
    op.uses[0].unit = m->mma;
    op.uses[0].cycles = cycles;
    op.latency = CONSUMERS * cycles + swp_kernels_figure(m, SWP_TARGET_MMA_LATENCY);
    op.read_cycles = op.latency;
    op.completion = swp_kernels_mma_completion(m);
    swp_loop_add_op(m->b, op);
}

void swp_kernels_add_clear(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes)
{
    op.name = "CLEAR";
    op.clock = SWP_TILE_CLOCK;
    swp_kernels_add_vector_op(m, op, lanes);
}

/*
 * Ordinary instructions pack the results into shared memory, from where one bulk store of each
 * instance takes its share.
 */
void swp_kernels_add_way_out(swp_loop_maker *m, swp_loop_op_args op, int64_t lanes)
{
    const int64_t bytes = lanes * SWP_KERNELS_ELEMENT;
    const int64_t cycles = of_instance(m, bytes, swp_kernels_figure(m, SWP_TARGET_LOAD_BYTES));
    const int staged = swp_value(m->b, "D", .space = SWP_SPACE_SHARED, .bytes = bytes);
    op.name = "STAGE";
    op.clock = SWP_TILE_CLOCK;
    op.completion = SWP_COMPLETION_NONE;
    op.writes[0] = staged;
    swp_kernels_add_vector_op(m, op, lanes);
    swp_work(m->b, "STORE", .role = m->consumer, .clock = SWP_TILE_CLOCK,
             .uses = {{.unit = m->memory, .cycles = cycles}},
             .latency = swp_kernels_figure(m, SWP_TARGET_LOAD_LATENCY) + cycles,
             .read_cycles = cycles, .completion = SWP_COMPLETION_STORE_GROUP, .writes_global = true,
             .reads = {{.value = staged}});
}

swp_status swp_kernels_make_loop(swp_context *ctx, const char *name, const swp_target *target,
                                 const swp_settings *settings, void (*add)(swp_loop_maker *m),
                                 swp_loop *out)
{
    swp_loop_maker m = {.b = swp_loop_new(ctx, name),
                        .target = target,
                        .settings = &settings->loop,
                        .most_slots = settings->loop.slots,
                        .shared_bytes = settings->loop.shared_bytes};
    if (!m.b)
        return SWP_OUT_OF_MEMORY;
    if (!target->has_loops)
        return swp_context_report(ctx, &(swp_diag){.severity = SWP_ERROR,
                                                   .code = "E0108",
                                                   .message = "the target states no costs for "
                                                              "built-in loops",
                                                   .hint = "mi355x and sm_90 do"}) == SWP_OK
                   ? SWP_INVALID
                   : SWP_OUT_OF_MEMORY;
    add_units(&m);
    add(&m);
    const swp_status status = swp_loop_done(m.b, out);
    out->signal = m.signal;
    out->shared_budget = m.shared_bytes;
    out->least_resident = settings->loop.resident_work_groups;
    out->most_resident = settings->loop.resident_work_groups;
    out->lane_registers = settings->loop.lane_registers;
    out->output_tiles = settings->loop.persistent && m.consumer;
    return status;
}
