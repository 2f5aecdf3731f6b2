/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows that longer runs of a kernel are like shorter ones, by induction over periods of its loops (docs/audit.md, "Runs of
 * any length").
 *
 * With n = first + period passes each lane takes branches that it takes with n = first as well, up to one, and, behind a
 * period of more of them, the same ones again. Both ends of that period are states in which all warps can stand at one
 * time. The run is followed with n = first + period + period * (before + after): up to the period's start; then with
 * registers as they are after so many periods before; then, with none to come, to the end. It holds for all numbers of
 * periods where every branch, address, count and parity is the same whatever these numbers are, and the period leads from a
 * state to the same one, a period later.
 *
 * A lane may go through a period of more several times: at the loop of each output tile, say. What a loop has left is a linear
 * function of the periods that it had, `before`; the next loop has as many, of which some have been and some are to come.
 * So in numbers that are left `before` becomes `before + after`, and the next loop is followed like the first one.
 */
#include "audit/ptx/contents.h"
#include "base/names.h"

#include <string.h>

enum {
    MOST_PERIODS = 1 << 20,
    MOST_PERIODS_OF_GROUPS = 1 << 16,
    MOST_ADDRESS_BITS = 47,
    MOST_ATTEMPTS = 6,
    MOST_BACK = 12,
    MOST_STAGES = 64,
    LONG_PERIOD = 12, /* passes: fewer go round more than once before a period is looked at */
    LEAST_ALIKE = 8   /* branches that show that two runs go the same way again */
};

/* Branches of a lane in the longer run that the shorter one has not. */
typedef struct stretch {
    int at;
    int count;
} stretch;

typedef struct stretches {
    stretch items[MOST_STAGES];
    int count;
} stretches;

typedef struct induction {
    swp_context *ctx;
    const swp_ptx_run *form;
    swp_ptx_argument *argument;
    int from;  /* values of the argument from here on are shown: as they are… */
    int value; /* …or from this one on, where all counts are 0 */
    int period;
    int64_t most; /* periods before, or to come */
    int leader;   /* the warp that is held… */
    int back; /* …so many branches before the one that differs: what decides that one stands between */
    stretches of_lane[SWP_PTX_LANES]; /* of the leader */
    int stages;                       /* stretches of each lane that has any */
    bool strict;                      /* all lanes do the same but for stretches */
    swp_ptx_run *shorter;
    swp_ptx_run *longer;
    int64_t *growth[SWP_PTX_MOST_WARPS]; /* of each register in a period */
    bool *lost[SWP_PTX_MOST_WARPS];      /* that is not followed */
    swp_ptx_run *later;                  /* the end of the last period that was followed */
} induction;

static swp_status new_run(const induction *n, swp_ptx_run **out)
{
    SWP_TRY(SWP_TAKE(n->ctx, 1, out));
    **out = *n->form;
    (*out)->ctx = n->ctx;
    return swp_ptx_run_begin(*out);
}

/* A run of so many passes, whatever the elements of the last one are. */
static swp_status record(const induction *n, int value, swp_ptx_run **out)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)value;
    SWP_TRY(new_run(n, &run));
    run->records = true;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    *out = run;
    return SWP_OK;
}

/* How many branches more the longer run has here, before it goes on as the shorter one does. */
static int count_more(const swp_ptx_path *shorter, size_t in_shorter, const swp_ptx_path *longer,
                      size_t in_longer)
{
    const size_t rest = shorter->count - in_shorter;
    const size_t alike = rest < LEAST_ALIKE ? rest : LEAST_ALIKE;
    size_t more = alike ? 1 : longer->count - in_longer;
    while (alike && in_longer + more + alike <= longer->count &&
           memcmp(&shorter->items[in_shorter], &longer->items[in_longer + more],
                  alike * sizeof *shorter->items) != 0)
        more++;
    return in_longer + more + alike <= longer->count ? (int)more : 0;
}

/* What a lane of the leader does more in the longer run; false: that cannot be told. */
static bool find_stretches(const swp_ptx_path *shorter, const swp_ptx_path *longer, stretches *out)
{
    size_t i = 0;
    size_t j = 0;
    out->count = 0;
    while (i < shorter->count || j < longer->count) {
        if (i < shorter->count && j < longer->count && shorter->items[i] == longer->items[j]) {
            i++;
            j++;
            continue;
        }
        const int more = count_more(shorter, i, longer, j);
        if (!more || out->count == MOST_STAGES)
            return false;
        out->items[out->count++] = (stretch){(int)j, more};
        j += (size_t)more;
    }
    return true;
}

/* What is left when nothing else can be told: all that follows the first difference is one stretch. */
static bool take_one_stretch(const swp_ptx_path *shorter, const swp_ptx_path *longer,
                             stretches *out)
{
    const int more = (int)longer->count - (int)shorter->count;
    int same = 0;
    while (same < (int)shorter->count && shorter->items[same] == longer->items[same])
        same++;
    *out = (stretches){{{same, more}}, 1};
    return more > 0;
}

static bool find_stretches_of(const induction *n, int warp, int lane, stretches *out)
{
    const swp_ptx_path *shorter = &n->shorter->warps[warp].paths[lane];
    const swp_ptx_path *longer = &n->longer->warps[warp].paths[lane];
    return find_stretches(shorter, longer, out) ||
           (!n->strict && take_one_stretch(shorter, longer, out));
}

static bool all_have_stretches(const induction *n)
{
    stretches of;
    for (int w = 0; w < n->longer->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            if (!find_stretches_of(n, w, lane, &of))
                return false;
    return true;
}

/* Whether all lanes of the leader that do more do so equally often. */
static bool find_stages(induction *n)
{
    n->stages = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        stretches *of = &n->of_lane[lane];
        if (!find_stretches_of(n, n->leader, lane, of) ||
            (of->count && n->stages && of->count != n->stages) ||
            (of->count && of->items[0].at < n->back))
            return false;
        n->stages = of->count ? of->count : n->stages;
    }
    return n->stages > 0;
}

/* At the start or the end of a stage. All warps but the leader go on until they have to wait. */
static void hold(const induction *n, int stage, bool at_end, swp_ptx_run *run)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const stretch *of = &n->of_lane[lane].items[stage];
        run->warps[n->leader].hold[lane] =
            n->of_lane[lane].count ? of->at - n->back + (at_end ? of->count : 0) : -1;
    }
}

static void release(swp_ptx_run *run)
{
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            run->warps[w].hold[lane] = -1;
}

/* Goes on to where all lanes are that have to be held; false: they do not come there together. */
static swp_status go_to_hold(swp_ptx_run *run, bool *held)
{
    SWP_TRY(swp_ptx_run_go(run));
    *held = run->outcome == SWP_PTX_GOES_ON && run->undecided < 0;
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            if (run->warps[w].hold[lane] >= 0)
                *held &=
                    run->warps[w].alive >> lane & 1 && swp_ptx_is_held(run, &run->warps[w], lane);
    return SWP_OK;
}

/* --- states --- */

static swp_status copy_bytes(swp_context *ctx, const void *from, size_t count, size_t size,
                             void **out)
{
    SWP_TRY(swp_take(ctx, count, size, out));
    if (count)
        memcpy(*out, from, count * size);
    return SWP_OK;
}

/* The copy of a list has no room for more. */
#define COPY_LIST(ctx, from, to)                                                                   \
    ((to)->capacity = (from)->count, copy_bytes((ctx), (from)->items, (from)->count,               \
                                                sizeof *(from)->items, (void **)&(to)->items))

static swp_status copy_registers(const induction *n, const swp_ptx_warp *from, swp_ptx_warp *to)
{
    const size_t count = (size_t)n->form->kernel->registers + 1;
    SWP_TRY(
        copy_bytes(n->ctx, from->registers, count, sizeof *to->registers, (void **)&to->registers));
    for (size_t i = 0; i < count; i++) {
        swp_ptx_value *value = &to->registers[i].value;
        if (value->state == SWP_PTX_VARYING)
            SWP_TRY(copy_bytes(n->ctx, value->lanes, SWP_PTX_LANES, sizeof *value->lanes,
                               (void **)&value->lanes));
    }
    return SWP_OK;
}

static swp_status copy_state(const induction *n, const swp_ptx_run *run, swp_ptx_run **out)
{
    SWP_TRY(SWP_TAKE(n->ctx, 1, out));
    swp_ptx_run *to = *out;
    *to = *run;
    for (int s = 0; s < SWP_PTX_ALL_SHELVES; s++)
        SWP_TRY(COPY_LIST(n->ctx, &run->buckets[s], &to->buckets[s]));
    SWP_TRY(copy_bytes(n->ctx, run->mbarriers, SWP_PTX_MOST_MBARRIERS, sizeof *run->mbarriers,
                       (void **)&to->mbarriers));
    for (int m = 0; m < run->mbarrier_count; m++)
        SWP_TRY(COPY_LIST(n->ctx, &run->mbarriers[m].copies, &to->mbarriers[m].copies));
    for (int g = 0; g < SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS; g++)
        SWP_TRY(COPY_LIST(n->ctx, &run->groups[g], &to->groups[g]));
    for (int w = 0; w < run->warp_count; w++)
        SWP_TRY(copy_registers(n, &run->warps[w], &to->warps[w]));
    return swp_ptx_copy_bytes(n->ctx, run, to);
}

/* --- registers --- */

/* How many phases ago the one is that a token names. */
static int age_of(const swp_ptx_run *run, uint64_t token)
{
    return run->mbarriers[swp_ptx_mbarrier_of(token)].phase - swp_ptx_phase_of(token);
}

/* Whether two tokens are of one mbarrier, and of phases as long ago. */
static bool are_as_old(const swp_ptx_run *a, const swp_ptx_run *b, uint64_t from, uint64_t to)
{
    return swp_ptx_mbarrier_of(from) == swp_ptx_mbarrier_of(to) && age_of(a, from) == age_of(b, to);
}

/* By how much a lane's number is more in the one state than in the other. */
static int64_t growth_of_lane(uint64_t from, uint64_t to)
{
    const bool word = from <= UINT32_MAX && to <= UINT32_MAX;
    return word ? (int32_t)(uint32_t)(to - from) : (int64_t)(to - from);
}

static bool is_one_term(const swp_ptx_value *a, const swp_ptx_value *b)
{
    return a->state == SWP_PTX_UNKNOWN && b->state == SWP_PTX_UNKNOWN && a->term &&
           a->term == b->term && !a->undefined && !b->undefined;
}

/* The same of a register of a warp, for all lanes that are alive alike. */
static bool find_growth(const swp_ptx_run *in_a, const swp_ptx_run *in_b, int w, int r,
                        int64_t *out)
{
    const swp_ptx_value *a = &in_a->warps[w].registers[r].value;
    const swp_ptx_value *b = &in_b->warps[w].registers[r].value;
    const uint32_t alive = in_a->warps[w].alive;
    bool any = false;
    *out = 0;
    if (is_one_term(a, b))
        return true;
    if (!swp_ptx_known(a) || !swp_ptx_known(b) ||
        (a->undefined & alive) != (b->undefined & alive) ||
        (a->tokens & alive) != (b->tokens & alive))
        return false;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const uint64_t from = swp_ptx_lane(a, lane);
        const uint64_t to = swp_ptx_lane(b, lane);
        const bool token = a->tokens >> lane & 1;
        if (!((alive & ~a->undefined) >> lane & 1))
            continue;
        if (token && !are_as_old(in_a, in_b, from, to))
            return false;
        const int64_t more = token ? 0 : growth_of_lane(from, to);
        if (any && more != *out)
            return false;
        *out = more;
        any = true;
    }
    return true;
}

static swp_status find_growths(induction *n, const swp_ptx_run *a, const swp_ptx_run *b)
{
    const int count = n->form->kernel->registers;
    for (int w = 0; w < a->warp_count; w++) {
        SWP_TRY(SWP_TAKE(n->ctx, (size_t)count + 1, &n->growth[w]));
        SWP_TRY(SWP_TAKE(n->ctx, (size_t)count + 1, &n->lost[w]));
        for (int r = 0; r < count; r++)
            n->lost[w][r] = !find_growth(a, b, w, r, &n->growth[w][r]);
    }
    return SWP_OK;
}

/* As registers and shared memory are after any number of periods. */
static void generalise(const induction *n, swp_ptx_run *run)
{
    swp_ptx_keep_bytes(run, n->later);
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < n->form->kernel->registers; r++) {
            swp_ptx_value *value = &run->warps[w].registers[r].value;
            if (n->lost[w][r])
                *value = (swp_ptx_value){.state = SWP_PTX_UNKNOWN,
                                         .depends = SWP_PTX_DATA | swp_ptx_address_bit(value),
                                         .lanes = value->lanes};
            else if (swp_ptx_known(value)) {
                const swp_ptx_value *later = &n->later->warps[w].registers[r].value;
                value->term = value->term == later->term && !n->growth[w][r] ? value->term : 0;
                value->slope[SWP_PTX_BEFORE] =
                    (int64_t)((uint64_t)value->slope[SWP_PTX_BEFORE] + (uint64_t)n->growth[w][r]);
            }
        }
}

/* Whether registers are at the end what they are at the start of the next period; those that are not are lost. */
static bool find_lost(induction *n, const swp_ptx_run *start, const swp_ptx_run *end)
{
    bool any = false;
    for (int w = 0; w < start->warp_count; w++)
        for (int r = 0; r < n->form->kernel->registers; r++) {
            const swp_ptx_value *a = &start->warps[w].registers[r].value;
            const swp_ptx_value *b = &end->warps[w].registers[r].value;
            int64_t more = 0;
            if (n->lost[w][r] || (!swp_ptx_known(a) && !is_one_term(a, a)))
                continue;
            n->lost[w][r] = !find_growth(start, end, w, r, &more) || more != n->growth[w][r] ||
                            !swp_ptx_have_same_slopes(a, b) || (a->term && a->term != b->term);
            any |= n->lost[w][r];
        }
    return any;
}

static void end_periods(swp_ptx_run *run)
{
    run->counts.most[SWP_PTX_TO_COME] = 0;
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < run->kernel->registers; r++)
            run->warps[w].registers[r].value.slope[SWP_PTX_TO_COME] = 0;
}

/* The periods that have been are as many as the next stage will have had and has to come. */
static void begin_periods(const induction *n, swp_ptx_run *run)
{
    run->counts.most[SWP_PTX_TO_COME] = n->most;
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < run->kernel->registers; r++) {
            int64_t *slope = run->warps[w].registers[r].value.slope;
            slope[SWP_PTX_TO_COME] = slope[SWP_PTX_BEFORE];
        }
}

/* --- induction --- */

static swp_status begin(const induction *n, swp_ptx_run **run)
{
    n->argument->value = (uint64_t)n->value + (uint64_t)n->period;
    return new_run(n, run);
}

/* The growth of registers in the period of a stage, from a run as it is, which goes on to the period's end. */
static swp_status measure(induction *n, int stage, swp_ptx_run *plain, bool *holds)
{
    swp_ptx_run *start = NULL;
    hold(n, stage, false, plain);
    SWP_TRY(go_to_hold(plain, holds));
    if (!*holds)
        return SWP_OK;
    SWP_TRY(copy_state(n, plain, &start));
    hold(n, stage, true, plain);
    SWP_TRY(go_to_hold(plain, holds));
    n->later = plain;
    return *holds ? find_growths(n, start, plain) : SWP_OK;
}

/* From the start of a stage over any number of periods. `again`: registers or bytes were lost that had been followed. */
static swp_status follow(induction *n, int stage, swp_ptx_run **state, bool *holds, bool *again)
{
    swp_ptx_run *run = NULL;
    swp_ptx_run *start = NULL;
    *again = false;
    SWP_TRY(copy_state(n, *state, &run));
    generalise(n, run);
    SWP_TRY(copy_state(n, run, &start));
    hold(n, stage, true, run);
    SWP_TRY(go_to_hold(run, holds));
    if (!*holds)
        return SWP_OK;
    n->later = run;
    *again = find_lost(n, start, run) || !swp_ptx_bytes_stay(start, run);
    *holds = !*again;
    if (*holds)
        SWP_TRY(swp_ptx_compare_orders(start, run, holds));
    *holds &= run->deepest_wait < SWP_PTX_TOLD_GROUPS;
    if (!*holds)
        return SWP_OK;
    end_periods(run);
    *state = run;
    return SWP_OK;
}

static swp_status show_stage(induction *n, int stage, swp_ptx_run *plain, swp_ptx_run **run,
                             bool *holds)
{
    bool again = true;
    SWP_TRY(measure(n, stage, plain, holds));
    if (!*holds)
        return SWP_OK;
    hold(n, stage, false, *run);
    SWP_TRY(go_to_hold(*run, holds));
    for (int i = 0; i < MOST_ATTEMPTS && *holds && again; i++) {
        SWP_TRY(follow(n, stage, run, holds, &again));
        *holds |= again;
    }
    *holds &= !again;
    return SWP_OK;
}

static swp_status follow_to_end(swp_ptx_run *run, bool *holds)
{
    release(run);
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    *holds = run->outcome == SWP_PTX_ENDED && run->undecided < 0 &&
             run->deepest_wait < SWP_PTX_TOLD_GROUPS;
    return SWP_OK;
}

static swp_status show_stages(induction *n, bool *holds)
{
    swp_ptx_run *plain = NULL;
    swp_ptx_run *run = NULL;
    SWP_TRY(begin(n, &plain));
    SWP_TRY(begin(n, &run));
    run->counts.most[SWP_PTX_BEFORE] = run->counts.most[SWP_PTX_TO_COME] = n->most;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    *holds = true;
    for (int stage = 0; stage < n->stages && *holds; stage++) {
        if (stage)
            begin_periods(n, run);
        SWP_TRY(show_stage(n, stage, plain, &run, holds));
    }
    return *holds ? follow_to_end(run, holds) : SWP_OK;
}

/* What is only needed meanwhile is let go. */
static swp_status show_with_leader(induction *n, bool *holds)
{
    swp_context inner;
    swp_context *outer = n->ctx;
    SWP_TRY(swp_scope_open(outer, &inner));
    n->ctx = &inner;
    const swp_status status = show_stages(n, holds);
    n->ctx = outer;
    swp_scope_close(&inner);
    return status;
}

static bool go_alike(const swp_ptx_warp *a, const swp_ptx_warp *b)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const swp_ptx_path *x = &a->paths[lane];
        const swp_ptx_path *y = &b->paths[lane];
        if (x->count != y->count ||
            (x->count && memcmp(x->items, y->items, x->count * sizeof *x->items) != 0))
            return false;
    }
    return true;
}

/* Whether runs get no longer: what the argument is compared with is behind. */
static bool is_settled(const induction *n)
{
    bool same = true;
    for (int w = 0; w < n->shorter->warp_count && same; w++)
        same = go_alike(&n->shorter->warps[w], &n->longer->warps[w]);
    return same;
}

/* Whether a warp before the leader goes the same way: it would show the same. */
static bool goes_like_another(const induction *n)
{
    const swp_ptx_warp *leader = &n->longer->warps[n->leader];
    bool like = false;
    for (const swp_ptx_warp *other = n->longer->warps; other < leader && !like; other++)
        like = go_alike(other, leader);
    return like;
}

/* A run from its start to its end, whatever the periods before and the elements of the last pass are. */
static swp_status follow_whole(induction *n, int64_t periods, bool *holds)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)n->value;
    SWP_TRY(new_run(n, &run));
    run->counts.most[SWP_PTX_BEFORE] = periods;
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    *holds = run->outcome == SWP_PTX_ENDED && run->undecided < 0;
    return SWP_OK;
}

static bool has_ended(const swp_ptx_run *run)
{
    return run && run->outcome == SWP_PTX_ENDED && run->undecided < 0;
}

/* All values of the argument that are `value`, and some periods more. */
static swp_status show(induction *n, bool *holds)
{
    bool ended = false;
    int value = n->from;
    do {
        SWP_TRY(record(n, value, &n->shorter));
        ended = has_ended(n->shorter);
        value += n->period;
    } while (value <= n->value && ended);
    SWP_TRY(record(n, n->value + n->period, &n->longer));
    ended = ended && n->longer && n->longer->outcome == SWP_PTX_ENDED &&
            (!n->strict || all_have_stretches(n));
    *holds = false;
    n->stages = 0;
    if (ended && is_settled(n)) {
        n->most = n->argument->bits == 64 ? (INT64_C(1) << MOST_ADDRESS_BITS) / n->period : n->most;
        return follow_whole(n, n->most, holds);
    }
    for (n->back = 1; n->back <= MOST_BACK && ended && !*holds; n->back++)
        for (n->leader = 0; n->leader < n->shorter->warp_count && !*holds; n->leader++)
            if (!goes_like_another(n) && find_stages(n))
                SWP_TRY(show_with_leader(n, holds));
    return SWP_OK;
}

/* A number of a work group counts tiles, of many elements each. */
static int most_periods(const swp_ptx_argument *argument)
{
    return argument->param < 0 ? MOST_PERIODS_OF_GROUPS : MOST_PERIODS;
}

/* `period`: of passes; 0: only so many of them. `most`: lowered to the values for which it holds. */
static swp_status show_within(const swp_ptx_run *form, swp_ptx_argument *argument, int passes,
                              int period, bool strict, int64_t *most, bool *holds)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(form->outer, &inner));
    induction n = {.ctx = &inner,
                   .form = form,
                   .argument = argument,
                   .from = (passes - 1) * argument->unit + 1,
                   .period = period * argument->unit,
                   .strict = strict,
                   .most = most_periods(argument) / argument->unit};
    /* A loop that is unrolled by the period comes to be as it stays only when all of it has been executed. */
    n.value = n.from + (strict && period > LONG_PERIOD ? n.period : 0);
    argument->slope[SWP_PTX_BEFORE] = argument->slope[SWP_PTX_TO_COME] = n.period;
    argument->slope[SWP_PTX_ELEMENTS] = 1;
    const swp_status status = period ? show(&n, holds) : follow_whole(&n, 0, holds);
    if (period && n.most * n.period < *most)
        *most = n.most * n.period;
    swp_scope_close(&inner);
    return status;
}

/* For all values from the first one on: those of each rest by the period. */
static swp_status show_all(const swp_ptx_run *form, swp_ptx_argument *argument, int first,
                           int period, bool strict, bool *holds, int64_t *most)
{
    *holds = true;
    *most = INT64_MAX;
    for (int rest = 0; rest < period && *holds; rest++)
        SWP_TRY(show_within(form, argument, first + rest, period, strict, most, holds));
    return SWP_OK;
}

static swp_status show_with(const swp_ptx_run *form, swp_ptx_argument *argument, int first,
                            bool *repeats, int64_t *most)
{
    /* Twice the slots of rings, and what loops are unrolled by, by who wrote them and then by the compiler. */
    static const int periods[] = {8, 12, 16, 24, 20, 48};
    bool is_short = true;
    for (int passes = 1; passes < first && is_short && argument->unit > 1; passes++)
        SWP_TRY(show_within(form, argument, passes, 0, false, most, &is_short));
    *repeats = false;
    /* First those with which runs look alike. */
    for (int strict = 1; strict >= 0; strict--)
        for (size_t i = 0; i < SWP_COUNT_OF(periods) && is_short && !*repeats; i++)
            SWP_TRY(show_all(form, argument, first, periods[i], strict, repeats, most));
    return SWP_OK;
}

swp_status swp_ptx_prove_by_induction(const swp_ptx_run *form, swp_ptx_argument *argument,
                                      int first, bool *repeats, int64_t *most)
{
    const uint64_t kept = argument->value;
    swp_ptx_run *hurried = NULL;
    SWP_TRY(show_with(form, argument, first, repeats, most));
    if (!*repeats) {
        SWP_TRY(SWP_TAKE(form->outer, 1, &hurried));
        *hurried = *form;
        hurried->hurries = true;
        SWP_TRY(show_with(hurried, argument, first, repeats, most));
    }
    argument->value = kept;
    return SWP_OK;
}
