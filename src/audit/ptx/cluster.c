/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What work groups of a cluster have in common: addresses of each other's shared memory, and the cluster's barrier (PTX ISA
 * 9.0, "mapa", "barrier.cluster"; docs/roles-reference.md, "Clusters").
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

bool swp_ptx_is_clustered(const swp_ptx_step *step)
{
    if (step->run->kernel->cluster[0])
        return true;
    step->run->lacks_cluster = true;
    swp_ptx_report_unknown(step->run, step->number,
                           "the file does not say in which cluster the kernel runs: clusters that "
                           "only the launch knows are to be stated (--cluster)",
                           "give it a cluster (--cluster, __cluster_dims__, .reqnctapercluster)");
    return false;
}

/* --- addresses --- */

bool swp_ptx_is_own(const swp_ptx_run *run, int warp, int64_t place)
{
    return run->cluster == 1 || place < 0 || place >= swp_ptx_shared_end(run) ||
           swp_ptx_owner(place) == swp_ptx_rank(run, warp);
}

bool swp_ptx_check_own(const swp_ptx_step *step, int64_t place)
{
    if (swp_ptx_is_own(step->run, step->warp, place))
        return true;
    swp_ptx_report_unknown(step->run, step->number,
                           "this accesses the shared memory of another work group: only copies "
                           "and arrivals that do so are followed",
                           "hand it on by a copy, or by global memory");
    return false;
}

bool swp_ptx_names_cluster(const swp_ptx_step *step)
{
    const swp_slice name = step->insn->name;
    if (swp_ptx_has(name, "shared::cluster") ||
        (!swp_ptx_has(name, "shared") && !swp_ptx_has(name, "shared::cta")))
        return true;
    swp_ptx_report_unknown(step->run, step->number,
                           "the address is one of another work group's shared memory, and this "
                           "accesses that of the own one: what the machine does is not defined",
                           "write .shared::cluster");
    return false;
}

/* The address of a lane in the window of a work group; false: the cluster has none of that rank. */
static bool map_lane(const swp_ptx_run *run, uint64_t from, uint64_t rank, uint64_t *out)
{
    const uint64_t ranks = (uint64_t)0xff << SWP_PTX_RANK_SHIFT;
    *out = (from & ~ranks) | (rank & 0xff) << SWP_PTX_RANK_SHIFT;
    return (rank & UINT32_MAX) < (uint64_t)run->cluster;
}

void swp_ptx_map_address(const swp_ptx_step *step, const swp_ptx_operand *to)
{
    const swp_ptx_module *module = step->run->module;
    const swp_ptx_operand *operand = swp_ptx_operand_of(module, step->insn, 1);
    const swp_ptx_value from = swp_ptx_read_operand(step, operand);
    const uint64_t offset = (uint64_t)swp_ptx_offset(operand);
    const swp_ptx_value rank =
        swp_ptx_read_operand(step, swp_ptx_operand_of(module, step->insn, 2));
    const bool same = from.state == SWP_PTX_UNIFORM && rank.state == SWP_PTX_UNIFORM;
    uint64_t lanes[SWP_PTX_LANES] = {0};
    bool known = step->run->kernel->cluster[0] && swp_ptx_known(&from) && swp_ptx_known(&rank) &&
                 !swp_ptx_is_affine(&from) && !swp_ptx_is_affine(&rank);
    for (int lane = 0; lane < SWP_PTX_LANES && known; lane++)
        if (step->lanes >> lane & 1)
            known = map_lane(step->run, swp_ptx_lane(&from, lane) + offset,
                             swp_ptx_lane(&rank, lane), &lanes[lane]);
    if (known && same)
        (void)map_lane(step->run, from.one + offset, rank.one, &lanes[0]);
    step->run->lacks_cluster |= !known;
    if (!known)
        swp_ptx_forget_results(step, SWP_PTX_DATA);
    else if (to->atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to->reg,
                      same ? swp_ptx_number(lanes[0])
                           : (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = lanes});
}

/* --- barriers by number --- */

enum {
    OF_CLUSTER = 1 << 10 /* the name of the cluster's barrier; others are a rank and a number */
};

/* The barrier of a name, which each has from its first use on; NULL: there are too many. */
static swp_ptx_barrier *barrier_of(const swp_ptx_step *step, int name)
{
    swp_ptx_run *run = step->run;
    for (int i = 0; i < SWP_PTX_BARRIERS; i++) {
        swp_ptx_barrier *barrier = &run->barriers[i];
        if (barrier->name && barrier->name != name)
            continue;
        barrier->name = name;
        return barrier;
    }
    swp_ptx_report_unknown(run, step->number,
                           "the work groups of a cluster use more than 16 barriers together",
                           "use fewer, or mbarriers");
    return NULL;
}

swp_ptx_barrier *swp_ptx_barrier_of(const swp_ptx_step *step, int number)
{
    const int rank = swp_ptx_rank(step->run, step->warp);
    if (step->run->cluster == 1)
        return &step->run->barriers[number];
    swp_ptx_barrier *barrier = barrier_of(step, rank * SWP_PTX_BARRIERS + number + 1);
    if (barrier)
        barrier->rank = rank;
    return barrier;
}

/* --- the barrier of the cluster --- */

static void tell(const swp_ptx_step *step, int other, const char *detail)
{
    swp_ptx_report(step->run,
                   (swp_ptx_finding){.kind = SWP_NAMED_BARRIER,
                                     .at = step->number,
                                     .other = other,
                                     .detail = detail,
                                     .hint = "let each thread of the cluster arrive once, and then "
                                             "wait once",
                                     .ends = true});
}

/* Who has ended is not waited for (PTX ISA, "barrier.cluster"). */
static bool open_if_all_came(swp_ptx_run *run, swp_ptx_barrier *barrier)
{
    bool all = true;
    bool any = false;
    for (int w = 0; w < run->warp_count; w++) {
        all &= !(run->warps[w].alive & ~run->warps[w].came);
        any |= run->warps[w].came != 0;
    }
    if (!all || !any)
        return false;
    for (int w = 0; w < run->warp_count; w++) {
        run->warps[w].may_leave |= run->warps[w].came;
        run->warps[w].came = 0;
    }
    swp_ptx_open_barrier(run, barrier);
    return true;
}

static int index_of_cluster(const swp_ptx_run *run)
{
    int i = 0;
    while (i < SWP_PTX_BARRIERS && run->barriers[i].name != OF_CLUSTER)
        i++;
    return i;
}

const swp_ptx_barrier *swp_ptx_barrier_of_cluster(const swp_ptx_run *run)
{
    const int i = index_of_cluster(run);
    return i < SWP_PTX_BARRIERS ? &run->barriers[i] : NULL;
}

bool swp_ptx_open_cluster(swp_ptx_run *run)
{
    const int i = index_of_cluster(run);
    return i < SWP_PTX_BARRIERS && open_if_all_came(run, &run->barriers[i]);
}

/* By a relaxed arrival nothing is told but what a fence of its own has told before. */
static void tell_of_inits(swp_ptx_run *run, int chain, const swp_ptx_barrier *barrier)
{
    for (int i = 0; i < run->mbarrier_count; i++) {
        swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (mbarrier->chain != chain || !mbarrier->announced || mbarrier->meeting)
            continue;
        mbarrier->meeting = barrier->generation + 1;
        mbarrier->meeting_component = swp_ptx_meeting_component(run, barrier);
    }
}

static void tell_of_arrivals(swp_ptx_run *run, int chain, const swp_ptx_barrier *barrier)
{
    for (size_t i = 0; i < run->signals.count; i++)
        if (run->signals.items[i].chain == chain && !run->signals.items[i].meeting)
            run->signals.items[i].meeting = barrier->generation + 1;
}

static void come(const swp_ptx_step *step, swp_ptx_barrier *barrier)
{
    swp_ptx_run *run = step->run;
    swp_ptx_warp *warp = &run->warps[step->warp];
    const bool relaxed = swp_ptx_has(step->insn->name, "relaxed");
    if ((warp->came | warp->may_leave) & step->lanes)
        tell(step, barrier->insn,
             "a thread arrives at the barrier of the cluster again before it has waited there");
    /* A fence before a relaxed arrival may tell of more. */
    if (relaxed && run->kernel->behind_fences[step->number])
        swp_ptx_report_unknown(
            run, step->number,
            "what fences tell by a relaxed arrival at the barrier of the cluster "
            "is not followed",
            "barrier.cluster.arrive without .relaxed");
    barrier->insn = step->number;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        (void)swp_ptx_tick(run, chain);
        tell_of_inits(run, chain, barrier);
        if (relaxed)
            continue;
        tell_of_arrivals(run, chain, barrier);
        swp_ptx_join(&barrier->arrived, &run->clocks[chain]);
    }
    warp->came |= step->lanes;
    (void)open_if_all_came(run, barrier);
}

static void leave(const swp_ptx_step *step, const swp_ptx_barrier *barrier, bool *waits)
{
    swp_ptx_run *run = step->run;
    swp_ptx_warp *warp = &run->warps[step->warp];
    *waits = (warp->came & step->lanes) != 0;
    if (*waits)
        return;
    if (step->lanes & ~warp->may_leave) {
        tell(step, barrier->insn,
             "a thread waits at the barrier of the cluster where it has not arrived");
        return;
    }
    for (int which = 0; which < 2; which++)
        if (swp_ptx_chains_of(step->lanes) >> which & 1)
            swp_ptx_join(&run->clocks[swp_ptx_chain(step->warp, which)],
                         &barrier->opened[(barrier->generation - 1) & 1]);
    warp->may_leave &= ~step->lanes;
}

void swp_ptx_execute_cluster_barrier(const swp_ptx_step *step, bool *waits)
{
    const swp_ptx_warp *warp = &step->run->warps[step->warp];
    if (!swp_ptx_is_clustered(step))
        return;
    swp_ptx_barrier *barrier = barrier_of(step, OF_CLUSTER);
    if (!barrier)
        return;
    if (swp_ptx_is_aligned_barrier(step->insn) && warp->alive & ~step->lanes)
        swp_ptx_report_unknown(step->run, step->number,
                               "a part of a warp executes an aligned barrier",
                               "let the warp converge before it, or leave .aligned out");
    else if (step->insn->kind == SWP_PTX_CLUSTER_ARRIVE)
        come(step, barrier);
    else
        leave(step, barrier, waits);
}

void swp_ptx_check_leaving(const swp_ptx_step *step, uint32_t lanes)
{
    const swp_ptx_warp *warp = &step->run->warps[step->warp];
    if ((warp->came | warp->may_leave) & lanes)
        swp_ptx_report_unknown(step->run, step->number,
                               "a thread ends that has arrived at the barrier of the cluster and "
                               "has not waited there: for what it then counts is not defined",
                               "barrier.cluster.wait before it ends");
}

bool swp_ptx_knows_init(const swp_ptx_clock *clock, const swp_ptx_mbarrier *mbarrier)
{
    return clock->at[mbarrier->chain] >= mbarrier->event ||
           (mbarrier->meeting && clock->at[mbarrier->meeting_component] >= mbarrier->meeting);
}
