/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of places in shared memory. */
#include "roles_memory.h"
#include "roles_rules.h"

/* An act's touch of a shared value. */
typedef struct use {
    const role_act *act;
    const role_touch *touch;
} use;

typedef struct use_list {
    use *items;
    size_t count;
    size_t capacity;
} use_list;

static void collect_uses(const role_run *run, const role_act *act, int value, use_list *out)
{
    for (size_t i = 0; i < act->touch_count; i++) {
        const role_touch *touch = &run->touches[act->touch + i];
        if (touch->value != value)
            continue;
        out->items = role_room(out->items, out->count, &out->capacity, sizeof *out->items);
        out->items[out->count++] = (use){act, touch};
    }
}

/* None of a value in registers. */
static use_list uses_of(const role_run *run, int value)
{
    use_list uses = {0};
    for (size_t i = 0; role_is_shared(run, value) && i < run->act_count; i++)
        collect_uses(run, &run->acts[i], value, &uses);
    return uses;
}

/*
 * In the memory of a rank. Every op of the role that makes a value touches its own instance's share; others touch all
 * shares. A multicast copy touches that of its own rank in each memory, and whatever else touches the value touches all.
 */
static bool share_meets(const role_run *run, int rank, const role_act *a, const role_act *b)
{
    if (!role_goes_to(run, a, rank) || !role_goes_to(run, b, rank))
        return false;
    if (role_is_multicast(a) != role_is_multicast(b))
        return true;
    return role_lane_of(run, a)->stream != role_lane_of(run, b)->stream || a->lane == b->lane;
}

/* What is done with a pair of uses of one value whose acts touch the same share in the memory of a rank. */
typedef void pair_rule(const role_run *run, int rank, const use *a, const use *b, judgement *out);

static void ask_pair(const role_run *run, pair_rule *rule, const use *a, const use *b,
                     judgement *out)
{
    for (int rank = 0; rank < role_ranks(run); rank++)
        if (share_meets(run, rank, a->act, b->act))
            rule(run, rank, a, b, out);
}

static void ask_pairs(const role_run *run, pair_rule *rule, judgement *out)
{
    for (int v = 0; v < (int)run->loop->value_count; v++) {
        use_list uses = uses_of(run, v);
        for (size_t a = 0; a < uses.count; a++)
            for (size_t b = 0; b < uses.count; b++)
                ask_pair(run, rule, &uses.items[a], &uses.items[b], out);
        free(uses.items);
    }
}

/* An ordinary op is over in a thread as it issues there, an asynchronous one for all at its retirement in the rank. */
static int over(const role_act *act, int rank, int thread)
{
    return act->retired[rank] == ROLE_NO_MOMENT ? act->issue[thread] : act->retired[rank];
}

/* Over in the rank, in all of its threads, before each issue of the other's that happens. */
static bool comes_before(const role_run *run, int rank, const role_act *early, const role_act *late)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        for (int u = 0; u < ROLE_THREADS; u++)
            if (role_executes(early, t) && role_happens(&run->order, late->issue[u]) &&
                !role_before(&run->order, over(early, rank, t), late->issue[u]))
                return false;
    return true;
}

/* The same of those of its threads in which it is over at all: who is stuck before it does not touch the place. */
static bool keeps_clear(const role_run *run, int rank, const role_act *early, const role_act *late)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        for (int u = 0; u < ROLE_THREADS; u++)
            if (role_happens(&run->order, over(early, rank, t)) &&
                role_happens(&run->order, late->issue[u]) &&
                !role_before(&run->order, over(early, rank, t), late->issue[u]))
                return false;
    return true;
}

/* The tile that stood in its place before: the last of the version before, unless it is one of its version. */
static int replaced(const role_run *run, const role_touch *made)
{
    const int makers = role_makers(run->loop, made->value);
    const int before = made->version - run->schedule->dataflow->slots[made->value];
    return made->tile > made->version * makers ? made->tile - 1 : before * makers + makers - 1;
}

/* --- unfenced (a) --- */

/* Whether a fence of the thread stands between the two: the first one after the ordinary instruction. */
static bool is_fenced(const role_run *run, const role_act *ordinary, int thread,
                      const role_act *async)
{
    const role_lane *lane = role_lane_of(run, ordinary);
    const role_act *act = ordinary + 1;
    const role_act *end = run->acts + lane->first + lane->count;
    while (act < end && !(role_is_tag(act, SWP_TAG_FENCE_ASYNC) && role_executes(act, thread)))
        act++;
    for (int u = 0; u < ROLE_THREADS; u++)
        if (role_happens(&run->order, async->issue[u]) &&
            (act == end || !role_before(&run->order, act->issue[thread], async->issue[u])))
            return false;
    return true;
}

static void ask_fence(const role_run *run, int rank, const use *ordinary, const use *async,
                      judgement *out)
{
    (void)rank;
    const bool reads_made = !async->touch->makes && ordinary->touch->makes &&
                            ordinary->touch->tile == async->touch->tile;
    const bool overwrites = async->touch->makes &&
                            ordinary->touch->tile == replaced(run, async->touch) &&
                            (ordinary->touch->makes || run->schedule->machine.fence_reads);
    if (!role_is_ordinary(ordinary->act) || role_is_ordinary(async->act) ||
        !(reads_made || overwrites))
        return;
    for (int t = 0; t < ROLE_THREADS; t++)
        if (role_happens(&run->order, ordinary->act->issue[t]) &&
            !is_fenced(run, ordinary->act, t, async->act))
            role_tell(run, out, SWP_UNFENCED, async->act);
}

void role_rule_unfenced_place(const role_run *run, judgement *out)
{
    ask_pairs(run, ask_fence, out);
}

/* --- Tiles of a place --- */

static void ask_stale(const role_run *run, int rank, const use *maker, const use *reader,
                      judgement *out)
{
    if (maker->touch->makes && !reader->touch->makes && maker->touch->tile == reader->touch->tile &&
        !comes_before(run, rank, maker->act, reader->act))
        role_tell(run, out, SWP_STALE_READ, reader->act);
}

void role_rule_stale_read(const role_run *run, judgement *out)
{
    ask_pairs(run, ask_stale, out);
}

static void ask_overwritten(const role_run *run, int rank, const use *reader, const use *writer,
                            judgement *out)
{
    if (!reader->touch->makes && writer->touch->makes &&
        reader->touch->tile == replaced(run, writer->touch) &&
        !keeps_clear(run, rank, reader->act, writer->act))
        role_tell(run, out, SWP_OVERWRITTEN, writer->act);
}

void role_rule_overwritten(const role_run *run, judgement *out)
{
    ask_pairs(run, ask_overwritten, out);
}

static void ask_race(const role_run *run, int rank, const use *early, const use *late,
                     judgement *out)
{
    if (early->touch->makes && late->touch->makes && role_is_read(run->loop, late->touch->value) &&
        early->touch->tile == replaced(run, late->touch) &&
        !keeps_clear(run, rank, early->act, late->act))
        role_tell(run, out, SWP_WRITE_RACE, late->act);
}

void role_rule_write_race(const role_run *run, judgement *out)
{
    ask_pairs(run, ask_race, out);
}

/* --- wrong_tile --- */

/* An act that makes the value; NULL: none does in this run. */
static const role_act *maker_of(const use_list *uses)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].touch->makes)
            return uses->items[i].act;
    return NULL;
}

/* Whether the lane, of the role of the maker, has a share that the reader touches. */
static bool has_share_for(const role_run *run, const role_act *maker, int lane,
                          const role_act *reader)
{
    const int stream = role_lane_of(run, maker)->stream;
    if (run->lanes[lane].stream != stream)
        return false;
    if (role_is_multicast(maker))
        return true;
    return run->lanes[lane].rank == role_rank_of(run, reader) &&
           (role_lane_of(run, reader)->stream != stream || reader->lane == lane);
}

static bool lane_makes(const use_list *uses, int lane, int tile)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].touch->makes && uses->items[i].touch->tile == tile &&
            uses->items[i].act->lane == lane)
            return true;
    return false;
}

/* In one of the shares that the reader touches; versions before the loop are there from the start. */
static bool is_missing(const role_run *run, const use_list *uses, const use *reader)
{
    const role_act *maker = maker_of(uses);
    if (reader->touch->makes || reader->touch->version < 0)
        return false;
    for (int l = 0; maker && l < run->lane_count; l++)
        if (has_share_for(run, maker, l, reader->act) && !lane_makes(uses, l, reader->touch->tile))
            return true;
    return !maker;
}

void role_rule_wrong_place(const role_run *run, judgement *out)
{
    for (int v = 0; v < (int)run->loop->value_count; v++) {
        use_list uses = uses_of(run, v);
        for (size_t i = 0; i < uses.count; i++)
            if (role_comes_to(run, uses.items[i].act) && is_missing(run, &uses, &uses.items[i]))
                role_tell(run, out, SWP_WRONG_TILE, uses.items[i].act);
        free(uses.items);
    }
}
