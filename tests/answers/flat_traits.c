/* SPDX-License-Identifier: Apache-2.0 */
#include "flat_traits.h"

#include <stdlib.h>

#include "flat.h"
#include "loop_flat.h"
#include "traits.h"

enum { PASSES = 6, COUNTERS = LOOP_COUNTERS };

/* A step of one wave, of a body or of a loop. */
typedef struct moment {
    swp_phase phase;
    int pass;    /* of the kernel; -1: before it; PASSES: behind it */
    int counter; /* -1: none counts it */
    int accesses;
    int retired; /* the step before which it is */
    bool overflow;
} moment;

typedef struct walk {
    moment *moments;
    int count;
} walk;

static walk walk_new(int count)
{
    const walk w = {.moments = calloc((size_t)count + 1, sizeof *w.moments), .count = count};
    if (!w.moments)
        abort();
    return w;
}

/* Numbers the passes of the kernel by how its entries come again. */
static void number_passes(walk *w, const int *entries)
{
    int pass = -1;
    int last = 0;
    for (int i = 0; i < w->count; i++) {
        moment *m = &w->moments[i];
        if (m->phase == SWP_KERNEL && (pass < 0 || entries[i] < last))
            pass++;
        last = m->phase == SWP_KERNEL ? entries[i] : last;
        m->pass = m->phase == SWP_EPILOGUE ? PASSES : pass;
    }
}

/* --- Counters --- */

static int in_flight(const walk *w, int counter, int position)
{
    int accesses = 0;
    for (int i = 0; i < position; i++)
        if (w->moments[i].counter == counter && w->moments[i].retired > position)
            accesses += w->moments[i].accesses;
    return accesses;
}

/* The first step behind a pass. */
static int end_of(const walk *w, int pass)
{
    int i = 0;
    while (i < w->count && w->moments[i].pass <= pass)
        i++;
    return i;
}

static bool grows(const walk *w, int counter)
{
    for (int pass = PASSES - 4; pass < PASSES - 1; pass++)
        if (in_flight(w, counter, end_of(w, pass)) >= in_flight(w, counter, end_of(w, pass + 1)))
            return false;
    return true;
}

static unsigned of_counters(const walk *w, const swp_machine *machine)
{
    unsigned traits = 0;
    for (int counter = 0; counter < COUNTERS; counter++)
        if (grows(w, counter))
            traits |= 1U << ANSWERS_GROWS;
    for (int i = 0; i < w->count; i++)
        if (w->moments[i].overflow)
            traits |=
                1U << (machine->counter_full == SWP_COUNTER_WRAPS ? ANSWERS_WRAPS : ANSWERS_STALLS);
    return traits;
}

/* --- Bodies --- */

static walk walk_of_body(const wave *w)
{
    walk out = walk_new(w->count);
    int *entries = calloc((size_t)w->count + 1, sizeof *entries);
    if (!entries)
        abort();
    for (int i = 0; i < w->count; i++) {
        const step *s = &w->steps[i];
        entries[i] = s->entry;
        out.moments[i] = (moment){.phase = s->phase,
                                  .counter = s->kind >= STEP_LOAD ? (int)s->counter : -1,
                                  .accesses = s->accesses,
                                  .retired = s->retired,
                                  .overflow = s->overflow};
    }
    number_passes(&out, entries);
    free(entries);
    return out;
}

/* The fragment load of which a COMPUTE has an operand; -1: none. */
static int fragment_of(const swp_schedule *schedule, const wave *w, int compute, int before)
{
    for (int i = before; i-- > 0;)
        if (flat_reads(schedule, &w->steps[compute], &w->steps[i]))
            return i;
    return -1;
}

static bool comes_later(const swp_schedule *schedule, const wave *w, const walk *all, int compute,
                        int fragment)
{
    for (int i = compute + 1; i < w->count; i++)
        if (all->moments[i].phase == SWP_KERNEL &&
            all->moments[i].pass > all->moments[compute].pass &&
            w->steps[i].tile == w->steps[compute].tile &&
            flat_writes_place(schedule, &w->steps[i], &w->steps[fragment]))
            return true;
    return false;
}

/* Whether a later pass writes the tile that a COMPUTE is to use. */
static bool body_has_tail(const swp_schedule *schedule, const wave *w, const walk *all)
{
    for (int i = 0; i < w->count; i++) {
        int fragment = w->steps[i].kind == STEP_COMPUTE ? i : -1;
        while (fragment >= 0) {
            fragment = fragment_of(schedule, w, i, fragment);
            if (fragment >= 0 && comes_later(schedule, w, all, i, fragment))
                return true;
        }
    }
    return false;
}

static bool body_observes(const swp_schedule *schedule, const wave *w, int fragment)
{
    for (int i = fragment + 1; i < w->count; i++) {
        if (flat_reads(schedule, &w->steps[i], &w->steps[fragment]))
            return true;
        if (flat_same_register(schedule, &w->steps[i], &w->steps[fragment]))
            return false;
    }
    return false;
}

static unsigned bit_of_unobserved(swp_phase phase)
{
    return 1U << (phase == SWP_PROLOGUE ? ANSWERS_UNUSED_PROLOGUE : ANSWERS_UNOBSERVED);
}

unsigned answers_body_traits(const swp_schedule *schedule)
{
    wave w =
        flat_wave(schedule, 0, schedule->loop.min_tiles + PASSES * schedule->loop.tiles_per_pass);
    walk all = walk_of_body(&w);
    unsigned traits = of_counters(&all, &schedule->machine);
    if (body_has_tail(schedule, &w, &all))
        traits |= 1U << ANSWERS_TAIL;
    for (int i = 0; i < w.count; i++)
        if (w.steps[i].kind == STEP_FRAGMENT && !body_observes(schedule, &w, i))
            traits |= bit_of_unobserved(w.steps[i].phase);
    free(all.moments);
    flat_free(&w);
    return traits;
}

/* --- General loops --- */

static walk walk_of_loop(const loop_wave *w)
{
    walk out = walk_new(w->count);
    int *entries = calloc((size_t)w->count + 1, sizeof *entries);
    if (!entries)
        abort();
    for (int i = 0; i < w->count; i++) {
        const loop_line *s = &w->steps[i];
        entries[i] = s->entry;
        out.moments[i] = (moment){.phase = s->phase,
                                  .counter = s->kind == LOOP_OP ? (int)s->counter : -1,
                                  .accesses = s->amount,
                                  .retired = s->retired,
                                  .overflow = s->overflow};
    }
    number_passes(&out, entries);
    free(entries);
    return out;
}

static bool is_of(const loop_touch *a, const loop_touch *b)
{
    return a->value == b->value && a->slot == b->slot;
}

static bool makes_later(const loop_wave *w, const walk *all, int reader, const loop_touch *read)
{
    for (int i = reader + 1; i < w->count; i++)
        for (int t = 0; t < w->steps[i].touch_count; t++) {
            const loop_touch *made = &w->steps[i].touches[t];
            if (all->moments[i].phase == SWP_KERNEL &&
                all->moments[i].pass > all->moments[reader].pass && made->kind == TOUCH_MAKE &&
                is_of(made, read) && made->tile == read->tile)
                return true;
        }
    return false;
}

static bool loop_has_tail(const loop_wave *w, const walk *all)
{
    for (int i = 0; i < w->count; i++)
        for (int t = 0; t < w->steps[i].touch_count; t++)
            if (w->steps[i].touches[t].kind == TOUCH_READ &&
                makes_later(w, all, i, &w->steps[i].touches[t]))
                return true;
    return false;
}

/* Whether anything reads what is made before it is made again. */
static bool loop_observes(const loop_wave *w, int maker, const loop_touch *made)
{
    for (int i = maker + 1; i < w->count; i++) {
        for (int t = 0; t < w->steps[i].touch_count; t++)
            if (is_of(&w->steps[i].touches[t], made))
                return w->steps[i].touches[t].kind != TOUCH_MAKE;
    }
    return false;
}

static bool reads_shared(const swp_loop *loop, const loop_line *s)
{
    for (int t = 0; t < s->touch_count; t++)
        if (s->touches[t].kind == TOUCH_READ &&
            loop->values[s->touches[t].value].space == SWP_SPACE_SHARED)
            return true;
    return false;
}

/* Of an op that reads shared memory into registers which nothing reads. */
static unsigned of_fragment(const swp_loop *loop, const loop_wave *w, int at)
{
    const loop_line *s = &w->steps[at];
    unsigned traits = 0;
    if (!reads_shared(loop, s))
        return 0;
    for (int t = 0; t < s->touch_count; t++)
        if (s->touches[t].kind == TOUCH_MAKE &&
            loop->values[s->touches[t].value].space == SWP_SPACE_REGISTERS &&
            !loop_observes(w, at, &s->touches[t]))
            traits |= bit_of_unobserved(s->phase);
    return traits;
}

unsigned answers_loop_traits(const swp_schedule *form)
{
    loop_wave w = loop_flat(form, 0, form->loop.min_tiles + PASSES * form->loop.tiles_per_pass);
    walk all = walk_of_loop(&w);
    unsigned traits = of_counters(&all, &form->machine);
    if (loop_has_tail(&w, &all))
        traits |= 1U << ANSWERS_TAIL;
    for (int i = 0; i < w.count; i++)
        traits |= of_fragment(form->dataflow->loop, &w, i);
    free(all.moments);
    loop_flat_free(&w);
    return traits;
}
