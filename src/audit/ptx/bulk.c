/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies of a run, which one thread issues: what each brings or reads, from where, and what waits for it. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

#include <string.h>

static bool number_of_group(const swp_ptx_step *step, int group, uint64_t *out)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(step->run->module, step->insn, group);
    if (!operand || !swp_ptx_uniform_number(step, operand, out))
        return false;
    *out += (uint64_t)swp_ptx_offset(operand);
    return true;
}

static bool is_one_thread(const swp_ptx_step *step)
{
    if (!(step->lanes & (step->lanes - 1)))
        return true;
    swp_ptx_report_unknown(step->run, step->number, "several threads of a warp issue this copy",
                           "let one thread issue it");
    return false;
}

/* Else what the copy does is not defined. */
static bool is_aligned(const swp_ptx_step *step, uint64_t address, uint64_t bytes)
{
    if (address % SWP_PTX_COPY_UNIT == 0 && bytes % SWP_PTX_COPY_UNIT == 0)
        return true;
    swp_ptx_report_unknown(
        step->run, step->number,
        "the address in shared memory or the bytes of a bulk copy are no multiple of 16",
        "align both to 16 bytes");
    return false;
}

static bool writes_register(const swp_ptx_run *run, const swp_ptx_insn *insn, int reg)
{
    const swp_ptx_operand *operands = run->module->operands.items;
    bool writes = false;
    for (int i = insn->first; i < insn->end; i++)
        writes |= swp_ptx_is_result(insn, &operands[i]) && operands[i].reg == reg;
    return writes;
}

/* Whether a thread has one value in a register for as long as it has any: it is written once, and in no loop. */
static bool is_written_once(const swp_ptx_run *run, int reg)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    int written = -1;
    for (int i = run->kernel->first; i < run->kernel->end; i++) {
        if (!writes_register(run, &insns[i], reg))
            continue;
        if (written >= 0)
            return false;
        written = i;
    }
    for (int i = written; i >= 0 && i < run->kernel->end; i++)
        if (insns[i].kind == SWP_PTX_BRANCH && insns[i].target <= written)
            return false;
    return written >= 0;
}

/* An unknown map: the one of a register that does not change, or else the one that this instruction always has. */
static uint64_t unknown_map(const swp_ptx_step *step, const swp_ptx_operand *operand, int chain)
{
    if (operand && operand->atom == SWP_PTX_REGISTER && is_written_once(step->run, operand->reg))
        return (UINT64_C(1) << 63) + ((uint64_t)chain << 32) + (uint64_t)operand->reg;
    return (uint64_t)step->number;
}

/* The tensor map in a group of operands. How many bytes a copy has is known by it. */
static uint64_t map_of(const swp_ptx_step *step, int group, int chain)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(step->run->module, step->insn, group);
    const swp_ptx_value value =
        operand ? swp_ptx_read_operand(step, operand) : swp_ptx_unknown(SWP_PTX_DATA);
    const bool constant = value.state == SWP_PTX_UNIFORM && !swp_ptx_is_affine(&value);
    return constant ? value.one : unknown_map(step, operand, chain);
}

static swp_status add_place(swp_context *ctx, swp_ptx_places *places, int64_t at)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->items[i] == at)
            return SWP_OK;
    return SWP_PUSH(ctx, places, at);
}

/* Where copies go: the windows of the work groups that they are for, by their ranks. */
typedef struct destination {
    uint64_t to;
    uint64_t signal;
    uint64_t ranks;
} destination;

static bool is_in_one_window(const swp_ptx_step *step, const destination *at)
{
    const int64_t to = swp_ptx_place(step->run, at->to);
    const int64_t signal = swp_ptx_place(step->run, at->signal);
    const bool is =
        swp_ptx_owner(to) == swp_ptx_owner(signal) && to < swp_ptx_shared_end(step->run);
    if (!is)
        swp_ptx_report_unknown(step->run, step->number,
                               "the mbarrier of this copy is not one of the work group to whose "
                               "shared memory it goes",
                               "give it the mbarrier beside its destination");
    return is;
}

/* Of a multicast copy the mask says which work groups have it; false: that is not followed. */
static bool find_ranks(const swp_ptx_step *step, int group, destination *at)
{
    const uint64_t all = (UINT64_C(1) << step->run->cluster) - 1;
    const int64_t to = step->run->cluster > 1 ? swp_ptx_place(step->run, at->to) : 0;
    at->ranks = UINT64_C(1) << swp_ptx_owner(to);
    if (!swp_ptx_has(step->insn->name, "multicast::cluster"))
        return true;
    if (!swp_ptx_is_clustered(step) || !number_of_group(step, group, &at->ranks))
        return false;
    at->ranks &= UINT16_MAX;
    if (at->ranks && !(at->ranks & ~all))
        return true;
    step->run->lacks_cluster = true;
    swp_ptx_report_unknown(step->run, step->number,
                           "the mask of a multicast copy names no work group, or one that the "
                           "cluster has not",
                           "one bit for each work group of the cluster that is to have it");
    return false;
}

/* The same place in the window of a work group, as an address. */
static uint64_t in_window(const swp_ptx_run *run, uint64_t address, int rank)
{
    const uint64_t offset = address & ((UINT64_C(1) << SWP_PTX_RANK_SHIFT) - 1);
    return run->cluster == 1 ? address : offset | (uint64_t)rank << SWP_PTX_RANK_SHIFT;
}

/* An mbarrier that another work group has initialised is one for its copies behind a fence (PTX ISA, "fence.mbarrier_init"). */
static void check_init(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier, int chain)
{
    swp_ptx_run *run = step->run;
    const int *at = run->clocks[chain].at;
    const bool knows_fence =
        run->cluster == 1 || at[mbarrier->chain] >= mbarrier->fence_event ||
        (mbarrier->meeting && at[mbarrier->meeting_component] >= mbarrier->meeting);
    if ((mbarrier->fenced && knows_fence) ||
        at[SWP_PTX_CLOCK_FENCED + mbarrier->chain] >= mbarrier->event)
        return;
    if (swp_ptx_rank(run, mbarrier->chain / 2) != swp_ptx_rank(run, step->warp))
        swp_ptx_report(
            run,
            (swp_ptx_finding){.kind = SWP_UNFENCED,
                              .at = step->number,
                              .other = mbarrier->insn,
                              .unsure = true,
                              .detail = "this copy may not see that the mbarrier of another "
                                        "work group is initialised: there is no fence",
                              .hint = "fence.mbarrier_init.release.cluster behind mbarrier.init"});
    else if (!swp_ptx_holds(run, SWP_AUDIT_FENCE_INITS))
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_INITS, mbarrier->insn);
    else
        swp_ptx_report(
            run,
            (swp_ptx_finding){.kind = SWP_UNFENCED,
                              .at = step->number,
                              .other = mbarrier->insn,
                              .detail = "this copy may not see that its mbarrier is initialised: "
                                        "there is no fence",
                              .hint = "fence.mbarrier_init.release.cluster behind mbarrier.init"});
}

static swp_status copy_to(const swp_ptx_step *step, swp_ptx_copy copy, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_run *run = step->run;
    swp_ptx_copies *copies = &mbarrier->copies;
    SWP_TRY(SWP_TAKE(run->ctx, 1, &copy.issue));
    *copy.issue = run->clocks[copy.chain];
    copy.order = ++run->issued;
    swp_ptx_check_phase_order(step, mbarrier, copy.chain);
    check_init(step, mbarrier, copy.chain);
    SWP_TRY(add_place(run->outer, run->places, copy.to));
    return SWP_PUSH(run->ctx, copies, copy);
}

static swp_status load_bulk(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    const bool tensor = swp_ptx_has(step->insn->name, "tensor");
    const int chain = swp_ptx_chain(step->warp, step->lanes & 1 ? 0 : 1);
    destination at = {0};
    uint64_t bytes = 0;
    swp_ptx_mbarrier *mbarriers[SWP_PTX_MOST_CLUSTER] = {NULL};
    if (!is_one_thread(step) || !number_of_group(step, 0, &at.to) ||
        !number_of_group(step, tensor ? 2 : 3, &at.signal) ||
        (!tensor && !number_of_group(step, 2, &bytes)) || !is_aligned(step, at.to, bytes) ||
        (run->cluster > 1 && !is_in_one_window(step, &at)) ||
        !find_ranks(step, tensor ? 3 : 4, &at))
        return SWP_OK;
    for (int rank = 0; rank < run->cluster; rank++)
        if (at.ranks >> rank & 1) {
            mbarriers[rank] = swp_ptx_mbarrier_at(step, in_window(run, at.signal, rank), waits);
            if (!mbarriers[rank])
                return SWP_OK;
        }
    swp_ptx_copy copy = {.chain = chain,
                         .event = swp_ptx_tick(run, chain),
                         .insn = step->number,
                         .bytes = tensor ? -1 : (int64_t)(bytes & UINT32_MAX),
                         .is_tensor = tensor,
                         .map = tensor ? map_of(step, 1, chain) : bytes};
    swp_ptx_check_flags(run, chain, step->number);
    for (int rank = 0; rank < run->cluster; rank++) {
        copy.to = swp_ptx_place(run, in_window(run, at.to, rank));
        if (mbarriers[rank])
            SWP_TRY(copy_to(step, copy, mbarriers[rank]));
    }
    return SWP_OK;
}

static bool is_stored_at(const swp_ptx_access *access, int64_t at)
{
    return access->writes && !access->is_async && access->low <= at && access->high > at;
}

/* The last store of a byte; NULL: there is none. */
static const swp_ptx_access *store_at(const swp_ptx_run *run, int64_t at)
{
    if (at >= swp_ptx_shared_end(run))
        return NULL;
    const swp_ptx_accesses *buckets[] = {
        &run->buckets[at / SWP_PTX_BUCKET_BYTES],
        &run->buckets[(int64_t)run->cluster * SWP_PTX_BUCKETS + at / SWP_PTX_LONG_SHELF_BYTES]};
    for (int s = 0; s < 2; s++)
        for (size_t i = buckets[s]->count; i-- > 0;)
            if (is_stored_at(&buckets[s]->items[i], at))
                return &buckets[s]->items[i];
    return NULL;
}

static bool stores_as(const swp_ptx_run *run, const swp_ptx_access *a, const swp_ptx_access *b)
{
    const swp_slice x = run->module->insns.items[a->insn].name;
    const swp_slice y = run->module->insns.items[b->insn].name;
    return x.length == y.length && memcmp(x.start, y.start, x.length) == 0;
}

/* Up to where instructions of one name have stored, or up to where another tensor store begins. */
static int64_t stored_from(const swp_ptx_run *run, int64_t from)
{
    int64_t end = from;
    int64_t most = INT64_MAX;
    const swp_ptx_access *first = store_at(run, from);
    for (size_t i = 0; i < run->sources->count; i++)
        if (run->sources->items[i] > from && run->sources->items[i] < most)
            most = run->sources->items[i];
    for (const swp_ptx_access *next = first; next && end < most && stores_as(run, first, next);
         next = store_at(run, end))
        end = next->high < most ? next->high : most;
    return end > from + SWP_PTX_COPY_UNIT ? end : from + SWP_PTX_COPY_UNIT;
}

/*
 * How much a tensor store reads is its map's. Where nobody says that, the first bytes alone are certain: what was stored behind
 * them may be for another store, which does not come in this run.
 */
static swp_status store_tensor(const swp_ptx_step *step, swp_ptx_access access)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_clock *issue = &run->clocks[access.chain];
    const int64_t box = swp_ptx_use_box(run->equations, map_of(step, 0, access.chain));
    const int64_t end = stored_from(run, access.low);
    access.high = access.low + (box > 0 ? box : SWP_PTX_COPY_UNIT);
    SWP_TRY(swp_ptx_access_shared(run, issue, access));
    if (box > 0 || access.high == end || run->outcome != SWP_PTX_GOES_ON)
        return SWP_OK;
    access.low = access.high;
    access.high = end;
    access.guessed = true;
    return swp_ptx_access_shared(run, issue, access);
}

/* One thread's. */
static swp_status store_alone(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    const bool tensor = swp_ptx_has(step->insn->name, "tensor");
    const int which = step->lanes & 1 ? 0 : 1;
    const int chain = swp_ptx_chain(step->warp, which);
    uint64_t from = 0;
    uint64_t bytes = 0;
    if (!number_of_group(step, 1, &from) || (!tensor && !number_of_group(step, 2, &bytes)) ||
        !is_aligned(step, from, bytes))
        return SWP_OK;
    const int64_t low = swp_ptx_place(run, from);
    if (!swp_ptx_check_own(step, low))
        return SWP_OK;
    SWP_TRY(add_place(run->outer, run->sources, low));
    const swp_ptx_access access = {.low = low,
                                   .high = low + (int64_t)(bytes & UINT32_MAX),
                                   .is_async = true,
                                   .component = SWP_PTX_CLOCK_STORES + chain,
                                   .value = run->warps[step->warp].store_groups[which] + 1,
                                   .chain = chain,
                                   .event = swp_ptx_tick(run, chain),
                                   .insn = step->number};
    return tensor ? store_tensor(step, access)
                  : swp_ptx_access_shared(run, &run->clocks[chain], access);
}

/* Each thread reads what it names; results are not looked at. */
static swp_status store_bulk(const swp_ptx_step *step)
{
    for (int lane = 0; lane < SWP_PTX_LANES && step->run->outcome == SWP_PTX_GOES_ON; lane++) {
        swp_ptx_step alone = *step;
        alone.lanes &= UINT32_C(1) << lane;
        if (alone.lanes)
            SWP_TRY(store_alone(&alone));
    }
    return SWP_OK;
}

swp_status swp_ptx_execute_bulk(const swp_ptx_step *step, bool *waits)
{
    return step->insn->kind == SWP_PTX_BULK_LOAD ? load_bulk(step, waits) : store_bulk(step);
}
