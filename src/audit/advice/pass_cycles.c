/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop's instructions as a schedule of one wave for the cycle model (docs/simulation.md), with the published
 * latencies of the target. Of a matrix instruction those are in proportion to what it multiplies; scalar and vector
 * arithmetic takes its issue and no more.
 */
#include "audit/advice/advice.h"

#include "base/names.h"
#include "swp/simulate.h"

/* Places and registers that no two accesses share. */
enum { CHANNEL = 1000 };

typedef struct builder {
    swp_context *ctx;
    const swp_target *target;
    swp_cost_model costs;
    swp_entry_list *entries;
} builder;

static swp_status push(builder *b, swp_op op)
{
    const swp_entry entry = {.op = op, .time_slot = (int)b->entries->count, .phase = SWP_KERNEL};
    return swp_entry_list_push(b->ctx, b->entries, entry);
}

/* The published latency of a role. */
static int latency_of(const builder *b, swp_role role)
{
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        if (b->costs.costs[tag].role == role)
            return b->costs.costs[tag].latency;
    return 0;
}

static swp_op work(const builder *b, swp_role role, swp_resource resource, int latency)
{
    swp_op op = swp_op_logical(0, CHANNEL, 0, (int)b->entries->count, SWP_K0);
    op.role = role;
    op.resource = resource;
    op.latency = latency;
    return op;
}

/* Of elements of 8 bits or less, twice as many are multiplied in a cycle. */
static bool is_narrow(swp_slice name)
{
    static const char *const types[] = {"fp8", "bf8", "f8f6f4", "_i8"};
    for (size_t i = 0; i < SWP_COUNT_OF(types); i++)
        if (swp_code_slice_contains(name, types[i]))
            return true;
    return false;
}

/* Multiply-adds of "v_mfma_f32_16x16x32_bf16", as many as if they were of 16 bits; 0: it does not say. */
static int64_t products_of(swp_slice name)
{
    int64_t products = 1;
    int factors = 0;
    const bool narrow = is_narrow(name);
    while (name.length && factors < 3) {
        int64_t factor = 0;
        size_t digits = 0;
        while (digits < name.length && name.start[digits] >= '0' && name.start[digits] <= '9')
            factor = factor * 10 + (name.start[digits++] - '0');
        const bool shape = digits && digits < 4 &&
                           (factors > 0 || (digits < name.length && name.start[digits] == 'x'));
        products *= shape ? factor : 1;
        factors += shape;
        name = swp_code_slice_after(name, digits ? digits : 1);
    }
    return factors < 3 ? 0 : narrow ? products / 2 : products;
}

static swp_status push_matrix(builder *b, const swp_insn *insn)
{
    swp_slice rest = insn->text;
    const int64_t products = products_of(swp_code_slice_take_word(&rest));
    const int *known = b->target->tile_shape.mma;
    const int64_t known_products = (int64_t)known[0] * known[1] * known[2];
    const int64_t latency = latency_of(b, SWP_COMPUTE);
    const int64_t cycles =
        products ? (products * latency + known_products - 1) / known_products : latency;
    return push(b, work(b, SWP_VALU_COMPUTE, SWP_MMA_UNIT, (int)cycles));
}

static swp_status push_wait(builder *b, const swp_machine_code *code, const swp_insn *insn)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        if (insn->waits[c] != SWP_NO_WAIT && insn->waits[c] < code->counter_max[c])
            SWP_TRY(push(b, c == SWP_AUDIT_VM ? swp_op_wait_vm(insn->waits[c])
                                              : swp_op_wait_lgkm(insn->waits[c])));
    return SWP_OK;
}

static swp_status push_access(builder *b, const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    if (traits->counted[SWP_AUDIT_VM]) {
        swp_op op = work(b, SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, latency_of(b, SWP_GLOBAL_LOAD));
        op.vm_cost = 1;
        return push(b, op);
    }
    const swp_role timed = insn->kind == SWP_INSN_SCALAR_LOAD ? SWP_GLOBAL_LOAD : SWP_FRAGMENT_LOAD;
    swp_op op = work(b, SWP_FRAGMENT_LOAD, SWP_LDS, latency_of(b, timed));
    op.lgkm_cost = 1;
    return push(b, op);
}

static swp_status push_insn(builder *b, const swp_machine_code *code, const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    if (insn->kind == SWP_INSN_WAIT)
        return push_wait(b, code, insn);
    if (insn->kind == SWP_INSN_BARRIER)
        return push(b, swp_op_barrier());
    if (insn->kind == SWP_INSN_MATRIX)
        return push_matrix(b, insn);
    if (traits->counted[SWP_AUDIT_VM] || traits->counted[SWP_AUDIT_LGKM])
        return push_access(b, insn);
    return push(b, swp_op_set_prio(0));
}

/* The block that follows within the loop; SWP_NO_BLOCK: there is not just one, or it is the header. */
static int next_within(const swp_flow *flow, int loop, int block)
{
    int next = SWP_NO_BLOCK;
    for (int s = 0; s < flow->blocks[block].successor_count; s++) {
        const int to = flow->blocks[block].successors[s];
        if (!swp_flow_in_loop(flow, loop, to))
            continue;
        if (next != SWP_NO_BLOCK)
            return SWP_NO_BLOCK;
        next = to;
    }
    return next == flow->loops[loop].header ? SWP_NO_BLOCK : next;
}

/* Whether all blocks of a loop lie on one way round it. */
static bool has_one_way(const swp_flow *flow, int loop)
{
    int blocks = 0;
    for (int b = flow->loops[loop].header; b != SWP_NO_BLOCK && blocks < flow->loops[loop].blocks;
         b = next_within(flow, loop, b))
        blocks++;
    return flow->loops[loop].innermost && blocks == flow->loops[loop].blocks;
}

static swp_schedule empty_schedule(const swp_machine_code *code)
{
    swp_schedule schedule = {.name = "",
                             .target = code->target,
                             .stream_count = 1,
                             .machine = swp_machine_default(),
                             .loop = {.tiles_per_pass = 1,
                                      .first_base = 1,
                                      .min_tiles = 1,
                                      .multiple = 1,
                                      .m_mmas = 1,
                                      .n_mmas = 1,
                                      .placement = SWP_PLACE_K_OFFSET}};
    schedule.machine.registers = SWP_REGISTERS_RAW;
    schedule.machine.vm_max = code->counter_max[SWP_AUDIT_VM];
    schedule.machine.lgkm_max = code->counter_max[SWP_AUDIT_LGKM];
    return schedule;
}

swp_status swp_advice_pass_cycles(swp_context *ctx, const swp_flow *flow, int loop, bool *known,
                                  double *cycles)
{
    const swp_machine_code *code = flow->code;
    const swp_target *target = swp_target_find(code->target);
    swp_schedule schedule = empty_schedule(code);
    swp_simulation simulation = {0};
    *known = false;
    if (!target || !has_one_way(flow, loop))
        return SWP_OK;
    builder b = {ctx, target, target->double_buffer(1, 1, 0).cost_model,
                 &schedule.streams[0].kernel};
    int block = flow->loops[loop].header;
    for (int n = 0; n < flow->loops[loop].blocks; n++) {
        for (int i = flow->blocks[block].first; i < flow->blocks[block].end; i++)
            SWP_TRY(push_insn(&b, code, &code->insns.items[i]));
        block = next_within(flow, loop, block);
    }
    const size_t reported = ctx->diags->count;
    const swp_status status = swp_simulate(ctx, &schedule, NULL, &simulation);
    if (swp_ends_work(status))
        return status;
    ctx->diags->count = reported;
    *known = status == SWP_OK && simulation.passes > 0;
    *cycles = *known ? (double)simulation.cycles / simulation.passes : 0;
    return SWP_OK;
}
