/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes a kernel's warps in turn, each until it has to wait. All runs with the same arguments have one order, so that
 * one of them tells of all (docs/roles-reference.md, "Before and after").
 *
 * Of the threads of a warp those go first that stand first in the text, so that they meet again where paths join.
 */
#include "audit/ptx/contents.h"
#include "audit/ptx/order.h"

enum { MOST_STEPS = 1 << 22, MOST_SKIPPED = 1 << 12 };

static bool computes(swp_ptx_kind kind)
{
    return kind <= SWP_PTX_LOAD_PARAM;
}

/* --- branches --- */

static bool orders(const swp_ptx_insn *insn)
{
    return insn->kind >= SWP_PTX_EXIT;
}

/*
 * Where the two ways of a branch meet again, if nothing between orders anything and neither comes back; else -1.
 */
static int harmless_end(const swp_ptx_run *run, const swp_ptx_turn *turn)
{
    int end = turn->insn->target;
    for (int i = turn->number + 1; i < end && end < run->kernel->end; i++) {
        if (i > turn->number + MOST_SKIPPED)
            return -1;
        const swp_ptx_insn *insn = &run->module->insns.items[i];
        const bool accesses = insn->kind == SWP_PTX_LOAD || insn->kind == SWP_PTX_STORE ||
                              insn->kind == SWP_PTX_ATOMIC;
        if (insn->kind == SWP_PTX_BRANCH && insn->target > end)
            end = insn->target;
        if (insn->kind == SWP_PTX_BRANCH && insn->target <= turn->number)
            return -1;
        if (orders(insn) && !(accesses && swp_ptx_has(insn->name, "global")))
            return -1;
    }
    return end > turn->number && end < run->kernel->end ? end : -1;
}

/* The lanes for which the guard holds; `unknown`: memory decides. */
static uint32_t guarded(const swp_ptx_turn *turn, bool *unknown)
{
    swp_ptx_run *run = turn->run;
    const swp_ptx_insn *insn = turn->insn;
    uint32_t lanes = 0;
    *unknown = false;
    if (insn->guard < 0)
        return turn->lanes;
    const swp_ptx_value *guard = &run->warps[turn->warp].registers[insn->guard].value;
    if (!swp_ptx_known(guard) || swp_ptx_grows(guard) || guard->lacking & turn->lanes) {
        *unknown = true;
        return turn->lanes;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (turn->lanes >> lane & 1 && (swp_ptx_lane(guard, lane) != 0) != insn->guard_negated)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

/* Whichever way is taken: what may be written in between is unknown behind it. */
static void skip(const swp_ptx_turn *turn, int end)
{
    const swp_ptx_value *guard = &turn->run->warps[turn->warp].registers[turn->insn->guard].value;
    const uint32_t depends = guard->state == SWP_PTX_UNKNOWN ? guard->depends : SWP_PTX_DATA;
    swp_ptx_turn skipped = *turn;
    turn->run->steps += end - turn->number;
    for (int i = turn->number + 1; i < end; i++) {
        skipped.number = i;
        skipped.insn = &turn->run->module->insns.items[i];
        swp_ptx_watch_registers(&skipped);
        swp_ptx_forget_results(&skipped, depends);
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (turn->lanes >> lane & 1)
            turn->run->warps[turn->warp].pc[lane] = end;
}

static bool is_decision(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_BRANCH || (insn->kind == SWP_PTX_EXIT && insn->guard >= 0);
}

bool swp_ptx_is_held(const swp_ptx_run *run, const swp_ptx_warp *warp, int lane)
{
    const int pc = warp->pc[lane];
    return warp->hold[lane] >= 0 && warp->branches[lane] >= warp->hold[lane] &&
           pc < run->kernel->end && is_decision(&run->module->insns.items[pc]);
}

/* Notes for each lane where it goes on. */
static swp_status count_branch(const swp_ptx_turn *turn)
{
    swp_ptx_warp *warp = &turn->run->warps[turn->warp];
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        swp_ptx_path *path = &warp->paths[lane];
        if (!(turn->lanes >> lane & 1))
            continue;
        warp->branches[lane]++;
        if (turn->run->records)
            SWP_TRY(SWP_PUSH(turn->run->ctx, path, warp->alive >> lane & 1 ? warp->pc[lane] : -1));
    }
    return SWP_OK;
}

/* Memory decides which way is followed; false: arguments do, which are asked for. */
static bool decide(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    const swp_ptx_value *guard = &run->warps[turn->warp].registers[turn->insn->guard].value;
    if (guard->state == SWP_PTX_UNKNOWN && !(guard->depends & SWP_PTX_DATA)) {
        swp_ptx_ask(run, turn->number, guard->depends, "arguments decide this branch");
        return false;
    }
    if (run->undecided < 0)
        run->undecided = turn->number;
    return true;
}

static void branch(const swp_ptx_turn *turn, uint32_t lanes, bool unknown)
{
    swp_ptx_run *run = turn->run;
    swp_ptx_warp *warp = &run->warps[turn->warp];
    if (unknown) {
        const int end = harmless_end(run, turn);
        if (end >= 0) {
            skip(turn, end);
            return;
        }
        if (!decide(turn))
            return;
        lanes = run->takes ? turn->lanes : 0;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (turn->lanes >> lane & 1)
            warp->pc[lane] = lanes >> lane & 1 ? turn->insn->target : turn->number + 1;
}

/* --- one instruction --- */

/* All threads of the warp execute it together. */
static bool is_collective(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_SHUFFLE || insn->kind == SWP_PTX_ELECT ||
           insn->kind == SWP_PTX_VOTE || insn->kind == SWP_PTX_WARP_BARRIER ||
           insn->kind == SWP_PTX_LDMATRIX || insn->kind == SWP_PTX_STMATRIX ||
           swp_ptx_is_aligned_barrier(insn) ||
           (insn->kind >= SWP_PTX_WGMMA && insn->kind <= SWP_PTX_WGMMA_WAIT);
}

static swp_status execute_order(const swp_ptx_turn *turn, bool *waits)
{
    const swp_ptx_kind kind = turn->insn->kind;
    if (kind >= SWP_PTX_COPY)
        swp_ptx_check_lanes(turn);
    if (kind >= SWP_PTX_WGMMA && kind <= SWP_PTX_WGMMA_WAIT)
        return swp_ptx_execute_wgmma(turn, waits);
    if (kind == SWP_PTX_BULK_LOAD || kind == SWP_PTX_BULK_STORE)
        return swp_ptx_execute_bulk(turn);
    if (kind >= SWP_PTX_INIT && kind <= SWP_PTX_WAIT)
        return swp_ptx_execute_mbarrier(turn, waits);
    if (kind == SWP_PTX_FENCE_PROXY)
        swp_ptx_execute_fence(turn);
    else if (kind >= SWP_PTX_BARRIER && kind <= SWP_PTX_WARP_BARRIER)
        swp_ptx_execute_barrier(turn, waits);
    else if (kind == SWP_PTX_UNSUPPORTED)
        swp_ptx_doubt(turn->run, turn->number, "this instruction is not followed",
                      "clusters, calls and relaxed operations are not: see docs/audit.md");
    else
        return swp_ptx_execute_memory(turn);
    return SWP_OK;
}

static void move_on(const swp_ptx_turn *turn)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (turn->lanes >> lane & 1)
            turn->run->warps[turn->warp].pc[lane] = turn->number + 1;
}

/* Executes an instruction that is neither a branch nor an end, for the lanes whose guard holds. */
static swp_status execute_guarded(swp_ptx_turn turn, uint32_t lanes, bool unknown, bool *waits)
{
    swp_ptx_run *run = turn.run;
    const swp_ptx_turn all = turn;
    const swp_ptx_kind kind = turn.insn->kind;
    turn.lanes = lanes;
    turn.unsure = unknown;
    if (unknown && orders(turn.insn) && kind > SWP_PTX_ATOMIC) {
        swp_ptx_ask(run, turn.number,
                    run->warps[turn.warp].registers[turn.insn->guard].value.depends,
                    "whether this is executed depends on something that is not followed");
        return SWP_OK;
    }
    if (lanes) {
        if (kind != SWP_PTX_WGMMA)
            swp_ptx_watch_registers(&turn);
        if (computes(kind) && unknown)
            swp_ptx_forget_results(&turn, SWP_PTX_DATA);
        else if (computes(kind))
            swp_ptx_calculate(&turn);
        else
            SWP_TRY(execute_order(&turn, waits));
        if (*waits)
            return SWP_OK;
        if (kind == SWP_PTX_LOAD && !unknown)
            swp_ptx_load_numbers(&turn);
        else if (kind == SWP_PTX_STORE && !unknown)
            SWP_TRY(swp_ptx_store_numbers(&turn));
        else if ((kind >= SWP_PTX_LOAD && kind <= SWP_PTX_LDMATRIX) || kind == SWP_PTX_BARRIER)
            swp_ptx_forget_results(&turn, SWP_PTX_DATA);
    }
    move_on(&all);
    return SWP_OK;
}

static void end_lanes(const swp_ptx_turn *turn, uint32_t lanes)
{
    swp_ptx_warp *warp = &turn->run->warps[turn->warp];
    swp_ptx_turn rest = *turn;
    warp->alive &= ~lanes;
    rest.lanes &= ~lanes;
    move_on(&rest);
}

static swp_status step(const swp_ptx_turn *turn, bool *waits)
{
    swp_ptx_run *run = turn->run;
    bool unknown = false;
    const uint32_t lanes = guarded(turn, &unknown);
    const uint32_t alive = run->warps[turn->warp].alive;
    *waits = is_collective(turn->insn) && (swp_ptx_members(turn) & alive & ~turn->lanes) != 0;
    if (*waits)
        return SWP_OK;
    if (++run->steps > (run->most_steps ? run->most_steps : MOST_STEPS)) {
        run->outcome = SWP_PTX_TOO_LONG;
        return SWP_OK;
    }
    switch (turn->insn->kind) {
    case SWP_PTX_BRANCH:
        branch(turn, lanes, unknown);
        return count_branch(turn);
    case SWP_PTX_EXIT:
        if (unknown && !decide(turn))
            return SWP_OK;
        end_lanes(turn, !unknown ? lanes : run->takes ? turn->lanes : 0);
        return turn->insn->guard >= 0 ? count_branch(turn) : SWP_OK;
    case SWP_PTX_TRAP:
        if (lanes && !unknown)
            run->outcome = SWP_PTX_DISCARDED;
        else
            move_on(turn);
        return SWP_OK;
    default:
        return execute_guarded(*turn, lanes, unknown, waits);
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

/* Follows a warp until all of its lanes are held up, or gone. */
static swp_status follow_warp(swp_ptx_run *run, int number, bool *moved)
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
            warp->alive &= ~lanes;
            continue;
        }
        const swp_ptx_turn turn = {.run = run,
                                   .warp = number,
                                   .lanes = lanes,
                                   .insn = &run->module->insns.items[pc],
                                   .number = pc};
        SWP_TRY(step(&turn, &waits));
        SWP_TRY(run->status);
        held = waits ? held | lanes : 0;
        *moved |= !waits;
    }
    return SWP_OK;
}

static void tell_deadlock(swp_ptx_run *run)
{
    for (int w = 0; w < run->warp_count; w++) {
        int pc = 0;
        const uint32_t lanes = first_lanes(run, &run->warps[w], 0, &pc);
        if (!lanes)
            continue;
        const swp_ptx_insn *insn = &run->module->insns.items[pc];
        if (is_collective(insn) && insn->kind < SWP_PTX_WGMMA && run->warps[w].alive & ~lanes)
            swp_ptx_doubt(run, pc, "not all threads of the warp come to this instruction",
                          "let the warp converge before it");
        else
            swp_ptx_tell(run, (swp_ptx_finding){.kind = SWP_DEADLOCK,
                                                .at = pc,
                                                .other = -1,
                                                .detail = "this waits for ever: nobody who can go "
                                                          "on does what would end it",
                                                .hint = "compare its count and parity with those "
                                                        "who arrive"});
        return;
    }
    run->outcome = SWP_PTX_ENDED;
}

/* --- the end --- */

static const char lost_hint[] = "wait for it before the last thread ends";

static bool is_known(const swp_ptx_run *run, int component, int value)
{
    for (int s = 0; s < 2 * run->warp_count; s++)
        if (run->clocks[s].at[component] >= value)
            return true;
    return false;
}

static void check_shelf(swp_ptx_run *run, const swp_ptx_accesses *shelf)
{
    for (size_t i = 0; i < shelf->count; i++) {
        const swp_ptx_access *access = &shelf->items[i];
        if (access->is_async && access->component >= SWP_PTX_CLOCK_COPIES &&
            !is_known(run, access->component, access->value))
            swp_ptx_tell(run, (swp_ptx_finding){
                                  .kind = SWP_LOST_PEER,
                                  .at = access->insn,
                                  .other = -1,
                                  .detail = "this may be in flight when the work group has ended: "
                                            "nobody has waited for it",
                                  .hint = lost_hint});
    }
}

/* Nothing may be in flight then. */
static void check_end(swp_ptx_run *run)
{
    swp_ptx_finding finding = {.kind = SWP_LOST_PEER, .other = -1, .hint = lost_hint};
    run->outcome = SWP_PTX_GOES_ON;
    for (int i = 0; i < run->mbarrier_count; i++)
        if (run->mbarriers[i].copies.count) {
            finding.at = run->mbarriers[i].copies.items[0].insn;
            finding.detail = "this copy may be in flight when the work group has ended";
            swp_ptx_tell(run, finding);
        }
    for (int s = 0; s <= SWP_PTX_SHELVES; s++)
        check_shelf(run, &run->shelves[s]);
    for (int w = 0; w < run->warp_count; w++) {
        finding.at = run->kernel->end - 1;
        finding.detail = "wgmmas are in flight when their warps end: no wait for their group";
        if (run->warps[w].wgmma_groups > run->clocks[swp_ptx_strand(w, 0)]
                                             .at[SWP_PTX_CLOCK_WGMMA + w / SWP_PTX_GROUP_WARPS] ||
            run->warps[w].open_wgmmas)
            swp_ptx_tell(run, finding);
    }
    if (run->outcome == SWP_PTX_GOES_ON)
        run->outcome = SWP_PTX_ENDED;
}

/* --- the run --- */

swp_status swp_ptx_run_begin(swp_ptx_run *run)
{
    const int *size = run->kernel->threads;
    run->threads = size[0] * size[1] * size[2];
    run->warp_count = (run->threads + SWP_PTX_LANES - 1) / SWP_PTX_LANES;
    run->undecided = run->unfenced_init = -1;
    SWP_TRY(SWP_TAKE(run->ctx, SWP_PTX_MOST_MBARRIERS, &run->mbarriers));
    for (int w = 0; w < run->warp_count; w++) {
        swp_ptx_warp *warp = &run->warps[w];
        const int threads = run->threads - w * SWP_PTX_LANES;
        warp->alive = threads >= SWP_PTX_LANES ? SWP_PTX_ALL_LANES : (UINT32_C(1) << threads) - 1;
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->kernel->registers + 1, &warp->registers));
        for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
            warp->pc[lane] = run->kernel->first;
            warp->hold[lane] = -1;
        }
    }
    return SWP_OK;
}

swp_status swp_ptx_run_go(swp_ptx_run *run)
{
    bool moved = true;
    while (moved && run->outcome == SWP_PTX_GOES_ON) {
        moved = false;
        for (int w = 0; w < run->warp_count && run->outcome == SWP_PTX_GOES_ON; w++)
            SWP_TRY(follow_warp(run, w, &moved));
        if (!moved && run->outcome == SWP_PTX_GOES_ON)
            SWP_TRY(swp_ptx_land(run, &moved));
        if (!moved && run->outcome == SWP_PTX_GOES_ON)
            moved = swp_ptx_open_barriers(run);
    }
    return SWP_OK;
}

void swp_ptx_run_end(swp_ptx_run *run)
{
    if (run->outcome == SWP_PTX_GOES_ON)
        tell_deadlock(run);
    if (run->outcome == SWP_PTX_ENDED)
        check_end(run);
}

swp_status swp_ptx_run_follow(swp_ptx_run *run)
{
    SWP_TRY(swp_ptx_run_begin(run));
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    return SWP_OK;
}
