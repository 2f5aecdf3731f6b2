/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer_steps.h"

#include <stdlib.h>
#include <string.h>

void *explorer_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* A schedule on its way to steps. */
typedef struct builder {
    const swp_schedule *schedule;
    step_list *list;
    int base;       /* kb of the phase or pass, in tiles */
    int first_tile; /* that it computes */
    int tiles;      /* that it computes */
    int begin;      /* its first step */
    int loads;      /* so far, where each takes the next tile */
} builder;

static bool takes_next_tile(const swp_schedule *schedule)
{
    return schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

static step *append(step_list *list)
{
    step *s = &list->items[list->count++];
    *s = (step){.counter = COUNTER_NONE,
                .wait = -1,
                .of_group = {true, true},
                .place = -1,
                .write = -1,
                .target = -1,
                .rewrites = -1,
                .operands = {-1, -1},
                .producers = {-1, -1},
                .tile = NO_TILE};
    return s;
}

/* Names of places and registers as numbers; places get consecutive ones later. */
enum { SUBTILES = 256, STAGES = 256 };

static int place_of(const builder *b, const swp_op *op)
{
    return takes_next_tile(b->schedule)
               ? 0
               : ((op->channel == 0 ? 0 : 1) * STAGES + op->stage) * SUBTILES + op->subtile;
}

static int register_of(int channel, int subtile)
{
    return channel * SUBTILES + subtile;
}

enum { STAGING = 2 * SUBTILES };

/* 0 is a count that nobody stated; an access counts all the same (docs/verification.md, "The machine"). */
static void make_access(const builder *b, step *s, const swp_op *op, counter c)
{
    s->counter = c;
    s->cost = c == COUNTER_VM ? op->vm_cost : op->lgkm_cost;
    s->cost = s->cost > 0 ? s->cost : 1;
    s->ordinal = b->list->accesses[c]++;
}

static void make_load(builder *b, step *s, const swp_op *op)
{
    s->kind = STEP_LOAD;
    make_access(b, s, op, COUNTER_VM);
    if (takes_next_tile(b->schedule)) {
        s->target = STAGING;
        s->tile = b->loads++;
        return;
    }
    s->place = place_of(b, op);
    s->tile = b->base + swp_k_multiple(op->k_offset);
}

static void make_fragment(builder *b, step *s, const swp_op *op)
{
    const bool single = takes_next_tile(b->schedule);
    s->kind = STEP_FRAGMENT;
    make_access(b, s, op, COUNTER_LGKM);
    s->place = place_of(b, op);
    s->target = register_of(!single && op->channel != 0, op->subtile);
}

static bool same_accumulator(const builder *b, const step *other, const swp_op *op)
{
    return other->kind == STEP_COMPUTE && other->operands[0] == register_of(0, op->stage) &&
           (takes_next_tile(b->schedule) || other->operands[1] == register_of(1, op->subtile));
}

/* The j-th COMPUTE of an accumulator in a pass is that of its j-th tile. */
static void make_compute(builder *b, step *s, const swp_op *op)
{
    swp_op accumulator = *op;
    if (takes_next_tile(b->schedule))
        accumulator.stage = op->subtile;
    int before = 0;
    for (int i = b->begin; i < b->list->count - 1; i++)
        before += same_accumulator(b, &b->list->items[i], &accumulator);
    s->kind = STEP_COMPUTE;
    s->operands[0] = register_of(0, accumulator.stage);
    if (!takes_next_tile(b->schedule))
        s->operands[1] = register_of(1, op->subtile);
    s->counts = before < b->tiles;
    s->tile = b->first_tile + before;
}

static void make_step(builder *b, step *s, const swp_op *op)
{
    if (op->tag == SWP_TAG_BARRIER) {
        s->kind = STEP_BARRIER;
    } else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) {
        s->counter = op->tag == SWP_TAG_WAIT_VM ? COUNTER_VM : COUNTER_LGKM;
        s->wait = op->wait_value;
    } else if (op->role == SWP_GLOBAL_LOAD) {
        make_load(b, s, op);
    } else if (op->role == SWP_SHARED_STORE) {
        s->kind = STEP_STORE;
        make_access(b, s, op, COUNTER_LGKM);
        s->place = place_of(b, op);
        s->operands[0] = STAGING;
    } else if (op->role == SWP_FRAGMENT_LOAD) {
        make_fragment(b, s, op);
    } else if (op->role == SWP_COMPUTE) {
        make_compute(b, s, op);
    }
}

/* A barrier that is no entry, before an entry or at the end of a phase. */
static void append_barrier(builder *b, swp_phase phase, int entry, bool first_group,
                           bool second_group)
{
    step *s = append(b->list);
    s->kind = STEP_BARRIER;
    s->phase = phase;
    s->entry = entry;
    s->of_group[0] = first_group;
    s->of_group[1] = second_group;
}

static void append_phase(builder *b, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(b->schedule, phase);
    const swp_machine *m = &b->schedule->machine;
    b->begin = b->list->count;
    for (int i = 0; i <= (int)entries->count; i++) {
        if (phase == SWP_PROLOGUE && m->lag && i == m->lag_prologue_index)
            append_barrier(b, phase, i, false, true);
        if (i == (int)entries->count)
            break;
        step *s = append(b->list);
        s->phase = phase;
        s->entry = i;
        make_step(b, s, &entries->items[i].op);
    }
}

static int passes_of(const swp_loop_shape *loop, int n)
{
    return (n - loop->min_tiles) / loop->tiles_per_pass;
}

/* Entries, and the barriers that are none: the lag's, after the prologue, at the end. */
static size_t most_steps(const swp_schedule *schedule, int n)
{
    const size_t passes = (size_t)passes_of(&schedule->loop, n);
    return schedule->streams[0].prologue.count + passes * schedule->streams[0].kernel.count +
           schedule->streams[0].epilogue.count + 3;
}

/* docs/schedules.md, "How a kernel runs them". */
static void append_phases(builder *b)
{
    const swp_loop_shape *loop = &b->schedule->loop;
    const swp_machine *m = &b->schedule->machine;
    append_phase(b, SWP_PROLOGUE);
    if (!takes_next_tile(b->schedule) && !b->schedule->drops_loop_barrier)
        append_barrier(b, SWP_PROLOGUE, (int)b->schedule->streams[0].prologue.count, true, true);
    b->tiles = loop->tiles_per_pass;
    for (int pass = 0; pass < passes_of(loop, b->list->n); pass++) {
        b->base = loop->first_base + pass * loop->tiles_per_pass;
        b->first_tile = pass * loop->tiles_per_pass;
        append_phase(b, SWP_KERNEL);
    }
    b->base = b->list->n;
    b->tiles = loop->min_tiles;
    b->first_tile = b->list->n - loop->min_tiles;
    append_phase(b, SWP_EPILOGUE);
    if (m->lag && m->lag_end_barrier)
        append_barrier(b, SWP_EPILOGUE, (int)b->schedule->streams[0].epilogue.count, true, false);
}

static int last_writer(const step_list *list, int before, int target)
{
    int i = before;
    while (i-- > 0)
        if (target >= 0 && list->items[i].target == target)
            return i;
    return -1;
}

static void find_producers(step_list *list)
{
    for (int i = 0; i < list->count; i++) {
        step *s = &list->items[i];
        for (int k = 0; k < 2; k++) {
            s->producers[k] = last_writer(list, i, s->operands[k]);
            if (s->producers[k] >= 0)
                list->items[s->producers[k]].observed |= s->kind == STEP_COMPUTE && s->counts;
        }
        s->rewrites = last_writer(list, i, s->target);
        if (s->kind == STEP_STORE && s->producers[0] >= 0)
            s->tile = list->items[s->producers[0]].tile;
    }
}

static void number_writes(step_list *list)
{
    int *writes = explorer_allocate((size_t)list->places, sizeof(*writes));
    for (int i = 0; i < list->count; i++) {
        step *s = &list->items[i];
        if (s->place < 0 || s->kind == STEP_FRAGMENT)
            continue;
        s->write = writes[s->place]++;
        if (list->writes <= s->write)
            list->writes = s->write + 1;
    }
    free(writes);
}

static void number_places(step_list *list)
{
    int *names = explorer_allocate((size_t)list->count, sizeof(*names));
    for (int i = 0; i < list->count; i++) {
        step *s = &list->items[i];
        int number = 0;
        if (s->place < 0)
            continue;
        while (number < list->places && names[number] != s->place)
            number++;
        if (number == list->places)
            names[list->places++] = s->place;
        s->place = number;
    }
    free(names);
}

static void list_ordinals(step_list *list)
{
    for (int c = 0; c < COUNTERS; c++)
        list->by_ordinal[c] = explorer_allocate((size_t)list->accesses[c], sizeof(int));
    for (int i = 0; i < list->count; i++) {
        const step *s = &list->items[i];
        if (s->counter != COUNTER_NONE && s->wait < 0)
            list->by_ordinal[s->counter][s->ordinal] = i;
    }
}

void step_list_fill(step_list *list, const swp_schedule *schedule, int n)
{
    const swp_machine *m = &schedule->machine;
    builder b = {.schedule = schedule, .list = list};
    *list = (step_list){.n = n, .groups = m->groups};
    list->items = explorer_allocate(most_steps(schedule, n), sizeof(*list->items));
    /* Two waves stand for any larger number (docs/verification.md, "The machine"). */
    list->waves_per_group = m->waves_per_group < 2 ? 1 : 2;
    list->waves = list->groups * list->waves_per_group;
    list->raw_registers = m->registers == SWP_REGISTERS_RAW;
    append_phases(&b);
    number_places(list);
    number_writes(list);
    find_producers(list);
    list_ordinals(list);
    step_list_retire(list, m);
}

void step_list_free(step_list *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->items[i].seen.items);
    for (int c = 0; c < COUNTERS; c++)
        free(list->by_ordinal[c]);
    free(list->items);
    *list = (step_list){0};
}
