/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_flat.h"

#include <stdlib.h>

#include "loop_touches.h"

/* --- The list of a wave --- */

static void push(loop_wave *w, loop_line s)
{
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 64;
        w->steps = realloc(w->steps, (size_t)w->capacity * sizeof *w->steps);
        if (!w->steps)
            abort();
    }
    s.retired = LOOP_NEVER;
    w->steps[w->count++] = s;
}

static void push_barrier(loop_wave *w, swp_phase phase, int entry)
{
    push(w, (loop_line){.kind = LOOP_BARRIER,
                        .phase = phase,
                        .entry = entry,
                        .line = w->lines,
                        .counter = LOOP_UNCOUNTED});
}

static void push_entry(const swp_loop_dataflow *dataflow, loop_wave *w, const swp_op *op,
                       swp_phase phase, int entry, int base)
{
    loop_line s = {.kind = LOOP_OP,
                   .phase = phase,
                   .entry = entry,
                   .line = w->lines++,
                   .counter = LOOP_UNCOUNTED};
    if (op->tag == SWP_TAG_BARRIER) {
        s.kind = LOOP_BARRIER;
    } else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) {
        s.kind = LOOP_WAIT;
        s.counter = op->tag == SWP_TAG_WAIT_VM ? LOOP_VM : LOOP_LGKM;
        s.amount = op->wait_value;
    } else if (op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE) {
        s.op = op->tag < SWP_FIRST_INFRASTRUCTURE_TAG ? op->tag : op->tag - 128;
        s.iteration = base + op->iteration;
        s.counter = loop_counts_on(dataflow->loop, s.op);
        s.amount = dataflow->loop->ops[s.op].accesses;
        loop_touches(dataflow, &s);
    } else {
        return; /* a hint */
    }
    push(w, s);
}

static void push_list(const swp_schedule *form, loop_wave *w, const swp_entry_list *entries,
                      swp_phase phase, int base, int lag_index)
{
    for (int i = 0; i <= (int)entries->count; i++) {
        if (i == lag_index)
            push_barrier(w, phase, i);
        if (i < (int)entries->count)
            push_entry(form->dataflow, w, &entries->items[i].op, phase, i, base);
    }
}

/* A straight list is all of its run: group 1 does not lag in it, and nobody meets before it. */
static void push_phases(const swp_schedule *form, int group, int n, loop_wave *w)
{
    const swp_machine *machine = &form->machine;
    const int tiles = form->loop.tiles_per_pass;
    if (tiles == 0) {
        push_list(form, w, &form->streams[0].epilogue, SWP_EPILOGUE, 0, -1);
        return;
    }
    const int passes = (n - form->loop.min_tiles) / tiles;
    const int lag = group == 1 && machine->lag ? machine->lag_prologue_index : -1;
    push_list(form, w, &form->streams[0].prologue, SWP_PROLOGUE, 0, lag);
    if (form->loop.placement == SWP_PLACE_K_OFFSET && !form->drops_loop_barrier)
        push_barrier(w, SWP_PROLOGUE, (int)form->streams[0].prologue.count);
    for (int p = 0; p < passes; p++)
        push_list(form, w, &form->streams[0].kernel, SWP_KERNEL, p * tiles, -1);
    push_list(form, w, &form->streams[0].epilogue, SWP_EPILOGUE, passes * tiles, -1);
    if (group == 0 && machine->lag && machine->lag_end_barrier)
        push_barrier(w, SWP_EPILOGUE, (int)form->streams[0].epilogue.count);
}

/* --- What retires what --- */

typedef struct counter_state {
    int issued;
    int made_room; /* so many have left a counter that was full */
    int most;
} counter_state;

/* All on the counter up to its access of that number is retired before the step `position`. */
static void retire(loop_wave *w, loop_counter counter, int access, int position)
{
    for (int i = 0; i < position; i++) {
        loop_line *s = &w->steps[i];
        if (s->kind == LOOP_OP && s->counter == counter && s->retired == LOOP_NEVER &&
            s->end <= access)
            s->retired = position;
    }
}

/* An access above the largest value may have to wait for room; groups and mbarriers have room for all. */
static bool has_end(loop_counter counter)
{
    return counter == LOOP_VM || counter == LOOP_LGKM;
}

static bool is_waited_for(loop_counter counter, loop_counter wait)
{
    const bool lgkm =
        counter == LOOP_LGKM || counter == LOOP_LGKM_GROUP || counter == LOOP_LGKM_MBARRIER;
    return lgkm == (wait == LOOP_LGKM);
}

static void leave(loop_wave *w, counter_state *state, loop_counter counter, int outstanding,
                  int position)
{
    const int access = state->issued - (outstanding < state->most ? outstanding : state->most);
    retire(w, counter, access, position);
    if (access > state->made_room)
        state->made_room = access;
}

static bool may_not_run(const swp_loop *loop, const loop_line *s)
{
    return loop->ops[s->op].when.kind != SWP_WHEN_ALWAYS;
}

static bool made_since(const swp_loop *loop, const loop_wave *w, int early, int position)
{
    for (int i = early + 1; i < position; i++)
        if (w->steps[i].kind == LOOP_OP && !may_not_run(loop, &w->steps[i]) &&
            loop_makes_again(&w->steps[early], &w->steps[i]))
            return true;
    return false;
}

static bool is_held_for(const swp_schedule *form, const loop_wave *w, int early, int position)
{
    const swp_loop *loop = form->dataflow->loop;
    const loop_line *s = &w->steps[early];
    return s->kind == LOOP_OP && s->retired == LOOP_NEVER && loop_is_awaited(loop, s) &&
           loop_reads_what(loop, s, &w->steps[position]) && !made_since(loop, w, early, position);
}

/*
 * A scoreboard guards each access by itself, but what lgkmcnt counts takes effect in order; a compiler below
 * waits on the counter.
 */
static void wait_for_operands(const swp_schedule *form, loop_wave *w, counter_state *counters,
                              int position)
{
    for (int i = 0; i < position; i++) {
        loop_line *early = &w->steps[i];
        if (!is_held_for(form, w, i, position))
            continue;
        if (form->machine.registers == SWP_REGISTERS_SCOREBOARD && early->counter != LOOP_LGKM) {
            early->retired = position;
            continue;
        }
        counter_state *state = &counters[early->counter];
        if (early->end > state->made_room)
            state->made_room = early->end;
        retire(w, early->counter, early->end, position);
    }
}

/* An access in flight that the step runs into: who manages registers keeps some apart. */
static bool runs_into_any(const swp_schedule *form, const loop_wave *w, int position)
{
    const swp_loop *loop = form->dataflow->loop;
    const bool raw = form->machine.registers == SWP_REGISTERS_RAW;
    for (int i = 0; i < position; i++) {
        const loop_line *s = &w->steps[i];
        if (s->kind == LOOP_OP && s->retired == LOOP_NEVER && (raw || !loop_is_awaited(loop, s)) &&
            loop_registers_meet(loop, s, &w->steps[position]))
            return true;
    }
    return false;
}

/* If it runs, it waits as any other; if not, nobody has waited. So what it waits for is in flight behind it. */
static void do_or_leave_out(const swp_schedule *form, loop_wave *w, int position)
{
    counter_state waited[LOOP_COUNTERS] = {{0}};
    int *retired = malloc(((size_t)position + 1) * sizeof *retired);
    if (!retired)
        abort();
    for (int i = 0; i < position; i++)
        retired[i] = w->steps[i].retired;
    if (form->machine.registers != SWP_REGISTERS_RAW)
        wait_for_operands(form, w, waited, position);
    w->steps[position].unready = runs_into_any(form, w, position);
    for (int i = 0; i < position; i++)
        w->steps[i].retired = retired[i];
    w->steps[position].retired = position;
    free(retired);
}

static void issue(const swp_schedule *form, loop_wave *w, counter_state *state, int position)
{
    loop_line *s = &w->steps[position];
    const int after = state->issued + s->amount;
    if (has_end(s->counter) && after - state->made_room > state->most) {
        s->overflow = true;
        state->made_room = after - state->most;
        if (form->machine.counter_full == SWP_COUNTER_STALLS)
            retire(w, s->counter, state->made_room, position);
    }
    state->issued = after;
    s->end = after;
}

/* The newest wgmma that waits have retired: a warp group issues each together, so all of its waves have come to that. */
static int newest_retired(const loop_wave *w, int end)
{
    int i = end - 1;
    while (i >= 0 && !(w->steps[i].counter == LOOP_LGKM_GROUP && w->steps[i].kind == LOOP_OP &&
                       w->steps[i].retired != LOOP_NEVER))
        i--;
    return i;
}

static void run(const swp_schedule *form, loop_wave *w)
{
    const bool fenced = form->machine.barrier == SWP_BARRIER_FENCED;
    const bool raw = form->machine.registers == SWP_REGISTERS_RAW;
    counter_state counters[LOOP_COUNTERS];
    for (loop_counter c = LOOP_VM; c < LOOP_COUNTERS; c++)
        counters[c] = (counter_state){.most = c == LOOP_VM     ? form->machine.vm_max
                                              : c == LOOP_LGKM ? form->machine.lgkm_max
                                                               : INT_MAX};
    for (int i = 0; i < w->count; i++) {
        loop_line *s = &w->steps[i];
        s->barriers_before = w->barriers;
        s->known = newest_retired(w, i);
        for (loop_counter c = LOOP_VM; s->kind == LOOP_WAIT && c < LOOP_COUNTERS; c++)
            if (is_waited_for(c, s->counter))
                leave(w, &counters[c], c, s->amount, i);
        if (s->kind == LOOP_BARRIER && fenced)
            leave(w, &counters[LOOP_LGKM], LOOP_LGKM, 0, i);
        w->barriers += s->kind == LOOP_BARRIER;
        if (s->kind != LOOP_OP)
            continue;
        if (may_not_run(form->dataflow->loop, s)) {
            do_or_leave_out(form, w, i);
            continue;
        }
        if (!raw)
            wait_for_operands(form, w, counters, i);
        if (s->counter == LOOP_UNCOUNTED)
            s->retired = i; /* it is done when it issues */
        else
            issue(form, w, &counters[s->counter], i);
        /* What it had to make room for is done before it touches a register. */
        s->unready = runs_into_any(form, w, i);
    }
}

loop_wave loop_flat(const swp_schedule *form, int group, int n)
{
    loop_wave w = {0};
    push_phases(form, group, n, &w);
    run(form, &w);
    for (int i = 0; i < w.count; i++) {
        loop_line *s = &w.steps[i];
        s->first_barrier =
            s->retired == LOOP_NEVER ? LOOP_NEVER : w.steps[s->retired].barriers_before;
    }
    return w;
}

void loop_flat_free(loop_wave *w)
{
    free(w->steps);
    *w = (loop_wave){0};
}
