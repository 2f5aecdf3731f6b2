/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in loops (docs/loops.md): one logical iteration each, for any target that states loop costs. */
#include "swp/loop_compile.h"

#include "kernels/builtin.h"

enum { ELEMENT = 2, BLOCK = 128, BLOCK_K = 64, HEAD = 128, GEMM_SIDE = 2 };

/* A loop on its way, with what all of them need. */
typedef struct maker {
    swp_loop_builder *b;
    const swp_loop_costs *costs;
    const swp_loop_settings *settings;
    int memory;
    int lds;
    int mma;
    int valu;
    int exps;
} maker;

static int64_t share(int64_t work, int64_t each)
{
    return (work + each - 1) / each;
}

static swp_completion load_completion(const maker *m)
{
    return m->costs->mbarriers ? SWP_COMPLETION_MBARRIER : SWP_COMPLETION_COUNTER;
}

static swp_completion mma_completion(const maker *m)
{
    return m->costs->mma_is_async ? SWP_COMPLETION_GROUP : SWP_COMPLETION_NONE;
}

static void add_units(maker *m)
{
    m->memory = swp_loop_add_unit(m->b, "global_mem", 1);
    m->lds = swp_loop_add_unit(m->b, "lds", 1);
    m->mma = swp_loop_add_unit(m->b, "mma_unit", 1);
    m->valu = swp_loop_add_unit(m->b, "valu", 1);
    m->exps = m->costs->exp_apart ? swp_loop_add_unit(m->b, "sfu", 1) : m->valu;
}

static int add_tile(maker *m, const char *name, int64_t bytes)
{
    return swp_value(m->b, name, .space = SWP_SPACE_SHARED, .bytes = bytes,
                     .most_slots = m->settings->slots);
}

static int add_registers(maker *m, const char *name, int64_t bytes)
{
    return swp_value(m->b, name, .space = SWP_SPACE_REGISTERS, .bytes = bytes);
}

static void add_load(maker *m, const char *name, int tile, int64_t bytes)
{
    const int64_t cycles = share(bytes, m->costs->load_bytes);
    swp_work(m->b, name, .uses = {{.unit = m->memory, .cycles = cycles}},
             .latency = m->costs->load_latency + cycles, .completion = load_completion(m),
             .writes = {tile});
}

/* GEMM whose matrix op takes whole tiles of A and B from shared memory. */
static void gemm_tile(maker *m)
{
    const int64_t bytes = (int64_t)BLOCK * BLOCK_K * ELEMENT;
    const int64_t cycles = share((int64_t)BLOCK * BLOCK * BLOCK_K, m->costs->mma_products);
    const int64_t reads = share(2 * bytes, m->costs->shared_bytes);
    const int a = add_tile(m, "A", bytes);
    const int b = add_tile(m, "B", bytes);
    const int c = add_registers(m, "C", (int64_t)BLOCK * BLOCK * 4);
    add_load(m, "LOAD_A", a, bytes);
    add_load(m, "LOAD_B", b, bytes);
    /* Matrix ops into one accumulator follow each other at the unit's rate. */
    swp_work(m->b, "MMA",
             .uses = {{.unit = m->mma, .cycles = cycles},
                      {.unit = m->lds, .cycles = reads < cycles ? reads : cycles}},
             .latency = cycles, .read_cycles = cycles, .completion = mma_completion(m),
             .reads = {{.value = a}, {.value = b}}, .updates = {c});
}

/* The published kernels' GEMM: quadrants of A and B through LDS and register fragments, a 2 x 2 grid of MMAs. */
static void gemm_fragments(maker *m, const swp_target *target)
{
    static const char *const tiles[2][GEMM_SIDE] = {{"A0", "A1"}, {"B0", "B1"}};
    static const char *const fragments[2][GEMM_SIDE] = {{"a0", "a1"}, {"b0", "b1"}};
    static const char *const loads[2][GEMM_SIDE] = {{"LOAD_A0", "LOAD_A1"}, {"LOAD_B0", "LOAD_B1"}};
    static const char *const reads[2][GEMM_SIDE] = {{"FRAG_A0", "FRAG_A1"}, {"FRAG_B0", "FRAG_B1"}};
    static const char *const mmas[GEMM_SIDE][GEMM_SIDE] = {{"MMA_00", "MMA_01"},
                                                           {"MMA_10", "MMA_11"}};
    static const char *const sums[GEMM_SIDE][GEMM_SIDE] = {{"c00", "c01"}, {"c10", "c11"}};
    enum { VM = 4, LGKM = 8, SLOTS = 2 };
    const swp_tile_shape *shape = &target->tile_shape;
    const int64_t sum_bytes = (int64_t)shape->block[0] * shape->block[1];
    const swp_cost_model costs = target->double_buffer(VM, VM, 1).cost_model;
    const int slots = m->settings->slots ? m->settings->slots : SLOTS;
    const int vm = target->accesses.load_is_group ? 1 : VM;
    const int lgkm = target->accesses.frag_synchronous ? 1 : LGKM;
    const int64_t load_latency = costs.costs[SWP_LOAD_A].latency;
    const int64_t read_latency = costs.costs[SWP_MMA_LOAD_A].latency;
    /* A counter holds so many accesses in flight; the next one waits for room. */
    const int vmcnt = swp_loop_add_unit(m->b, "vmcnt", target->vm_max);
    const int lgkmcnt = swp_loop_add_unit(m->b, "lgkmcnt", target->lgkm_max);
    int fragment[2][GEMM_SIDE];
    for (int channel = 0; channel < 2; channel++) {
        const int64_t bytes =
            (int64_t)shape->block[channel] * shape->block[2] * shape->elem_bytes / GEMM_SIDE;
        for (int i = 0; i < GEMM_SIDE; i++) {
            const int place = swp_value(m->b, tiles[channel][i], .space = SWP_SPACE_SHARED,
                                        .bytes = bytes, .most_slots = slots);
            fragment[channel][i] =
                swp_value(m->b, fragments[channel][i], .most_slots = 1,
                          .space = SWP_SPACE_REGISTERS, .bytes = bytes / GEMM_SIDE);
            swp_work(
                m->b, loads[channel][i],
                .uses = {{.unit = m->memory, .cycles = (int64_t)m->settings->occupancy_global * vm},
                         {.unit = vmcnt, .cycles = load_latency, .amount = vm}},
                .latency = load_latency, .accesses = vm, .completion = SWP_COMPLETION_COUNTER,
                .writes = {place});
            swp_work(
                m->b, reads[channel][i],
                .uses = {{.unit = m->lds, .cycles = (int64_t)m->settings->occupancy_lds * lgkm},
                         {.unit = lgkmcnt, .cycles = read_latency, .amount = lgkm}},
                .latency = read_latency, .accesses = lgkm, .completion = SWP_COMPLETION_COUNTER,
                .reads = {{.value = place}}, .writes = {fragment[channel][i]});
        }
    }
    for (int row = 0; row < GEMM_SIDE; row++)
        for (int column = 0; column < GEMM_SIDE; column++) {
            const int64_t cycles = costs.costs[SWP_MMA].latency;
            const int sum = add_registers(m, sums[row][column], sum_bytes);
            swp_work(m->b, mmas[row][column], .uses = {{.unit = m->mma, .cycles = cycles}},
                     .latency = cycles,
                     .reads = {{.value = fragment[0][row]}, {.value = fragment[1][column]}},
                     .updates = {sum});
        }
}

/* An op over a tile reads as long as it issues instructions. */
static void add_vector_op(maker *m, swp_loop_op_args op, int64_t lanes)
{
    const int64_t cycles = share(lanes, m->costs->valu_lanes);
    op.uses[0].unit = m->valu;
    op.uses[0].cycles = cycles;
    op.read_cycles = cycles;
    op.latency = cycles + m->costs->valu_latency;
    swp_loop_add_op(m->b, op);
}

static void add_matrix_op(maker *m, swp_loop_op_args op, int64_t products)
{
    const int64_t cycles = share(products, m->costs->mma_products);
    op.uses[0].unit = m->mma;
    op.uses[0].cycles = cycles;
    op.read_cycles = cycles;
    op.latency = cycles + m->costs->mma_latency;
    op.completion = mma_completion(m);
    swp_loop_add_op(m->b, op);
}

/* One block of queries against a block of keys and values an iteration, with a running softmax. */
static void attention_fwd(maker *m)
{
    const int64_t bytes = (int64_t)BLOCK * HEAD * ELEMENT;
    const int64_t scores = (int64_t)BLOCK * BLOCK;
    const int64_t products = scores * HEAD;
    const int64_t exp_cycles = share(scores, m->costs->exp_lanes);
    const int keys = add_tile(m, "K", bytes);
    const int values = add_tile(m, "V", bytes);
    const int s = add_registers(m, "S", scores * 4);
    const int p = add_registers(m, "P", scores * ELEMENT);
    const int scale = add_registers(m, "scale", (int64_t)BLOCK * 4);
    const int top = add_registers(m, "m", (int64_t)BLOCK * 4);
    const int sum = add_registers(m, "l", (int64_t)BLOCK * 4);
    const int out = add_registers(m, "O", (int64_t)BLOCK * HEAD * 4);
    add_load(m, "LOAD_K", keys, bytes);
    add_matrix_op(m, (swp_loop_op_args){.name = "QK", .reads = {{.value = keys}}, .writes = {s}},
                  products);
    add_vector_op(
        m,
        (swp_loop_op_args){
            .name = "ROW_MAX", .reads = {{.value = s}}, .writes = {scale}, .updates = {top}},
        scores);
    swp_work(m->b, "EXP", .uses = {{.unit = m->exps, .cycles = exp_cycles}},
             .latency = exp_cycles + m->costs->valu_latency, .read_cycles = exp_cycles,
             .reads = {{.value = s}, {.value = top}}, .writes = {p});
    add_vector_op(m,
                  (swp_loop_op_args){.name = "ROW_SUM",
                                     .reads = {{.value = p}, {.value = scale}},
                                     .updates = {sum}},
                  scores);
    add_load(m, "LOAD_V", values, bytes);
    add_vector_op(
        m, (swp_loop_op_args){.name = "RESCALE", .reads = {{.value = scale}}, .updates = {out}},
        (int64_t)BLOCK * HEAD);
    add_matrix_op(m,
                  (swp_loop_op_args){
                      .name = "PV", .reads = {{.value = p}, {.value = values}}, .updates = {out}},
                  products);
}

/* A stencil over planes: each iteration loads one and computes from it and the two before. */
static void stencil(maker *m)
{
    enum { POINTS = 64 * 64, OPERATIONS = 7 };
    const int64_t bytes = (int64_t)POINTS * 4;
    const int64_t stores = share(bytes, m->costs->load_bytes);
    const int64_t reads = share(3 * bytes, m->costs->shared_bytes);
    const int64_t cycles = share((int64_t)POINTS * OPERATIONS, m->costs->valu_lanes);
    const int plane = add_tile(m, "plane", bytes);
    const int points = add_registers(m, "points", 3 * bytes);
    const int result = add_registers(m, "result", bytes);
    add_load(m, "LOAD_PLANE", plane, bytes);
    swp_work(m->b, "READ", .uses = {{.unit = m->lds, .cycles = reads}},
             .latency = m->costs->shared_latency + reads, .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = plane},
                       {.value = plane, .distance = 1},
                       {.value = plane, .distance = 2}},
             .writes = {points});
    swp_work(m->b, "STENCIL", .uses = {{.unit = m->valu, .cycles = cycles}},
             .latency = cycles + m->costs->valu_latency, .read_cycles = cycles,
             .reads = {{.value = points}}, .writes = {result});
    swp_work(m->b, "STORE", .uses = {{.unit = m->memory, .cycles = stores}}, .latency = stores,
             .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = result}});
}

/* X(name, meaning) */
#define LOOPS(X)                                                                                   \
    X(gemm_tile, "GEMM, A and B through shared memory; pipelined from one iteration")              \
    X(attention_fwd, "attention forward: Q.K, softmax, P.V; pipelined from one iteration")         \
    X(stencil, "a stencil over planes; pipelined from one iteration")

static swp_status begin(swp_context *ctx, const char *name, const swp_target *target,
                        const swp_settings *settings, maker *m)
{
    *m = (maker){.b = swp_loop_new(ctx, name), .costs = target->loop, .settings = &settings->loop};
    if (!m->b)
        return SWP_OUT_OF_MEMORY;
    if (!target->loop)
        return swp_context_report(ctx, &(swp_diag){.severity = SWP_ERROR,
                                                   .code = "E0108",
                                                   .message = "the target states no costs for "
                                                              "built-in loops",
                                                   .hint = "mi355x and sm_90 do"}) == SWP_OK
                   ? SWP_INVALID
                   : SWP_OUT_OF_MEMORY;
    add_units(m);
    return SWP_OK;
}

static swp_status end(maker *m, swp_loop *out)
{
    const swp_status status = swp_loop_done(m->b, out);
    out->shared_budget = m->settings->shared_bytes;
    out->lane_registers = m->settings->lane_registers;
    return status;
}

#define DEFINE(loop_name, text)                                                                    \
    static swp_status make_##loop_name(swp_context *ctx, const swp_target *target,                 \
                                       const swp_settings *settings, swp_loop *out)                \
    {                                                                                              \
        maker m;                                                                                   \
        const swp_status status = begin(ctx, #loop_name, target, settings, &m);                    \
        if (status != SWP_OK)                                                                      \
            return status;                                                                         \
        loop_name(&m);                                                                             \
        return end(&m, out);                                                                       \
    }                                                                                              \
    const swp_builtin swp_kernels_##loop_name##_builtin = {                                        \
        .name = #loop_name, .meaning = (text), .loop = make_##loop_name};
LOOPS(DEFINE)
#undef DEFINE

static swp_status make_gemm_fragments(swp_context *ctx, const swp_target *target,
                                      const swp_settings *settings, swp_loop *out)
{
    maker m;
    const swp_status status = begin(ctx, "gemm_fragments", target, settings, &m);
    if (status != SWP_OK)
        return status;
    gemm_fragments(&m, target);
    return end(&m, out);
}

const swp_builtin swp_kernels_gemm_fragments_builtin = {
    .name = "gemm_fragments",
    .meaning = "GEMM with split loads and register fragments; pipelined from one iteration",
    .loop = make_gemm_fragments};
