/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/fixpoint.h"

#include "base/budget.h"
#include "base/diag.h"

#include <string.h>

/* Flights in all points together: some hundred megabytes. */
#define MOST_FLIGHTS ((size_t)1 << 24)

enum { STEPS_OF_AN_INSN = 64 };

static int first_insn(const swp_trace *trace)
{
    return trace->flow->function->first;
}

static size_t point_index(const swp_trace *trace, int block, int copy)
{
    return (size_t)block * (size_t)trace->copies + (size_t)copy;
}

swp_point *swp_flow_fixpoint_point(const swp_trace *trace, int block, int copy)
{
    return &trace->points[point_index(trace, block, copy)];
}

int swp_flow_fixpoint_event(const swp_trace *trace, int insn, int copy)
{
    return trace->event_at[(insn - first_insn(trace)) * trace->copies + copy];
}

static bool has_event(const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    return traits->counted[SWP_AUDIT_VM] || traits->counted[SWP_AUDIT_LGKM];
}

static swp_status number_events(swp_trace *trace)
{
    const swp_flow *flow = trace->flow;
    const int count = flow->function->end - flow->function->first;
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)count * (size_t)trace->copies, &trace->event_at));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)count * (size_t)trace->copies, &trace->events.items));
    trace->events.code = flow->code;
    for (int i = 0; i < count; i++)
        for (int copy = 0; copy < trace->copies; copy++) {
            const int insn = first_insn(trace) + i;
            const bool wanted = has_event(&flow->code->insns.items[insn]);
            trace->event_at[i * trace->copies + copy] = wanted ? trace->events.count : -1;
            if (wanted)
                trace->events.items[trace->events.count++] = (swp_flow_event){insn, copy};
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

static swp_status find_read(swp_trace *trace)
{
    const swp_function *function = trace->flow->function;
    SWP_TRY(SWP_TAKE(trace->ctx, SWP_REG_COUNT, &trace->read));
    for (int i = function->first; i < function->end; i++)
        add_read(&trace->flow->code->insns.items[i], trace->read);
    return SWP_OK;
}

/* A point that is kept; it takes no lists. */
static swp_status new_kept_point(const swp_trace *trace, swp_point *out)
{
    *out = (swp_point){0};
    return SWP_TAKE(trace->ctx, (size_t)trace->events.count, &out->flights);
}

swp_status swp_flow_point_new(const swp_trace *trace, swp_point *out)
{
    const size_t count = (size_t)trace->events.count;
    SWP_TRY(new_kept_point(trace, out));
    SWP_TRY(SWP_TAKE(trace->ctx, count + 1, &out->flying.items));
    return SWP_TAKE(trace->ctx, count + 1, &out->resting.items);
}

void swp_flow_point_copy(const swp_trace *trace, swp_point *to, const swp_point *from)
{
    to->reached = from->reached;
    to->registers = from->registers;
    if (trace->events.count)
        memcpy(to->flights, from->flights, (size_t)trace->events.count * sizeof *to->flights);
    if (to->flying.items)
        swp_flow_in_flight_list(&trace->events, to);
}

void swp_flow_fixpoint_step(swp_trace *trace, swp_point *point, int insn, int copy)
{
    const int event = swp_flow_fixpoint_event(trace, insn, copy);
    swp_flow_in_flight_run(&trace->events, point, insn, event);
    swp_flow_registers_run(&trace->values, &point->registers, &trace->flow->code->insns.items[insn],
                           event);
}

int swp_flow_fixpoint_copy_after(const swp_trace *trace, int from, int to, int copy)
{
    const swp_flow *flow = trace->flow;
    const int loop = flow->blocks[to].loop;
    if (loop < 0 || flow->loops[loop].header != to || !flow->loops[loop].innermost)
        return copy;
    if (!swp_flow_in_loop(flow, loop, from))
        return 0;
    return swp_flow_goes_back(flow, from, to) ? (copy + 1) % trace->copies : copy;
}

static bool join(swp_trace *trace, swp_point *into, const swp_point *from)
{
    if (!into->reached) {
        swp_flow_point_copy(trace, into, from);
        into->reached = true;
        return true;
    }
    const bool less = swp_flow_registers_join(&trace->values, &into->registers, &from->registers);
    return swp_flow_in_flight_join(&trace->events, into->flights, from->flights) || less;
}

/* Where ways meet that the branch parts, less is known than was thought. */
static swp_status note_parting(swp_trace *trace, int block, const swp_point *end, bool *pending)
{
    const swp_block *b = &trace->flow->blocks[block];
    bool taken[SWP_MOST_WAVES];
    bool new = false;
    if (b->successor_count < 2 ||
        swp_flow_registers_branch(&trace->values, &end->registers,
                                  &trace->flow->code->insns.items[b->end - 1],
                                  taken) == SWP_BRANCH_ALIKE)
        return SWP_OK;
    SWP_TRY(swp_flow_divergence_add(trace->ctx, trace->flow, block, &trace->partings, &new));
    for (int to = 0; new &&to < trace->flow->block_count; to++)
        for (int copy = 0; copy < trace->copies; copy++) {
            swp_point *point = swp_flow_fixpoint_point(trace, to, copy);
            if (point->reached &&
                swp_flow_divergence_apply(&trace->partings, &trace->values, to, &point->registers))
                pending[point_index(trace, to, copy)] = true;
        }
    return SWP_OK;
}

/* Runs a block; marks the successors that learn something new. */
static swp_status run_block(swp_trace *trace, int block, int copy, swp_point *scratch,
                            bool *pending)
{
    const swp_block *b = &trace->flow->blocks[block];
    swp_flow_point_copy(trace, scratch, swp_flow_fixpoint_point(trace, block, copy));
    for (int insn = b->first; insn < b->end; insn++) {
        SWP_TRY(swp_keep_on(trace->ctx, STEPS_OF_AN_INSN));
        swp_flow_fixpoint_step(trace, scratch, insn, copy);
    }
    for (int s = 0; s < b->successor_count; s++) {
        const int to = b->successors[s];
        const int next = swp_flow_fixpoint_copy_after(trace, block, to, copy);
        swp_point *at = swp_flow_fixpoint_point(trace, to, next);
        const bool joined = join(trace, at, scratch);
        if (swp_flow_divergence_apply(&trace->partings, &trace->values, to, &at->registers) ||
            joined)
            pending[point_index(trace, to, next)] = true;
    }
    return note_parting(trace, block, scratch, pending);
}

static swp_status settle(swp_trace *trace)
{
    const swp_flow *flow = trace->flow;
    const size_t points = (size_t)flow->block_count * (size_t)trace->copies;
    bool *pending = NULL;
    swp_point scratch;
    bool changed = true;
    SWP_TRY(SWP_TAKE(trace->ctx, points, &pending));
    SWP_TRY(swp_flow_point_new(trace, &scratch));
    swp_point *start = swp_flow_fixpoint_point(trace, 0, 0);
    start->reached = true;
    swp_flow_registers_start(&trace->values, flow->function, &start->registers);
    pending[0] = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++)
            for (int copy = 0; copy < trace->copies; copy++) {
                const size_t at = point_index(trace, flow->sequence[i], copy);
                if (!pending[at])
                    continue;
                pending[at] = false;
                changed = true;
                SWP_TRY(run_block(trace, flow->sequence[i], copy, &scratch, pending));
            }
    }
    return trace->values.status;
}

static swp_status find_footprints_in(swp_trace *trace, int block, int copy, swp_point *scratch,
                                     bool *unknown)
{
    const swp_block *b = &trace->flow->blocks[block];
    swp_flow_point_copy(trace, scratch, swp_flow_fixpoint_point(trace, block, copy));
    for (int insn = b->first; insn < b->end && scratch->reached; insn++) {
        const int event = swp_flow_fixpoint_event(trace, insn, copy);
        const swp_lds_access *access = &trace->flow->code->insns.items[insn].lds;
        SWP_TRY(swp_keep_on(trace->ctx, STEPS_OF_AN_INSN));
        if (event >= 0 && access->parts) {
            SWP_TRY(swp_flow_footprint_of(trace->ctx, &trace->values, &scratch->registers, access,
                                          &trace->footprints[event]));
            unknown[insn - first_insn(trace)] |= !trace->footprints[event].known;
        }
        swp_flow_fixpoint_step(trace, scratch, insn, copy);
    }
    return SWP_OK;
}

static swp_status find_footprints(swp_trace *trace)
{
    swp_point scratch;
    SWP_TRY(swp_flow_point_new(trace, &scratch));
    const int insns = trace->flow->function->end - first_insn(trace);
    bool *unknown = NULL;
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)insns, &unknown));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)trace->events.count, &trace->footprints));
    for (int i = 0; i < trace->flow->reached_count; i++)
        for (int copy = 0; copy < trace->copies; copy++)
            SWP_TRY(find_footprints_in(trace, trace->flow->sequence[i], copy, &scratch, unknown));
    for (int i = 0; i < insns; i++)
        trace->unknown_addresses += unknown[i];
    return SWP_OK;
}

void swp_flow_fixpoint_end(swp_trace *trace, int block, int copy, swp_point *out)
{
    const swp_block *b = &trace->flow->blocks[block];
    swp_flow_point_copy(trace, out, swp_flow_fixpoint_point(trace, block, copy));
    for (int insn = b->first; insn < b->end && out->reached; insn++)
        swp_flow_fixpoint_step(trace, out, insn, copy);
}

static swp_branching branching_of(const swp_trace *trace, int block, const swp_point *end)
{
    const swp_insn *insn = &trace->flow->code->insns.items[trace->flow->blocks[block].end - 1];
    bool taken[SWP_MOST_WAVES] = {false};
    swp_branching branch = {.doubts = swp_flow_registers_branch_doubts(&end->registers, insn)};
    branch.sense = swp_flow_registers_branch(&trace->values, &end->registers, insn, taken);
    for (int wave = 0; wave < SWP_MOST_WAVES && branch.sense == SWP_BRANCH_KNOWN; wave++)
        branch.taken |= taken[wave] ? 1U << wave : 0;
    return branch;
}

/* What is known of a branch in all copies of its loop. */
static void find_branching(swp_trace *trace, int block, swp_point *scratch)
{
    swp_branching *out = &trace->branches.items[block];
    bool seen = false;
    for (int copy = 0; copy < trace->copies; copy++) {
        swp_flow_fixpoint_end(trace, block, copy, scratch);
        if (!scratch->reached)
            continue;
        const swp_branching now = branching_of(trace, block, scratch);
        const bool same = now.sense == out->sense && now.taken == out->taken;
        const unsigned doubts = now.doubts | out->doubts;
        if (!seen)
            *out = now;
        else if (!same)
            *out = (swp_branching){.sense = SWP_BRANCH_VARIES};
        out->doubts = doubts;
        seen = true;
    }
}

static swp_status find_branches(swp_trace *trace)
{
    const swp_flow *flow = trace->flow;
    const int waves = trace->values.threads / SWP_WAVE;
    swp_point scratch;
    SWP_TRY(swp_flow_point_new(trace, &scratch));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)flow->block_count, &trace->branches.items));
    trace->branches.all = (swp_wave_set)((1ULL << waves) - 1);
    for (int block = 0; block < flow->block_count; block++)
        if (flow->blocks[block].successor_count == 2)
            find_branching(trace, block, &scratch);
    return swp_flow_branches_follow(trace->ctx, flow, &trace->branches);
}

static swp_status follow(swp_context *ctx, const swp_flow *flow, int copies, swp_trace *out)
{
    *out = (swp_trace){.ctx = ctx, .flow = flow, .copies = copies};
    const size_t points = (size_t)flow->block_count * (size_t)copies;
    SWP_TRY(swp_flow_values_init(ctx, swp_flow_function_waves(flow->function), &out->values));
    out->values.present = flow->function->workgroup;
    SWP_TRY(find_read(out));
    SWP_TRY(number_events(out));
    SWP_TRY(SWP_TAKE(ctx, points, &out->points));
    for (size_t i = 0; i < points; i++)
        SWP_TRY(new_kept_point(out, &out->points[i]));
    SWP_TRY(swp_flow_divergence_init(ctx, flow, &out->partings));
    SWP_TRY(settle(out));
    SWP_TRY(find_footprints(out));
    return find_branches(out);
}

static size_t flights_of(const swp_flow *flow)
{
    size_t events = 0;
    for (int i = flow->function->first; i < flow->function->end; i++)
        events += has_event(&flow->code->insns.items[i]);
    return events * (size_t)flow->block_count;
}

swp_status swp_flow_fixpoint_build(swp_context *ctx, const char *file, const swp_flow *flow,
                                   swp_trace *out)
{
    const size_t flights = flights_of(flow);
    if (flights > MOST_FLIGHTS)
        return swp_error(ctx, SWP_E0815, (swp_place){file, flow->function->line, 1},
                         "give one kernel at a time",
                         "%.*s has too many accesses in too many blocks to follow",
                         SWP_SLICE_FORMAT(flow->function->name));
    SWP_TRY(follow(ctx, flow, 1, out));
    for (int copies = 2; copies <= SWP_MOST_COPIES && out->unknown_addresses && flow->loop_count &&
                         flights * (size_t)(copies * copies) <= MOST_FLIGHTS;
         copies++) {
        swp_trace more;
        SWP_TRY(follow(ctx, flow, copies, &more));
        if (more.unknown_addresses < out->unknown_addresses)
            *out = more;
    }
    return SWP_OK;
}
