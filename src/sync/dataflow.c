/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/dataflow.h"

#include "base/diag.h"

static bool is_data(const swp_op *op)
{
    return op->role == SWP_GLOBAL_LOAD || op->role == SWP_SHARED_STORE ||
           op->role == SWP_FRAGMENT_LOAD || op->role == SWP_COMPUTE;
}

static bool takes_next_tile(const swp_dataflow *flow)
{
    return flow->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

bool swp_reads_register(const swp_dataflow *flow, const swp_op *compute, const swp_op *frag)
{
    if (takes_next_tile(flow))
        return compute->subtile == frag->subtile;
    return frag->subtile == (frag->channel == 0 ? compute->stage : compute->subtile);
}

static bool same_register(const swp_dataflow *flow, const swp_op *a, const swp_op *b)
{
    return a->subtile == b->subtile && (takes_next_tile(flow) || a->channel == b->channel);
}

static bool same_place(const swp_dataflow *flow, const swp_op *a, const swp_op *b)
{
    return takes_next_tile(flow) ||
           (a->channel == b->channel && a->stage == b->stage && a->subtile == b->subtile);
}

/* Writes an LDS place: a load, or a store where loads go through registers. */
static bool writes_lds(const swp_dataflow *flow, const swp_op *op)
{
    return op->role == (takes_next_tile(flow) ? SWP_SHARED_STORE : SWP_GLOBAL_LOAD);
}

/* The k-th COMPUTE of an accumulator in a pass adds the pass's k-th tile. */
static void number_products(swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_op *op = &flow->ops[i].op;
        if (op->role != SWP_COMPUTE)
            continue;
        flow->ops[i].used = true;
        for (int j = 0; j < i; j++)
            flow->ops[i].tile += flow->ops[j].op.role == SWP_COMPUTE &&
                                 flow->ops[j].op.stage == op->stage &&
                                 flow->ops[j].op.subtile == op->subtile;
    }
}

/* A fragment's tile is that of the COMPUTE that reads it before the register is loaded again. */
static void follow_fragment(swp_dataflow *flow, int frag)
{
    swp_data_op *f = &flow->ops[frag];
    for (int step = 1; step <= flow->count; step++) {
        const int at = (frag + step) % flow->count;
        const swp_data_op *next = &flow->ops[at];
        if (next->op.role == SWP_FRAGMENT_LOAD && same_register(flow, &next->op, &f->op))
            return;
        if (next->op.role != SWP_COMPUTE || !swp_reads_register(flow, &next->op, &f->op))
            continue;
        f->used = true;
        f->tile = next->tile + (at < frag ? flow->schedule->loop.tiles_per_pass : 0);
        return;
    }
}

/* The last op of a role before `from` in the cycle; how many passes before. -1 if none. */
static int last_before(const swp_dataflow *flow, int from, swp_role role, int *passes)
{
    for (int step = 1; step <= flow->count; step++) {
        const int at = (from - step + flow->count) % flow->count;
        *passes = at >= from;
        if (flow->ops[at].op.role == role)
            return at;
    }
    return -1;
}

/* What a loop that takes the next tile stores and loads follows from what its fragments need. */
static void follow_next_tile(swp_dataflow *flow, int frag)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    int passes = 0;
    const int store = last_before(flow, frag, SWP_SHARED_STORE, &passes);
    if (store < 0)
        return;
    flow->ops[store].tile = flow->ops[frag].tile + passes * tiles;
    flow->ops[store].used = true;
    const int load = last_before(flow, store, SWP_GLOBAL_LOAD, &passes);
    if (load < 0)
        return;
    flow->ops[load].tile = flow->ops[store].tile + passes * tiles;
    flow->ops[load].used = true;
}

static void follow_tiles(swp_dataflow *flow)
{
    number_products(flow);
    for (int i = 0; i < flow->count; i++) {
        swp_data_op *op = &flow->ops[i];
        if (op->op.role == SWP_GLOBAL_LOAD && !takes_next_tile(flow)) {
            op->tile = flow->schedule->loop.first_base + swp_k_multiple(op->op.k_offset);
            op->used = true;
        }
        if (op->op.role == SWP_FRAGMENT_LOAD)
            follow_fragment(flow, i);
    }
    for (int i = 0; i < flow->count && takes_next_tile(flow); i++)
        if (flow->ops[i].op.role == SWP_FRAGMENT_LOAD && flow->ops[i].used)
            follow_next_tile(flow, i);
}

/* Places of an op in the endless list, from op 0 of this pass on. */
static int position(const swp_dataflow *flow, int op, int pass)
{
    return pass * flow->count + op;
}

static swp_status push_arc(swp_context *ctx, swp_dataflow *flow, swp_arc arc)
{
    return SWP_PUSH(ctx, &flow->arcs, arc);
}

static swp_status report_order(swp_context *ctx, const swp_dataflow *flow, int frag,
                               const char *why)
{
    const swp_op *op = &flow->ops[frag].op;
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(ctx, SWP_E0730, SWP_NOWHERE, "change the order of the data operations",
                     "no synchronisation makes this order right: fragment load %s (channel %d, "
                     "stage %d, subtile %d) %s",
                     swp_op_name(&ctx->op_namer, op->tag, buffer), op->channel, op->stage,
                     op->subtile, why);
}

/* The write that brings the fragment's tile, as passes before; false if there is none. */
static bool find_write(const swp_dataflow *flow, int frag, int *write, int *passes)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    for (int i = 0; i < flow->count; i++) {
        const swp_data_op *w = &flow->ops[i];
        const int ahead = w->tile - flow->ops[frag].tile;
        if (!writes_lds(flow, &w->op) || !same_place(flow, &w->op, &flow->ops[frag].op) ||
            ahead % tiles != 0)
            continue;
        *write = i;
        *passes = ahead / tiles;
        return true;
    }
    return false;
}

/* The first write to the place after the one at `from`. */
static int next_write(const swp_dataflow *flow, int frag, int from)
{
    for (int at = from + 1; at <= from + flow->count; at++) {
        const int op = ((at % flow->count) + flow->count) % flow->count;
        if (writes_lds(flow, &flow->ops[op].op) &&
            same_place(flow, &flow->ops[op].op, &flow->ops[frag].op))
            return at;
    }
    return from + flow->count;
}

static swp_status add_arcs(swp_context *ctx, swp_dataflow *flow, int frag)
{
    int write = 0;
    int passes = 0;
    if (!find_write(flow, frag, &write, &passes))
        return report_order(ctx, flow, frag, "needs a tile that no load brings there");
    const int read_at = position(flow, frag, 0);
    const int write_at = position(flow, write, -passes);
    const int overwrite_at = next_write(flow, frag, write_at);
    if (write_at > read_at)
        return report_order(ctx, flow, frag, "stands before the load of its tile");
    if (overwrite_at < read_at)
        return report_order(ctx, flow, frag, "stands after the load that replaces its tile");
    const int over = overwrite_at % flow->count;
    SWP_TRY(push_arc(ctx, flow, (swp_arc){write, frag, passes}));
    return push_arc(ctx, flow, (swp_arc){frag, over, (overwrite_at - over) / flow->count});
}

swp_status swp_dataflow_build(swp_context *ctx, const swp_schedule *schedule, swp_dataflow *out)
{
    const swp_entry_list *kernel = &schedule->kernel;
    *out = (swp_dataflow){.schedule = schedule};
    SWP_TRY(SWP_TAKE(ctx, kernel->count, &out->ops));
    for (size_t i = 0; i < kernel->count; i++)
        if (is_data(&kernel->items[i].op))
            out->ops[out->count++] = (swp_data_op){.op = kernel->items[i].op};
    follow_tiles(out);
    for (int i = 0; i < out->count; i++)
        if (out->ops[i].op.role == SWP_FRAGMENT_LOAD && out->ops[i].used)
            SWP_TRY(add_arcs(ctx, out, i));
    return SWP_OK;
}
