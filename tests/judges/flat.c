/* SPDX-License-Identifier: Apache-2.0 */
#include "flat.h"

#include <stdlib.h>

/* One list of entries as it runs once. */
typedef struct stretch {
    const swp_entry_list *entries;
    swp_phase phase;
    int base;       /* the tile of kb */
    int first_tile; /* of the tiles it computes */
    int tiles;      /* that it computes */
} stretch;

static bool single_buffer(const swp_schedule *schedule)
{
    return schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

int flat_passes(const swp_schedule *schedule, int tiles)
{
    return (tiles - schedule->loop.min_tiles) / schedule->loop.tiles_per_pass;
}

static void push(wave *w, step s)
{
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 256;
        w->steps = realloc(w->steps, (size_t)w->capacity * sizeof(*w->steps));
        if (!w->steps)
            abort();
    }
    w->steps[w->count++] = s;
}

/* A barrier that is no entry; the line is that of the entry which follows. */
static void push_barrier(wave *w, swp_phase phase, int entry)
{
    push(w, (step){.kind = STEP_BARRIER,
                   .phase = phase,
                   .entry = entry,
                   .counter = COUNTS_NOTHING,
                   .implied = true,
                   .line = w->lines});
}

/* A count of 0 is one that nobody stated; the access is there all the same. */
static int counted(int accesses)
{
    return accesses > 0 ? accesses : 1;
}

static step step_of(const swp_entry *entry, swp_phase phase, int index)
{
    const swp_op *op = &entry->op;
    step s = {.phase = phase,
              .entry = index,
              .channel = op->channel,
              .stage = op->stage,
              .subtile = op->subtile,
              .counter = COUNTS_NOTHING,
              .wait = op->wait_value,
              .tile = NO_TILE,
              .source = -1};
    if (op->tag == SWP_TAG_BARRIER) {
        s.kind = STEP_BARRIER;
    } else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) {
        s.kind = STEP_WAIT;
        s.counter = op->tag == SWP_TAG_WAIT_VM ? COUNTS_VM : COUNTS_LGKM;
    } else if (op->role == SWP_GLOBAL_LOAD) {
        s.kind = STEP_LOAD;
        s.counter = COUNTS_VM;
        s.accesses = counted(op->vm_cost);
    } else if (op->role == SWP_SHARED_STORE || op->role == SWP_FRAGMENT_LOAD) {
        s.kind = op->role == SWP_SHARED_STORE ? STEP_STORE : STEP_FRAGMENT;
        s.counter = COUNTS_LGKM;
        s.accesses = counted(op->lgkm_cost);
    } else if (op->role == SWP_COMPUTE) {
        s.kind = STEP_COMPUTE;
    }
    return s;
}

static bool same_accumulator(const swp_schedule *schedule, const step *a, const step *b)
{
    return a->subtile == b->subtile && (single_buffer(schedule) || a->stage == b->stage);
}

/* The j-th COMPUTE of an accumulator in a stretch has its j-th tile. */
static void give_tile_to_compute(const swp_schedule *schedule, const wave *w, int begin,
                                 const stretch *part, step *s)
{
    int before = 0;
    for (int i = begin; i < w->count; i++)
        before += w->steps[i].kind == STEP_COMPUTE && same_accumulator(schedule, &w->steps[i], s);
    s->twice = before >= part->tiles;
    s->tile = part->first_tile + (s->twice ? part->tiles - 1 : before);
}

static int last_load(const wave *w)
{
    for (int i = w->count; i-- > 0;)
        if (w->steps[i].kind == STEP_LOAD)
            return i;
    return -1;
}

static void give_tile(const swp_schedule *schedule, const wave *w, int begin, const stretch *part,
                      const swp_op *op, step *s)
{
    const int last = last_load(w);
    if (s->kind == STEP_COMPUTE)
        give_tile_to_compute(schedule, w, begin, part, s);
    else if (s->kind == STEP_LOAD && single_buffer(schedule))
        s->tile = last < 0 ? 0 : w->steps[last].tile + 1;
    else if (s->kind == STEP_LOAD)
        s->tile = part->base + swp_k_multiple(op->k_offset);
    else if (s->kind == STEP_STORE && last >= 0)
        s->tile = w->steps[last].tile, s->source = last;
}

static void push_stretch(const swp_schedule *schedule, wave *w, const stretch *part, int lag_index)
{
    const int begin = w->count;
    const int count = (int)part->entries->count;
    for (int i = 0; i <= count; i++) {
        if (i == lag_index)
            push_barrier(w, part->phase, i);
        if (i == count)
            break;
        const swp_entry *entry = &part->entries->items[i];
        step s = step_of(entry, part->phase, i);
        give_tile(schedule, w, begin, part, &entry->op, &s);
        s.line = w->lines++;
        if (s.kind != STEP_HINT)
            push(w, s);
    }
}

static void push_phases(const swp_schedule *schedule, int group, int tiles, wave *w)
{
    const swp_loop_shape *loop = &schedule->loop;
    const int passes = flat_passes(schedule, tiles);
    const int lag = group == 1 && schedule->machine.lag ? schedule->machine.lag_prologue_index : -1;
    const stretch prologue = {&schedule->streams[0].prologue, SWP_PROLOGUE, 0, 0, 0};
    push_stretch(schedule, w, &prologue, lag);
    if (!single_buffer(schedule) && !schedule->drops_loop_barrier)
        push_barrier(w, SWP_PROLOGUE, (int)schedule->streams[0].prologue.count);
    for (int p = 0; p < passes; p++) {
        const int first = p * loop->tiles_per_pass;
        const stretch pass = {&schedule->streams[0].kernel, SWP_KERNEL, loop->first_base + first,
                              first, loop->tiles_per_pass};
        push_stretch(schedule, w, &pass, -1);
    }
    const int done = passes * loop->tiles_per_pass;
    const stretch epilogue = {&schedule->streams[0].epilogue, SWP_EPILOGUE, tiles, done,
                              tiles - done};
    push_stretch(schedule, w, &epilogue, -1);
    if (group == 0 && schedule->machine.lag && schedule->machine.lag_end_barrier)
        push_barrier(w, SWP_EPILOGUE, (int)schedule->streams[0].epilogue.count);
}

bool flat_reads(const swp_schedule *schedule, const step *reader, const step *writer)
{
    if (reader->kind == STEP_STORE)
        return writer->kind == STEP_LOAD && single_buffer(schedule);
    if (reader->kind != STEP_COMPUTE || writer->kind != STEP_FRAGMENT)
        return false;
    if (single_buffer(schedule))
        return writer->subtile == reader->subtile;
    return writer->subtile == (writer->channel == 0 ? reader->stage : reader->subtile);
}

bool flat_same_register(const swp_schedule *schedule, const step *a, const step *b)
{
    if (a->kind == STEP_LOAD && b->kind == STEP_LOAD)
        return single_buffer(schedule);
    return a->kind == STEP_FRAGMENT && b->kind == STEP_FRAGMENT && a->subtile == b->subtile &&
           (single_buffer(schedule) || a->channel == b->channel);
}

bool flat_writes_place(const swp_schedule *schedule, const step *writer, const step *reader)
{
    if (single_buffer(schedule))
        return writer->kind == STEP_STORE;
    return writer->kind == STEP_LOAD && writer->channel == reader->channel &&
           writer->stage == reader->stage && writer->subtile == reader->subtile;
}

/* Retires what a counter counts, up to `accesses` of it, among the steps before `position`. */
static void retire_accesses(wave *w, step_counter counter, int accesses, int position)
{
    while (w->done < position &&
           (w->steps[w->done].kind < STEP_LOAD || w->steps[w->done].counter == COUNTS_NOTHING ||
            w->steps[w->done].retired != NEVER))
        w->done++;
    for (int i = w->done; i < position; i++) {
        step *s = &w->steps[i];
        if (s->kind >= STEP_LOAD && s->counter == counter && s->retired == NEVER &&
            s->end <= accesses)
            s->retired = position;
    }
}

/* A reader with managed registers: what it reads, and all that is older; with scoreboards only of what is in order. */
static int retire_sources(const swp_schedule *schedule, wave *w, int position)
{
    int last = -1;
    if (w->steps[position].kind != STEP_STORE && w->steps[position].kind != STEP_COMPUTE)
        return last;
    for (int i = 0; i < position; i++)
        if (flat_reads(schedule, &w->steps[position], &w->steps[i]) && w->steps[i].retired == NEVER)
            last = i;
    const bool each = last >= 0 && w->steps[last].counter != COUNTS_LGKM &&
                      schedule->machine.registers == SWP_REGISTERS_SCOREBOARD;
    for (int i = 0; i <= last; i++)
        if (w->steps[i].counter == w->steps[last].counter && w->steps[i].kind >= STEP_LOAD &&
            w->steps[i].retired == NEVER &&
            (!each || flat_reads(schedule, &w->steps[position], &w->steps[i])))
            w->steps[i].retired = position;
    return each ? -1 : last;
}

typedef struct counter_state {
    int issued;
    int done; /* at least so many of them have finished */
    int most;
} counter_state;

static void finish(counter_state *counter, int accesses)
{
    if (accesses > counter->done)
        counter->done = accesses;
}

/* A full counter stalls the issue until there is room, or wraps and retires nothing. */
static void issue(wave *w, counter_state *counter, bool stalls, int position)
{
    step *s = &w->steps[position];
    const int after = counter->issued + s->accesses;
    if (after - counter->done > counter->most) {
        s->overflow = true;
        if (stalls)
            retire_accesses(w, s->counter, after - counter->most, position);
        finish(counter, after - counter->most);
    }
    counter->issued = after;
    s->end = after;
    s->retired = NEVER;
}

static void wait_for(wave *w, counter_state *counter, step_counter which, int outstanding,
                     int position)
{
    const int n = outstanding < counter->most ? outstanding : counter->most;
    retire_accesses(w, which, counter->issued - n, position);
    finish(counter, counter->issued - n);
}

static void run_step(const swp_schedule *schedule, wave *w, counter_state counters[2], int position)
{
    step *s = &w->steps[position];
    if (s->kind == STEP_WAIT)
        wait_for(w, &counters[s->counter], s->counter, s->wait, position);
    if (s->kind == STEP_BARRIER && schedule->machine.barrier == SWP_BARRIER_FENCED)
        wait_for(w, &counters[COUNTS_LGKM], COUNTS_LGKM, 0, position);
    if (schedule->machine.registers != SWP_REGISTERS_RAW) {
        const int last = retire_sources(schedule, w, position);
        if (last >= 0)
            finish(&counters[w->steps[last].counter], w->steps[last].end);
    }
    if (s->kind >= STEP_LOAD && s->counter != COUNTS_NOTHING)
        issue(w, &counters[s->counter], schedule->machine.counter_full == SWP_COUNTER_STALLS,
              position);
}

static void number_barriers(wave *w)
{
    for (int i = 0; i < w->count; i++) {
        w->steps[i].barriers_before = w->barriers;
        w->barriers += w->steps[i].kind == STEP_BARRIER;
    }
    for (int i = 0; i < w->count; i++) {
        step *s = &w->steps[i];
        s->first_barrier = s->retired == NEVER ? NEVER : w->steps[s->retired].barriers_before;
        if (s->first_barrier >= w->barriers)
            s->first_barrier = NEVER;
    }
}

wave flat_wave(const swp_schedule *schedule, int group, int tiles)
{
    wave w = {0};
    push_phases(schedule, group, tiles, &w);
    for (int i = 0; i < w.count; i++)
        w.steps[i].retired = NEVER;
    counter_state counters[2] = {{.most = schedule->machine.vm_max},
                                 {.most = schedule->machine.lgkm_max}};
    for (int i = 0; i < w.count; i++)
        run_step(schedule, &w, counters, i);
    number_barriers(&w);
    return w;
}

void flat_free(wave *w)
{
    free(w->steps);
    *w = (wave){0};
}
