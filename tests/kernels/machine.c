/* SPDX-License-Identifier: Apache-2.0 */
/* Waves that go on in some order, and accesses that happen meanwhile. */
#include "machine.h"

#include <string.h>

enum { WARP_GROUP = 4 };

static struct {
    const program *program;
    way way;
    uint64_t random;
    wave waves[MOST_WAVES];
} machine;

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int random_below(int n)
{
    machine.random += 0x9e3779b97f4a7c15u;
    return (int)(mixed(machine.random) % (uint64_t)n);
}

static moment moment_of(const step *s, const wave *w)
{
    if (machine.way.drawn == ONE_MOMENT)
        return machine.way.moment;
    int which = MOMENTS;
    if (machine.way.drawn == FOR_EACH_OP) {
        uint64_t key = mixed(machine.way.seed + (uint64_t)w->number);
        for (const char *c = s->op->name; *c; c++)
            key = mixed(key + (unsigned char)*c);
        which = (int)(key % (MOMENTS + 1));
    }
    return (moment)(which == MOMENTS ? random_below(MOMENTS) : which);
}

static void come_to_barrier(wave *w)
{
    if (the_kernel.fenced)
        wait_for_object(w, LGKMCNT, 0);
    w->barriers++;
    w->at_barrier = true;
}

/* Of a warp group of four waves: how many of what a matrix group counts a wait of one retires in all of them; 0: none. */
static long awaited_of_all(const wave *w)
{
    const step *s = &machine.program->steps[w->next_step];
    return s->kind == STEP_WAIT_LGKM && the_kernel.waves == WARP_GROUP
               ? w->counted[MATRIX_GROUP] - s->number
               : 0;
}

static bool has_all_issued(const wave *w)
{
    for (int i = 0; i < the_kernel.waves; i++)
        if (machine.waves[i].counted[MATRIX_GROUP] < awaited_of_all(w))
            return false;
    return true;
}

static void wait_for_all(const wave *w)
{
    const long awaited = awaited_of_all(w);
    for (int i = 0; awaited > 0 && i < the_kernel.waves; i++)
        wait_for_object(&machine.waves[i], MATRIX_GROUP,
                        machine.waves[i].counted[MATRIX_GROUP] - awaited);
}

static void go_on(wave *w)
{
    wait_for_all(w);
    const step *s = &machine.program->steps[w->next_step++];
    switch (s->kind) {
    case STEP_OP:
        issue(w, s, moment_of(s, w));
        break;
    case STEP_WAIT_VM:
        wait_for_objects(w, VMCNT, s->number);
        break;
    case STEP_WAIT_LGKM:
        wait_for_objects(w, LGKMCNT, s->number);
        break;
    case STEP_BARRIER:
        come_to_barrier(w);
        break;
    }
}

/* The n-th barrier of every wave is one meeting point. */
static bool all_have_met(const wave *w)
{
    for (int i = 0; i < the_kernel.waves; i++)
        if (machine.waves[i].barriers < w->barriers)
            return false;
    return true;
}

static bool can_go_on(wave *w)
{
    if (w->at_barrier && all_have_met(w))
        w->at_barrier = false;
    return !w->at_barrier && w->next_step < machine.program->length && has_all_issued(w);
}

/* NULL if none can. */
static wave *next_wave(int turn)
{
    const int n = the_kernel.waves;
    int first = 0;
    if (machine.way.turns == IN_TURN)
        first = turn % n;
    else if (machine.way.turns == AT_RANDOM)
        first = random_below(n);
    for (int i = 0; i < n; i++) {
        wave *w = &machine.waves[machine.way.turns == LAST_WAVE ? n - 1 - i : (first + i) % n];
        if (can_go_on(w))
            return w;
    }
    return NULL;
}

/* Some access that may do so at any time reads, or writes. */
static void let_something_happen(void)
{
    const wave *w = &machine.waves[random_below(the_kernel.waves)];
    access *a = w->in_flight ? w->flying[random_below(w->in_flight)] : NULL;
    if (!a || a->moment != AT_ANY_TIME)
        return;
    if (a->has_read)
        do_all(a);
    else
        do_reads(a);
}

static void begin(const program *p, way w)
{
    machine.program = p;
    machine.way = w;
    machine.random = mixed(w.seed);
    memset(machine.waves, 0, sizeof machine.waves);
    poison_values();
    for (int i = 0; i < the_kernel.waves; i++) {
        machine.waves[i].number = i;
        the_kernel.start(i);
    }
}

bool carry_out(const program *p, way w)
{
    begin(p, w);
    wave *next;
    for (int turn = 0; (next = next_wave(turn)); turn++) {
        go_on(next);
        for (int i = random_below(4); i > 0; i--)
            let_something_happen();
    }
    bool ended = true;
    for (int i = 0; i < the_kernel.waves; i++) {
        const wave *last = &machine.waves[i];
        ended = ended && last->next_step == p->length && !last->at_barrier;
        wait_for_objects(&machine.waves[i], VMCNT, 0);
        wait_for_objects(&machine.waves[i], LGKMCNT, 0);
    }
    return ended;
}
