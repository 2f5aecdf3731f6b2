/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits and barriers may be for besides registers and LDS: the order of accesses to global memory, whose
 * addresses nobody knows here.
 */
#include "audit/advice/advice.h"

/* What global memory is accessed for between a barrier and the next ones. */
typedef struct traffic {
    bool reads;
    bool writes;
} traffic;

typedef struct walker {
    swp_context *ctx;
    const swp_flow *flow;
    bool *seen; /* by block */
    int *pending;
    int count;
    traffic found;
} walker;

static void add_insn(walker *w, const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    w->found.writes |= insn->kind == SWP_INSN_STORE || insn->kind == SWP_INSN_ATOMIC ||
                       insn->kind == SWP_INSN_FLAT_STORE || insn->kind == SWP_INSN_FLAT_ATOMIC;
    w->found.reads |= traits->counted[SWP_AUDIT_VM] || insn->kind == SWP_INSN_SCALAR_LOAD;
}

static void push(walker *w, int block)
{
    if (w->seen[block] || !w->flow->blocks[block].reached)
        return;
    w->seen[block] = true;
    w->pending[w->count++] = block;
}

static bool leads_to(const swp_block *from, int to)
{
    for (int s = 0; s < from->successor_count; s++)
        if (from->successors[s] == to)
            return true;
    return false;
}

/* From an instruction to a barrier, forwards or backwards. Returns whether the block has none there. */
static bool walk_block(walker *w, int block, int from, int step)
{
    const swp_block *b = &w->flow->blocks[block];
    for (int i = from; i >= b->first && i < b->end; i += step) {
        const swp_insn *insn = &w->flow->code->insns.items[i];
        if (insn->kind == SWP_INSN_BARRIER)
            return false;
        add_insn(w, insn);
    }
    return true;
}

static void push_neighbours(walker *w, int block, int step)
{
    const swp_flow *flow = w->flow;
    for (int s = 0; step > 0 && s < flow->blocks[block].successor_count; s++)
        push(w, flow->blocks[block].successors[s]);
    for (int from = 0; step < 0 && from < flow->block_count; from++)
        if (leads_to(&flow->blocks[from], block))
            push(w, from);
}

static swp_status find_traffic(walker *w, int insn, int step, traffic *out)
{
    const size_t blocks = (size_t)w->flow->block_count;
    const int block = swp_flow_block_of(w->flow, insn);
    SWP_TRY(SWP_TAKE(w->ctx, blocks, &w->seen));
    SWP_TRY(SWP_TAKE(w->ctx, blocks, &w->pending));
    w->found = (traffic){0};
    w->count = 0;
    if (walk_block(w, block, insn + step, step))
        push_neighbours(w, block, step);
    while (w->count) {
        const int at = w->pending[--w->count];
        const swp_block *b = &w->flow->blocks[at];
        if (walk_block(w, at, step > 0 ? b->first : b->end - 1, step))
            push_neighbours(w, at, step);
    }
    *out = w->found;
    return SWP_OK;
}

swp_status swp_advice_barrier_orders_memory(swp_context *ctx, const swp_flow *flow, int insn,
                                            bool *orders)
{
    walker w = {.ctx = ctx, .flow = flow};
    traffic before;
    traffic after;
    SWP_TRY(find_traffic(&w, insn, -1, &before));
    SWP_TRY(find_traffic(&w, insn, 1, &after));
    *orders = (before.writes && (after.reads || after.writes)) || (before.reads && after.writes);
    return SWP_OK;
}

bool swp_advice_is_shared_outside(const swp_flow *flow)
{
    if (flow->function->split)
        return true;
    for (int i = flow->function->first; i < flow->function->end; i++)
        if (flow->code->insns.items[i].orders_memory)
            return true;
    return false;
}
