/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one path through the main loop that a schedule can be compared with: blocks between entry,
 * header, latch and exit that every path between those passes, by reachability with one block left
 * out.
 */
#include "audit/match/path.h"

#include "swp/types.h"

typedef struct finder {
    swp_context *ctx;
    const swp_flow *flow;
    swp_path *path;
    bool *without; /* scratch: blocks reached when one is left out */
} finder;

static const swp_insn *insn_at(const swp_flow *flow, int index)
{
    return &flow->code->insns.items[index];
}

bool swp_match_insn_is_scheduled(const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    return swp_code_accesses_lds(insn) || insn->kind == SWP_INSN_MATRIX ||
           insn->kind == SWP_INSN_BARRIER || insn->kind == SWP_INSN_WAIT || traits->counted[0] ||
           traits->counted[1];
}

int swp_match_path_weight(const swp_flow *flow, int loop)
{
    int weight = 0;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; flow->blocks[b].loop == loop && i < flow->blocks[b].end;
             i++) {
            const swp_insn *insn = insn_at(flow, i);
            weight += insn->kind == SWP_INSN_MATRIX || swp_code_accesses_lds(insn);
        }
    return weight;
}

static bool in_loop(const finder *f, int block)
{
    return swp_flow_in_loop(f->flow, f->path->loop, block);
}

static void complain(finder *f, const char *problem, int insn)
{
    if (f->path->problem)
        return;
    f->path->problem = problem;
    f->path->problem_at = insn;
}

/* Whether there is a forward path from `from` to `to` that leaves out `without`. */
static bool reaches(finder *f, int from, int to, int without)
{
    const swp_flow *flow = f->flow;
    for (int i = 0; i < flow->block_count; i++)
        f->without[i] = false;
    f->without[from] = from != without;
    for (int i = flow->blocks[from].rpo_number; i < flow->reached_count; i++) {
        const int at = flow->rpo[i];
        if (!f->without[at])
            continue;
        if (at == to)
            return true;
        for (int s = 0; s < flow->blocks[at].successor_count; s++) {
            const int next = flow->blocks[at].successors[s];
            if (next != without && !swp_flow_is_back_edge(flow, at, next))
                f->without[next] = true;
        }
    }
    return false;
}

/* What must run on every path; a wait or an access to global memory may be missing on one. */
static bool is_vital(const swp_insn *insn)
{
    return swp_code_accesses_lds(insn) || insn->kind == SWP_INSN_MATRIX ||
           insn->kind == SWP_INSN_BARRIER || insn->kind == SWP_INSN_COMMIT;
}

static int first_vital(const finder *f, int block)
{
    for (int i = f->flow->blocks[block].first; i < f->flow->blocks[block].end; i++)
        if (is_vital(insn_at(f->flow, i)))
            return i;
    return -1;
}

/* A block that does nothing of a schedule but execute one barrier. */
static int only_barrier(const finder *f, int block)
{
    int barrier = -1;
    for (int i = f->flow->blocks[block].first; i < f->flow->blocks[block].end; i++) {
        const swp_insn *insn = insn_at(f->flow, i);
        if (!is_vital(insn))
            continue;
        if (insn->kind != SWP_INSN_BARRIER || barrier >= 0)
            return -1;
        barrier = i;
    }
    return barrier;
}

static swp_status add_block(finder *f, swp_phase phase, int block)
{
    for (int i = f->flow->blocks[block].first; i < f->flow->blocks[block].end; i++)
        SWP_TRY(SWP_PUSH(f->ctx, &f->path->phases[phase], i));
    return SWP_OK;
}

/* A block that not every path passes. */
static void add_side_block(finder *f, swp_phase phase, int block)
{
    const int first = first_vital(f, block);
    const int barrier = only_barrier(f, block);
    if (first < 0)
        return;
    if (barrier >= 0 && phase != SWP_KERNEL && f->path->lag_barrier[phase] < 0) {
        f->path->lag_barrier[phase] = barrier;
        f->path->lag_position[phase] = f->path->phases[phase].count;
    } else {
        complain(f, "runs on a condition only", first);
    }
}

/* All blocks that may lie between two, which every path must pass if they are of the schedule. */
static swp_status add_between(finder *f, swp_phase phase, int from, int to, bool in)
{
    const swp_flow *flow = f->flow;
    for (int i = flow->blocks[from].rpo_number; i < flow->reached_count; i++) {
        const int at = flow->rpo[i];
        if (in_loop(f, at) != in || !reaches(f, from, at, SWP_NO_BLOCK) ||
            !reaches(f, at, to, SWP_NO_BLOCK))
            continue;
        const bool always = at == from || at == to || !reaches(f, from, to, at);
        if (!in && flow->blocks[at].loop >= 0 && first_vital(f, at) >= 0)
            complain(f, "is in another loop", first_vital(f, at));
        if (!always)
            add_side_block(f, phase, at);
        else
            SWP_TRY(add_block(f, phase, at));
    }
    return SWP_OK;
}

static swp_status add_loop(finder *f)
{
    const swp_flow_loop *loop = &f->flow->loops[f->path->loop];
    const int latch = swp_flow_block_of(f->flow, loop->last);
    for (int b = 0; b < f->flow->block_count; b++)
        for (int s = 0; s < f->flow->blocks[b].successor_count; s++)
            if (f->flow->blocks[b].reached && f->flow->blocks[b].successors[s] == loop->header &&
                swp_flow_is_back_edge(f->flow, b, loop->header) && b != latch)
                complain(f, "is a second back edge of the loop", f->flow->blocks[b].end - 1);
    return add_between(f, SWP_KERNEL, loop->header, latch, true);
}

/* The block that the loop is left for, -1 if there are several. */
static int exit_of(finder *f)
{
    int exit = -1;
    for (int b = 0; b < f->flow->block_count; b++)
        for (int s = 0; in_loop(f, b) && s < f->flow->blocks[b].successor_count; s++) {
            const int to = f->flow->blocks[b].successors[s];
            if (in_loop(f, to))
                continue;
            if (exit >= 0 && exit != to)
                complain(f, "is a second exit of the loop", f->flow->blocks[b].end - 1);
            exit = to;
        }
    return exit;
}

/* What follows the last multiplication, access to LDS or barrier is no more of the schedule. */
static void cut_epilogue(finder *f)
{
    swp_path_phase *phase = &f->path->phases[SWP_EPILOGUE];
    while (phase->count) {
        if (is_vital(insn_at(f->flow, phase->items[phase->count - 1])))
            break;
        phase->count--;
    }
}

/* The last block of the epilogue that does something of the schedule and that every path passes. */
static int last_of_epilogue(finder *f, int exit)
{
    int last = exit;
    int at = exit;
    /* Back at the header of a loop around both, the epilogue is over. */
    while (at != SWP_NO_BLOCK &&
           f->flow->blocks[at].rpo_number >= f->flow->blocks[last].rpo_number) {
        if (first_vital(f, at) >= 0)
            last = at;
        at = f->flow->blocks[at].post_dominator;
    }
    return last;
}

/* Blocks after the last one of the epilogue: a barrier on a condition may be there. */
static void add_after_epilogue(finder *f, int last)
{
    for (int i = f->flow->blocks[last].rpo_number + 1; i < f->flow->reached_count; i++) {
        const int at = f->flow->rpo[i];
        if (!in_loop(f, at) && reaches(f, last, at, SWP_NO_BLOCK))
            add_side_block(f, SWP_EPILOGUE, at);
    }
}

/* Paths that bypass the loop must have nothing of a schedule that the path through it lacks. */
static void check_bypass(finder *f, int exit)
{
    for (int b = 0; b < f->flow->block_count; b++) {
        const int first = first_vital(f, b);
        if (!f->flow->blocks[b].reached || in_loop(f, b) || first < 0)
            continue;
        const bool before = reaches(f, b, f->flow->loops[f->path->loop].header, SWP_NO_BLOCK);
        const bool after = reaches(f, exit, b, SWP_NO_BLOCK);
        const swp_insn_kind kind = insn_at(f->flow, first)->kind;
        if (!before && !after && kind != SWP_INSN_BARRIER)
            complain(f, "runs where the loop is bypassed", first);
    }
}

swp_status swp_match_path_find(swp_context *ctx, const swp_flow *flow, int loop, swp_path *out)
{
    finder f = {.ctx = ctx, .flow = flow, .path = out};
    *out = (swp_path){.flow = flow, .loop = loop, .lag_barrier = {-1, -1, -1}};
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &f.without));
    SWP_TRY(add_between(&f, SWP_PROLOGUE, 0, flow->loops[loop].header, false));
    SWP_TRY(add_loop(&f));
    const int exit = exit_of(&f);
    if (exit < 0) {
        complain(&f, "is in a loop that does not end", flow->loops[loop].last);
        return SWP_OK;
    }
    const int last = last_of_epilogue(&f, exit);
    SWP_TRY(add_between(&f, SWP_EPILOGUE, exit, last, false));
    add_after_epilogue(&f, last);
    cut_epilogue(&f);
    check_bypass(&f, exit);
    return SWP_OK;
}
