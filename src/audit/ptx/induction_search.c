/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for a period, and for a place in it, by which longer runs of a kernel can be shown to be like shorter ones (induction.c). */
#include "audit/ptx/induction.h"
#include "base/names.h"

enum {
    MOST_PERIODS = 1 << 20,
    MOST_PERIODS_OF_GROUPS = 1 << 16,
    MOST_ADDRESS_BITS = 47,
    MOST_BACK = 12,
    FEW_BACK = 3, /* where most kernels are held */
    MOST_BACK_TOGETHER = 4,
    MOST_STEPS = 1 << 23, /* of all runs */
    LONG_PERIOD = 12,     /* passes: fewer go round more than once before a period is looked at */
    FEW_PERIODS = 5,      /* of which one is that of most kernels… */
    SHORT_PERIODS = 3     /* …of these, others are multiples */
};

/* Where runs are held. */
typedef struct held_place {
    int leader;
    int back; /* 0: nowhere */
} held_place;

typedef struct search {
    const swp_ptx_run *form;
    swp_ptx_argument *argument;
    int period; /* of passes; 0: only so many of them */
    int most_back;
    bool strict;
    bool is_late;     /* periods that are long begin one later */
    bool rounds_down; /* elements that are no whole pass are left out */
    held_place held;  /* what has been shown was held there */
    int64_t steps;    /* so far */
    int64_t most;     /* values for which it holds */
} search;

/* Whether runs get no longer: what the argument is compared with is behind. */
static bool is_settled(const swp_ptx_induction *n)
{
    bool same = true;
    for (int w = 0; w < n->shorter->warp_count && same; w++)
        same = swp_ptx_go_alike(&n->shorter->warps[w], &n->longer->warps[w]);
    return same;
}

/* Whether one of some warps goes the way of the leader. */
static bool is_like_any(const swp_ptx_induction *n, int first, int end)
{
    bool like = false;
    for (int w = first; w < end && !like; w++)
        like = swp_ptx_go_alike(&n->longer->warps[w], &n->longer->warps[n->leader]);
    return like;
}

/* Other warps go on while the leader is held; who never waits would come to the end, and is held with the leader. */
static swp_status hold_leader(swp_ptx_induction *n, bool *holds)
{
    n->together = false;
    SWP_TRY(swp_ptx_show_with_leader(n, holds));
    n->together = !*holds && n->back <= MOST_BACK_TOGETHER &&
                  is_like_any(n, n->leader + 1, n->longer->warp_count);
    if (n->together)
        SWP_TRY(swp_ptx_show_with_leader(n, holds));
    return SWP_OK;
}

static swp_status hold_at(swp_ptx_induction *n, held_place at, bool *holds)
{
    n->leader = at.leader;
    n->back = at.back;
    /* A warp before the leader that goes the same way has shown the same. */
    if (is_like_any(n, 0, n->leader) || !swp_ptx_find_stages(n))
        return SWP_OK;
    SWP_TRY(hold_leader(n, holds));
    return SWP_OK;
}

static swp_status hold_somewhere(search *s, swp_ptx_induction *n, bool *holds)
{
    const held_place before = s->held;
    held_place at = {0, 1};
    if (before.back)
        SWP_TRY(hold_at(n, before, holds));
    while (at.back <= s->most_back && !*holds && s->steps + n->steps < MOST_STEPS) {
        s->held = at;
        if (at.leader != before.leader || at.back != before.back)
            SWP_TRY(hold_at(n, at, holds));
        at.back += at.leader + 1 == n->shorter->warp_count;
        at.leader = (at.leader + 1) % n->shorter->warp_count;
    }
    return SWP_OK;
}

/* All values of the argument that are `value`, and some periods more. */
static swp_status show(search *s, swp_ptx_induction *n, bool *holds)
{
    bool ended = false;
    int value = n->from;
    do {
        SWP_TRY(swp_ptx_record_run(n, value, &n->shorter));
        ended = swp_ptx_has_ended(n->shorter);
        value += n->period;
    } while (value <= n->value && ended);
    SWP_TRY(swp_ptx_record_run(n, n->value + n->period, &n->longer));
    ended = ended && n->longer->outcome == SWP_PTX_ENDED &&
            n->longer->deepest_wait < SWP_PTX_TOLD_GROUPS &&
            (!n->strict || swp_ptx_all_have_stretches(n));
    *holds = false;
    if (ended && is_settled(n)) {
        n->most = n->argument->bits == 64 ? (INT64_C(1) << MOST_ADDRESS_BITS) / n->period : n->most;
        return swp_ptx_follow_whole(n, n->most, holds);
    }
    return ended ? hold_somewhere(s, n, holds) : SWP_OK;
}

/* The least value of the argument that gives so many passes, of those with all elements of a pass side by side. */
static int first_value(const search *s, int passes)
{
    return s->rounds_down ? passes * s->argument->unit : (passes - 1) * s->argument->unit + 1;
}

/* A number of a work group counts tiles, of many elements each. */
static int most_periods(const swp_ptx_argument *argument)
{
    return argument->param < 0 ? MOST_PERIODS_OF_GROUPS : MOST_PERIODS;
}

static swp_status show_passes(search *s, int passes, bool *holds)
{
    swp_ptx_argument *argument = s->argument;
    swp_context inner;
    SWP_TRY(swp_scope_open(s->form->outer, &inner));
    swp_ptx_induction n = {.ctx = &inner,
                           .form = s->form,
                           .argument = argument,
                           .from = first_value(s, passes),
                           .period = s->period * argument->unit,
                           .strict = s->strict,
                           .most = most_periods(argument) / argument->unit};
    /* A loop that is unrolled by the period comes to be as it stays only when all of it has been executed. */
    n.value = n.from + (s->is_late ? n.period : 0);
    argument->slope[SWP_PTX_BEFORE] = argument->slope[SWP_PTX_TO_COME] = n.period;
    argument->slope[SWP_PTX_ELEMENTS] = 1;
    const swp_status status = s->period ? show(s, &n, holds) : swp_ptx_follow_whole(&n, 0, holds);
    s->steps += n.steps;
    if (s->period && n.most * n.period < s->most)
        s->most = n.most * n.period;
    swp_scope_close(&inner);
    return status;
}

/* For all values from the first one on: those of each rest by the period. */
static swp_status show_all(search *s, int first, bool *holds)
{
    *holds = s->steps < MOST_STEPS;
    s->held = (held_place){0, 0};
    s->most = INT64_MAX;
    for (int rest = 0; rest < s->period && *holds; rest++)
        SWP_TRY(show_passes(s, first + rest, holds));
    return SWP_OK;
}

/* Runs of fewer passes. Kernels round elements up to passes, or down. */
static swp_status show_short(search *s, int first, bool *holds)
{
    *holds = true;
    s->period = 0;
    for (int down = 0; down < 2 && (!down || !*holds) && s->argument->unit > 1; down++) {
        *holds = true;
        s->rounds_down = down;
        for (int passes = down ? 0 : 1; passes < first && *holds; passes++)
            SWP_TRY(show_passes(s, passes, holds));
    }
    return SWP_OK;
}

/* First those with which runs look alike, at the few places where most can be held; `few`: these alone. */
static swp_status show_form(search *s, int first, bool few, bool *repeats)
{
    /* The slots of rings or twice as many, and what loops are unrolled by, by who wrote them and then by the compiler. */
    static const int periods[] = {4, 6, 10, 8, 12, 16, 24, 20, 48, 40};
    static const struct {
        bool strict;
        bool is_late;
        int most_back;
    } ways[] = {{true, false, FEW_BACK},
                {true, true, FEW_BACK},
                {true, true, MOST_BACK},
                {false, false, MOST_BACK}};
    bool is_short = true;
    SWP_TRY(show_short(s, first, &is_short));
    *repeats = false;
    for (size_t way = 0; way < (few ? 1 : SWP_COUNT_OF(ways)); way++)
        for (size_t i = few ? 0 : SHORT_PERIODS;
             i < (few ? FEW_PERIODS : SWP_COUNT_OF(periods)) && is_short && !*repeats; i++) {
            s->period = periods[i];
            s->strict = ways[way].strict;
            s->is_late = ways[way].is_late && periods[i] > LONG_PERIOD;
            s->most_back = ways[way].most_back;
            /* Short ones have been tried so. */
            if (s->is_late || !ways[way].is_late || s->most_back == MOST_BACK)
                SWP_TRY(show_all(s, first, repeats));
        }
    return SWP_OK;
}

swp_status swp_ptx_prove_by_induction(const swp_ptx_run *form, swp_ptx_argument *argument,
                                      int first, bool few, bool *repeats, int64_t *most)
{
    const uint64_t kept = argument->value;
    search s = {.form = form, .argument = argument};
    swp_ptx_run *hurried = NULL;
    SWP_TRY(show_form(&s, first, few, repeats));
    if (!*repeats && !few) {
        SWP_TRY(SWP_TAKE(form->outer, 1, &hurried));
        *hurried = *form;
        hurried->hurries = true;
        s.form = hurried;
        s.steps = 0;
        SWP_TRY(show_form(&s, first, few, repeats));
    }
    *most = s.most;
    argument->value = kept;
    return SWP_OK;
}
