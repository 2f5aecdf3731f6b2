/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/dataflow.h"

#include "sync/touches.h"

const swp_data_op *swp_sync_op_at(const swp_dataflow *flow, int position)
{
    return &flow->ops[position - swp_sync_pass_of(flow, position) * flow->count];
}

int swp_sync_pass_of(const swp_dataflow *flow, int position)
{
    return position >= 0 ? position / flow->count : -((flow->count - 1 - position) / flow->count);
}

int swp_sync_tile_at(const swp_dataflow *flow, int position)
{
    return swp_sync_op_at(flow, position)->tile +
           swp_sync_pass_of(flow, position) * flow->schedule->loop.tiles_per_pass;
}

bool swp_sync_takes_next_tile(const swp_dataflow *flow)
{
    return flow->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

bool swp_sync_writes_lds(const swp_dataflow *flow, const swp_op *op)
{
    return op->role == (swp_sync_takes_next_tile(flow) ? SWP_SHARED_STORE : SWP_GLOBAL_LOAD);
}

bool swp_sync_same_place(const swp_dataflow *flow, const swp_op *a, const swp_op *b)
{
    return swp_sync_takes_next_tile(flow) ||
           (a->channel == b->channel && a->stage == b->stage && a->subtile == b->subtile);
}

/* Loads that go through registers share one for staging. */
static bool is_staged(const swp_dataflow *flow, const swp_op *op)
{
    return op->role == SWP_GLOBAL_LOAD && swp_sync_takes_next_tile(flow);
}

bool swp_sync_reads_register(const swp_dataflow *flow, const swp_op *reader, const swp_op *load)
{
    if (reader->role == SWP_SHARED_STORE)
        return is_staged(flow, load);
    if (reader->role != SWP_COMPUTE || load->role != SWP_FRAGMENT_LOAD)
        return false;
    if (swp_sync_takes_next_tile(flow))
        return reader->subtile == load->subtile;
    return load->subtile == (load->channel == 0 ? reader->stage : reader->subtile);
}

bool swp_sync_same_register(const swp_dataflow *flow, const swp_op *a, const swp_op *b)
{
    if (is_staged(flow, a) && is_staged(flow, b))
        return true;
    return a->role == SWP_FRAGMENT_LOAD && b->role == SWP_FRAGMENT_LOAD &&
           a->subtile == b->subtile && (swp_sync_takes_next_tile(flow) || a->channel == b->channel);
}

int swp_sync_load_before(const swp_dataflow *flow, int position, const swp_op *load)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_same_register(flow, &swp_sync_op_at(flow, at)->op, load))
            return at;
    return SWP_NO_POSITION;
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
    for (int at = frag + 1; at <= frag + flow->count; at++) {
        const swp_op *next = &swp_sync_op_at(flow, at)->op;
        if (swp_sync_same_register(flow, next, &f->op))
            return;
        if (!swp_sync_reads_register(flow, next, &f->op))
            continue;
        f->used = true;
        f->tile = swp_sync_tile_at(flow, at);
        return;
    }
}

/* The last op of a kind before a position; SWP_NO_POSITION if there is none. */
static int last_before(const swp_dataflow *flow, int position, swp_role role)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_op_at(flow, at)->op.role == role)
            return at;
    return SWP_NO_POSITION;
}

/* The op at a position handles this tile of pass 0. */
static void use(swp_dataflow *flow, int position, int tile)
{
    const int pass = swp_sync_pass_of(flow, position);
    swp_data_op *op = &flow->ops[position - pass * flow->count];
    op->tile = tile - pass * flow->schedule->loop.tiles_per_pass;
    op->used = true;
}

/* What a loop that takes the next tile stores and loads follows from what its fragments need. */
static void follow_next_tile(swp_dataflow *flow, int frag)
{
    const int tile = flow->ops[frag].tile;
    const int store = last_before(flow, frag, SWP_SHARED_STORE);
    if (store == SWP_NO_POSITION)
        return;
    use(flow, store, tile);
    const int load = last_before(flow, store, SWP_GLOBAL_LOAD);
    if (load != SWP_NO_POSITION)
        use(flow, load, tile);
}

static void follow_tiles(swp_dataflow *flow)
{
    number_products(flow);
    for (int i = 0; i < flow->count; i++) {
        swp_data_op *op = &flow->ops[i];
        if (op->op.role == SWP_GLOBAL_LOAD && !swp_sync_takes_next_tile(flow))
            op->tile = flow->schedule->loop.first_base + swp_k_multiple(op->op.k_offset);
        if (op->op.role == SWP_FRAGMENT_LOAD)
            follow_fragment(flow, i);
    }
    for (int i = 0; i < flow->count && swp_sync_takes_next_tile(flow); i++)
        if (flow->ops[i].op.role == SWP_FRAGMENT_LOAD && flow->ops[i].used)
            follow_next_tile(flow, i);
}

static swp_data_op data_op(const swp_op *op)
{
    const bool load = op->role == SWP_GLOBAL_LOAD;
    const bool counted = load || op->role == SWP_SHARED_STORE || op->role == SWP_FRAGMENT_LOAD;
    const int stated = load ? op->vm_cost : op->lgkm_cost;
    return (swp_data_op){.op = *op,
                         .counter = !counted ? SWP_COUNTED_BY_NONE
                                    : load   ? SWP_COUNTED_BY_VM
                                             : SWP_COUNTED_BY_LGKM,
                         .accesses = stated < 1 ? 1 : stated};
}

swp_status swp_sync_dataflow_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_dataflow *out)
{
    const swp_entry_list *kernel = &schedule->kernel;
    int barriers = 0;
    *out = (swp_dataflow){.schedule = schedule};
    SWP_TRY(SWP_TAKE(ctx, kernel->count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, kernel->count, &out->given));
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_op *op = &kernel->items[i].op;
        barriers += op->tag == SWP_TAG_BARRIER;
        if (op->role == SWP_SYNC || op->role == SWP_FENCE)
            continue;
        /* What is neither synchronisation nor a hint stays, for the proof to judge. */
        out->given[out->count] = barriers;
        out->ops[out->count++] = data_op(op);
        barriers = 0;
    }
    if (out->count > 0)
        out->given[0] += barriers;
    if (schedule->dataflow)
        return swp_sync_find_accesses(ctx, out);
    follow_tiles(out);
    return SWP_OK;
}
