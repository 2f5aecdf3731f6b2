/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes a kernel's warps in turn, each until it has to wait. All runs with the same arguments have one order, so that
 * one of them tells of all (docs/roles-reference.md, "Before and after").
 *
 * Of the threads of a warp those go first that stand first in the text, so that they meet again where paths join.
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/contents.h"
#include "audit/ptx/order.h"
#include "audit/ptx/terms.h"

enum { MOST_STEPS = 1 << 22, MOST_UNDECIDED_STEPS = 1 << 18 };

static bool computes(swp_ptx_kind kind)
{
    return kind <= SWP_PTX_LOAD_PARAM;
}

/* --- branches --- */

static bool orders(const swp_ptx_insn *insn)
{
    return insn->kind >= SWP_PTX_EXIT;
}

/* The lanes for which the guard holds; `unknown`: memory decides. */
static uint32_t guarded(const swp_ptx_step *step, bool *unknown)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_insn *insn = step->insn;
    uint32_t lanes = 0;
    *unknown = false;
    if (insn->guard < 0)
        return step->lanes;
    const swp_ptx_value *guard = &run->warps[step->warp].registers[insn->guard].value;
    if (!swp_ptx_known(guard) || swp_ptx_is_affine(guard) || guard->undefined & step->lanes) {
        *unknown = true;
        return step->lanes;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1 && (swp_ptx_lane(guard, lane) != 0) != insn->guard_negated)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

/* It goes back to a wait until that has ended, which here it has. */
static bool polls(const swp_ptx_run *run, int number)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    int first = insns[number].target;
    while (first < number && insns[first].kind == SWP_PTX_WAIT)
        first++;
    return insns[number].guard >= 0 && first == number && insns[number].target < number;
}

/* Lanes that need not wait pass the same ones. */
static bool is_decision(const swp_ptx_run *run, int number)
{
    const swp_ptx_insn *insn = &run->module->insns.items[number];
    return (insn->kind == SWP_PTX_BRANCH && !polls(run, number)) ||
           (insn->kind == SWP_PTX_EXIT && insn->guard >= 0);
}

bool swp_ptx_is_held(const swp_ptx_run *run, const swp_ptx_warp *warp, int lane)
{
    const int pc = warp->pc[lane];
    return warp->hold[lane] >= 0 && warp->branches[lane] >= warp->hold[lane] &&
           pc < run->kernel->end && is_decision(run, pc);
}

/* Notes for each lane where it goes on. */
static swp_status count_branch(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const bool decides = is_decision(step->run, step->number);
    for (int lane = 0; lane < SWP_PTX_LANES && decides; lane++) {
        swp_ptx_path *path = &warp->paths[lane];
        if (!(step->lanes >> lane & 1))
            continue;
        warp->branches[lane]++;
        if (step->run->records)
            SWP_TRY(SWP_PUSH(step->run->ctx, path, warp->alive >> lane & 1 ? warp->pc[lane] : -1));
    }
    return SWP_OK;
}

/* Memory decides which way is followed; false: arguments do, which are asked for, or the run ends. */
static bool decide(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_value *guard = &run->warps[step->warp].registers[step->insn->guard].value;
    if (guard->state == SWP_PTX_UNKNOWN &&
        (!(guard->depends & SWP_PTX_DATA) || swp_ptx_has_term(step, guard))) {
        swp_ptx_ask_value(step, guard, "arguments decide this branch");
        return false;
    }
    if (run->undecided < 0)
        run->undecided = step->number;
    if (run->must_decide)
        run->outcome = SWP_PTX_INCONCLUSIVE;
    return !run->must_decide;
}

static void branch(const swp_ptx_step *step, uint32_t lanes, bool unknown)
{
    swp_ptx_run *run = step->run;
    swp_ptx_warp *warp = &run->warps[step->warp];
    if ((unknown || run->hurries) && swp_ptx_skip_loop(step))
        return;
    if (unknown) {
        if (swp_ptx_skip_ways(step) || !decide(step))
            return;
        lanes = run->takes ? step->lanes : 0;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1)
            warp->pc[lane] = lanes >> lane & 1 ? step->insn->target : step->number + 1;
}

/* --- one instruction --- */

bool swp_ptx_is_collective(const swp_ptx_insn *insn)
{
    return insn->meets || swp_ptx_is_aligned_barrier(insn);
}

static swp_status execute_order(const swp_ptx_step *step, bool *waits)
{
    const swp_ptx_kind kind = step->insn->kind;
    if (kind == SWP_PTX_SET_REGISTERS) {
        step->run->warps[step->warp].settings++;
        return SWP_OK;
    }
    if (kind >= SWP_PTX_COPY)
        swp_ptx_check_lanes(step);
    if (kind >= SWP_PTX_WGMMA && kind <= SWP_PTX_WGMMA_WAIT)
        return swp_ptx_execute_wgmma(step, waits);
    if (kind == SWP_PTX_BULK_LOAD || kind == SWP_PTX_BULK_STORE)
        return swp_ptx_execute_bulk(step, waits);
    if (kind == SWP_PTX_STORE_ASYNC || kind == SWP_PTX_REDUCE_ASYNC)
        return swp_ptx_store_async(step, waits);
    if (kind >= SWP_PTX_INIT && kind <= SWP_PTX_WAIT)
        return swp_ptx_execute_mbarrier(step, waits);
    if (kind == SWP_PTX_FENCE_PROXY)
        swp_ptx_execute_fence(step);
    else if (kind >= SWP_PTX_BARRIER && kind <= SWP_PTX_WARP_BARRIER)
        swp_ptx_execute_barrier(step, waits);
    else if (kind == SWP_PTX_CLUSTER_ARRIVE || kind == SWP_PTX_CLUSTER_WAIT)
        swp_ptx_execute_cluster_barrier(step, waits);
    else if (kind == SWP_PTX_UNSUPPORTED)
        swp_ptx_report_unknown(step->run, step->number, "this instruction is not followed",
                               "calls and relaxed operations are not: see docs/audit.md");
    else
        return swp_ptx_execute_memory(step);
    return SWP_OK;
}

static void move_on(const swp_ptx_step *step)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1)
            step->run->warps[step->warp].pc[lane] = step->number + 1;
}

/* Lanes of the mask that a guard keeps away are waited for in vain (PTX ISA, shfl.sync, elect.sync). */
static bool lacks_members(const swp_ptx_step *step)
{
    const uint32_t alive = step->run->warps[step->warp].alive;
    return step->insn->meets && (swp_ptx_members(step) & alive) != step->lanes;
}

/*
 * Whether it is enough that it may be executed: a copy counts in no group but by its commit. Where nothing is certain that is found,
 * what decides it is not asked for.
 */
static bool may_be_executed(const swp_ptx_step *step)
{
    return step->insn->kind == SWP_PTX_COPY && step->run->terms;
}

/* Executes an instruction that is neither a branch nor an end, for the lanes whose guard holds. */
static swp_status execute_guarded(swp_ptx_step step, uint32_t lanes, bool unknown, bool *waits)
{
    swp_ptx_run *run = step.run;
    const swp_ptx_step all = step;
    const swp_ptx_kind kind = step.insn->kind;
    step.lanes = lanes;
    step.unsure = unknown;
    if (unknown && orders(step.insn) && kind > SWP_PTX_ATOMIC && !may_be_executed(&step)) {
        swp_ptx_ask_value(&step, &run->warps[step.warp].registers[step.insn->guard].value,
                          "whether this is executed depends on something that is not followed");
        return SWP_OK;
    }
    if (lanes) {
        run->now = step.number;
        run->by = (swp_ptx_threads){UINT32_C(1) << step.warp, swp_ptx_chains_of(lanes)};
        const bool alone = unknown || lacks_members(&step);
        if (kind != SWP_PTX_WGMMA)
            swp_ptx_watch_registers(&step);
        if (step.insn->meets && !alone)
            swp_ptx_meet(&step);
        if (computes(kind) && alone)
            swp_ptx_forget_results(&step, SWP_PTX_DATA);
        else if (computes(kind))
            swp_ptx_calculate(&step);
        else
            SWP_TRY(execute_order(&step, waits));
        if (*waits)
            return SWP_OK;
        if (computes(kind))
            swp_ptx_pass_tests_on(&step);
        if (kind == SWP_PTX_LOAD && !unknown && !step.insn->signals)
            swp_ptx_load_numbers(&step);
        else if (kind == SWP_PTX_STORE && !unknown)
            SWP_TRY(swp_ptx_store_numbers(&step));
        else if ((kind >= SWP_PTX_LOAD && kind <= SWP_PTX_LDMATRIX) || kind == SWP_PTX_BARRIER)
            swp_ptx_forget_results(&step, SWP_PTX_DATA);
    }
    move_on(&all);
    return SWP_OK;
}

static void end_lanes(const swp_ptx_step *step, uint32_t lanes)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    swp_ptx_step rest = *step;
    swp_ptx_check_leaving(step, lanes);
    warp->alive &= ~lanes;
    rest.lanes &= ~lanes;
    move_on(&rest);
}

/* A loop that memory ends is never left, or is left at once. */
static int64_t most_steps(const swp_ptx_run *run)
{
    const int64_t most = run->most_steps ? run->most_steps : MOST_STEPS;
    const int64_t undecided = run->is_dry ? MOST_UNDECIDED_STEPS / 4 : MOST_UNDECIDED_STEPS;
    return run->undecided >= 0 && most > undecided ? undecided : most;
}

static swp_status execute_step(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    bool unknown = false;
    const uint32_t lanes = guarded(step, &unknown);
    const uint32_t alive = run->warps[step->warp].alive;
    *waits =
        swp_ptx_is_collective(step->insn) && (swp_ptx_members(step) & alive & ~step->lanes) != 0;
    if (*waits)
        return SWP_OK;
    if (++run->steps > most_steps(run)) {
        run->outcome = SWP_PTX_TOO_LONG;
        return SWP_OK;
    }
    switch (step->insn->kind) {
    case SWP_PTX_BRANCH:
        branch(step, lanes, unknown);
        return count_branch(step);
    case SWP_PTX_EXIT:
        if (unknown && !decide(step))
            return SWP_OK;
        end_lanes(step, !unknown ? lanes : run->takes ? step->lanes : 0);
        return step->insn->guard >= 0 ? count_branch(step) : SWP_OK;
    case SWP_PTX_TRAP:
        if (lanes && !unknown)
            run->outcome = SWP_PTX_DISCARDED;
        else
            move_on(step);
        return SWP_OK;
    default:
        return execute_guarded(*step, lanes, unknown, waits);
    }
}

/* --- warps --- */

/* The lanes that stand first in the text of those that are not held up. */
static uint32_t first_lanes(const swp_ptx_run *run, const swp_ptx_warp *warp, uint32_t held,
                            int *pc)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const uint32_t bit = UINT32_C(1) << lane;
        if (!(warp->alive & bit) || held & bit || swp_ptx_is_held(run, warp, lane))
            continue;
        if (!lanes || warp->pc[lane] < *pc) {
            lanes = 0;
            *pc = warp->pc[lane];
        }
        if (warp->pc[lane] == *pc)
            lanes |= bit;
    }
    return lanes;
}

/*
 * Follows a warp until all of its lanes are held up, or gone. `together`: until the first of them are: those that need not
 * wait would only go ahead of these, and write registers of which half is then one pass older.
 */
static swp_status follow_warp(swp_ptx_run *run, int number, bool together, bool *moved)
{
    swp_ptx_warp *warp = &run->warps[number];
    uint32_t held = 0;
    while (run->outcome == SWP_PTX_GOES_ON) {
        int pc = 0;
        const uint32_t lanes = first_lanes(run, warp, held, &pc);
        bool waits = false;
        if (!lanes)
            return SWP_OK;
        if (pc >= run->kernel->end) {
            const swp_ptx_step last = {.run = run, .warp = number, .number = pc - 1};
            swp_ptx_check_leaving(&last, lanes);
            warp->alive &= ~lanes;
            continue;
        }
        const swp_ptx_step step = {.run = run,
                                   .warp = number,
                                   .lanes = lanes,
                                   .insn = &run->module->insns.items[pc],
                                   .number = pc};
        SWP_TRY(execute_step(&step, &waits));
        SWP_TRY(run->status);
        held = waits ? held | lanes : 0;
        *moved |= !waits;
        if (waits && together)
            return SWP_OK;
    }
    return SWP_OK;
}

/* --- the run --- */

swp_status swp_ptx_run_begin(swp_ptx_run *run)
{
    const int *size = run->kernel->threads;
    run->threads = size[0] * size[1] * size[2];
    run->cluster = swp_ptx_cluster_size(run->kernel);
    run->own_warps = swp_ptx_warps_of(run->kernel);
    run->warp_count = run->cluster * run->own_warps;
    run->undecided = run->now = -1;
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT; rule++)
        run->assumed[rule] = -1;
    for (int i = run->kernel->first; i < run->kernel->end; i++)
        run->has_bulk_loads |= run->module->insns.items[i].kind == SWP_PTX_BULK_LOAD;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)swp_ptx_shelves(run), &run->buckets));
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)SWP_PTX_BUCKETS * (size_t)run->cluster, &run->pages));
    SWP_TRY(SWP_TAKE(run->ctx, swp_ptx_written_words(run), &run->written));
    SWP_TRY(SWP_TAKE(run->ctx, SWP_PTX_MOST_MBARRIERS, &run->mbarriers));
    for (int w = 0; w < run->warp_count; w++) {
        swp_ptx_warp *warp = &run->warps[w];
        const int threads = run->threads - w % run->own_warps * SWP_PTX_LANES;
        warp->alive = threads <= 0               ? 0
                      : threads >= SWP_PTX_LANES ? SWP_PTX_ALL_LANES
                                                 : (UINT32_C(1) << threads) - 1;
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->kernel->registers + 1, &warp->registers));
        for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
            warp->pc[lane] = run->kernel->first;
            warp->hold[lane] = -1;
        }
    }
    return SWP_OK;
}

static swp_status follow_warps(swp_ptx_run *run, bool together, bool *moved)
{
    for (int w = 0; w < run->warp_count && run->outcome == SWP_PTX_GOES_ON; w++)
        SWP_TRY(follow_warp(run, w, together, moved));
    return SWP_OK;
}

bool swp_ptx_all_are_held(const swp_ptx_run *run)
{
    bool any = false;
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            if (run->warps[w].hold[lane] >= 0) {
                if (!(run->warps[w].alive >> lane & 1) ||
                    !swp_ptx_is_held(run, &run->warps[w], lane))
                    return false;
                any = true;
            }
    return any;
}

swp_status swp_ptx_run_go(swp_ptx_run *run)
{
    bool moved = true;
    while (moved && run->outcome == SWP_PTX_GOES_ON) {
        moved = false;
        SWP_TRY(follow_warps(run, true, &moved));
        if (!moved)
            SWP_TRY(swp_ptx_complete_copies(run, true, &moved));
        /* Who need not wait would go ahead of those who do, for as many passes as there are. */
        if (!moved && swp_ptx_all_are_held(run))
            return SWP_OK;
        if (!moved)
            SWP_TRY(follow_warps(run, false, &moved));
        if (!moved)
            SWP_TRY(swp_ptx_complete_copies(run, false, &moved));
        if (!moved && run->outcome == SWP_PTX_GOES_ON)
            moved = swp_ptx_open_barriers(run);
    }
    return SWP_OK;
}

swp_status swp_ptx_run_follow(swp_ptx_run *run)
{
    SWP_TRY(swp_ptx_run_begin(run));
    SWP_TRY(swp_ptx_run_go(run));
    SWP_TRY(swp_ptx_run_end(run));
    return SWP_OK;
}
