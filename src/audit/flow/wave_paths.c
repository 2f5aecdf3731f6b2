/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dataflow analysis of accesses in flight once more, for each group of waves that the known branches
 * send the same way, along the edges that this group may take. Where waves are apart in barriers, what
 * one of them has executed is not the least of all paths.
 */
#include "audit/flow/wave_paths.h"

#include "base/budget.h"

#include <string.h>

/* Access states of all groups; and what an instruction costs. */
#define MOST_ACCESSES ((size_t)1 << 22)

enum { STEPS_OF_AN_INSN = 64 };

typedef struct path_finder {
    swp_fixpoint *fixpoint;
    swp_wave_set waves;
    swp_wave_point *starts;
    swp_point *scratch;
    bool *worklist;
} path_finder;

static size_t index_of(const swp_fixpoint *fixpoint, int block, int copy)
{
    return (size_t)block * (size_t)fixpoint->copies + (size_t)copy;
}

static size_t points_of(const swp_fixpoint *fixpoint)
{
    return (size_t)fixpoint->flow->block_count * (size_t)fixpoint->copies;
}

/* --- groups --- */

/* The waves that every branch which is known sends the same way as this one. */
static swp_wave_set alike(const swp_fixpoint *fixpoint, int wave)
{
    const swp_branches *branches = &fixpoint->branches;
    swp_wave_set set = branches->all;
    for (int b = 0; b < fixpoint->flow->block_count; b++) {
        const swp_branching *branch = &branches->items[b];
        if (fixpoint->flow->blocks[b].successor_count == 2 && branch->sense == SWP_BRANCH_KNOWN)
            set &= branch->taken >> wave & 1U ? branch->taken : ~branch->taken;
    }
    return set;
}

/* Waves beyond the last group are not told apart. */
static void find_groups(const swp_fixpoint *fixpoint, swp_wave_paths *out)
{
    swp_wave_set left = fixpoint->branches.all;
    const size_t accesses = points_of(fixpoint) * (size_t)fixpoint->events.count;
    for (int wave = 0; left && out->count < SWP_MOST_WAVE_GROUPS; wave++) {
        if (accesses * (size_t)(out->count + 1) > MOST_ACCESSES)
            return;
        if (!(left >> wave & 1U))
            continue;
        out->waves[out->count] = alike(fixpoint, wave);
        left &= ~out->waves[out->count++];
    }
}

/* --- the analysis --- */

static void copy_to(const swp_fixpoint *fixpoint, swp_point *to, const swp_wave_point *from)
{
    to->reached = from->reached;
    if (!from->reached)
        return;
    if (fixpoint->events.count)
        memcpy(to->accesses, from->accesses, (size_t)fixpoint->events.count * sizeof *to->accesses);
    swp_flow_in_flight_list(&fixpoint->events, to);
}

static swp_status enter(path_finder *f, int block, int copy)
{
    const swp_fixpoint *fixpoint = f->fixpoint;
    const size_t count = (size_t)fixpoint->events.count;
    swp_wave_point *into = &f->starts[index_of(fixpoint, block, copy)];
    bool changed = !into->reached;
    if (changed) {
        SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &into->accesses));
        if (count)
            memcpy(into->accesses, f->scratch->accesses, count * sizeof *into->accesses);
        into->reached = true;
    } else {
        changed = swp_flow_in_flight_join(&fixpoint->events, into->accesses, f->scratch->accesses);
    }
    f->worklist[index_of(fixpoint, block, copy)] |= changed;
    return SWP_OK;
}

static swp_status transfer_block(path_finder *f, int block, int copy)
{
    const swp_fixpoint *fixpoint = f->fixpoint;
    const swp_block *b = &fixpoint->flow->blocks[block];
    copy_to(fixpoint, f->scratch, &f->starts[index_of(fixpoint, block, copy)]);
    for (int insn = b->first; insn < b->end; insn++) {
        SWP_TRY(swp_keep_on(fixpoint->ctx, STEPS_OF_AN_INSN));
        swp_flow_in_flight_transfer(&fixpoint->events, f->scratch, insn,
                                    swp_flow_fixpoint_event(fixpoint, insn, copy));
    }
    for (int s = 0; s < b->successor_count; s++) {
        const int next = swp_flow_fixpoint_copy_after(fixpoint, block, s, copy);
        if (next != SWP_NOT_TAKEN &&
            swp_flow_branches_along(&fixpoint->branches, block, s, f->waves))
            SWP_TRY(enter(f, b->successors[s], next));
    }
    return SWP_OK;
}

static swp_status follow(path_finder *f)
{
    const swp_fixpoint *fixpoint = f->fixpoint;
    bool changed = true;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, points_of(fixpoint), &f->starts));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, points_of(fixpoint), &f->worklist));
    SWP_TRY(swp_flow_point_new(fixpoint, f->scratch));
    SWP_TRY(enter(f, 0, 0));
    while (changed) {
        changed = false;
        for (int i = 0; i < fixpoint->flow->reached_count; i++)
            for (int copy = 0; copy < fixpoint->copies; copy++) {
                bool *waiting = &f->worklist[index_of(fixpoint, fixpoint->flow->rpo[i], copy)];
                if (!*waiting)
                    continue;
                *waiting = false;
                changed = true;
                SWP_TRY(transfer_block(f, fixpoint->flow->rpo[i], copy));
            }
    }
    return SWP_OK;
}

swp_status swp_flow_wave_paths_find(swp_fixpoint *fixpoint, swp_wave_paths *out)
{
    *out = (swp_wave_paths){0};
    find_groups(fixpoint, out);
    for (int g = 0; g < out->count; g++) {
        path_finder f = {.fixpoint = fixpoint, .waves = out->waves[g], .scratch = &out->points[g]};
        SWP_TRY(follow(&f));
        out->starts[g] = f.starts;
    }
    return SWP_OK;
}

/* --- the search --- */

void swp_flow_wave_paths_enter(const swp_fixpoint *fixpoint, swp_wave_paths *paths, int block,
                               int copy)
{
    for (int g = 0; g < paths->count; g++)
        copy_to(fixpoint, &paths->points[g], &paths->starts[g][index_of(fixpoint, block, copy)]);
}

void swp_flow_wave_paths_pass(const swp_fixpoint *fixpoint, swp_wave_paths *paths, int insn,
                              int copy)
{
    for (int g = 0; g < paths->count; g++)
        if (paths->points[g].reached)
            swp_flow_in_flight_transfer(&fixpoint->events, &paths->points[g], insn,
                                        swp_flow_fixpoint_event(fixpoint, insn, copy));
}

const swp_access_state *swp_flow_wave_paths_access(const swp_wave_paths *paths, int wave, int event)
{
    for (int g = 0; g < paths->count; g++)
        if (paths->waves[g] >> wave & 1U)
            return paths->points[g].reached ? &paths->points[g].accesses[event] : NULL;
    return NULL;
}
