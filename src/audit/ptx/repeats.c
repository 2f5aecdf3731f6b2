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
 */
#include "audit/ptx/contents.h"

#include <string.h>

enum {
    MOST_PERIODS = 1 << 20,
    MOST_PERIODS_OF_GROUPS = 1 << 16,
    MOST_ATTEMPTS = 6,
    MOST_BACK = 12
};

typedef struct induction {
    swp_context *ctx;
    const swp_ptx_run *form;
    swp_ptx_argument *argument;
    int value; /* of the argument, where all counts are 0 */
    int period;
    int64_t most; /* periods before, or to come */
    int leader;   /* the warp that is held… */
    int back; /* …so many branches before the one that differs: what decides that one stands between */
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

static swp_status record(const induction *n, int value, swp_ptx_run **out)
{
    n->argument->value = (uint64_t)value;
    SWP_TRY(new_run(n, out));
    (*out)->records = true;
    SWP_TRY(swp_ptx_run_go(*out));
    swp_ptx_run_end(*out);
    return SWP_OK;
}

/* Where a lane's branches with the one argument begin to differ from those with the other. */
static bool find_hold(const swp_ptx_path *shorter, const swp_ptx_path *longer, int *first,
                      int *more)
{
    size_t same = 0;
    *first = -1;
    *more = (int)longer->count - (int)shorter->count;
    while (same < shorter->count && same < longer->count &&
           shorter->items[same] == longer->items[same])
        same++;
    if (same < longer->count || same < shorter->count)
        *first = (int)same;
    return *first < 0 ? *more == 0 : *more > 0;
}

/* `periods`: how many behind the first difference. All but one warp go on until they have to wait. */
static bool hold(const induction *n, int periods, swp_ptx_run *run)
{
    bool any = false;
    const swp_ptx_path *shorter = n->shorter->warps[n->leader].paths;
    const swp_ptx_path *longer = n->longer->warps[n->leader].paths;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        int first = -1;
        int more = 0;
        if (!find_hold(&shorter[lane], &longer[lane], &first, &more))
            return false;
        if (first >= 0 && first < n->back)
            return false;
        run->warps[n->leader].hold[lane] = first < 0 ? -1 : first - n->back + periods * more;
        any |= first >= 0;
    }
    return any;
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
        if (value->state == SWP_PTX_LANEWISE)
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
    for (int s = 0; s <= SWP_PTX_SHELVES; s++)
        SWP_TRY(COPY_LIST(n->ctx, &run->shelves[s], &to->shelves[s]));
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
    return run->mbarriers[swp_ptx_mbarrier_of(token)].phase - (int)(uint32_t)token;
}

/* By how much a lane's number is more in the one state than in the other; of tokens: 0, if they are as old. */
static bool find_lane_growth(const swp_ptx_run *a, const swp_ptx_run *b, uint64_t from, uint64_t to,
                             int64_t *out)
{
    const bool word = from <= UINT32_MAX && to <= UINT32_MAX;
    *out = word ? (int32_t)(uint32_t)(to - from) : (int64_t)(to - from);
    if (!swp_ptx_is_token(from) && !swp_ptx_is_token(to))
        return true;
    *out = 0;
    return from >> 32 == to >> 32 && age_of(a, from) == age_of(b, to);
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
    if (!swp_ptx_known(a) || !swp_ptx_known(b) || (a->lacking & alive) != (b->lacking & alive))
        return false;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        int64_t more = 0;
        if (!((alive & ~a->lacking) >> lane & 1))
            continue;
        if (!find_lane_growth(in_a, in_b, swp_ptx_lane(a, lane), swp_ptx_lane(b, lane), &more))
            return false;
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
            else if (swp_ptx_known(value))
                value->slope[SWP_PTX_BEFORE] =
                    (int64_t)((uint64_t)value->slope[SWP_PTX_BEFORE] + (uint64_t)n->growth[w][r]);
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
            if (n->lost[w][r] || !swp_ptx_known(a))
                continue;
            n->lost[w][r] = !find_growth(start, end, w, r, &more) || more != n->growth[w][r] ||
                            !swp_ptx_grow_alike(a, b);
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

/* --- induction --- */

/* The growth of registers in a period, from a run as it is. */
static swp_status measure(induction *n, bool *holds)
{
    swp_ptx_run *run = NULL;
    swp_ptx_run *start = NULL;
    n->argument->value = (uint64_t)n->value + (uint64_t)n->period;
    SWP_TRY(new_run(n, &run));
    *holds = hold(n, 0, run);
    if (*holds)
        SWP_TRY(go_to_hold(run, holds));
    if (!*holds)
        return SWP_OK;
    SWP_TRY(copy_state(n, run, &start));
    (void)hold(n, 1, run);
    SWP_TRY(go_to_hold(run, holds));
    n->later = run;
    return *holds ? find_growths(n, start, run) : SWP_OK;
}

/* `again`: registers or bytes were lost that had been followed. */
static swp_status follow(induction *n, bool *holds, bool *again)
{
    swp_ptx_run *run = NULL;
    swp_ptx_run *start = NULL;
    *again = false;
    n->argument->value = (uint64_t)n->value + (uint64_t)n->period;
    SWP_TRY(new_run(n, &run));
    run->counts = (swp_ptx_counts){{n->most, n->most, n->argument->unit - 1}};
    *holds = hold(n, 0, run);
    if (*holds)
        SWP_TRY(go_to_hold(run, holds));
    if (!*holds)
        return SWP_OK;
    generalise(n, run);
    SWP_TRY(copy_state(n, run, &start));
    (void)hold(n, 1, run);
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
    release(run);
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    *holds = run->outcome == SWP_PTX_ENDED && run->undecided < 0 &&
             run->deepest_wait < SWP_PTX_TOLD_GROUPS;
    return SWP_OK;
}

static swp_status show_with_leader(induction *n, bool *holds)
{
    bool again = true;
    SWP_TRY(measure(n, holds));
    for (int i = 0; i < MOST_ATTEMPTS && *holds && again; i++) {
        SWP_TRY(follow(n, holds, &again));
        *holds |= again;
    }
    *holds &= !again;
    return SWP_OK;
}

/* Whether a warp before the leader goes the same way: it would show the same. */
static bool goes_like_another(const induction *n)
{
    const swp_ptx_warp *leader = &n->longer->warps[n->leader];
    bool like = false;
    for (const swp_ptx_warp *other = n->longer->warps; other < leader && !like; other++) {
        like = true;
        for (int lane = 0; lane < SWP_PTX_LANES && like; lane++)
            like = other->paths[lane].count == leader->paths[lane].count &&
                   (leader->paths[lane].count == 0 ||
                    memcmp(other->paths[lane].items, leader->paths[lane].items,
                           leader->paths[lane].count * sizeof *leader->paths[lane].items) == 0);
    }
    return like;
}

/* All values of the argument that are `value`, and some periods more. */
static swp_status show(induction *n, bool *holds)
{
    SWP_TRY(record(n, n->value, &n->shorter));
    SWP_TRY(record(n, n->value + n->period, &n->longer));
    const bool ended = n->shorter->outcome == SWP_PTX_ENDED && n->longer->outcome == SWP_PTX_ENDED;
    *holds = false;
    for (n->back = 1; n->back <= MOST_BACK && ended && !*holds; n->back++)
        for (n->leader = 0; n->leader < n->shorter->warp_count && !*holds; n->leader++)
            if (!goes_like_another(n) && hold(n, 0, n->shorter))
                SWP_TRY(show_with_leader(n, holds));
    return SWP_OK;
}

/* A run of so many passes, whatever the elements of the last one are. */
static swp_status follow_short(induction *n, bool *holds)
{
    swp_ptx_run *run = NULL;
    n->argument->value = (uint64_t)n->value;
    SWP_TRY(new_run(n, &run));
    run->counts.most[SWP_PTX_ELEMENTS] = n->argument->unit - 1;
    SWP_TRY(swp_ptx_run_go(run));
    swp_ptx_run_end(run);
    *holds = run->outcome == SWP_PTX_ENDED && run->undecided < 0;
    return SWP_OK;
}

/* A number of a work group counts tiles, of many elements each. */
static int most_periods(const swp_ptx_argument *argument)
{
    return argument->param < 0 ? MOST_PERIODS_OF_GROUPS : MOST_PERIODS;
}

/* `period`: of passes; 0: only so many of them. */
static swp_status show_within(const swp_ptx_run *form, swp_ptx_argument *argument, int passes,
                              int period, bool *holds)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(form->outer, &inner));
    induction n = {.ctx = &inner,
                   .form = form,
                   .argument = argument,
                   .value = (passes - 1) * argument->unit + 1,
                   .period = period * argument->unit,
                   .most = most_periods(argument) / argument->unit};
    argument->slope[SWP_PTX_BEFORE] = argument->slope[SWP_PTX_TO_COME] = n.period;
    argument->slope[SWP_PTX_ELEMENTS] = 1;
    const swp_status status = period ? show(&n, holds) : follow_short(&n, holds);
    swp_scope_close(&inner);
    return status;
}

swp_status swp_ptx_repeats(const swp_ptx_run *form, swp_ptx_argument *argument, int first,
                           bool *repeats, int64_t *most)
{
    /* Twice the slots of rings, and what loops are unrolled by. */
    static const int periods[] = {8, 12, 24, 20};
    const uint64_t kept = argument->value;
    bool is_short = true;
    for (int passes = 1; passes < first && is_short && argument->unit > 1; passes++)
        SWP_TRY(show_within(form, argument, passes, 0, &is_short));
    *repeats = false;
    for (size_t i = 0; i < sizeof periods / sizeof periods[0] && is_short && !*repeats; i++) {
        *repeats = true;
        for (int rest = 0; rest < periods[i] && *repeats; rest++)
            SWP_TRY(show_within(form, argument, first + rest, periods[i], repeats));
        *most = (int64_t)periods[i] * most_periods(argument);
    }
    argument->value = kept;
    return SWP_OK;
}
