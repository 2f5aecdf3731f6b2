/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of registers: each thread has its own, so each is asked of a thread's list. */
#include "roles_memory.h"
#include "roles_rules.h"

/* What a rule asks of one thread. */
typedef void thread_rule(const role_run *run, const role_lane *lane, int thread, judgement *out);

static void ask_threads(const role_run *run, thread_rule *rule, judgement *out)
{
    for (int l = 0; l < run->lane_count; l++)
        for (int t = 0; t < ROLE_THREADS; t++)
            rule(run, &run->lanes[l], t, out);
}

static const role_act *begin_of(const role_run *run, const role_lane *lane)
{
    return run->acts + lane->first;
}

static const role_act *end_of(const role_run *run, const role_lane *lane)
{
    return run->acts + lane->first + lane->count;
}

static const role_touch *touch_of(const role_run *run, const role_act *act, size_t i)
{
    return &run->touches[act->touch + i];
}

static bool is_same_register(const role_run *run, const role_touch *a, const role_touch *b)
{
    return a->value == b->value && a->slot == b->slot && !role_is_shared(run, a->value);
}

static bool touches(const role_run *run, const role_act *act, const role_touch *wanted)
{
    for (size_t i = 0; i < act->touch_count; i++)
        if (is_same_register(run, touch_of(run, act, i), wanted))
            return true;
    return false;
}

/* --- unfenced (b) --- */

/* Back from the act to the last touch of the register: that was a wgmma's, or a fence stands after it. */
static bool is_ready(const role_run *run, const role_lane *lane, int thread, const role_act *act,
                     const role_touch *touch)
{
    const role_act *last = act;
    while (last-- > begin_of(run, lane)) {
        if (!role_executes(last, thread))
            continue;
        if (role_is_tag(last, SWP_TAG_MATRIX_FENCE))
            return true;
        if (touches(run, last, touch))
            return role_is_matrix(last);
    }
    return false;
}

static void ask_fences(const role_run *run, const role_lane *lane, int thread, judgement *out)
{
    for (const role_act *act = begin_of(run, lane); act < end_of(run, lane); act++)
        for (size_t i = 0; role_is_matrix(act) && i < act->touch_count; i++)
            if (role_happens(&run->order, act->issue[thread]) &&
                !role_is_shared(run, touch_of(run, act, i)->value) &&
                !is_ready(run, lane, thread, act, touch_of(run, act, i)))
                role_tell(run, out, SWP_UNFENCED, act);
}

void role_rule_unfenced_register(const role_run *run, judgement *out)
{
    ask_threads(run, ask_fences, out);
}

/* --- accumulator_in_flight --- */

/* The D of a wgmma, and not its A. */
static bool is_accumulated(const role_touch *touch)
{
    return touch->makes || touch->updates;
}

/* Whether one of the two writes a register that the other touches, unless it is the accumulator of two wgmmas. */
static bool collide(const role_run *run, const role_act *matrix, const role_act *late)
{
    for (size_t i = 0; i < matrix->touch_count; i++)
        for (size_t k = 0; k < late->touch_count; k++) {
            const role_touch *a = touch_of(run, matrix, i);
            const role_touch *b = touch_of(run, late, k);
            const bool in_order = role_is_matrix(late) && is_accumulated(a) && is_accumulated(b);
            if (is_same_register(run, a, b) && (a->makes || b->makes) && !in_order)
                return true;
        }
    return false;
}

static void ask_in_flight(const role_run *run, const role_lane *lane, int thread, judgement *out)
{
    for (const role_act *matrix = begin_of(run, lane); matrix < end_of(run, lane); matrix++) {
        if (!role_is_matrix(matrix))
            continue;
        for (const role_act *late = matrix + 1; late < end_of(run, lane); late++) {
            if (!role_happens(&run->order, late->issue[thread]))
                continue;
            if (role_before(&run->order, matrix->retired[lane->rank], late->issue[thread]))
                break; /* so it is for all that follow */
            if (collide(run, matrix, late))
                role_tell(run, out, SWP_ACCUMULATOR_IN_FLIGHT, late);
        }
    }
}

void role_rule_accumulator_in_flight(const role_run *run, judgement *out)
{
    ask_threads(run, ask_in_flight, out);
}

/* --- wrong_tile --- */

/* The tile that the register holds when the act comes: made last, or there from the start. */
static int held(const role_run *run, const role_lane *lane, int thread, const role_act *act,
                const role_touch *wanted)
{
    const role_act *maker = act;
    while (maker-- > begin_of(run, lane))
        for (size_t i = 0; role_executes(maker, thread) && i < maker->touch_count; i++)
            if (touch_of(run, maker, i)->makes &&
                is_same_register(run, touch_of(run, maker, i), wanted))
                return touch_of(run, maker, i)->tile;
    const int slots = run->schedule->dataflow->slots[wanted->value];
    return (wanted->slot - slots + 1) * role_makers(run->loop, wanted->value) - 1;
}

static void ask_tiles(const role_run *run, const role_lane *lane, int thread, judgement *out)
{
    for (const role_act *act = begin_of(run, lane); act < end_of(run, lane); act++)
        for (size_t i = 0; role_happens(&run->order, act->issue[thread]) && i < act->touch_count;
             i++) {
            const role_touch *touch = touch_of(run, act, i);
            if (!touch->makes && !role_is_shared(run, touch->value) &&
                role_makers(run->loop, touch->value) > 0 &&
                held(run, lane, thread, act, touch) != touch->tile)
                role_tell(run, out, SWP_WRONG_TILE, act);
        }
}

void role_rule_wrong_register(const role_run *run, judgement *out)
{
    ask_threads(run, ask_tiles, out);
}
