/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the work: each instance does each op of its role once for each iteration. */
#include "roles_rules.h"

/* Whether both are the same work: of one iteration of an output tile, or of one output tile. */
static bool is_same_work(const role_run *run, const role_act *a, const role_act *b)
{
    return a->work == b->work && a->turn == b->turn &&
           (role_is_of_tiles(run, a) || a->tile == b->tile);
}

static bool is_done_before(const role_run *run, const role_act *act)
{
    for (const role_act *early = run->acts + role_lane_of(run, act)->first; early < act; early++)
        if (is_same_work(run, early, act))
            return true;
    return false;
}

static bool is_done(const role_run *run, const role_lane *lane, const role_act *wanted)
{
    for (const role_act *act = run->acts + lane->first; act < run->acts + lane->first + lane->count;
         act++)
        if (act->work && is_same_work(run, act, wanted))
            return true;
    return false;
}

static bool is_entry_of(const role_run *run, const swp_entry *entry, const swp_loop_op *op)
{
    const int tag = entry->op.tag;
    const bool is_work = tag < SWP_FIRST_INFRASTRUCTURE_TAG || tag > SWP_TAG_NONE;
    return is_work && swp_loop_op_of_tag(tag) == op - run->loop->ops;
}

/* The op's last entry in the lists of its tile, the kernel's too where no pass is left for it; at their end if there is none. */
static role_place last_entry(const role_run *run, const swp_loop_op *op, int stream, int tile)
{
    const swp_stream *s = &run->forms[tile].streams[stream];
    role_place out = {stream, SWP_EPILOGUE, (int)s->epilogue.count};
    int rank = -1;
    if (op->clock == SWP_TILE_CLOCK)
        out = (role_place){stream, SWP_END, (int)s->end.count};
    for (int phase = SWP_PROLOGUE; phase <= SWP_END; phase++) {
        const swp_entry_list *entries = swp_stream_phase(s, (swp_phase)phase);
        for (size_t i = 0; i < entries->count; i++)
            if (is_entry_of(run, &entries->items[i], op) &&
                role_list_rank((swp_phase)phase) >= rank) {
                rank = role_list_rank((swp_phase)phase);
                out = (role_place){stream, (swp_phase)phase, (int)i};
            }
    }
    return out;
}

static bool has_entry_of(const role_run *run, const swp_stream *stream, const swp_loop_op *op)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_END; phase++) {
        const swp_entry_list *entries = swp_stream_phase(stream, (swp_phase)phase);
        for (size_t i = 0; i < entries->count; i++)
            if (is_entry_of(run, &entries->items[i], op))
                return true;
    }
    return false;
}

/* The stream of the role that does the op, by all lists of the schedule; -1: there is none. */
static int stream_of(const role_run *run, const swp_loop_op *op)
{
    for (int f = 0; f < swp_schedule_forms(run->schedule); f++) {
        const swp_schedule form = swp_schedule_form(run->schedule, f);
        for (int s = 0; s < (int)form.stream_count; s++)
            if (has_entry_of(run, &form.streams[s], op))
                return s;
    }
    return -1;
}

/* Asks for what the role has to do of an op in a tile. */
static void ask_tile(const role_run *run, const role_lane *lane, const swp_loop_op *op, int tile,
                     judgement *out)
{
    const bool of_tiles = op->clock == SWP_TILE_CLOCK;
    const int count = of_tiles ? 1 : run->sequence.tiles[tile];
    for (int i = 0; i < count; i++) {
        const role_act wanted = {
            .op = NULL, .work = op, .tile = tile, .turn = of_tiles ? tile : run->bases[tile] + i};
        if (!is_done(run, lane, &wanted))
            role_tell_at(run, out, SWP_MISSING_WORK, last_entry(run, op, lane->stream, tile));
    }
}

void role_rule_missing_work(const role_run *run, judgement *out)
{
    for (size_t o = 0; o < run->loop->op_count; o++) {
        const swp_loop_op *op = &run->loop->ops[o];
        const int stream = stream_of(run, op);
        for (int l = 0; l < run->lane_count; l++)
            for (int t = 0; run->lanes[l].stream == stream && t < run->sequence.count; t++)
                ask_tile(run, &run->lanes[l], op, t, out);
    }
}

void role_rule_double_work(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++)
        if (run->acts[i].work && is_done_before(run, &run->acts[i]))
            role_tell(run, out, SWP_DOUBLE_WORK, &run->acts[i]);
}

void role_rule_out_of_range(const role_run *run, judgement *out)
{
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        if (!act->work || !role_comes_to(run, act))
            continue;
        const bool of_tiles = role_is_of_tiles(run, act);
        const int at = of_tiles ? act->turn : role_iteration(run, act);
        if (at < 0 || at >= (of_tiles ? run->sequence.count : run->sequence.tiles[act->tile]))
            role_tell(run, out, SWP_OUT_OF_RANGE, act);
    }
}
