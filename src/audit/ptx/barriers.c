/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a work group in a run of a kernel, by number and threads, and those of a warp. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

/* `came`: threads of so many that meet at the barrier; 0: it is not about these. */
static void tell(const swp_ptx_step *step, int other, bool ends, int came, int count,
                 const char *detail)
{
    const swp_ptx_facts facts = {
        .of = came ? SWP_PTX_MEETING_FACTS : SWP_PTX_NO_FACTS, .count = count, .came = came};
    swp_ptx_report(step->run, (swp_ptx_finding){
                                  .facts = facts,
                                  .kind = SWP_NAMED_BARRIER,
                                  .at = step->number,
                                  .other = other,
                                  .detail = detail,
                                  .hint = "give all that meet at a barrier one number of threads, "
                                          "a multiple of 32",
                                  .ends = ends});
}

/* Number and threads of the barrier; false: they cannot be told. */
static bool read_barrier(const swp_ptx_step *step, swp_ptx_barrier **out, int *threads, bool *given)
{
    const swp_ptx_module *module = step->run->module;
    /* bar.red has a result before, and a predicate behind. */
    const int first = step->insn->has_results;
    const swp_ptx_operand *id = swp_ptx_operand_of(module, step->insn, first);
    const bool counted = !first || swp_ptx_operand_of(module, step->insn, 3);
    const swp_ptx_operand *count =
        counted ? swp_ptx_operand_of(module, step->insn, first + 1) : NULL;
    uint64_t number = 0;
    uint64_t all = (uint64_t)step->run->threads;
    if (!id || !swp_ptx_uniform_number(step, id, &number) ||
        (count && !swp_ptx_uniform_number(step, count, &all)))
        return false;
    if (number >= SWP_PTX_BARRIERS) {
        tell(step, -1, true, 0, 0, "there are barriers 0 to 15 only");
        return false;
    }
    *out = swp_ptx_barrier_of(step, (int)number);
    *threads = (int)all;
    *given = count != NULL;
    return *out != NULL;
}

void swp_ptx_open_barrier(swp_ptx_run *run, swp_ptx_barrier *barrier)
{
    const int component = swp_ptx_meeting_component(run, barrier);
    swp_ptx_clock *opened = &barrier->opened[barrier->generation & 1];
    *opened = barrier->arrived;
    opened->at[component] = ++barrier->generation;
    barrier->arrived = (swp_ptx_clock){0};
    barrier->arrivals = barrier->expected = 0;
}

bool swp_ptx_open_barriers(swp_ptx_run *run)
{
    int alive[SWP_PTX_MOST_CLUSTER] = {0};
    bool any = swp_ptx_open_cluster(run);
    for (int w = 0; w < run->warp_count; w++)
        alive[swp_ptx_rank(run, w)] += swp_ptx_count_lanes(run->warps[w].alive);
    for (int i = 0; i < SWP_PTX_BARRIERS; i++) {
        swp_ptx_barrier *barrier = &run->barriers[i];
        if (!barrier->for_all || !barrier->arrivals || barrier->arrivals != alive[barrier->rank])
            continue;
        swp_ptx_open_barrier(run, barrier);
        any = true;
    }
    return any;
}

static void come(const swp_ptx_step *step, swp_ptx_barrier *barrier, int threads, bool given,
                 uint32_t lanes)
{
    swp_ptx_run *run = step->run;
    const int component = swp_ptx_meeting_component(run, barrier);
    if (given && (threads % SWP_PTX_LANES || threads > run->threads || threads == 0))
        tell(step, -1, true, 0, 0, "as many threads cannot meet here");
    else if (barrier->arrivals && barrier->expected != threads)
        tell(step, barrier->insn, true, barrier->arrivals, barrier->expected,
             "the same barrier is given another number of threads elsewhere");
    if (!barrier->arrivals) {
        barrier->expected = threads;
        barrier->insn = step->number;
    }
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(lanes) >> which & 1))
            continue;
        if (run->clocks[chain].at[component] < barrier->generation)
            tell(step, barrier->insn, false, 0, 0,
                 "this may come before the meeting before has opened: nothing orders it behind "
                 "that");
        (void)swp_ptx_tick(run, chain);
        swp_ptx_join(&barrier->arrived, &run->clocks[chain]);
    }
    barrier->arrivals += swp_ptx_count_lanes(lanes);
    if (barrier->arrivals > barrier->expected)
        tell(step, barrier->insn, true, barrier->arrivals, barrier->expected,
             "more threads come to this barrier than meet at it");
}

static void leave(const swp_ptx_step *step, const swp_ptx_barrier *barrier, bool *waits)
{
    swp_ptx_run *run = step->run;
    swp_ptx_warp *warp = &run->warps[step->warp];
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        if (!(step->lanes >> lane & 1))
            continue;
        *waits |= warp->generation[lane] >= barrier->generation;
        if (barrier->generation - warp->generation[lane] > 2)
            tell(step, barrier->insn, true, 0, 0,
                 "others meet here again before this thread has left");
    }
    if (*waits)
        return;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        int lane = which;
        while (lane < SWP_PTX_LANES && !(step->lanes >> lane & 1))
            lane++;
        if (swp_ptx_chains_of(step->lanes) >> which & 1)
            swp_ptx_join(&run->clocks[chain], &barrier->opened[warp->generation[lane] & 1]);
    }
    warp->at_barrier &= ~step->lanes;
}

static void meet_warp(const swp_ptx_step *step)
{
    swp_ptx_clock *clocks = &step->run->clocks[swp_ptx_chain(step->warp, 0)];
    if (swp_ptx_chains_of(step->lanes) != 3)
        return;
    (void)swp_ptx_tick(step->run, swp_ptx_chain(step->warp, 0));
    (void)swp_ptx_tick(step->run, swp_ptx_chain(step->warp, 1));
    swp_ptx_join(&clocks[0], &clocks[1]);
    swp_ptx_join(&clocks[1], &clocks[0]);
}

bool swp_ptx_is_aligned_barrier(const swp_ptx_insn *insn)
{
    return (insn->kind == SWP_PTX_BARRIER || insn->kind == SWP_PTX_BARRIER_ARRIVE ||
            insn->kind == SWP_PTX_CLUSTER_ARRIVE || insn->kind == SWP_PTX_CLUSTER_WAIT) &&
           (swp_code_slice_starts(insn->name, "bar.") || swp_ptx_has(insn->name, "aligned"));
}

void swp_ptx_execute_barrier(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const uint32_t new_lanes = step->lanes & ~warp->at_barrier;
    swp_ptx_barrier *barrier = NULL;
    int threads = 0;
    bool given = false;
    if (step->insn->kind == SWP_PTX_WARP_BARRIER) {
        meet_warp(step);
        return;
    }
    if (!read_barrier(step, &barrier, &threads, &given))
        return;
    if (swp_ptx_is_aligned_barrier(step->insn) && warp->alive & ~step->lanes) {
        swp_ptx_report_unknown(step->run, step->number,
                               "a part of a warp executes an aligned barrier",
                               "let the warp converge before it, or use barrier.sync");
        return;
    }
    const int generation = barrier->generation;
    warp->meets_at = (int)(barrier - step->run->barriers) + 1;
    if (new_lanes) {
        come(step, barrier, threads, given, new_lanes);
        barrier->for_all = !given;
    }
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (new_lanes >> lane & 1)
            warp->generation[lane] = generation;
    if (barrier->arrivals == barrier->expected && new_lanes)
        swp_ptx_open_barrier(step->run, barrier);
    if (step->insn->kind == SWP_PTX_BARRIER_ARRIVE)
        return;
    warp->at_barrier |= new_lanes;
    leave(step, barrier, waits);
}
