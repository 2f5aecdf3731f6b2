/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two states of a run of a kernel differ in nothing that orders threads, but for how long ago the past is. */
#include "audit/ptx/lane_accesses.h"
#include "audit/ptx/order.h"

#include <stdlib.h>

/*
 * How far back is told apart at least: of phases and meetings it is asked whether the last one is known, and the one before. Of
 * groups a wait completes all but some, at most `told_groups`: whatever is known beyond these comes to the same by each wait.
 */
enum { LEAST_PHASES = 1, LEAST_GROUPS = SWP_PTX_TOLD_GROUPS };

/* A number that clocks are still compared with. */
typedef struct threshold {
    int component;
    int value;
} threshold;

typedef struct thresholds {
    threshold *items; /* sorted, each once */
    size_t count;
    size_t capacity;
} thresholds;

/* A state, and what its clocks are compared with. */
typedef struct state {
    const swp_ptx_run *run;
    thresholds of;
} state;

/* --- ages --- */

static int current(const swp_ptx_run *run, int component)
{
    const int chain = component % SWP_PTX_MOST_CHAINS;
    if (component < SWP_PTX_CLOCK_COPIES)
        return run->clocks[chain].at[chain];
    if (component < SWP_PTX_CLOCK_STORES)
        return run->warps[chain / 2].copy_groups[chain % 2];
    if (component < SWP_PTX_CLOCK_WGMMA)
        return run->warps[chain / 2].store_groups[chain % 2];
    if (component < SWP_PTX_CLOCK_PHASES) {
        const int first = (component - SWP_PTX_CLOCK_WGMMA) * SWP_PTX_GROUP_WARPS;
        int groups = 0;
        for (int w = first; w < first + SWP_PTX_GROUP_WARPS; w++)
            if (run->warps[w].wgmma_groups > groups)
                groups = run->warps[w].wgmma_groups;
        return groups;
    }
    if (component < SWP_PTX_CLOCK_GENERATIONS)
        return run->mbarriers[component - SWP_PTX_CLOCK_PHASES].phase;
    return run->barriers[component - SWP_PTX_CLOCK_GENERATIONS].generation;
}

static int age_of(const swp_ptx_run *run, int component, int value)
{
    return current(run, component) - value;
}

static bool is_access_past(const swp_ptx_run *run, const swp_ptx_access *access)
{
    return swp_ptx_is_past(run, access->component, access->value) &&
           swp_ptx_is_covered(run, access);
}

static swp_status note(state *s, int component, int value)
{
    thresholds *of = &s->of;
    return SWP_PUSH(s->run->ctx, of, ((threshold){component, value}));
}

static swp_status note_accesses(state *s, const swp_ptx_accesses *bucket)
{
    for (size_t i = 0; i < bucket->count; i++) {
        const swp_ptx_access *access = &bucket->items[i];
        int value = 0;
        const int component = swp_ptx_fenced_by(access, &value);
        SWP_TRY(note(s, access->component, access->value));
        if (swp_ptx_needs_fence(s->run, access))
            SWP_TRY(note(s, component, value));
        if (swp_ptx_needs_fence(s->run, access) && swp_ptx_is_ordinary(access))
            SWP_TRY(note(s, SWP_PTX_CLOCK_OWN_FENCED + access->chain, access->event));
    }
    return SWP_OK;
}

static swp_status note_mbarrier(state *s, const swp_ptx_mbarrier *mbarrier)
{
    SWP_TRY(note(s, mbarrier->chain, mbarrier->event));
    SWP_TRY(note(s, SWP_PTX_CLOCK_FENCED + mbarrier->chain, mbarrier->event));
    for (int chain = 0; chain < 2 * s->run->warp_count; chain++)
        if (mbarrier->wait_phase[chain] == mbarrier->phase) {
            SWP_TRY(note(s, chain, mbarrier->wait_event[chain]));
            SWP_TRY(note(s, SWP_PTX_CLOCK_MET + chain, mbarrier->wait_event[chain]));
        }
    for (int chain = 0; chain < 2 * s->run->warp_count; chain++)
        if (mbarrier->expect_event[chain])
            SWP_TRY(note(s, chain, mbarrier->expect_event[chain]));
    return mbarrier->meeting ? note(s, mbarrier->meeting_component, mbarrier->meeting) : SWP_OK;
}

static swp_status note_signal(state *s, const swp_ptx_signal *signal)
{
    SWP_TRY(note(s, signal->chain, signal->event));
    return signal->mbarrier < 0
               ? SWP_OK
               : note(s, SWP_PTX_CLOCK_PHASES + signal->mbarrier, signal->phase + 1);
}

static int compare_thresholds(const void *left, const void *right)
{
    const threshold *x = left;
    const threshold *y = right;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static swp_status find_thresholds(const swp_ptx_run *run, state *s)
{
    size_t kept = 0;
    *s = (state){.run = run};
    for (int bucket = 0; bucket < swp_ptx_shelves(run); bucket++)
        SWP_TRY(note_accesses(s, &run->buckets[bucket]));
    for (int m = 0; m < run->mbarrier_count; m++)
        SWP_TRY(note_mbarrier(s, &run->mbarriers[m]));
    for (size_t i = 0; i < run->signals.count; i++)
        SWP_TRY(note_signal(s, &run->signals.items[i]));
    if (s->of.count)
        qsort(s->of.items, s->of.count, sizeof *s->of.items, compare_thresholds);
    for (size_t i = 0; i < s->of.count; i++)
        if (!kept || compare_thresholds(&s->of.items[kept - 1], &s->of.items[i]))
            s->of.items[kept++] = s->of.items[i];
    s->of.count = kept;
    return SWP_OK;
}

/* How many of the component's thresholds a clock has reached, with those of components before it. */
static size_t rank_of(const state *s, int component, int value)
{
    const threshold wanted = {component, value};
    size_t low = 0;
    size_t high = s->of.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_thresholds(&s->of.items[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Beyond the same thresholds; and, of what is told by its distance, as far behind. */
static bool same_value(const state *a, const state *b, int component, int in_a, int in_b)
{
    const int far = component < SWP_PTX_CLOCK_COPIES   ? -1
                    : component < SWP_PTX_CLOCK_PHASES ? a->run->told_groups
                                                       : LEAST_PHASES;
    const int age_a = age_of(a->run, component, in_a);
    const int age_b = age_of(b->run, component, in_b);
    return rank_of(a, component, in_a) == rank_of(b, component, in_b) &&
           (age_a == age_b || (age_a > far && age_b > far));
}

static bool same_clock(const state *a, const state *b, const swp_ptx_clock *in_a,
                       const swp_ptx_clock *in_b)
{
    for (int c = 0; c < SWP_PTX_CLOCK_LENGTH; c++) {
        const bool unused = c >= SWP_PTX_CLOCK_PHASES && c < SWP_PTX_CLOCK_GENERATIONS &&
                            c - SWP_PTX_CLOCK_PHASES >= a->run->mbarrier_count;
        if (!unused && !same_value(a, b, c, in_a->at[c], in_b->at[c]))
            return false;
    }
    return true;
}

/* --- parts of a state --- */

static bool same_copies(const state *a, const state *b, const swp_ptx_copies *in_a,
                        const swp_ptx_copies *in_b)
{
    if (in_a->count != in_b->count)
        return false;
    for (size_t i = 0; i < in_a->count; i++) {
        const swp_ptx_copy *x = &in_a->items[i];
        const swp_ptx_copy *y = &in_b->items[i];
        if (x->insn != y->insn || x->to != y->to || x->bytes != y->bytes || x->map != y->map ||
            !same_clock(a, b, x->issue, y->issue))
            return false;
    }
    return true;
}

static bool same_waits(const state *a, const state *b, const swp_ptx_mbarrier *x,
                       const swp_ptx_mbarrier *y)
{
    for (int s = 0; s < 2 * a->run->warp_count; s++) {
        const bool in_x = x->wait_phase[s] == x->phase && x->wait_event[s] > 0;
        const bool in_y = y->wait_phase[s] == y->phase && y->wait_event[s] > 0;
        if (in_x != in_y || (in_x && !same_value(a, b, s, x->wait_event[s], y->wait_event[s])))
            return false;
    }
    return true;
}

static bool same_told(const state *a, const state *b, const swp_ptx_mbarrier *x,
                      const swp_ptx_mbarrier *y)
{
    for (int s = 0; s < 2 * a->run->warp_count; s++)
        if (!x->expect_event[s] != !y->expect_event[s] ||
            (x->expect_event[s] && !same_value(a, b, s, x->expect_event[s], y->expect_event[s])))
            return false;
    return true;
}

static bool same_mbarriers(const state *a, const state *b)
{
    for (int m = 0; m < a->run->mbarrier_count; m++) {
        const swp_ptx_mbarrier *x = &a->run->mbarriers[m];
        const swp_ptx_mbarrier *y = &b->run->mbarriers[m];
        if (x->address != y->address || x->count != y->count || x->pending != y->pending ||
            x->expected != y->expected || x->computed != y->computed || (y->phase - x->phase) % 2 ||
            x->fenced != y->fenced || x->announced != y->announced || x->chain != y->chain ||
            x->completed_alone != y->completed_alone || x->meeting != y->meeting ||
            x->meeting_component != y->meeting_component ||
            !same_value(a, b, x->chain, x->event, y->event) ||
            !same_clock(a, b, &x->arrived, &y->arrived) ||
            !same_clock(a, b, &x->completed, &y->completed) || !same_waits(a, b, x, y) ||
            !same_told(a, b, x, y) || !same_copies(a, b, &x->copies, &y->copies))
            return false;
    }
    return a->run->mbarrier_count == b->run->mbarrier_count;
}

/* Of tests long ago it is not told how long. */
static bool same_tests(const state *a, const state *b)
{
    enum { LONG_AGO = 3 };
    bool same = true;
    for (int chain = 0; chain < 2 * a->run->warp_count && same; chain++)
        for (int reg = 0; reg < a->run->kernel->tested && same; reg++) {
            const swp_ptx_test *x = &a->run->tests[chain][reg];
            const swp_ptx_test *y = &b->run->tests[chain][reg];
            same = x->mbarrier == y->mbarrier;
            if (!same || x->mbarrier <= 0)
                continue;
            const int ago = a->run->mbarriers[x->mbarrier - 1].phase - x->phase;
            const int other = b->run->mbarriers[y->mbarrier - 1].phase - y->phase;
            same = ago == other || (ago >= LONG_AGO && other >= LONG_AGO);
        }
    return same;
}

static bool same_barriers(const state *a, const state *b)
{
    for (int i = 0; i < SWP_PTX_BARRIERS; i++) {
        const swp_ptx_barrier *x = &a->run->barriers[i];
        const swp_ptx_barrier *y = &b->run->barriers[i];
        if (x->arrivals != y->arrivals || x->for_all != y->for_all || x->expected != y->expected ||
            x->name != y->name || (y->generation - x->generation) % 2 ||
            !same_clock(a, b, &x->arrived, &y->arrived))
            return false;
        for (int k = 0; k < 2; k++)
            if (!same_clock(a, b, &x->opened[k], &y->opened[k]))
                return false;
    }
    return true;
}

/* A meeting behind an arrival is one of the two runs alone: where they differ the induction does not hold. */
static bool same_signals(const state *a, const state *b)
{
    const swp_ptx_signals *in_a = &a->run->signals;
    const swp_ptx_signals *in_b = &b->run->signals;
    bool same = in_a->count == in_b->count && a->run->has_cta_scope == b->run->has_cta_scope;
    for (size_t i = 0; i < in_a->count && same; i++) {
        const swp_ptx_signal *x = &in_a->items[i];
        const swp_ptx_signal *y = &in_b->items[i];
        const int component = SWP_PTX_CLOCK_PHASES + (x->mbarrier < 0 ? 0 : x->mbarrier);
        same = x->mbarrier == y->mbarrier && x->chain == y->chain && x->insn == y->insn &&
               x->owner == y->owner && x->meeting == y->meeting &&
               same_value(a, b, x->chain, x->event, y->event) &&
               (x->mbarrier < 0 || same_value(a, b, component, x->phase + 1, y->phase + 1));
    }
    return same;
}

static bool same_groups(const state *a, const state *b)
{
    for (int g = 0; g < SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS; g++) {
        const int component = SWP_PTX_CLOCK_WGMMA + g;
        const swp_ptx_groups *x = &a->run->groups[g];
        const swp_ptx_groups *y = &b->run->groups[g];
        for (size_t back = 1; back <= LEAST_GROUPS && back <= x->count && back <= y->count;
             back++) {
            const int number = (int)(x->count - back) + 1;
            if (swp_ptx_is_past(a->run, component, number))
                break;
            if (x->items[x->count - back].committed != y->items[y->count - back].committed ||
                !same_clock(a, b, &x->items[x->count - back].issued,
                            &y->items[y->count - back].issued))
                return false;
        }
    }
    return true;
}

static int compare_accesses(const void *left, const void *right)
{
    const swp_ptx_access *x = left;
    const swp_ptx_access *y = right;
    const int64_t keys[][2] = {
        {x->insn, y->insn}, {x->chain, y->chain},         {x->low, y->low},
        {x->high, y->high}, {x->component, y->component}, {x->value, y->value}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Sorts the accesses, and leaves out those that are past. */
static void prune(const swp_ptx_run *run, swp_ptx_accesses *bucket)
{
    size_t kept = 0;
    for (size_t i = 0; i < bucket->count; i++)
        if (!is_access_past(run, &bucket->items[i]))
            bucket->items[kept++] = bucket->items[i];
    bucket->count = kept;
    if (kept)
        qsort(bucket->items, kept, sizeof *bucket->items, compare_accesses);
}

static bool same_access(const state *a, const state *b, const swp_ptx_access *x,
                        const swp_ptx_access *y)
{
    int in_x = 0;
    int in_y = 0;
    const int component = swp_ptx_fenced_by(x, &in_x);
    (void)swp_ptx_fenced_by(y, &in_y);
    return x->insn == y->insn && x->chain == y->chain && x->low == y->low && x->high == y->high &&
           x->component == y->component && x->writes == y->writes && x->is_async == y->is_async &&
           x->is_atomic == y->is_atomic && x->of_data == y->of_data && x->unsure == y->unsure &&
           x->guessed == y->guessed && same_value(a, b, x->component, x->value, y->value) &&
           same_value(a, b, component, in_x, in_y) &&
           same_value(a, b, SWP_PTX_CLOCK_OWN_FENCED + x->chain, x->event, y->event);
}

static bool same_accesses(const state *a, const state *b, int bucket)
{
    const swp_ptx_accesses *in_a = &a->run->buckets[bucket];
    const swp_ptx_accesses *in_b = &b->run->buckets[bucket];
    for (size_t i = 0; i < in_a->count && in_a->count == in_b->count; i++)
        if (!same_access(a, b, &in_a->items[i], &in_b->items[i]))
            return false;
    return in_a->count == in_b->count;
}

/* What the watch over registers of wgmmas goes by. */
static bool same_register(const swp_ptx_run *a, const swp_ptx_run *b, int warp, int reg)
{
    const swp_ptx_warp *x = &a->warps[warp];
    const swp_ptx_warp *y = &b->warps[warp];
    const int component = SWP_PTX_CLOCK_WGMMA + warp / SWP_PTX_GROUP_WARPS;
    const int done_x = a->clocks[swp_ptx_chain(warp, 0)].at[component];
    const int done_y = b->clocks[swp_ptx_chain(warp, 0)].at[component];
    const swp_ptx_register *p = &x->registers[reg];
    const swp_ptx_register *q = &y->registers[reg];
    const bool flies = p->group > done_x;
    const bool loose_x = p->touched > 0 && p->touched >= x->fence;
    const bool loose_y = q->touched > 0 && q->touched >= y->fence;
    return loose_x == loose_y && flies == (q->group > done_y) &&
           (!flies || p->group - x->wgmma_groups == q->group - y->wgmma_groups);
}

static bool same_warp(const swp_ptx_run *a, const swp_ptx_run *b, int number)
{
    const swp_ptx_warp *x = &a->warps[number];
    const swp_ptx_warp *y = &b->warps[number];
    if (x->busy != y->busy || x->waiting != y->waiting || x->ahead != y->ahead ||
        x->copiers[0] != y->copiers[0] || x->copiers[1] != y->copiers[1])
        return false;
    if (x->alive != y->alive || x->at_barrier != y->at_barrier || x->came != y->came ||
        x->may_leave != y->may_leave || x->open_wgmmas != y->open_wgmmas ||
        (x->fence > 0) != (y->fence > 0))
        return false;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (x->alive >> lane & 1 && x->pc[lane] != y->pc[lane])
            return false;
    for (int reg = 0; reg < a->kernel->registers && x->alive; reg++)
        if (!same_register(a, b, number, reg))
            return false;
    /* Who waits at a barrier waits for the meeting that has not opened: nobody can go on. */
    return true;
}

static bool same_state(const state *a, const state *b)
{
    const swp_ptx_run *x = a->run;
    const swp_ptx_run *y = b->run;
    if (a->of.count != b->of.count || !same_mbarriers(a, b) || !same_tests(a, b) ||
        !same_barriers(a, b) || !same_groups(a, b) || !same_signals(a, b))
        return false;
    for (int bucket = 0; bucket < swp_ptx_shelves(x); bucket++)
        if (!same_accesses(a, b, bucket))
            return false;
    for (int s = 0; s < 2 * x->warp_count; s++)
        if (swp_ptx_is_live(x, s) && !same_clock(a, b, &x->clocks[s], &y->clocks[s]))
            return false;
    for (int w = 0; w < x->warp_count; w++)
        if (!same_warp(x, y, w) || (x->warps[w].alive && !swp_ptx_same_words(x, y, w)))
            return false;
    return true;
}

swp_status swp_ptx_compare_orders(swp_ptx_run *a, swp_ptx_run *b, bool *same)
{
    state of_a;
    state of_b;
    for (int bucket = 0; bucket < swp_ptx_shelves(a); bucket++) {
        prune(a, &a->buckets[bucket]);
        prune(b, &b->buckets[bucket]);
    }
    SWP_TRY(find_thresholds(a, &of_a));
    SWP_TRY(find_thresholds(b, &of_b));
    *same = same_state(&of_a, &of_b);
    return SWP_OK;
}
