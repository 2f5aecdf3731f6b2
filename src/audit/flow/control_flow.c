/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the instructions of a function to basic blocks, numbered in reverse postorder of a depth-first
 * search, so that whatever follows control flow sees a block before its forward successors.
 */
#include "audit/flow/control_flow.h"

#include "base/diag.h"

/* More than any kernel has. */
enum { MOST_BLOCKS = 4096 };

typedef struct builder {
    swp_context *ctx;
    swp_flow *flow;
    int *block_at; /* block of each instruction of the function */
    int *stack;
    int *next;      /* successor to look at next, of each block */
    int *postorder; /* reached blocks, successors first */
} builder;

static const swp_insn *insn_at(const swp_flow *flow, int index)
{
    return &flow->code->insns.items[index];
}

static bool ends_block(const swp_insn *insn)
{
    return insn->kind == SWP_INSN_END || insn->kind == SWP_INSN_JUMP ||
           insn->kind == SWP_INSN_BRANCH || insn->kind == SWP_INSN_RETURN;
}

/* --- blocks --- */

static swp_status split(builder *b)
{
    swp_flow *flow = b->flow;
    const int first = flow->function->first;
    const int count = flow->function->end - first;
    bool *starts = NULL;
    SWP_TRY(SWP_TAKE(b->ctx, (size_t)count + 1, &starts));
    SWP_TRY(SWP_TAKE(b->ctx, (size_t)count + 1, &b->block_at));
    starts[0] = true;
    for (int i = 0; i < count; i++) {
        const swp_insn *insn = insn_at(flow, first + i);
        starts[i + 1] |= ends_block(insn);
        if (insn->target != SWP_NO_TARGET)
            starts[insn->target - first] = true;
    }
    for (int i = 0; i < count; i++)
        flow->block_count += starts[i];
    SWP_TRY(SWP_TAKE(b->ctx, (size_t)flow->block_count, &flow->blocks));
    int block = -1;
    for (int i = 0; i < count; i++) {
        if (starts[i])
            flow->blocks[++block].first = first + i;
        flow->blocks[block].end = first + i + 1;
        b->block_at[i] = block;
    }
    return SWP_OK;
}

static void connect(builder *b)
{
    swp_flow *flow = b->flow;
    for (int i = 0; i < flow->block_count; i++) {
        swp_block *block = &flow->blocks[i];
        const swp_insn *last = insn_at(flow, block->end - 1);
        const bool falls = !ends_block(last) || last->kind == SWP_INSN_BRANCH;
        if (falls && i + 1 < flow->block_count)
            block->successors[block->successor_count++] = i + 1;
        if (last->target != SWP_NO_TARGET)
            block->successors[block->successor_count++] =
                b->block_at[last->target - flow->function->first];
    }
}

/* --- reverse postorder --- */

/* Depth first from the entry, without recursion. */
static void number_in_reverse_postorder(builder *b)
{
    swp_flow *flow = b->flow;
    int depth = 1;
    int done = 0;
    b->stack[0] = 0;
    flow->blocks[0].reached = true;
    while (depth) {
        const int at = b->stack[depth - 1];
        if (b->next[at] < flow->blocks[at].successor_count) {
            const int to = flow->blocks[at].successors[b->next[at]++];
            if (!flow->blocks[to].reached) {
                flow->blocks[to].reached = true;
                b->stack[depth++] = to;
            }
        } else {
            b->postorder[done++] = at;
            depth--;
        }
    }
    flow->reached_count = done;
    for (int i = 0; i < done; i++) {
        flow->rpo[i] = b->postorder[done - 1 - i];
        flow->blocks[flow->rpo[i]].rpo_number = i;
    }
}

int swp_flow_block_of(const swp_flow *flow, int insn)
{
    int first = 0;
    int last = flow->block_count - 1;
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (flow->blocks[middle].end <= insn)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

void swp_flow_mark_reachable(const swp_flow *flow, int first, int until, bool *region)
{
    bool changed = first != until;
    if (changed)
        region[first] = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const swp_block *at = &flow->blocks[flow->rpo[i]];
            for (int s = 0; region[flow->rpo[i]] && s < at->successor_count; s++) {
                const int to = at->successors[s];
                if (to == until || region[to])
                    continue;
                region[to] = true;
                /* Forward edges are followed in this round. */
                changed |= swp_flow_is_back_edge(flow, flow->rpo[i], to);
            }
        }
    }
}

void swp_flow_mark_influence_region(const swp_flow *flow, int block, int side, bool *region)
{
    const swp_block *from = &flow->blocks[block];
    swp_flow_mark_reachable(flow, from->successors[side], from->post_dominator, region);
}

swp_place swp_flow_place(const swp_flow *flow)
{
    return (swp_place){flow->file, flow->function->line, 1};
}

swp_status swp_flow_build(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_function *function, swp_flow *out)
{
    builder b = {.ctx = ctx, .flow = out};
    *out = (swp_flow){.file = file, .code = code, .function = function};
    if (function->first < 0 || function->first >= function->end)
        return SWP_OK;
    SWP_TRY(split(&b));
    if (out->block_count > MOST_BLOCKS)
        return swp_error(ctx, SWP_E0815, swp_flow_place(out),
                         "unroll its loops less (#pragma unroll 1); audit other kernels in a file "
                         "without it",
                         "%.*s has %d basic blocks; the audit follows %d",
                         SWP_SLICE_FORMAT(function->name), out->block_count, MOST_BLOCKS);
    const size_t count = (size_t)out->block_count;
    SWP_TRY(SWP_TAKE(ctx, count, &b.stack));
    SWP_TRY(SWP_TAKE(ctx, count, &b.next));
    SWP_TRY(SWP_TAKE(ctx, count, &b.postorder));
    SWP_TRY(SWP_TAKE(ctx, count, &out->rpo));
    connect(&b);
    number_in_reverse_postorder(&b);
    SWP_TRY(swp_flow_find_post_dominators(ctx, out));
    return swp_flow_find_loops(ctx, out);
}
