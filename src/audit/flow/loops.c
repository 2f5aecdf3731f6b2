/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The natural loops of a function: the header that a back edge leads to, and all blocks from which it is
 * reached without passing the header. A. V. Aho, M. S. Lam, R. Sethi and J. D. Ullman, "Compilers:
 * Principles, Techniques, and Tools", 9.6. Loops of one header are one.
 */
#include "audit/flow/control_flow.h"

typedef struct loop_finder {
    swp_flow *flow;
    int *sets; /* by block: the loop whose members are marked, if it is one of them */
} loop_finder;

static bool is_latch_of(const swp_flow *flow, int block, int header)
{
    const swp_block *from = &flow->blocks[block];
    for (int s = 0; from->reached && s < from->successor_count; s++)
        if (from->successors[s] == header && flow->blocks[header].rpo_number <= from->rpo_number)
            return true;
    return false;
}

static bool has_successor_in(const loop_finder *f, int block, int loop)
{
    const swp_block *from = &f->flow->blocks[block];
    for (int s = 0; s < from->successor_count; s++)
        if (f->sets[from->successors[s]] == loop &&
            from->successors[s] != f->flow->loops[loop].header)
            return true;
    return false;
}

/* Puts into the loop's set all blocks that lead back to its header without passing it. */
static void mark_members(loop_finder *f, int loop)
{
    const swp_flow *flow = f->flow;
    const int header = flow->loops[loop].header;
    bool changed = true;
    for (int i = 0; i < flow->block_count; i++)
        f->sets[i] = i == header || is_latch_of(flow, i, header) ? loop : -1;
    while (changed) {
        changed = false;
        for (int i = flow->reached_count - 1; i > flow->blocks[header].rpo_number; i--) {
            const int at = flow->rpo[i];
            if (f->sets[at] != loop && has_successor_in(f, at, loop)) {
                f->sets[at] = loop;
                changed = true;
            }
        }
    }
}

static bool is_larger(const swp_flow *flow, int loop, int than)
{
    const int blocks = flow->loops[loop].blocks;
    const int others = flow->loops[than].blocks;
    return blocks > others || (blocks == others && loop < than);
}

/* Of two loops around the same, the smaller. */
static int inner_of(const swp_flow *flow, int known, int loop)
{
    return known < 0 || is_larger(flow, known, loop) ? loop : known;
}

static void nest_loops(loop_finder *f)
{
    swp_flow *flow = f->flow;
    for (int l = 0; l < flow->loop_count; l++) {
        mark_members(f, l);
        for (int i = 0; i < flow->block_count; i++)
            flow->loops[l].blocks += f->sets[i] == l;
    }
    for (int l = 0; l < flow->loop_count; l++) {
        mark_members(f, l);
        for (int i = 0; i < flow->block_count; i++)
            if (f->sets[i] == l)
                flow->blocks[i].loop = inner_of(flow, flow->blocks[i].loop, l);
        for (int m = 0; m < flow->loop_count; m++)
            if (f->sets[flow->loops[m].header] == l && is_larger(flow, l, m)) {
                flow->loops[m].outer = inner_of(flow, flow->loops[m].outer, l);
                flow->loops[l].innermost = false;
            }
    }
}

static int loop_with_header(const swp_flow *flow, int header)
{
    for (int i = 0; i < flow->loop_count; i++)
        if (flow->loops[i].header == header)
            return i;
    return -1;
}

static void note_back_edge(swp_flow *flow, int from, int header)
{
    int loop = loop_with_header(flow, header);
    if (loop < 0) {
        loop = flow->loop_count++;
        flow->loops[loop] = (swp_flow_loop){.header = header, .outer = -1, .innermost = true};
    }
    flow->loops[loop].last = flow->blocks[from].end - 1;
}

swp_status swp_flow_find_loops(swp_context *ctx, swp_flow *flow)
{
    loop_finder f = {.flow = flow};
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &f.sets));
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &flow->loops));
    for (int i = 0; i < flow->block_count; i++) {
        flow->blocks[i].loop = -1;
        for (int s = 0; s < flow->blocks[i].successor_count; s++)
            if (is_latch_of(flow, i, flow->blocks[i].successors[s]))
                note_back_edge(flow, i, flow->blocks[i].successors[s]);
    }
    nest_loops(&f);
    return SWP_OK;
}

bool swp_flow_in_loop(const swp_flow *flow, int loop, int block)
{
    int at = flow->blocks[block].loop;
    while (at >= 0 && at != loop)
        at = flow->loops[at].outer;
    return at == loop;
}

bool swp_flow_is_back_edge(const swp_flow *flow, int from, int to)
{
    return flow->blocks[to].rpo_number <= flow->blocks[from].rpo_number;
}

bool swp_flow_leaves_loop(const swp_flow *flow, int block)
{
    const int loop = flow->blocks[block].loop;
    for (int s = 0; loop >= 0 && s < flow->blocks[block].successor_count; s++)
        if (!swp_flow_in_loop(flow, loop, flow->blocks[block].successors[s]))
            return true;
    return false;
}
