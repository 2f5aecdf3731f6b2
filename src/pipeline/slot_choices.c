/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what slots take, and lists how values can share the bytes that they may have. */
#include "pipeline/slot_choices.h"

#include "base/divisor.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"

int64_t swp_pipeline_bytes(const swp_loop *loop, const int *slots, swp_space space)
{
    int64_t bytes = 0;
    for (size_t v = 0; v < loop->value_count; v++)
        if (loop->values[v].space == space)
            bytes += loop->values[v].bytes * slots[v];
    return bytes;
}

int64_t swp_pipeline_role_bytes(const swp_loop *loop, const int *slots, int role)
{
    int64_t bytes = 0;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (swp_ir_loop_role_of_value(loop, v) == role)
            bytes += loop->values[v].bytes * slots[v];
    return bytes;
}

int swp_pipeline_role_over(const swp_loop *loop, const int *slots)
{
    for (int role = 0; role < (int)loop->role_count; role++) {
        const int64_t most = swp_ir_loop_role_bytes(loop, role);
        if (most >= 0 && swp_pipeline_role_bytes(loop, slots, role) > most)
            return role;
    }
    return SWP_NO_ROLE;
}

int swp_pipeline_most_of(const int *slots, size_t count)
{
    int most = 1;
    for (size_t v = 0; v < count; v++)
        most = slots[v] > most ? slots[v] : most;
    return most;
}

int swp_pipeline_unroll(const swp_loop *loop, const int *slots, int most)
{
    int unroll = 1;
    for (size_t v = 0; v < loop->value_count && unroll > 0 && unroll <= most; v++)
        if (swp_ir_is_of_passes(loop, (int)v))
            unroll = unroll / (int)swp_common_divisor(unroll, slots[v]) * slots[v];
    return unroll;
}

/* More slots may lengthen a pass to so many iterations. */
enum { MOST_UNROLL = 12 };

bool swp_pipeline_is_short(const swp_loop *loop, const int *slots)
{
    return swp_pipeline_unroll(loop, slots, MOST_UNROLL) <= MOST_UNROLL;
}

bool swp_pipeline_has_room(const swp_loop *loop, const int *slots)
{
    const int64_t most[] = {[SWP_SPACE_SHARED] = loop->shared_budget,
                            [SWP_SPACE_REGISTERS] = swp_ir_loop_register_bytes(loop)};
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        if (most[space] > 0 && swp_pipeline_bytes(loop, slots, (swp_space)space) > most[space])
            return false;
    return swp_pipeline_role_over(loop, slots) == SWP_NO_ROLE;
}

bool swp_pipeline_raise_slots(const swp_loop *loop, int *slots, int value)
{
    const int before = slots[value];
    const int most = swp_ir_loop_most_slots(loop, value);
    while (slots[value] < most) {
        swp_ir_loop_set_slots(loop, slots, value, slots[value] + 1);
        if (!swp_pipeline_has_room(loop, slots))
            break;
        if (swp_pipeline_is_short(loop, slots))
            return true;
    }
    swp_ir_loop_set_slots(loop, slots, value, before);
    return false;
}

/* After so many steps the list is cut short. */
enum { MANY = 64, MOST_STEPS = 200000 };

typedef struct chooser {
    swp_context *ctx;
    const swp_loop *loop;
    const swp_loop_limits *limits;
    swp_slot_list *out;
    bool *complete;
    int *least;
    int *most;
    int *slots;
    swp_loop_values
        *alike; /* of each value: those that have as many slots; none but for the first of them */
    int64_t room[SWP_SPACE_COUNT]; /* bytes left, by space */
    int *role;          /* of each value: its role, if that has a budget, else SWP_NO_ROLE */
    int64_t *role_room; /* bytes left, by role */
    int steps;
} chooser;

/* Returns whether the limits restrict a value, or one like it. If not, it may have any number of slots. */
static bool is_limited(const chooser *c, size_t value)
{
    const swp_loop_values *alike = &c->alike[value];
    bool limited = false;
    for (size_t i = 0; i < alike->count; i++) {
        const int v = alike->items[i];
        limited = limited ||
                  ((c->limits->bytes[c->loop->values[v].space] >= 0 || c->role[v] != SWP_NO_ROLE) &&
                   c->loop->values[v].bytes > 0);
    }
    return limited && c->least[value] < c->most[value];
}

/* So many slots more of the value, and of those like it. */
static void take_room(chooser *c, size_t value, int more)
{
    const swp_loop_values *alike = &c->alike[value];
    for (size_t i = 0; i < alike->count; i++) {
        const int v = alike->items[i];
        const int64_t bytes = c->loop->values[v].bytes * more;
        c->room[c->loop->values[v].space] -= bytes;
        if (c->role[v] != SWP_NO_ROLE)
            c->role_room[c->role[v]] -= bytes;
    }
}

static bool has_room(chooser *c, size_t value, int more)
{
    const swp_loop_values *alike = &c->alike[value];
    bool fits = true;
    take_room(c, value, more);
    for (size_t i = 0; i < alike->count; i++) {
        const int v = alike->items[i];
        const swp_space space = c->loop->values[v].space;
        fits = fits && (c->limits->bytes[space] < 0 || c->room[space] >= 0) &&
               (c->role[v] == SWP_NO_ROLE || c->role_room[c->role[v]] >= 0);
    }
    take_room(c, value, -more);
    return fits;
}

static void set_slots(chooser *c, size_t value, int slots)
{
    swp_ir_loop_set_slots(c->loop, c->slots, (int)value, slots);
}

/* If one more slot of some value fits, another choice has at least as many of each, so this one is left out. */
static bool can_grow(chooser *c)
{
    for (size_t v = 0; v < c->loop->value_count; v++)
        if (is_limited(c, v) && c->slots[v] < c->most[v] && has_room(c, v, 1))
            return true;
    return false;
}

static swp_status note(chooser *c)
{
    int *slots = NULL;
    if (can_grow(c))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, c->loop->value_count, &slots));
    for (size_t v = 0; v < c->loop->value_count; v++)
        slots[v] = c->slots[v] < SWP_MOST_SLOTS ? c->slots[v] : 0;
    return SWP_PUSH(c->ctx, c->out, slots);
}

static swp_status choose(chooser *c, size_t value)
{
    if (++c->steps > MOST_STEPS) {
        *c->complete = false;
        return SWP_OK;
    }
    while (value < c->loop->value_count && !is_limited(c, value))
        value++;
    if (value == c->loop->value_count)
        return note(c);
    /* The least slots of all values are already paid for. */
    for (int n = c->least[value]; n <= c->most[value]; n++) {
        const int more = n - c->least[value];
        if (!has_room(c, value, more))
            break;
        set_slots(c, value, n);
        take_room(c, value, more);
        SWP_TRY(choose(c, value + 1));
        take_room(c, value, -more);
    }
    set_slots(c, value, c->least[value]);
    return SWP_OK;
}

/* Gives each value in turn one more slot, as long as it fits. */
static swp_status note_even(chooser *c)
{
    bool grown = true;
    while (grown) {
        grown = false;
        for (size_t v = 0; v < c->loop->value_count; v++) {
            if (!is_limited(c, v) || c->slots[v] >= c->most[v] || !has_room(c, v, 1))
                continue;
            take_room(c, v, 1);
            set_slots(c, v, c->slots[v] + 1);
            grown = true;
        }
    }
    return note(c);
}

/*
 * Computes what each role with a budget has beyond the least slots of its values. `*fits` says that
 * none lacks room.
 */
static swp_status open_roles(chooser *c, bool *fits)
{
    const swp_loop *loop = c->loop;
    SWP_TRY(SWP_TAKE(c->ctx, loop->value_count, &c->role));
    SWP_TRY(SWP_TAKE(c->ctx, loop->role_count, &c->role_room));
    for (int v = 0; v < (int)loop->value_count; v++) {
        const int role = c->limits->roles ? swp_ir_loop_role_of_value(loop, v) : SWP_NO_ROLE;
        const bool has_budget = role != SWP_NO_ROLE && swp_ir_loop_role_bytes(loop, role) >= 0;
        c->role[v] = has_budget ? role : SWP_NO_ROLE;
    }
    for (int role = 0; role < (int)loop->role_count; role++)
        c->role_room[role] =
            swp_ir_loop_role_bytes(loop, role) - swp_pipeline_role_bytes(loop, c->least, role);
    *fits = !c->limits->roles || swp_pipeline_role_over(loop, c->least) == SWP_NO_ROLE;
    return SWP_OK;
}

/* The first of values that are alike stands for all of them. What one of them needs at least, all do. */
static swp_status open_values(chooser *c, const int *least)
{
    const size_t count = c->loop->value_count;
    int *self = NULL;
    SWP_TRY(SWP_TAKE(c->ctx, count, &self));
    SWP_TRY(SWP_TAKE(c->ctx, count, &c->least));
    SWP_TRY(SWP_TAKE(c->ctx, count, &c->most));
    SWP_TRY(SWP_TAKE(c->ctx, count, &c->slots));
    SWP_TRY(SWP_TAKE(c->ctx, count, &c->alike));
    for (int v = 0; v < (int)count; v++) {
        self[v] = v;
        const swp_loop_values alike = swp_ir_loop_alike(c->loop, &self[v]);
        for (size_t i = 0; i < alike.count; i++)
            if (least[alike.items[i]] > c->least[v])
                c->least[v] = least[alike.items[i]];
        c->most[v] = swp_ir_loop_most_slots(c->loop, v);
        c->slots[v] = c->least[v];
        if (alike.items[0] == v)
            c->alike[v] = alike;
    }
    return SWP_OK;
}

swp_status swp_pipeline_slot_choices(swp_context *ctx, const swp_loop *loop, const int *least,
                                     const swp_loop_limits *limits, swp_slot_list *out,
                                     bool *complete)
{
    chooser c = {.ctx = ctx, .loop = loop, .limits = limits, .out = out, .complete = complete};
    bool fits = true;
    *complete = true;
    SWP_TRY(open_values(&c, least));
    SWP_TRY(open_roles(&c, &fits));
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        c.room[space] = limits->bytes[space] - swp_pipeline_bytes(loop, c.least, (swp_space)space);
    for (size_t v = 0; v < loop->value_count; v++)
        if (c.alike[v].count > 0 && !is_limited(&c, v))
            set_slots(&c, v, c.most[v]);
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        fits = fits && (limits->bytes[space] < 0 || c.room[space] >= 0);
    if (!fits)
        return SWP_OK;
    SWP_TRY(choose(&c, 0));
    /* If not all choices can be tried, a balanced one comes first; it may come again. */
    if (*complete && out->count < MANY)
        return SWP_OK;
    SWP_TRY(note_even(&c));
    int *even = out->items[out->count - 1];
    out->items[out->count - 1] = out->items[0];
    out->items[0] = even;
    return SWP_OK;
}
