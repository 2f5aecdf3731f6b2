/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where waves that diverge at a branch reconverge: the immediate post-dominator of every block. K. D.
 * Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
 */
#include "audit/flow/control_flow.h"

typedef struct finder {
    swp_flow *flow;
    int *predecessors;
    int *predecessor_first; /* of block b: from here to before that of b + 1 */
    int *postorder;         /* blocks that lead to an end, in a depth-first search from the ends */
    int *number;            /* of a block in it; the end of the function has the largest */
    int count;
    int *stack;
    int *next;
} finder;

static int end_of_function(const finder *f)
{
    return f->flow->block_count;
}

static bool is_end(const finder *f, int block)
{
    return f->flow->blocks[block].reached && f->flow->blocks[block].successor_count == 0;
}

static swp_status list_predecessors(swp_context *ctx, finder *f)
{
    const swp_flow *flow = f->flow;
    const size_t count = (size_t)flow->block_count;
    SWP_TRY(SWP_TAKE(ctx, count + 2, &f->predecessor_first));
    SWP_TRY(SWP_TAKE(ctx, 2 * count + 1, &f->predecessors));
    for (int b = 0; b < flow->block_count; b++)
        for (int s = 0; flow->blocks[b].reached && s < flow->blocks[b].successor_count; s++)
            f->predecessor_first[flow->blocks[b].successors[s] + 2]++;
    for (size_t b = 2; b < count + 2; b++)
        f->predecessor_first[b] += f->predecessor_first[b - 1];
    for (int b = 0; b < flow->block_count; b++)
        for (int s = 0; flow->blocks[b].reached && s < flow->blocks[b].successor_count; s++)
            f->predecessors[f->predecessor_first[flow->blocks[b].successors[s] + 1]++] = b;
    return SWP_OK;
}

/* Everything that leads to this block and has no number yet, without recursion. */
static void visit(finder *f, int block)
{
    int depth = 1;
    f->stack[0] = block;
    f->number[block] = 0;
    while (depth) {
        const int at = f->stack[depth - 1];
        if (f->predecessor_first[at] + f->next[at] < f->predecessor_first[at + 1]) {
            const int from = f->predecessors[f->predecessor_first[at] + f->next[at]++];
            if (f->number[from] < 0) {
                f->number[from] = 0;
                f->stack[depth++] = from;
            }
        } else {
            f->number[at] = f->count;
            f->postorder[f->count++] = at;
            depth--;
        }
    }
}

static int nearest_common(const finder *f, int a, int b)
{
    while (a != b) {
        while (f->number[a] < f->number[b])
            a = f->flow->blocks[a].post_dominator;
        while (f->number[b] < f->number[a])
            b = f->flow->blocks[b].post_dominator;
    }
    return a;
}

/* The block's post-dominator as far as those of its successors are known. */
static int common_of(const finder *f, int block)
{
    const swp_block *b = &f->flow->blocks[block];
    int common = SWP_NO_BLOCK;
    if (is_end(f, block))
        return end_of_function(f);
    for (int s = 0; s < b->successor_count; s++) {
        const int to = b->successors[s];
        if (f->number[to] < 0 || f->flow->blocks[to].post_dominator == SWP_NO_BLOCK)
            continue;
        common = common == SWP_NO_BLOCK ? to : nearest_common(f, common, to);
    }
    return common;
}

static void iterate(finder *f)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = f->count - 1; i >= 0; i--) {
            swp_block *block = &f->flow->blocks[f->postorder[i]];
            const int common = common_of(f, f->postorder[i]);
            changed |= common != block->post_dominator;
            block->post_dominator = common;
        }
    }
}

swp_status swp_flow_find_post_dominators(swp_context *ctx, swp_flow *flow)
{
    finder f = {.flow = flow};
    const size_t count = (size_t)flow->block_count;
    SWP_TRY(list_predecessors(ctx, &f));
    SWP_TRY(SWP_TAKE(ctx, count + 1, &f.number));
    SWP_TRY(SWP_TAKE(ctx, count, &f.postorder));
    SWP_TRY(SWP_TAKE(ctx, count, &f.stack));
    SWP_TRY(SWP_TAKE(ctx, count, &f.next));
    for (int b = 0; b < flow->block_count; b++) {
        f.number[b] = -1;
        flow->blocks[b].post_dominator = SWP_NO_BLOCK;
    }
    for (int b = 0; b < flow->block_count; b++)
        if (is_end(&f, b))
            visit(&f, b);
    f.number[end_of_function(&f)] = f.count;
    iterate(&f);
    for (int b = 0; b < flow->block_count; b++)
        if (flow->blocks[b].post_dominator == end_of_function(&f))
            flow->blocks[b].post_dominator = SWP_NO_BLOCK;
    return SWP_OK;
}
