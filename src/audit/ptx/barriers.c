/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a work group in a run of a kernel, by number and threads, and those of a warp. */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"

static void tell(const swp_ptx_turn *turn, int other, const char *detail)
{
    swp_ptx_tell(turn->run,
                 (swp_ptx_finding){.kind = SWP_NAMED_BARRIER,
                                   .at = turn->number,
                                   .other = other,
                                   .detail = detail,
                                   .hint = "give all that meet at a barrier one number of threads, "
                                           "a multiple of 32"});
}

/* Number and threads of the barrier; false: they cannot be told. */
static bool read_barrier(const swp_ptx_turn *turn, swp_ptx_barrier **out, int *threads, bool *given)
{
    const swp_ptx_module *module = turn->run->module;
    /* bar.red has a result before, and a predicate behind. */
    const int first = turn->insn->has_results;
    const swp_ptx_operand *id = swp_ptx_operand_of(module, turn->insn, first);
    const bool counted = !first || swp_ptx_operand_of(module, turn->insn, 3);
    const swp_ptx_operand *count =
        counted ? swp_ptx_operand_of(module, turn->insn, first + 1) : NULL;
    uint64_t number = 0;
    uint64_t all = (uint64_t)turn->run->threads;
    if (!id || !swp_ptx_same_number(turn, id, &number) ||
        (count && !swp_ptx_same_number(turn, count, &all)))
        return false;
    if (number >= SWP_PTX_BARRIERS) {
        tell(turn, -1, "there are barriers 0 to 15 only");
        return false;
    }
    *out = &turn->run->barriers[number];
    *threads = (int)all;
    *given = count != NULL;
    return true;
}

static void open(swp_ptx_run *run, swp_ptx_barrier *barrier)
{
    const int component = SWP_PTX_CLOCK_MEETINGS + (int)(barrier - run->barriers);
    swp_ptx_clock *opened = &barrier->opened[barrier->meeting & 1];
    *opened = barrier->arrived;
    opened->at[component] = ++barrier->meeting;
    barrier->arrived = (swp_ptx_clock){0};
    barrier->come = barrier->expected = 0;
}

bool swp_ptx_open_barriers(swp_ptx_run *run)
{
    int alive = 0;
    bool any = false;
    for (int w = 0; w < run->warp_count; w++)
        alive += swp_ptx_count_lanes(run->warps[w].alive);
    for (int i = 0; i < SWP_PTX_BARRIERS; i++) {
        swp_ptx_barrier *barrier = &run->barriers[i];
        if (!barrier->for_all || !barrier->come || barrier->come != alive)
            continue;
        open(run, barrier);
        any = true;
    }
    return any;
}

static void come(const swp_ptx_turn *turn, swp_ptx_barrier *barrier, int threads, bool given,
                 uint32_t lanes)
{
    swp_ptx_run *run = turn->run;
    const int component = SWP_PTX_CLOCK_MEETINGS + (int)(barrier - run->barriers);
    if (given && (threads % SWP_PTX_LANES || threads > run->threads || threads == 0))
        tell(turn, -1, "as many threads cannot meet here");
    else if (barrier->come && barrier->expected != threads)
        tell(turn, barrier->insn, "the same barrier is given another number of threads elsewhere");
    if (!barrier->come) {
        barrier->expected = threads;
        barrier->insn = turn->number;
    }
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!(swp_ptx_strands_of(lanes) >> which & 1))
            continue;
        if (run->clocks[strand].at[component] < barrier->meeting)
            tell(turn, barrier->insn,
                 "this may come before the meeting before has opened: nothing orders it behind "
                 "that");
        (void)swp_ptx_tick(run, strand);
        swp_ptx_join(&barrier->arrived, &run->clocks[strand]);
    }
    barrier->come += swp_ptx_count_lanes(lanes);
    if (barrier->come > barrier->expected)
        tell(turn, barrier->insn, "more threads come to this barrier than meet at it");
}

static void leave(const swp_ptx_turn *turn, const swp_ptx_barrier *barrier, bool *waits)
{
    swp_ptx_run *run = turn->run;
    swp_ptx_warp *warp = &run->warps[turn->warp];
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        if (!(turn->lanes >> lane & 1))
            continue;
        *waits |= warp->meeting[lane] >= barrier->meeting;
        if (barrier->meeting - warp->meeting[lane] > 2)
            tell(turn, barrier->insn, "others meet here again before this thread has left");
    }
    if (*waits)
        return;
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        int lane = which;
        while (lane < SWP_PTX_LANES && !(turn->lanes >> lane & 1))
            lane++;
        if (swp_ptx_strands_of(turn->lanes) >> which & 1)
            swp_ptx_join(&run->clocks[strand], &barrier->opened[warp->meeting[lane] & 1]);
    }
    warp->meets &= ~turn->lanes;
}

static void meet_warp(const swp_ptx_turn *turn)
{
    swp_ptx_clock *clocks = &turn->run->clocks[swp_ptx_strand(turn->warp, 0)];
    if (swp_ptx_strands_of(turn->lanes) != 3)
        return;
    (void)swp_ptx_tick(turn->run, swp_ptx_strand(turn->warp, 0));
    (void)swp_ptx_tick(turn->run, swp_ptx_strand(turn->warp, 1));
    swp_ptx_join(&clocks[0], &clocks[1]);
    swp_ptx_join(&clocks[1], &clocks[0]);
}

bool swp_ptx_is_aligned_barrier(const swp_ptx_insn *insn)
{
    return (insn->kind == SWP_PTX_BARRIER || insn->kind == SWP_PTX_BARRIER_ARRIVE) &&
           (swp_code_slice_starts(insn->name, "bar.") || swp_ptx_has(insn->name, "aligned"));
}

void swp_ptx_execute_barrier(const swp_ptx_turn *turn, bool *waits)
{
    swp_ptx_warp *warp = &turn->run->warps[turn->warp];
    const uint32_t new_lanes = turn->lanes & ~warp->meets;
    swp_ptx_barrier *barrier = NULL;
    int threads = 0;
    bool given = false;
    if (turn->insn->kind == SWP_PTX_WARP_BARRIER) {
        meet_warp(turn);
        return;
    }
    if (!read_barrier(turn, &barrier, &threads, &given))
        return;
    if (swp_ptx_is_aligned_barrier(turn->insn) && warp->alive & ~turn->lanes) {
        swp_ptx_doubt(turn->run, turn->number, "a part of a warp executes an aligned barrier",
                      "let the warp converge before it, or use barrier.sync");
        return;
    }
    const int meeting = barrier->meeting;
    if (new_lanes) {
        come(turn, barrier, threads, given, new_lanes);
        barrier->for_all = !given;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (new_lanes >> lane & 1)
            warp->meeting[lane] = meeting;
    if (barrier->come == barrier->expected && new_lanes)
        open(turn->run, barrier);
    if (turn->insn->kind == SWP_PTX_BARRIER_ARRIVE)
        return;
    warp->meets |= new_lanes;
    leave(turn, barrier, waits);
}
