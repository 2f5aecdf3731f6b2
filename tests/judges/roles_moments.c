/* SPDX-License-Identifier: Apache-2.0 */
/* The moments of a run and the arcs between them (docs/roles-reference.md, "Before and after"). */
#include "roles_memory.h"
#include "roles_run.h"

static role_act *begin_of(const role_run *run, const role_lane *lane)
{
    return run->acts + lane->first;
}

static role_act *end_of(const role_run *run, const role_lane *lane)
{
    return run->acts + lane->first + lane->count;
}

/* --- A thread's list --- */

static bool waits(const role_act *act)
{
    return role_is_tag(act, SWP_TAG_WAIT_PHASE) || role_is_tag(act, SWP_TAG_NAMED_SYNC) ||
           role_is_tag(act, SWP_TAG_BARRIER) || role_is_tag(act, SWP_TAG_CLUSTER_WAIT) ||
           role_is_tag(act, SWP_TAG_MATRIX_WAIT) || role_is_tag(act, SWP_TAG_BULK_WAIT) ||
           role_is_tag(act, SWP_TAG_BULK_WAIT_READ);
}

static void order_thread(role_run *run, role_lane *lane, int thread)
{
    role_order *order = &run->order;
    int last = ROLE_NO_MOMENT;
    for (role_act *act = begin_of(run, lane); act < end_of(run, lane); act++) {
        if (!role_executes(act, thread))
            continue;
        act->issue[thread] = role_order_moment(order);
        role_order_arc(order, last, act->issue[thread]);
        last = act->issue[thread];
        if (!waits(act))
            continue;
        act->back[thread] = role_order_moment(order);
        role_order_arc(order, last, act->back[thread]);
        last = act->back[thread];
    }
    lane->end[thread] = role_order_moment(order);
    role_order_arc(order, last, lane->end[thread]);
}

/* --- Which slot an act works on --- */

/* Of an object in a rank; behind the last object comes the work group's barrier. */
static int first_slot(const role_run *run, int rank, int object)
{
    int first[2] = {0, 0}; /* of the object, and of what follows all objects */
    for (int i = 0; i < (int)run->schedule->object_count; i++) {
        first[0] += i < object ? run->schedule->objects[i].slots : 0;
        first[1] += run->schedule->objects[i].slots;
    }
    return rank * (first[1] + 1) + first[0];
}

static void make_slots_of(role_run *run, int rank)
{
    const int objects = (int)run->schedule->object_count;
    for (int i = 0; i < objects; i++)
        for (int s = 0; s < run->schedule->objects[i].slots; s++)
            run->slots[first_slot(run, rank, i) + s] =
                (role_slot){.rank = rank, .object = &run->schedule->objects[i]};
    run->slots[first_slot(run, rank, objects)].rank = rank;
}

static void make_slots(role_run *run)
{
    run->slot_count = first_slot(run, role_ranks(run), 0) + 1;
    run->slots = role_take((size_t)run->slot_count, sizeof *run->slots);
    for (int rank = 0; rank < role_ranks(run); rank++)
        make_slots_of(run, rank);
    run->slots[run->slot_count - 1].rank = ROLE_ALL_RANKS;
}

static bool is_of_cluster(const role_act *act)
{
    return role_is_tag(act, SWP_TAG_CLUSTER_ARRIVE) || role_is_tag(act, SWP_TAG_CLUSTER_WAIT);
}

static void name_slot(role_run *run, role_act *act)
{
    const swp_op *op = act->op;
    const int rank = role_rank_of(run, act);
    if (role_is_tag(act, SWP_TAG_BARRIER))
        act->slot = first_slot(run, rank, (int)run->schedule->object_count);
    else if (is_of_cluster(act))
        act->slot = run->slot_count - 1;
    if (op->object < 0)
        return;
    const swp_role_object *object = &run->schedule->objects[op->object];
    const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
    const int place =
        is_mbarrier ? act->turn : op->slot + op->slot_step * role_lane_of(run, act)->instance;
    act->slot = first_slot(run, rank, op->object) + role_remainder(place, object->slots);
    if (is_mbarrier)
        act->number = role_quotient(act->turn, object->slots);
}

/* --- mbarriers --- */

/* By role, output tile, list, pass, entry. */
static bool stands_before(const role_run *run, const role_act *a, const role_act *b)
{
    const int streams[] = {role_lane_of(run, a)->stream, role_lane_of(run, b)->stream};
    if (streams[0] != streams[1])
        return streams[0] < streams[1];
    if (a->tile != b->tile)
        return a->tile < b->tile;
    if (a->phase != b->phase)
        return role_list_rank(a->phase) < role_list_rank(b->phase);
    return a->pass != b->pass ? a->pass < b->pass : a->entry < b->entry;
}

static void count_in_phase(role_run *run, const role_act *act, role_phase *phase)
{
    if (role_is_copy(act))
        phase->brought += act->op->bytes;
    else
        phase->arrivals += role_threads(run, act);
    if (role_is_tag(act, SWP_TAG_ARRIVE_EXPECT))
        phase->expected += act->op->bytes;
    if (phase->first < 0 || stands_before(run, act, &run->acts[phase->first]))
        phase->first = (int)(act - run->acts);
}

static void make_phases(role_run *run, role_slot *slot, int count)
{
    slot->phase_count = count;
    slot->phases = role_take((size_t)count, sizeof *slot->phases);
    for (int k = 0; k < count; k++) {
        slot->phases[k].first = -1;
        slot->phases[k].complete = role_order_moment(&run->order);
        if (k > 0)
            role_order_arc(&run->order, slot->phases[k - 1].complete, slot->phases[k].complete);
    }
}

static void order_act_in_phase(role_run *run, const role_act *act, int rank, role_phase *phase)
{
    for (int t = 0; t < ROLE_THREADS; t++) {
        if (role_is_arrival(act))
            role_order_arc(&run->order, act->issue[t], phase->complete);
        else if (role_is_tag(act, SWP_TAG_WAIT_PHASE))
            role_order_arc(&run->order, phase->complete, act->back[t]);
    }
    if (role_is_copy(act))
        role_order_arc(&run->order, act->retired[rank], phase->complete);
    if (role_is_copy(act) || role_is_arrival(act))
        count_in_phase(run, act, phase);
}

/* On an mbarrier, of any rank that the act goes to. */
static bool works_on(const role_run *run, const role_act *act, int number)
{
    const int rank = run->slots[number].rank;
    return act->slot >= 0 && !is_of_cluster(act) && role_goes_to(run, act, rank) &&
           role_slot_in(run, act, rank) == number;
}

/* A wrong count is told at the first operation, so there it is accepted. Of output tiles nothing is judged behind it. */
static bool is_accepted(const role_run *run, const role_phase *phase)
{
    if (phase->first < 0 || run->schedule->output_tiles)
        return false;
    const role_act *act = &run->acts[phase->first];
    const int stream = role_lane_of(run, act)->stream;
    const judged_hazard wrong = {
        .kind = SWP_ARRIVALS, .stream = stream, .phase = act->phase, .entry = act->entry};
    return role_is_accepted(&run->accepted, &wrong, run->schedule->streams[stream].name);
}

static void order_phases(role_run *run, int number)
{
    role_slot *slot = &run->slots[number];
    int count = 0;
    for (size_t i = 0; i < run->act_count; i++)
        if (works_on(run, &run->acts[i], number) && run->acts[i].number >= count)
            count = run->acts[i].number + 1;
    make_phases(run, slot, count);
    for (size_t i = 0; i < run->act_count; i++)
        if (works_on(run, &run->acts[i], number) && run->acts[i].number >= 0)
            order_act_in_phase(run, &run->acts[i], slot->rank, &slot->phases[run->acts[i].number]);
    for (int k = 0; k < count; k++)
        if ((slot->phases[k].arrivals < slot->object->arrivals ||
             slot->phases[k].brought < slot->phases[k].expected) &&
            !is_accepted(run, &slot->phases[k]))
            role_order_never(&run->order, slot->phases[k].complete);
}

/* --- Barriers --- */

/*
 * How many operations a lane has on a barrier; each gets the number of its meeting. On the cluster's barrier its
 * arrivals are meant, and its waits are numbered apart.
 */
static int number_meetings(role_run *run, const role_lane *lane, int slot)
{
    int count = 0;
    int waits_of_cluster = 0;
    for (role_act *act = begin_of(run, lane); act < end_of(run, lane); act++)
        if (act->slot == slot)
            act->number = role_is_tag(act, SWP_TAG_CLUSTER_WAIT) ? waits_of_cluster++ : count++;
    return count;
}

static bool names_slot(const role_run *run, const swp_entry_list *entries, const role_lane *lane,
                       int number)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const bool is_its = op->instances == 0 || (op->instances >> lane->instance & 1) != 0;
        const bool meets = op->tag == SWP_TAG_NAMED_SYNC || op->tag == SWP_TAG_NAMED_ARRIVE;
        if (is_its && meets &&
            first_slot(run, lane->rank, op->object) +
                    role_remainder(op->slot + op->slot_step * lane->instance,
                                   run->schedule->objects[op->object].slots) ==
                number)
            return true;
    }
    return false;
}

/* In any of its lists, whether this run has them or not. */
static bool may_meet(const role_run *run, const role_lane *lane, int number)
{
    for (int f = 0; f < swp_schedule_forms(run->schedule); f++) {
        const swp_schedule form = swp_schedule_form(run->schedule, f);
        for (int phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            if (names_slot(run, swp_stream_phase(&form.streams[lane->stream], (swp_phase)phase),
                           lane, number))
                return true;
    }
    return false;
}

static bool takes_part(const role_run *run, int number, int lane, int count)
{
    const int rank = run->slots[number].rank;
    if (rank != ROLE_ALL_RANKS && rank != run->lanes[lane].rank)
        return false;
    if (!run->slots[number].object || count > 0)
        return true;
    return run->schedule->output_tiles && may_meet(run, &run->lanes[lane], number);
}

static void make_openings(role_run *run, int number, const int *counts)
{
    role_slot *slot = &run->slots[number];
    for (int l = 0; l < run->lane_count; l++)
        if (counts[l] > slot->meeting_count)
            slot->meeting_count = counts[l];
    for (size_t i = 0; i < run->act_count; i++) /* waits for meetings that nobody comes to */
        if (run->acts[i].slot == number && run->acts[i].number >= slot->meeting_count)
            slot->meeting_count = run->acts[i].number + 1;
    slot->openings = role_take((size_t)slot->meeting_count, sizeof *slot->openings);
    for (int m = 0; m < slot->meeting_count; m++)
        slot->openings[m] = role_order_moment(&run->order);
    for (int l = 0; l < run->lane_count; l++) {
        const bool there = takes_part(run, number, l, counts[l]);
        if (there)
            slot->threads += run->schedule->streams[run->lanes[l].stream].warps * 32;
        for (int m = counts[l]; there && m < slot->meeting_count; m++)
            role_order_never(&run->order, slot->openings[m]);
    }
}

static void order_meetings(role_run *run, int number)
{
    int *counts = role_take((size_t)run->lane_count, sizeof *counts);
    for (int l = 0; l < run->lane_count; l++)
        counts[l] = number_meetings(run, &run->lanes[l], number);
    make_openings(run, number, counts);
    free(counts);
    for (size_t i = 0; i < run->act_count; i++) {
        const role_act *act = &run->acts[i];
        for (int t = 0; act->slot == number && t < ROLE_THREADS; t++) {
            if (!role_is_tag(act, SWP_TAG_CLUSTER_WAIT))
                role_order_arc(&run->order, act->issue[t],
                               run->slots[number].openings[act->number]);
            role_order_arc(&run->order, run->slots[number].openings[act->number], act->back[t]);
        }
    }
}

/* --- Groups --- */

static void order_retirement(role_run *run, role_act *act, int rank)
{
    act->retired[rank] = role_order_moment(&run->order);
    for (int t = 0; t < ROLE_THREADS; t++)
        role_order_arc(&run->order, act->issue[t], act->retired[rank]);
    if (!role_is_store(act))
        return;
    act->written = role_order_moment(&run->order);
    role_order_arc(&run->order, act->retired[rank], act->written);
}

static void order_retirements(role_run *run)
{
    for (size_t i = 0; i < run->act_count; i++) {
        role_act *act = &run->acts[i];
        for (int rank = 0; rank < role_ranks(run); rank++)
            if (act->work && !role_is_ordinary(act) && role_goes_to(run, act, rank))
                order_retirement(run, act, rank);
    }
}

/* The operations that commits and waits have to do with: wgmmas or bulk stores. */
typedef struct group_kind {
    bool (*is_member)(const role_act *act);
    int commit;
    int waits[2];
} group_kind;

/* The wait retires what stands before it in one of the first `groups` groups. */
static void order_wait(role_run *run, const group_kind *kind, const role_act *wait, int groups)
{
    for (const role_act *act = begin_of(run, role_lane_of(run, wait)); act < wait; act++) {
        if (!kind->is_member(act) || act->number >= groups)
            continue;
        for (int t = 0; t < ROLE_THREADS; t++) {
            role_order_arc(&run->order, act->retired[role_rank_of(run, wait)], wait->back[t]);
            if (role_is_tag(wait, SWP_TAG_BULK_WAIT))
                role_order_arc(&run->order, act->written, wait->back[t]);
        }
    }
}

static void order_groups_of(role_run *run, const role_lane *lane, const group_kind *kind)
{
    int commits = 0;
    for (role_act *act = begin_of(run, lane); act < end_of(run, lane); act++) {
        if (kind->is_member(act))
            act->number = commits;
        else if (role_is_tag(act, kind->commit))
            commits++;
        else if (role_is_tag(act, kind->waits[0]) || role_is_tag(act, kind->waits[1]))
            order_wait(run, kind, act, commits - act->op->wait_value);
    }
}

static void order_groups(role_run *run, const role_lane *lane)
{
    static const group_kind matrix = {
        role_is_matrix, SWP_TAG_MATRIX_COMMIT, {SWP_TAG_MATRIX_WAIT, SWP_TAG_MATRIX_WAIT}};
    static const group_kind store = {
        role_is_store, SWP_TAG_BULK_COMMIT, {SWP_TAG_BULK_WAIT, SWP_TAG_BULK_WAIT_READ}};
    order_groups_of(run, lane, &matrix);
    order_groups_of(run, lane, &store);
}

void role_moments(role_run *run)
{
    make_slots(run);
    for (size_t i = 0; i < run->act_count; i++)
        name_slot(run, &run->acts[i]);
    for (int l = 0; l < run->lane_count; l++)
        for (int t = 0; t < ROLE_THREADS; t++)
            order_thread(run, &run->lanes[l], t);
    order_retirements(run);
    for (int s = 0; s < run->slot_count; s++) {
        if (run->slots[s].object && run->slots[s].object->kind == SWP_OBJECT_MBARRIER)
            order_phases(run, s);
        else
            order_meetings(run, s);
    }
    for (int l = 0; l < run->lane_count; l++)
        order_groups(run, &run->lanes[l]);
}
