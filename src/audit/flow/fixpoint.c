/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward dataflow analysis of a function to a fixpoint: a worklist in reverse postorder over blocks
 * and the copies of loops, with the transfer functions and joins of registers and of accesses in
 * flight. G. A. Kildall, "A Unified Approach to Global Program Optimization"; J. B. Kam and J. D.
 * Ullman, "Global Data Flow Analysis and Iterative Algorithms".
 */
#include "audit/flow/fixpoint.h"

#include "base/budget.h"
#include "base/diag.h"

#include <string.h>

/* Access states in all points together: some hundred megabytes. */
#define MOST_ACCESSES ((size_t)1 << 24)

enum { STEPS_OF_AN_INSN = 64 };

static int first_insn(const swp_fixpoint *fixpoint)
{
    return fixpoint->flow->function->first;
}

static size_t point_index(const swp_fixpoint *fixpoint, int block, int copy)
{
    return (size_t)block * (size_t)fixpoint->copies + (size_t)copy;
}

swp_point *swp_flow_fixpoint_point(const swp_fixpoint *fixpoint, int block, int copy)
{
    return &fixpoint->points[point_index(fixpoint, block, copy)];
}

int swp_flow_fixpoint_event(const swp_fixpoint *fixpoint, int insn, int copy)
{
    return fixpoint->event_at[(insn - first_insn(fixpoint)) * fixpoint->copies + copy];
}

static bool has_event(const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    return traits->counted[SWP_AUDIT_VM] || traits->counted[SWP_AUDIT_LGKM];
}

static swp_status number_events(swp_fixpoint *fixpoint)
{
    const swp_flow *flow = fixpoint->flow;
    const size_t count =
        (size_t)(flow->function->end - flow->function->first) * (size_t)fixpoint->copies;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &fixpoint->event_at));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &fixpoint->events.items));
    fixpoint->events.code = flow->code;
    fixpoint->events.one_wave = fixpoint->values.threads <= SWP_WAVE;
    for (size_t i = 0; i < count; i++)
        fixpoint->event_at[i] = -1;
    for (int b = 0; b < flow->block_count; b++)
        for (int insn = flow->blocks[b].first; insn < flow->blocks[b].end; insn++)
            for (int copy = 0; copy < fixpoint->contexts.counts[b]; copy++) {
                if (!has_event(&flow->code->insns.items[insn]))
                    continue;
                fixpoint->event_at[(insn - first_insn(fixpoint)) * fixpoint->copies + copy] =
                    fixpoint->events.count;
                fixpoint->events.items[fixpoint->events.count++] = (swp_flow_event){insn, copy};
            }
    return SWP_OK;
}

/* Marks what an instruction reads by name; one that is not known may read anything. */
static void add_read(const swp_insn *insn, bool read[SWP_REG_COUNT])
{
    for (int r = 0; r < SWP_REG_COUNT && insn->kind == SWP_INSN_UNKNOWN; r++)
        read[r] = true;
    for (int i = insn->reads_destination ? 0 : insn->destinations; i < insn->operand_count; i++) {
        const swp_operand *operand = &insn->operands[i];
        for (int r = operand->first;
             operand->kind == SWP_OPERAND_REGISTERS && r < operand->first + operand->count; r++)
            read[r] = true;
    }
}

static swp_status find_read(swp_fixpoint *fixpoint)
{
    const swp_function *function = fixpoint->flow->function;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, SWP_REG_COUNT, &fixpoint->read));
    for (int i = function->first; i < function->end; i++)
        add_read(&fixpoint->flow->code->insns.items[i], fixpoint->read);
    return SWP_OK;
}

/* A point that is kept; it takes no lists. */
static swp_status new_kept_point(const swp_fixpoint *fixpoint, swp_point *out)
{
    *out = (swp_point){0};
    return SWP_TAKE(fixpoint->ctx, (size_t)fixpoint->events.count, &out->accesses);
}

swp_status swp_flow_point_new(const swp_fixpoint *fixpoint, swp_point *out)
{
    const size_t count = (size_t)fixpoint->events.count;
    SWP_TRY(new_kept_point(fixpoint, out));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count + 1, &out->in_flight.items));
    return SWP_TAKE(fixpoint->ctx, count + 1, &out->retired.items);
}

void swp_flow_point_copy(const swp_fixpoint *fixpoint, swp_point *to, const swp_point *from)
{
    to->reached = from->reached;
    to->registers = from->registers;
    if (fixpoint->events.count && from->accesses)
        memcpy(to->accesses, from->accesses, (size_t)fixpoint->events.count * sizeof *to->accesses);
    if (to->in_flight.items && from->reached)
        swp_flow_in_flight_list(&fixpoint->events, to);
}

void swp_flow_fixpoint_transfer(swp_fixpoint *fixpoint, swp_point *point, int insn, int copy)
{
    const int event = swp_flow_fixpoint_event(fixpoint, insn, copy);
    swp_flow_in_flight_transfer(&fixpoint->events, point, insn, event);
    swp_flow_registers_transfer(&fixpoint->values, &point->registers,
                                &fixpoint->flow->code->insns.items[insn], event);
}

int swp_flow_fixpoint_copy_after(const swp_fixpoint *fixpoint, int from, int side, int copy)
{
    return swp_flow_contexts_next(&fixpoint->contexts, from, copy, side);
}

static bool join(swp_fixpoint *fixpoint, swp_point *into, const swp_point *from)
{
    if (!into->reached) {
        swp_flow_point_copy(fixpoint, into, from);
        into->reached = true;
        return true;
    }
    const bool less =
        swp_flow_registers_join(&fixpoint->values, &into->registers, &from->registers);
    return swp_flow_in_flight_join(&fixpoint->events, into->accesses, from->accesses) || less;
}

/* Where paths join that diverge here, less is known than was thought. */
static swp_status note_divergence(swp_fixpoint *fixpoint, int block, const swp_point *end,
                                  bool *worklist)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    bool taken[SWP_MOST_WAVES];
    bool new = false;
    if (b->successor_count < 2 ||
        swp_flow_registers_branch(&fixpoint->values, &end->registers,
                                  &fixpoint->flow->code->insns.items[b->end - 1],
                                  taken) == SWP_BRANCH_UNIFORM)
        return SWP_OK;
    SWP_TRY(
        swp_flow_divergence_add(fixpoint->ctx, fixpoint->flow, block, &fixpoint->divergence, &new));
    for (int to = 0; new &&to < fixpoint->flow->block_count; to++)
        for (int copy = 0; copy < fixpoint->copies; copy++) {
            swp_point *point = swp_flow_fixpoint_point(fixpoint, to, copy);
            if (point->reached &&
                swp_flow_divergence_apply(&fixpoint->divergence, &fixpoint->values, to,
                                          &point->registers))
                worklist[point_index(fixpoint, to, copy)] = true;
        }
    return SWP_OK;
}

/* Transfers a block and joins it into its successors; those that change go on the worklist. */
static swp_status transfer_block(swp_fixpoint *fixpoint, int block, int copy, swp_point *scratch,
                                 bool *worklist)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    swp_flow_point_copy(fixpoint, scratch, swp_flow_fixpoint_point(fixpoint, block, copy));
    for (int insn = b->first; insn < b->end; insn++) {
        SWP_TRY(swp_keep_on(fixpoint->ctx, STEPS_OF_AN_INSN));
        swp_flow_fixpoint_transfer(fixpoint, scratch, insn, copy);
    }
    for (int s = 0; s < b->successor_count; s++) {
        const int to = b->successors[s];
        const int next = swp_flow_fixpoint_copy_after(fixpoint, block, s, copy);
        if (next == SWP_NOT_TAKEN)
            continue;
        swp_point *at = swp_flow_fixpoint_point(fixpoint, to, next);
        const bool joined = join(fixpoint, at, scratch);
        if (swp_flow_divergence_apply(&fixpoint->divergence, &fixpoint->values, to,
                                      &at->registers) ||
            joined)
            worklist[point_index(fixpoint, to, next)] = true;
    }
    return note_divergence(fixpoint, block, scratch, worklist);
}

static swp_status iterate(swp_fixpoint *fixpoint)
{
    const swp_flow *flow = fixpoint->flow;
    const size_t points = (size_t)flow->block_count * (size_t)fixpoint->copies;
    bool *worklist = NULL; /* by point: whether it is on it */
    swp_point scratch;
    bool changed = true;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, points, &worklist));
    SWP_TRY(swp_flow_point_new(fixpoint, &scratch));
    swp_point *start = swp_flow_fixpoint_point(fixpoint, 0, 0);
    start->reached = true;
    swp_flow_registers_start(&fixpoint->values, flow->function, &start->registers);
    worklist[0] = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++)
            for (int copy = 0; copy < fixpoint->copies; copy++) {
                const size_t at = point_index(fixpoint, flow->rpo[i], copy);
                if (!worklist[at])
                    continue;
                worklist[at] = false;
                changed = true;
                SWP_TRY(transfer_block(fixpoint, flow->rpo[i], copy, &scratch, worklist));
            }
    }
    return fixpoint->values.status;
}

void swp_flow_fixpoint_end(swp_fixpoint *fixpoint, int block, int copy, swp_point *out)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    swp_flow_point_copy(fixpoint, out, swp_flow_fixpoint_point(fixpoint, block, copy));
    for (int insn = b->first; insn < b->end && out->reached; insn++)
        swp_flow_fixpoint_transfer(fixpoint, out, insn, copy);
}

static swp_status take_points(swp_fixpoint *fixpoint)
{
    const int blocks = fixpoint->flow->block_count;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)blocks * (size_t)fixpoint->copies, &fixpoint->points));
    for (int b = 0; b < blocks; b++)
        for (int copy = 0; copy < fixpoint->contexts.counts[b]; copy++)
            SWP_TRY(new_kept_point(fixpoint, swp_flow_fixpoint_point(fixpoint, b, copy)));
    return SWP_OK;
}

static swp_status solve(swp_fixpoint *out, bool reads_differ)
{
    const swp_flow *flow = out->flow;
    swp_context *ctx = out->ctx;
    *out = (swp_fixpoint){.ctx = ctx, .flow = flow, .contexts = out->contexts};
    out->copies = out->contexts.most;
    SWP_TRY(swp_flow_values_init(ctx, swp_flow_function_waves(flow->function), &out->values));
    out->values.present = flow->function->workgroup;
    out->values.reads_differ = reads_differ;
    SWP_TRY(
        SWP_TAKE(ctx, (size_t)(flow->function->end - flow->function->first), &out->write_doubts));
    SWP_TRY(find_read(out));
    SWP_TRY(number_events(out));
    SWP_TRY(take_points(out));
    SWP_TRY(swp_flow_divergence_init(ctx, flow, &out->divergence));
    SWP_TRY(iterate(out));
    SWP_TRY(swp_flow_fixpoint_find_branches(out));
    return swp_flow_fixpoint_find_footprints(out);
}

/* Access states in all points. */
static size_t accesses_of(const swp_flow *flow, const swp_contexts *contexts)
{
    size_t events = 0;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; i < flow->blocks[b].end; i++)
            if (has_event(&flow->code->insns.items[i]))
                events += (size_t)contexts->counts[b];
    return events * (size_t)contexts->total;
}

/* Waves must be in one context where they reconverge: each divergent branch must have been known as one. */
static bool diverges_elsewhere(const swp_fixpoint *fixpoint)
{
    const bool *known = fixpoint->contexts.divergent;
    for (int b = 0; known && b < fixpoint->flow->block_count; b++)
        if (fixpoint->divergence.divergent[b] && !known[b])
            return true;
    return false;
}

swp_status swp_flow_fixpoint_build(swp_context *ctx, const swp_flow *flow, bool reads_differ,
                                   swp_fixpoint *out)
{
    *out = (swp_fixpoint){.ctx = ctx, .flow = flow};
    SWP_TRY(swp_flow_contexts_find(ctx, flow, reads_differ, &out->contexts));
    if (accesses_of(flow, &out->contexts) > MOST_ACCESSES)
        SWP_TRY(swp_flow_contexts_plain(ctx, flow, &out->contexts));
    if (accesses_of(flow, &out->contexts) > MOST_ACCESSES)
        return swp_error(ctx, SWP_E0815, swp_flow_place(flow),
                         "unroll its loops less (#pragma unroll 1); audit other kernels in a file "
                         "without it",
                         "%.*s has too many accesses in too many blocks to follow",
                         SWP_SLICE_FORMAT(flow->function->name));
    SWP_TRY(solve(out, reads_differ));
    if (!diverges_elsewhere(out))
        return SWP_OK;
    SWP_TRY(swp_flow_contexts_plain(ctx, flow, &out->contexts));
    return solve(out, reads_differ);
}
