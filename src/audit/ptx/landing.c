/* SPDX-License-Identifier: Apache-2.0 */
/* Which phases complete by their copies while nobody goes on: in a cluster a phase may lack those of another work group. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/cluster.h"

bool swp_ptx_may_land(const swp_ptx_mbarrier *mbarrier)
{
    return mbarrier->pending <= 0 && mbarrier->expected && mbarrier->copies.count;
}

/* Somebody could go on who is held. */
static bool holds_some(const swp_ptx_run *run)
{
    bool holds = false;
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES && !holds; lane++)
            holds = run->warps[w].alive >> lane & 1 && swp_ptx_is_held(run, &run->warps[w], lane);
    return holds;
}

/* Whether no phase completes but those whose copies are known to be all: others may lack those of somebody who is held. */
bool swp_ptx_lands_known_only(const swp_ptx_run *run, bool known)
{
    return known || (run->cluster > 1 && holds_some(run));
}

static bool is_multicast(const swp_ptx_run *run, const swp_ptx_copy *copy)
{
    return swp_ptx_has(run->module->insns.items[copy->insn].name, "multicast::cluster");
}

/* How often a map is copied in a phase. */
static size_t count_copies(const swp_ptx_mbarrier *mbarrier, uint64_t map)
{
    size_t count = 0;
    for (size_t i = 0; i < mbarrier->copies.count; i++)
        count += mbarrier->copies.items[i].is_tensor && mbarrier->copies.items[i].map == map;
    return count;
}

/* Whether all copies of a phase, and more, stand in an equation of the same bytes. */
static bool is_part_of(const swp_ptx_mbarrier *mbarrier, const swp_ptx_equation *said)
{
    size_t copies = 0;
    bool part = said->bytes == mbarrier->expected;
    for (size_t i = 0; i < mbarrier->copies.count && part; i++) {
        const swp_ptx_copy *copy = &mbarrier->copies.items[i];
        size_t in_sum = 0;
        for (size_t k = 0; k < said->count; k++)
            in_sum += said->maps[k] == copy->map;
        part = copy->is_tensor && count_copies(mbarrier, copy->map) <= in_sum;
        copies++;
    }
    return part && copies < said->count;
}

/* Whether an argument says how many bytes are expected, as the room between the places of copies is, and these bring less. */
static bool lacks_bytes(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    int64_t bytes = 0;
    bool known = !run->is_dry && swp_ptx_guesses_bytes_of(run, mbarrier);
    for (size_t i = 0; i < mbarrier->copies.count && known; i++) {
        const swp_ptx_copy *copy = &mbarrier->copies.items[i];
        const int64_t size = swp_ptx_box_size(run->equations, copy->map);
        const int64_t own = !copy->is_tensor ? copy->bytes
                            : size > 0       ? size
                                             : swp_ptx_box_guess(run, copy->map);
        known = own > 0;
        bytes += own;
    }
    return known && bytes < mbarrier->expected;
}

/* Whether more copies brought what is expected in a phase before, in this run: boxes are as large as they were. */
static bool lacks_copies(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    bool lacks = lacks_bytes(run, mbarrier);
    for (size_t i = 0; i < run->equations->count && !lacks; i++) {
        const swp_ptx_equation *said = &run->equations->items[i];
        lacks = !said->computed && said->run == run->equations->run && is_part_of(mbarrier, said);
    }
    return lacks;
}

/*
 * How likely all copies of a phase have been issued. Where they say how much they bring, that is known; of those that several
 * work groups have a part in, the more have issued theirs, the more likely.
 */
static int completeness(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    int64_t bytes = 0;
    unsigned issuers = 0;
    bool says = true;
    int count = 0;
    for (size_t i = 0; i < mbarrier->copies.count; i++) {
        const swp_ptx_copy *copy = &mbarrier->copies.items[i];
        says &= copy->bytes >= 0;
        bytes += copy->bytes;
        if (is_multicast(run, copy))
            issuers |= 1u << swp_ptx_rank(run, copy->chain / 2);
    }
    for (; issuers; issuers &= issuers - 1)
        count++;
    if (says)
        return bytes == mbarrier->expected ? run->cluster + 1 : 0;
    return count ? count : run->cluster;
}

/* The most complete phase; of several the one whose copies began first; NULL: none may be. */
const swp_ptx_mbarrier *swp_ptx_first_to_land(const swp_ptx_run *run)
{
    const swp_ptx_mbarrier *first = NULL;
    int most = -1;
    for (int i = 0; i < run->mbarrier_count; i++) {
        const swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        const bool may = swp_ptx_may_land(mbarrier) && !lacks_copies(run, mbarrier);
        const int own = may ? completeness(run, mbarrier) : -1;
        const bool before = may && first && own == most &&
                            mbarrier->copies.items[0].order < first->copies.items[0].order;
        if (own > most || before) {
            first = mbarrier;
            most = own;
        }
    }
    return first;
}
