/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_run.h"

#include "roles_memory.h"

enum { WARP_THREADS = 32 };

bool role_is_tag(const role_act *act, int tag)
{
    return act->op->tag == tag;
}

static bool has_completion(const role_act *act, swp_completion completion)
{
    return act->work && act->work->completion == completion;
}

bool role_is_ordinary(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_NONE) || has_completion(act, SWP_COMPLETION_UNSTATED);
}

bool role_is_copy(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_COPY_MBARRIER);
}

bool role_is_matrix(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_MATRIX_GROUP);
}

bool role_is_store(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_STORE_GROUP);
}

bool role_is_arrival(const role_act *act)
{
    return role_is_tag(act, SWP_TAG_ARRIVE) || role_is_tag(act, SWP_TAG_ARRIVE_EXPECT);
}

int role_ranks(const role_run *run)
{
    return run->schedule->cluster > 1 ? run->schedule->cluster : 1;
}

int role_rank_of(const role_run *run, const role_act *act)
{
    return role_lane_of(run, act)->rank;
}

bool role_is_multicast(const role_act *act)
{
    return role_is_copy(act) && act->work->multicast;
}

bool role_goes_to(const role_run *run, const role_act *act, int rank)
{
    const bool to_all = role_is_tag(act, SWP_TAG_ARRIVE) && act->op->to == SWP_TO_ALL;
    return role_is_multicast(act) || to_all || role_rank_of(run, act) == rank;
}

int role_slot_in(const role_run *run, const role_act *act, int rank)
{
    const int slots_of_a_rank = (run->slot_count - 1) / role_ranks(run);
    return act->slot + (rank - role_rank_of(run, act)) * slots_of_a_rank;
}

bool role_executes(const role_act *act, int thread)
{
    return act->op->by == SWP_ALL_THREADS || thread == 0;
}

bool role_comes_to(const role_run *run, const role_act *act)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        if (role_happens(&run->order, act->issue[t]))
            return true;
    return false;
}

const role_lane *role_lane_of(const role_run *run, const role_act *act)
{
    return &run->lanes[act->lane];
}

int role_threads(const role_run *run, const role_act *act)
{
    const swp_stream *stream = &run->schedule->streams[role_lane_of(run, act)->stream];
    return act->op->by == SWP_ALL_THREADS ? stream->warps * WARP_THREADS : 1;
}

int role_list_rank(swp_phase phase)
{
    static const int ranks[] = {[SWP_BEGIN] = 0,    [SWP_PROLOGUE] = 1, [SWP_KERNEL] = 2,
                                [SWP_EPILOGUE] = 3, [SWP_END] = 4,      [SWP_DRAIN] = 5};
    return ranks[phase];
}

int role_quotient(int a, int b)
{
    return (a - role_remainder(a, b)) / b;
}

int role_remainder(int a, int b)
{
    return (a % b + b) % b;
}

bool role_is_shared(const role_run *run, int value)
{
    return run->loop->values[value].space == SWP_SPACE_SHARED;
}

bool role_is_of_tiles(const role_run *run, const role_act *act)
{
    if (act->work)
        return act->work->clock == SWP_TILE_CLOCK;
    return act->op->object >= 0 && run->schedule->objects[act->op->object].clock == SWP_TILE_CLOCK;
}

int role_iteration(const role_run *run, const role_act *act)
{
    return act->turn - run->bases[act->tile];
}

/* --- The lists --- */

static bool is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

/* `base` is in the pass clock. */
static void write_entry(role_run *run, role_act act, int base)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        act.issue[t] = act.back[t] = ROLE_NO_MOMENT;
    for (int q = 0; q < SWP_MOST_CLUSTER; q++)
        act.retired[q] = ROLE_NO_MOMENT;
    act.written = ROLE_NO_MOMENT;
    act.slot = -1;
    if (is_work(act.op))
        act.work = &run->loop->ops[swp_loop_op_of_tag(act.op->tag)];
    act.turn = (role_is_of_tiles(run, &act) ? act.tile : base) + act.op->iteration;
    act.touch = run->touch_count;
    if (act.work)
        role_touches(run, &act);
    act.touch_count = run->touch_count - act.touch;
    run->acts = role_room(run->acts, run->act_count, &run->act_capacity, sizeof *run->acts);
    run->acts[run->act_count++] = act;
}

static void write_list(role_run *run, const swp_schedule *form, role_act at, int base)
{
    const role_lane *l = &run->lanes[at.lane];
    const swp_entry_list *entries = swp_stream_phase(&form->streams[l->stream], at.phase);
    for (int i = 0; i < (int)entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        at.op = op;
        at.entry = i;
        if (op->instances == 0 || (op->instances >> l->instance & 1) != 0)
            write_entry(run, at, base);
    }
}

static void write_tile(role_run *run, int lane, int tile)
{
    const swp_schedule *form = &run->forms[tile];
    const int base = run->bases[tile];
    const int n = run->sequence.tiles[tile];
    const int step = form->loop.tiles_per_pass;
    const int passes = step > 0 ? (n - form->loop.min_tiles) / step : 0;
    role_act at = {.lane = lane, .tile = tile, .phase = SWP_BEGIN};
    write_list(run, form, at, base);
    at.phase = SWP_PROLOGUE;
    write_list(run, form, at, base);
    at.phase = SWP_KERNEL;
    for (; at.pass < passes; at.pass++)
        write_list(run, form, at, base + at.pass * step);
    at.pass = 0;
    at.phase = SWP_EPILOGUE;
    write_list(run, form, at, base + passes * step);
    at.phase = SWP_END;
    write_list(run, form, at, base + n);
}

static void write_lane(role_run *run, int lane)
{
    const int tiles = run->sequence.count;
    const role_act behind = {.lane = lane, .tile = tiles, .phase = SWP_DRAIN};
    run->lanes[lane].first = (int)run->act_count;
    for (int t = 0; t < tiles; t++)
        write_tile(run, lane, t);
    write_list(run, run->schedule, behind, run->bases[tiles]);
    run->lanes[lane].count = (int)run->act_count - run->lanes[lane].first;
}

/* @return the number of the first lane behind those of the rank */
static int write_rank(role_run *run, int rank, int lane)
{
    const swp_schedule *schedule = run->schedule;
    for (size_t s = 0; s < schedule->stream_count; s++)
        for (int i = 0; i < schedule->streams[s].instances; i++) {
            run->lanes[lane] = (role_lane){.rank = rank, .stream = (int)s, .instance = i};
            write_lane(run, lane++);
        }
    return lane;
}

static void write_lanes(role_run *run)
{
    const swp_schedule *schedule = run->schedule;
    int lane = 0;
    for (size_t s = 0; s < schedule->stream_count; s++)
        run->lane_count += schedule->streams[s].instances * role_ranks(run);
    run->lanes = role_take((size_t)run->lane_count, sizeof *run->lanes);
    for (int rank = 0; rank < role_ranks(run); rank++)
        lane = write_rank(run, rank, lane);
}

role_run role_run_new(const swp_schedule *schedule, const role_sequence *sequence,
                      const role_accepted *accepted)
{
    const size_t tiles = (size_t)sequence->count;
    role_run run = {.schedule = schedule, .sequence = *sequence, .loop = schedule->dataflow->loop};
    if (accepted)
        run.accepted = *accepted;
    run.forms = role_take(tiles, sizeof *run.forms);
    run.bases = role_take(tiles + 1, sizeof *run.bases);
    for (size_t t = 0; t < tiles; t++) {
        const int n = sequence->tiles[t];
        run.forms[t] = swp_schedule_form(schedule, swp_schedule_form_of(schedule, n));
        run.bases[t + 1] = run.bases[t] + n;
    }
    write_lanes(&run);
    role_moments(&run);
    role_order_close(&run.order);
    return run;
}

void role_run_free(role_run *run)
{
    for (int i = 0; i < run->slot_count; i++) {
        free(run->slots[i].phases);
        free(run->slots[i].openings);
    }
    free(run->slots);
    free(run->lanes);
    free(run->acts);
    free(run->touches);
    role_order_free(&run->order);
    free(run->forms);
    free(run->bases);
    *run = (role_run){0};
}
